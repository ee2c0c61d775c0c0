"""The controls of the Many images per person page, and the data set that it begins with."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from dpviz.data import DATASETS, persons_known
from dpviz.text import controls as shared_text
from dpviz.text import many_pictures as text
from dpviz.text.template import render_text
from dpviz.types import RunSpec
from dpviz.ui.widgets import budget_control, shared_controls, side_bar
from dpviz.ui.widgets.choices import choice
from dpviz.views import settings_in_words
from dpviz.views.page_config import PageConfig

#: Bundled data that know their persons.
DATASET = "clothes"
#: Method at first, which the chart shows. Others are one click away.
METHODS = ("dppl-public",)
RATIO = 50
#: Most images per person; 0: all.
BOUNDS = (1, 2, 5, 10, 20, 50, 0)
BEST = "best"
BOUND_TITLES = {BEST: text.LABELS["first"]}
BOUND_TITLES |= {str(bound): str(bound) if bound else text.LABELS["all"] for bound in BOUNDS}


@dataclass(frozen=True)
class PersonsView(PageConfig):
    """A view of guarantees per image and per person.

    Attributes:
        image_bound: most images per person, 0 for all; None for the best of each method.
    """

    image_bound: int | None

    @property
    def any_run(self) -> RunSpec:
        """A run on the data of the view, with a guarantee per image."""
        return self.spec(self.methods[0])


def sidebar() -> PersonsView | None:
    """Draw all controls, under the keys that they have on the other pages.

    Returns:
        The view; None where the data do not name persons.
    """
    with side_bar.draw():
        st.header(shared_text.HEADERS["data"])
        material = shared_controls.data(RATIO, DATASET, domain_visible=False)
        if persons_known(material.dataset) is False:
            return None
        st.header(shared_text.HEADERS["privacy"])
        budget = budget_control.choose_budget()
        chosen = choice(
            *(st.selectbox, text.LABELS["kept"], BOUND_TITLES, BEST, "kept"),
            help=text.KEPT_HELP,
        )
        st.header(shared_text.HEADERS["method"])
        method = shared_controls.choose_methods(METHODS) | shared_controls.noise_seeds()
        line = settings_in_words.phone_line(material.dataset, material.ir, budget)
        shared_controls.reset_link(budget.delta, line=line)
    kept = None if chosen == BEST else int(chosen)
    return PersonsView(**material.facts | method, budget=budget, image_bound=kept)


def no_persons() -> None:
    """Draw why data without persons do not work here, and the way to data with persons."""
    title = DATASETS[DATASET].title
    st.info(text.NO_PERSONS, icon=":material/person_off:")
    st.html(f'<a href="data" target="_self">{text.NO_PERSONS_LINK}</a>')
    label = render_text(text.NO_PERSONS_BUTTON, data_set=title)
    st.button(label, on_click=_choose_data, type="primary", icon=":material/person:")


def _choose_data() -> None:
    st.session_state["data"] = DATASET
    shared_controls.suit(RATIO)
