"""The listener for phones, in the dashboard's process.

``dpviz app --room`` opens it at the start; ``ui.live_class.opening`` opens it later.
"""

from __future__ import annotations

import itertools
import os
import socket
from collections.abc import Sequence

from dpviz.types import DpvizError
from dpviz.ui.assets import asset

#: As in ``dpviz.classroom.listener``, which is imported only if this is set.
SETTING = "DPVIZ_ROOM"
#: Value of the setting that turns live classes off.
TURNED_OFF = "off"
ADDRESS = "STREAMLIT_SERVER_ADDRESS"
DEFAULT_PORT = 8501
LOOPBACK = "127.0.0.1"
#: Shared with the dashboard's pages.
SCRIPTS = ("coin.js", "stroke.js", "draw_curve.js")
STYLES = ("own_coin.css", "drawing_legend.css", "draw_curve.css")


def port_of(options: Sequence[str]) -> int | None:
    """Return the port of the dashboard in Streamlit's options, if there is one."""
    port = dict(itertools.pairwise(options)).get("--server.port", "")
    return int(port) if port.isdecimal() else None


def bind(options: Sequence[str]) -> socket.socket | None:
    """Return a socket bound to the address for phones in the environment; None if there is none.

    The dashboard itself then listens on the loopback address only.

    Raises:
        DpvizError: if the address is not available, or the options have the dashboard listen
            elsewhere or on the same port.
    """
    if os.environ.get(SETTING, TURNED_OFF) in ("", TURNED_OFF):
        return None
    from dpviz.classroom import listener

    if any(option.startswith("--server.address") for option in options):
        raise DpvizError(
            "A live class needs a dashboard on this computer only. Leave out --server.address."
        )
    address = listener.environment_address()
    if address and address[1] == (port_of(options) or DEFAULT_PORT):
        raise DpvizError(
            f"Port {address[1]} is the dashboard's port. Set --room-port to another port from 1 to"
            " 65535."
        )
    os.environ[ADDRESS] = LOOPBACK
    return listener.bind(address) if address else None


def start(bound: socket.socket) -> None:
    """Serve phones on a bound socket, in a thread that ends with the process."""
    from dpviz.classroom import listener
    from dpviz.classroom.joining import Pages

    listener.start(bound, Pages(scripts(), styles()))
    # other pages then link back to the class
    os.environ.setdefault(SETTING, "{}:{}".format(*bound.getsockname()))


def describe(port: int | None, bound: socket.socket) -> str:
    """Return the sentence about the addresses and who can reach them."""
    from dpviz.classroom import joining

    address, phone_port = bound.getsockname()
    links = joining.links((address, phone_port))
    known = f" ({', '.join(links)})" if links and address == joining.ALL_NETWORKS else ""
    return (
        f"Dashboard: {LOOPBACK}:{port or DEFAULT_PORT}, for this computer only. Live class:"
        f" {address}:{phone_port}{known}, for every device that can reach it. It serves pages"
        " of live classes only."
    )


def scripts() -> str:
    """Return the scripts of a page without modules: ``drawCurve`` and ``coinFalls`` are global."""
    exported = "export default function ({"
    return "\n".join(map(asset, SCRIPTS)).replace(exported, "function drawCurve({")


def styles() -> str:
    """Return the styles of the coin and of the chart that phones draw in."""
    return "\n".join(map(asset, STYLES))
