"""Small charts side by side that share their axes: where each stands on a wide page, and where on a
narrow one, on which they go on below one another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

#: Shares of the width between panels, on a wide and on a narrow page; pixels of a legend's row.
WIDE_GAP, NARROW_GAP, LEGEND_ROW = 0.022, 0.09, 21
#: Pixels of a panel's title, of ticks below it, and of the axis' title below all.
TITLE_HEIGHT, TICKS_HEIGHT, AXIS_HEIGHT = 24, 22, 26
#: Pixels of a letter of a panel's title, and the size of its letters.
LETTER_WIDTH, TITLE_FONT = 6.2, 12
#: Pixels of a panel's height on a narrow page.
NARROW_HEIGHT = 168


@dataclass(frozen=True)
class Grid:
    """Places of ``count`` panels in reading order: so many in a row, each so many pixels high.

    Attributes:
        ticks: whether every panel has ticks of its own below it; legend: rows of the legend.
    """

    count: int
    columns: int
    height: int
    ticks: bool = False
    legend: int = 1

    @property
    def rows(self) -> int:
        """As many as they fill."""
        return -(-self.count // self.columns)

    @property
    def foot(self) -> int:
        """Pixels below the panels."""
        return TICKS_HEIGHT + AXIS_HEIGHT + LEGEND_ROW * self.legend

    @property
    def pixels(self) -> int:
        """Height of all."""
        return self.rows * self._row - self._between + self.foot

    @property
    def _between(self) -> int:
        return TICKS_HEIGHT if self.ticks else 0

    @property
    def _row(self) -> int:
        return TITLE_HEIGHT + self.height + self._between

    def place(self, number: int) -> tuple[list[float], list[float]]:
        """Shares of the plot's width and height that a panel takes."""
        row, column = divmod(number, self.columns)
        gap = NARROW_GAP if self.ticks else WIDE_GAP
        wide = (1 - gap * (self.columns - 1)) / self.columns
        left = column * (wide + gap)
        whole = self.pixels - self.foot
        top = whole - row * self._row - TITLE_HEIGHT
        return [left, left + wide], [(top - self.height) / whole, top / whole]

    def outer(self, number: int) -> tuple[bool, bool]:
        """Whether a panel stands at the left edge, and whether nothing stands below it."""
        return number % self.columns == 0, number + self.columns >= self.count


def wide(count: int, columns: int, legend: int = 1) -> Grid:
    """On a wide page: the lower the more rows there are, so that all are in sight."""
    rows = -(-count // columns)
    height = {1: 250, 2: 180, 3: 132}.get(rows, 104)
    return Grid(count, columns, height, False, legend)


def narrow(count: int, legend: int) -> Grid:
    """On a narrow page: two in a row, or one where they are few."""
    return Grid(count, 1 if count < 4 else 2, NARROW_HEIGHT, True, legend)


def axis_suffix(number: int) -> str:
    """What Plotly adds to the name of a panel's axes."""
    return str(number + 1) if number else ""


def relayout(grid: Grid, notes: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """What ``Plotly.relayout`` takes to bring the panels to a grid, their notes with them."""
    entries: dict[str, Any] = {"height": grid.pixels, "margin.b": grid.foot, "annotations": notes}
    for number in range(grid.count):
        x, y = grid.place(number)
        is_left, is_last = grid.outer(number)
        entries[f"xaxis{axis_suffix(number)}.domain"] = x
        entries[f"yaxis{axis_suffix(number)}.domain"] = y
        entries[f"xaxis{axis_suffix(number)}.showticklabels"] = grid.ticks or is_last
        entries[f"yaxis{axis_suffix(number)}.showticklabels"] = is_left
    return entries
