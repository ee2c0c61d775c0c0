"""A random token for each browser, in a cookie that no script of a page can read.

The middleware sets the cookie with the page, before the page's WebSocket opens, so that the first
run knows the visitor.
"""

from __future__ import annotations

import re
import secrets
from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dpviz.machine.ownership import DAYS

NAME = "dpviz_visitor"
#: 32 random bytes, as ``secrets.token_urlsafe`` writes them.
TOKEN = re.compile(r"[\w-]{43}", re.ASCII)


def token(cookie: object) -> str | None:
    """Return the cookie's value if it is well-formed."""
    return cookie if isinstance(cookie, str) and TOKEN.fullmatch(cookie) else None


def new_token() -> str:
    """Return a new random token."""
    return secrets.token_urlsafe(32)


class VisitorCookie:
    """ASGI middleware that sets the cookie with each page and so renews it."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap ``app``."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, with the cookie if a page is requested."""
        if scope["type"] != "http" or "text/html" not in Headers(scope=scope).get("accept", ""):
            await self._app(scope, receive, send)
            return
        cookies = Headers(scope=scope).get("cookie", "")
        cookie = cookie_line(cookies, scope.get("scheme") == "https")

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": list(message.get("headers", ()))}
                MutableHeaders(scope=message).append("set-cookie", cookie)
            await send(message)

        await self._app(scope, receive, send_with_cookie)


def cookie_line(cookies: str, secure: bool) -> str:
    """Return the Set-Cookie header with the token in ``cookies``, or else a new one."""
    try:
        morsel = SimpleCookie(cookies).get(NAME)
    except CookieError:
        morsel = None
    value = token(morsel.value if morsel else None) or new_token()
    suffix = "; Secure" if secure else ""
    return f"{NAME}={value}; Path=/; Max-Age={DAYS * 86400}; HttpOnly; SameSite=Lax{suffix}"
