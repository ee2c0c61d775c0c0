"""Navigation: entries at the top, and the pages of the open entry as tabs below them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from dpviz.text.navigation import ENTRIES, LINKED

KEY = "pages"
#: Marks the open entry, where its first page is not the open one, and the open page below it.
OPEN = """<style>
:is([data-testid="stTopNavLink"][href$="/{entry}"], .st-key-pages a[href$="{page}"]) {{
  border-radius: 0;
  font-weight: 600;
  box-shadow: inset 0 -2px var(--st-primary-color, #5f4dc4);
}}</style>"""


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
    first = made[next(iter(titles))]
    st.html(OPEN.format(entry=first.url_path, page=chosen.url_path))
    with st.container(horizontal=True, key=KEY):
        for name, title in titles.items():
            st.page_link(made[name], label=title)


def _entry(open_name: str) -> str:
    return next(entry for entry, titles in ENTRIES.items() if open_name in titles)
