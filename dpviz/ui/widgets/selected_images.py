"""Images selected on the image map, for other pages of the same session.

The selection is in no link, export or cache: its rows may be those of an upload.
"""

from __future__ import annotations

import numpy as np
import streamlit as st

from dpviz import data
from dpviz.text import image_map as text
from dpviz.text.template import render
from dpviz.types import DataConfig, Dataset
from dpviz.views import row_ranges

#: Session key of the data set and the selected rows of its training set, as ranges.
KEY = "image-map:rows"
#: Key of the group of selected images on the Per-record loss page, and of the choice of a group.
GROUP, GROUPS_KEY = "selected", "who"
#: No row of a training set is above.
MAX_ROWS = 10**7


def keep(dataset: str, rows: np.ndarray) -> None:
    """Keep a selection of rows of the training set; Per-record loss opens with it."""
    if not len(rows):
        clear()
        return
    st.session_state[KEY] = (dataset, row_ranges.to_text(rows))
    st.session_state[GROUPS_KEY] = GROUP


def clear() -> None:
    """Drop the selection."""
    st.session_state.pop(KEY, None)


def rows(dataset: str) -> np.ndarray:
    """Return the selected rows of a data set, ascending; none without a selection."""
    kept, ranges = st.session_state.get(KEY, ("", ""))
    if kept != dataset:
        return np.empty(0, np.int64)
    return row_ranges.from_text(ranges, MAX_ROWS)


def in_data(config: DataConfig, dataset: Dataset) -> np.ndarray | None:
    """Draw a note about the selection and a button that drops it, where there is one.

    Returns:
        (n,) bool of the private records of a page; None without selected records among them.
    """
    selected = rows(config.dataset)
    if not len(selected) or dataset.rows is None:
        return None
    is_other_draw = bool(config.draw) and data.one_pool(config.dataset)
    chosen = np.isin(dataset.rows, selected)
    used = int(chosen.sum())
    template = text.NOTE if used == len(selected) else text.NOTE_SOME
    note = render(template, selected=len(selected), used=used)
    with st.container(horizontal=True, vertical_alignment="center", key="selected-images"):
        st.markdown(text.OTHER_DRAW if is_other_draw else note, help=text.NOTE_HELP)
        clear_button("selected-images-clear")
    return chosen if used and not is_other_draw else None


def clear_button(key: str) -> None:
    """Draw the button that drops the selection."""
    st.button(text.CLEAR, key=key, on_click=clear, icon=":material/close:")
