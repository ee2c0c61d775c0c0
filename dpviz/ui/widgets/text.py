"""Text that is safe to show, the few lines of style that themes cannot say, and where numbers came
from.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import streamlit as st

from dpviz.types import Result
from dpviz.ui.assets import ASSETS
from dpviz.ui.frame import page_record
from dpviz.words import literal, plain  # noqa: F401

STYLE = f"<style>\n{(ASSETS / 'page.css').read_text()}</style>"


def style() -> None:
    """Put the style on the page."""
    st.html(STYLE)


def refusals(sentences: Iterable[str]) -> None:
    """Each different sentence once, as an error."""
    for sentence in dict.fromkeys(sentences):
        st.error(literal(sentence), icon=":material/error:")


def origin(results: Sequence[Result]) -> str:
    """How the numbers came about: how many computed and in what time, how many stored, by which
    versions.
    """
    page_record.now().results = page_record.now().results or results
    fresh = [r.seconds for r in results if r.origin == "computed"]
    parts = [
        (
            f"{len(fresh)} of {len(results)} runs computed since this server started, in"
            f" {sum(fresh):.1f} s"
            if fresh
            else ""
        )
    ]
    parts.append(
        f"{len(results) - len(fresh)} runs from the store" if len(fresh) < len(results) else ""
    )
    versions = (
        ", ".join(f"{name} {value}" for name, value in results[0].versions.items())
        if results
        else ""
    )
    return " · ".join(part for part in [*parts, versions] if part)
