"""The controls of the Per-record loss page, the runs they ask for, and the choice of images."""

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
from dpviz.text import who_pays as text
from dpviz.text.template import render_text
from dpviz.types import RunSpec
from dpviz.ui.widgets import bounded, selected_images, shared_controls, side_bar
from dpviz.ui.widgets.choices import choice, segments
from dpviz.views.page_config import PageConfig
from dpviz.views.who_pays_page import ALL_RECORDS, SPLIT, ChosenGroups

FIRST_METHOD, SECOND_METHOD, SPARE_METHOD = "noisy-gd", "adamix", "dppl-mean"
SCALES = text.SCALES
STEP = 100 / LOSS_BINS
#: Key of the form of the main chart, shared with the Attacks page.
FORM, FIGURES, CURVE = "risk", "figures", "curve"


@dataclass(frozen=True)
class LossView(PageConfig):
    """A view of two methods and one seed; ``scale``: what losses are counted in, in ``SCALES``."""

    scale: str

    @property
    def specs(self) -> list[RunSpec]:
        """The run of each method."""
        return [self.spec(key) for key in self.methods]

    @property
    def units_name(self) -> str:
        """What the guarantee protects, in the plural."""
        return PLURALS[self.unit_name]

    @property
    def unit_name(self) -> str:
        """What the guarantee protects: a key of ``PLURALS``."""
        return "record" if self.unit == "picture" else "person"

    @property
    def symbol(self) -> str:
        """Symbol of a loss."""
        return "ε′" if self.scale == "eps" else "ρ′"

    def losses(self, run: MeasuredRun) -> PerInstance:
        """Return the losses in the chosen unit, in ``epsilon`` and ``claim``."""
        return run.losses if self.scale == "eps" else run.losses.as_rho


def sidebar() -> LossView:
    """All controls; data and privacy under the keys they have on the other pages."""
    return shared_controls.sidebar_of(LossView, _method, more_privacy=_scale, domain_visible=False)


def _scale() -> shared_controls.Fields:
    label, help_text = text.LABELS["scale"], text.SCALE_HELP
    with side_bar.extra():
        return {"scale": segments(label, SCALES, "eps", "scale", help=help_text)}


def _method() -> shared_controls.Fields:
    methods = _methods()
    params = shared_controls.changed_settings(methods)
    with side_bar.fold(text.LABELS["seed_fold"]):
        seed = bounded.number_input(
            text.LABELS["seed"], 0, 2**31, 0, key="seed", help=text.SEED_HELP, bind="query-params"
        )
    return {"methods": methods, "params": params, "first_seed": int(seed), "seeds": 1}


def _methods() -> tuple[str, str]:
    titles = {key: row.title for key, row in METHODS.items() if row.private}
    first = choice(st.selectbox, text.LABELS["first"], titles, FIRST_METHOD, "a")
    rest = {key: title for key, title in titles.items() if key != first}
    beside = SPARE_METHOD if first == SECOND_METHOD else SECOND_METHOD
    return first, choice(st.selectbox, text.LABELS["second"], rest, beside, "b")


def groups_and_form(
    losses: PerInstance, names: Sequence[str], view: LossView, selected: np.ndarray | None
) -> tuple[ChosenGroups, str]:
    """Draw the choices of groups and of the chart's form above the chart.

    Args:
        selected: (n,) bool, records selected on the image map; None without any.

    Returns:
        The groups; the form of the chart.
    """
    of_persons = losses.persons is not None
    by_class = "class_person" if of_persons else "class"
    by_selection = "selected_person" if of_persons else "selected"
    titles = {key: text.GROUP_TITLES[key] for key in (SPLIT, ALL_RECORDS)}
    titles |= {
        str(c): render_text(text.GROUP_TITLES[by_class], name=name) for c, name in enumerate(names)
    }
    if selected is not None:
        titles = {selected_images.GROUP: text.GROUP_TITLES[by_selection]} | titles
    forms = text.FORMS_PERSON if of_persons else text.FORMS
    with shared_controls.switches():
        key = choice(
            *(st.selectbox, text.LABELS["who"], titles, SPLIT, selected_images.GROUPS_KEY),
            width=190,
            label_visibility="collapsed",
        )
        form = segments(text.FORM_LABEL, forms, FIGURES, FORM, label_visibility="collapsed")
    if key == ALL_RECORDS:
        everybody = np.ones(len(losses.epsilon), bool)
        return ChosenGroups(key, text.GROUPS["all"], everybody), form
    if key == SPLIT:
        groups = text.GROUPS["split_person" if of_persons else "split"]
        return ChosenGroups(key, groups, losses.minority), form
    if selected is not None and key == selected_images.GROUP:
        chosen = losses.with_records(selected)
        return ChosenGroups(key, text.GROUPS[by_selection], chosen), form
    first, second = text.GROUPS[by_class]
    groups = (render_text(first, name=names[int(key)]), second)
    return ChosenGroups(key, groups, losses.in_class(int(key))), form


def band(
    runs: Sequence[MeasuredRun], view: LossView, groups: ChosenGroups
) -> tuple[MeasuredRun, np.ndarray]:
    """Draw the choice of images or people by loss, of all or of the chosen group.

    Returns:
        The run whose losses count, and the chosen positions in the order asked for.
    """
    with st.container(horizontal=True, vertical_alignment="bottom"):
        low, high = bounded.slider(
            *(text.LABELS["band"], 0.0, 100.0, (0.0, 100.0), STEP),
            key="band",
            width=360,
            format="%g",
            help=text.BAND_HELP,
            bind="query-params",
        )
        titles = {run.method: run.title for run in runs}
        by = segments(text.LABELS["by"], titles, next(iter(titles)), "by")
        order = segments(text.LABELS["order"], text.ORDERS, "dear", "order")
    run = next(run for run in runs if run.method == by)
    losses = view.losses(run)
    most = math.inf if high == 100 else high / 100 * losses.claim
    rows = per_instance.between(losses, low / 100 * losses.claim, most)
    rows = rows[groups.first[rows]] if groups.is_own else rows
    return run, rows if order == "dear" else rows[::-1]


def clicked(key: str, method: str) -> None:
    """Move the band to a clicked bar; a click beside all bars changes nothing."""
    points = st.session_state[key]["selection"]["points"]
    if points:
        place = int(points[0]["point_index"])
        st.session_state["band"] = (STEP * place, STEP * (place + 1))
        st.session_state["by"] = method
