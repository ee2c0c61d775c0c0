"""``audit``: audits of private methods, of their events, and of faulty variants."""

from __future__ import annotations

import argparse
import dataclasses
from typing import Any

from dpviz.cli import fault_table, function_audit, one_run_table, options, published_bugs_table
from dpviz.cli.output import exit_status, print_json, progress
from dpviz.experiments.result_files import plain
from dpviz.text import cli as text
from dpviz.text.template import render_text
from dpviz.types import DpvizError

HELP = text.COMMANDS["audit"]
#: Keys of the JSON output that differ from the fields of ``Audit``.
ROW_KEYS = {
    "faulty_variant": "twin",
    "variant_audited": "twin_audited",
    "variant_runs": "twin_runs",
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the kinds of audits and their options."""
    for name in ("quick", "sensitivity"):
        parser.add_argument(f"--{name}", action="store_true", help=text.AUDIT_HELP[name])
    one_run_table.add_options(parser)
    fault_table.add_options(parser)
    function_audit.add_options(parser)
    published_bugs_table.add_options(parser)
    options.wants_json(parser)


def command(args: argparse.Namespace) -> int:
    """Run the selected audits and print their table. Return 1 if an audit fails."""
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
            text.SENSITIVITY_COLUMNS,
            [
                [*_row_label(row), f"{row['claimed']:.9g}", f"{row['moved']:.9g}"]
                + [text.YES if row["holds"] else text.FAILED_CELL, row["neighbours"]]
                for row in rows
            ],
        )
    else:
        _print(text.AUDIT_COLUMNS, [_audit_cells(row) for row in rows])
    failures = [reason for row in rows if (reason := _failure(row))]
    return exit_status(failures, len(rows))


def _audits(quick: bool, method: str | None) -> list[dict[str, Any]]:
    from dpviz import audits

    names = _chosen(method, audits.names())
    runs = audits.QUICK_RUNS if quick else audits.RUNS
    rows = []
    for done, results in enumerate(audits.audit_all(runs, names), start=1):
        rows += [_audit_row(result) for result in results]
        progress(results[0].method, done, len(names))
    return rows


def _chosen(method: str | None, names: list[str]) -> list[str]:
    """Return all names, or the one that --method gives.

    Raises:
        DpvizError: If that name is unknown.
    """
    if method is None:
        return names
    if method not in names:
        raise DpvizError(f"No audit of {method!r}. Use one of {', '.join(names)}.")
    return [method]


def _failure(row: dict[str, Any]) -> str:
    """Return why an audit fails, or an empty text."""
    label = {"method": row["method"], "event": row["event"]}
    if "moved" in row:
        figures = {name: f"{row[name]:.9g}" for name in ("moved", "claimed")}
        template = text.AUDIT_FAILURES["sensitivity"]
        fields = label | figures | {"neighbors": row["neighbours"]}
        return "" if row["holds"] else render_text(template, **fields)
    label |= {"neighbors": row["adjacency"], "claimed": f"{row['claimed']:.4g}"}
    if not row["holds"]:
        template = text.AUDIT_FAILURES["above"]
        return render_text(template, **label, audited=f"{row['audited']:.4g}")
    if not row["twin_caught"]:
        fields = label | {"variant": row["twin"], "audited": f"{row['twin_audited']:.4g}"}
        return render_text(text.AUDIT_FAILURES["missed"], **fields)
    return ""


def _audit_row(result: Any) -> dict[str, Any]:
    fields = dataclasses.asdict(result)
    row = {ROW_KEYS.get(name, name): value for name, value in fields.items()}
    row["twin_runs"] = row["twin_runs"] or row["runs"]
    return row | {"holds": result.holds, "twin_caught": result.variant_caught}


def _sensitivity_table(method: str | None) -> list[dict[str, Any]]:
    from dpviz.audits import private_methods, sensitivity
    from dpviz.audits.all_audits import search_all

    names = _chosen(method, private_methods()[::-1])
    rows = []
    for done, results in enumerate(search_all(names), start=1):
        worst = sensitivity.worst(results)
        rows += [dataclasses.asdict(result) | {"holds": result.holds} for result in worst]
        progress(worst[0].method, done, len(names))
    return rows


def _row_label(row: dict[str, Any]) -> list[str]:
    settings = "".join(f" {name}={value}" for name, value in row["params"].items())
    return [f"`{row['method']}`{settings}", row["event"]]


def _audit_cells(row: dict[str, Any]) -> list[str]:
    figures = [f"{row[name]:.3g}" for name in ("claimed", "audited", "twin_audited")]
    caught = text.YES if row["twin_caught"] else text.FAILED_CELL
    runs = [str(row[name]) for name in ("runs", "twin_runs")]
    return [*_row_label(row), row["twin"], row["adjacency"], *figures, *runs, caught]


def _print(head: tuple[str, ...], rows: list[list[str]]) -> None:
    print("| " + " | ".join(head) + " |")
    print("| " + " | ".join("---:" if "ε" in name else "---" for name in head) + " |")
    for row in rows:
        print("| " + " | ".join(row) + " |")
