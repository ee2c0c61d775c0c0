"""A place on a page that keeps the content of the last run until this run draws again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from dpviz.plots.icon_arrays import IconArray, icon_arrays_html
from dpviz.ui.frame import page_parts
from dpviz.views.page_as_shown import Tile


class LatePlace:
    """A place that can be drawn several times in one run; the last content stays."""

    def __init__(self, place: Any = None) -> None:
        """Reserve the place, in a container or below what is there."""
        self._place = st.container() if place is None else place
        self._slot: Any = None

    @property
    def slot(self) -> Any:
        """The ``st.empty()`` to draw into."""
        if self._slot is None:
            self._slot = self._place.empty()
        return self._slot

    def tiles(self, tiles: Sequence[Tile]) -> None:
        """Draw tiles."""
        if tiles:
            page_parts.tiles(tiles, self.slot)

    def html(self, words: str) -> None:
        """Draw HTML."""
        self.slot.html(words)

    def empty(self) -> None:
        """Remove the content."""
        self.slot.empty()

    def chart_title(self, text: str) -> None:
        """Draw the finding above the main chart."""
        page_parts.chart_title(text, self.slot)

    def icon_arrays(
        self,
        panels: Sequence[IconArray],
        legend: Mapping[str, str],
        alt: str,
        key: str,
        wide: bool = False,
    ) -> None:
        """Draw icon arrays, under ``key`` in the report; wide: two panels beside each other."""
        drawn = icon_arrays_html(panels, legend, alt, wide)
        self.slot.html(drawn)
        page_parts.html(key, alt, lambda: drawn)
