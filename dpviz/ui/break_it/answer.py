"""Answer, tiles and main chart of the Audit page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from dpviz.audits.faults.comparison import OutputError, Pair
from dpviz.audits.trade_off_audit import INTERIM_COUNTS, allowed_misses, claimed
from dpviz.experiments.jobs import Job
from dpviz.formatting import number
from dpviz.plots.audits import RATE_GRID, AuditProgress, AuditStep, TradeOff
from dpviz.plots.comparisons import FaultAccuracy
from dpviz.text import break_it as text
from dpviz.ui.break_it import controls
from dpviz.ui.break_it.controls import BreakView, TimedResult
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.live import long_work
from dpviz.ui.widgets import cards, charts
from dpviz.views import break_it_page
from dpviz.views.phrases import title_in_sentence

KEY = "break-it"
Outcome = Pair | OutputError


@dataclass(frozen=True)
class Places:
    """Places of the answer and of the tiles; each may be filled more than once in a run."""

    answer: page_parts.OneAnswer
    tiles: Any

    def running(self, view: BreakView) -> None:
        """Say that work is in progress."""
        page_parts.answer(
            self.answer,
            text.ANSWERS["running"].fill(True, method=title_in_sentence(view.subject.title)),
        )


def outcome(view: BreakView, places: Places) -> Outcome | None:
    """Return accuracy or error with and without the fault; None without a fault, or if stopped."""
    if not view.wrong:
        return None
    job = long_work.collect(
        *(f"{KEY}-noticed", [view.accuracy], st.empty()),
        begin=lambda: places.running(view),
        work=controls.ACCURACIES,
    )
    page_parts.refusals(job.errors.values())
    return job.done[view.accuracy][0] if view.accuracy in job.done else None


def ask(view: BreakView, found: Outcome | None, places: Places) -> None:
    """Show the effect on accuracy, and leave the audit hidden."""
    if found is None or view.wrong is None:
        return
    page_parts.answer(places.answer, *break_it_page.question(found, view.wrong, view.subject.title))
    tiles = break_it_page.question_tiles(found, view.wrong, view.claim, detail_level.precise())
    page_parts.tiles(tiles, places.tiles)
    if isinstance(found, Pair):
        page_parts.chart_title(text.ACCURACY_TITLE)
        with page_parts.picture():
            draw_accuracy(found, view, is_asked=True)


def draw_accuracy(pair: Pair, view: BreakView, is_asked: bool = False) -> None:
    """Draw both accuracies with their caption; is_asked: do not spoil the question."""
    assert view.wrong is not None
    if not view.wrong.safe:
        cards.private_view()
    kept, broken, _ = break_it_page.accuracy_difference(pair)
    charts.plot(FaultAccuracy(kept, broken, view.wrong.title), f"{KEY}-noticed")
    page_parts.caption(break_it_page.accuracy_caption(pair, view.wrong, is_asked))


def audit(view: BreakView, found: Outcome | None, places: Places) -> list[TimedResult]:
    """Run the audit with answer, tiles and chart; return its interim results."""
    status, title = st.empty(), st.empty()
    with page_parts.picture():
        slot = charts.Slot(st.container(), f"{KEY}-bounds")

    def draw(job: Job) -> None:
        """Show the audit as far as it has come."""
        if not (results := interim_results(job, view)):
            return
        result, claim = results[-1].result, results[-1].claim
        page_parts.answer(
            places.answer,
            *break_it_page.audit_result(result, claim, view.wrong, view.subject.title),
        )
        steps = [step.result for step in results]
        page_parts.tiles(break_it_page.audit_tiles(steps, claim, found), places.tiles)
        page_parts.chart_title(break_it_page.bound_title(steps, claim), title)
        slot.plot(progress(results))

    job = long_work.collect(
        *(KEY, [view.audit], status, draw),
        begin=lambda: places.running(view),
        work=controls.AUDITS,
        near=controls.distance,
    )
    page_parts.refusals(job.errors.values())
    draw(job)
    results = interim_results(job, view)
    if results:
        page_parts.caption(break_it_page.bound_caption(detail_level.precise()))
        page_parts.current_page().reproduction = command(view)
    return results


def interim_results(job: Job, view: BreakView) -> list[TimedResult]:
    """Return the interim results of an audit, each once."""
    steps: list[TimedResult] = job.results_of(view.audit)
    return list({step.result.runs: step for step in steps}.values())


def progress(results: Sequence[TimedResult]) -> AuditProgress:
    """Return the chart of lower bounds against releases."""
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
    """Return the chart of the tests' error rates against the guarantee."""
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


def command(view: BreakView) -> str:
    """Return the shell command of the same audit."""
    return (
        f"python -m dpviz audit --method {view.method} --mistake {view.mistake}"
        f" --budget {number(view.budget.value)} --seed {view.first_seed}"
    )
