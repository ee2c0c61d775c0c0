"""Accuracy against budget: every method on the same data, split and seeds; a budget to drag."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from dpviz.caches import cached
from dpviz.formatting import METRIC_WORDS, bands
from dpviz.plots.kit import readout
from dpviz.plots.kit.figures import KEPT
from dpviz.plots.kit.readout import Row
from dpviz.plots.kit.style import line_style, shaded
from dpviz.stats import Interval, accuracy
from dpviz.types import Budget, Result

PLOT = 330
"""Pixels of the plot itself."""


@dataclass(frozen=True)
class Line:
    """One method: key, title, and a point for each budget (just one, without budget, for a
    reference); ``shade`` tells several lines of one method apart.
    """

    method: str
    title: str
    budgets: tuple[float, ...]
    points: tuple[Interval, ...]
    shade: int = 0


@dataclass(frozen=True)
class BudgetCurve:
    """What the chart shows.

    Attributes:
        metric: a key of ``METRICS``; budget: the smallest drawn, with the axis and delta of all;
            lines: private methods;
            references: methods that are not private; chance: 1/C; seeds: runs behind a point in
            each data draw; draws: data draws behind a point;
            waiting: titles of methods still to come; quiet: private methods (key) with the accuracy
            of each without noise; outside: lines of results that were not computed here.
    """

    metric: str
    budget: Budget
    lines: tuple[Line, ...]
    references: tuple[Line, ...]
    chance: float
    seeds: int
    waiting: tuple[str, ...] = ()
    quiet: tuple[tuple[str, Interval], ...] = ()
    draws: int = 1
    outside: tuple[Row, ...] = ()

    @property
    def budgets(self) -> tuple[float, ...]:
        """Budgets at which every line has a point."""
        return readout.common([line.budgets for line in self.lines])

    def at(self, budget: float) -> dict[str, Interval]:
        """Each private method's accuracy at a budget, by key; those without a point there are left
        out.
        """
        return {
            line.method: line.points[line.budgets.index(budget)]
            for line in self.lines
            if budget in line.budgets
        }

    def without_noise(self, method: str) -> Interval | None:
        """What the same private method gives without noise; None while or where that is not
        known.
        """
        return dict(self.quiet).get(method)


def info(
    results: Sequence[Result],
    titles: Mapping[str, str],
    metric: str,
    budget: Budget,
    waiting: Sequence[str] = (),
    quiet: Sequence[Result] = (),
) -> BudgetCurve:
    """The chart's data from results in any order; runs at an infinite budget are the
    references.

    Args:
        titles: name of each method for people, in drawing order; budget: any with the axis and
            delta of the results; quiet: a run without noise of each private method that has one,
            in each data draw.
    """
    cells: dict[str, dict[float, list[Result]]] = defaultdict(lambda: defaultdict(list))
    for result in results:
        cells[result.spec.method][result.spec.budget.value].append(result)
    found = [
        _line(method, titles[method], cells[method], metric) for method in titles if method in cells
    ]
    lines = tuple(line for line in found if line.budgets != (float("inf"),))
    references = tuple(line for line in found if line.budgets == (float("inf"),))
    seeds = max((p.runs for line in lines for p in line.points), default=0)
    chance = 1 / len(results[0].class_counts) if results else 0.0
    draws = max((len(p.draws) for line in found for p in line.points), default=1)
    silent: dict[str, list[Result]] = defaultdict(list)
    for run in quiet:
        silent[run.spec.method].append(run)
    without = tuple((method, accuracy(runs, metric)) for method, runs in silent.items())
    drawn = readout.smallest(budget, (line.budgets for line in lines))
    return BudgetCurve(
        *(metric, drawn, lines, references, chance, seeds, tuple(waiting), without),
        draws=max(draws, 1),
    )


def _line(method: str, title: str, cell: Mapping[float, list[Result]], metric: str) -> Line:
    budgets = tuple(sorted(cell))
    return Line(method, title, budgets, tuple(accuracy(cell[b], metric) for b in budgets))


def caption(curve: BudgetCurve, precise: bool = True) -> str:
    """What the bands are, in words, in the precise voice or in the plain one."""
    said = bands(curve.seeds, precise, draws=curve.draws)
    return f"{said} Data, split and test set are the same for all."


def alt(curve: BudgetCurve) -> str:
    """The chart in words, without numbers that move (a new text remounts the chart)."""
    names = ", ".join(line.title for line in curve.lines) or "no method yet"
    return (
        f"Accuracy, {METRIC_WORDS[curve.metric]}, from 0 to 100 % against the privacy budget on a"
        f" log axis, for {names}."
    )


# ------------------------------------------------------------------------------------------ drawing


@cached(KEPT)
def figure(curve: BudgetCurve, now: float) -> go.Figure:
    """Lines with bands, references, guessing, the marker at ``now`` and a frame for every budget.

    One figure for all who look at the same.
    """
    rows = [
        Row(line.title, shaded(line_style(line.method), line.shade), line.budgets, line.points)
        for line in (*curve.lines, *curve.references)
    ]
    rows += curve.outside
    if curve.chance:
        rows.append(readout.guessing(curve.chance))
    return readout.figure(curve, rows, now, readout.Plot(PLOT, {"range": [0, 1], "dtick": 0.2}))
