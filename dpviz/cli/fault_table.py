"""``audit --mistake``: one method with a mistake in it, or ``none``, audited look by look."""

from __future__ import annotations

import argparse
import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np

from dpviz.cli.output import exit_status, print_json, progress
from dpviz.types import DELTA, Budget, DpvizError
from dpviz.types.checks import check_whole

if TYPE_CHECKING:
    from dpviz.audit.trade_off_audit import InterimResult
    from dpviz.types import Guarantee

COLUMNS = ("releases of each neighbour", "shown ε", "as it looks", "at most by this test", "broken")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Which mistake, and where the noise begins."""
    parser.add_argument(
        "--mistake",
        help="--method with this mistake in it, or none, audited look by look; a wrong name"
        " lists them",
    )
    parser.add_argument("--seed", default=0, help="of --mistake; 0 if not said")


def _row(interim: InterimResult) -> dict[str, Any]:
    """A look as plain data."""
    values = {field.name: getattr(interim, field.name) for field in dataclasses.fields(interim)}
    plain = {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in values.items()}
    return plain | {"broken": interim.broken}


def show(args: argparse.Namespace) -> int:
    """Audit the method and print every interim result. Return 1 if the verdict is wrong."""
    from dpviz.audit import faults, trade_off_audit

    if args.method is None:
        raise DpvizError("--mistake is of one method; add --method, such as --method noisy-gd.")
    seed = check_whole("Seed", args.seed, 0, 2**31)
    budget = Budget(args.budget, args.axis, DELTA if args.delta is None else args.delta)
    sample, claim = faults.audit_fault(args.mistake, args.method, budget, seed)
    interims, whole = [], trade_off_audit.INTERIM_COUNTS[-1]
    for interim in trade_off_audit.watch(sample, claim):
        interims.append(interim)
        progress("releases of each neighbour", interim.runs, whole)
        if interim.broken and len(interims) > trade_off_audit.MIN_INTERIM_RESULTS:
            break
    claimed = trade_off_audit.claimed(claim)
    last = interims[-1]
    if args.json:
        from dpviz.run.result_files import plain

        rows = [_row(interim) for interim in interims]
        header = {"method": args.method, "mistake": args.mistake, "promised": claimed}
        print_json(plain(header | {"notion": claim.notion, "delta": claim.delta, "looks": rows}))
    else:
        _print(interims, claim, claimed)
    return exit_status(_failures(args, last.broken), 1)


def _failures(args: argparse.Namespace, broken: bool) -> list[str]:
    """A promise broken without a fault, or a fault that is not caught."""
    from dpviz.audit import faults

    faulty = args.mistake != "none" and not faults.get(args.mistake).safe
    if broken == faulty:
        return []
    problem = "is not caught" if faulty else "breaks a promise that it keeps"
    return [f"{args.method} with the mistake “{args.mistake}” {problem}"]


def _print(interims: list[InterimResult], claim: Guarantee, claimed: float) -> None:
    from dpviz.audit import trade_off_audit

    print("| " + " | ".join(COLUMNS) + " |")
    print("| ---: | ---: | ---: | ---: | --- |")
    for interim in interims:
        figures = f"{interim.shown:.4g} | {interim.likely:.4g} | {interim.at_most:.4g}"
        print(f"| {interim.runs:,} | {figures} | {'YES' if interim.broken else 'no'} |")
    verdict = "broken" if interims[-1].broken else "not seen to be broken"
    print(
        f"Promised: ε = {claimed:.4g} ({claim.notion}, δ = {claim.delta:g}; {claim.adjacency});"
        f" {verdict}. A kept promise is called broken with a chance of at most"
        f" {trade_off_audit.ERROR:g}."
    )
