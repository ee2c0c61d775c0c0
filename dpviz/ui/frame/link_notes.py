"""Which controls the link of a page holds, and a note about what could not be used of one that was
followed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import streamlit as st

from dpviz.methods import METHODS
from dpviz.ui import streamlit_internals
from dpviz.ui.frame import detail_level, page_parts, undo
from dpviz.views import page_links

RAW, NOTE, LAST = "links:raw", "links:note", "links:last"
NOTED_ELSEWHERE = {"claim", "lesson", "ask", "present"}
"""What an address says of words at the top of its page."""
#: Key in the link of a page: a claim of a paper.
CLAIM = "claim"


#: Settings that a link may carry over to a page without runs.
RUN_SETTINGS = set("data enc pub ir records draw unit k eps axis delta m n seed score".split())


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
    is_first = RAW not in st.session_state
    if is_first:
        values = {key: st.query_params.get_all(key) for key in st.query_params}
        st.session_state[RAW] = {FORMER.get(key, key): words for key, words in values.items()}
    _rename_former()
    _leave_out_endless()
    return is_first


TAB_KEYS = ("tab", "look")
"""Choices of the open tab, by their names in the link."""


def follow_history(page: str) -> None:
    """Let choices start from the address where Back or Forward changed it, and another page at its
    first tab.

    Streamlit reads the address itself for controls that are bound to it.
    """
    last_page, last = st.session_state.get(LAST, (page, {}))
    if last_page != page:
        for key in TAB_KEYS:
            st.session_state.pop(key, None)
    else:
        for key, values in last.items():
            if st.query_params.get_all(key) != values:
                st.session_state.pop(key, None)


def last_page() -> str | None:
    """The page of the last run; None before its end."""
    return st.session_state.get(LAST, (None,))[0]


def remember_address(page: str, keys: Iterable[str]) -> None:
    """Remember what the address says of these choices, at the end of a run."""
    st.session_state[LAST] = page, {key: st.query_params.get_all(key) for key in keys}


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
    values = {key: st.query_params.get_all(key) for key in st.query_params if key in FORMER}
    for key, words in values.items():
        del st.query_params[key]
        st.query_params[FORMER[key]] = words
    if values:
        streamlit_internals.reread_address()


def _leave_out_endless() -> None:
    """Take numbers that are not finite out of the address: a box of whole numbers would end the
    page with one.
    """
    values = {key: st.query_params.get_all(key) for key in st.query_params}
    endless = [key for key, words in values.items() if any(map(page_links.endless, words))]
    for key in endless:
        del st.query_params[key]
    if endless:
        streamlit_internals.reread_address()


def show(place: Any, page: str, values: Mapping[str, Any], is_first: bool, whole: bool) -> None:
    """One note about what could not be used of the link, until a control is moved.

    Args:
        is_first: this was the first run of the session; whole: the page came to its end.
    """
    if is_first:
        page_shown = page_parts.current_page()
        passed = page_shown.other_settings | (RUN_SETTINGS - set(values))
        passed = passed if "data" not in values else page_shown.other_settings
        raw = {k: texts for k, texts in st.session_state[RAW].items() if k not in passed}
        whole = whole and bool(page_shown.question)  # a page of words loses nothing of a view
        notes = page_links.notes(raw, values, page_shown.choices, whole, page_shown.reasons)
        page_shown.notes = notes
        st.session_state[NOTE] = (page, dict(values), notes)
    note = st.session_state.get(NOTE)
    if note and note[2] and note[0] == page and not undo.differ(note[1], values):
        place.info(
            f"Not all of the link could be used. {page_links.first_notes(note[2])}",
            icon=":material/link_off:",
        )


def draw_claim() -> None:
    """Draw the claim that the address names above the page, as a link from the Papers page asks."""
    key = st.query_params.get(CLAIM, "")
    if not key:
        return
    from dpviz import papers
    from dpviz.papers import verdicts
    from dpviz.views import papers_page

    claim = next((claim for claim in papers.claims() if claim.key == key), None)
    if claim is not None:
        back = detail_level.address("papers")
        st.info(papers_page.claim_note(claim, verdicts.stored()[0], back))
