"""The closer look of the page "Teachers vote" at students against budget, beside other methods."""

from __future__ import annotations

import dataclasses
from typing import Any

import streamlit as st

from dpviz.formatting import budget_text, percent
from dpviz.methods.pate import ENSEMBLES
from dpviz.plots.budget_curves import BudgetCurve
from dpviz.run import result_files
from dpviz.run.jobs import Job
from dpviz.stats import clear_pairs
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.live import long_work
from dpviz.ui.teachers_vote.answer import Vote
from dpviz.ui.teachers_vote.controls import KEY
from dpviz.ui.widgets import charts
from dpviz.views.page_config import PageConfig

Rows = list[dict[str, Any]]
STUDENTS = tuple(ENSEMBLES)
RIVALS = ("dppl-public", "noisy-gd", "class-mean")


def students(shown: Vote) -> Rows:
    """Students of private votes against the budget, next to other methods."""
    ensemble = shown.request.poll.ensemble
    settings = (("teachers", ensemble.teachers), ("pool", ensemble.pool))
    params = tuple((key, settings) for key in STUDENTS)
    methods = (*STUDENTS, *RIVALS)
    view = dataclasses.replace(shown.request.view, methods=methods, seeds=3, params=params)
    groups, words, status = view.groups(), st.empty(), st.empty()
    slot = charts.Slot(st.container(), f"{KEY}-students")
    draw = lambda job: slot.plot(_curve(job, view), view.budget.value)
    job = long_work.collect(f"{KEY}-students", groups, status, draw)
    page_parts.refusals(job.errors.values())
    draw(job)
    words.markdown(_best(_curve(job, view), view))
    st.caption(
        f"Balanced accuracy on the test set. {detail_level.bands(view.seeds)} Here T, σ₁, σ₂ and"
        " the number of queries follow from the budget by the method's rule, which reads no votes,"
        " not from the sliders of this page."
    )
    return [result_files.row(r) for group in groups for r in job.done.get(group, ())]


def _curve(job: Job, view: PageConfig) -> BudgetCurve:
    results = [r for group in job.groups for r in job.done.get(group, ())]
    return BudgetCurve.from_results(results, view.titles, "balanced", view.budget)


def _best(curve: BudgetCurve, view: PageConfig) -> str:
    """The best student at the budget looked at, and the best other private method."""
    points = curve.at(view.budget.value)
    mine, others = ([key for key in points if (key in STUDENTS) == own] for own in (True, False))
    if not mine or not others:
        return "Nothing to compare yet."
    one, other = (max(keys, key=lambda key: points[key].mean) for keys in (mine, others))
    tied = "" if {one, other} in clear_pairs(points) else ", within noise"
    whom = ", for persons," if view.unit == "person" else ""
    return (
        f"At {budget_text(view.budget)}{whom} the best student, {view.titles[one]}, gets the"
        f" average class right **{percent(points[one])}** of the time, {view.titles[other]}"
        f" **{percent(points[other])}**{tied}."
    )
