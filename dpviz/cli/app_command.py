"""``app``: serve the dashboard to a browser."""

from __future__ import annotations

import argparse
import os
import runpy
import sys

from dpviz.types import DpvizError
from dpviz.types.checks import check_whole, quoted

HELP = "serve the dashboard"
LOOPBACK = ("localhost", "127.0.0.1", "::1")
PORT_RANGE = 1, 65_535


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add address, sharing and live-class options."""
    parser.add_argument(
        "--port", default="8501", help="port of http://localhost (default: %(default)s)"
    )
    parser.add_argument(
        "--frame-ancestors",
        metavar="SITES",
        help="sites that may embed the dashboard in a frame: self (default), none, or addresses"
        " such as https://courses.example.org, separated by spaces",
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
        help="team mode: everyone can see, stop and forget all uploads and sweeps",
    )
    parser.add_argument(
        "--room",
        nargs="?",
        const="0.0.0.0",
        metavar="ADDRESS",
        help="let phones in the same network join a live class. A second listener serves the"
        " joining pages only. ADDRESS selects one network, such as 192.168.1.5 (default: all)",
    )
    parser.add_argument(
        "--room-port", metavar="PORT", help="port of the live class (default: --port + 1)"
    )


def command(args: argparse.Namespace) -> None:
    """Check the options, then run the server module in this process."""
    port = check_whole("--port", args.port, *PORT_RANGE)
    if args.frame_ancestors is not None:
        if not args.frame_ancestors.isascii():
            raise DpvizError(
                f"--frame-ancestors is {quoted(args.frame_ancestors)}; use self, none, or addresses"
                " such as https://courses.example.org."
            )
        os.environ["DPVIZ_FRAME_ANCESTORS"] = args.frame_ancestors
    if args.shared:
        os.environ["DPVIZ_SHARED"] = "1"
    if args.room is not None:
        from dpviz.classroom import listener  # the dashboard starts faster without it

        class_port = args.room_port if args.room_port is not None else port + 1
        class_port = check_whole("--room-port", class_port, *PORT_RANGE)
        address = listener.parse_address(f"{args.room}:{class_port}")
        os.environ[listener.SETTING] = "{}:{}".format(*address)
    elif args.room_port is not None:
        raise DpvizError("--room-port needs --room; give --room as well.")
    sys.argv = ["dpviz", "--server.port", str(port), "--server.headless", "true"]
    # Streamlit's list is exhaustive, so the loopback names are listed after those of the proxy.
    for name in [*args.allowed_hosts, *LOOPBACK] if args.allowed_hosts else []:
        sys.argv += ["--server.allowedHosts", name]
    runpy.run_module("dpviz.ui.server.serve", run_name="__main__")
