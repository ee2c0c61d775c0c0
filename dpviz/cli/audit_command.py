"""``audit``: every private method and each of its events attacked, with their twins."""

from __future__ import annotations

import argparse
import dataclasses
from typing import Any

from dpviz.cli import fault_table, function_audit, one_run_table, options, published_bugs_table
from dpviz.cli.output import exit_status, print_json, progress
from dpviz.run.result_files import plain
from dpviz.types import DpvizError

HELP = (
    "audit private methods against their claims; exit status 1 if a bound is above its claim or a"
    " faulty variant is not caught"
)
COLUMNS = ("method", "event", "twin", "neighbours", "claimed ε", "audited ε", "twin's ε", "runs")
ROW_KEYS = {"faulty_variant": "twin", "variant_audited": "twin_audited"}
SENSITIVITY_COLUMNS = (
    "method",
    "event",
    "claimed",
    "moved",
    "holds",
    "neighbours that moved it most",
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """How thoroughly, and of what."""
    parser.add_argument("--quick", action="store_true", help="fewer runs")
    parser.add_argument(
        "--sensitivity",
        action="store_true",
        help="how far worst neighbours move each event's query before the noise, instead",
    )
    one_run_table.add_options(parser)
    fault_table.add_options(parser)
    function_audit.add_options(parser)
    published_bugs_table.add_options(parser)
    options.wants_json(parser, "print JSON")


def command(args: argparse.Namespace) -> int:
    """Run the audits that the options ask for and print their table. Return 1 if one fails."""
    if function_audit.wanted(args):
        return function_audit.show(args)
    if args.one_run:
        return one_run_table.show(args)
    if args.wild:
        return published_bugs_table.show(args)
    if args.mistake is not None:
        return fault_table.show(args)
    rows = _sensitivity_table(args.method) if args.sensitivity else _audits(args.quick, args.method)
    if args.json:
        print_json(plain(rows))
    elif args.sensitivity:
        _print(
            SENSITIVITY_COLUMNS,
            [
                [*_words(row), f"{row['claimed']:.9g}", f"{row['moved']:.9g}"]
                + ["yes" if row["holds"] else "NO", row["neighbours"]]
                for row in rows
            ],
        )
    else:
        _print((*COLUMNS, "twin caught"), [_audit_cells(row) for row in rows])
    failures = [reason for row in rows if (reason := _failure(row))]
    return exit_status(failures, len(rows))


def _audits(quick: bool, method: str | None) -> list[dict[str, Any]]:
    from dpviz import audit as audits

    names = _chosen(method, audits.names())
    runs = audits.QUICK_RUNS if quick else audits.RUNS
    rows = []
    for done, results in enumerate(audits.audit_all(runs, names), start=1):
        rows += [_audit_row(result) for result in results]
        progress(results[0].method, done, len(names))
    return rows


def _chosen(method: str | None, names: list[str]) -> list[str]:
    """All names, or the one that --method gives.

    Raises:
        DpvizError: if that is not one of them.
    """
    if method is None:
        return names
    if method not in names:
        raise DpvizError(f"There is no audit of {method!r}; use one of {', '.join(names)}.")
    return [method]


def _failure(row: dict[str, Any]) -> str:
    """What an audit shows that it should not, or an empty text."""
    label = f"{row['method']}, {row['event']}"
    if "moved" in row:
        message = f"{label}: neighbors move it by {row['moved']:.9g}, above {row['claimed']:.9g}"
        return "" if row["holds"] else f"{message} ({row['neighbours']})"
    label = f"{label} ({row['adjacency']})"
    if not row["holds"]:
        return f"{label}: audited ε {row['audited']:.4g} is above the claim {row['claimed']:.4g}"
    if not row["twin_caught"]:
        variant = f"the faulty variant “{row['twin']}” is not caught"
        return f"{label}: {variant}: ε {row['twin_audited']:.4g} of {row['claimed']:.4g}"
    return ""


def _audit_row(result: Any) -> dict[str, Any]:
    fields = dataclasses.asdict(result)
    row = {ROW_KEYS.get(name, name): value for name, value in fields.items()}
    return row | {"holds": result.holds, "twin_caught": result.variant_caught}


def _sensitivity_table(method: str | None) -> list[dict[str, Any]]:
    from dpviz.audit import private_methods, sensitivity
    from dpviz.audit.all_audits import search_all

    names = _chosen(method, private_methods()[::-1])
    rows = []
    for done, results in enumerate(search_all(names), start=1):
        worst = sensitivity.worst(results)
        rows += [dataclasses.asdict(result) | {"holds": result.holds} for result in worst]
        progress(worst[0].method, done, len(names))
    return rows


def _words(row: dict[str, Any]) -> list[str]:
    settings = "".join(f" {name}={value}" for name, value in row["params"].items())
    return [f"`{row['method']}`{settings}", row["event"]]


def _audit_cells(row: dict[str, Any]) -> list[str]:
    figures = [f"{row[name]:.3g}" for name in ("claimed", "audited", "twin_audited")]
    caught = "yes" if row["twin_caught"] else "NO"
    return [*_words(row), row["twin"], row["adjacency"], *figures, str(row["runs"]), caught]


def _print(head: tuple[str, ...], rows: list[list[str]]) -> None:
    print("| " + " | ".join(head) + " |")
    print("| " + " | ".join("---:" if "ε" in name else "---" for name in head) + " |")
    for row in rows:
        print("| " + " | ".join(row) + " |")
