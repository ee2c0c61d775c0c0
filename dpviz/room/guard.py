"""Before anything is answered: who asks, by which name, from which page; and what every answer
tells a browser.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

Message = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]
Receive = Callable[[], Awaitable[Message]]
App = Callable[[Any, Receive, Send], Awaitable[None]]

NOTHING = b"Nothing here.\n"
"""The answer to whatever is no joining page, and to whoever may not ask; it names nothing."""
POLICY = (
    "default-src 'none'; script-src {script}; style-src {style}; connect-src 'self';"
    " img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cache-control": "no-store",
}


def known_host(host: str) -> bool:
    """Whether a Host header can be this machine's: its digits, or its own name.

    Another site's name that was made to lead here (DNS rebinding) is neither.
    """
    try:
        parts = urlsplit(f"//{host}")
        name, _ = (parts.hostname or "").removesuffix("."), parts.port
    except ValueError:
        return False
    if parts.netloc != host or "@" in host:
        return False
    own = socket.gethostname().lower()
    if name in ("localhost", own, f"{own}.local"):
        return True
    try:
        return bool(ipaddress.IPv4Address(name))
    except ValueError:
        return False


def own_page(origin: str, host: str) -> bool:
    """Whether a request comes from a page of this listener's, by its Origin header."""
    return origin in (f"http://{host}", f"https://{host}")


def policy(script: str = "'none'", style: str = "'none'") -> str:
    """The content security policy of an answer; script, style: checksums of what stands in it."""
    return POLICY.format(script=script, style=style)


def guarded(app: App) -> App:
    """The application behind the checks; what fails one is told that nothing is here."""

    async def answered(scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": _with_ours(message.get("headers", ()))}
            await send(message)

        if _may_ask(scope):
            await app(scope, receive, sent)
        else:
            await refuse(sent)

    return answered


async def refuse(send: Send, status: int = 404) -> None:
    """Say that nothing is here."""
    length = (b"content-length", str(len(NOTHING)).encode())
    kind = (b"content-type", b"text/plain; charset=utf-8")
    await send({"type": "http.response.start", "status": status, "headers": [kind, length]})
    await send({"type": "http.response.body", "body": NOTHING})


def _may_ask(scope: Any) -> bool:
    """One host that is ours; a change only from a page of ours, which no other site's can pass
    for.
    """
    told = [(name, value.decode("latin-1")) for name, value in scope["headers"]]
    hosts = [value for name, value in told if name == b"host"]
    if len(hosts) != 1 or not known_host(hosts[0]):
        return False
    if scope["method"] in ("GET", "HEAD"):
        return True
    found = dict(told)
    return (
        scope["method"] == "POST"
        and own_page(found.get(b"origin", ""), hosts[0])
        and found.get(b"sec-fetch-site", "same-origin") == "same-origin"
        and found.get(b"content-type", "").partition(";")[0].strip() == "application/json"
    )


def _with_ours(headers: Any) -> list[tuple[bytes, bytes]]:
    own = list(headers)
    names = {name.lower() for name, _ in own}
    every = HEADERS | {"content-security-policy": policy()}
    return own + [(n.encode(), v.encode()) for n, v in every.items() if n.encode() not in names]
