"""The control that chooses among data sets of the same records, such as sets of more classes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from dpviz.data import DATASETS, variants
from dpviz.ui.widgets.choices import requested_value

KEY = "data:variant"
HELP = (
    "Sets of the same images that differ in their classes. Each one is a data set of its own, so"
    " the link and the command name it."
)


def titles_per_family(titles: Mapping[str, str]) -> dict[str, str]:
    """Titles of data sets, of each family one alone: the chosen set or the first.

    Args:
        titles: by key or name of an upload.
    """
    chosen = requested_value("data", "")
    folded_titles: dict[str, str] = {}
    for name, title in titles.items():
        family = variants(name)
        shown_name = chosen if chosen in family else next(iter(family), name)
        if name == shown_name:
            folded_titles[name] = title
    return folded_titles


def draw(dataset: str, changed: Callable[[], None]) -> None:
    """Draw the control for a data set of a family, nothing for another.

    Args:
        changed: called once another set of the family is the data set.
    """
    family = variants(dataset)
    if not family:
        return

    def choose() -> None:
        st.session_state["data"] = st.session_state[KEY]
        changed()

    st.session_state[KEY] = dataset
    st.selectbox(
        "Classes",
        sorted(family, key=lambda key: DATASETS[key].classes),
        format_func=family.__getitem__,
        key=KEY,
        help=HELP,
        on_change=choose,
    )
