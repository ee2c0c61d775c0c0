"""``explorable``: a page or a lesson as one HTML file that needs no server."""

from __future__ import annotations

import argparse
import runpy
import sys
from pathlib import Path

from dpviz.cli import output

HELP = "write a page with its sliders, or a lesson, as one HTML file that needs no server"


def add_options(parser: argparse.ArgumentParser) -> None:
    """What the file holds, and where it goes."""
    parser.add_argument(
        "spec", type=Path, metavar="SPEC.toml", help="which page and sliders: docs/explorables.md"
    )
    parser.add_argument("--out", type=Path, required=True, help="the file, for example page.html")
    parser.add_argument(
        "--embed",
        action="store_true",
        help="also print HTML that shows the file in a page of your own, at a fixed height",
    )


def command(args: argparse.Namespace) -> None:
    """Become the program that draws pages, which knows what the commands do not: Streamlit."""
    output.check_place(args.out)
    words = [str(args.spec), "--out", str(args.out), *["--embed"] * args.embed]
    sys.argv = ["dpviz explorable", *words]
    try:
        runpy.run_module("dpviz.ui.explorable", run_name="__main__")
    except SystemExit as end:
        if end.code:
            raise
