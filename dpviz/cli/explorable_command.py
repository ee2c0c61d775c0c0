"""``explorable``: write a page or a lesson as one self-contained HTML file."""

from __future__ import annotations

import argparse
import runpy
import sys
from pathlib import Path

from dpviz.machine.output_files import check_place
from dpviz.text import cli as text

HELP = text.COMMANDS["explorable"]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the specification, the output file and the embedding option."""
    parser.add_argument(
        "spec",
        type=Path,
        metavar="SPEC.toml",
        help=text.EXPLORABLE_HELP["spec"],
    )
    parser.add_argument("--out", type=Path, required=True, help=text.EXPLORABLE_HELP["out"])
    parser.add_argument(
        "--embed",
        action="store_true",
        help=text.EXPLORABLE_HELP["embed"],
    )


def command(args: argparse.Namespace) -> None:
    """Check the output place, then run the module that renders pages in this process."""
    check_place(args.out, args.spec)
    # "=" and "--" keep file names from being read as options
    words = [f"--out={args.out}", *["--embed"] * args.embed, "--", str(args.spec)]
    sys.argv = ["dpviz explorable", *words]
    try:
        runpy.run_module("dpviz.ui.explorable", run_name="__main__")
    except SystemExit as end:
        if end.code:
            raise
