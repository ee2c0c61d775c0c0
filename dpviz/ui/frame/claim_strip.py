"""The claim of a paper above the page that shows it, as a link from the page Papers asks."""

from __future__ import annotations

import streamlit as st

from dpviz.formatting import literal
from dpviz.ui.frame import detail_level

NAME = "claim"
PAGE = "papers"
CLAIM_TEXT = "**{paper}, {place}:** {says} [All claims]({back})"


def strip() -> None:
    """Show the claim that the address names; nothing without one."""
    key = st.query_params.get(NAME, "")
    if not key:
        return
    from dpviz import papers
    from dpviz.papers.model import PAPERS

    claim = next((one for one in papers.claims() if one.key == key), None)
    if claim is not None:
        words = CLAIM_TEXT.format(
            paper=PAPERS[claim.paper].short,
            place=literal(claim.place),
            says=literal(claim.says),
            back=detail_level.address(PAGE),
        )
        st.info(words)
