"""What phones need to join a live class: links, a QR code, and the pages that they are shown."""

from __future__ import annotations

import base64
import hashlib
import io
import ipaddress
import socket
from contextlib import suppress
from html import escape
from pathlib import Path

import segno

from dpviz.classroom import middleware
from dpviz.types import DpvizError

ALL_NETWORKS = "0.0.0.0"
PROBES = ("192.0.2.1", "192.168.0.1", "192.168.1.1", "10.0.0.1", "172.16.0.1")
"""An address that nobody has (RFC 5737), and usual private networks: this machine would send to
each of them from its own address in that network.
"""
MAX_QR_CHARACTERS = 200
QUIET_ZONE = 4
"""Empty modules around a QR code, as the standard asks for (ISO/IEC 18004)."""
ASSETS = Path(__file__).with_name("assets")


def own_addresses() -> tuple[str, ...]:
    """Return the addresses by which others may reach this machine, the likeliest first; none
    without a network.

    A UDP socket that is connected chooses its own address and sends nothing.
    """
    hosts: dict[str, None] = {}
    for probe in PROBES:
        with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe_socket:
            probe_socket.connect((probe, 9))
            host = probe_socket.getsockname()[0]
            if not ipaddress.ip_address(host).is_loopback and host != ALL_NETWORKS:
                hosts[host] = None
    return tuple(hosts)


def links(bound: tuple[str, int]) -> tuple[str, ...]:
    """Return what phones type, such as ``http://192.168.1.5:8502``, for a listener bound to
    (address, port).
    """
    address, port = bound
    hosts = own_addresses() if address == ALL_NETWORKS else (address,)
    return tuple(f"http://{host}:{port}" for host in hosts)


def qr_code(text: str, title: str = "") -> str:
    """Return a QR code as SVG, black on white in light and dark mode, as wide as its container.

    Args:
        text: what a phone reads, at most ``MAX_QR_CHARACTERS``; title: for screen readers.

    Raises:
        DpvizError: for an empty or longer text.
    """
    if not 0 < len(text) <= MAX_QR_CHARACTERS:
        raise DpvizError(
            f"A QR code must have 1 to {MAX_QR_CHARACTERS} characters, got {len(text)}."
        )
    out = io.BytesIO()
    segno.make(text, micro=False, error="m").save(
        out,
        kind="svg",
        border=QUIET_ZONE,
        dark="#000",
        light="#fff",
        xmldecl=False,
        omitsize=True,
        title=title or None,
        svgclass=None,
        lineclass=None,
        encoding="utf-8",
    )
    return out.getvalue().decode()


class Pages:
    """Both joining pages, each one file: its policy allows its own style and script only."""

    def __init__(self, scripts: str = "", styles: str = "") -> None:
        """scripts, styles: of the coin and of the chart that phones draw in, as the dashboard has
        them; they come before the page's own.
        """
        self._style = styles + _asset("joining.css")
        script = scripts + _asset("joining.js")
        html = _asset("room.html").replace("{style}", self._style)
        self._class_page = html.replace("{script}", script)
        self._policy = middleware.policy(_checksum(script), _checksum(self._style))
        self._code_page = _asset("enter.html")

    def class_page(self) -> tuple[str, str]:
        """Return the page of every live class, and its policy."""
        return self._class_page, self._policy

    def code_page(self, message: str = "") -> tuple[str, str]:
        """Return the page on which a code is typed, with a message about the last one; and its
        policy.
        """
        html = self._code_page.replace("{style}", self._style)
        html = html.replace("{words}", escape(message))
        return html, middleware.policy(style=_checksum(self._style))


def _asset(name: str) -> str:
    return (ASSETS / name).read_text()


def _checksum(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
