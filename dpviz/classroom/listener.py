"""The one place that listens beyond this machine, and only where it was asked to.

``bind`` takes the address; ``begin`` has a thread of its own answer there with ``server``. Without
the setting neither is called, and nothing listens.
"""

from __future__ import annotations

import ipaddress
import os
import socket
import threading
from typing import TYPE_CHECKING

from dpviz.classroom import addresses
from dpviz.types import DpvizError

if TYPE_CHECKING:
    from dpviz.classroom.pages import Pages
    from dpviz.classroom.rooms import LiveClasses

SETTING = "DPVIZ_ROOM"
"""The setting's name in the environment, ``address:port``; it outlives the command that becomes the
server.
"""
_bound: list[tuple[str, int]] = []


def of_the_environment() -> tuple[str, int] | None:
    """Address and port that the environment names; None where it names none.

    Raises:
        DpvizError: where these are none.
    """
    words = os.environ.get(SETTING, "")
    return address_of(words) if words else None


def address_of(words: str) -> tuple[str, int]:
    """Address and port of ``address:port``.

    Raises:
        DpvizError: where the address is no IPv4 address of digits, or the port none from 1 to
            65535.
    """
    host, _, port = words.rpartition(":")
    try:
        ipaddress.IPv4Address(host)
    except ValueError:
        raise DpvizError(
            f"The room's address is {host[:80]!r}; use 0.0.0.0 for all networks of this machine,"
            " or its address in one of them, such as 192.168.1.5."
        ) from None
    if not (port.isascii() and port.isdecimal() and 0 < int(port) < 65_536):
        raise DpvizError(f"The room's port is {port[:80]!r}; use one from 1 to 65535.")
    return host, int(port)


def bind(address: tuple[str, int]) -> socket.socket:
    """A socket that listens on this address, for ``begin``; connections wait until then.

    Raises:
        DpvizError: where it cannot be had.
    """
    # named, since asyncio sends small answers at once only on sockets that say so
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(address)
        listening.listen()
    except OSError as error:
        listening.close()
        raise DpvizError(
            f"The room cannot have {address[0]}:{address[1]} ({error.strerror}); name another with"
            " --room ADDRESS or --room-port PORT."
        ) from None
    return listening


def begin(bound: socket.socket, pages: Pages, rooms: LiveClasses | None = None) -> None:
    """Answer phones on a bound socket, in a thread that ends with the process; rooms: that may be
    joined, this process's own where none are given.
    """

    def serve() -> None:
        from dpviz.classroom import connections  # takes as long to import as a web server does
        from dpviz.classroom.rooms import LIVE_CLASSES

        connections.serve(bound, pages, LIVE_CLASSES if rooms is None else rooms)

    _bound[:] = [bound.getsockname()]
    threading.Thread(target=serve, name="room", daemon=True).start()


def joining() -> tuple[str, ...]:
    """Addresses of the joining page, such as ``http://192.168.1.5:8502``, the likeliest first;
    a room's own is ``/CODE`` below each. Empty where nothing listens for phones.
    """
    return addresses.joining(_bound[0]) if _bound else ()


def open_beyond() -> bool:
    """Whether something listens for phones."""
    return bool(_bound)
