"""Sections of "Mixed privacy" on one setting over all budgets, and on its theorems.

Settings: Figures 3 (right) and 4 of the AdaMix paper, and its text on sigma. Theorems: Theorem 3 as
printed and as it follows, beside the loss measured on the private records.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import streamlit as st

from dpviz.data import public_compared, public_title, shares_classes
from dpviz.data.data_set_table import HELD_ASIDE
from dpviz.diagnostics import convergence_on_data
from dpviz.diagnostics.convergence_on_data import (
    FAILS,
    HOLDS,
    HOLDS_TRIVIALLY,
    UNDECIDED,
    ConvergenceRun,
    OnData,
)
from dpviz.diagnostics.preset_comparison import error, orders
from dpviz.encoders import availability
from dpviz.formatting import (
    METRIC_WORDS,
    axis_title,
    budget_text,
    number,
    percent,
    subset,
    unbroken,
)
from dpviz.methods import adamix
from dpviz.plots.kit.style import GREY, RIGHT, WRONG, LineStyle, shaded
from dpviz.plots.kit.style import line_style as look_of
from dpviz.plots.settings import ErrorLines
from dpviz.run import reproduce
from dpviz.stats import Interval, measured
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
Variants = dict[str, dict[str, Any]]
"""By the line's title: fields of the run, settings of the method under ``params``."""


def starts(view: MixedView) -> Variants:
    """Where training starts."""
    named = {
        "zeros": "none",
        "public shots": "few-shot",
        "label prototypes": "label-prototypes",
        "class names": "class-names",
    }
    if not availability.reads_names(view.encoder):
        del named["class names"]
    return {title: {"params": {"init": init}} for title, init in named.items()}


def steps(view: MixedView) -> Variants:
    """The last head or the average, at a constant step or at that of Theorem 3."""
    lines: Variants = {
        "a constant step": {"params": NGD},
        "a constant step and the average": {"params": NGD | {"iterate": "averaged"}},
    }
    for far in DISTANCES:
        params = adamix.THEOREM | {"distance": far}
        lines[f"Theorem 3 and D = {far:g}"] = {"params": params}
    return lines


def noise(view: MixedView) -> Variants:
    """Noise multipliers, each with the steps that the budget then pays for."""
    return {f"σ = {s:g}": {"params": {"sigma": s}} for s in SIGMAS}


def encoders(view: MixedView) -> Variants:
    """Encoders that can be used here; each that is new embeds the pictures first."""
    if view.encoder is None:
        return {}
    titles = availability.titles()
    more = ("lite0" if view.encoder == "glyphnet" else "glyphnet",)
    chosen = choice(
        st.multiselect,
        "Encoders, each of which embeds the pictures once",
        titles,
        (view.encoder, *more),
        "encs",
    )
    return {titles[key]: {"encoder": key} for key in chosen}


def domains(view: MixedView) -> Variants:
    """Public sets with classes of the private names."""
    if view.encoder is None:
        return {}
    available = public_compared(view.dataset, view.public)
    keys = sorted(available, key=lambda key: key != HELD_ASIDE)
    keys = [key for key in keys if shares_classes(view.dataset, key)]
    return {public_title(key): {"public": key} for key in keys}


KINDS = {
    "start": ("Start", starts, "zeros"),
    "step": ("Step size", steps, "a constant step"),
    "noise": ("Noise σ", noise, "σ = 5"),
    "encoder": ("Encoder", encoders, ""),
    "public": ("Public pictures", domains, ""),
}


def section(view: MixedView, metric: str) -> list[dict[str, Any]]:
    """Error over the budget, a line a variant of AdaMix."""
    titles = {key: title for key, (title, *_) in KINDS.items()}
    kind = segments("Lines differ in", titles, "start", "curves")
    _, variants, reference = KINDS[kind]
    lines = variants(view)
    if not lines:
        st.info("This data brings features of its own; choose pictures to compare these.")
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
            points.setdefault(title, {})[value] = error(runs, metric)
        styles = {t: line_style(i) for i, t in enumerate(lines)}
        now = (view.budget.value, "now")
        title = axis_title(view.budget.axis, view.budget.delta)
        return ErrorLines.from_points(title, points, styles, mark=now)

    results = long_work.results(
        f"{KEY}-{kind}", wanted, lambda slot, partial: slot.plot(chart(partial))
    )
    here = {
        title: error(runs, metric)
        for (title, value), runs in results.items()
        if value == view.budget.value
    }
    words.markdown(unbroken(answer(here, reference or next(iter(lines)), view)))
    st.caption(
        f"Error: 100% minus records {METRIC_WORDS[metric]}, {subset(view)}, {view.shots} public"
        f" shots a class. {detail_level.bands(view.seeds)} {NOTES[kind]} The first run of each line"
        " again:"
    )
    export.code_block(
        "\n".join(reproduce.run_command(wanted[t, view.budget.value][0]) for t in lines)
    )
    return chart(results).table()


NOTES = {
    "start": "All else is AdaMix as set above.",
    "step": (
        "The constant step is NGD's, with a threshold of 1. Theorem 3: step 2/(λ(t + 1)), λ ="
        " τ√(2d/ρ)/D, τ = 1.42, decay centred on the start, heads averaged. Public there: τ, the"
        " number of weights d, the budget ρ. Assumed: D, how far the best head lies from the start,"
        " which nobody has measured."
    ),
    "noise": "The number of steps follows from σ and the budget, up to the ceiling on T.",
    "encoder": "The paper compares ResNet-50 with CLIP, whose weights are not shipped.",
    "public": "Held aside: pictures of the private set's own kind, which it loses.",
}


MARKERS = ("circle", "square", "diamond", "x", "star")


def line_style(number: int) -> LineStyle:
    """AdaMix's colour, greyer from line to line, each with a marker of its own."""
    own = look_of("AdaMix")
    if not number:
        return own
    marker = MARKERS[(number - 1) % len(MARKERS)]
    return dataclasses.replace(shaded(own, number), marker=marker)


def budgets(view: MixedView, kind: str) -> list[float]:
    """Some stops of the axis and the budget looked at; none of the laxest where steps are many."""
    stops = STOPS[view.budget.axis][4::2]
    return sorted({*(stops[:-1] if kind == "noise" else stops), view.budget.value})


def _runs(view: MixedView, value: float, change: Mapping[str, Any]) -> Group:
    """AdaMix's runs at a budget with another field or other settings."""
    fields = {name: v for name, v in change.items() if name != "params"}
    specs = view.runs("AdaMix", (value,), **fields)
    return tuple(_with(spec, change.get("params", {})) for spec in specs)


def _with(spec: RunSpec, params: Mapping[str, Any]) -> RunSpec:
    return dataclasses.replace(spec, params=tuple({**dict(spec.params), **params}.items()))


def answer(points: Mapping[str, Interval], reference: str, view: MixedView) -> str:
    """One sentence: each line's error at the budget looked at, and which are told from the first,
    all looked at together.
    """
    if reference not in points or len(points) < 2:
        return ""
    signs = orders(
        {name: (points[name], points[reference]) for name in points if name != reference}
    )
    word = {1: "less than with", -1: "more than with", 0: "within noise of"}
    texts = [
        f"**{percent(points[name])}** with {name} ({word[sign]} {reference})"
        for name, sign in signs.items()
    ]
    return (
        f"At {budget_text(view.budget)} AdaMix errs on **{percent(points[reference])}** with"
        f" {reference}, {'; '.join(texts)}."
    )


BOUNDS_KEY = "mixed-privacy-bounds"
BOUND_SIGMAS = (2.5, 5.0, 10.0, 20.0, 40.0)
RUNS = 4
VERDICT_TEXTS = {
    HOLDS: "**holds**",
    HOLDS_TRIVIALLY: "**holds, but says nothing**: it allows more than guessing blindly loses",
    FAILS: "**fails**",
    UNDECIDED: "**cannot be told**",
}
FOURTH = (
    "Theorem 4 asks for a loss that is c-strongly convex. This one is not, on any data: moving the"
    " heads of all classes alike changes no prediction, so c = 0 and its bound is infinite."
)
LINE_STYLES = {
    "Measured, as it follows": line_style(0),
    "Bound as it follows": LineStyle(RIGHT, "dot", "diamond"),
    "Measured, as printed": line_style(1),
    "Bound as printed": LineStyle(WRONG, "dash", "x"),
    "Guessing blindly": LineStyle(GREY, "dot", "line-ew-open"),
}

_convergence = page_caches.cached_by_content(30, "Running Theorem 3 on these records …")(
    convergence_on_data.run_convergence
)


def bounds(view: MixedView, metric: str) -> list[dict[str, Any]]:
    """Excess loss and bounds over sigma, and a verdict on each theorem."""
    cards.private_view()
    spec = view.run("AdaMix", view.first_seed)
    try:
        found = _convergence(spec, BOUND_SIGMAS, RUNS)
    except DpvizError as error:
        page_parts.refusals([str(error)])
        return []
    st.markdown(bounds_answer(found, view))
    chart = _bounds_chart(found)
    charts.plot(chart, BOUNDS_KEY)
    st.html(cards.wide_table(verdicts(found)))
    st.caption(
        f"Of {found.n:,} private records, {subset(view)}, at {budget_text(view.budget)} (ρ ="
        f" {number(found.rho)}): the mean loss of the averaged head less that of a head they could"
        f" have given, which lies {found.distance:.3g} from the start; {RUNS} draws of the noise"
        " with 95% intervals. T = 2ρσ² steps, so more noise means more of them, and"
        " a smaller bound. The page Papers has σ = 140. As printed:"
        f" λ = √(ρ/(2DdL²)), in a ball of radius B = {found.radius:.3g}; as it follows: λ ="
        " τ√(2d/ρ)/D, no ball. The distance is read from private records, so none of this is for"
        " release. The same again:"
    )
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
    points = {
        "Measured, as it follows": {run.sigma: measured(run.excess) for run in runs.follows},
        "Bound as it follows": {run.sigma: exact(run.bound.total) for run in runs.follows},
        "Measured, as printed": {run.sigma: measured(run.excess) for run in runs.printed},
        "Bound as printed": {run.sigma: exact(run.bound.total) for run in runs.printed},
        "Guessing blindly": {
            sigma: exact(runs.guessing) for sigma in (BOUND_SIGMAS[0], BOUND_SIGMAS[-1])
        },
    }
    measure = "loss above the best head's, nats"
    return ErrorLines.from_points("noise σ", points, LINE_STYLES, measure=measure, length=True)


def bounds_answer(runs: OnData, view: MixedView) -> str:
    """One sentence: what is measured and allowed with the most steps, and each verdict."""
    run, other = runs.follows[-1], runs.printed[-1]
    return (
        f"At {budget_text(view.budget)} and σ = {run.sigma:g} ({run.steps:,} steps) the averaged"
        " head loses"
        f" **{run.mean:.2g}** nats a record more than the best, where the bound that follows allows"
        f" **{_size(run.bound.total)}**: it {VERDICT_TEXTS[run.verdict(runs.guessing)]}. As"
        " printed, its"
        f" own step size loses **{other.mean:.2g}** and **{_size(other.bound.total)}** is allowed:"
        f" it {VERDICT_TEXTS[other.verdict(runs.guessing)]}. Guessing blindly loses"
        f" {runs.guessing:.2g}."
    )


def verdicts(runs: OnData) -> list[dict[str, Any]]:
    """A row a theorem and sigma."""
    rows = [
        _verdict_row(name, run, runs.guessing)
        for name, some in (
            ("Theorem 3, as it follows", runs.follows),
            ("Theorem 3, as printed", runs.printed),
        )
        for run in some
    ]
    gone = {"σ": "–", "steps": "–", "measured": "–", "allowed": "∞", "for noise": "∞"}
    return [*rows, {"theorem": "Theorem 4"} | gone | {"here": HOLDS_TRIVIALLY, "why": FOURTH}]


def _verdict_row(name: str, run: ConvergenceRun, guessing: float) -> dict[str, Any]:
    verdict = run.verdict(guessing)
    steps = f"{_size(run.bound.steps)} of it is for too few steps"
    why = {
        HOLDS: f"measured below it and it below guessing; {steps}",
        HOLDS_TRIVIALLY: f"above the {guessing:.2g} of guessing blindly; {steps}",
        FAILS: "measured above it by more than four standard errors",
        UNDECIDED: "measured above it by no more than four standard errors",
    }[verdict]
    return {
        "theorem": name,
        "σ": number(run.sigma),
        "steps": f"{run.steps:,}",
        "measured": f"{run.mean:.2g} ± {2 * run.unsure:.1g}",
        "allowed": _size(run.bound.total),
        "for noise": _size(run.bound.noise),
        "here": verdict,
        "why": why,
    }


def _size(nats: float) -> str:
    return f"{nats:,.0f}" if nats >= 100 else f"{nats:.2g}"
