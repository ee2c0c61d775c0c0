"""``app``: the dashboard in a browser."""

from __future__ import annotations

import argparse
import os
import runpy
import sys

HELP = "serve the dashboard"


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
        "--shared",
        action="store_true",
        help="for a team: show everybody's uploads and sweeps to all, who may end them as well",
    )


def command(args: argparse.Namespace) -> None:
    """Become the server, which knows what the commands do not: Streamlit."""
    if args.frame_ancestors is not None:
        os.environ["DPVIZ_FRAME_ANCESTORS"] = args.frame_ancestors
    if args.shared:
        os.environ["DPVIZ_SHARED"] = "1"
    sys.argv = ["dpviz", "--server.port", str(args.port), "--server.headless", "true"]
    runpy.run_module("dpviz.ui.serve", run_name="__main__")
