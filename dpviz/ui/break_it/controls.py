"""Controls of the Audit page, and the long work that they request."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from dpviz.audits import faults, trade_off_audit
from dpviz.audits.faults import Mistake, comparison, model
from dpviz.audits.trade_off_audit import (
    INTERIM_COUNTS,
    LEARNING_RUNS,
    MIN_INTERIM_RESULTS,
    InterimResult,
)
from dpviz.experiments.experiment import Progress
from dpviz.experiments.jobs import Group, Work, no_private_runs
from dpviz.machine.threads import one_numeric_thread
from dpviz.methods import METHODS
from dpviz.text import break_it as text
from dpviz.text.controls import ENDS
from dpviz.text.template import render, render_text
from dpviz.types import DELTA, Budget, Guarantee, Method, RunSpec
from dpviz.ui.frame import page_parts
from dpviz.ui.live import long_work
from dpviz.ui.widgets import budget_control, shared_controls, side_bar
from dpviz.ui.widgets.choices import choice, requested_value
from dpviz.views import settings_in_words
from dpviz.views.page_config import PageConfig
from dpviz.views.phrases import RIVAL

#: Seconds after which an audit that has detected nothing takes no further step.
MAX_SECONDS = 50.0
#: Seconds of an audit that has detected a fault, however few its steps.
MIN_SECONDS = 8.0


@dataclass(frozen=True)
class AuditSpec:
    """One step of an audit, by its number."""

    method: str
    mistake: str
    budget: Budget
    start: int
    number: int


@dataclass(frozen=True, eq=False)
class TimedResult:
    """An interim result, the claim, and the seconds since the audit started."""

    result: InterimResult
    claim: Guarantee
    seconds: float


@dataclass(frozen=True)
class AccuracySpec:
    """Runs on real data without and with a fault."""

    spec: RunSpec
    mistake: str
    seeds: int

    @property
    def method(self) -> str:
        """Key of the method."""
        return self.spec.method


def audit_group(method: str, mistake: str, budget: Budget, start: int) -> Group:
    """Return all steps of an audit."""
    return tuple(AuditSpec(method, mistake, budget, start, n) for n in range(len(INTERIM_COUNTS)))


def distance(spec: AuditSpec) -> float:
    """Return the place of a step in the order of computing."""
    return float(spec.number)


def _together(
    specs: Group, first: int, progress: Progress, report: Callable[[Mapping[Any, Any]], None]
) -> bool:
    """Report the steps of one audit as they come; an early end repeats the last one."""
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
#: Keys of the controls, also in the link.
MISTAKE, NOTICED, METHOD, GUARANTEE = "mistake", "noticed", "of", "promise"
FIRST_MISTAKE = next(iter(faults.MISTAKES))
GUARANTEES = (1, 2, 4, 8, 16)


@dataclass(frozen=True)
class BreakView(PageConfig):
    """Settings of one method and its fault: a key of ``faults.MISTAKES``, or ``none``."""

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
        """The fault, if there is one."""
        return None if self.mistake == NO_MISTAKE else faults.get(self.mistake)

    @property
    def claim(self) -> Guarantee:
        """The guarantee that the method claims."""
        return faults.audit_fault(self.mistake, self.method, self.budget, self.first_seed)[1]

    @property
    def setting(self) -> model.Setting:
        """Method, budget and neighbors that the audit uses."""
        setting = self.wrong.setting if self.wrong else model.usual
        return setting(self.subject, self.budget)

    @property
    def audit(self) -> Group:
        """The steps of its audit."""
        return audit_group(self.method, self.mistake, self.budget, self.first_seed)

    @property
    def accuracy(self) -> Group:
        """The comparison on real data."""
        method = self.method if self.method in METHODS else RIVAL  # the data are the same
        return (AccuracySpec(self.spec(method), self.mistake, self.seeds),)


def toolbar(view: BreakView) -> str | None:
    """Draw the answers to the page's question, and the fault.

    Returns:
        The reader's answer; None before it.
    """
    is_asked = bool(view.wrong) and requested_value(NOTICED, None) not in text.NOTICED_CHOICES
    titles = _fault_titles(is_hidden=is_asked) | {NO_MISTAKE: text.NO_FAULT}
    with st.container(horizontal=True, vertical_alignment="bottom", key="fault-row"):
        if view.wrong:
            with st.container(width="content", key="ask" if is_asked else "asked"):
                noticed = choice(
                    *(st.segmented_control, text.NOTICED, text.NOTICED_CHOICES, None, NOTICED),
                    width="content",
                    label_visibility="collapsed" if is_asked else "visible",
                )
        choice(
            *(st.selectbox, text.FAULT, titles, FIRST_MISTAKE, MISTAKE),
            help=text.FAULT_HELP,
            width=340,
            on_change=_restart,
        )
    if view.wrong:
        if noticed:  # no description before the answer, which it would spoil
            st.caption(view.wrong.wrong)
        return noticed
    page_parts.current_page().choices.add(NOTICED)
    return st.session_state.setdefault(NOTICED, requested_value(NOTICED, None))


def _fault_titles(is_hidden: bool) -> dict[str, str]:
    """Return titles of the faults; hidden: numbers, since a name would spoil the question."""
    if not is_hidden:
        return {key: fault.title for key, fault in faults.MISTAKES.items()}
    return {
        key: render_text(text.HIDDEN_FAULT, number=number)
        for number, key in enumerate(faults.MISTAKES, start=1)
    }


def _restart() -> None:
    for key in (NOTICED, METHOD, GUARANTEE):
        st.session_state.pop(key, None)
        st.query_params.pop(key, None)


def sidebar() -> BreakView:
    """Draw the controls of the side bar and return the settings."""
    wrong = requested_value(MISTAKE, FIRST_MISTAKE)
    wrong = wrong if wrong in (NO_MISTAKE, *faults.MISTAKES) else FIRST_MISTAKE
    with side_bar.draw():
        st.header("Data")
        material = shared_controls.data(RATIO)
        st.header("Privacy")
        budget = _guarantee_control(wrong)
        st.header("Method")
        method = _method(wrong)
        seeds = shared_controls.noise_seeds(n_help=text.SEEDS_HELP, seed_help=text.FIRST_SEED_HELP)
        line = settings_in_words.phone_line(material.dataset, material.ir, budget)
        shared_controls.reset_link(line=line)
    return BreakView(**material.facts | seeds, budget=budget, methods=(method,), mistake=wrong)


def _guarantee_control(wrong: str) -> Budget:
    titles = {str(value): f"{value:g}" for value in GUARANTEES}
    fault = _fault(wrong)
    first = f"{fault.budget.value:g}" if fault else "4"
    words = render(text.CLAIM_HELP, delta=DELTA)
    chosen = choice(st.select_slider, text.CLAIM, titles, first, GUARANTEE, help=words)
    budget_control.draw_ends(*ENDS)
    return Budget(float(chosen))


def _method(wrong: str) -> str:
    fault = _fault(wrong)
    titles = {key: faults.subject(key).title for key in _subjects(fault)}
    first = next(iter(titles)) if fault and fault.methods else RIVAL
    return choice(st.selectbox, text.METHOD, titles, first, METHOD, help=text.METHOD_HELP)


def _fault(wrong: str) -> Mistake | None:
    """Return the fault of a key; None for an unknown key in a link."""
    return faults.MISTAKES.get(wrong)


def _subjects(fault: Mistake | None) -> list[str]:
    """Return keys of the methods that a fault can be made in: all private ones for most."""
    if fault and fault.methods:
        return list(fault.methods)
    return [key for key, method in METHODS.items() if method.private]
