"""Sections of "DP means"; each draws its chart and returns its table."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from dpviz.diagnostics import mean_errors, public_neighbours
from dpviz.diagnostics.public_neighbours import MIN_PICTURES, NEIGHBOR_COUNT, Neighbours
from dpviz.formatting import METRICS, budget_text, literal, minus, percent
from dpviz.plots.by_class import ClassErrors
from dpviz.plots.comparisons import Forms
from dpviz.plots.mean_maps import NeighbourMap
from dpviz.plots.settings import Pooling
from dpviz.run import experiment
from dpviz.stats import accuracy, best
from dpviz.types import DpvizError, Result, RunSpec
from dpviz.ui.dp_means import coinpress, estimators
from dpviz.ui.dp_means.answer import FORM_NAMES, FORMS, Results, form_groups
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.live import long_work, page_caches
from dpviz.ui.widgets import bounded, cards, charts, export
from dpviz.views.page_config import PageConfig
from dpviz.views.phrases import untested

_neighbours = page_caches.cached_by_content(40, "Fitting the map on public pictures …")(
    public_neighbours.neighbours
)


def neighbour_means(
    results: Results, view: PageConfig, names: Sequence[str], metric: str
) -> list[dict[str, Any]]:
    """The means of the first seed at the budget looked at among public pictures."""
    spec = results.at_budget[0].spec
    neighbours = _neighbours(spec)
    if neighbours is None:
        st.info(f"This map is fitted on public pictures; it needs at least {MIN_PICTURES} of them.")
        return []
    cards.private_view()
    st.markdown(neighbours_answer(neighbours, view))
    chart = NeighbourMap(tuple(names), neighbours.public, neighbours.exact, neighbours.private)
    charts.plot(chart, "dp-means-neighbours")
    st.caption(
        f"t-SNE, fitted on {len(neighbours.public):,} public pictures alone, begun at their main"
        " directions, seed fixed: like pictures lie together, distances and directions say nothing."
        " It has no place for anything else, so a mean stands at the average place of the"
        f" {NEIGHBOR_COUNT} public pictures most like it; one that noise has carried off stands"
        " between"
        f" pictures that have nothing in common. Seed {spec.seed}. Exact means are not released."
        " The same again:"
    )
    export.code_block(
        "from dpviz.diagnostics import public_neighbours\n"
        "from dpviz.types import Budget, RunSpec\n\n"
        f"print(public_neighbours.neighbours({spec!r}))",
        "python",
    )
    return [
        row | {"neighbours shared": int(shared)}
        for row, shared in zip(chart.table(), neighbours.shared, strict=True)
    ]


def neighbours_answer(neighbours: Neighbours, view: PageConfig) -> str:
    """How many means stay among their public neighbours, and how far either map can be trusted."""
    kept = int((neighbours.shared > 0).sum())
    return (
        f"At {budget_text(view.budget)} the private means of **{kept} of {len(neighbours.shared)}**"
        " classes share"
        f" at least one of their {NEIGHBOR_COUNT} nearest public pictures with the exact mean."
        " How far pictures that lie near in a map are near in truth (trustworthiness, at most 1):"
        f" **{neighbours.faithful:.2f}** here, **{neighbours.plane:.2f}** in the plane above."
    )


CLASS_SIZES = (20, 50, 100, 200, 400)
RATIOS = (1, 5, 10, 20, 50)
REHEARSAL_HELP = "A choice of yours, not the private class sizes: those would have to be paid for."


def pools(
    results: Results, view: PageConfig, names: Sequence[str], metric: str
) -> list[dict[str, Any]]:
    """Accuracy and noise against k_pool, and the rehearsal on public data."""
    spec, k = results.spec, results.settings["k_pool"]
    seeds = tuple(r.spec.seed for r in results.at_budget)
    left, right = st.columns(2)
    largest = _rehearsal(left, "records of the largest class", CLASS_SIZES, 100, "rn")
    ratio = _rehearsal(right, "imbalance ratio", RATIOS, 10, "rir")
    rows, public, counts, refusal = _pools(spec, seeds, largest, float(ratio))
    chart = Pooling.from_rows(rows, public, metric)
    st.markdown(_pooling_answer(chart, k, view))
    if refusal:
        st.info(literal(refusal))
    else:
        persons = ", the noise of a promise to persons" if view.unit == "person" else ""
        st.markdown(
            f"**Best k on the public set: {chart.best_public}.** Rehearsed with public records"
            f" alone, {len(names)} public kinds playing the classes, {max(counts)} records in the"
            f" largest and {min(counts)} in the smallest, same form, budget and number of"
            f" seeds{persons}:"
            " choosing k this way costs no privacy."
        )
    cards.private_view()
    charts.plot(chart, "dp-means-pooling", k)
    st.caption(
        f"{METRICS[metric]} accuracy. {detail_level.bands(len(seeds))} Noise ÷"
        " signal: root mean square length of the noise over the length of the exact pooled mean,"
        " median over classes (dotted: equal). Whoever reads the best k off the blue line has"
        " looked at private data."
    )
    return chart.table()


def _rehearsal(column: Any, noun: str, options: Sequence[int], value: int, key: str) -> int:
    label, link = f"Rehearsal: {noun}", "query-params"
    with column:
        return bounded.select_slider(label, options, value, key=key, help=REHEARSAL_HELP, bind=link)


def _pooling_answer(chart: Pooling, k: int, view: PageConfig) -> str:
    if not chart.noisy[0].is_measured:
        return untested()
    unpooled, top, now, last = (chart.ks.index(v) for v in (1, chart.best, k, chart.ks[-1]))
    place_text = (
        f"At {budget_text(view.budget)} with k = {k}, {100 * chart.quiet[now]:.0f}%"
        f" are right without noise and **{percent(chart.noisy[now])}** with it."
    )
    shorter = f"{chart.signal[unpooled] / chart.signal[last]:.3g}"
    trade = f"Pooling by {chart.ks[-1]} makes the mean {shorter} times shorter"
    if chart.noise[last] > 0:
        trade = (
            f"Pooling by {chart.ks[-1]} makes the noise"
            f" {chart.noise[unpooled] / chart.noise[last]:.3g}"
            f" times shorter and the mean {shorter} times"
        )
        trade += ", so it buys nothing here" if chart.ratios[last] >= chart.ratios[unpooled] else ""
    if chart.best == 1:
        return f"{place_text} {trade}; no k does better than 1 (private view)."
    gap = 100 * (chart.noisy[top].mean - chart.noisy[unpooled].mean)
    gain = (
        f"{gap:.1f} points above no pooling"
        if 1 in best(dict(zip(chart.ks, chart.noisy, strict=True)))[1]
        else "which is within noise of no pooling"
    )
    return f"{place_text} {trade}; k = {chart.best} does best, {gain} (private view)."


@page_caches.cached_by_content(100, "Trying each k_pool …")
def _pools(
    spec: RunSpec, seeds: tuple[int, ...], largest: int, ratio: float
) -> tuple[tuple, tuple, tuple, str]:
    data = experiment.prepared(spec)
    ks = mean_errors.pool_sizes(data.x.shape[1], dict(spec.params)["k_pool"])
    rows = mean_errors.pooling(data, spec, ks, seeds)
    try:
        stage = mean_errors.rehearsal(data, largest, ratio)
    except DpvizError as error:
        return rows, (), (), str(error)
    public = mean_errors.pooling(stage, spec, ks, seeds)
    return rows, public, stage.counts, ""


Rows = list[dict[str, Any]]


def errors(results: Results, view: PageConfig, names: Sequence[str], metric: str) -> Rows:
    """The error of each class in parts."""
    rows = mean_errors.error_parts(results.full, results.exact, results.quiet, results.at_budget)
    chart = ClassErrors.from_rows(rows, results.exact.minority_classes, names)
    cards.private_view()
    small, rest = chart.means(True), chart.means(False)
    known = not math.isnan(small["total"] + rest["total"])
    st.markdown(
        untested()
        if not known
        else f"Of the minority's test records **{100 * small['total']:.0f}%** are wrong:"
        f" {100 * small['base']:.0f}% would be even with exact means of all records; noise adds"
        f" **{_points(small['noise'])} points**, having fewer records"
        f" **{_points(small['sampling'])}**, clipping and pooling **{_points(small['clipping'])}**."
        f" Of the other classes' {100 * rest['total']:.0f}% are wrong, to which noise adds"
        f" {_points(rest['noise'])} points."
    )
    charts.plot(chart, "dp-means-errors")
    left = "this IR and the bound on each person leave" if view.per_person else "this IR leaves"
    st.caption(
        "Parts of the share of test records that are wrong, added from the bottom; their sum is"
        " the total (dash). Grey: exact means of all available records (IR 1). Fewer records:"
        f" exact means of the records that {left}, minus that. Clipping and pooling: the"
        " chosen form without noise, minus that. Noise: the form at this budget, mean over"
        f" {len(results.at_budget)} seed{'s' if len(results.at_budget) > 1 else ''}, minus that."
        " A part below zero helps a class, mostly because another one lost. Minority: shaded."
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
        "Same data, budget and noise seeds."
        f" {detail_level.bands(len(results.at_budget), bars=True)}"
    )
    noted = cards.draw_guess_note([runs[0].guarantee for runs in by_form.values()])
    with cards.row("forms"):
        for form, runs in by_form.items():
            cards.result_card(runs[0], FORMS[form], f"form-{form}", guess_noted=noted)
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
    top, clear = best(points)
    text = f"**{FORMS[top]}** is right most often here: {percent(points[top])} balanced"
    for form in points:
        if form != top:
            tied = "" if form in clear else ", which is within noise"
            text += f"; {FORM_NAMES[form]} {percent(points[form])}{tied}"
    return f"{text}."


def _row(form: str, r: Result) -> dict[str, Any]:
    s = r.scores
    row = {"form": form, "seed": r.spec.seed, "balanced": s.balanced}
    return row | {"minority": s.minority, "overall": s.overall}


SECTIONS = {
    "errors": ("Why small classes fail", errors),
    "steps": ("CoinPress, step by step", coinpress.steps),
    "pool": ("Pooling", pools),
    "forms": ("Three forms", forms),
    "means": ("Five estimators", estimators.show),
    "near": ("By neighbours", neighbour_means),
}
