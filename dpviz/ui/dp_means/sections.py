"""The closer looks of "DP means"; each draws its chart, says what it shows, returns its table."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from dpviz.diagnostics import mean_errors
from dpviz.formatting import minus, percent
from dpviz.plots.by_class import ClassErrors
from dpviz.plots.comparisons import Forms
from dpviz.stats import accuracy, best
from dpviz.types import Result
from dpviz.ui.dp_means import coinpress, estimators, neighbours, pooling
from dpviz.ui.dp_means.answer import Results
from dpviz.ui.dp_means.controls import FORMS, IN_WORDS, form_groups
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.live import long_work
from dpviz.ui.widgets import cards, charts
from dpviz.views.natural_frequencies import untested
from dpviz.views.page_config import PageConfig

Rows = list[dict[str, Any]]


def errors(results: Results, view: PageConfig, names: Sequence[str], metric: str) -> Rows:
    """The error of each class in parts."""
    rows = mean_errors.error_parts(results.full, results.exact, results.quiet, results.now)
    chart = ClassErrors.from_rows(rows, results.exact.minority_classes, names)
    cards.private_view()
    small, rest = chart.means(True), chart.means(False)
    known = not math.isnan(small["total"] + rest["total"])
    st.markdown(
        untested()
        if not known
        else f"Of the minority's test records **{100 * small['total']:.0f} %** are wrong:"
        f" {100 * small['base']:.0f} % would be even with exact means of all records; noise adds"
        f" **{_points(small['noise'])} points**, having fewer records"
        f" **{_points(small['sampling'])}**, clipping and pooling **{_points(small['clipping'])}**."
        f" Of the other classes' {100 * rest['total']:.0f} % are wrong, to which noise adds"
        f" {_points(rest['noise'])} points."
    )
    charts.plot(chart, "dp-means-errors")
    left = "this IR and the bound on each person leave" if view.per_person else "this IR leaves"
    st.caption(
        "Parts of the share of test records that are wrong, added from the bottom; their sum is"
        " the total (dash). Grey: exact means of all available records (IR 1). Fewer records:"
        f" exact means of the records that {left}, minus that. Clipping and pooling: the"
        " chosen form without noise, minus that. Noise: the form at this budget, mean over"
        f" {len(results.now)} seed{'s' if len(results.now) > 1 else ''}, minus that. A part below"
        " zero helps a class, mostly because another one lost. Minority: shaded."
    )
    return chart.table()


def _points(share: float) -> str:
    """Points with a true minus and no minus zero."""
    return minus(f"{100 * share:z.0f}")


def forms(results: Results, view: PageConfig, names: Sequence[str], metric: str) -> Rows:
    """The three forms under one budget, with their cards."""
    wanted = {form: form_groups(view, results.settings, form) for form in FORMS}
    every = [group for groups in wanted.values() for group in groups]
    job = long_work.collect("dp-means-forms", every, st.empty())
    page_parts.refusals(job.errors.values())
    by_form = {
        form: view.at_now(r for group in groups for r in job.done.get(group, ()))
        for form, groups in wanted.items()
    }
    by_form = {form: runs for form, runs in by_form.items() if runs}
    if not by_form:
        return []
    cards.private_view()
    st.markdown(_compared(by_form))
    st.warning(_guarantee_rows(by_form, view), icon=":material/compare_arrows:")
    titled = {FORMS[form]: runs for form, runs in by_form.items()}
    charts.plot(Forms.from_results(titled, results.exact), "dp-means-forms")
    st.caption(
        f"Same data, budget and noise seeds. {detail_level.bands(len(results.now), bars=True)}"
    )
    told = cards.draw_guess_note([runs[0].guarantee for runs in by_form.values()])
    with cards.row("forms"):
        for form, runs in by_form.items():
            cards.result_card(runs[0], FORMS[form], f"form-{form}", guess_noted=told)
    return [_row(form, r) for form, runs in by_form.items() for r in runs]


def _guarantee_rows(results: Mapping[str, Sequence[Result]], view: PageConfig) -> str:
    """What each form hides, and of whom."""
    whom, they = (
        ("a person is", "they look") if view.unit == "person" else ("a record is", "it looks")
    )
    neighbours = {form: f" (**{runs[0].guarantee.adjacency}**)" for form, runs in results.items()}
    replaced = neighbours.get("printed") or neighbours.get("coinpress", "")
    return (
        f"The promises are not the same: the sum form hides that {whom} there at"
        f" all{neighbours.get('sum', '')}; the printed form and CoinPress hide only what {they}"
        f" like{replaced} and take the class counts as public."
    )


def _compared(results: Mapping[str, Sequence[Result]]) -> str:
    """Which form is right most often here, and whether that can be told."""
    points = {form: accuracy(runs, "balanced") for form, runs in results.items()}
    top, told = best(points)
    said = f"**{FORMS[top]}** is right most often here: {percent(points[top])} balanced"
    for form in points:
        if form != top:
            tied = "" if form in told else ", which is within noise"
            said += f"; {IN_WORDS[form]} {percent(points[form])}{tied}"
    return f"{said}."


def _row(form: str, r: Result) -> dict[str, Any]:
    s = r.scores
    row = {"form": form, "seed": r.spec.seed, "balanced": s.balanced}
    return row | {"minority": s.minority, "overall": s.overall}


SECTIONS = {
    "errors": ("Why small classes fail", errors),
    "steps": ("CoinPress, step by step", coinpress.steps),
    "pool": ("Pooling", pooling.pools),
    "forms": ("Three forms", forms),
    "means": ("Five estimators", estimators.show),
    "near": ("By neighbours", neighbours.show),
}
