"""Views of the AdaMix page on one setting over all budgets, and on its theorems.

Settings: Figures 3 (right) and 4 of the AdaMix paper, and its text on sigma. Theorems: Theorem 3 as
printed and corrected, beside the loss measured on private records.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import streamlit as st

from dpviz.data import public_compared, public_title, shares_classes
from dpviz.data.data_set_table import HELD_ASIDE
from dpviz.diagnostics import convergence_on_data
from dpviz.diagnostics.convergence_on_data import HOLDS_TRIVIALLY, ConvergenceRun, OnData
from dpviz.diagnostics.preset_comparison import accuracy, accuracy_orders
from dpviz.encoders import availability
from dpviz.experiments import reproduce
from dpviz.formatting import budget_text, number, subset, unbroken
from dpviz.methods import adamix
from dpviz.plots.kit.drawing import budget_axis_title
from dpviz.plots.kit.style import GREY, RIGHT, WRONG, LineStyle, shaded
from dpviz.plots.kit.style import line_style as look_of
from dpviz.plots.settings import ErrorLines
from dpviz.stats import Interval, measured
from dpviz.text import mixed_privacy as text
from dpviz.text.template import render, render_text
from dpviz.types import DpvizError, Result, RunSpec
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.live import long_work, page_caches
from dpviz.ui.mixed_privacy.controls import MixedView
from dpviz.ui.widgets import cards, charts, export
from dpviz.ui.widgets.choices import choice, segments
from dpviz.views.page_config import STOPS, Group

KEY = "mixed-privacy-curves"
SIGMAS = (5.0, 10.0, 20.0, 40.0)
DISTANCES = (3.0, 10.0, 30.0)
NGD = {"clip_mode": "fixed", "rank": 0}
#: By title of the line: fields of the run, settings of the method under ``params``.
Variants = dict[str, dict[str, Any]]


def starts(view: MixedView) -> Variants:
    """Return where training starts."""
    titles = dict(text.START_TITLES)
    if not availability.reads_names(view.encoder):
        del titles["class-names"]
    return {title: {"params": {"init": init}} for init, title in titles.items()}


def steps(view: MixedView) -> Variants:
    """Return the last head or the average, at a constant step or at that of Theorem 3."""
    lines: Variants = {
        text.CONSTANT: {"params": NGD},
        text.CONSTANT_AVERAGED: {"params": NGD | {"iterate": "averaged"}},
    }
    for far in DISTANCES:
        title = render_text(text.THEOREM_3_STEP, far=far)
        lines[title] = {"params": adamix.THEOREM | {"distance": far}}
    return lines


def noise(view: MixedView) -> Variants:
    """Return noise multipliers, each with the steps that the budget then pays for."""
    return {render_text(text.NOISE_LINE, sigma=s): {"params": {"sigma": s}} for s in SIGMAS}


def encoders(view: MixedView) -> Variants:
    """Return the chosen encoders; a new one embeds the images first."""
    if view.encoder is None:
        return {}
    titles = availability.titles()
    more = ("lite0" if view.encoder == "glyphnet" else "glyphnet",)
    chosen = choice(
        *(st.multiselect, text.ENCODERS, titles, (view.encoder, *more), "encs"),
        help=text.ENCODERS_HELP,
    )
    return {titles[key]: {"encoder": key} for key in chosen}


def domains(view: MixedView) -> Variants:
    """Return the public sets that share the private classes."""
    if view.encoder is None:
        return {}
    available = public_compared(view.dataset, view.public)
    keys = sorted(available, key=lambda key: key != HELD_ASIDE)
    keys = [key for key in keys if shares_classes(view.dataset, key)]
    return {public_title(key): {"public": key} for key in keys}


#: What lines may differ in: title, variants, and the line that others are compared with.
KINDS = {
    "start": (text.KINDS["start"], starts, text.START_TITLES["none"]),
    "step": (text.KINDS["step"], steps, text.CONSTANT),
    "noise": (text.KINDS["noise"], noise, render_text(text.NOISE_LINE, sigma=SIGMAS[0])),
    "encoder": (text.KINDS["encoder"], encoders, ""),
    "public": (text.KINDS["public"], domains, ""),
}


def section(view: MixedView, metric: str) -> list[dict[str, Any]]:
    """Draw the accuracy over the budget, one line per variant of AdaMix."""
    kind = segments(text.LINES_DIFFER, text.KINDS, "start", "curves")
    _, variants, reference = KINDS[kind]
    lines = variants(view)
    if not lines:
        st.info(text.OWN_FEATURES)
        return []
    wanted = {
        (title, value): _runs(view, value, change)
        for value in budgets(view, kind)
        for title, change in lines.items()
    }
    words = st.empty()

    def chart(results: Mapping[Any, list[Result]]) -> ErrorLines:
        points: dict[str, dict[float, Interval]] = {}
        for (title, value), runs in results.items():
            points.setdefault(title, {})[value] = accuracy(runs, metric)
        styles = {t: line_style(i) for i, t in enumerate(lines)}
        now = (view.budget.value, "now")
        title = budget_axis_title(view.budget.axis, view.budget.delta)
        return ErrorLines.from_points(title, points, styles, mark=now, measure=text.ACCURACY)

    results = long_work.results(
        f"{KEY}-{kind}", wanted, lambda slot, partial: slot.plot(chart(partial))
    )
    here = {
        title: accuracy(runs, metric)
        for (title, value), runs in results.items()
        if value == view.budget.value
    }
    words.markdown(unbroken(answer(here, reference or next(iter(lines)), view)))
    setting = render(
        text.VARIANTS_SETTING,
        group=text.GROUPS[metric],
        subset=subset(view),
        shots=view.shots,
    )
    bands = detail_level.bands(view.seeds)
    st.caption(f"{setting} {bands} {text.NOTES[kind]} {text.FIRST_RUNS}")
    export.code_block(
        "\n".join(reproduce.run_command(wanted[t, view.budget.value][0]) for t in lines)
    )
    return chart(results).table()


MARKERS = ("circle", "square", "diamond", "x", "star")


def line_style(number: int) -> LineStyle:
    """Return AdaMix's color, grayer from line to line, each with its own marker."""
    own = look_of("AdaMix")
    if not number:
        return own
    marker = MARKERS[(number - 1) % len(MARKERS)]
    return dataclasses.replace(shaded(own, number), marker=marker)


def budgets(view: MixedView, kind: str) -> list[float]:
    """Return some stops of the axis and the current budget, without the largest for noise."""
    stops = STOPS[view.budget.axis][4::2]
    return sorted({*(stops[:-1] if kind == "noise" else stops), view.budget.value})


def _runs(view: MixedView, value: float, change: Mapping[str, Any]) -> Group:
    """Return AdaMix's runs at a budget with another field or other settings."""
    fields = {name: v for name, v in change.items() if name != "params"}
    specs = view.runs("AdaMix", (value,), **fields)
    return tuple(_with(spec, change.get("params", {})) for spec in specs)


def _with(spec: RunSpec, params: Mapping[str, Any]) -> RunSpec:
    return dataclasses.replace(spec, params=tuple({**dict(spec.params), **params}.items()))


def answer(points: Mapping[str, Interval], reference: str, view: MixedView) -> str:
    """Return each line's accuracy at the current budget, compared with the reference and tested
    together, as a list in Markdown.
    """
    if reference not in points or len(points) < 2:
        return ""
    signs = accuracy_orders(
        {name: (points[name], points[reference]) for name in points if name != reference}
    )
    precise = detail_level.precise()
    first = render(
        text.VARIANT_FIRST,
        budget=budget_text(view.budget),
        name=reference,
        accuracy=points[reference],
    )
    others = [
        text.VARIANTS[sign].fill(precise, name=name, accuracy=points[name])
        for name, sign in signs.items()
    ]
    return "\n".join([first, "", *(f"- {sentence}" for sentence in others)])


BOUNDS_KEY = "mixed-privacy-bounds"
BOUND_SIGMAS = (2.5, 5.0, 10.0, 20.0, 40.0)
RUNS = 4
LINE_STYLES = {
    text.BOUND_LINES["follows"]: line_style(0),
    text.BOUND_LINES["follows-bound"]: LineStyle(RIGHT, "dot", "diamond"),
    text.BOUND_LINES["printed"]: line_style(1),
    text.BOUND_LINES["printed-bound"]: LineStyle(WRONG, "dash", "x"),
    text.BOUND_LINES["guessing"]: LineStyle(GREY, "dot", "line-ew-open"),
}

_convergence = page_caches.cached_by_content(30, text.THEOREM_RUNNING)(
    convergence_on_data.run_convergence
)


def bounds(view: MixedView, metric: str) -> list[dict[str, Any]]:
    """Draw excess loss and bounds over sigma, and a verdict on each theorem."""
    cards.private_view()
    spec = view.run("AdaMix", view.first_seed)
    try:
        runs = _convergence(spec, BOUND_SIGMAS, RUNS)
    except DpvizError as error:
        page_parts.refusals([str(error)])
        return []
    st.markdown(bounds_answer(runs, view))
    chart = _bounds_chart(runs)
    charts.plot(chart, BOUNDS_KEY)
    st.html(cards.wide_table(verdicts(runs)))
    note = render(
        text.BOUNDS_NOTE,
        n=runs.n,
        subset=subset(view),
        budget=budget_text(view.budget),
        rho=runs.rho,
        distance=runs.distance,
        runs=RUNS,
    )
    step = render(text.BOUNDS_STEP, radius=runs.radius)
    st.caption(f"{note} {step} {text.SAME_CODE}")
    export.code_block(
        "from dpviz.diagnostics import convergence_on_data\n"
        "from dpviz.types import Budget, RunSpec\n\n"
        f"spec = {spec!r}\n"
        f"print(convergence_on_data.run_convergence(spec, {BOUND_SIGMAS}, {RUNS}))",
        "python",
    )
    return chart.table()


def _bounds_chart(runs: OnData) -> ErrorLines:
    exact = lambda value: Interval(value, value, value, 1)
    lines = text.BOUND_LINES
    points = {
        lines["follows"]: {run.sigma: measured(run.excess) for run in runs.follows},
        lines["follows-bound"]: {run.sigma: exact(run.bound.total) for run in runs.follows},
        lines["printed"]: {run.sigma: measured(run.excess) for run in runs.printed},
        lines["printed-bound"]: {run.sigma: exact(run.bound.total) for run in runs.printed},
        lines["guessing"]: {
            sigma: exact(runs.guessing) for sigma in (BOUND_SIGMAS[0], BOUND_SIGMAS[-1])
        },
    }
    return ErrorLines.from_points(
        text.BOUND_AXIS, points, LINE_STYLES, measure=text.BOUND_MEASURE, length=True
    )


def bounds_answer(runs: OnData, view: MixedView) -> str:
    """Return the loss and both bounds with the most steps, and each verdict."""
    run, other = runs.follows[-1], runs.printed[-1]
    loss = lambda nats: f"{nats:.2g}"
    sentences = [
        render(
            text.BOUNDS_ANSWER,
            budget=budget_text(view.budget),
            sigma=run.sigma,
            loss=loss(run.mean),
        ),
        render(text.BOUND_VERDICTS[run.verdict(runs.guessing)], bound=_size(run.bound.total)),
        render(text.PRINTED_ANSWER, loss=loss(other.mean)),
        render(text.PRINTED_VERDICTS[other.verdict(runs.guessing)], bound=_size(other.bound.total)),
        render(text.GUESSING_LOSS, loss=loss(runs.guessing)),
    ]
    return " ".join(sentences)


def verdicts(runs: OnData) -> list[dict[str, Any]]:
    """Return a row per theorem and sigma."""
    rows = [
        _verdict_row(name, run, runs.guessing)
        for name, some in ((text.FOLLOWS, runs.follows), (text.PRINTED, runs.printed))
        for run in some
    ]
    fourth = (text.THEOREM_4, "–", "–", "–", "∞", "∞", text.VERDICTS[HOLDS_TRIVIALLY])
    return [*rows, dict(zip(text.VERDICT_HEADS, (*fourth, text.THEOREM_4_WHY), strict=True))]


def _verdict_row(name: str, run: ConvergenceRun, guessing: float) -> dict[str, Any]:
    verdict = run.verdict(guessing)
    fields = {"steps": _size(run.bound.steps), "guessing": f"{guessing:.2g}"}
    cells = (
        name,
        number(run.sigma),
        f"{run.steps:,}",
        f"{run.mean:.2g} ± {2 * run.unsure:.1g}",
        _size(run.bound.total),
        _size(run.bound.noise),
        text.VERDICTS[verdict],
        render_text(text.VERDICT_REASONS[verdict], **fields),
    )
    return dict(zip(text.VERDICT_HEADS, cells, strict=True))


def _size(nats: float) -> str:
    return f"{nats:,.0f}" if nats >= 100 else f"{nats:.2g}"
