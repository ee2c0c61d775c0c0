"""The only socket that accepts connections from other computers.

``bind`` opens it; ``start`` serves the joining pages on it in a thread.
"""

from __future__ import annotations

import ipaddress
import os
import socket
import threading
from typing import TYPE_CHECKING

from dpviz.classroom import joining
from dpviz.machine import public_mode
from dpviz.types import DpvizError

if TYPE_CHECKING:
    from dpviz.classroom.joining import Pages
    from dpviz.classroom.live_class import LiveClasses

SETTING = "DPVIZ_ROOM"
"""Environment variable with ``address:port``, which the server inherits from the command."""
_bound: list[tuple[str, int]] = []


def environment_address() -> tuple[str, int] | None:
    """Return the address and port in the environment, or None.

    Raises:
        DpvizError: if they are invalid.
    """
    text = os.environ.get(SETTING, "")
    return parse_address(text) if text else None


def parse_address(text: str) -> tuple[str, int]:
    """Return the address and port of ``address:port``.

    Raises:
        DpvizError: if the address is not an IPv4 address, or the port not from 1 to 65535.
    """
    host, _, port = text.rpartition(":")
    try:
        ipaddress.IPv4Address(host)
    except ValueError:
        raise DpvizError(
            f"--room must be an IPv4 address of this computer, got {host[:80]!r}. Use 0.0.0.0 for"
            " all networks, or an address such as 192.168.1.5."
        ) from None
    if not (port.isascii() and port.isdecimal() and 0 < int(port) < 65_536):
        raise DpvizError(f"--room-port must be from 1 to 65535, got {port[:80]!r}.")
    return host, int(port)


def bind(address: tuple[str, int]) -> socket.socket:
    """Return a socket that listens on this address; connections wait for ``start``.

    Raises:
        DpvizError: if the address is not available, and in public mode.
    """
    public_mode.refuse("class")
    # asyncio disables Nagle's algorithm only on sockets with an explicit protocol
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(address)
        listening.listen()
    except (OSError, OverflowError) as error:
        listening.close()
        reason = error.strerror if isinstance(error, OSError) else "no such port"
        raise DpvizError(
            f"The live class cannot listen on {address[0]}:{address[1]} ({reason}). Start the"
            " dashboard with --room ADDRESS or --room-port PORT."
        ) from None
    return listening


def start(bound: socket.socket, pages: Pages, classes: LiveClasses | None = None) -> None:
    """Serve phones on a bound socket, in a daemon thread; classes: by default of this process."""

    def serve() -> None:
        from dpviz.classroom import connections  # takes as long to import as a web server does
        from dpviz.classroom.live_class import LIVE_CLASSES

        connections.serve(bound, pages, LIVE_CLASSES if classes is None else classes)

    _bound[:] = [bound.getsockname()]
    threading.Thread(target=serve, name="room", daemon=True).start()


def links() -> tuple[str, ...]:
    """Return the links of the joining page, such as ``http://192.168.1.5:8502``, the likeliest
    first. Empty without a listener.
    """
    return joining.links(_bound[0]) if _bound else ()


def is_open() -> bool:
    """Return whether the listener was started."""
    return bool(_bound)
