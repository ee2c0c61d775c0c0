"""The main chart of the Per-record loss page, and what is said above and below it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from dpviz.diagnostics.per_instance import MeasuredRun
from dpviz.plots.losses import Losses, SortedLosses
from dpviz.text import who_pays as text
from dpviz.text.template import render
from dpviz.types import Dataset, Result
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.live import public_runs, rerun_scheduling
from dpviz.ui.who_pays import answer, controls
from dpviz.ui.who_pays.controls import LossView
from dpviz.ui.widgets import cards, charts, selected_images
from dpviz.ui.widgets.late_place import LatePlace
from dpviz.views import who_pays_page
from dpviz.views.who_pays_page import ChosenGroups, Spending


def say(run: MeasuredRun, view: LossView, place: Any) -> None:
    """Draw the answer, about one method."""
    [spent] = answer.spending([run], view)
    is_full = bool(view.losses(run).full.all())
    precise, plain = (
        who_pays_page.answer(level, spent, is_full, view.budget, view.unit)
        for level in (True, False)
    )
    page_parts.answer(place, precise, plain)


def tiles(
    first: MeasuredRun,
    view: LossView,
    data: Dataset,
    key: str,
    place: LatePlace,
) -> None:
    """Draw the tiles, about one method."""
    losses = view.losses(first)
    results: Sequence[Result] = [first.result]
    public = public_runs.alone_accuracy(key, view, "minority")
    rare = [data.class_names[c] for c in first.result.minority_classes]
    if draws := answer.draws_of(first, view, key):
        results, rare = draws.at_budget(view.budget.value), []  # each draw has its own
        public = draws.public_accuracy("minority") or public
    accuracies = answer.test_accuracies(results)
    unit, scale = view.unit, view.scale
    place.tiles(who_pays_page.tiles(first, losses, scale, accuracies, rare, public, unit))


def show(
    runs: Sequence[MeasuredRun], view: LossView, data: Dataset, key: str
) -> tuple[list[Losses], ChosenGroups]:
    """Draw the chart below its finding; return its data, by method, and the groups in it."""
    spent, level = answer.spending(runs, view), detail_level.precise()
    selected = selected_images.in_data(view, data)
    with st.container(horizontal=True, vertical_alignment="bottom", key="chart-head"):
        title = st.empty()
        groups, form = controls.groups_and_form(runs[0].losses, data.class_names, view, selected)
    page_parts.chart_title(who_pays_page.finding(level, spent, runs[0].title, groups), title)
    loss_charts = answer.charts(runs, view, groups.masks)
    with page_parts.picture():
        cards.private_view()
        page_parts.caption(_notes_above(view, spent, groups, form))
        if form == controls.CURVE:
            charts.plot(SortedLosses(tuple(loss_charts)), f"{key}-sorted")
            page_parts.caption(text.CURVE_CAPTION.fill(level))
        else:
            titles = [run.title for run in runs]
            panels = who_pays_page.panels(loss_charts, titles, groups.names, level)
            alt = text.FIGURES_ALT
            LatePlace().icon_arrays(panels, text.FIGURES_LEGEND, alt, f"{key}-sorted", wide=True)
    rerun_scheduling.flush_page()
    return loss_charts, groups


def _notes_above(view: LossView, spent: Sequence[Spending], groups: ChosenGroups, form: str) -> str:
    """Return the run, how to read the figures, and the second method, in Markdown."""
    is_curve = form == controls.CURVE
    how = text.FIGURES_CAPTION[view.unit_name].fill(detail_level.precise())
    second = "" if groups.is_own else who_pays_page.second_method(spent)
    one_run = render(text.ONE_RUN, seed=view.first_seed)
    return " ".join(filter(None, [one_run, "" if is_curve else how, second]))
