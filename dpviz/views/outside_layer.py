"""Results from elsewhere as a layer of the chart of accuracy against budget."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from html import escape
from typing import Any

from dpviz.formatting import listed, number
from dpviz.plots.kit.readout import Row
from dpviz.plots.kit.style import LineStyle, line_style
from dpviz.privacy.claims import on_axis
from dpviz.run.outside_results import Outside, OutsideFile, short
from dpviz.run.result_files import PRIVATE
from dpviz.stats import Interval, interval
from dpviz.types import AXES
from dpviz.types.checks import LARGEST_BUDGET
from dpviz.views.page_config import STOPS

MOST_LINES = 8
WIDEST = 10.0
"""How far beyond the page's own budgets a point is still drawn, as a factor."""
LETTERS = 20
"""Of a method, and of a file, in a line's name."""
CAPTION = (
    "Open markers on dotted lines are {mark}. Their data, test set and neighbors are those of the"
    " file."
)
NO_PLACE = "{count} of {all} results have a guarantee with no known place on the axis {axis}."
FAR = "{count} of {all} results have a budget outside {low} to {high}."
NO_SCORE = "{count} of {all} results have nothing in the column {column}."
MANY = "{count} methods are not drawn; the chart has room for {most}: {names}."


@dataclass(frozen=True)
class Layer:
    """What of a file is drawn.

    Attributes:
        rows: lines with open markers; left_out: one sentence for each reason why results are not
            drawn; table: a row for each point that is drawn.
    """

    rows: tuple[Row, ...]
    left_out: tuple[str, ...]
    table: tuple[dict[str, Any], ...]


def layer(file: OutsideFile, metric: str, axis: str, delta: float) -> Layer:
    """The layer of a file.

    Args:
        metric: of ``METRICS``; axis, delta: of the chart.
    """
    low, high = STOPS[axis][0] / WIDEST, min(STOPS[axis][-1] * WIDEST, LARGEST_BUDGET[axis])
    cells: dict[str, dict[float, list[float]]] = defaultdict(lambda: defaultdict(list))
    no_place = far = no_score = 0
    places: dict[tuple, float | None] = {}
    for one in file.rows:
        place = _place(one, axis, delta, places)
        if place is None:
            no_place += 1
        elif not low <= place <= high:
            far += 1
        elif math.isnan(one.score(metric)):
            no_score += 1
        else:
            cells[one.method][place].append(one.score(metric))
    total, column = len(file.rows), "accuracy" if metric == "overall" else metric
    said = [
        (no_place, NO_PLACE.format(count=no_place, all=total, axis=AXES[axis])),
        (far, FAR.format(count=far, all=total, low=number(low), high=number(high))),
        (no_score, NO_SCORE.format(count=no_score, all=total, column=column)),
    ]
    left_out = [sentence for count, sentence in said if count]
    if more := list(cells)[MOST_LINES:]:
        left_out.append(MANY.format(count=len(more), most=MOST_LINES, names=listed(more[:5])))
    points = {
        method: {place: interval(cells[method][place]) for place in sorted(cells[method])}
        for method in list(cells)[:MOST_LINES]
    }
    return Layer(_lines(points, file.name), tuple(left_out), _table(points, metric, file))


def _place(one: Outside, axis: str, delta: float, known: dict[tuple, float | None]) -> float | None:
    """The place of a result; each guarantee is converted once."""
    key = (one.notion, one.budget, one.delta)
    if key not in known:
        known[key] = on_axis(*key, axis, delta)
    return known[key]


def _lines(points: dict[str, dict[float, Interval]], file: str) -> tuple[Row, ...]:
    found: dict[str, Row] = {}
    for method, at in points.items():
        title = escape(f"{short(method, LETTERS)}, from {short(file, LETTERS)}")
        while title in found:
            title += "′"
        drawn = LineStyle(line_style(method).colour, "dot", "circle-open")
        found[title] = Row(title, drawn, tuple(at), tuple(at.values()))
    return tuple(found.values())


def _table(
    points: dict[str, dict[float, Interval]], metric: str, file: OutsideFile
) -> tuple[dict[str, Any], ...]:
    score = f"{PRIVATE}.minority" if metric == "minority" else "accuracy"
    return tuple(
        {
            "method": method,
            "budget on this axis": place,
            score: point.mean,
            "runs": point.runs,
            "source": file.mark,
        }
        for method, at in points.items()
        for place, point in at.items()
    )
