"""A random token for each browser, in a cookie that no script of a page can read.

A middleware of the server's gives it with the page, before the page's web socket is opened, so that
the first run knows who asks.
"""

from __future__ import annotations

import re
import secrets
from http.cookies import CookieError, SimpleCookie
from typing import Any

NAME = "dpviz_visitor"
DAYS = 30
"""As long as what a visitor holds is kept, ``dpviz.machine.ownership``."""
TOKEN = re.compile(r"[\w-]{43}", re.ASCII)
"""32 random bytes, as ``secrets.token_urlsafe`` writes them."""


def token(cookie: object) -> str | None:
    """The cookie's value where it can be a token of ours."""
    return cookie if isinstance(cookie, str) and TOKEN.fullmatch(cookie) else None


def new_token() -> str:
    """A token that nobody has."""
    return secrets.token_urlsafe(32)


class VisitorCookie:
    """ASGI middleware: the answer to whoever opens a page carries the cookie, anew each time."""

    def __init__(self, app: Any) -> None:
        """app: what answers."""
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer, with the cookie where a page is opened."""
        headers = dict(scope.get("headers") or ())
        if scope["type"] != "http" or b"text/html" not in headers.get(b"accept", b""):
            await self._app(scope, receive, send)
            return
        known = headers.get(b"cookie", b"").decode("latin-1")
        given_line = line(known, scope.get("scheme") == "https")

        async def with_cookie(message: Any) -> None:
            if message["type"] == "http.response.start":
                given = (b"set-cookie", given_line.encode())
                message = message | {"headers": [*message.get("headers", ()), given]}
            await send(message)

        await self._app(scope, receive, with_cookie)


def line(cookies: str, secure: bool) -> str:
    """The cookie's header for whoever sent these cookies: the own token again, or a new one."""
    value = _known(cookies) or new_token()
    more = "; Secure" if secure else ""
    return f"{NAME}={value}; Path=/; Max-Age={DAYS * 86400}; HttpOnly; SameSite=Lax{more}"


def _known(cookies: str) -> str | None:
    try:
        found = SimpleCookie(cookies).get(NAME)
    except CookieError:
        return None
    return token(found.value) if found else None
