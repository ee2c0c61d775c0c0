"""The controls of "Who pays", the runs they ask for, and the choices among records."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from dpviz.diagnostics import per_instance
from dpviz.diagnostics.per_instance import MeasuredRun, PerInstance
from dpviz.methods import METHODS
from dpviz.plots.losses import LOSS_BINS, PLURALS
from dpviz.types import RunSpec
from dpviz.ui.widgets import bounded, shared_controls
from dpviz.ui.widgets.choices import choice, segments
from dpviz.views.page_config import PageConfig

FIRST, SECOND, SPARE = "adamix", "noisy-gd", "dppl-mean"
SCALES = {"eps": "ε at δ", "rho": "ρ (zCDP)"}
SPLIT, EVERYBODY = "split", "all"
ORDERS = {"dear": "costliest first", "cheap": "cheapest first"}
STEP = 100 / LOSS_BINS
SCALE_HELP = (
    "Counts the losses in another currency, for both methods alike. ε at δ: as on the cards; a pure"
    " ε holds at any δ, and may look dearer than it is. ρ: zCDP, on which any two methods compare"
    " exactly."
)
SEED_HELP = (
    "The run that is looked at. Another seed takes another path, and a record's loss follows it."
)
BAND_HELP = (
    "Those whose loss lies in this part of what is promised to everyone. A click on a bar above"
    " sets it."
)


@dataclass(frozen=True)
class LossView(PageConfig):
    """A view of two methods and one seed; ``scale``: what losses are counted in, in ``SCALES``."""

    scale: str

    @property
    def specs(self) -> list[RunSpec]:
        """The run of each method."""
        return [self.spec(key) for key in self.methods]

    @property
    def many(self) -> str:
        """Those to whom the promise is, in words."""
        return PLURALS[self.who]

    @property
    def who(self) -> str:
        """One of those: a key of ``MANY``."""
        return "record" if self.unit == "picture" else "person"

    @property
    def symbol(self) -> str:
        """Of a loss."""
        return "ε′" if self.scale == "eps" else "ρ′"

    def losses(self, run: MeasuredRun) -> PerInstance:
        """The losses on the scale, in ``epsilon`` and ``claim``."""
        return run.losses if self.scale == "eps" else run.losses.as_rho


def sidebar() -> LossView:
    """All controls; data and privacy under the keys they have on the other pages."""
    return shared_controls.sidebar_of(LossView, _method, more_privacy=_scale)


def _scale() -> shared_controls.Fields:
    return {"scale": segments("Losses counted in", SCALES, "eps", "scale", help=SCALE_HELP)}


def _method() -> shared_controls.Fields:
    methods = _methods()
    params = shared_controls.changed_settings(methods)
    with st.expander("Noise seed"):
        seed = bounded.number_input(
            "Seed", 0, 2**31, 0, key="seed", help=SEED_HELP, bind="query-params"
        )
    return {"methods": methods, "params": params, "first_seed": int(seed), "seeds": 1}


def _methods() -> tuple[str, str]:
    titles = {key: row.title for key, row in METHODS.items() if row.private}
    first = choice(st.selectbox, "One method", titles, FIRST, "a")
    rest = {key: title for key, title in titles.items() if key != first}
    beside = SPARE if first == SECOND else SECOND
    return first, choice(st.selectbox, "Another beside it", rest, beside, "b")


def groups(losses: PerInstance, names: Sequence[str]) -> dict[str, np.ndarray]:
    """The choice whose losses stand out: two groups of records or people, the one looked at
    first.
    """
    titles = {SPLIT: "the minority, against all others", EVERYBODY: "everybody"}
    sent = "class" if losses.persons is None else "who sent"
    titles |= {str(c): f"{sent} {name}, against all others" for c, name in enumerate(names)}
    who = choice(st.selectbox, "Look at", titles, SPLIT, "who", width=300)
    if who == EVERYBODY:
        everybody = np.ones(len(losses.epsilon), bool)
        return {"everybody": everybody, "nobody else": ~everybody}
    if who == SPLIT:
        return {"minority": losses.minority, "others": ~losses.minority}
    chosen = losses.in_class(int(who))
    return {f"{sent} {names[int(who)]}": chosen, "others": ~chosen}


def band(runs: Sequence[MeasuredRun], view: LossView) -> tuple[MeasuredRun, np.ndarray]:
    """The choice of records or people: the run whose losses count, and their positions in the
    order asked for.
    """
    with st.container(horizontal=True, vertical_alignment="bottom"):
        low, high = bounded.slider(
            *("Band, % of the promise", 0.0, 100.0, (0.0, 100.0), STEP),
            key="band",
            width=360,
            format="%g",
            help=BAND_HELP,
            bind="query-params",
        )
        titles = {run.method: run.title for run in runs}
        by = segments("By the losses of", titles, next(iter(titles)), "by")
        order = segments("Order", ORDERS, "dear", "order")
    run = next(run for run in runs if run.method == by)
    losses = view.losses(run)
    most = math.inf if high == 100 else high / 100 * losses.claim
    rows = per_instance.between(losses, low / 100 * losses.claim, most)
    return run, rows if order == "dear" else rows[::-1]


def clicked(key: str, method: str) -> None:
    """A click on a bar moves the band there; a click beside all bars changes nothing."""
    points = st.session_state[key]["selection"]["points"]
    if points:
        place = int(points[0]["point_index"])
        st.session_state["band"] = (STEP * place, STEP * (place + 1))
        st.session_state["by"] = method
