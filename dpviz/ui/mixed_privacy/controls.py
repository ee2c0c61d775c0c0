"""Controls of the AdaMix page, and the runs that they request."""

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
from dpviz.methods import adamix, paragon
from dpviz.methods.adamix_presets import PRESETS
from dpviz.methods.components.public_sets import OF_EACH_CLASS
from dpviz.text import mixed_privacy as text
from dpviz.text.template import render
from dpviz.types import DataConfig, RunSpec
from dpviz.ui.frame import detail_level
from dpviz.ui.widgets import bounded, cards, param_widgets, shared_controls, side_bar
from dpviz.ui.widgets.choices import choice, segments
from dpviz.views.page_config import STOPS, Group, PageConfig, SettingStep, neighbors

FIRST_PRESETS = ("AdaMix", "NGD", "Fully-Private")
#: Names in links, where they differ.
LINK_NAMES = {
    "AdaMix from zero": "no-init",
    "AdaMix at fixed clip": "no-clip-adapt",
    "AdaMix unprojected": "no-projection",
}
SHOTS = (1, 2, 3, 5, 10, 20, 50, 100)
RATES = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)


@dataclass(frozen=True)
class MixedView(PageConfig):
    """Settings of the page.

    Attributes:
        presets: private methods of the AdaMix paper; shots: public examples per class; changes:
            settings of every method that has them; rate: factor on each method's learning rate.
    """

    presets: tuple[str, ...]
    shots: int
    changes: tuple[tuple[str, Any], ...]
    rate: float

    @property
    def lead(self) -> str:
        """Method that the answer is about."""
        return "AdaMix" if "AdaMix" in self.presets else self.presets[0]

    @property
    def line_names(self) -> tuple[str, ...]:
        """Names of all lines of the main chart."""
        return (*self.presets, *LEVELS)

    def near(self, spec: RunSpec) -> float:
        """As of every page, but training without privacy comes last: with many classes, it takes
        longer than all private methods together.
        """
        return math.inf if spec.method == paragon.KEY else super().near(spec)

    def setting_steps(self) -> list[SettingStep]:
        """Public examples per class, one step up and down."""
        stops = neighbors(self.shots, SHOTS)
        return [SettingStep("shots", self.shots, stop, in_defaults=True) for stop in stops]

    def run(self, name: str, seed: int, shots: int = 0, **other: Any) -> RunSpec:
        """Return the spec of a method at the current budget; ``other``: budget or public set."""
        preset, changes = PRESETS[name], dict(self.changes)
        public = other.get("public", self.public)
        settings = preset_comparison.settings(
            preset, changes, self.rate, shots or self.shots, seed, public
        )
        return self.spec(preset.method, params=tuple(settings.items()), seed=seed, **other)

    def runs(self, name: str, budgets: Sequence[float] = (), **other: Any) -> Group:
        """Return a method's specs over budgets and seeds; a flat line has one per seed."""
        budgets = (math.inf,) if name in LEVELS else budgets or (self.budget.value,)
        seeds = range(self.first_seed, self.first_seed + self.seeds)
        return tuple(self.run(name, s, budget=b, **other) for s in seeds for b in budgets)


def sidebar() -> MixedView:
    """Draw all controls; data and privacy have the same keys as on other pages."""
    starts = dict(text.STARTS)

    def shots(material: DataConfig) -> shared_controls.Fields:
        if not availability.reads_names(material.encoder):
            del starts["class-names"]
        return _shots()

    view = shared_controls.sidebar_of(MixedView, lambda: _method(starts), shots, headed=False)
    return _with_possible_presets(view)


def _with_possible_presets(view: MixedView) -> MixedView:
    """Leave out methods that cannot be drawn, with a note."""
    kept = possible_presets(view.presets, view.features)
    if left := [name for name in view.presets if name not in kept]:
        st.sidebar.caption(render(text.NOT_DRAWN, methods=left))
    return replace(view, presets=kept or ("AdaMix",))


def possible_presets(names: Iterable[str], features: str) -> tuple[str, ...]:
    """Return the methods that do not protect public images from which features are computed."""
    mixed = preparation.mixes_public(features)
    protects = lambda name: PRESETS[name].params.get("public_use") == "private"
    return tuple(name for name in names if not (mixed and protects(name)))


def by_link_name(names: Iterable[str]) -> dict[str, str]:
    """Return methods by their name in links."""
    return {LINK_NAMES.get(name, name): name for name in names}


def _shots() -> shared_controls.Fields:
    shots = bounded.select_slider(
        *(text.EXAMPLES, SHOTS, 2),
        key="shots",
        help=render(text.EXAMPLES_HELP, pool=OF_EACH_CLASS),
        bind="query-params",
    )
    return {"shots": int(shots)}


def _method(starts: Mapping[str, str]) -> shared_controls.Fields:
    names = by_link_name(PRIVATE)
    with side_bar.extra():
        chosen = choice(
            st.multiselect, text.METHODS, names, FIRST_PRESETS, "pre", help=text.METHODS_HELP
        )
    presets = tuple(name for key, name in names.items() if key in chosen) or ("AdaMix",)
    more = _shared_settings(starts) | shared_controls.noise_seeds(
        text.SEEDS, text.SEED_HELP, text.SEED_HELP
    )
    return {"methods": (adamix.KEY,), "presets": presets} | more


def _shared_settings(starts: Mapping[str, str]) -> shared_controls.Fields:
    """Draw settings of every method that has them, and the factor on learning rates."""
    with side_bar.fold(text.SETTINGS):
        start = choice(st.selectbox, text.START, starts, "few-shot", "start", help=adamix.INIT.help)
        shared = (adamix.RANK, adamix.SIGMA, adamix.MAX_STEPS, adamix.DECAY, adamix.BETA)
        values = {p.name: param_widgets.widget(p, f"adamix.{p.name}") for p in shared}
        rate = bounded.select_slider(
            *(text.RATE, RATES, 1.0),
            key="lrx",
            format_func=number,
            help=render(text.RATE_HELP, rate=adamix.LR.default),
            bind="query-params",
        )
    changed = {p.name: values[p.name] for p in shared if values[p.name] != p.default}
    changed |= {"init": start} if start != "few-shot" else {}
    return {"changes": tuple(changed.items()), "rate": float(rate)}


def groups(view: MixedView) -> dict[str, list[Group]]:
    """Return the groups of the main chart by method: the current budget, then the stops."""
    stops = STOPS[view.budget.axis]
    return {
        name: [view.runs(name)] + ([] if name in LEVELS else [view.runs(name, stops)])
        for name in view.line_names
    }


def queue(wanted: Mapping[str, list[Group]]) -> list[Group]:
    """Return the groups in working order: every point at the current budget before any curve, and
    training without privacy last.
    """
    by_preset = list(wanted.values())
    order = [now for now, *_ in reversed(by_preset)] + [g for _, *rest in by_preset for g in rest]
    return sorted(order, key=lambda group: group[0].method == paragon.KEY)


def metric() -> str:
    """Draw the choice of an accuracy and return its key.

    The mean over classes comes first: every class counts alike.
    """
    chosen = segments(text.SCORE_OF, METRICS, "balanced", "score", label_visibility="collapsed")
    cards.score(chosen)
    return chosen


def accuracy_scale() -> str:
    """Draw the choice of the accuracy axis and return its key in ``text.SCALES``."""
    title = text.ACCURACY_AXIS
    look = "collapsed" if detail_level.precise() else "visible"
    return segments(title, text.SCALES, "zoomed", "scale", label_visibility=look)
