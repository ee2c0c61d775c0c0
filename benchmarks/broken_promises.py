"""Every mistake of the page "Break it" under its audit, beside the same without it; and audits of
methods that keep their promise, none of which may be called broken.

    make bench BENCH=benchmarks/broken_promises.py
    python benchmarks/broken_promises.py --kept 200

Each audit has a core to itself. One that has caught nothing after SECONDS ends, as on the page.
"""

from __future__ import annotations

import argparse
import itertools
import time
from collections.abc import Iterator
from dataclasses import dataclass

from _common import table, verdict

from dpviz.audits import faults, trade_off_audit
from dpviz.audits.faults import model
from dpviz.audits.trade_off_audit import ERROR
from dpviz.machine.executor import map_in_processes
from dpviz.machine.threads import all_cores, limited_cores
from dpviz.methods import METHODS
from dpviz.types import Budget

SECONDS = 50.0
"""For an audit of what may be caught, as on the page."""
KEPT_SECONDS = 8.0
"""For one of what keeps its promise."""
BUDGET = Budget(4.0)


@dataclass(frozen=True)
class Asked:
    """One audit: of a method, with a mistake or without (``kept``: where it is looked for)."""

    method: str
    mistake: str
    kept: bool
    start: int
    seconds: float


@dataclass(frozen=True)
class Found:
    """What it came to."""

    asked: Asked
    promised: float
    shown: float
    releases: int
    broken: bool
    seconds: float


def audited(request: Asked) -> Found:
    """One audit, in a process that has the other cores busy beside it."""
    fault = faults.MISTAKES.get(request.mistake)
    budget = fault.budget if fault else BUDGET
    with limited_cores(1):
        if fault and request.kept:
            sample, claim = model.honest_at(
                fault, faults.subject(request.method), budget, request.start
            )
        else:
            sample, claim = faults.audit_fault(
                request.mistake, request.method, budget, request.start
            )
        started = time.perf_counter()
        for interim in trade_off_audit.watch(sample, claim):
            seconds = time.perf_counter() - started
            if interim.broken or seconds > request.seconds:
                break
    claimed = trade_off_audit.claimed(claim)
    return Found(request, claimed, interim.shown, interim.runs, interim.broken, seconds)


def switches() -> list[Asked]:
    """Each mistake in each method that may have it, and the same without it."""
    private = [key for key, method in METHODS.items() if method.private]
    pairs = [(fault, key) for fault in faults.MISTAKES.values() for key in fault.methods or private]
    return [
        Asked(key, fault.key, is_control, 0, KEPT_SECONDS if is_control else SECONDS)
        for fault, key in pairs
        for is_control in (False, True)
    ]


def without(number: int) -> list[Asked]:
    """So many audits of methods that keep their promise, with noise that no other has."""
    private = [key for key, method in METHODS.items() if method.private]
    turns = itertools.product(range(1, number + 1), private)
    return [Asked(key, "none", False, n, KEPT_SECONDS) for n, key in turns][:number]


def run(requests: list[Asked]) -> Iterator[Found]:
    """All of them, on all cores."""
    yield from map_in_processes(audited, requests, all_cores())


def _caught() -> None:
    outcomes = {(f.asked.mistake, f.asked.method, f.asked.kept): f for f in run(switches())}
    rows, safe, missed = [], 0, []
    for (mistake, method, is_control), outcome in outcomes.items():
        if is_control:
            continue
        control, fault = outcomes[mistake, method, True], faults.get(mistake)
        quiet = bool(fault.safe or fault.unseen)
        safe += quiet
        if outcome.broken == quiet or control.broken:
            missed.append((mistake, method))
        rows.append(
            (
                mistake,
                f"`{method}`",
                f"{outcome.promised:.3g}",
                f"{outcome.shown:.3g}",
                f"{outcome.releases:,}",
                f"{outcome.seconds:.1f}",
                "yes" if outcome.broken else "no leak" if fault.safe else "no",
                f"{control.shown:.3g}",
                f"{control.releases:,}",
                "YES" if control.broken else "no",
            )
        )
    table(
        ["fault", "method", "claimed ε", "ε (lower bound)", "releases per data set", "s", "caught"]
        + ["without the fault", "releases per data set", "violation reported"],
        rows,
    )
    print(f"Not as they should be: {missed or 'none'}; {safe} err on the safe side.")
    slowest = max(f.seconds for f in outcomes.values() if f.broken)
    verdict("s, the slowest that is caught", slowest, 60, is_limit=True)


def _kept(number: int) -> None:
    outcomes = list(run(without(number)))
    alarms = [f.asked for f in outcomes if f.broken]
    releases = sum(2 * f.releases for f in outcomes)
    print(
        f"{len(alarms)} of {len(outcomes)} audits of {len({f.asked.method for f in outcomes})}"
        f" methods that keep their promise call it broken, at an error of {ERROR:g} each, in"
        f" {releases:,} releases: {alarms or 'none'}"
    )
    verdict("false alarms", len(alarms), 2, is_limit=True)


def main() -> None:
    """Print what was asked for, the first by default."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--kept", type=int, default=0)
    number = parser.parse_args().kept
    if number:
        _kept(number)
    else:
        _caught()


if __name__ == "__main__":
    main()
