"""The side bar: controls in view and, at the level Plain, one fold with all others.

At the level Precise every control is where the page draws it, and ``fold`` is a fold of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

import streamlit as st

from dpviz.text import controls as text
from dpviz.ui.frame import detail_level, page_parts

#: Key of the fold of the level Plain.
FOLD = "more-settings"


@dataclass
class SideBar:
    """Places of one run.

    Attributes:
        fold_place: of the fold, which is drawn once a control needs it; foot: below all controls;
            fold_body, fold_end: parts of the fold.
    """

    fold_place: Any
    foot: Any
    fold_body: Any = None
    fold_end: Any = None


@contextmanager
def draw() -> Iterator[None]:
    """Draw controls into the side bar."""
    with st.sidebar:
        visible = st.container()
        page_parts.current_page().side_bar = SideBar(st.container(), st.container())
        with visible:
            yield


def _folding() -> SideBar | None:
    """The side bar whose further controls go into one fold; None where there is none."""
    return None if detail_level.precise() else page_parts.current_page().side_bar


def extra(at_end: bool = False) -> AbstractContextManager[Any]:
    """Return the place of a control that the level Plain keeps in the fold; its end on request."""
    bar = _folding()
    if bar is None:
        return nullcontext()
    if bar.fold_body is None:
        with bar.fold_place.expander(text.MORE_SETTINGS, key=FOLD):
            bar.fold_body, bar.fold_end = st.container(), st.container()
    return bar.fold_end if at_end else bar.fold_body


@contextmanager
def fold(
    label: str, title: str = "", key: str | None = None, at_end: bool = False
) -> Iterator[None]:
    """Draw a fold of controls; at the level Plain a part of the one fold.

    Args:
        label: of the fold; title: of the part, at first the label; at_end: the part comes last.
    """
    if _folding() is None:
        with st.expander(label, key=key):
            yield
        return
    with extra(at_end):
        st.markdown(f"**{title or label}**")
        yield


def foot() -> AbstractContextManager[Any]:
    """Return the place below all controls."""
    bar = page_parts.current_page().side_bar
    return nullcontext() if bar is None else bar.foot
