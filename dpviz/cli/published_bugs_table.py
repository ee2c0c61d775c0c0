"""``audit --wild``: audits of re-implemented published bugs and of their fixes."""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING, Any

from dpviz.cli.output import exit_status, print_json, progress
from dpviz.text import cli as text
from dpviz.text.template import render_text
from dpviz.types import DpvizError

if TYPE_CHECKING:
    from dpviz.audits.published_bugs import PublishedBug

#: Interim results of a quick audit.
QUICK_INTERIM_COUNTS = 8


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the option."""
    parser.add_argument("--wild", action="store_true", help=text.AUDIT_HELP["wild"])


def show(args: argparse.Namespace) -> int:
    """Audit each bug and its fix, and print the table.

    Return 1 if a bug is not caught or a fix is rejected.
    """
    from dpviz.audits import published_bugs, trade_off_audit
    from dpviz.experiments.result_files import plain

    if args.method is not None:
        raise DpvizError("--wild audits published bugs, not a method. Remove --method.")
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
        _line(*text.BUG_COLUMNS)
        print("| --- | --- | ---: | ---: | --- | ---: | --- | ---: | ---: |")
        for row in rows:
            _print(row)
        print(_footer(len(rows)))
    missed = [row["key"] for row in rows if not row["release"]["broken"]]
    caught = [row["key"] for row in rows if row["mended"]["broken"]]
    failures = [render_text(text.AUDIT_FAILURES["bug_missed"], bug=key) for key in missed]
    failures += [render_text(text.AUDIT_FAILURES["fix_caught"], bug=key) for key in caught]
    return exit_status(failures, 2 * len(rows))


def _row(bug: PublishedBug, counts: tuple[int, ...]) -> dict[str, Any]:
    from dpviz.audits import published_bugs, trade_off_audit

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
    name, claimed = render_text(text.BUGS["row"], bug=row["key"]), f"{row['claimed']:.3g}"
    releases = f"{row['releases']:,}"
    cells = [*_bug_row(row["release"]), *_bug_row(row["mended"])]
    _line(name, row["state"], claimed, *cells, releases, f"{row['seconds']:.1f}")
    if row["narrowly"]:
        label = render_text(text.BUGS["narrow_row"], bug=row["key"], view=row["narrowly"])
        _line(label, "", claimed, *_bug_row(row["narrow"]), "", "", releases, "")


def _line(*cells: str) -> None:
    print("| " + " | ".join(cells) + " |")


def _bug_row(bug: dict[str, Any]) -> tuple[str, str]:
    return f"{bug['shown']:.3g}", text.YES if bug["broken"] else text.NO


def _footer(audits: int) -> str:
    from dpviz.audits.trade_off_audit import ERROR, LEARNING_RUNS

    fields = {"error": f"{ERROR:g}", "total": f"{audits * ERROR:g}"}
    lines = (
        render_text(text.BUGS["releases"], learned=LEARNING_RUNS),
        render_text(text.BUGS["errors"], **fields),
    )
    return "\n".join(lines)
