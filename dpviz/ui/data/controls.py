"""The controls of the page "Data"."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from dpviz.data import DATASETS, synthetic, uploads
from dpviz.data.source import STATES, Source
from dpviz.ui.frame import page_parts, visitor
from dpviz.ui.widgets import shared_controls

KEY = "data-page"
CHOSEN_KEY, SEEN_KEY = f"{KEY}:chosen", f"{KEY}:seen"
RATIO = 50
"""The imbalance ratio at first on the pages that have one."""
OTHER_PAGES = {"ir", "records", "unit", "k"}
"""Settings of other pages that say which records of a set count: this page shows all of them."""
DATA_HELP = "All sets that can be protected, with those that are not on disk yet."


@dataclass(frozen=True)
class Request:
    """What the controls say: data set and encoder as ``RunSpec`` has them, and a public set."""

    dataset: str
    encoder: str
    public: str


def sidebar() -> Request:
    """Data set, encoder and public set, under the keys they have on the other pages."""
    with st.sidebar:
        st.header("Data")
        own = visitor.my_uploads()
        titles = {row.key: _option(row) for row in protectable()}
        titles |= {name: uploads.title(name) for name in own if uploads.pictures(name)}
        chosen = st.session_state.pop(CHOSEN_KEY, None)
        if chosen in titles:
            st.session_state["data"] = chosen
            shared_controls.suit(RATIO)
        name = shared_controls.data_set(titles, DATA_HELP, RATIO)
        dataset = name if name in DATASETS else shared_controls.upload_dataset(name)
        encoder = shared_controls.encoders(name)
        public = shared_controls.public_sets(dataset)
        shared_controls.held_aside_note(dataset, public)
        shared_controls.reset_link()
    page_parts.current_page().other_settings |= OTHER_PAGES
    return Request(dataset, encoder, public)


def choose_once(name: str) -> None:
    """Make a new upload the data set, the first time that this session sees it read."""
    if name not in st.session_state.setdefault(SEEN_KEY, set()):
        st.session_state[SEEN_KEY].add(name)
        st.session_state[CHOSEN_KEY] = name
        st.rerun()


def protectable() -> list[Source]:
    """Sets of pictures that can be protected; the pages themselves make synthetic features."""
    return [r for r in DATASETS.values() if "private" in r.roles and r.key != synthetic.KEY]


def _option(row: Source) -> str:
    return row.title if row.is_on_disk() else f"{row.title} ({STATES[row.state]})"
