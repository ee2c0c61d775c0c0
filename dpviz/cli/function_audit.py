"""``audit --release-function``: somebody's own function audited against its claim."""

from __future__ import annotations

import argparse
import dataclasses
from typing import TYPE_CHECKING, Any

from dpviz.cli.output import print_json, progress
from dpviz.types import DpvizError

if TYPE_CHECKING:
    from dpviz.audit.custom_verdict import FunctionAudit, PartResult

FUNCTION_HELP = (
    "a function (data, seed) -> numbers of your own, as module:name or file.py:name, is audited"
    " against its claim on two neighbours. It runs with all that you may do, in a process of its"
    " own with 4 GiB of memory, and is never run by a page. Exit status: 0 the claim was not broken"
    " and the twin was caught, 2 it could not be run, 3 the claim is broken, 4 neither the"
    " claim was broken nor the twin caught"
)
CLAIM_OPTIONS = ("epsilon", "rho", "mu")
FUNCTION_OPTIONS = (*CLAIM_OPTIONS, "neighbours", "neighbours_are", "twin", "most", "seconds")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Which function, what it claims, and on which neighbours."""
    group = parser.add_argument_group("a function of your own")
    group.add_argument("--release-function", metavar="MODULE:NAME", help=FUNCTION_HELP)
    group.add_argument(
        "--neighbours",
        nargs="+",
        metavar="WHAT",
        help="module:name of a pair of data sets, or of a function that returns one; or two files,"
        " .npy or .csv",
    )
    group.add_argument("--neighbours-are", metavar="WORDS", help="how the two differ, as you claim")
    group.add_argument("--epsilon", help="claimed; pure, or with --delta")
    group.add_argument("--rho", help="claimed, of zCDP")
    group.add_argument("--mu", help="claimed, of GDP")
    group.add_argument(
        "--twin", metavar="MODULE:NAME", help="the same made wrong; the audit should catch it"
    )
    group.add_argument("--most", help="releases of each data set that are counted; 20000")
    group.add_argument("--seconds", help="for all of it; 600")


def wanted(args: argparse.Namespace) -> bool:
    """Whether a function is to be audited.

    Raises:
        DpvizError: where none is named, but something about one.
    """
    if args.release_function is not None:
        return True
    for name in FUNCTION_OPTIONS:
        if getattr(args, name) is not None:
            option = "--" + name.replace("_", "-")
            raise DpvizError(f"{option} is of a function of your own; add --release-function.")
    return False


def show(args: argparse.Namespace) -> int:
    """Audit the function and print what was found; the exit status."""
    from dpviz.audit import custom_function
    from dpviz.audit.custom_releases import NamedNeighbors
    from dpviz.privacy import claimed_guarantee

    if args.neighbours is None:
        raise DpvizError("--release-function needs two data sets; add --neighbours.")
    neighbors = args.neighbours_are or custom_function.TWO_DATA_SETS
    claim = claimed_guarantee(
        neighbors, **{name: getattr(args, name) for name in (*CLAIM_OPTIONS, "delta")}
    )
    options = {name: getattr(args, name) for name in ("twin", "most", "seconds")}
    result = custom_function.audit(
        args.release_function,
        NamedNeighbors(tuple(args.neighbours)),
        claim,
        custom_function.Options(
            progress=progress,
            **{name: value for name, value in options.items() if value is not None},
        ),
    )
    progress("audited", 1, 1)
    if args.json:
        print_json(as_json(result))
    else:
        print("\n".join(_lines(result)))
    return result.status


def as_json(result: FunctionAudit) -> dict[str, Any]:
    """All of it, for strict JSON."""
    from dpviz.run.result_files import plain

    fields = {name: getattr(result, name) for name in ("broken", "noticed", "status", "verdict")}
    fields |= {name: getattr(result, name) for name in ("sign", "claimed", "certainty")}
    return plain(dataclasses.asdict(result) | fields)


def _lines(result: FunctionAudit) -> list[str]:
    rows = [(f"`{result.name}`", result.function), ("four of them as one, the twin", result.twin)]
    if result.own_twin is not None:
        rows.append(("the twin given", result.own_twin))
    converts = result.sign != "ε"
    head = [f"claimed {result.sign}", f"shown {result.sign}, at least", "same test, at most"]
    if converts:
        head += [f"ε at δ {result.claim.delta:g} of such a promise"]
    head += ["releases counted"]
    return [
        "| " + " | ".join(("releases of", *head, "claim broken")) + " |",
        "| " + " | ".join(("---", *("---:" for _ in head), "---")) + " |",
        *(_row(label, part, result.claimed, converts) for label, part in rows),
        "",
        result.verdict,
        *(f"Note: {note}." for note in result.notes),
        result.certainty,
        f"{result.releases:,} releases in {result.seconds:.1f} seconds.",
    ]


def _row(label: str, part: PartResult, claimed: float, converts: bool) -> str:
    from dpviz.audit.custom_verdict import down, up

    figures = [f"{claimed:.3g}", down(part.shown), up(part.at_most)]
    figures += [down(part.converted)] if converts else []
    cells = (label, *figures, f"{part.runs:,}", "yes" if part.broken else "no")
    return "| " + " | ".join(cells) + " |"
