"""Request checks and security headers of the joining pages."""

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

ALL_NETWORKS = "0.0.0.0"
MAX_HEAD_BYTES = 8192
"""Bytes of a request's head."""
NOT_FOUND = b"Nothing here.\n"
"""Body of the answer to all refused requests; it reveals nothing."""
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
    return name is not None and ":" not in name and allowed_hosts([ALL_NETWORKS]).allow(host)


def policy(script: str = "'none'", style: str = "'none'") -> str:
    """Return a content security policy; script, style: checksums of the inline ones."""
    return POLICY.format(script=script, style=style)


def guarded(app: App) -> App:
    """Return the application behind the checks; requests that fail one get ``NOT_FOUND``."""

    async def checked_app(scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": _with_security_headers(message.get("headers", ()))}
            await send(message)

        if _head_bytes(scope) > MAX_HEAD_BYTES:
            await refuse(send_with_headers, 431)
        elif _is_allowed(scope):
            await app(scope, receive, send_with_headers)
        else:
            await refuse(send_with_headers)

    return checked_app


async def refuse(send: Send, status: int = 404) -> None:
    """Send ``NOT_FOUND``."""
    length = (b"content-length", str(len(NOT_FOUND)).encode())
    kind = (b"content-type", b"text/plain; charset=utf-8")
    await send({"type": "http.response.start", "status": status, "headers": [kind, length]})
    await send({"type": "http.response.body", "body": NOT_FOUND})


def _head_bytes(scope: Any) -> int:
    """Return the bytes of a request's target and headers."""
    headers = sum(len(name) + len(value) + 4 for name, value in scope["headers"])
    return len(scope["raw_path"]) + len(scope["query_string"]) + headers


def _is_allowed(scope: Any) -> bool:
    """Return whether the Host is this machine's, and a POST comes from a page of this server."""
    headers = [(n.decode("latin-1"), v.decode("latin-1")) for n, v in scope["headers"]]
    hosts = [value for name, value in headers if name == "host"]
    if len(hosts) != 1 or not known_host(hosts[0]):
        return False
    header_values = dict(headers)
    if scope["method"] in ("GET", "HEAD"):
        # no handler reads the body of such a request
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


def _with_security_headers(headers: Any) -> list[tuple[bytes, bytes]]:
    sent = list(headers)
    names = {name.lower() for name, _ in sent}
    added = HEADERS | {"content-security-policy": policy()}
    return sent + [(n.encode(), v.encode()) for n, v in added.items() if n.encode() not in names]
