"""A figure or table of a paper as data: its axes, its runs at two scales, its printed numbers."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from dpviz.caches import cached
from dpviz.papers.model import PAPERS
from dpviz.types import DpvizError, Guarantee, RunSpec

FULL, SMALL = "full", "small"
SCALES = (FULL, SMALL)
Place = float | str
"""A place on the horizontal axis: a number, or a name."""
Progress = Callable[[str, int, int], None]


#: Columns: figure, panel, line, x, value, spread, unit, place, page. Values are as printed.
FILE = Path(__file__).with_name("printed_numbers.csv")


@dataclass(frozen=True)
class Printed:
    """One printed number.

    Attributes:
        panel, line, x: where it is drawn.
        value: a share in [0, 1] where the paper prints percent; spread: its standard deviation,
            nan where none is printed.
        place, page: table, figure or section, and page; "" where the source has no pages.
    """

    panel: str
    line: str
    x: float | str
    value: float
    spread: float
    place: str
    page: str


@cached(1)
def _printed_rows() -> tuple[tuple[str, Printed], ...]:
    with FILE.open(encoding="utf-8", newline="") as file:
        return tuple((row["figure"], _printed_number(row)) for row in csv.DictReader(file))


def printed_numbers(figure: str) -> tuple[Printed, ...]:
    """Printed numbers of a figure, in the order of the file."""
    return tuple(number for key, number in _printed_rows() if key == figure)


def _printed_number(row: dict[str, str]) -> Printed:
    scale = 100 if row["unit"] == "%" else 1
    spread = float(row["spread"]) / scale if row["spread"] else math.nan
    value = round(float(row["value"]) / scale, 6)
    return Printed(
        row["panel"], row["line"], place(row["x"]), value, spread, row["place"], row["page"]
    )


def place(text: str) -> float | str:
    """A place on the axis: a number where the text is one, else the text."""
    try:
        return float(text)
    except ValueError:
        return text


@dataclass(frozen=True)
class Cell:
    """One number to compute: where it is drawn, and its runs, one per seed.

    Attributes:
        panel, line, x: names of panel and line, place on the horizontal axis.
        specs: runs that differ only in their seed and in what a seed draws.
    """

    panel: str
    line: str
    x: Place
    specs: tuple[RunSpec, ...]


@dataclass(frozen=True)
class Number:
    """One computed number.

    Attributes:
        panel, line, x: as in ``Cell``.
        mean, low, high: value with its 95% interval, a share in [0, 1] where the figure has shares.
        runs: number of runs.
        guarantee: of each run; None where no guarantee covers the number.
    """

    panel: str
    line: str
    x: Place
    mean: float
    low: float
    high: float
    runs: int
    guarantee: Guarantee | None = None


Measure = Callable[[Progress], list[Number]]
"""Computes numbers that are not accuracies of runs."""


@dataclass(frozen=True)
class Setting:
    """A figure at one scale.

    Attributes:
        words: data, encoder, public set, budgets and seeds in one sentence.
        differs: what differs from the paper, one sentence each.
        cells: gives the runs; empty where ``measure`` computes the numbers.
        measure: computes numbers that are no accuracies of runs.
    """

    words: str
    differs: tuple[str, ...]
    cells: Callable[[], list[Cell]] = list
    measure: Measure | None = None


@dataclass(frozen=True)
class Figure:
    """One figure or table of a paper.

    Attributes:
        key: name in the shell; paper: key of ``PAPERS``; place: such as "Figure 2".
        title: what it shows; x, y: titles of the axes; log_x: whether the horizontal axis is
            logarithmic.
        metric: of ``METRICS``; wrong: whether the error is drawn in place of the accuracy.
        share: whether the vertical axis is a share from 0 to 1.
        settings: a ``Setting`` for each of ``SCALES``.
        unprinted: the reason why there is no printed number, if there is none.

    Raises:
        DpvizError: for an unknown paper or scale.
    """

    key: str
    paper: str
    place: str
    title: str
    x: str
    settings: dict[str, Setting]
    y: str = "Accuracy"
    log_x: bool = False
    metric: str = "balanced"
    wrong: bool = False
    share: bool = True
    unprinted: str = ""

    def __post_init__(self) -> None:
        if self.paper not in PAPERS or tuple(self.settings) != SCALES:
            raise DpvizError(f"Figure {self.key} needs a paper of {', '.join(PAPERS)} and scales.")

    @property
    def printed(self) -> tuple[Printed, ...]:
        """Numbers printed in the paper."""
        return printed_numbers(self.key)
