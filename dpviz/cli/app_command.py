"""``app``: serve the dashboard to a browser."""

from __future__ import annotations

import argparse
import ipaddress
import os
import runpy
import sys

from dpviz.text import cli as text
from dpviz.types import DpvizError
from dpviz.types.checks import check_whole, quoted

HELP = text.COMMANDS["app"]
LOOPBACK = ("localhost", "127.0.0.1", "::1")
PORT_RANGE = 1, 65_535


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add address, sharing and live-class options."""
    parser.add_argument("--port", default="8501", help=text.APP_HELP["port"])
    parser.add_argument("--address", help=text.APP_HELP["address"])
    parser.add_argument(
        "--frame-ancestors",
        metavar="SITES",
        help=text.APP_HELP["frame_ancestors"],
    )
    parser.add_argument(
        "--allowed-hosts",
        nargs="+",
        default=[],
        metavar="NAME",
        help=text.APP_HELP["allowed_hosts"],
    )
    parser.add_argument(
        "--shared",
        action="store_true",
        help=text.APP_HELP["shared"],
    )
    parser.add_argument("--no-prefetch", action="store_true", help=text.APP_HELP["no_prefetch"])
    parser.add_argument(
        "--room",
        nargs="?",
        const="0.0.0.0",
        metavar="ADDRESS",
        help=text.APP_HELP["room"],
    )
    parser.add_argument("--room-port", metavar="PORT", help=text.APP_HELP["room_port"])


def command(args: argparse.Namespace) -> None:
    """Check the options, then run the server module in this process."""
    port = check_whole("--port", args.port, *PORT_RANGE)
    if args.frame_ancestors is not None:
        if not args.frame_ancestors.isascii():
            raise DpvizError(
                "--frame-ancestors must be self, none, or addresses such as"
                f" https://courses.example.org, got {quoted(args.frame_ancestors)}."
            )
        os.environ["DPVIZ_FRAME_ANCESTORS"] = args.frame_ancestors
    if args.shared:
        os.environ["DPVIZ_SHARED"] = "1"
    if args.no_prefetch:
        os.environ["DPVIZ_PREFETCH"] = "0"
    if args.room is not None:
        from dpviz.classroom import listener  # the dashboard starts faster without it

        class_port = args.room_port if args.room_port is not None else port + 1
        class_port = check_whole("--room-port", class_port, *PORT_RANGE)
        address = listener.parse_address(f"{args.room}:{class_port}")
        os.environ[listener.SETTING] = "{}:{}".format(*address)
    elif args.room_port is not None:
        raise DpvizError("--room-port needs --room. Add --room.")
    sys.argv = ["dpviz", "--server.port", str(port), "--server.headless", "true"]
    if args.address is not None:
        sys.argv += ["--server.address", _address(args.address)]
    # Streamlit allows only listed names, so the loopback names are added.
    for name in [*args.allowed_hosts, *LOOPBACK] if args.allowed_hosts else []:
        sys.argv += ["--server.allowedHosts", name]
    runpy.run_module("dpviz.ui.server.serve", run_name="__main__")


def _address(text: str) -> str:
    """Return an IP address or localhost.

    Raises:
        DpvizError: for anything else.
    """
    if text == "localhost":
        return text
    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        raise DpvizError(
            f"--address must be localhost or an IP address such as 0.0.0.0, got {quoted(text)}."
        ) from None
