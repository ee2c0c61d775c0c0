"""Controls of the page "Break it", and the long work that they ask for."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from dpviz.audit import faults, trade_off_audit
from dpviz.audit.faults import Mistake, comparison
from dpviz.audit.trade_off_audit import (
    INTERIM_COUNTS,
    LEARNING_RUNS,
    MIN_INTERIM_RESULTS,
    InterimResult,
)
from dpviz.formatting import number
from dpviz.machine.threads import one_numeric_thread
from dpviz.methods import METHODS
from dpviz.run.experiment import Progress
from dpviz.run.jobs import Group, Work, no_private_runs
from dpviz.types import DELTA, Budget, Guarantee, Method, RunSpec
from dpviz.ui.frame import page_parts
from dpviz.ui.live import long_work
from dpviz.ui.widgets import budget_control, shared_controls
from dpviz.ui.widgets.choices import choice, requested_value
from dpviz.views.page_config import PageConfig
from dpviz.views.phrases import RIVAL

MAX_SECONDS = 50.0
"""After which an audit that has seen nothing yet takes no further look."""
MIN_SECONDS = 8.0
"""Of an audit that has caught something, however few its looks."""


@dataclass(frozen=True)
class AuditSpec:
    """One look at an audit: ``look`` is its number."""

    method: str
    mistake: str
    budget: Budget
    start: int
    number: int


@dataclass(frozen=True, eq=False)
class TimedResult:
    """A look, what was promised, and the seconds since the audit began."""

    result: InterimResult
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


def distance(spec: AuditSpec) -> float:
    """The first look is wanted first."""
    return float(spec.number)


def _together(
    specs: Group, first: int, progress: Progress, report: Callable[[Mapping[Any, Any]], None]
) -> bool:
    """The looks of one audit, each told as it comes; one that ends early tells its last again."""
    spec = specs[0]
    sample, claim = faults.audit_fault(spec.mistake, spec.method, spec.budget, spec.start)
    title, started, whole = (
        faults.subject(spec.method).title,
        time.perf_counter(),
        INTERIM_COUNTS[-1],
    )

    def watched(more: bool, place: int, runs: int) -> np.ndarray:
        side = "with" if more else "without"
        progress(f"{title}: releases {side} the record", min(place, whole), whole + LEARNING_RUNS)
        return sample(more, place, runs)

    with one_numeric_thread():
        for number, result in enumerate(trade_off_audit.watch(watched, claim)):
            seconds = time.perf_counter() - started
            grown = number >= MIN_INTERIM_RESULTS or seconds > MIN_SECONDS
            ends = (result.broken and grown) or seconds > MAX_SECONDS
            group = specs[number:] if ends else specs[number : number + 1]
            report(dict.fromkeys(group, TimedResult(result, claim, seconds)))
            if ends:
                break
    return True


def _whole(group: Group, progress: Progress) -> list:
    results: dict[Any, Any] = {}
    _together(group, 1, progress, results.update)
    return [results[spec] for spec in group]


def _accuracies(group: Group, progress: Progress) -> list:
    (spec,) = group
    run_in_pool, wrong = long_work.POOL.call, faults.get(spec.mistake)
    made = comparison.output_error if wrong.output_error else comparison.accuracies
    return [run_in_pool(made, spec.spec, spec.mistake, spec.seeds, progress=progress)]


AUDITS = Work(_whole, run_together=_together, private_runs=no_private_runs)
# of a faulty mechanism on private records, so without a known cost
ACCURACIES = Work(_accuracies)


RATIO = 10
NO_MISTAKE = "none"
MISTAKE, NOTICED, METHOD, GUARANTEE = "mistake", "noticed", "of", "promise"
FIRST_MISTAKE = next(iter(faults.MISTAKES))
GUARANTEES = (1, 2, 4, 8, 16)
ANSWERS = {"yes": "Yes, I would", "no": "No", "show": "Just show me"}
GUARANTEE_HELP = (
    "What the method promises, ε at δ = 1e-5. At a larger one most mistakes show in fewer results;"
    " sets that are counted wrongly show at a small one."
)
METHOD_HELP = "Those that can have this mistake. The audit uses each one's own worst neighbours."


@dataclass(frozen=True)
class BreakView(PageConfig):
    """A view of one method, and what is wrong with it: the key of a mistake, or ``none``."""

    mistake: str

    @property
    def method(self) -> str:
        """The method's key."""
        return self.methods[0]

    @property
    def subject(self) -> Method:
        """The method."""
        return faults.subject(self.method)

    @property
    def titles(self) -> dict[str, str]:
        """The method's name, in the table of methods or not."""
        return {self.method: self.subject.title}

    @property
    def wrong(self) -> Mistake | None:
        """The mistake, if there is one."""
        return None if self.mistake == NO_MISTAKE else faults.get(self.mistake)

    @property
    def audit(self) -> Group:
        """The looks of its audit."""
        return audit_group(self.method, self.mistake, self.budget, self.first_seed)

    @property
    def accuracy(self) -> Group:
        """What is asked of real data."""
        method = self.method if self.method in METHODS else RIVAL  # the data are the same
        return (AccuracySpec(self.spec(method), self.mistake, self.seeds),)


def switches() -> str:
    """What is wrong, one at a time; another one asks anew whether it would have been noticed."""
    titles = {NO_MISTAKE: "Nothing"} | {key: fault.title for key, fault in faults.MISTAKES.items()}
    return choice(
        *(st.pills, "What is wrong with the program?", titles, FIRST_MISTAKE, MISTAKE),
        required=True,
        on_change=_restart,
    )


def _restart() -> None:
    for key in (NOTICED, METHOD, GUARANTEE):
        st.session_state.pop(key, None)
        st.query_params.pop(key, None)


def noticed() -> str | None:
    """Whether the visitor would have noticed; None before an answer."""
    return choice(
        *(st.segmented_control, "Would you have noticed from the accuracy?", ANSWERS, None, NOTICED)
    )


def noticed_before() -> str | None:
    """What was answered so far; a link may say it of a view that does not ask."""
    page_parts.current_page().choices.add(NOTICED)
    return st.session_state.setdefault(NOTICED, requested_value(NOTICED, None))


def sidebar() -> BreakView:
    """All controls but the switches, which are the page's own."""
    wrong = requested_value(MISTAKE, FIRST_MISTAKE)
    wrong = wrong if wrong in (NO_MISTAKE, *faults.MISTAKES) else FIRST_MISTAKE
    with st.sidebar:
        st.header("Data")
        material = shared_controls.data(RATIO)
        st.header("Privacy")
        budget = _guarantee_control(wrong)
        st.header("Method")
        method = _method(wrong)
        seeds = shared_controls.noise_seeds(n_help=N_HELP, seed_help=SEED_HELP)
        shared_controls.reset_link()
    return BreakView(**material.facts | seeds, budget=budget, methods=(method,), mistake=wrong)


N_HELP = "Of the two accuracies. The audit makes as many releases as it needs."
SEED_HELP = "Another one draws other noise, for the accuracies and for the audit."


def _guarantee_control(wrong: str) -> Budget:
    titles = {str(value): f"{value:g}" for value in GUARANTEES}
    mistake = _mistake(wrong)
    first = f"{mistake.budget.value:g}" if mistake else "4"
    chosen = choice(
        *(st.select_slider, "Promised ε", titles, first, GUARANTEE), help=GUARANTEE_HELP
    )
    budget_control.draw_ends("more private", "less private")
    st.caption(f"δ = {number(DELTA)}. Neighbours: one record more or less, as each card says.")
    return Budget(float(chosen))


def _method(wrong: str) -> str:
    mistake = _mistake(wrong)
    titles = {key: faults.subject(key).title for key in _subjects(mistake)}
    first = next(iter(titles)) if mistake and mistake.methods else RIVAL
    return choice(st.selectbox, "Method", titles, first, METHOD, help=METHOD_HELP)


def _mistake(wrong: str) -> Mistake | None:
    """The mistake of a key that a link may have made up."""
    return faults.MISTAKES.get(wrong)


def _subjects(mistake: Mistake | None) -> list[str]:
    """Keys of the methods that a mistake can be made in; all private ones for any method's."""
    if mistake and mistake.methods:
        return list(mistake.methods)
    return [key for key, method in METHODS.items() if method.private]
