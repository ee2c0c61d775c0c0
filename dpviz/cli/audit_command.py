"""``audit``: every private method attacked, with its twin."""

from __future__ import annotations

import argparse
import dataclasses
from typing import Any

from dpviz.cli import options
from dpviz.cli.output import print_json, progress
from dpviz.run.result_files import plain

HELP = "what an attacker tells from each private method's releases, against its claim"


def add_options(parser: argparse.ArgumentParser) -> None:
    """How thoroughly."""
    parser.add_argument("--quick", action="store_true", help="fewer runs")
    options.wants_json(parser, "print JSON")


def command(args: argparse.Namespace) -> None:
    """Audit every private method and print the table."""
    from dpviz import audit as audits
    from dpviz.audit import confident_gnmax

    runs = audits.QUICK_RUNS if args.quick else audits.RUNS
    rows = [_audit_row(one) for one in confident_gnmax.audit(runs)]
    for done, found in enumerate(audits.audit_all(runs), start=1):
        rows += [_audit_row(one) for one in found]
        progress(found[0].method, done, len(audits.private_methods()))
    if args.json:
        print_json(plain(rows))
        return
    print(
        "| method | neighbours | claimed ε | audited ε | twin's ε | runs | twin caught |\n| --- |"
        " --- | ---: | ---: | ---: | ---: | --- |"
    )
    for row in rows:
        settings = "".join(f" {name}={value}" for name, value in row["params"].items())
        numbers = (
            f"{row['claimed']:.3g} | {row['audited']:.3g} | {row['twin_audited']:.3g} |"
            f" {row['runs']}"
        )
        print(
            f"| `{row['method']}`{settings} | {row['adjacency']} | {numbers} |"
            f" {'yes' if row['twin_caught'] else 'NO'} |"
        )


def _audit_row(found: Any) -> dict[str, Any]:
    return dataclasses.asdict(found) | {"holds": found.holds, "twin_caught": found.twin_caught}
