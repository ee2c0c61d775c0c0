"""Opens the listener for phones while the dashboard runs, where that is safe.

Whoever opens it lets the network reach this computer. So the dashboard must listen on the loopback
address only, and the visitor must reach it there directly: then the visitor uses this computer.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Mapping

import streamlit as st
from streamlit import config

from dpviz.classroom import listener
from dpviz.machine.request_guard import Hosts, allowed_hosts
from dpviz.text import live_class as text
from dpviz.text.template import render
from dpviz.types import DpvizError
from dpviz.ui.server import classroom_listener

#: Headers that a proxy adds to a request.
PROXY_HEADERS = frozenset(
    {"forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"}
)
#: Address for phones: all networks of this computer.
ALL_NETWORKS = "0.0.0.0"
_lock = threading.Lock()


def reason() -> str:
    """Return why this visitor cannot open the listener, in Markdown; empty if they can."""
    case, fields = _blocked(
        os.environ.get(classroom_listener.SETTING, ""),
        config.get_option("server.address") or ALL_NETWORKS,
        config.get_option("server.allowedHosts"),
        {name.lower(): value for name, value in st.context.headers.items()},
    )
    return render(text.BLOCKED[case], **fields) if case else ""


def _blocked(
    setting: str, address: str, names: Iterable[str], headers: Mapping[str, str]
) -> tuple[str, dict[str, str]]:
    """Return the case of ``text.BLOCKED`` with its fields; an empty case if nothing blocks.

    Args:
        setting: value of ``DPVIZ_ROOM``.
        address: address that the dashboard listens on.
        names: further host names that the operator allows.
        headers: headers of the visitor's request, names in lower case.
    """
    if setting == classroom_listener.TURNED_OFF:
        return "off", {}
    if not _is_local(address):
        return "address", {"address": address}
    if list(names) or PROXY_HEADERS & headers.keys():
        return "proxy", {}
    if not Hosts().allow(headers.get("host", "")):
        return "remote", {}
    return "", {}


def _is_local(address: str) -> bool:
    """Return whether an address to listen on is a loopback address."""
    return not allowed_hosts([address]).any_address


def port() -> int:
    """Return the port for phones: the one after the dashboard's."""
    return int(config.get_option("server.port")) + 1


def open_listener() -> None:
    """Open the listener for phones, unless it is open.

    Raises:
        DpvizError: If the visitor may not open it, or the port is taken.
    """
    with _lock:
        if listener.is_open():
            return
        if why := reason():
            raise DpvizError(why)
        bound = listener.bind((ALL_NETWORKS, port()))
        classroom_listener.start(bound)
