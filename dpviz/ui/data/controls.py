"""The controls of the page "Data"."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from dpviz.data import DATASETS, synthetic, uploads
from dpviz.data.source import STATES, Source
from dpviz.text import data as text
from dpviz.text.template import render_text
from dpviz.ui.frame import page_parts, visitor
from dpviz.ui.widgets import shared_controls

KEY = "data-page"
CHOSEN_KEY, SEEN_KEY = f"{KEY}:chosen", f"{KEY}:seen"
RATIO = 50
"""First imbalance ratio of pages that have one."""
OTHER_PAGES = {"ir", "records", "unit", "k"}
"""Settings of other pages that select records: this page shows all records."""


@dataclass(frozen=True)
class Request:
    """Data set and encoder, as ``RunSpec`` has them, and a public set."""

    dataset: str
    encoder: str
    public: str


def sidebar() -> Request:
    """Draw data set, encoder and public set, under the keys of the other pages."""
    with st.sidebar:
        st.header(text.DATA)
        own = visitor.my_uploads()
        titles = {row.key: _option(row) for row in protectable()}
        titles |= {name: uploads.title(name) for name in own if uploads.pictures(name)}
        chosen = st.session_state.pop(CHOSEN_KEY, None)
        if chosen in titles:
            st.session_state["data"] = chosen
            shared_controls.suit(RATIO)
        name = shared_controls.data_set(titles, text.DATA_HELP, RATIO)
        dataset = name if name in DATASETS else shared_controls.upload_dataset(name)
        encoder = shared_controls.encoders(name)
        public = shared_controls.public_sets(dataset)
        shared_controls.held_aside_note(dataset, public)
        shared_controls.reset_link()
    page_parts.current_page().other_settings |= OTHER_PAGES
    return Request(dataset, encoder, public)


def choose(name: str) -> None:
    """Make a data set the choice of the next run."""
    st.session_state[CHOSEN_KEY] = name


def choose_once(name: str) -> None:
    """Make a new upload the data set, the first time that this session reads it."""
    if name not in st.session_state.setdefault(SEEN_KEY, set()):
        st.session_state[SEEN_KEY].add(name)
        choose(name)
        st.rerun()


def protectable() -> list[Source]:
    """Return image sets that can be protected; synthetic features need no embedding."""
    return [r for r in DATASETS.values() if "private" in r.roles and r.key != synthetic.KEY]


def _option(row: Source) -> str:
    if row.is_on_disk():
        return row.title
    return render_text(text.OPTION, title=row.title, state=STATES[row.state])
