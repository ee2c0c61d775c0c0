"""Tabs of a page, each with one or several views, under one key in the link."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from dpviz.ui.assets import asset
from dpviz.ui.frame import link_notes
from dpviz.ui.widgets import export
from dpviz.ui.widgets.choices import choice, requested_value, segments

#: Tabs that every page has last.
TABLE, ABOUT = "table", "about"
#: Title of each view, by its key in the link.
Views = Mapping[str, str]
#: Title and views of each tab.
Tabs = Mapping[str, tuple[str, Views]]


def open_view(tabs: Tabs, key: str, label: str) -> str:
    """Draw a row of tabs and, where the open tab has several, a choice of its views.

    The key of the chosen view stands in the link, so that links to a view outlive a regrouping.

    Args:
        tabs: title and views of each tab; the first view is shown at first.
        key: of the view, in the link; label: of the choice of views.
    """
    first = _first(next(iter(tabs.values()))[1])
    is_unset = key not in st.session_state and key not in st.query_params
    if is_unset and link_notes.opened_with(TABLE):  # the fold of an earlier version
        st.session_state[key] = TABLE
    requested = requested_value(key, first)
    tab = next((name for name, (_, views) in tabs.items() if requested in views), next(iter(tabs)))
    _row(tabs, tab, key)
    views = tabs[tab][1]
    if len(views) > 1:
        return segments(label, views, first, key, label_visibility="collapsed")
    return choice(_undrawn, label, views, first, key)


def table_fold(rows: Sequence[Mapping[str, Any]], name: str, title: str) -> None:
    """Draw a fold with the table of a view and its CSV, a file called ``name``."""
    if rows and (fold := export.fold()):
        with fold:
            export.table(rows, name, title)


def _row(tabs: Tabs, current: str, key: str) -> None:
    if link_notes.opened_with(key):
        part = st.components.v2.component("dpviz.land", js=asset("land_at_look.js"))
        part(key=f"hand-land-{key}")
    row = f"{key}-tab"
    st.session_state[row] = current

    def open_tab() -> None:
        st.session_state[key] = _first(tabs[st.session_state[row]][1])

    with st.container(key=f"tabs-{key}"):
        st.segmented_control(
            "Details",
            list(tabs),
            format_func=lambda name: tabs[name][0],
            key=row,
            required=True,
            on_change=open_tab,
            label_visibility="collapsed",
        )


def _first(views: Views) -> str:
    return next(iter(views))


def _undrawn(label: str, options: list[str], key: str, **rest: Any) -> str:
    """Return the only option of a choice that needs no widget."""
    return st.session_state[key]


class Place:
    """A place on a page; its last content stays until it is emptied or replaced."""

    def __init__(self, container: Any) -> None:
        self._container, self._slot = container, None

    def html(self, words: str) -> None:
        """Replace the content by HTML."""
        self._cleared().html(words)

    def markdown(self, words: str) -> None:
        """Replace the content by Markdown."""
        self._cleared().markdown(words)

    def empty(self) -> None:
        """Remove the content."""
        self._cleared().empty()

    def container(self) -> Any:
        """Return a container in place of the content."""
        return (self._slot or self._container).container()

    def _cleared(self) -> Any:
        if self._slot is None:
            self._slot = self._container.empty()
        return self._slot
