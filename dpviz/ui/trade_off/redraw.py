"""Tab Redraw of Trade-off: each click runs the methods once with new noise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from dpviz.diagnostics import training_curve
from dpviz.experiments import reproduce
from dpviz.formatting import METRICS
from dpviz.lazy_imports import pandas as pd
from dpviz.methods import METHODS
from dpviz.plots.noise_draws import MethodDraws, NoiseDraws
from dpviz.stats import best
from dpviz.text import redraw as text
from dpviz.text.template import render
from dpviz.types import RunSpec
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.live import long_work
from dpviz.ui.trade_off.one_chart import KEY, ShownChart
from dpviz.ui.widgets import cards, charts, export, training_curves
from dpviz.views import noise_draws, phrases, public_only
from dpviz.views.page_config import PageConfig

NAME = f"{KEY}-redraw"
"""Key of the job and the chart."""
DRAWS = "redraw:draws"
"""Key of all draws of this session."""
Draws = dict[int, dict[str, float] | None]
"""Accuracies by metric of each seed of a method; None until they are computed."""


def draw(chart: ShownChart) -> None:
    """Draw the button, and the draws at the current settings."""
    view, metric = chart.results.view, chart.results.metric
    points = chart.curve.points_at(view.budget.value)
    if not any(point.is_measured for point in points.values()):
        st.markdown(phrases.untested())
        return
    specs = {key: view.spec(key) for key in view.methods if key in points}
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            text.BUTTON,
            key="redraw",
            help=text.HELP,
            icon=":material/casino:",
            on_click=_add_seed,
            args=(specs, view.first_seed),
        )
        finding = st.empty()
    _compute(specs, view)
    rows = [row for key, spec in specs.items() if (row := _row(key, spec, metric)).seeds]
    seed = max((row.seeds[-1] for row in rows), default=0)
    draws = NoiseDraws(metric, tuple(rows), seed, _public(chart))
    top = next((row for row in rows if row.method == best(points)[0]), None)
    precise = detail_level.precise()
    finding.markdown(noise_draws.finding(top, draws, view, precise))
    if top is None:
        return
    shown = max(len(row.last) for row in rows)
    charts.plot(draws, NAME)
    st.caption(text.CAPTION.fill(precise, shown=shown))
    title = METHODS[top.method].title
    words = text.SEED["several" if chart.curve.draws > 1 else "one"]
    fields = {"seed": str(seed), "draw": str(view.draw), "draws": chart.curve.draws}
    st.caption(render(words, method=title, **fields))
    command = reproduce.run_command(replace(specs[top.method], seed=seed))
    export.code_block(command, "text")  # colored words lack contrast on a light page
    export.csv(text.CSV, pd.DataFrame(draws.table()), "draws.csv")
    runs = [replace(specs[row.method], seed=seed) for row in rows if seed in row.seeds]
    _draw_steps([run for run in runs if run.method in training_curve.METHODS_WITH_STEPS], metric)


def _draw_steps(runs: Sequence[RunSpec], metric: str) -> None:
    """Draw the accuracy by step of some runs, once the fold is open."""
    if not runs:
        return
    folded = st.expander(text.STEPS, key="steps", bind="query-params")
    if not folded.open:
        return
    with folded:
        cards.private_view()
        titled = {METHODS[run.method].title: run for run in runs}
        training_curves.draw(titled, metric, f"{KEY}-steps")


def _draws_of(spec: RunSpec) -> Draws:
    """Draws of this session at the settings of a run with the page's first seed."""
    return st.session_state.setdefault(DRAWS, {}).setdefault(spec, {})


def _add_seed(specs: Mapping[str, RunSpec], first_seed: int) -> None:
    """Ask each method for a draw with a seed that none of them has."""
    draws = [_draws_of(spec) for spec in specs.values()]
    seed = noise_draws.next_seed(first_seed, (seed for seeds in draws for seed in seeds))
    for seeds in draws:
        seeds[seed] = None


def _compute(specs: Mapping[str, RunSpec], view: PageConfig) -> None:
    """Run the draws without accuracies; a draw that fails is removed."""
    missing = {
        (replace(spec, seed=seed),): spec
        for spec in specs.values()
        for seed, accuracies in _draws_of(spec).items()
        if accuracies is None
    }
    if not missing:
        return
    job = long_work.collect(NAME, list(missing), st.empty(), near=view.near)
    page_parts.refusals(job.errors.values())
    for (run,), spec in missing.items():
        if (run,) in job.errors:
            del _draws_of(spec)[run.seed]
        for result in job.results_of((run,)):
            scores = {metric: getattr(result.scores, metric) for metric in METRICS}
            _draws_of(spec)[run.seed] = scores


def _row(method: str, spec: RunSpec, metric: str) -> MethodDraws:
    """Computed draws of a method."""
    computed = {seed: scores[metric] for seed, scores in _draws_of(spec).items() if scores}
    return MethodDraws(method, METHODS[method].title, tuple(computed), tuple(computed.values()))


def _public(chart: ShownChart) -> float | None:
    """Accuracy of public images alone on the data draw of the runs."""
    results = chart.results.view.of_first_draw(chart.results.drawn_results)
    runs = [result for result in results if result.spec.method == public_only.KEY]
    return getattr(runs[0].scores, chart.results.metric) if runs else None
