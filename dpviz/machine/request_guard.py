"""Host and Origin checks that the dashboard and the live class share.

DNS rebinding makes the browser send another site's name as Host and as Origin. A server therefore
answers only to names that belong to it, and to an Origin only if it equals the Host. No check
resolves a name or sends a packet.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

Message = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]
Receive = Callable[[], Awaitable[Message]]
App = Callable[[Any, Receive, Send], Awaitable[None]]

POLICY_VIOLATION = 1008
"""WebSocket close code; before the handshake it becomes an HTTP 403."""
FOREIGN_HOST = "Host name not allowed. See SECURITY.md for allowed names.\n"
FOREIGN_ORIGIN = "Requests from other sites are not allowed.\n"


@dataclass(frozen=True)
class Hosts:
    """The Host headers that a server answers to.

    Attributes:
        names: host names in lower case; ``*.example.org`` allows all names below a domain and
            ``*`` allows every name.
        any_address: whether every IP address is allowed, or loopback addresses only. DNS rebinding
            needs a name, so an address is safe.
    """

    names: frozenset[str] = frozenset()
    any_address: bool = False

    def allow(self, host: str) -> bool:
        """Return whether a Host header names this server."""
        name = host_name(host)
        if name is None:
            return False
        if (address := _address(name)) is not None:
            return self.any_address or address.is_loopback or name in self.names
        return name == "localhost" or any(_matches(name, pattern) for pattern in self.names)


def allowed_hosts(bound: Iterable[str], names: Iterable[str] = ()) -> Hosts:
    """Return the allowed hosts of a server.

    Args:
        bound: the addresses that the server listens on; "" for all of them.
        names: further names that the user gave.
    """
    bound = list(bound)
    local = all(_is_loopback(address) for address in bound)
    own_name = socket.gethostname().lower()
    own_names = set() if local else {own_name, f"{own_name}.local"}
    names_given = {name.strip().lower().strip("[]").rstrip(".") for name in [*bound, *names]}
    return Hosts(frozenset((names_given | own_names) - {""}), any_address=not local)


def host_name(host: str) -> str | None:
    """Return the name in a Host header, in lower case, or None if the header is malformed."""
    try:
        parts = urlsplit(f"//{host}")
        name, _ = (parts.hostname or "").removesuffix("."), parts.port
    except ValueError:
        return None
    well_formed = parts.netloc == host and "@" not in host and host.isascii()
    return name if well_formed and name else None


def same_origin(origin: str, host: str) -> bool:
    """Return whether an Origin header is the server's own, whatever the scheme."""
    return origin.lower() in (f"http://{host.lower()}", f"https://{host.lower()}")


def refusal(headers: Iterable[tuple[str, str]], hosts: Hosts) -> tuple[HTTPStatus, str] | None:
    """Return the status and reason for which a request is refused, or None if it may pass.

    Args:
        headers: names in lower case, with values.
        hosts: what the server answers to.
    """
    pairs = list(headers)
    named = [value for name, value in pairs if name == "host"]
    origins = [value for name, value in pairs if name == "origin"]
    if len(named) != 1 or not hosts.allow(named[0]):
        return HTTPStatus.MISDIRECTED_REQUEST, FOREIGN_HOST
    if any(not same_origin(origin, named[0]) for origin in origins):
        return HTTPStatus.FORBIDDEN, FOREIGN_ORIGIN
    return None


class RequestGuard:
    """ASGI middleware that refuses foreign Host and Origin headers before the application."""

    def __init__(self, app: App, hosts: Callable[[], Hosts]) -> None:
        """Guard ``app``; ``hosts`` is called for each request, so that settings may load late."""
        self._app, self._hosts = app, hosts

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Refuse the request, or pass it on."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = ((n.decode("latin-1"), v.decode("latin-1")) for n, v in scope["headers"])
        reason = refusal(headers, self._hosts())
        if reason is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": POLICY_VIOLATION})
        else:
            await respond(send, *reason)


async def respond(send: Send, status: int, reason: str, close: bool = True) -> None:
    """Send a short plain-text answer; ``close`` the connection, or read the rest of the request."""
    body = reason.encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        *([(b"connection", b"close")] if close else []),
    ]
    await send({"type": "http.response.start", "status": int(status), "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


def _is_loopback(address: str) -> bool:
    ip = _address(address)
    return address == "localhost" if ip is None else ip.is_loopback


def _matches(name: str, pattern: str) -> bool:
    if pattern.startswith("*."):
        return name.endswith(pattern[1:])
    return pattern in ("*", name)
