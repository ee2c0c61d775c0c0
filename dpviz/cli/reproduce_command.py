"""``reproduce``: recompute a figure or table of a paper beside its printed numbers."""

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

HELP = text.COMMANDS["reproduce"]
SCALES = ("full", "small")
ENDINGS = (".csv", ".html", ".md")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the figure, its scale and the folder for the files."""
    parser.add_argument("figure", nargs="?", metavar="FIGURE", help=text.REPRODUCE_HELP["figure"])
    parser.add_argument("--list", action="store_true", help=text.REPRODUCE_HELP["list"])
    parser.add_argument("--scale", default="full", help=text.REPRODUCE_HELP["scale"])
    parser.add_argument("--encoder", default="", help=text.REPRODUCE_HELP["encoder"])
    parser.add_argument("--out", type=Path, default=Path("."), help=text.REPRODUCE_HELP["out"])


def command(args: argparse.Namespace) -> None:
    """Compute one figure and write its files, or list all of them."""
    if args.list:
        _list()
        return
    if args.figure is None:
        raise DpvizError("Name a figure. `dpviz reproduce --list` lists all figures.")
    if args.scale not in SCALES:
        raise DpvizError(f"--scale must be {' or '.join(SCALES)}, got {quoted(args.scale)}.")
    from dpviz.papers import figures
    from dpviz.papers.figures import computing

    figure = figures.get(args.figure)
    paths = _places(args.out, figure.key)
    result = computing.compute(figure, args.scale, progress, args.encoder)
    from dpviz.views import reproduction_report

    contents = (
        reproduction_report.table(result),
        reproduction_report.picture(result),
        reproduction_report.report(result),
    )
    for path, content in zip(paths, contents, strict=True):
        write(path, content.encode())
    for sentence in result.missing:
        print(render_text(text.REPRODUCE["missing"], text=sentence))
    counts = {"computed": len(result.numbers), "printed": len(figure.printed)}
    print(render_text(text.REPRODUCE["written"], **counts))
    print("\n".join(printable(str(path)) for path in paths))
    if figure.metric == "minority":
        print(text.RARE_CLASSES)


def _places(folder: Path, key: str) -> list[Path]:
    """Return the files to write, checked before anything is computed."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise DpvizError(
            f"Cannot create the folder {printable(str(folder))} ({reason}). Give --out another"
            " name."
        ) from error
    paths = [folder / f"{key}{ending}" for ending in ENDINGS]
    for path in paths:
        check_place(path)
    return paths


def _list() -> None:
    from dpviz.papers.figures import coverage

    print("\n".join(coverage.lines()))
