"""Links to the root that say what Trade-off shall show: they open Trade-off."""

from __future__ import annotations

from typing import Any

import streamlit as st

OWN = frozenset({"pictures", "privacy", "first", "voice"})
"""Names in the link of the front page: which pictures, which budget, which class was guessed to
break first, in which voice.
"""


def is_old(names: list[str]) -> bool:
    """Whether a link to the root asks for another page than the front page; what networks add to
    links that are passed on asks for nothing.
    """
    return any(
        name not in OWN and not name.startswith("utm_") and not name.endswith("clid")
        for name in names
    )


def follow(page: Any) -> None:
    """Go on to Trade-off with all that the link says, where it is one of those."""
    asked = {name: st.query_params.get_all(name) for name in st.query_params}
    if page.url_path == "" and is_old(list(asked)):
        st.switch_page("pages/trade_off.py", query_params=asked)
