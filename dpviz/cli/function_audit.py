"""``audit --release-function``: somebody's own function audited against its claim."""

from __future__ import annotations

import argparse
import dataclasses
from typing import TYPE_CHECKING, Any

from dpviz.cli.output import print_json, progress
from dpviz.types import DpvizError

if TYPE_CHECKING:
    from dpviz.audit.custom_verdict import FunctionAudit, PartResult

SAYS = (
    "a function (data, seed) -> numbers of your own, as module:name or file.py:name, is audited"
    " against its claim on two neighbours. It runs with all that you may do, in a process of its"
    " own with 4 GiB of memory, and is never run by a page. Exit status: 0 the claim was not broken"
    " and the twin was caught, 2 it could not be run, 3 the claim is broken, 4 neither the"
    " claim was broken nor the twin caught"
)
CLAIM = ("epsilon", "rho", "mu")
OWN = (*CLAIM, "neighbours", "neighbours_are", "twin", "most", "seconds")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Which function, what it claims, and on which neighbours."""
    own = parser.add_argument_group("a function of your own")
    own.add_argument("--release-function", metavar="MODULE:NAME", help=SAYS)
    own.add_argument(
        "--neighbours",
        nargs="+",
        metavar="WHAT",
        help="module:name of a pair of data sets, or of a function that returns one; or two files,"
        " .npy or .csv",
    )
    own.add_argument("--neighbours-are", metavar="WORDS", help="how the two differ, as you claim")
    own.add_argument("--epsilon", help="claimed; pure, or with --delta")
    own.add_argument("--rho", help="claimed, of zCDP")
    own.add_argument("--mu", help="claimed, of GDP")
    own.add_argument(
        "--twin", metavar="MODULE:NAME", help="the same made wrong; the audit should catch it"
    )
    own.add_argument("--most", help="releases of each data set that are counted; 20000")
    own.add_argument("--seconds", help="for all of it; 600")


def wanted(args: argparse.Namespace) -> bool:
    """Whether a function is to be audited.

    Raises:
        DpvizError: where none is named, but something about one.
    """
    if args.release_function is not None:
        return True
    for name in OWN:
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
    said = args.neighbours_are or custom_function.TWO_SETS
    claim = claimed_guarantee(said, **{name: getattr(args, name) for name in (*CLAIM, "delta")})
    given = {name: getattr(args, name) for name in ("twin", "most", "seconds")}
    found = custom_function.audit(
        args.release_function,
        NamedNeighbors(tuple(args.neighbours)),
        claim,
        progress=progress,
        **{name: value for name, value in given.items() if value is not None},
    )
    progress("audited", 1, 1)
    if args.json:
        print_json(as_json(found))
    else:
        print("\n".join(_lines(found)))
    return found.status


def as_json(found: FunctionAudit) -> dict[str, Any]:
    """All of it, for strict JSON."""
    from dpviz.run.result_files import plain

    said = {name: getattr(found, name) for name in ("broken", "noticed", "status", "verdict")}
    said |= {name: getattr(found, name) for name in ("sign", "claimed", "certainty")}
    return plain(dataclasses.asdict(found) | said)


def _lines(found: FunctionAudit) -> list[str]:
    rows = [(f"`{found.name}`", found.function), ("four of them as one, the twin", found.twin)]
    if found.own_twin is not None:
        rows.append(("the twin given", found.own_twin))
    converts = found.sign != "ε"
    head = [f"claimed {found.sign}", f"shown {found.sign}, at least", "same test, at most"]
    if converts:
        head += [f"ε at δ {found.claim.delta:g} of such a promise"]
    head += ["releases counted"]
    return [
        "| " + " | ".join(("releases of", *head, "claim broken")) + " |",
        "| " + " | ".join(("---", *("---:" for _ in head), "---")) + " |",
        *(_row(named, part, found.claimed, converts) for named, part in rows),
        "",
        found.verdict,
        *(f"Note: {note}." for note in found.notes),
        found.certainty,
        f"{found.releases:,} releases in {found.seconds:.1f} seconds.",
    ]


def _row(named: str, part: PartResult, claimed: float, converts: bool) -> str:
    from dpviz.audit.custom_verdict import down, up

    figures = [f"{claimed:.3g}", down(part.shown), up(part.at_most)]
    figures += [down(part.converted)] if converts else []
    cells = (named, *figures, f"{part.runs:,}", "yes" if part.broken else "no")
    return "| " + " | ".join(cells) + " |"
