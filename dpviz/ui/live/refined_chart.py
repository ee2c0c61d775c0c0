"""Which chart the browser holds while its numbers are refined: any change of a chart's data would
remount it, without its zoom.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import TypeVar

import streamlit as st

from dpviz.ui.frame import presentation
from dpviz.views.page_config import PageConfig

Curve = TypeVar("Curve")


def base(
    key: str, asked: tuple[PageConfig, *tuple[Hashable, ...]], view: PageConfig, curve: Curve
) -> Curve:
    """Return the chart as it was drawn first for these settings: ``curve``, or one of fewer seeds.

    Args:
        key: of the page; asked: what the controls give, the view first; view: as it is shown.
    """
    stays = (_but_stops(asked[0]), *asked[1:])
    kept = st.session_state.get(f"{key}:base")
    if kept and kept[0] == stays and kept[1] < view.seeds and not presentation.on():
        return kept[2]
    if not (kept and kept[0] == stays and kept[1] == view.seeds and kept[2] == curve):
        st.session_state[f"{key}:base"] = (stays, view.seeds, curve)
    return curve


def _but_stops(view: PageConfig) -> PageConfig:
    """The view without its budget, where every chart has a point at that."""
    if view.budget.value not in view.stops:
        return view
    return replace(view, budget=replace(view.budget, value=view.stops[0]))
