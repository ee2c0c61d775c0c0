"""The answer of the page "Break it": what was done, whether it would be noticed, the audit."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dpviz.audit.faults import Mistake, model
from dpviz.audit.faults.comparison import Pair
from dpviz.audit.trade_off_audit import (
    ERROR,
    INTERIM_COUNTS,
    LEARNING_RUNS,
    allowed_misses,
    claimed,
)
from dpviz.formatting import number
from dpviz.plots.audits import RATE_GRID, AuditProgress, AuditStep, TradeOff
from dpviz.plots.comparisons import FaultAccuracy
from dpviz.run.jobs import Job
from dpviz.ui.break_it.controls import BreakView, TimedResult
from dpviz.ui.frame import detail_level
from dpviz.ui.widgets import cards
from dpviz.views import break_it_page


def subject_text(view: BreakView) -> str:
    """On what, and under which promise: other mistakes are made in other methods."""
    return (
        f"Tried on **{view.subject.title}** under a promise of ε = {number(view.budget.value)}; the"
        " side bar has other methods and promises. Each mistake begins where it is soonest seen."
    )


def interim_results(job: Job, view: BreakView) -> list[TimedResult]:
    """The looks that are there, each once."""
    steps: list[TimedResult] = job.results_of(view.audit)
    return list({step.result.runs: step for step in steps}.values())


def progress(results: Sequence[TimedResult]) -> AuditProgress:
    """The chart of what is shown against releases."""
    steps = [
        AuditStep(
            step.result.runs,
            step.result.shown,
            step.result.likely,
            step.result.at_most,
            step.result.broken,
        )
        for step in results
    ]
    return AuditProgress(tuple(steps), claimed(results[0].claim), INTERIM_COUNTS[-1])


def trade_off(last: TimedResult, scale: str) -> TradeOff:
    """The chart of the tests beside what is promised."""
    result = last.result
    return TradeOff(
        result.alarms,
        result.misses,
        result.alarms_within,
        result.misses_within,
        allowed_misses(last.claim, RATE_GRID),
        allowed_misses(last.claim, result.alarms_within[:, 1]),
        result.breaks,
        scale,
    )


def accuracy(pair: Pair, view: BreakView) -> FaultAccuracy:
    """The chart of both accuracies."""
    kept, broken, _ = break_it_page.accuracy_difference(pair)
    assert view.wrong is not None
    return FaultAccuracy(kept, broken, view.wrong.title)


def cards_row(view: BreakView, last: TimedResult) -> None:
    """What is promised, and what is done instead."""
    with cards.row("break"):
        with st.container(border=True, width=330, key="card-break-promise"):
            method = view.subject
            cards.guarantee_card(
                method.title,
                method.line_style.colour,
                last.claim,
                view.budget.axis,
            )
            if last.result.broken:
                st.caption(":material/link_off: Printed, and not kept: see the sentence above.")
        if view.wrong:
            with cards.titled("What the program does", "stretch", "wrong"):
                mistake(view.wrong)


def mistake(fault: Mistake) -> None:
    """What goes wrong, who made it, and what puts it right."""
    st.markdown(detail_level.at_level(f"{fault.wrong} {fault.explanation}", fault.wrong))
    st.markdown(f"**What puts it right.** {fault.fix}")
    st.caption(
        f"Described in [{fault.source}]({fault.link}); made again here by this project's code."
    )


def suiting_scale(view: BreakView) -> str:
    """The axes on which something is seen at first: the errors that a pure promise is broken by lie
    in a corner.
    """
    pure = _setting(view).plan.guarantee.notion == "pure"
    return "normal" if pure else "linear"


def _setting(view: BreakView) -> model.Setting:
    setting = view.wrong.setting if view.wrong else model.usual
    return setting(view.subject, view.budget)


def caption(steps: Sequence[TimedResult], view: BreakView) -> str:
    """How the numbers came about."""
    last, tests = steps[-1], len(steps[-1].result.alarms)
    apart = _setting(view).difference
    return (
        f"Made now: {last.result.runs:,} releases of each of two neighbours, after"
        f" {LEARNING_RUNS:,} of each"
        f" to choose the tests from, in {last.seconds:.1f} s. The neighbours, made up, no record is"
        f" anyone's: {apart}. Rectangles and bounds of {'all' if tests > 1 else 'the'} {tests}"
        f" test{'s' if tests > 1 else ''} at all {len(INTERIM_COUNTS)} looks are wrong together"
        " with a"
        f" chance of at most {number(ERROR)}: a promise that is kept is called broken no oftener."
    )


def command(view: BreakView) -> str:
    """The same audit in a shell."""
    return (
        f"python -m dpviz audit --method {view.method} --mistake {view.mistake}"
        f" --budget {number(view.budget.value)} --seed {view.first_seed}"
    )
