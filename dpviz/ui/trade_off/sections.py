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
from dpviz.formatting import (
    METRIC_WORDS,
    budget_text,
    percent,
    percent_up,
    plain,
    ratio_reached,
    unbroken,
)
from dpviz.lazy_imports import pandas as pd
from dpviz.methods import METHODS
from dpviz.plots.budget_curves import BudgetCurve
from dpviz.plots.by_class import ClassAccuracy, ClassSizes, SizesByRatio
from dpviz.run import experiment
from dpviz.run.jobs import Group
from dpviz.types import Gaussian, Result, RunSpec
from dpviz.ui.frame import detail_level, page_parts, pinned
from dpviz.ui.live import refining
from dpviz.ui.trade_off import outside_results
from dpviz.ui.trade_off.one_chart import KEY, ShownChart
from dpviz.ui.widgets import bounded, cards, charts, export, shared_controls, tuned_control
from dpviz.ui.widgets.choices import segments
from dpviz.views import data_page, equal_leakage, panels_in_words
from dpviz.views.equal_leakage import EqualLeakage, Guarantees
from dpviz.views.maps_page import MAPS, fitting
from dpviz.views.page_config import PageConfig
from dpviz.views.page_links import address
from dpviz.views.panels import RATIOS

SIZES_CAPTION = "Class sizes as they are now; the minority is hatched."
EQUAL_SIZES_CAPTION = "Class sizes as they are now: all are as large, so none is a minority."
SIZE_VIEWS = {"now": "As they are", "all": "At every imbalance"}
ALL_SIZES_CAPTION = (
    "Class sizes at several imbalance ratios; right of the dotted line the minority."
)
ACCURACIES_CAPTION = "Accuracy of each class at this budget; a minority is shaded."
TARGET_HELP = (
    "Accuracy of the kind chosen above the chart. Only budgets on the chart are looked at; nothing"
    " is interpolated."
)
NEEDED_CAPTION = (
    "A budget counts from where on the mean stays at the target or above for every larger budget"
    " computed; “within noise”: seeds and test records cannot tell that it does not lie below, all"
    " points of the chart having been looked at."
)
RANKING_TITLE = "Ranking: which methods can be told apart here"
AT_EQUAL_LEAKAGE = "At equal leakage (attacker's best guess {guess}%)"
HIGHEST = "{where}, **{method}** is highest, significantly above all others."
HIGHEST_SHARED = "{where}, **{method}** is highest, not significantly above all others."
RANKING_CAPTION = (
    "Methods that share a letter cannot be told apart, those that share none can: all pairs"
    " together, seeds and test records taken into account (Holm, 5%)."
)
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
"""Controls that stand on other pages as well."""


def draw_details(chart: ShownChart) -> None:
    """Draw all below the chart: its caption, guarantees and costs, classes, tables and commands."""
    curve, view, metric = chart.curve, chart.results.view, chart.results.metric
    results, noiseless = chart.results.drawn_results, chart.results.noiseless
    page_parts.caption(curve.caption(detail_level.precise()))
    one_each = [run for run in view.at_now(results) if run.spec.seed == view.first_seed]
    groups = partial(_all_groups, view.of_first_draw(one_each))
    complete = chart.results.job.complete
    refining.draw_caption(chart.requested, view, results, groups, complete)
    if curve.quiet or curve.references:
        cards.private_view()
    outside_results.draw_layer(curve, results)
    st.caption(page_parts.origin(results + noiseless))
    link_to_maps(view)
    first_draw = view.of_first_draw(results) or results
    at_now, first_at_now = view.at_now(results), view.at_now(first_draw)
    pinned.show(KEY, view, at_now + [r for r in results if not r.spec.budget.private], metric)

    names = shared_controls.class_names(results[0].spec)
    st.header("What each method promises here")
    cards_row(chart, first_draw, names)
    st.header("Who is in the data, and who is right")
    class_by_class(KEY, first_draw, view, names)
    draw_ranking(curve, view.budget.value, chart.equal)
    draw_needed_budgets(curve, view, guarantees(first_draw))
    link_to_persons(view)
    if fold := export.fold():
        with fold:
            export.block(view, results + noiseless, first_at_now, KEY)


def _all_groups(at_now: Sequence[Result], view: PageConfig) -> list[Group]:
    """All runs of the page at a view; ``at_now``: runs of each private method at the budget."""
    return view.groups() + view.quiet() + equal_leakage.groups(view, at_now)


def cards_row(chart: ShownChart, results: Sequence[Result], names: Sequence[str]) -> None:
    """Draw what each method guarantees, costs and does to the minority, and all at equal leakage.

    Args:
        results: of the first data draw; names: of the classes.
    """
    view = chart.results.view
    at_now = tuned_control.with_origin(view.at_now(results))
    cards.guarantees(at_now, view.titles)
    with cards.row("cost", min_width=400):
        cards.cost(chart.curve, view.budget.value, results)
        cards.minority_gap(at_now, view.titles, names)
    if chart.equal:
        cards.at_equal_leakage(chart.equal)


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
    """How many records each class has, and how often each is recognised."""
    cards.private_view()
    left_column, right_column = st.columns([2, 3])
    with left_column:
        _sizes(key, runs[0], view, names)
    with right_column:
        accuracies = ClassAccuracy.from_results(runs, view.titles, names, view.budget.value)
        charts.plot(accuracies, f"{key}-classes", caption=ACCURACIES_CAPTION)
    st.markdown(unbroken(_smallest(runs, view, names)))


def _sizes(key: str, run: Result, view: PageConfig, names: Sequence[str]) -> None:
    """Class sizes as they are now, or at all imbalance ratios in one picture."""
    which = segments("Class sizes", SIZE_VIEWS, "now", "sizes", label_visibility="collapsed")
    if which == "all":
        whole = experiment.prepared(replace(run.spec, ir=1.0)).counts
        ratios = sorted({*RATIOS, view.ir})
        counts = {r: tuple(kept_sizes(whole, r, view.draw).tolist()) for r in ratios}
        chart = SizesByRatio.from_counts(counts, view.ir)
        charts.plot(chart, f"{key}-ratios", caption=ALL_SIZES_CAPTION)
        return
    sizes = ClassSizes.from_counts(run.class_counts, run.minority_classes, names)
    caption = SIZES_CAPTION if any(sizes.minority) else EQUAL_SIZES_CAPTION
    caption = f"{caption} {ratio_reached([run.ratio]).capitalize()}."
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
    return data_page.expectation(names[c], run.class_counts[c], tested, noise, view.budget, unit)


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
    """The way to what a promise to each person costs, where the data know persons."""
    if persons_known(view.dataset):
        link = address("many-pictures", _shared_values(), {"m"})
        st.html(
            f'One person, many pictures: <a href="{plain(link)}" target="_self">what does it cost'
            " to protect the person, not only each picture?</a>"
        )


def link_to_maps(view: PageConfig) -> None:
    """The way to maps of the first private method shown, at these settings."""
    values = _shared_values()
    values.pop("m", None)
    ways = []
    for kind, row in MAPS.items():
        mapped = next((m for m in view.methods if m in fitting(kind)), row.first)
        link = address("maps", values | {"map": kind, "mapped": mapped}, set())
        ways.append(f'<a href="{plain(link)}" target="_self">{plain(row.title)}</a>')
    st.html(f"Maps of these settings: {' · '.join(ways)}")


def draw_ranking(curve: BudgetCurve, budget: float, equal: EqualLeakage | None) -> None:
    """The fold that ranks the private methods drawn, at equal leakage where that is known, in
    groups that cannot be told apart.
    """
    points = curve.points_at(budget)
    if len(points) < 2:
        return
    folded = st.expander(RANKING_TITLE, key="ranked", bind="query-params")
    if not folded.open:
        return
    with folded:
        budget_here = budget_text(curve.budget.with_value(budget))
        points_by_place = {"here": points} | ({"equal": equal.points} if equal else {})
        rankings = panels_in_words.ranked(points_by_place)
        rows = rankings.get("equal", rankings["here"])
        titles = {key: METHODS[key].title for key in points}
        table = panels_in_words.ranking_rows(rows, titles)
        if equal:
            cells_here = {
                row.key: f"{percent(row.point)} {row.letters}" for row in rankings["here"]
            }
            table = [
                cells | {f"at {budget_here}": cells_here[row.key]}
                for cells, row in zip(table, rows, strict=True)
            ]
        top, clear = panels_in_words.leader(rows)
        place = (
            AT_EQUAL_LEAKAGE.format(guess=percent_up(equal.share)) if equal else f"At {budget_here}"
        )
        template = HIGHEST if clear else HIGHEST_SHARED
        st.markdown(unbroken(template.format(where=place, method=titles[top])))
        export.table(table, "ranking", "The ranking")
        st.caption(f"Records {METRIC_WORDS[curve.metric]}. {RANKING_CAPTION}")


def draw_needed_budgets(
    curve: BudgetCurve, view: PageConfig, guarantees_by_budget: Guarantees
) -> None:
    """The fold that asks for an accuracy and answers with the smallest budget that gives it."""
    folded = st.expander(
        "Ask it backwards: which budget is enough?", key="back", bind="query-params"
    )
    if not folded.open:
        return
    with folded:
        percent_needed = bounded.slider(
            "Accuracy wanted, %", 1, 99, 60, key="want", bind="query-params", help=TARGET_HELP
        )
        target = percent_needed / 100
        needs = equal_leakage.needed_budgets(curve, target, guarantees_by_budget)
        st.markdown(equal_leakage.needed_sentence(needs, curve, view, target))
        rows = pd.DataFrame(equal_leakage.needed_table(needs, curve))
        st.dataframe(export.mark_private(rows), hide_index=True)
        export.csv("CSV", rows, "needed.csv")
        st.caption(NEEDED_CAPTION)
