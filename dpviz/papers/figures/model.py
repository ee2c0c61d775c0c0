"""A figure or table of a paper as data: its axes, its runs at two scales, its printed numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dpviz.papers.figures import printed
from dpviz.papers.figures.printed import Printed
from dpviz.papers.model import PAPERS
from dpviz.types import DpvizError, Guarantee, RunSpec

FULL, SMALL = "full", "small"
SCALES = (FULL, SMALL)
Place = float | str
"""A place on the horizontal axis: a number, or a name."""
Progress = Callable[[str, int, int], None]


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
        return printed.numbers_of(self.key)
