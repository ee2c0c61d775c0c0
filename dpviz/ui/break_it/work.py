"""The long work of the page "Break it": audits that show each look as it comes, and accuracies."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.audit import faults, trade_off_audit
from dpviz.audit.faults import comparison
from dpviz.audit.trade_off_audit import ENOUGH, INTERIM_COUNTS, LEARN, InterimResult
from dpviz.machine.threads import one_numeric_thread
from dpviz.run.experiment import Progress
from dpviz.run.jobs import Group, Work, no_private_runs
from dpviz.types import Budget, Guarantee, RunSpec
from dpviz.ui.live import long_work

SECONDS = 50.0
"""After which an audit that has seen nothing yet takes no further look."""
GROWN = 8.0
"""Of an audit that has caught something, however few its looks."""


@dataclass(frozen=True)
class AuditSpec:
    """One look at an audit: ``look`` is its number."""

    method: str
    mistake: str
    budget: Budget
    start: int
    look: int


@dataclass(frozen=True, eq=False)
class TimedResult:
    """A look, what was promised, and the seconds since the audit began."""

    look: InterimResult
    claim: Guarantee
    seconds: float


@dataclass(frozen=True)
class AccuracySpec:
    """Runs on real data as promised, and with a mistake."""

    spec: RunSpec
    mistake: str
    seeds: int

    @property
    def method(self) -> str:
        """Whose runs."""
        return self.spec.method


def audit_group(method: str, mistake: str, budget: Budget, start: int) -> Group:
    """All looks of an audit."""
    return tuple(AuditSpec(method, mistake, budget, start, n) for n in range(len(INTERIM_COUNTS)))


def near(spec: AuditSpec) -> float:
    """The first look is wanted first."""
    return float(spec.look)


def _together(
    specs: Group, first: int, progress: Progress, found: Callable[[Mapping[Any, Any]], None]
) -> bool:
    """The looks of one audit, each told as it comes; one that ends early tells its last again."""
    asked = specs[0]
    sample, claim = faults.audit_fault(asked.mistake, asked.method, asked.budget, asked.start)
    title, started, whole = (
        faults.subject(asked.method).title,
        time.perf_counter(),
        INTERIM_COUNTS[-1],
    )

    def watched(more: bool, at: int, runs: int) -> np.ndarray:
        side = "with" if more else "without"
        progress(f"{title}: releases {side} the record", min(at, whole), whole + LEARN)
        return sample(more, at, runs)

    with one_numeric_thread():
        for number, look in enumerate(trade_off_audit.watch(watched, claim)):
            seconds = time.perf_counter() - started
            grown = number >= ENOUGH or seconds > GROWN
            ends = (look.broken and grown) or seconds > SECONDS
            told = specs[number:] if ends else specs[number : number + 1]
            found(dict.fromkeys(told, TimedResult(look, claim, seconds)))
            if ends:
                break
    return True


def _whole(group: Group, progress: Progress) -> list:
    found: dict[Any, Any] = {}
    _together(group, 1, progress, found.update)
    return [found[spec] for spec in group]


def _accuracies(group: Group, progress: Progress) -> list:
    (asked,) = group
    look, wrong = long_work.POOL.call, faults.get(asked.mistake)
    made = comparison.output_error if wrong.output_error else comparison.accuracies
    return [look(made, asked.spec, asked.mistake, asked.seeds, progress=progress)]


AUDITS = Work(_whole, run_together=_together, private_runs=no_private_runs)
# of a faulty mechanism on private records, so without a known cost
ACCURACIES = Work(_accuracies)
