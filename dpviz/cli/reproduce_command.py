"""``reproduce``: a figure or table of a paper, computed again beside its printed numbers."""

from __future__ import annotations

import argparse
from pathlib import Path

from dpviz.cli.output import progress
from dpviz.formatting import printable
from dpviz.machine.output_files import check_place, write
from dpviz.types import DpvizError
from dpviz.types.checks import quoted

HELP = "a figure or table of a paper, computed again beside its printed numbers"
SCALES = ("full", "small")
ENDINGS = (".csv", ".html", ".md")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the figure, its scale and the folder for the files."""
    parser.add_argument("figure", nargs="?", metavar="FIGURE", help="a name from --list")
    parser.add_argument(
        "--list", action="store_true", help="list every figure and table of the papers"
    )
    parser.add_argument(
        "--scale",
        default="full",
        help="full: the paper's data, encoder and budgets; small: bundled data, no network"
        " (default: %(default)s)",
    )
    parser.add_argument(
        "--encoder",
        default="",
        help="replace the figure's encoder, such as timm:NAME@FILE with local weights",
    )
    parser.add_argument(
        "--out", type=Path, default=Path("."), help="folder for the files (default: this one)"
    )


def command(args: argparse.Namespace) -> None:
    """Compute one figure and write its files, or list all of them."""
    if args.list:
        _list()
        return
    if args.figure is None:
        raise DpvizError("No figure is named; `dpviz reproduce --list` lists all of them.")
    if args.scale not in SCALES:
        raise DpvizError(f"The scale is {quoted(args.scale)}; use {' or '.join(SCALES)}.")
    from dpviz.papers import figures
    from dpviz.papers.figures import computing

    figure = figures.get(args.figure)
    paths = _places(args.out, figure.key)
    result = computing.compute(figure, args.scale, progress, args.encoder)
    from dpviz.views import reproduction_report as made

    texts = (made.table(result), made.picture(result), made.report(result))
    for path, text in zip(paths, texts, strict=True):
        write(path, text.encode())
    for sentence in result.missing:
        print(f"Left out: {sentence}")
    print(f"{len(result.numbers)} computed and {len(figure.printed)} printed numbers in:")
    print("\n".join(printable(str(path)) for path in paths))


def _places(folder: Path, key: str) -> list[Path]:
    """The files to write, checked before anything is computed."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise DpvizError(
            f"Cannot make the folder {printable(str(folder))} ({reason}); give --out another."
        ) from error
    paths = [folder / f"{key}{ending}" for ending in ENDINGS]
    for path in paths:
        check_place(path)
    return paths


def _list() -> None:
    from dpviz.papers.figures import coverage

    print("\n".join(coverage.lines()))
