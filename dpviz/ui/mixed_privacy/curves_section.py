"""The closer look "One setting, over all budgets": start, step, noise, encoder and public set as
curves of the error (Figures 3, right, and 4 of the AdaMix paper, and its text on sigma).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import streamlit as st

from dpviz.data import public_compared, public_title, shares_classes
from dpviz.data.data_set_table import HELD_ASIDE
from dpviz.diagnostics.preset_comparison import error, orders
from dpviz.encoders import availability
from dpviz.formatting import METRIC_WORDS, axis_title, budget_text, percent, subset, unbroken
from dpviz.methods import adamix
from dpviz.plots.kit.style import line_style as look_of
from dpviz.plots.kit.style import shaded
from dpviz.plots.settings import ErrorLines
from dpviz.run import reproduce
from dpviz.stats import Interval
from dpviz.types import LineStyle, Result, RunSpec
from dpviz.ui.frame import detail_level
from dpviz.ui.live import long_work
from dpviz.ui.mixed_privacy.controls import MixedView
from dpviz.ui.widgets import export
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
    there = public_compared(view.dataset, view.public)
    keys = sorted(there, key=lambda key: key != HELD_ASIDE)
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
        looks = {t: line_style(i) for i, t in enumerate(lines)}
        now = (view.budget.value, "now")
        title = axis_title(view.budget.axis, view.budget.delta)
        return ErrorLines.from_points(title, points, looks, mark=now)

    results = long_work.results(f"{KEY}-{kind}", wanted, lambda slot, some: slot.plot(chart(some)))
    here = {
        title: error(runs, metric)
        for (title, value), runs in results.items()
        if value == view.budget.value
    }
    words.markdown(unbroken(answer(here, reference or next(iter(lines)), view)))
    st.caption(
        f"Error: 100 % minus records {METRIC_WORDS[metric]}, {subset(view)}, {view.shots} public"
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


def answer(here: Mapping[str, Interval], reference: str, view: MixedView) -> str:
    """One sentence: each line's error at the budget looked at, and which are told from the first,
    all looked at together.
    """
    if reference not in here or len(here) < 2:
        return ""
    signs = orders({name: (here[name], here[reference]) for name in here if name != reference})
    word = {1: "less than with", -1: "more than with", 0: "within noise of"}
    told = [
        f"**{percent(here[name])}** with {name} ({word[sign]} {reference})"
        for name, sign in signs.items()
    ]
    return (
        f"At {budget_text(view.budget)} AdaMix errs on **{percent(here[reference])}** with"
        f" {reference}, {'; '.join(told)}."
    )
