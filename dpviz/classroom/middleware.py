"""Before anything is answered: who asks, by which name, from which page; and what every answer
tells a browser.
"""

from __future__ import annotations

from typing import Any

from dpviz.machine.request_guard import (
    App,
    Message,
    Receive,
    Send,
    allowed_hosts,
    host_name,
    same_origin,
)

ANY = "0.0.0.0"
HEAD = 8192
"""Bytes of a request's head."""
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
    """Return whether a Host header is an address or this machine's name.

    DNS rebinding needs another name, so every IPv4 address is allowed; the listener has no other.
    """
    name = host_name(host)
    return name is not None and ":" not in name and allowed_hosts([ANY]).allow(host)


def policy(script: str = "'none'", style: str = "'none'") -> str:
    """The content security policy of an answer; script, style: checksums of what stands in it."""
    return POLICY.format(script=script, style=style)


def guarded(app: App) -> App:
    """The application behind the checks; what fails one is told that nothing is here."""

    async def checked_app(scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": _with_ours(message.get("headers", ()))}
            await send(message)

        if _head_bytes(scope) > HEAD:
            await refuse(send_with_headers, 431)
        elif _may_ask(scope):
            await app(scope, receive, send_with_headers)
        else:
            await refuse(send_with_headers)

    return checked_app


async def refuse(send: Send, status: int = 404) -> None:
    """Say that nothing is here."""
    length = (b"content-length", str(len(NOTHING)).encode())
    kind = (b"content-type", b"text/plain; charset=utf-8")
    await send({"type": "http.response.start", "status": status, "headers": [kind, length]})
    await send({"type": "http.response.body", "body": NOTHING})


def _head_bytes(scope: Any) -> int:
    """Return the bytes of a request's target and headers."""
    headers = sum(len(name) + len(value) + 4 for name, value in scope["headers"])
    return len(scope["raw_path"]) + len(scope["query_string"]) + headers


def _may_ask(scope: Any) -> bool:
    """One host that is ours; a change only from a page of ours, which no other site's can pass
    for.
    """
    headers = [(n.decode("latin-1"), v.decode("latin-1")) for n, v in scope["headers"]]
    hosts = [value for name, value in headers if name == "host"]
    if len(hosts) != 1 or not known_host(hosts[0]):
        return False
    header_values = dict(headers)
    if scope["method"] in ("GET", "HEAD"):
        # nobody reads a body that comes with a page's request or a stream's
        return (
            "transfer-encoding" not in header_values
            and header_values.get("content-length", "0") == "0"
        )
    return (
        scope["method"] == "POST"
        and same_origin(header_values.get("origin", ""), hosts[0])
        and header_values.get("sec-fetch-site", "same-origin") == "same-origin"
        and header_values.get("content-type", "").partition(";")[0].strip() == "application/json"
    )


def _with_ours(headers: Any) -> list[tuple[bytes, bytes]]:
    own = list(headers)
    names = {name.lower() for name, _ in own}
    every = HEADERS | {"content-security-policy": policy()}
    return own + [(n.encode(), v.encode()) for n, v in every.items() if n.encode() not in names]
