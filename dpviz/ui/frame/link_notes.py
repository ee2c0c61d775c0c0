"""Which controls the link of a page holds, and a note about what could not be used of one that was
followed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from dpviz.methods import METHODS
from dpviz.ui import streamlit_internals
from dpviz.ui.frame import page_parts, undo
from dpviz.views import page_links

RAW, NOTE = "links:raw", "links:note"
NOTED_ELSEWHERE = {"claim", "lesson", "ask", "present"}
"""What an address says of words at the top of its page."""


def controls() -> dict[str, Any]:
    """Values of the controls drawn in this run, by their name in the link."""
    bound = streamlit_internals.bound_controls(str(key) for key in st.session_state)
    return {
        key: _as_list(st.session_state[key])
        for key in sorted(bound | page_parts.current_page().choices)
    }


def _as_list(value: Any) -> Any:
    return list(value) if isinstance(value, list | tuple) else value


# ------------------------------------------------------------------------ what a link could not say


def begin() -> bool:
    """Take down what the address says before any control reads it; True in the first run of a
    session.
    """
    first = RAW not in st.session_state
    if first:
        said = {key: st.query_params.get_all(key) for key in st.query_params}
        st.session_state[RAW] = {FORMER.get(key, key): words for key, words in said.items()}
    _rename_former()
    _leave_out_endless()
    return first


def opened_with(key: str) -> bool:
    """True where the session's first address set this control, and told nothing at the page's top:
    a lesson's step, a teacher's question.
    """
    raw = st.session_state.get(RAW, {})
    return key in raw and not NOTED_ELSEWHERE & set(raw)


#: Present name of each control that links from earlier versions name otherwise.
FORMER = {
    f"{method.key}.{param.former}": f"{method.key}.{param.name}"
    for method in METHODS.values()
    for param in method.params
    if param.former
}


def _rename_former() -> None:
    """Give settings of methods in the address their present names."""
    said = {key: st.query_params.get_all(key) for key in st.query_params if key in FORMER}
    for key, words in said.items():
        del st.query_params[key]
        st.query_params[FORMER[key]] = words
    if said:
        streamlit_internals.reread_address()


def _leave_out_endless() -> None:
    """Take numbers that are not finite out of the address: a box of whole numbers would end the
    page with one.
    """
    said = {key: st.query_params.get_all(key) for key in st.query_params}
    endless = [key for key, words in said.items() if any(map(page_links.endless, words))]
    for key in endless:
        del st.query_params[key]
    if endless:
        streamlit_internals.reread_address()


def show(place: Any, page: str, values: Mapping[str, Any], first: bool, whole: bool) -> None:
    """One note about what could not be used of the link, until a control is moved.

    Args:
        first: this was the first run of the session; whole: the page came to its end.
    """
    if first:
        shown = page_parts.current_page()
        raw = {
            k: said for k, said in st.session_state[RAW].items() if k not in shown.other_settings
        }
        whole = whole and bool(shown.question)  # a page of words loses nothing of a view
        notes = page_links.notes(raw, values, shown.choices, whole, shown.reasons)
        shown.notes = notes
        st.session_state[NOTE] = (page, dict(values), notes)
    told = st.session_state.get(NOTE)
    if told and told[2] and told[0] == page and not undo.differ(told[1], values):
        place.info(
            f"Not all of the link could be used. {page_links.first_notes(told[2])}",
            icon=":material/link_off:",
        )
