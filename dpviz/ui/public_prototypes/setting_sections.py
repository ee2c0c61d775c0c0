"""Tabs of the Public prototypes page that vary one setting: score range, K, public set and size."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import streamlit as st

from dpviz.data import public_compared, public_title
from dpviz.diagnostics import prototype_choices
from dpviz.diagnostics.prototype_choices import Curve, window
from dpviz.experiments import reproduce
from dpviz.formatting import budget_at_level, subset
from dpviz.methods.components import public_scores
from dpviz.methods.dppl_publick import K
from dpviz.plots.comparisons import PublicBars
from dpviz.plots.prototypes import WindowMap, selected_window
from dpviz.plots.settings import SettingCurve
from dpviz.stats import best, clear_pairs
from dpviz.text import public_prototypes as text
from dpviz.text.template import render, render_text
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


def _setting(choices: Choices) -> str:
    """Return the current budget and data, for a caption."""
    view = choices.view
    budget = budget_at_level(view.budget, detail_level.precise())
    return render(text.SETTING, budget=budget, data=subset(view))


# ----------------------------------------------------------------------------------- score range


def windows(choices: Choices) -> Rows:
    """Draw accuracy over (d_min, d_max); a click sets both."""
    with st.spinner(text.WINDOW_SPINNER):
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
        render(
            text.WINDOW_CAPTION,
            group=choices.group,
            seeds=len(seeds),
            setting=_setting(choices),
        )
    )
    return [
        {"d_min": a, "d_max": b, "accuracy": accuracy[i, j]}
        for i, a in enumerate(LOWS)
        for j, b in enumerate(HIGHS)
        if a < b
    ]


def _settle(key: str, chart: WindowMap) -> None:
    """Set d_min and d_max to the clicked cell, from a callback."""
    chosen = selected_window(st.session_state[key]["selection"]["points"], chart)
    for name, value in zip(("d_min", "d_max"), chosen or (), strict=False):
        st.session_state[f"{METHOD}.{name}"] = value


def _window_answer(chart: WindowMap, choices: Choices) -> str:
    """Return the best range, the default and the current one."""
    if chart.best is None:
        return untested(choices.rare)
    best, default = chart.accuracy_at(chart.best), chart.accuracy_at(chart.default)
    assert best is not None and default is not None  # both are cells of the map
    low, high = map("{:g}".format, chart.best)
    best_text = render(
        text.WINDOW, ranges=int(np.sum(~np.isnan(chart.accuracy))), low=low, high=high, best=best
    )
    low, high = map("{:g}".format, chart.default)
    now = float(np.mean(choices.values(choices.view.budget.value)))
    now_text = render(text.WINDOW_CURRENT, low=low, high=high, default=default, now=now)
    return f"{best_text} {now_text}"


# -------------------------------------------------------------------- several prototypes, set size


def top_k(choices: Choices) -> Rows:
    """Draw the accuracy of DPPL-PublicK against K."""
    if budget_sections.wants_all_budgets():
        return budget_sections.top_k_by_budget(choices)
    k, maximum = param_widgets.widget(K, "dppl-publick.k"), choices.odds.public
    if k > maximum:
        page_parts.refusals([render_text(text.K_ABOVE, maximum=str(maximum), k=str(k))])
        return []
    ks = tuple(sorted({v for v in (*KS, k) if v <= maximum}))
    info = _info(choices, text.K_AXIS, "dppl-publick", k)
    chart = _curve(choices, "k", ks, prototype_choices.k_curve, info, _k_answer)
    st.caption(_caption(choices, text.K_CAPTION))
    command = reproduce.run_command(prototype_choices.publick(choices.spec, k))
    export.code_block(command)
    return _rows("K", chart)


def sizes(choices: Choices) -> Rows:
    """Draw the accuracy against the number of public images."""
    if budget_sections.wants_all_budgets():
        return budget_sections.sizes(choices)
    m = choices.odds.public
    values = (*(v for v in SIZES if v < 0.95 * m), m)
    info = _info(choices, text.SIZE_AXIS, "dppl-public", m)
    chart = _curve(choices, "size", values, prototype_choices.size_curve, info, _size_answer)
    st.caption(_caption(choices, text.SIZE_CAPTION))
    return _rows("public images", chart)


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
    """Draw a line that grows, below the sentence about it."""
    answer, place = st.empty(), st.empty()
    last = grown(
        (name, choices.spec, choices.draws.seeds, values),
        steps(choices.spec, values, choices.draws.seeds),
        len(values),
        place,
        lambda curve, stage: charts.plot(info(curve), f"{KEY}-{name}{stage}"),
    )
    chart = info(last)
    answer.markdown(say(chart) if chart.points[0].is_measured else untested(choices.rare))
    return chart


def _rows(column: str, chart: SettingCurve) -> Rows:
    points = zip(chart.values, chart.points, strict=True)
    return [
        {column: v, "accuracy": p.mean, "low": p.low, "high": p.high, "runs": p.runs}
        for v, p in points
    ]


def _caption(choices: Choices, more: str, bars: bool = False) -> str:
    """Return what the accuracy counts, what the bands mean, and one more text."""
    return render(
        text.CURVE_CAPTION,
        group=choices.group,
        setting=_setting(choices),
        bands=detail_level.bands(len(choices.draws.seeds), bars),
        more=more,
    )


def _k_answer(chart: SettingCurve) -> str:
    """Return the accuracy with K, with one image, and with the best K."""
    here, single, top = (chart.point_at(value) for value in (chart.current, 1, chart.best))
    clear = clear_pairs(dict(zip(chart.values, chart.points, strict=True)))
    case = "clear" if {chart.best, 1} in clear else "unclear"
    sentences = [render(text.K_NOW, k=chart.current, now=here)]
    if chart.current != 1:
        order = "more" if single.mean > here.mean else "less"
        against = order if {chart.current, 1} in clear else "unclear"
        sentences.append(render(text.K_ONE[against], one=single))
    sentences.append(render(text.K_BEST[case], k=chart.best, best=top))
    return " ".join(sentences)


def _size_answer(chart: SettingCurve) -> str:
    """Return the accuracy with all public images, with few, and which size suffices."""
    whole_set, top = chart.point_at(chart.current), chart.point_at(chart.best)
    clear = clear_pairs(dict(zip(chart.values, chart.points, strict=True)))
    enough = min(v for v in chart.values if {v, chart.best} not in clear)
    case = "clear" if {chart.best, chart.current} in clear else "unclear"
    return " ".join(
        (
            render(text.SIZE_ALL, m=chart.current, whole=whole_set),
            render(text.SIZE_FEW, few=chart.values[0], accuracy=chart.points[0]),
            render(text.SIZE_BEST[case], size=chart.best, best=top, enough=enough),
        )
    )


# ----------------------------------------------------------------------------------- public sets


def sets(choices: Choices) -> Rows:
    """Draw the accuracy with each public set that fits the data."""
    if choices.view.encoder is None:
        st.info(text.ONE_SET)
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
    st.caption(f"{_caption(choices, text.SETS_CAPTION, bars=True)} {origin}")
    return [
        {"public set": title, "seed": r.spec.seed, "accuracy": getattr(r.scores, choices.metric)}
        for title, runs in results.items()
        for r in runs
    ]


def _set_answer(chart: PublicBars) -> str:
    """Return the set with the highest accuracy, and how the others compare."""
    points = dict(zip(chart.names, chart.points, strict=True))
    top, clear = best(points)
    sentences = [render(text.SETS_BEST, name=top, best=points[top])]
    for name in sorted(points, key=lambda name: -points[name].mean):
        if name != top:
            case = "clear" if name in clear else "unclear"
            sentences.append(render(text.SETS_OTHER[case], name=name, accuracy=points[name]))
    return " ".join(sentences)
