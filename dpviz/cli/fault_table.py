"""``audit --mistake``: interim results of the audit of one method with a fault, or without."""

from __future__ import annotations

import argparse
import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np

from dpviz.cli.output import exit_status, print_json, progress
from dpviz.formatting import number_up
from dpviz.text import cli as text
from dpviz.text.template import render_text
from dpviz.types import DELTA, Budget, DpvizError
from dpviz.types.checks import check_whole

if TYPE_CHECKING:
    from dpviz.audits.trade_off_audit import InterimResult
    from dpviz.types import Guarantee


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the fault and the noise seed."""
    parser.add_argument("--mistake", help=text.AUDIT_HELP["mistake"])
    parser.add_argument("--seed", default=0, help=text.AUDIT_HELP["seed"])


def _row(interim: InterimResult) -> dict[str, Any]:
    """Return an interim result as a row of JSON."""
    values = {field.name: getattr(interim, field.name) for field in dataclasses.fields(interim)}
    plain = {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in values.items()}
    return plain | {"broken": interim.broken}


def show(args: argparse.Namespace) -> int:
    """Audit the method and print every interim result. Return 1 if the verdict is wrong."""
    from dpviz.audits import faults, trade_off_audit

    if args.method is None:
        raise DpvizError("--mistake needs --method. Add it, such as --method noisy-gd.")
    seed = check_whole("Seed", args.seed, 0, 2**31)
    budget = Budget(args.budget, args.axis, DELTA if args.delta is None else args.delta)
    sample, claim = faults.audit_fault(args.mistake, args.method, budget, seed)
    interims, whole = [], trade_off_audit.INTERIM_COUNTS[-1]
    for interim in trade_off_audit.watch(sample, claim):
        interims.append(interim)
        progress(text.PROGRESS["releases"], interim.runs, whole)
        if interim.broken and len(interims) > trade_off_audit.MIN_INTERIM_RESULTS:
            break
    claimed = trade_off_audit.claimed(claim)
    last = interims[-1]
    if args.json:
        from dpviz.experiments.result_files import plain

        rows = [_row(interim) for interim in interims]
        header = {"method": args.method, "mistake": args.mistake, "promised": claimed}
        print_json(plain(header | {"notion": claim.notion, "delta": claim.delta, "looks": rows}))
    else:
        _print(interims, claim, claimed)
    return exit_status(_failures(args, last.broken), 1)


def _failures(args: argparse.Namespace, broken: bool) -> list[str]:
    """Return the error of the audit: a rejected correct guarantee, or a fault that is not
    caught.
    """
    from dpviz.audits import faults

    faulty = args.mistake != "none" and not faults.get(args.mistake).safe
    if broken == faulty:
        return []
    template = text.AUDIT_FAILURES["fault_missed" if faulty else "fault_alarm"]
    return [render_text(template, method=args.method, fault=args.mistake)]


def _print(interims: list[InterimResult], claim: Guarantee, claimed: float) -> None:
    from dpviz.audits import trade_off_audit

    print("| " + " | ".join(text.FAULT_COLUMNS) + " |")
    print("| ---: | ---: | ---: | ---: | --- |")
    for interim in interims:
        figures = f"{interim.shown:.4g} | {interim.likely:.4g} | {interim.at_most:.4g}"
        print(f"| {interim.runs:,} | {figures} | {text.YES if interim.broken else text.NO} |")
    fields = {"epsilon": number_up(claimed), "delta": number_up(claim.delta)}
    fields |= {"notion": claim.notion, "adjacency": claim.adjacency}
    print(render_text(text.FAULT["claim"], **fields))
    print(text.FAULT["broken" if interims[-1].broken else "kept"])
    print(render_text(text.FAULT["error"], error=f"{trade_off_audit.ERROR:g}"))
