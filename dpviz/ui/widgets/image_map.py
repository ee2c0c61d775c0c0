"""A map of images on a canvas: points, or thumbnails once it is zoomed in, and a lasso."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import streamlit as st

from dpviz.plots.kit.image_sheet import ImageSheet
from dpviz.plots.kit.style import CLASS_COLOURS
from dpviz.text import image_map as text
from dpviz.ui.assets import asset

#: Name of the trigger: selected positions as ranges.
SELECTED = "selected"
#: Most classes whose colors are named below the map.
MAX_NAMED = len(CLASS_COLOURS)
HTML = """<div class="dp-map"><div class="bar"></div>
<canvas tabindex="0" role="application"></canvas>
<output hidden></output><ul></ul></div>"""


def show(key: str, data: dict[str, Any], on_select: Callable[[object], None]) -> None:
    """Draw the map.

    Args:
        data: of ``script_data``; on_select: called with what a lasso sent, before the next run.
    """
    part = st.components.v2.component(
        "dpviz.image_map", html=HTML, css=asset("image_map.css"), js=asset("image_map.js")
    )
    part(key=key, data=data, on_selected_change=lambda: on_select(st.session_state[key][SELECTED]))


def script_data(
    alt: str,
    places: np.ndarray,
    labels: np.ndarray,
    rows: np.ndarray,
    names: Sequence[str],
    sheet: ImageSheet | None,
) -> dict[str, Any]:
    """Return what the script takes.

    Args:
        places: (k, 2); labels, rows: (k,); names: of the classes.
    """
    low, high = (end(places, axis=0) for end in (np.min, np.max))
    shares = (places - low) / np.where(high > low, high - low, 1)
    return {
        "alt": alt,
        "words": text.CONTROLS,
        "places": _packed(shares * (2**16 - 1), "<u2"),
        "labels": _packed(labels, "<u2"),
        "rows": _packed(rows, "<u4"),
        # tuples, since Streamlit asks pandas whether a list is a table
        "names": tuple(names),
        "colours": CLASS_COLOURS,
        "named": MAX_NAMED,
        "sheet": sheet.data_url if sheet else "",
        "side": sheet.side if sheet else 0,
        "columns": sheet.columns if sheet else 0,
    }


def _packed(numbers: np.ndarray, kind: str) -> str:
    return b64encode(np.ascontiguousarray(numbers.round()).astype(kind).tobytes()).decode()
