"""What the page Trade-off answers: its runs, their curve, and the cards below."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dpviz.plots import accuracy_by_budget
from dpviz.plots.accuracy_by_budget import BudgetCurve
from dpviz.run.jobs import Job
from dpviz.types import Result
from dpviz.ui.widgets import cards
from dpviz.views.view import View


def results(job: Job) -> list[Result]:
    """What is there of the runs so far, in drawing order."""
    return [result for group in job.groups for result in job.there(group)]


def curve(job: Job, view: View, metric: str) -> BudgetCurve:
    """What is there of the chart so far."""
    missing = {group[0].method for group in job.missing if not job.there(group)}
    waiting = [title for key, title in view.titles.items() if key in missing]
    axis, delta = view.budget.axis, view.budget.delta
    return accuracy_by_budget.info(results(job), view.titles, metric, axis, delta, waiting)


def cards_row(shown: BudgetCurve, view: View, runs: Sequence[Result], names: Sequence[str]) -> None:
    """What each method promises, costs and does to the minority; ``names``: of the classes."""
    now = view.at_now(runs)
    cards.guarantees(now, view.titles)
    with st.container(horizontal=True):
        cards.cost(shown, view.budget.value, runs)
        cards.hurt(now, view.titles, names)
