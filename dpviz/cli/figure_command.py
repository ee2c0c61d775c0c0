"""``figure``: draw a sweep for a paper, as vector figure or as table."""

from __future__ import annotations

import argparse
from pathlib import Path

from dpviz.cli.output import progress
from dpviz.formatting import printable
from dpviz.machine.output_files import check_place, write
from dpviz.text import cli as text
from dpviz.text.template import render_text
from dpviz.types import DpvizError
from dpviz.types.checks import quoted

HELP = text.COMMANDS["figure"]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the sweep file, the output file, the metric and the width."""
    parser.add_argument("spec", type=Path, metavar="SWEEP.toml", help=text.SWEEP_HELP["spec"])
    parser.add_argument("--out", type=Path, required=True, help=text.FIGURE_HELP["out"])
    parser.add_argument("--metric", default="balanced", help=text.FIGURE_HELP["metric"])
    parser.add_argument("--width", default="column", help=text.FIGURE_HELP["width"])


def command(args: argparse.Namespace) -> None:
    """Run what is not stored of a sweep, and write its figure or table."""
    from dpviz import publication
    from dpviz.experiments import experiment, sweep_files

    kind = args.out.suffix.removeprefix(".").lower()
    if kind not in publication.FORMATS:
        allowed = ", ".join(f".{name}" for name in publication.FORMATS)
        raise DpvizError(f"--out must end in one of {allowed}, got {quoted(str(args.out))}.")
    check_place(args.out, args.spec)
    specs = sweep_files.read_sweep(args.spec)
    results = experiment.sweep(specs, progress=progress)
    write(args.out, publication.file(results, kind, args.metric, args.width))
    print(render_text(text.FIGURE, file=printable(str(args.out)), runs=len(results)))
