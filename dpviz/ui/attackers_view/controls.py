"""The controls of "Attacker's view", and the attacks they ask for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from dpviz.diagnostics.shadow_attack import TITLES
from dpviz.methods import METHODS
from dpviz.run.jobs import Group
from dpviz.ui.widgets import bounded, shared_controls
from dpviz.ui.widgets.choices import choice, requested_value, segments
from dpviz.views.page_config import STOPS, PageConfig
from dpviz.views.phrases import RIVAL

DEFAULT_METHODS = ("dppl-mean", "noisy-gd", shared_controls.REFERENCE_METHOD)
DESIGNS = {"coin": "by coin", "test": "against the test set"}
DESIGN_WORDS = {
    "coin": (
        "By coin: for each run a coin decides which private records are used, and the attacker must"
        " tell these from the rest, which are alike."
    ),
    "test": (
        "Against the test set: all private records are used, and the attacker must tell them from"
        " test records, as papers do; a test set that is harder than the private set then looks"
        " like memory, which the bound does not speak of. Only where the promise is to each record:"
        " whose the test records are is not known."
    ),
}
COIN_OF_PERSONS = (
    "By coin: for each run a coin decides which people are in, each with all records that are kept,"
    " and the attacker must tell these from the rest by the mean of its losses on a person's"
    " records. Where class counts are public, only people who have another with as many kept"
    " records in each class are in or out, mostly people with few. The figures are about these."
)
METHODS_HELP = "Without noise nothing bounds an attack; one such line is always drawn."
N_HELP = (
    "Runs a method; the attack uses one threshold for all of them. More runs, shorter error bars."
)
SEED_HELP = "Seeds are first, first + 1, …; each draws the noise and, by coin, who is in."
PRIOR_HELP = (
    "How likely, in 100, the attacker thinks it that the record, or person, was used, before it"
    " sees the release."
)


ATTACK_WORDS = {
    "loss": "One threshold on the loss for all records. Quick, and blind to whom it works best on.",
    "lira": (
        "Many fits on random halves tell how sure a fit is of a record it saw, and of one it did"
        " not; the target is held against both (Carlini et al. 2022)."
    ),
    "lira-offline": "The same by someone who knows only fits without the record.",
    "rmia": (
        "Does the target make this record likelier by more than it does other people's (Zarifzadeh"
        " et al. 2024)?"
    ),
}
SHADOWS = (16, 32, 64, 128, 256)
SHADOWS_HELP = (
    "Fits that the attacker practises on, each on a random half of the private records; each is"
    " attacked in turn by someone who knows the others. More of them, a stronger attack and"
    " shorter intervals."
)


@dataclass(frozen=True)
class AttackView(PageConfig):
    """A view whose ``seeds`` are the runs of each attack.

    Attributes:
        design: key of ``DESIGNS``; prior: what the attacker holds beforehand, in (0, 1).
        attack_key: which attack, a key of ``shadow_attack.TITLES``; shadows: how many fits all
            but the first of them practise on.
    """

    design: str
    prior: float
    attack_key: str
    shadows: int

    @property
    def design_text(self) -> str:
        """Who is told apart, in words."""
        of_persons = self.unit == "person" and self.design == "coin"
        return COIN_OF_PERSONS if of_persons else DESIGN_WORDS[self.design]

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
        """Attacks at the budget looked at: references first, which everything is read against."""
        return [self.attack(k) for k in sorted(self.methods, key=lambda k: METHODS[k].private)]

    @property
    def lead(self) -> str | None:
        """The method whose attack is held against the same without noise: the usual private
        training where it is drawn, else the first.
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
    prior = bounded.slider(
        *("Attacker's guess beforehand, in 100", 1, 99, 50),
        key="prior",
        help=PRIOR_HELP,
        bind="query-params",
    )
    return {"prior": prior / 100}


def attack() -> None:
    """Which attack: it stands above the chart, which is another for another."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        by = segments("Attack", TITLES, "loss", "attack")
        st.caption(ATTACK_WORDS[by], width="stretch")


def _method() -> shared_controls.Fields:
    methods = shared_controls.choose_methods(DEFAULT_METHODS, "attacked", METHODS_HELP)
    by = requested_value("attack", "loss")
    by = by if by in TITLES else "loss"
    with st.expander("Attack"):
        fits = choice(
            st.select_slider,
            "Shadow models",
            {str(n): str(n) for n in SHADOWS},
            "64",
            "shadows",
            help=SHADOWS_HELP,
            disabled=by == "loss",
        )
        captions, strong = [DESIGN_WORDS[key] for key in DESIGNS], by != "loss"
        design = choice(
            *(st.radio, "Who is told apart", DESIGNS, "coin", "design"),
            captions=captions,
            disabled=strong,
        )
        seeds = shared_controls.seeds("runs", 2, 10, N_HELP, SEED_HELP)
    return methods | seeds | {"design": design, "attack_key": by, "shadows": int(fits)}
