"""Navigation: entries at the top, and the pages of the open entry as tabs below them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from dpviz.text.navigation import ENTRIES, LINKED

KEY = "pages"
#: Makes the open entry stand out where its first page is not the open one.
OPEN_ENTRY = '<style>[data-testid="stTopNavLink"][href$="/{address}"] {{ {rule} }}</style>'
RULE = "background: rgba(128, 136, 150, 0.15); font-weight: 600;"


def pages() -> dict[str, Any]:
    """Return every page by its file name; the navigation shows the first of each entry."""
    made = {}
    for entry, titles in ENTRIES.items():
        for name, title in titles.items():
            first = name == next(iter(titles))
            made[name] = _page(name, entry if first else title, hidden=not first)
    for name, (_, title) in LINKED.items():
        made[name] = _page(name, title, hidden=True)
    return made


def _page(name: str, title: str, hidden: bool) -> Any:
    """The page of ``pages/<name>.py``, under the address of its name."""
    address = None if name == "front" else name.replace("_", "-")
    return st.Page(
        f"pages/{name}.py",
        title=title,
        url_path=address,
        default=name == "front",
        visibility="hidden" if hidden else "visible",
    )


def draw_tabs(chosen: Any, made: Mapping[str, Any]) -> None:
    """Draw the pages of the open entry as tabs, where it has several."""
    open_name = next(name for name, page in made.items() if page is chosen)
    entry = LINKED[open_name][0] if open_name in LINKED else _entry(open_name)
    titles = ENTRIES[entry]
    if len(titles) < 2:
        return
    first = next(iter(titles))
    if open_name != first:
        st.html(OPEN_ENTRY.format(address=made[first].url_path, rule=RULE))
    with st.container(horizontal=True, key=KEY):
        for name, title in titles.items():
            st.page_link(made[name], label=title)


def _entry(open_name: str) -> str:
    return next(entry for entry, titles in ENTRIES.items() if open_name in titles)
