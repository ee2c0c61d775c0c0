"""``audit --release-function``: audit of a custom function against its claim."""

from __future__ import annotations

import argparse
import dataclasses
from typing import TYPE_CHECKING, Any

from dpviz.cli.output import print_json, progress
from dpviz.formatting import number_up
from dpviz.text import cli as text
from dpviz.text.template import render_text
from dpviz.types import DpvizError

if TYPE_CHECKING:
    from dpviz.audits.custom_verdict import FunctionAudit, PartResult

CLAIM_OPTIONS = ("epsilon", "rho", "mu")
#: Column of a claim that is not in ε: the ε that it converts to.
CONVERTED_COLUMN = 4
FUNCTION_OPTIONS = (*CLAIM_OPTIONS, "neighbors", "neighbors_are", "twin", "most", "seconds")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the function, its claim and the two data sets."""
    group = parser.add_argument_group(text.FUNCTION_GROUP)
    help_texts = text.FUNCTION_HELP
    group.add_argument(
        "--release-function", metavar="MODULE:NAME", help=help_texts["release_function"]
    )
    group.add_argument("--neighbors", nargs="+", metavar="DATA", help=help_texts["neighbors"])
    group.add_argument("--neighbors-are", metavar="TEXT", help=help_texts["neighbors_are"])
    # the spelling of earlier versions
    group.add_argument("--neighbours", nargs="+", dest="neighbors", help=argparse.SUPPRESS)
    group.add_argument("--neighbours-are", dest="neighbors_are", help=argparse.SUPPRESS)
    for name in CLAIM_OPTIONS:
        group.add_argument(f"--{name}", help=help_texts[name])
    group.add_argument("--twin", metavar="MODULE:NAME", help=help_texts["twin"])
    group.add_argument("--most", help=help_texts["most"])
    group.add_argument("--seconds", help=help_texts["seconds"])


def wanted(args: argparse.Namespace) -> bool:
    """Return whether to audit a function.

    Raises:
        DpvizError: For options of a function audit without ``--release-function``.
    """
    if args.release_function is not None:
        return True
    for name in FUNCTION_OPTIONS:
        if getattr(args, name) is not None:
            option = "--" + name.replace("_", "-")
            raise DpvizError(f"{option} needs --release-function. Add --release-function.")
    return False


def show(args: argparse.Namespace) -> int:
    """Audit the function, print the result and return the exit status."""
    from dpviz.audits import custom_function
    from dpviz.audits.custom_releases import NamedNeighbors
    from dpviz.privacy import claimed_guarantee

    if args.neighbors is None:
        raise DpvizError("--release-function needs two data sets. Add --neighbors.")
    neighbors = args.neighbors_are or custom_function.TWO_DATA_SETS
    claim = claimed_guarantee(
        neighbors, **{name: getattr(args, name) for name in (*CLAIM_OPTIONS, "delta")}
    )
    options = {name: getattr(args, name) for name in ("twin", "most", "seconds")}
    result = custom_function.audit(
        args.release_function,
        NamedNeighbors(tuple(args.neighbors)),
        claim,
        custom_function.Options(
            progress=progress,
            **{name: value for name, value in options.items() if value is not None},
        ),
    )
    progress(text.PROGRESS["audited"], 1, 1)
    if args.json:
        print_json(as_json(result))
    else:
        print("\n".join(_lines(result)))
    return result.status


def as_json(result: FunctionAudit) -> dict[str, Any]:
    """Return the audit for strict JSON."""
    from dpviz.experiments.result_files import plain

    fields = {name: getattr(result, name) for name in ("broken", "noticed", "status", "verdict")}
    fields |= {name: getattr(result, name) for name in ("sign", "claimed", "certainty")}
    return plain(dataclasses.asdict(result) | fields)


def _lines(result: FunctionAudit) -> list[str]:
    rows = [
        (render_text(text.FUNCTION["function"], name=result.name), result.function),
        (text.FUNCTION["combined"], result.twin),
    ]
    if result.own_twin is not None:
        rows.append((text.FUNCTION["own_variant"], result.own_twin))
    converts = result.sign != "ε"
    head = [
        render_text(title, sign=result.sign, delta=number_up(result.claim.delta))
        for title in text.FUNCTION_COLUMNS
    ]
    if not converts:
        del head[CONVERTED_COLUMN]
    return [
        "| " + " | ".join(head) + " |",
        "| " + " | ".join(("---", *("---:" for _ in head[1:-1]), "---")) + " |",
        *(_row(label, part, result.claimed, converts) for label, part in rows),
        "",
        result.verdict,
        *(render_text(text.FUNCTION["note"], text=note) for note in result.notes),
        result.certainty,
        render_text(
            text.FUNCTION["time"], releases=result.releases, seconds=f"{result.seconds:.1f}"
        ),
    ]


def _row(label: str, part: PartResult, claimed: float, converts: bool) -> str:
    from dpviz.audits.custom_verdict import down, up

    figures = [f"{claimed:.3g}", down(part.shown), up(part.at_most)]
    figures += [down(part.converted)] if converts else []
    cells = (label, *figures, f"{part.runs:,}", text.YES if part.broken else text.NO)
    return "| " + " | ".join(cells) + " |"
