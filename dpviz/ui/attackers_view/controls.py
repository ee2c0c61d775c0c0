"""The controls of the Attacks page, and the attacks they ask for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from dpviz.diagnostics.shadow_attack import TITLES
from dpviz.experiments.jobs import Group
from dpviz.methods import METHODS
from dpviz.text import attackers_view as text
from dpviz.ui.frame import detail_level
from dpviz.ui.widgets import bounded, shared_controls, side_bar
from dpviz.ui.widgets.choices import choice, requested_value, segments
from dpviz.views.page_config import STOPS, PageConfig
from dpviz.views.phrases import RIVAL

DEFAULT_METHODS = ("dppl-mean", "noisy-gd", shared_controls.REFERENCE_METHOD)
DESIGNS, DESIGN_WORDS = text.DESIGNS, text.DESIGN_HELP
SHADOWS = (16, 32, 64, 128, 256)
#: Key of the form of the main chart.
FORM, FIGURES, CURVE = "risk", "figures", "curve"


@dataclass(frozen=True)
class AttackView(PageConfig):
    """A view whose ``seeds`` are the runs of each attack.

    Attributes:
        design: key of ``DESIGNS``; prior: what the attacker holds beforehand, in (0, 1).
        attack_key: which attack, a key of ``shadow_attack.TITLES``; shadows: number of shadow
            models.
    """

    design: str
    prior: float
    attack_key: str
    shadows: int

    @property
    def design_text(self) -> str:
        """The members and non-members of a run, in Markdown."""
        of_persons = self.unit == "person" and self.design == "coin"
        return text.COIN_OF_PERSONS if of_persons else DESIGN_WORDS[self.design]

    @property
    def private(self) -> list[str]:
        """Methods with a guarantee, in drawing order."""
        return [key for key in self.methods if METHODS[key].private]

    def attack(self, key: str, budget: float | None = None) -> Group:
        """The runs of one attack, at the budget looked at or another."""
        seeds = range(self.first_seed, self.first_seed + self.seeds)
        return tuple(self.spec(key, budget, seed=seed) for seed in seeds)

    def shadowed(self, key: str, **other: Any) -> Group:
        """Shadow models of a method, by which it is attacked; ``other``: facts that differ."""
        seeds = range(self.first_seed, self.first_seed + self.shadows)
        return tuple(self.spec(key, seed=seed, **other) for seed in seeds)

    @property
    def current_attacks(self) -> list[Group]:
        """Attacks at the budget looked at, references first."""
        return [self.attack(k) for k in sorted(self.methods, key=lambda k: METHODS[k].private)]

    @property
    def lead(self) -> str | None:
        """The method that is attacked with and without noise: the usual private training where it
        is drawn, else the first.
        """
        return RIVAL if RIVAL in self.private else next(iter(self.private), None)

    @property
    def curve(self) -> list[Group]:
        """Attacks at every other stop of the axis, too, a budget after the other."""
        budgets = sorted({*STOPS[self.budget.axis][::2], self.budget.value})
        rest = [self.attack(key, budget) for budget in budgets for key in self.private]
        return list(dict.fromkeys(self.current_attacks + rest))


def sidebar() -> AttackView:
    """All controls; data, privacy and methods under the keys they have on the other pages."""
    return shared_controls.sidebar_of(AttackView, _method, more_privacy=_prior)


def _prior() -> shared_controls.Fields:
    with side_bar.extra():
        prior = bounded.slider(
            *(text.LABELS["prior"], 1, 99, 50),
            key="prior",
            help=text.PRIOR_HELP,
            bind="query-params",
        )
    return {"prior": prior / 100}


def attack() -> None:
    """Draw the choice of the attack beside the title of the chart."""
    titles = TITLES if detail_level.precise() else text.ATTACKS_PLAIN
    choice(
        *(st.selectbox, text.LABELS["attack"], titles, "loss", "attack"),
        width=160,
        label_visibility="collapsed",
    )


def form(view: AttackView) -> str:
    """Draw the choice of the chart's form; return it."""
    figures = text.FORM_FIGURES["loss" if view.attack_key == "loss" else view.unit]
    forms = {FIGURES: figures, CURVE: text.FORM_CURVE.fill(detail_level.precise())}
    return segments(text.FORM_LABEL, forms, FIGURES, FORM, label_visibility="collapsed")


def _method() -> shared_controls.Fields:
    methods = shared_controls.choose_methods(DEFAULT_METHODS, "attacked", text.METHODS_HELP)
    by = requested_value("attack", "loss")
    by = by if by in TITLES else "loss"
    with side_bar.fold(text.LABELS["attack"]):
        fits = choice(
            st.select_slider,
            text.LABELS["shadows"],
            {str(n): str(n) for n in SHADOWS},
            "64",
            "shadows",
            help=text.SHADOWS_HELP,
            disabled=by == "loss",
        )
        captions, strong = [DESIGN_WORDS[key] for key in DESIGNS], by != "loss"
        titles = {key: title.capitalize() for key, title in DESIGNS.items()}
        design = choice(
            *(st.radio, text.LABELS["design"], titles, "coin", "design"),
            captions=captions,
            disabled=strong,
        )
        seeds = shared_controls.seeds(text.LABELS["runs"], 2, 10, text.RUNS_HELP, text.SEED_HELP)
    return methods | seeds | {"design": design, "attack_key": by, "shadows": int(fits)}
