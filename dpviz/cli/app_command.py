"""``app``: the dashboard in a browser."""

from __future__ import annotations

import argparse
import os
import runpy
import sys

from dpviz.types import DpvizError

HELP = "serve the dashboard"
LOOPBACK = ("localhost", "127.0.0.1", "::1")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Where it listens."""
    parser.add_argument(
        "--port", type=int, default=8501, help="of http://localhost (default: %(default)s)"
    )
    parser.add_argument(
        "--frame-ancestors",
        metavar="SITES",
        help="sites that may show it in a frame: self (the default), none, or addresses such as"
        " https://courses.example.org, apart by blanks",
    )
    parser.add_argument(
        "--allowed-hosts",
        nargs="+",
        default=[],
        metavar="NAME",
        help="host names of a proxy in front of it, such as privacy.example.org or *.example.org;"
        " without them only loopback names are answered",
    )
    parser.add_argument(
        "--shared",
        action="store_true",
        help="for a team: show everybody's uploads and sweeps to all, who may end them as well",
    )
    parser.add_argument(
        "--room",
        nargs="?",
        const="0.0.0.0",
        metavar="ADDRESS",
        help="let phones of this machine's networks join a room, by a second listener that serves"
        " the joining pages alone; ADDRESS: of one network, such as 192.168.1.5 (default: all)",
    )
    parser.add_argument(
        "--room-port", type=int, metavar="PORT", help="of the room's listener (default: --port + 1)"
    )


def command(args: argparse.Namespace) -> None:
    """Become the server, which knows what the commands do not: Streamlit."""
    if args.frame_ancestors is not None:
        os.environ["DPVIZ_FRAME_ANCESTORS"] = args.frame_ancestors
    if args.shared:
        os.environ["DPVIZ_SHARED"] = "1"
    if args.room is not None:
        from dpviz.room import listener  # the door opens without it

        port = args.port + 1 if args.room_port is None else args.room_port
        os.environ[listener.SETTING] = "{}:{}".format(*listener.address_of(f"{args.room}:{port}"))
    elif args.room_port is not None:
        raise DpvizError("--room-port is of the room's listener; give --room as well.")
    sys.argv = ["dpviz", "--server.port", str(args.port), "--server.headless", "true"]
    # Streamlit's list is exhaustive, so this machine's names stand beside those of the proxy
    for name in [*args.allowed_hosts, *LOOPBACK] if args.allowed_hosts else []:
        sys.argv += ["--server.allowedHosts", name]
    runpy.run_module("dpviz.ui.serve", run_name="__main__")
