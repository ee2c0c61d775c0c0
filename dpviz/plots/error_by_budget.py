"""Error against budget for AdaMix and its ablations, with the two lines to read every run against
(Figure 1).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from dpviz.caches import cached
from dpviz.plots.kit import readout
from dpviz.plots.kit.figures import KEPT
from dpviz.plots.kit.readout import Row
from dpviz.plots.kit.style import line_style
from dpviz.stats import Interval, accuracy
from dpviz.types import Budget, Result

PLOT = 340
"""Pixels of the plot itself."""
LOWEST = 0.01
"""Where the log scale begins."""


@dataclass(frozen=True)
class Line:
    """A preset: its name, and its error at each budget (one point without budget for a line
    across).
    """

    name: str
    budgets: tuple[float, ...]
    points: tuple[Interval, ...]


@dataclass(frozen=True)
class ErrorCurve:
    """What the chart shows.

    Attributes:
        metric: a key of ``METRICS``, errors are 1 - it; budget: the smallest drawn, with the axis
            and delta of all; lines: private presets;
            levels: Only-Public and paragon; chance: error of guessing; waiting: names still to
                come.
    """

    metric: str
    budget: Budget
    lines: tuple[Line, ...]
    levels: tuple[Line, ...]
    chance: float
    waiting: tuple[str, ...] = ()

    @property
    def budgets(self) -> tuple[float, ...]:
        """Budgets at which every line has a point."""
        return readout.common([line.budgets for line in self.lines])

    @property
    def seeds(self) -> int:
        """Runs behind a point."""
        return max((p.runs for line in self.lines for p in line.points), default=0)

    def at(self, budget: float) -> dict[str, Interval]:
        """Errors by name at a budget, the two levels last; a line without a point there is left
        out.
        """
        pairs = {
            line.name: dict(zip(line.budgets, line.points, strict=True)) for line in self.lines
        }
        here = {name: points[budget] for name, points in pairs.items() if budget in points}
        return here | {line.name: line.points[0] for line in self.levels}


def info(
    results: Mapping[str, Sequence[Result]],
    metric: str,
    budget: Budget,
    waiting: Sequence[str] = (),
) -> ErrorCurve:
    """The chart's data from results by preset, in drawing order; those at an infinite budget are
    levels.
    """
    lines = [_line(name, mine, metric) for name, mine in results.items() if mine]
    some = next((mine[0] for mine in results.values() if mine), None)
    chance = 1 - 1 / len(some.class_counts) if some else 1.0
    private = tuple(line for line in lines if line.budgets != (math.inf,))
    levels = tuple(line for line in lines if line.budgets == (math.inf,))
    drawn = readout.smallest(budget, (line.budgets for line in private))
    return ErrorCurve(metric, drawn, private, levels, chance, tuple(waiting))


def _line(name: str, results: Sequence[Result], metric: str) -> Line:
    runs: dict[float, dict[int, Result]] = defaultdict(dict)
    for result in results:
        runs[result.spec.budget.value][result.spec.seed] = result
    budgets = tuple(sorted(runs))
    points = tuple(accuracy(list(runs[b].values()), metric).wrong for b in budgets)
    return Line(name, budgets, points)


def alt(curve: ErrorCurve) -> str:
    """The chart in words, without numbers that move (a new text remounts the chart)."""
    names = ", ".join(line.name for line in (*curve.lines, *curve.levels)) or "nothing yet"
    return (
        f"Test error, 100 % minus {curve.metric} accuracy, against the privacy budget on a log"
        f" axis, for {names}."
    )


# ------------------------------------------------------------------------------------------ drawing


@cached(KEPT)
def figure(curve: ErrorCurve, now: float, log: bool = False) -> go.Figure:
    """Lines with bands, levels, guessing, the marker at ``now`` and a frame for every budget.

    One figure for all who look at the same.
    """
    rows = [
        Row(line.name, line_style(line.name), line.budgets, line.points)
        for line in (*curve.lines, *curve.levels)
    ]
    least = LOWEST if log else 0.0
    plot = readout.Plot(PLOT, _y(log), "error at ", least, LOWEST / 10 if log else 0.0)
    return readout.figure(curve, [*rows, readout.guessing(curve.chance)], now, plot)


def _y(log: bool) -> dict[str, Any]:
    title = {"title": "test error", "standoff": 6}
    if not log:
        return title | {"range": [0, 1], "dtick": 0.2}
    ticks = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]
    return title | {"type": "log", "range": [math.log10(LOWEST), 0], "tickvals": ticks}
