"""``audit --wild``: mistakes seen in public codes, made again and audited beside their mended
twins.
"""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING, Any

from dpviz.cli.output import exit_status, print_json, progress
from dpviz.types import DpvizError

if TYPE_CHECKING:
    from dpviz.audit.published_bugs import PublishedBug

COLUMNS = ("made again", "state", "claimed ε", "shown ε", "broken", "mended: shown ε", "broken")
QUICK_INTERIM_COUNTS = 8
"""Looks of a quick audit."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Whether it is asked for."""
    parser.add_argument(
        "--wild",
        action="store_true",
        help="mistakes seen in public codes, made again in a few lines, beside their mended twins,"
        " instead",
    )


def show(args: argparse.Namespace) -> int:
    """Audit each and print the table. Return 1 if a bug is not caught, or its fix is."""
    from dpviz.audit import published_bugs, trade_off_audit
    from dpviz.run.result_files import plain

    if args.method is not None:
        raise DpvizError("--wild audits code of other projects; leave out --method.")
    counts = (
        trade_off_audit.INTERIM_COUNTS[:QUICK_INTERIM_COUNTS]
        if args.quick
        else trade_off_audit.INTERIM_COUNTS
    )
    rows: list[dict[str, Any]] = []
    for done, bug in enumerate(published_bugs.PUBLISHED_BUGS.values(), start=1):
        rows.append(_row(bug, counts))
        progress(bug.project, done, len(published_bugs.PUBLISHED_BUGS))
    if args.json:
        print_json(plain(rows))
    else:
        _line(*COLUMNS, "releases", "seconds")
        print("| --- | --- | ---: | ---: | --- | ---: | --- | ---: | ---: |")
        for row in rows:
            _print(row)
        print(_footer(len(rows)))
    failures = [
        f"{row['key']}: the bug is not caught" for row in rows if not row["release"]["broken"]
    ]
    failures += [
        f"{row['key']}: the fixed code is caught" for row in rows if row["mended"]["broken"]
    ]
    return exit_status(failures, 2 * len(rows))


def _row(bug: PublishedBug, counts: tuple[int, ...]) -> dict[str, Any]:
    from dpviz.audit import published_bugs, trade_off_audit

    start, kinds = time.perf_counter(), ("release", "mended", *["narrow"] * bool(bug.narrow))
    last_results = {variant: list(bug.watch(variant, looks=counts))[-1] for variant in kinds}
    figures = {
        variant: {"shown": interim.shown, "likely": interim.likely, "broken": interim.broken}
        for variant, interim in last_results.items()
    }
    return {
        "key": bug.key,
        "project": bug.project,
        "repository": bug.repository,
        "commit": bug.commit,
        "code": bug.code,
        "mistake": bug.mistake,
        "state": published_bugs.STATES[bug.state],
        "claimed": trade_off_audit.claimed(bug.claim),
        "notion": bug.claim.notion,
        "delta": bug.claim.delta,
        "adjacency": bug.claim.adjacency,
        **figures,
        "narrowly": bug.narrow[0] if bug.narrow else None,
        "releases": last_results["release"].runs,
        "seconds": time.perf_counter() - start,
    }


def _print(row: dict[str, Any]) -> None:
    name, claimed, releases = f"`{row['key']}`", f"{row['claimed']:.3g}", f"{row['releases']:,}"
    cells = [*_bug_row(row["release"]), *_bug_row(row["mended"])]
    _line(name, row["state"], claimed, *cells, releases, f"{row['seconds']:.1f}")
    if row["narrowly"]:
        label = f"{name}, {row['narrowly']}"
        _line(label, "", claimed, *_bug_row(row["narrow"]), "", "", releases, "")


def _line(*cells: str) -> None:
    print("| " + " | ".join(cells) + " |")


def _bug_row(bug: dict[str, Any]) -> tuple[str, str]:
    return f"{bug['shown']:.3g}", "yes" if bug["broken"] else "no"


def _footer(audits: int) -> str:
    from dpviz.audit.trade_off_audit import ERROR, LEARNING_RUNS

    return (
        f"Releases are of each of two neighbours, after {LEARNING_RUNS:,} of each that are"
        " learned from."
        " Each shown ε is a lower bound; that a promise is called broken that is kept has a chance"
        f" of at most {ERROR:g} in an audit, of {audits * ERROR:g} in all {audits} of mended code."
    )
