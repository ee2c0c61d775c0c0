"""The controls of the page "One person, many pictures", and the data set that it begins with."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from dpviz.data import DATASETS, persons_known
from dpviz.types import RunSpec
from dpviz.ui.widgets import budget_control, shared_controls
from dpviz.ui.widgets.choices import choice
from dpviz.views.page_config import PageConfig

DATASET = "clothes"
"""Bundled data that know their persons."""
METHODS = ("dppl-mean", "dppl-public", "noisy-gd", "transfer-pate")
RATIO = 50
BOUNDS = (1, 2, 5, 10, 20, 50, 0)
"""Pictures of a person that are in at most; 0: all."""
BEST = "best"
BOUND_TITLES = {BEST: "what suits each method"} | {str(b): str(b) if b else "all" for b in BOUNDS}
BOUND_HELP = (
    "Which of a person's pictures are kept depends on that person alone. The sentence and the"
    " cards are about this number; what suits a method best was found by a look at private data,"
    " which nobody pays for."
)


@dataclass(frozen=True)
class PersonsView(PageConfig):
    """A view of promises to pictures and to persons.

    Attributes:
        image_bound: pictures a person at most that are looked at, 0 for all; None for what suits
            each method best.
    """

    image_bound: int | None

    @property
    def any_run(self) -> RunSpec:
        """A run of the records that the view is about, promised to each picture."""
        return self.spec(self.methods[0])


def sidebar() -> PersonsView | None:
    """All controls, under the keys that they have on the other pages; None where the data do not
    know their persons, so that the others would do nothing.
    """
    with st.sidebar:
        st.header("Data")
        material = shared_controls.data(RATIO, DATASET)
        if persons_known(material.dataset) is False:
            return None
        st.header("Privacy")
        budget = budget_control.choose_budget()
        chosen = choice(
            *(st.selectbox, "Pictures a person, at most", BOUND_TITLES, BEST, "kept"),
            help=BOUND_HELP,
        )
        st.header("Method")
        method = shared_controls.choose_methods(METHODS) | shared_controls.noise_seeds()
        shared_controls.reset_link(budget.delta)
    kept = None if chosen == BEST else int(chosen)
    return PersonsView(**material.facts | method, budget=budget, image_bound=kept)


def no_persons() -> None:
    """What the page says of data without persons, and the way to some that have them."""
    title = DATASETS[DATASET].title
    st.info(
        "These data do not say whose their records are, so nothing can be promised to a person"
        " with them, and no attacker be tried who looks for two records of one person. Data of your"
        " own may say it: pictures by a file people.csv, a folder for each person or a column"
        " person in parquet; features by an array persons.",
        icon=":material/person_off:",
    )
    st.html('<a href="data" target="_self">How to bring such data: the page Data</a>')
    st.button(f"Look at {title}", on_click=_section_key, type="primary", icon=":material/person:")


def _section_key() -> None:
    st.session_state["data"] = DATASET
    shared_controls.suit(RATIO)
