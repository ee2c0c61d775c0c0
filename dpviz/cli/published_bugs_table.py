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

HEAD = ("made again", "state", "claimed ε", "shown ε", "broken", "mended: shown ε", "broken")
QUICK = 8
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
    looks = trade_off_audit.INTERIM_COUNTS[:QUICK] if args.quick else trade_off_audit.INTERIM_COUNTS
    rows: list[dict[str, Any]] = []
    for done, found in enumerate(published_bugs.PUBLISHED_BUGS.values(), start=1):
        rows.append(_row(found, looks))
        progress(found.project, done, len(published_bugs.PUBLISHED_BUGS))
    if args.json:
        print_json(plain(rows))
    else:
        _line(*HEAD, "releases", "seconds")
        print("| --- | --- | ---: | ---: | --- | ---: | --- | ---: | ---: |")
        for row in rows:
            _print(row)
        print(_footer(len(rows)))
    failed = [
        f"{row['key']}: the bug is not caught" for row in rows if not row["release"]["broken"]
    ]
    failed += [f"{row['key']}: the fixed code is caught" for row in rows if row["mended"]["broken"]]
    return exit_status(failed, 2 * len(rows))


def _row(found: PublishedBug, looks: tuple[int, ...]) -> dict[str, Any]:
    from dpviz.audit import published_bugs, trade_off_audit

    started, kinds = time.perf_counter(), ("release", "mended", *["narrow"] * bool(found.narrow))
    seen = {which: list(found.watch(which, looks=looks))[-1] for which in kinds}
    shown = {
        which: {"shown": look.shown, "likely": look.likely, "broken": look.broken}
        for which, look in seen.items()
    }
    return {
        "key": found.key,
        "project": found.project,
        "repository": found.repository,
        "commit": found.commit,
        "code": found.code,
        "mistake": found.mistake,
        "state": published_bugs.STATES[found.state],
        "claimed": trade_off_audit.claimed(found.claim),
        "notion": found.claim.notion,
        "delta": found.claim.delta,
        "adjacency": found.claim.adjacency,
        **shown,
        "narrowly": found.narrow[0] if found.narrow else None,
        "releases": seen["release"].runs,
        "seconds": time.perf_counter() - started,
    }


def _print(row: dict[str, Any]) -> None:
    name, claimed, releases = f"`{row['key']}`", f"{row['claimed']:.3g}", f"{row['releases']:,}"
    both = [*_bug_row(row["release"]), *_bug_row(row["mended"])]
    _line(name, row["state"], claimed, *both, releases, f"{row['seconds']:.1f}")
    if row["narrowly"]:
        named = f"{name}, {row['narrowly']}"
        _line(named, "", claimed, *_bug_row(row["narrow"]), "", "", releases, "")


def _line(*cells: str) -> None:
    print("| " + " | ".join(cells) + " |")


def _bug_row(found: dict[str, Any]) -> tuple[str, str]:
    return f"{found['shown']:.3g}", "yes" if found["broken"] else "no"


def _footer(audits: int) -> str:
    from dpviz.audit.trade_off_audit import ERROR, LEARN

    return (
        f"Releases are of each of two neighbours, after {LEARN:,} of each that are learned from."
        " Each shown ε is a lower bound; that a promise is called broken that is kept has a chance"
        f" of at most {ERROR:g} in an audit, of {audits * ERROR:g} in all {audits} of mended code."
    )
