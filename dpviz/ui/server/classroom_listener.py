"""The listener for phones, in the dashboard's process: where ``dpviz app --room`` asked for one,
and nowhere else.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Sequence

from dpviz.types import DpvizError
from dpviz.ui.assets import asset
from dpviz.ui.server import startup_proxy

SETTING = "DPVIZ_ROOM"
"""As in ``dpviz.classroom.listener``, which is imported only where this is set."""
ADDRESS = "STREAMLIT_SERVER_ADDRESS"
DEFAULT_PORT = 8501
SCRIPTS = ("coin.js", "stroke.js", "draw_curve.js")
STYLES = ("own_coin.css", "drawing_legend.css", "draw_curve.css")
"""One source for both: a phone's coin falls, and its curve is drawn, as on the pages here."""


def bound(options: Sequence[str]) -> socket.socket | None:
    """The socket of the address that the environment names for phones; None where it names none.

    The dashboard itself then answers this machine alone, whatever else is set.

    Raises:
        DpvizError: where the address cannot be had, or the options have the dashboard listen
            elsewhere or on the same port.
    """
    if not os.environ.get(SETTING):
        return None
    from dpviz.classroom import listener

    if any(option.startswith("--server.address") for option in options):
        raise DpvizError(
            "With a room the dashboard itself answers this machine alone; leave --server.address"
            " out."
        )
    address = listener.of_the_environment()
    if address and address[1] == (startup_proxy.port_of(options) or DEFAULT_PORT):
        raise DpvizError(
            f"The port of the live class is {address[1]}, which is that of the dashboard; give"
            " --room-port another."
        )
    os.environ[ADDRESS] = startup_proxy.HOST
    return listener.bind(address) if address else None


def begin(taken: socket.socket) -> None:
    """Answer phones on a bound socket, in a thread that ends with the process."""
    from dpviz.classroom import listener
    from dpviz.classroom.pages import Pages

    listener.begin(taken, Pages(scripts(), styles()))


def sentence(port: int | None, taken: socket.socket) -> str:
    """What is bound to which address, and to whom it answers."""
    from dpviz.classroom import addresses

    address, room = taken.getsockname()
    found = addresses.joining((address, room))
    known = f" ({', '.join(found)})" if found and address == addresses.EVERYWHERE else ""
    return (
        f"The dashboard answers this machine alone, on {startup_proxy.HOST}:{port or DEFAULT_PORT};"
        f" {address}:{room}{known} answers whoever reaches it, with the joining pages of rooms and"
        " nothing else."
    )


def scripts() -> str:
    """For a page that is no module: ``drawCurve`` and ``coinFalls`` stand by their names."""
    exported = "export default function ({"
    return "\n".join(map(asset, SCRIPTS)).replace(exported, "function drawCurve({")


def styles() -> str:
    """Of the coin and of the chart that is drawn in."""
    return "\n".join(map(asset, STYLES))
