"""The table of an open tab, in a fold below its chart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from dpviz.text import method_tiles as text
from dpviz.ui.widgets import export

#: Key of the fold in the link.
KEY = "table"


def draw(rows: Sequence[Mapping[str, Any]], name: str) -> None:
    """Draw the table and its CSV, once the fold is open.

    Args:
        name: of the file, without ending.
    """
    if not rows:
        return
    fold = st.expander(text.SECTION_TABLE, key=KEY, bind="query-params")
    if fold.open:
        with fold:
            export.table(rows, name, text.SECTION_CSV)
