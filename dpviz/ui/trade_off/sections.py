"""Closer looks of the page Trade-off: class by class, and the question asked backwards."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

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
from dpviz.plots import class_accuracy, class_sizes, class_sizes_by_ratio
from dpviz.plots.accuracy_by_budget import BudgetCurve
from dpviz.run import experiment
from dpviz.types import Budget, Gaussian, Result, RunSpec
from dpviz.ui.widgets import bounded, cards, charts, export
from dpviz.ui.widgets.choices import segments
from dpviz.views import data_page, equal_leakage, panels_in_words
from dpviz.views.equal_leakage import EqualLeakage, Guarantees
from dpviz.views.maps_page import MAPS, fitting
from dpviz.views.page_config import PageConfig
from dpviz.views.page_links import address
from dpviz.views.panels import RATIOS

SIZES = "Class sizes as they are now; the minority is hatched."
EQUAL = "Class sizes as they are now: all are as large, so none is a minority."
WHICH = {"now": "As they are", "all": "At every imbalance"}
ALL_SIZES = "Class sizes at several imbalance ratios; right of the dotted line the minority."
ACCURACIES = "Accuracy of each class at this budget; a minority is shaded."
TARGET = (
    "Accuracy of the kind chosen above the chart. Only budgets on the chart are looked at; nothing"
    " is interpolated."
)
ENOUGH = (
    "A budget counts from where on the mean stays at the target or above for every larger budget"
    " computed; “within noise”: seeds and test records cannot tell that it does not lie below, all"
    " points of the chart having been looked at."
)
RANKED = "Ranking: which methods can be told apart here"
EQUALLY = "At equal leakage (attacker's best guess {guess} %)"
HIGHEST = "{where}, **{method}** is highest, significantly above all others."
HIGHEST_SHARED = "{where}, **{method}** is highest, not significantly above all others."
ALIKE = (
    "Methods that share a letter cannot be told apart, those that share none can: all pairs"
    " together, seeds and test records taken into account (Holm, 5 %)."
)
SHARED = (
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


def class_by_class(
    key: str, runs: Sequence[Result], view: PageConfig, names: Sequence[str]
) -> None:
    """How many records each class has, and how often each is recognised."""
    cards.private_view()
    left, right = st.columns([2, 3])
    with left:
        _sizes(key, runs[0], view, names)
    with right:
        each = class_accuracy.info(runs, view.titles, names, view.budget.value)
        charts.plot(class_accuracy, each, f"{key}-classes", caption=ACCURACIES)
    st.markdown(unbroken(_smallest(runs, view, names)))


def _sizes(key: str, run: Result, view: PageConfig, names: Sequence[str]) -> None:
    """Class sizes as they are now, or at all imbalance ratios in one picture."""
    which = segments("Class sizes", WHICH, "now", "sizes", label_visibility="collapsed")
    if which == "all":
        whole = experiment.prepared(replace(run.spec, ir=1.0)).counts
        ratios = sorted({*RATIOS, view.ir})
        counts = {r: tuple(kept_sizes(whole, r, view.draw).tolist()) for r in ratios}
        chart = class_sizes_by_ratio.info(counts, view.ir)
        charts.plot(class_sizes_by_ratio, chart, f"{key}-ratios", caption=ALL_SIZES)
        return
    sizes = class_sizes.info(run.class_counts, run.minority_classes, names)
    said = SIZES if any(sizes.minority) else EQUAL
    said = f"{said} {ratio_reached([run.ratio]).capitalize()}."
    charts.plot(class_sizes, sizes, f"{key}-sizes", caption=said)


def _smallest(runs: Sequence[Result], view: PageConfig, names: Sequence[str]) -> str:
    """What the smallest class can expect at the budget looked at."""
    run = runs[0]
    data = experiment.prepared(run.spec)
    shown = data_page.METHOD in view.methods
    noise = _noise(runs, view, data.x.shape[1]) if shown else 0.0
    c = min(range(len(names)), key=lambda c: run.class_counts[c])
    tested = int((data.y_test == c).sum())
    whom = "person" if view.unit == "person" else ""
    return data_page.expectation(names[c], run.class_counts[c], tested, noise, view.budget, whom)


def _noise(runs: Sequence[Result], view: PageConfig, d: int) -> float:
    """Length of DPPL-Mean's noise on a sum of records; a run at the budget that promises it to
    records has told mu already, which saves working it out.
    """
    told = (r.guarantee for r in view.at_now(runs) if r.spec.method == data_page.METHOD)
    mu = next((given.value for given in told if given.notion == "gdp"), None)
    if mu and view.unit == "picture":
        return data_page.noise_length(d, mu)
    plan = experiment.planned(RunSpec(**view.facts, method=data_page.METHOD, budget=view.budget))
    event = plan.events["sum"]
    assert isinstance(event, Gaussian)
    return event.sigma * math.sqrt(d)


def to_persons(view: PageConfig) -> None:
    """The way to what a promise to each person costs, where the data know persons."""
    if persons_known(view.dataset):
        kept = {key: st.session_state[key] for key in SHARED if key in st.session_state}
        link = address("many-pictures", kept, {"m"})
        st.html(
            f'One person, many pictures: <a href="{plain(link)}" target="_self">what does it cost'
            " to protect the person, not only each picture?</a>"
        )


def to_maps(view: PageConfig) -> None:
    """The way to maps of the first private method shown, at these settings."""
    kept = {key: st.session_state[key] for key in SHARED if key in st.session_state and key != "m"}
    ways = []
    for kind, row in MAPS.items():
        mapped = next((m for m in view.methods if m in fitting(kind)), row.first)
        link = address("maps", kept | {"map": kind, "mapped": mapped}, set())
        ways.append(f'<a href="{plain(link)}" target="_self">{plain(row.title)}</a>')
    st.html(f"Maps of these settings: {' · '.join(ways)}")


def ranked(curve: BudgetCurve, now: float, equal: EqualLeakage | None) -> None:
    """The fold that ranks the private methods drawn, at equal leakage where that is known, in
    groups that cannot be told apart.
    """
    points = curve.at(now)
    if len(points) < 2:
        return
    folded = st.expander(RANKED, key="ranked", bind="query-params")
    if not folded.open:
        return
    with folded:
        budget = budget_text(Budget(now, curve.axis, curve.delta))
        some = {"here": points} | ({"equal": equal.points} if equal else {})
        found = panels_in_words.ranked(some)
        rows = found.get("equal", found["here"])
        titles = {key: METHODS[key].title for key in points}
        table = panels_in_words.ranking_rows(rows, titles)
        if equal:
            here = {row.key: f"{percent(row.point)} {row.letters}" for row in found["here"]}
            table = [
                cells | {f"at {budget}": here[row.key]}
                for cells, row in zip(table, rows, strict=True)
            ]
        top, clear = panels_in_words.leader(rows)
        where = EQUALLY.format(guess=percent_up(equal.share)) if equal else f"At {budget}"
        template = HIGHEST if clear else HIGHEST_SHARED
        st.markdown(unbroken(template.format(where=where, method=titles[top])))
        export.table(table, "ranking", "The ranking")
        st.caption(f"Records {METRIC_WORDS[curve.metric]}. {ALIKE}")


def backwards(curve: BudgetCurve, view: PageConfig, promises: Guarantees) -> None:
    """The fold that asks for an accuracy and answers with the smallest budget that gives it."""
    folded = st.expander(
        "Ask it backwards: which budget is enough?", key="back", bind="query-params"
    )
    if not folded.open:
        return
    with folded:
        wanted = bounded.slider(
            "Accuracy wanted, %", 1, 99, 60, key="want", bind="query-params", help=TARGET
        )
        target = wanted / 100
        needs = equal_leakage.needed_budgets(curve, target, promises)
        st.markdown(equal_leakage.needed_sentence(needs, curve, view, target))
        rows = pd.DataFrame(equal_leakage.needed_table(needs, curve))
        st.dataframe(export.mark_private(rows), hide_index=True)
        export.csv("CSV", rows, "needed.csv")
        st.caption(ENOUGH)
