"""``app``: the dashboard in a browser."""

from __future__ import annotations

import argparse
import os
import sys

HELP = "serve the dashboard"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Where it listens."""
    parser.add_argument(
        "--port", type=int, default=8501, help="of http://localhost (default: %(default)s)"
    )


def command(args: argparse.Namespace) -> None:
    """Become the server, which knows what the commands do not: Streamlit."""
    serve = ["-m", "dpviz.ui.serve", "--server.port", str(args.port), "--server.headless", "true"]
    os.execv(sys.executable, [sys.executable, *serve])
