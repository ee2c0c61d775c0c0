"""Details below the chart of Trade-off: cards, class by class, ranking, smallest budget."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dpviz.data import persons_known
from dpviz.data.imbalance import kept_sizes
from dpviz.experiments import experiment
from dpviz.experiments.jobs import Group
from dpviz.formatting import (
    METRIC_WORDS,
    budget_text,
    literal,
    percent,
    plain,
    ratio_reached,
    unbroken,
)
from dpviz.lazy_imports import pandas as pd
from dpviz.methods import METHODS
from dpviz.plots.budget_curves import BudgetCurve
from dpviz.plots.by_class import ClassAccuracy, ClassSizes, SizesByRatio
from dpviz.text import trade_off as text
from dpviz.text.template import render, render_text
from dpviz.types import Gaussian, Result, RunSpec
from dpviz.ui.frame import about_numbers, detail_level, page_parts, pinned
from dpviz.ui.live import refining
from dpviz.ui.trade_off import outside_results, redraw
from dpviz.ui.trade_off.one_chart import KEY, ShownChart
from dpviz.ui.widgets import bounded, cards, charts, choices, export, shared_controls, tuned_control
from dpviz.ui.widgets.choices import segments
from dpviz.views import data_page, equal_leakage, panels_in_words, phrases, trade_off_page
from dpviz.views.equal_leakage import EqualLeakage, Guarantees
from dpviz.views.maps_page import MAPS, fitting
from dpviz.views.page_config import PageConfig
from dpviz.views.page_links import address
from dpviz.views.panels import RATIOS

#: Tab by the parameter of an earlier version's link.
OLD_FOLDS = {"ranked": "ranking", "back": "budget", "table": "table", "outside": "compare"}
SHARED_KEYS = (
    "data",
    "enc",
    "pub",
    "ir",
    "records",
    "draw",
    "eps",
    "axis",
    "delta",
    "m",
    "n",
    "seed",
    "score",
    "voice",
)
"""Controls that other pages have, too."""


def draw_details(chart: ShownChart) -> None:
    """Draw all below the chart: its caption, and the open tab."""
    curve, view = chart.curve, chart.results.view
    results, noiseless = chart.results.drawn_results, chart.results.noiseless
    page_parts.caption(curve.caption(detail_level.precise()))
    notes = [
        curve.other_bands_text(detail_level.precise()),
        curve.data_text(),
        chart.other_domain,
        trade_off_page.below_chance(curve),
        _bounded_range(view.at_now(results)),
    ]
    with st.expander(text.CHART_NOTES):
        page_parts.caption(" ".join(filter(None, notes)))
    one_each = [run for run in view.at_now(results) if run.spec.seed == view.first_seed]
    groups = partial(_all_groups, view.of_first_draw(one_each))
    complete = chart.results.job.complete
    refining.draw_caption(chart.requested, view, results, groups, complete)
    origin = page_parts.origin(results + noiseless)
    if curve.quiet or curve.references:
        cards.private_view()
    names = shared_controls.class_names(results[0].spec)
    first_draw = view.of_first_draw(results) or results
    at_now = tuned_control.with_origin(view.at_now(results))
    cards.keep_for_report(at_now, view.titles, names, chart.equal)
    match choices.tabs(text.TABS, old=OLD_FOLDS):
        case "guarantees":
            _draw_guarantees(chart, first_draw)
        case "classes":
            _draw_classes(chart, results, names)
        case "ranking":
            draw_ranking(curve, view.budget.value, chart.equal)
            link_to_maps(view)
        case "budget":
            draw_needed_budgets(curve, view, guarantees(first_draw))
        case "redraw":
            redraw.draw(chart)
        case "compare":
            references = [r for r in results if not r.spec.budget.private]
            pinned.show(KEY, view, view.at_now(results) + references, chart.results.metric)
            outside_results.draw_layer(curve, results)
        case "table":
            export.block(view, results + noiseless, view.at_now(results), KEY)
        case "about":
            st.caption(origin)
            about_numbers.draw(view)


def _all_groups(at_now: Sequence[Result], view: PageConfig) -> list[Group]:
    """All runs of the page at a view; ``at_now``: runs of each private method at the budget."""
    return view.groups() + view.quiet() + equal_leakage.groups(view, at_now)


def _bounded_range(results: Sequence[Result]) -> str:
    """Return why the best guess of a method is lower than pure DP allows, in Markdown."""
    for result in results:
        title = METHODS[result.spec.method].title
        if sentence := phrases.bounded_range(result.guarantee, title):
            return literal(sentence)
    return ""


def _draw_guarantees(chart: ShownChart, results: Sequence[Result]) -> None:
    """Draw what each method guarantees, and all methods at equal leakage.

    Args:
        results: of the first data draw.
    """
    view = chart.results.view
    cards.guarantees(tuned_control.with_origin(view.at_now(results)), view.titles)
    if chart.equal:
        page_parts.view_finding(chart.leakage)
        cards.at_equal_leakage(chart.equal)
    link_to_persons(view)


def _draw_classes(chart: ShownChart, results: Sequence[Result], names: Sequence[str]) -> None:
    """Draw what noise costs each method, the minority and each class."""
    view = chart.results.view
    with cards.row("cost", min_width=400):
        cards.cost(chart.curve, view.budget.value, results)
        cards.minority_gap(view.at_now(results), view.titles, names)
    class_by_class(KEY, view.of_first_draw(results), view, names)
    case = "several_draws" if chart.curve.draws > 1 else "one_draw"
    st.caption(render(text.CAPTIONS[case], draw=view.draw, draws=chart.curve.draws))


def guarantees(results: Sequence[Result]) -> Guarantees:
    """Return the guarantee of each method at each budget."""
    return {
        (result.spec.method, result.spec.budget.value): result.guarantee
        for result in results
        if result.spec.budget.private
    }


def class_by_class(
    key: str, runs: Sequence[Result], view: PageConfig, names: Sequence[str]
) -> None:
    """Draw the size and the accuracy of each class."""
    left_column, right_column = st.columns([2, 3])
    with left_column:
        _sizes(key, runs[0], view, names)
    with right_column:
        accuracies = ClassAccuracy.from_results(runs, view.titles, names, view.budget.value)
        charts.plot(accuracies, f"{key}-classes", caption=text.CAPTIONS["accuracies"])
    st.markdown(unbroken(_smallest(runs, view, names)))


def _sizes(key: str, run: Result, view: PageConfig, names: Sequence[str]) -> None:
    """Class sizes as they are now, or at all imbalance ratios in one picture."""
    which = segments("Class sizes", text.SIZE_VIEWS, "now", "sizes", label_visibility="collapsed")
    if which == "all":
        whole = experiment.prepared(replace(run.spec, ir=1.0)).counts
        ratios = sorted({*RATIOS, view.ir})
        counts = {r: tuple(kept_sizes(whole, r, view.draw).tolist()) for r in ratios}
        chart = SizesByRatio.from_counts(counts, view.ir)
        charts.plot(chart, f"{key}-ratios", caption=text.CAPTIONS["all_sizes"])
        return
    sizes = ClassSizes.from_counts(run.class_counts, run.minority_classes, names)
    template = text.SIZES if any(sizes.minority) else text.EQUAL_SIZES
    caption = template.fill(detail_level.precise(), ratio=ratio_reached([run.ratio]).capitalize())
    charts.plot(sizes, f"{key}-sizes", caption=caption)


def _smallest(runs: Sequence[Result], view: PageConfig, names: Sequence[str]) -> str:
    """What the smallest class can expect at the budget looked at."""
    run = runs[0]
    data = experiment.prepared(run.spec)
    is_drawn = data_page.METHOD in view.methods
    noise = _noise(runs, view, data.x.shape[1]) if is_drawn else 0.0
    c = min(range(len(names)), key=lambda c: run.class_counts[c])
    tested = int((data.y_test == c).sum())
    unit = "person" if view.unit == "person" else ""
    return data_page.expectation(
        *(names[c], run.class_counts[c], tested, noise, view.budget, unit), detail_level.precise()
    )


def _noise(runs: Sequence[Result], view: PageConfig, d: int) -> float:
    """Length of DPPL-Mean's noise on a sum of records; a run at the budget that promises it to
    records has told mu already, which saves working it out.
    """
    stated = (r.guarantee for r in view.at_now(runs) if r.spec.method == data_page.METHOD)
    mu = next((guarantee.value for guarantee in stated if guarantee.notion == "gdp"), None)
    if mu and view.unit == "picture":
        return data_page.noise_length(d, mu)
    plan = experiment.planned(RunSpec(**view.facts, method=data_page.METHOD, budget=view.budget))
    event = plan.events["sum"]
    assert isinstance(event, Gaussian)
    return event.sigma * math.sqrt(d)


def _shared_values() -> dict[str, Any]:
    return {key: st.session_state[key] for key in SHARED_KEYS if key in st.session_state}


def link_to_persons(view: PageConfig) -> None:
    """Draw a link to the cost of protecting persons, where the data know persons."""
    if persons_known(view.dataset):
        link = address("many-pictures", _shared_values(), {"m"})
        anchor = f'<a href="{plain(link)}" target="_self">{text.LINKS["persons_link"]}</a>'
        st.html(render_text(text.LINKS["persons"], link=anchor))


def link_to_maps(view: PageConfig) -> None:
    """Draw links to maps of the first private method shown, at these settings."""
    values = _shared_values()
    values.pop("m", None)
    ways = []
    for kind, row in MAPS.items():
        mapped = next((m for m in view.methods if m in fitting(kind)), row.first)
        link = address("maps", values | {"map": kind, "mapped": mapped}, set())
        ways.append(f'<a href="{plain(link)}" target="_self">{plain(row.title)}</a>')
    st.html(render_text(text.LINKS["maps"], links=" · ".join(ways)))


def draw_ranking(curve: BudgetCurve, budget: float, equal: EqualLeakage | None) -> None:
    """Draw the ranking of the private methods, at equal leakage where that is known."""
    points = curve.points_at(budget)
    if len(points) < 2:
        return
    budget_here = budget_text(curve.budget.with_value(budget))
    points_by_place = {"here": points} | ({"equal": equal.points} if equal else {})
    rankings = panels_in_words.ranked(points_by_place)
    rows = rankings.get("equal", rankings["here"])
    titles = {key: METHODS[key].title for key in points}
    is_precise = detail_level.precise()
    rows_at_level = (
        panels_in_words.ranking_rows if is_precise else panels_in_words.plain_ranking_rows
    )
    table = rows_at_level(rows, titles)
    if is_precise and equal:
        cells_here = {row.key: f"{percent(row.point)} {row.letters}" for row in rankings["here"]}
        table = [
            cells | {f"accuracy at {budget_here}": cells_here[row.key]}
            for cells, row in zip(table, rows, strict=True)
        ]
    top, clear = panels_in_words.leader(rows)
    guess = equal.share if equal else 0.0
    where = render(text.PLACES["equal" if equal else "budget"], guess=guess, budget=budget_here)
    title = phrases.title_in_sentence(titles[top])
    st.markdown(render(text.HIGHEST[bool(clear)], where=where, method=title))
    export.table(table, "ranking", "The ranking")
    st.caption(text.RANKING.fill(is_precise, metric=METRIC_WORDS[curve.metric]))


def draw_needed_budgets(
    curve: BudgetCurve, view: PageConfig, guarantees_by_budget: Guarantees
) -> None:
    """Draw the smallest budget that reaches a chosen accuracy."""
    percent_needed = bounded.slider(
        text.TARGET_LABEL, 1, 99, 60, key="want", bind="query-params", help=text.TARGET_HELP
    )
    target = percent_needed / 100
    needs = equal_leakage.needed_budgets(curve, target, guarantees_by_budget)
    st.markdown(equal_leakage.needed_sentence(needs, curve, target))
    rows = pd.DataFrame(equal_leakage.needed_table(needs, curve))
    is_precise = detail_level.precise()
    export.draw(rows if is_precise else rows[equal_leakage.plain_columns(curve)])
    export.csv("CSV", rows, "needed.csv")
    st.caption(text.NEEDED.fill(is_precise))
