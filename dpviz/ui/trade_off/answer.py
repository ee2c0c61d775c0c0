"""What the page Trade-off answers: its runs, their curve, and the cards below."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dpviz.methods import METHODS
from dpviz.plots.budget_curves import BudgetCurve
from dpviz.run.jobs import Job
from dpviz.types import Result, RunSpec
from dpviz.ui.widgets import cards, shared_controls, tuned_control
from dpviz.views import badly_configured, natural_frequencies
from dpviz.views.badly_configured import BadlyConfigured
from dpviz.views.equal_leakage import EqualLeakage, Guarantees
from dpviz.views.page_config import PageConfig


def results(job: Job, view: PageConfig) -> list[Result]:
    """What is there of the runs that are drawn, in drawing order."""
    there = (result for group in job.groups for result in job.results_of(group))
    drawn = set(view.methods)
    return [r for r in there if not _noiseless(r.spec) and r.spec.method in drawn]


def quiet(job: Job) -> list[Result]:
    """What is there of the private methods' runs without noise."""
    there = (result for group in job.groups for result in job.results_of(group))
    return [result for result in there if _noiseless(result.spec)]


def badly_configured_methods(job: Job, view: PageConfig) -> list[BadlyConfigured]:
    """Methods of a view whose noiseless run is far below a non-private relative."""
    there = (result for group in job.groups for result in job.results_of(group))
    return badly_configured.find(there, view.methods)


def warn(job: Job, view: PageConfig) -> None:
    """A warning for each badly configured method, and the button that tunes all."""
    some, tuned = badly_configured_methods(job, view), tuned_control.in_use()
    for one in some:
        st.warning(one.sentence(tuned), icon=":material/tune:")
    if some and not tuned:
        tuned_control.button(view, view.methods, view.budget, "fair-warned")


def _noiseless(spec: RunSpec) -> bool:
    """Whether a run is a private method's without its noise."""
    return METHODS[spec.method].private and not spec.budget.private


def curve(job: Job, view: PageConfig, metric: str) -> BudgetCurve:
    """What is there of the chart so far."""
    missing = {
        group[0].method
        for group in job.missing
        if not job.results_of(group) and not _noiseless(group[0])
    }
    waiting = [title for key, title in view.titles.items() if key in missing]
    axis, delta = view.budget.axis, view.budget.delta
    return BudgetCurve.from_results(
        results(job, view), view.titles, metric, axis, delta, waiting, quiet(job)
    )


def rare(job: Job, view: PageConfig) -> tuple[str, ...]:
    """Names of the smallest quarter of the classes; none where all are as large."""
    for result in results(job, view):
        names = shared_controls.class_names(result.spec)
        return natural_frequencies.rare(names, result.class_counts, result.spec.draw)
    return ()


def guarantees(runs: Sequence[Result]) -> Guarantees:
    """What each method promises at each budget."""
    return {
        (run.spec.method, run.spec.budget.value): run.guarantee
        for run in runs
        if run.spec.budget.private
    }


def cards_row(
    shown: BudgetCurve,
    view: PageConfig,
    runs: Sequence[Result],
    names: Sequence[str],
    equal: EqualLeakage | None,
) -> None:
    """What each method promises, costs and does to the minority, and all at equal leakage.

    Args:
        names: of the classes; equal: the comparison at equal leakage, where there is one.
    """
    now = tuned_control.with_origin(view.at_now(runs))
    cards.guarantees(now, view.titles)
    with cards.row("cost", least=400):
        cards.cost(shown, view.budget.value, runs)
        cards.hurt(now, view.titles, names)
    if equal:
        cards.at_equal_leakage(equal)
