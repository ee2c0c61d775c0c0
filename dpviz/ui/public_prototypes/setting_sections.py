"""The closer looks of the page "Public prototypes" that move one setting: the score window, K of
DPPL-PublicK, the size of the public set, which public set.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import streamlit as st

from dpviz.data import public_compared, public_title
from dpviz.diagnostics import prototype_choices
from dpviz.diagnostics.prototype_choices import Curve, window
from dpviz.formatting import METRIC_WORDS, budget_text, percent, subset
from dpviz.methods.components import public_scores
from dpviz.methods.dppl_publick import K
from dpviz.plots.comparisons import PublicBars
from dpviz.plots.prototypes import WindowMap, selected_window
from dpviz.plots.settings import SettingCurve
from dpviz.run import reproduce
from dpviz.stats import Interval, best, clear_pairs
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.live import long_work
from dpviz.ui.public_prototypes import budget_sections
from dpviz.ui.public_prototypes.answer import KEY, METHOD, Choices
from dpviz.ui.public_prototypes.budget_sections import grown
from dpviz.ui.widgets import cards, charts, export, param_widgets
from dpviz.views.phrases import untested

LOWS = tuple(round(0.5 + 0.1 * k, 1) for k in range(14))
HIGHS = tuple(round(0.6 + 0.1 * k, 1) for k in range(15))
MAP_SEEDS = 5
KS = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)
SIZES = (10, 30, 100, 300, 1000, 3000, 10000, 30000, 100000)
Rows = list[dict[str, Any]]


def _current(choices: Choices) -> str:
    return f"at {budget_text(choices.view.budget)}, {subset(choices.view)}"


# --------------------------------------------------------------------------------- the score window


def windows(choices: Choices) -> Rows:
    """The heat map of accuracy over (d_min, d_max)."""
    with st.spinner("Summing up the scores for every window …"):
        public_scores.keep_grid(choices.data)
    seeds, spec = choices.draws.seeds[:MAP_SEEDS], dataclasses.replace(choices.spec, params=())
    cards.private_view()
    answer, place = st.empty(), st.empty()

    def info(accuracy: np.ndarray) -> WindowMap:
        both = window(choices.spec), window(spec)
        return WindowMap.from_accuracy(LOWS, HIGHS, accuracy, choices.metric, *both)

    def draw(accuracy: np.ndarray, stage: str) -> None:
        if stage:
            charts.plot(info(accuracy), f"{KEY}-window{stage}")
            return
        chart, key = info(accuracy), f"{KEY}-window"
        figure, alt = chart.figure(), chart.alt()
        page_parts.current_page().pictures[key] = page_parts.Picture(alt, figure)
        charts.clickable(figure, alt, key, lambda: _settle(key, chart))

    steps = prototype_choices.window_map(spec, LOWS, HIGHS, seeds, choices.metric)
    key = ("window", spec, choices.metric, seeds)
    accuracy = grown(key, steps, len(LOWS), place, draw)
    answer.markdown(_window_answer(info(accuracy), choices))
    st.caption(
        f"Accuracy in %, {METRIC_WORDS[choices.metric]}, mean over {len(seeds)} noise seeds"
        f" {_current(choices)}; a click on a cell sets its window. The best of many means is partly"
        " luck,"
        " and choosing the best cell by looking at this map is not paid for: the map is made of"
        " test accuracies of private releases. An honest choice uses the default, public data or a"
        " share of the budget."
    )
    return [
        {"d_min": a, "d_max": b, "accuracy": accuracy[i, j]}
        for i, a in enumerate(LOWS)
        for j, b in enumerate(HIGHS)
        if a < b
    ]


def _settle(key: str, chart: WindowMap) -> None:
    """Set d_min and d_max to the cell that was clicked, from a callback."""
    chosen = selected_window(st.session_state[key]["selection"]["points"], chart)
    for name, value in zip(("d_min", "d_max"), chosen or (), strict=False):
        st.session_state[f"{METHOD}.{name}"] = value


def _window_answer(chart: WindowMap, choices: Choices) -> str:
    if chart.best is None:
        return untested()
    best, default = chart.accuracy_at(chart.best), chart.accuracy_at(chart.default)
    assert best is not None and default is not None  # both are cells of the map
    here = float(np.mean(choices.values(choices.view.budget.value)))
    return (
        f"The best of {int(np.sum(~np.isnan(chart.accuracy)))} windows is {chart.best[0]:g} to"
        f" {chart.best[1]:g} with **{100 * best:.0f}%**; the default {chart.default[0]:g} to"
        f" {chart.default[1]:g} gives **{100 * default:.0f}%**, the one now **{100 * here:.0f}"
        "%**."
    )


# ---------------------------------------------------------------- K, and the size of the public set


def top_k(choices: Choices) -> Rows:
    """Accuracy of DPPL-PublicK against K."""
    if budget_sections.wants_all_budgets():
        return budget_sections.top_k_by_budget(choices)
    k, maximum = param_widgets.widget(K, "dppl-publick.k"), choices.odds.public
    if k > maximum:
        page_parts.refusals(
            [f"K is {k} and the public set has {maximum} pictures; use at most as many."]
        )
        return []
    ks = tuple(sorted({v for v in (*KS, k) if v <= maximum}))
    info = _info(choices, "K, public pictures a class", "dppl-publick", k)
    chart = _curve(choices, "k", ks, prototype_choices.k_curve, info, _k_answer)
    st.caption(
        _bands(choices, "DPPL-PublicK with the window of the controls; K = 1 is DPPL-Public.")
    )
    command = reproduce.run_command(prototype_choices.publick(choices.spec, k))
    export.code_block(command)
    return _rows("K", chart)


def sizes(choices: Choices) -> Rows:
    """Accuracy against the number of public pictures."""
    if budget_sections.wants_all_budgets():
        return budget_sections.sizes(choices)
    m = choices.odds.public
    values = (*(v for v in SIZES if v < 0.95 * m), m)
    info = _info(choices, "public pictures to choose from", "dppl-public", m)
    chart = _curve(choices, "size", values, prototype_choices.size_curve, info, _size_answer)
    st.caption(
        _bands(
            choices,
            "A seed draws the noise and, before it, the subset; subsets of a seed are nested. The"
            " last point is the whole set.",
        )
    )
    return _rows("public pictures", chart)


def _info(
    choices: Choices, title: str, method: str, current: int
) -> Callable[[Curve], SettingCurve]:
    levels = choices.levels
    return lambda curve: SettingCurve.from_scores(
        curve, title, method, choices.metric, current, levels
    )


def _curve(
    choices: Choices,
    name: str,
    values: tuple[int, ...],
    steps: Callable[..., Iterator[Curve]],
    info: Callable[[Curve], SettingCurve],
    say: Callable[[SettingCurve], str],
) -> SettingCurve:
    """A line that grows, below the sentence that it gives."""
    answer, place = st.empty(), st.empty()
    last = grown(
        (name, choices.spec, choices.draws.seeds, values),
        steps(choices.spec, values, choices.draws.seeds),
        len(values),
        place,
        lambda curve, stage: charts.plot(info(curve), f"{KEY}-{name}{stage}"),
    )
    chart = info(last)
    answer.markdown(say(chart) if chart.points[0].is_measured else untested())
    return chart


def _rows(column: str, chart: SettingCurve) -> Rows:
    points = zip(chart.values, chart.points, strict=True)
    return [
        {column: v, "accuracy": p.mean, "low": p.low, "high": p.high, "runs": p.runs}
        for v, p in points
    ]


def _bands(choices: Choices, addition: str, bars: bool = False) -> str:
    return (
        f"Accuracy, {METRIC_WORDS[choices.metric]}, {_current(choices)}."
        f" {detail_level.bands(len(choices.draws.seeds), bars)}"
        f" {addition}"
    )


def _k_answer(chart: SettingCurve) -> str:
    here_point, single_point, top = (
        chart.point_at(value) for value in (chart.current, 1, chart.best)
    )
    clear = clear_pairs(dict(zip(chart.values, chart.points, strict=True)))
    difference = (
        f" ({_difference(here_point, single_point, {chart.current, 1} in clear)})"
        if chart.current != 1
        else ""
    )
    text = (
        f"With K = {chart.current} **{percent(here_point)}** are right, with K = 1"
        f" **{percent(single_point)}**{difference}"
    )
    if {chart.best, 1} not in clear:
        return (
            f"{text}. No K tried is better than K = 1 beyond the noise: here the paper's"
            " gain from several prototypes does not show."
        )
    return (
        f"{text}. The best K tried is {chart.best} with **{percent(top)}**"
        f" ({_difference(top, single_point, True)}, compared with K = 1)."
    )


def _size_answer(chart: SettingCurve) -> str:
    whole_set, top = chart.point_at(chart.current), chart.point_at(chart.best)
    clear = clear_pairs(dict(zip(chart.values, chart.points, strict=True)))
    enough = min(v for v in chart.values if {v, chart.best} not in clear)
    text = (
        f"With all {chart.current:,} public pictures **{percent(whole_set)}** are right, with"
        f" {chart.values[0]:,} of them **{percent(chart.points[0])}**"
    )
    if {chart.best, chart.current} in clear:
        return (
            f"{text}. More is not always better here: {chart.best:,} give **{percent(top)}**"
            f" ({_difference(top, whole_set, True)}, compared with all)."
        )
    return f"{text}; from **{enough:,}** on no loss against the best can be told from noise."


def _difference(a: Interval, b: Interval, clear: bool) -> str:
    return f"{100 * (a.mean - b.mean):+.0f} points" if clear else "within noise"


# --------------------------------------------------------------------------------- which public set


def sets(choices: Choices) -> Rows:
    """Accuracy with each public set that goes with the data."""
    if choices.view.encoder is None:
        st.info(
            "This data brings one public set of its own; choose a set of pictures to compare"
            " several."
        )
        return []
    if budget_sections.wants_all_budgets():
        return budget_sections.sets(choices)
    seeds = choices.draws.seeds
    keys = public_compared(choices.view.dataset, choices.view.public)
    titles = {key: public_title(key) for key in keys}
    groups = {
        title: tuple(dataclasses.replace(choices.spec, public=key, seed=s) for s in seeds)
        for key, title in titles.items()
    }
    status, answer = st.empty(), st.empty()
    job = long_work.collect(f"{KEY}-sets", list(groups.values()), status)
    page_parts.refusals(job.errors.values())
    results = {title: job.done[group] for title, group in groups.items() if group in job.done}
    if not results:
        return []
    chosen = titles[choices.data.public_key or ""]
    chart = PublicBars.from_results(results, chosen, choices.metric, choices.levels)
    answer.markdown(_set_answer(chart))
    charts.plot(chart, f"{KEY}-sets")
    origin = page_parts.origin([r for runs in results.values() for r in runs])
    st.caption(f"{_bands(choices, 'The set in use is outlined.', bars=True)} {origin}")
    return [
        {"public set": title, "seed": r.spec.seed, "accuracy": getattr(r.scores, choices.metric)}
        for title, runs in results.items()
        for r in runs
    ]


def _set_answer(chart: PublicBars) -> str:
    points = dict(zip(chart.names, chart.points, strict=True))
    top, clear = best(points)
    texts = [
        f"{name} **{percent(point)}** ({_difference(point, points[top], name in clear)})"
        for name, point in sorted(points.items(), key=lambda pair: -pair[1].mean)
        if name != top
    ]
    return f"{'; '.join([f'{top} give **{percent(points[top])}**', *texts])}."
