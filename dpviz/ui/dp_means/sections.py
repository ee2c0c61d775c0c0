"""Tabs of the DP means page; each draws its chart and returns its table."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import Any

import streamlit as st

from dpviz.diagnostics import mean_errors, public_neighbours
from dpviz.diagnostics.public_neighbours import MIN_PICTURES, NEIGHBOR_COUNT
from dpviz.experiments import experiment
from dpviz.formatting import budget_text, literal, number, share, shown_difference
from dpviz.plots.by_class import ClassErrors
from dpviz.plots.comparisons import Forms
from dpviz.plots.mean_maps import NeighbourMap
from dpviz.plots.settings import Pooling
from dpviz.stats import accuracy, best, over_classes
from dpviz.text import dp_means as text
from dpviz.text.cards import EQUAL_CLASSES
from dpviz.text.template import render, render_text
from dpviz.types import DpvizError, Result, RunSpec
from dpviz.ui.dp_means import coinpress, estimators
from dpviz.ui.dp_means.answer import KEY, MEAN, Content, Results, form_groups, turns
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.live import long_work, page_caches, public_runs
from dpviz.ui.widgets import bounded, cards, charts, export
from dpviz.views import method_tiles
from dpviz.views.dp_means_page import rounded
from dpviz.views.phrases import untested

Rows = list[dict[str, Any]]

# -------------------------------------------------------------------------------- error by cause


def errors(content: Content) -> Rows:
    """Draw the error of each class in parts."""
    results = content.results
    rows = mean_errors.error_parts(results.full, results.exact, results.quiet, results.at_budget)
    chart = ClassErrors.from_rows(rows, results.exact.minority_classes, content.names)
    cards.private_view()
    small, rest = chart.means(True), chart.means(False)
    if math.isnan(small["total"] + rest["total"]):
        st.markdown(untested(content.rare))
    else:
        precise = detail_level.precise()
        st.markdown(text.ERRORS.fill(precise, rare=small["noise"], others=rest["noise"]))
    left, right = st.columns([3, 2])
    with left:
        charts.plot(chart, f"{KEY}-errors")
    with right:
        rows_of_table = [
            (label, share(small[part]), share(rest[part]))
            for part, label in text.ERROR_ROWS.items()
        ]
        st.html(cards.table(text.ERROR_HEADS, rows_of_table))
        st.caption(text.ERROR_UNITS)
    caption = text.ERROR_CAPTIONS["person" if content.view.per_person else "image"]
    st.caption(render(caption, seeds=len(results.at_budget)))
    return chart.table()


# ---------------------------------------------------------------------------- guarantee and cost


def cost(content: Content) -> Rows:
    """Draw the guarantee, the effect of noise on the means, and who loses accuracy."""
    results = content.results
    form = results.settings["form"]
    title = render_text(text.CARD_TITLE, method=content.view.titles[MEAN], form=text.FORMS[form])
    turned = turns(results)
    with cards.row("means"):
        cards.result_card(results.at_budget[0], title, f"means-{form}")
        _noise_card(turned)
        _accuracy_card(content)
    return [
        {"class": name, "images": t.n, "angle": t.angle, "noise ÷ mean": t.ratio}
        | {"nearest class": t.nearest}
        for name, t in zip(content.names, turned, strict=True)
    ]


def _noise_card(turned: Sequence[mean_errors.Turn]) -> None:
    with cards.titled(text.NOISE_CARD):
        cards.private_view()
        ranked = sorted(turned, key=lambda t: -t.n)
        picked = (ranked[0], ranked[len(ranked) // 2], ranked[-1])
        rows = [
            (
                render_text(template, n=turn.n),
                render_text(text.ANGLE, angle=round(turn.angle)),
                number(rounded(turn.ratio)),
            )
            for template, turn in zip(text.NOISE_ROWS.values(), picked, strict=True)
        ]
        st.html(cards.table(text.NOISE_HEADS, rows))
        nearest = median(t.nearest for t in turned)
        st.caption(render(text.NEAREST, nearest=round(nearest)))


def _accuracy_card(content: Content) -> None:
    with cards.titled(text.CLASSES_CARD):
        cards.private_view()
        values = {}
        if content.rare:
            small = content.results.exact.minority_classes
            others = [c for c in range(len(content.names)) if c not in small]
            values["rare"] = _class_accuracy(content.results, small)
            values["others"] = _class_accuracy(content.results, others)
        if content.public_here:
            gap = method_tiles.difference_text(content.public_here, content.private_here)
            values["public"] = render_text(
                text.PUBLIC_ACCURACY, public=content.public_here, difference=gap
            )
        rows = [(text.CLASSES_ROWS[name], value) for name, value in values.items()]
        st.html(cards.definition(rows))
        captions = [render(text.RARE_NAMES, classes=content.rare) if content.rare else ""]
        precise, plain = public_runs.public_only_text(
            {MEAN: content.private_here}, content.public_here
        )
        captions += [detail_level.at_level(precise, plain)]
        st.caption(" ".join(filter(None, captions)) or EQUAL_CLASSES)


def _class_accuracy(results: Results, classes: Sequence[int]) -> str:
    """Return the accuracy over some classes with noise, and with exact means."""
    if not classes:
        return text.NO_CLASS
    private = over_classes(results.at_budget, classes)
    exact = over_classes([results.exact], classes)
    return render_text(text.CLASS_ACCURACY, private=private, exact=exact)


# --------------------------------------------------------------------------------------- pooling

CLASS_SIZES = (20, 50, 100, 200, 400)
RATIOS = (1, 5, 10, 20, 50)


def pools(content: Content) -> Rows:
    """Draw accuracy and noise against k_pool, and the rehearsal on public data."""
    results, view = content.results, content.view
    seeds = tuple(r.spec.seed for r in results.at_budget)
    left, right = st.columns(2)
    largest = _rehearsal_control(left, text.REHEARSAL_SIZE, CLASS_SIZES, 100, "rn")
    ratio = _rehearsal_control(right, text.REHEARSAL_RATIO, RATIOS, 10, "rir")
    rows, public, counts, refusal = _pools(results.spec, seeds, largest, float(ratio))
    chart = Pooling.from_rows(rows, public, content.metric)
    st.markdown(_pooling_answer(chart, results.settings["k_pool"], content))
    if refusal:
        st.info(literal(refusal))
    else:
        st.markdown(
            render(
                text.REHEARSAL[view.unit],
                best=str(chart.best_public),
                classes=len(content.names),
                largest=max(counts),
                smallest=min(counts),
            )
        )
    cards.private_view()
    charts.plot(chart, f"{KEY}-pooling", results.settings["k_pool"])
    bands = detail_level.bands(len(seeds))
    st.caption(render(text.POOLING_CAPTION, group=content.group, bands=bands))
    return chart.table()


def _rehearsal_control(
    column: Any, label: str, options: Sequence[int], value: int, key: str
) -> int:
    with column:
        return bounded.select_slider(
            label, options, value, key=key, help=text.REHEARSAL_HELP, bind="query-params"
        )


def _pooling_answer(chart: Pooling, k: int, content: Content) -> str:
    if not chart.noisy[0].is_measured:
        return untested(content.rare)
    unpooled, top, now, last = (chart.ks.index(v) for v in (1, chart.best, k, chart.ks[-1]))
    accuracy_text = text.POOLING.fill(
        detail_level.precise(),
        budget=budget_text(content.view.budget),
        k=str(k),
        quiet=chart.quiet[now],
        noisy=chart.noisy[now],
    )
    effect = "quiet"
    if chart.noise[last] > 0:
        effect = "loss" if chart.ratios[last] >= chart.ratios[unpooled] else "gain"
    effect_text = render(
        text.POOLING_EFFECT[effect],
        last=str(chart.ks[-1]),
        mean=_times(chart.signal[unpooled], chart.signal[last]),
        noise=_times(chart.noise[unpooled], chart.noise[last]),
    )
    choice = "none"
    if chart.best != 1:
        points = dict(zip(chart.ks, chart.noisy, strict=True))
        choice = "clear" if 1 in best(points)[1] else "unclear"
    gap = shown_difference(chart.noisy[top], chart.noisy[unpooled])
    choice_text = render(text.POOLING_BEST[choice], best=str(chart.best), gap=gap)
    return f"{accuracy_text} {effect_text} {choice_text}"


def _times(first: float, second: float) -> float:
    """Return a quotient with three significant digits; infinity where the divisor is 0."""
    return float(f"{first / second:.3g}") if second > 0 else math.inf


@page_caches.cached_by_content(100, text.POOLING_SPINNER)
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


# ----------------------------------------------------------------------------------- three forms


def forms(content: Content) -> Rows:
    """Draw the three forms at one budget, with their guarantees."""
    view, results = content.view, content.results
    wanted = {form: form_groups(view, results.settings, form) for form in text.FORMS}
    every = [group for groups in wanted.values() for group in groups]
    job = long_work.collect(f"{KEY}-forms", every, st.empty())
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
    st.warning(_guarantees_text(by_form, view.unit), icon=":material/compare_arrows:")
    titled = {text.FORMS[form]: runs for form, runs in by_form.items()}
    charts.plot(Forms.from_results(titled, results.exact), f"{KEY}-forms")
    bands = detail_level.bands(len(results.at_budget), bars=True)
    st.caption(render(text.FORMS_CAPTION, bands=bands))
    noted = cards.draw_guess_note([runs[0].guarantee for runs in by_form.values()])
    with cards.row("forms"):
        for form, runs in by_form.items():
            cards.result_card(runs[0], text.FORMS[form], f"form-{form}", guess_noted=noted)
    return [_form_row(form, r) for form, runs in by_form.items() for r in runs]


def _guarantees_text(results: Mapping[str, Sequence[Result]], unit: str) -> str:
    """Return what each form hides; the printed form and CoinPress have the same neighbors."""
    neighbors = {form: runs[0].guarantee.adjacency for form, runs in results.items()}
    replace = neighbors.get("printed") or neighbors.get("coinpress")
    add = neighbors.get("sum")
    case = "both" if add and replace else "sum" if add else "replace"
    return render(text.GUARANTEES[case][unit], add=add or "", replace=replace or "")


def _compared(results: Mapping[str, Sequence[Result]]) -> str:
    """Return which form has the highest accuracy, and which others are significantly lower."""
    points = {form: accuracy(runs, "balanced") for form, runs in results.items()}
    top, clear = best(points)
    sentences = [render(text.COMPARED_BEST, form=text.FORMS_IN_SENTENCE[top], best=points[top])]
    sentences += [
        render(
            text.COMPARED["clear" if form in clear else "unclear"],
            form=text.FORMS_IN_SENTENCE[form],
            accuracy=points[form],
        )
        for form in points
        if form != top
    ]
    return " ".join(sentences)


def _form_row(form: str, r: Result) -> dict[str, Any]:
    s = r.scores
    row = {"form": form, "seed": r.spec.seed, "balanced": s.balanced}
    return row | {"minority": s.minority, "overall": s.overall}


# ---------------------------------------------------------------------------------- neighbor map

_neighbors = page_caches.cached_by_content(40, text.NEIGHBORS_SPINNER)(public_neighbours.neighbours)
CODE = (
    "from dpviz.diagnostics import public_neighbours\n"
    "from dpviz.types import Budget, RunSpec\n\n"
    "print(public_neighbours.neighbours({spec!r}))"
)


def neighbor_means(content: Content) -> Rows:
    """Draw the means of the first seed among public images."""
    spec = content.results.at_budget[0].spec
    neighbors = _neighbors(spec)
    if neighbors is None:
        st.info(render(text.TOO_FEW_PUBLIC, needed=MIN_PICTURES))
        return []
    cards.private_view()
    shared = neighbors.shared
    found = text.NEIGHBORS.fill(
        detail_level.precise(),
        budget=budget_text(content.view.budget),
        kept=int((shared > 0).sum()),
        classes=len(shared),
    )
    trust = render(
        text.TRUSTWORTHINESS, here=rounded(neighbors.faithful), plane=rounded(neighbors.plane)
    )
    st.markdown(f"{found} {trust}")
    chart = NeighbourMap(tuple(content.names), neighbors.public, neighbors.exact, neighbors.private)
    charts.plot(chart, f"{KEY}-neighbours")
    st.caption(
        render(
            text.NEIGHBORS_CAPTION,
            public=len(neighbors.public),
            nearest=NEIGHBOR_COUNT,
            seed=spec.seed,
        )
    )
    export.code_block(CODE.format(spec=spec), "python")
    return [
        row | {"shared neighbors": int(count)}
        for row, count in zip(chart.table(), shared, strict=True)
    ]


#: What draws each tab; the tab "Table" is drawn by the page.
SECTIONS: dict[str, Callable[[Content], Rows]] = {
    "errors": errors,
    "steps": coinpress.steps,
    "cost": cost,
    "pool": pools,
    "forms": forms,
    "means": estimators.show,
    "near": neighbor_means,
}
