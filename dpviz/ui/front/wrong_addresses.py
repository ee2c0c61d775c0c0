"""Addresses that name no page, and old links to the root that mean Trade-off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from dpviz.text import front as text
from dpviz.text.template import render
from dpviz.ui import streamlit_internals

OWN_NAMES = frozenset({"pictures", "privacy", "first", "voice"})
"""Names in the link of the front page: which pictures, which budget, which class was guessed to
break first, in which voice.
"""


def is_old(names: list[str]) -> bool:
    """Whether a link to the root asks for another page than the front page; what networks add to
    links that are passed on asks for nothing.
    """
    return any(
        name not in OWN_NAMES and not name.startswith("utm_") and not name.endswith("clid")
        for name in names
    )


def follow(page: Any) -> None:
    """Go on to Trade-off with all that the link says, where it is one of those."""
    query = {name: st.query_params.get_all(name) for name in st.query_params}
    if page.url_path == "" and is_old(list(query)):
        st.switch_page("pages/trade_off.py", query_params=query)


MAX_CHARS = 40
"""Signs of an address that are shown."""


def unknown_address(addresses: Mapping[str, str]) -> str:
    """The address that was asked for, where it is none of ``addresses``, else nothing; the front
    page is asked for in its place, without Streamlit's own words about files.
    """
    name = streamlit_internals.requested_page()
    if name in ("", *addresses):
        return ""
    streamlit_internals.request_front_page()
    return name


def sentence(
    name: str, addresses: Mapping[str, str], link: Mapping[str, Sequence[str]] | None = None
) -> str:
    """Return in Markdown that there is no such page, and which page may be meant.

    Args:
        addresses: titles of the pages by address; link: settings of the address, which are kept.
    """
    shown = name if len(name) <= MAX_CHARS else f"{name[:MAX_CHARS]}…"
    for near in get_close_matches(name.lower(), addresses, 1):
        query = f"?{urlencode(link, doseq=True)}" if link else ""
        fields = {"title": addresses[near], "address": f"{near}{query}"}
        return render(text.UNKNOWN_PAGE_NEAR, name=shown, **fields)
    return render(text.UNKNOWN_PAGE, name=shown)


def note(name: str, addresses: Mapping[str, str]) -> None:
    """Draw it."""
    link = {key: st.query_params.get_all(key) for key in st.query_params}
    st.info(sentence(name, addresses, link), icon=":material/link_off:")
