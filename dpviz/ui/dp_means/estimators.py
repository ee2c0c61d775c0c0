"""Errors of five private means: against budget, size, dimension and a wrong prior."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from dpviz.diagnostics import mean_estimators
from dpviz.diagnostics.mean_estimators import ESTIMATORS, EXACT, PRIOR, EstimatorErrors, Setting
from dpviz.experiments import experiment
from dpviz.formatting import number
from dpviz.methods.components import friendly_core
from dpviz.plots.kit.style import GREY, LineStyle
from dpviz.plots.settings import ErrorLines
from dpviz.text import dp_means as text
from dpviz.text.template import render, render_text
from dpviz.types import Dataset, DpvizError, RunSpec
from dpviz.ui.dp_means.answer import KEY, Content
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.live import page_caches
from dpviz.ui.widgets import bounded, cards, charts, export
from dpviz.ui.widgets.choices import choice, segments
from dpviz.views import dp_means_page

SEEDS = 5
SIMULATED = "made-up"
AXES = text.AXES
LINE_STYLES = {
    **{key: one.look for key, one in ESTIMATORS.items()},
    EXACT: LineStyle(GREY, "solid", "x"),
    PRIOR: LineStyle(GREY, "dash", "cross"),
}
TITLES = {key: one.title for key, one in ESTIMATORS.items()} | text.ESTIMATOR_TITLES


def show(content: Content) -> list[dict[str, Any]]:
    """Draw the controls, the best estimator, the chart and the guarantees."""
    spec, view = content.results.spec, content.view
    data = experiment.prepared(spec)
    axis = segments(text.AXIS_LABEL, AXES, "rho", "maxis")
    sources = {SIMULATED: text.SIMULATED}
    if data.has_public:
        sources |= {
            str(c): render_text(text.ONE_CLASS, name=name) for c, name in enumerate(content.names)
        }
    source = choice(st.selectbox, text.IMAGES_LABEL, sources, SIMULATED, "mof")
    c = None if source == SIMULATED else int(source)
    setting = _setting(data, c)
    seeds = tuple(range(view.first_seed, view.first_seed + SEEDS))
    try:
        line_errors = _errors(spec, setting, axis, seeds, c)
    except DpvizError as error:
        page_parts.refusals([str(error)])
        return []
    now = float(getattr(setting, axis))
    precise = detail_level.precise()
    st.markdown(dp_means_page.estimators_text(line_errors, setting, now, precise))
    if c is not None:
        cards.private_view()
    chart = _chart(line_errors, axis, now)
    left, right = st.columns([3, 2])
    with left:
        charts.plot(chart, f"{KEY}-estimators")
    with right:
        rows = dp_means_page.estimator_rows(line_errors, TITLES, now)
        st.html(cards.table(text.ESTIMATOR_HEADS, rows))
    st.caption(_caption(setting, axis, c is not None))
    _guarantees(setting)
    export.code_block(_code(setting, axis, seeds, spec, c), "python")
    return chart.table()


def _setting(data: Dataset, c: int | None) -> Setting:
    """Draw a slider per value; a class limits the number of images and coordinates."""
    values, start = {}, Setting()
    for column, name in zip(st.columns(len(AXES)), AXES, strict=True):
        with column:
            values[name] = bounded.select_slider(
                AXES[name],
                mean_estimators.AXES[name],
                getattr(start, name),
                format_func=number,
                key=f"m{name}",
                help=text.AXIS_HELP[name],
                bind="query-params",
            )
    chosen = Setting(**values)
    if c is None:
        return chosen
    at_most = {"n": int(data.counts[c]), "d": data.x.shape[1]}
    return Setting(**vars(chosen) | {k: min(getattr(chosen, k), v) for k, v in at_most.items()})


@page_caches.cached_by_content(100, text.ESTIMATORS_SPINNER)
def _errors(
    spec: RunSpec, setting: Setting, axis: str, seeds: tuple[int, ...], c: int | None
) -> EstimatorErrors:
    if c is None:
        return mean_estimators.errors(setting, axis, seeds)
    data = experiment.prepared(spec)
    draw = lambda place, seed: mean_estimators.of_class(data, c, place, seed)
    return mean_estimators.errors(setting, axis, seeds, draw)


def _chart(results: EstimatorErrors, axis: str, current: float) -> ErrorLines:
    by_title: Mapping = {TITLES[key]: line for key, line in results.items()}
    styles = {TITLES[key]: style for key, style in LINE_STYLES.items()}
    return ErrorLines.from_points(
        AXES[axis],
        by_title,
        styles,
        mark=(current, text.ESTIMATORS_MARK),
        measure=text.ESTIMATORS_MEASURE,
        length=True,
    )


def _caption(setting: Setting, axis: str, is_class: bool) -> str:
    values = dp_means_page.setting_text(setting, axis)
    parts = (
        render(text.ESTIMATORS_CAPTION, setting=values, seeds=SEEDS),
        text.ESTIMATORS_DATA["class" if is_class else "simulated"],
        render(text.ESTIMATORS_NOTES, rows=friendly_core.MAX_ROWS),
    )
    return " ".join(parts)


def _guarantees(setting: Setting) -> None:
    """Draw the guarantee of each estimator, once the fold is open."""
    fold = st.expander(text.ESTIMATOR_GUARANTEES, key="mpromises", on_change="rerun")
    if not fold.open:
        return
    rows = []
    for key, estimator in ESTIMATORS.items():
        guarantee = estimator.plan(setting).guarantee
        template = text.GUARANTEE_FRIENDLY if key == "friendly" else text.GUARANTEE_RHO
        budget = render_text(template, rho=setting.rho, slack=2 * friendly_core.FAILURE)
        row = (TITLES[key], budget, guarantee.adjacency, guarantee.public, guarantee.source)
        rows.append(dict(zip(text.GUARANTEE_COLUMNS, row, strict=True)))
    with fold:
        st.html(cards.wide_table(rows))
        st.caption(text.GUARANTEE_NOTES)


def _code(setting: Setting, axis: str, seeds: Sequence[int], spec: RunSpec, c: int | None) -> str:
    lines = [f"seeds = range({seeds[0]}, {seeds[-1] + 1})"]
    head = ["from dpviz.diagnostics import mean_estimators as means"]
    records = ""
    if c is not None:
        head += [
            "from dpviz.experiments import experiment",
            "from dpviz.types import Budget, RunSpec",
        ]
        lines.append(f"data = experiment.prepared({spec!r})")
        lines.append(f"records = lambda at, seed: means.of_class(data, {c}, at, seed)")
        records = ", records"
    lines.append(f"setting = means.{setting!r}")
    lines.append(f"print(means.errors(setting, {axis!r}, seeds{records}))")
    return "\n".join([*head, "", *lines])
