"""The controls of "Mixed privacy", and the runs they ask for."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from dpviz.data import preparation
from dpviz.diagnostics import preset_comparison
from dpviz.diagnostics.preset_comparison import LEVELS, PRIVATE
from dpviz.encoders import availability
from dpviz.formatting import METRICS, number
from dpviz.methods import adamix
from dpviz.methods.adamix_presets import PRESETS
from dpviz.methods.components.public_sets import OF_EACH_CLASS
from dpviz.types import DataConfig, RunSpec
from dpviz.ui.widgets import bounded, cards, param_widgets, shared_controls
from dpviz.ui.widgets.choices import choice, segments
from dpviz.views.page_config import STOPS, Group, PageConfig

FIRST_PRESETS = ("AdaMix", "NGD", "Fully-Private")
NOT_DRAWN = (
    "Not drawn: {presets}. It protects public images, and these features are computed from them"
    " without noise."
)
LINK_NAMES = {
    "AdaMix from zero": "no-init",
    "AdaMix at fixed clip": "no-clip-adapt",
    "AdaMix unprojected": "no-projection",
}
"""Of presets that have another name there."""
SHOTS = (1, 2, 3, 5, 10, 20, 50, 100)
RATES = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
STARTS = {
    "few-shot": "A head trained on the shots",
    "label-prototypes": "Label prototypes",
    "class-names": "Class names, read by CLIP",
}
SCALES = {"linear": "0–100%", "log": "Log"}
SEED_HELP = (
    "A seed draws the noise and which public pictures are the shots; seeds are first, first + 1, …"
)
PRESETS_HELP = (
    "AdaMix: starts from the public shots, clips as they suggest, moves only in their directions."
    " From zero, at fixed clip, unprojected: without one of these. NGD: starts from the shots, then"
    " plain noisy descent."
    " Fully-Private: a private linear probe that protects the shots like private images. PPGD:"
    " private first, then drawn to the shots."
)
SHOTS_HELP = (
    "Number of labelled public images per class, or all there are. Fully-Private uses each labelled"
    f" public image with chance N / {OF_EACH_CLASS} instead, chosen by a hash of the image. With"
    " Omniglot's 3 or 5 public images per class the chance is N / 3 or N / 5."
)
RATE_HELP = (
    f"Multiple of η = {adamix.LR.default:g}, the largest learning rate that the paper tries. Its"
    " other rates are 0.1, 0.2 and 0.5 times as large. No budget pays for a choice by the error"
    " shown here."
)


@dataclass(frozen=True)
class MixedView(PageConfig):
    """A view of presets.

    Attributes:
        presets: private ones that are drawn; shots: public records a class; changes: settings of
            every preset that has them; rate: times each preset's learning rate.
    """

    presets: tuple[str, ...]
    shots: int
    changes: tuple[tuple[str, Any], ...]
    rate: float

    @property
    def lead(self) -> str:
        """The preset that the sentence is about."""
        return "AdaMix" if "AdaMix" in self.presets else self.presets[0]

    @property
    def line_names(self) -> tuple[str, ...]:
        """Names of all lines of the main chart."""
        return (*self.presets, *LEVELS)

    def run(self, name: str, seed: int, shots: int = 0, **other: Any) -> RunSpec:
        """A run of a preset at the budget looked at; ``other``: budget or public set."""
        preset, changes = PRESETS[name], dict(self.changes)
        public = other.get("public", self.public)
        settings = preset_comparison.settings(
            preset, changes, self.rate, shots or self.shots, seed, public
        )
        return self.spec(preset.method, params=tuple(settings.items()), seed=seed, **other)

    def runs(self, name: str, budgets: Sequence[float] = (), **other: Any) -> Group:
        """A preset's runs over budgets and seeds; a line across is run once a seed."""
        budgets = (math.inf,) if name in LEVELS else budgets or (self.budget.value,)
        seeds = range(self.first_seed, self.first_seed + self.seeds)
        return tuple(self.run(name, s, budget=b, **other) for s in seeds for b in budgets)


def sidebar() -> MixedView:
    """All controls of the page; data and privacy under the keys they have elsewhere."""
    starts = dict(STARTS)

    def shots(material: DataConfig) -> shared_controls.Fields:
        if not availability.reads_names(material.encoder):
            del starts["class-names"]
        return _shots()

    view = shared_controls.sidebar_of(MixedView, lambda: _method(starts), shots)
    return _with_possible_presets(view)


def _with_possible_presets(view: MixedView) -> MixedView:
    """Leave out presets that cannot be drawn, with a note."""
    kept = possible_presets(view.presets, view.features)
    if left := [name for name in view.presets if name not in kept]:
        st.sidebar.caption(NOT_DRAWN.format(presets=", ".join(left)))
    return replace(view, presets=kept or ("AdaMix",))


def possible_presets(names: Iterable[str], features: str) -> tuple[str, ...]:
    """Return the presets that do not protect public images from which features are computed."""
    mixed = preparation.mixes_public(features)
    protects = lambda name: PRESETS[name].params.get("public_use") == "private"
    return tuple(name for name in names if not (mixed and protects(name)))


def by_link_name(names: Iterable[str]) -> dict[str, str]:
    """Presets by what they are called in a link."""
    return {LINK_NAMES.get(name, name): name for name in names}


def _shots() -> shared_controls.Fields:
    shots = bounded.select_slider(
        *("Public shots a class", SHOTS, 2),
        key="shots",
        help=SHOTS_HELP,
        bind="query-params",
    )
    return {"shots": int(shots)}


def _method(starts: Mapping[str, str]) -> shared_controls.Fields:
    label, names = "Presets and ablations", by_link_name(PRIVATE)
    chosen = choice(st.multiselect, label, names, FIRST_PRESETS, "pre", help=PRESETS_HELP)
    presets = tuple(name for key, name in names.items() if key in chosen) or ("AdaMix",)
    more = _shared_settings(starts) | shared_controls.noise_seeds("Seeds", SEED_HELP, SEED_HELP)
    return {"methods": (adamix.KEY,), "presets": presets} | more


def _shared_settings(starts: Mapping[str, str]) -> shared_controls.Fields:
    """What changes in every preset that has it, and the factor on each one's own learning rate."""
    with st.expander("Rank, noise, learning rate and more"):
        start = choice(
            st.selectbox, "Start from", starts, "few-shot", "start", help=adamix.INIT.help
        )
        shared = (adamix.RANK, adamix.SIGMA, adamix.MAX_STEPS, adamix.DECAY, adamix.BETA)
        values = {p.name: param_widgets.widget(p, f"adamix.{p.name}") for p in shared}
        rate = bounded.select_slider(
            *("Learning rate ×", RATES, 1.0),
            key="lrx",
            format_func=number,
            help=RATE_HELP,
            bind="query-params",
        )
    changed = {p.name: values[p.name] for p in shared if values[p.name] != p.default}
    changed |= {"init": start} if start != "few-shot" else {}
    return {"changes": tuple(changed.items()), "rate": float(rate)}


def groups(view: MixedView) -> dict[str, list[Group]]:
    """What the main chart needs, by preset: the budget looked at first, then the stops."""
    stops = STOPS[view.budget.axis]
    return {
        name: [view.runs(name)] + ([] if name in LEVELS else [view.runs(name, stops)])
        for name in view.line_names
    }


def queue(wanted: Mapping[str, list[Group]]) -> list[Group]:
    """The groups in the order they are worked on: every line's point at this budget before any
    curve.
    """
    by_preset = list(wanted.values())
    return [now for now, *_ in reversed(by_preset)] + [g for _, *rest in by_preset for g in rest]


def metric() -> str:
    """Which accuracy the error is the rest of: a key of ``METRICS``; over classes here, as every
    class counts alike.
    """
    chosen = segments("Error of", METRICS, "balanced", "score")
    cards.score(chosen)
    return chosen
