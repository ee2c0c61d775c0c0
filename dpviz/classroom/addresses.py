"""This machine's own addresses in the networks it is in, found without a packet that leaves."""

from __future__ import annotations

import ipaddress
import socket
from contextlib import suppress

EVERYWHERE = "0.0.0.0"
PROBES = ("192.0.2.1", "192.168.0.1", "192.168.1.1", "10.0.0.1", "172.16.0.1")
"""Somewhere beyond, which nobody has (RFC 5737), and usual private networks: to them this machine
would speak from the address that its neighbours there know it by.
"""


def of_this_machine() -> tuple[str, ...]:
    """Addresses by which others may reach this machine, the likeliest first; none without a
    network.

    A UDP socket that is connected chooses its own address and sends nothing.
    """
    hosts: dict[str, None] = {}
    for probe in PROBES:
        with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe_socket:
            probe_socket.connect((probe, 9))
            own = probe_socket.getsockname()[0]
            if not ipaddress.ip_address(own).is_loopback and own != EVERYWHERE:
                hosts[own] = None
    return tuple(hosts)


def joining(bound: tuple[str, int]) -> tuple[str, ...]:
    """What phones type, such as ``http://192.168.1.5:8502``, for a listener bound to (address,
    port).
    """
    address, port = bound
    hosts = of_this_machine() if address == EVERYWHERE else (address,)
    return tuple(f"http://{host}:{port}" for host in hosts)
