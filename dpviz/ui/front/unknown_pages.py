"""Addresses that name no page: the front page says so, and leads to the one that may be meant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from urllib.parse import urlencode

import streamlit as st

from dpviz.formatting import literal
from dpviz.ui import streamlit_internals

LONGEST = 40
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
    """In Markdown: that there is no such page, and which one may be meant.

    Args:
        addresses: titles of the pages by address; link: what else the address says, which is kept.
    """
    said = name if len(name) <= LONGEST else f"{name[:LONGEST]}…"
    words = f"There is no page “{literal(said)}”; this is the first one, which leads to all others."
    for near in get_close_matches(name.lower(), addresses, 1):
        more = f"?{urlencode(link, doseq=True)}" if link else ""
        words += f" Did you look for [{addresses[near]}](./{near}{more})?"
    return words


def note(name: str, addresses: Mapping[str, str]) -> None:
    """Draw it."""
    link = {key: st.query_params.get_all(key) for key in st.query_params}
    st.info(sentence(name, addresses, link), icon=":material/link_off:")
