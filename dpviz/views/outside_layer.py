"""External results as a layer of the chart of accuracy against budget."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from html import escape
from typing import Any

from dpviz.experiments.outside_results import Outside, OutsideFile, short
from dpviz.experiments.result_files import PRIVATE
from dpviz.plots.kit.readout import Row
from dpviz.plots.kit.style import LineStyle, line_style
from dpviz.privacy.claims import on_axis
from dpviz.stats import Interval, interval
from dpviz.text import outside_layer as text
from dpviz.text.template import render_text
from dpviz.types import AXES, Budget
from dpviz.types.budget import LARGEST_BUDGET
from dpviz.views.page_config import STOPS

MAX_LINES = 8
RANGE_FACTOR = 10.0
"""Factor beyond the page's own budgets within which points are drawn."""
MAX_CHARS = 20
"""Length of a method's and a file's name in a line's name."""


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


def layer(file: OutsideFile, metric: str, budget: Budget) -> Layer:
    """The layer of a file.

    Args:
        metric: of ``METRICS``; budget: any of the chart.
    """
    axis = budget.axis
    low, high = (
        STOPS[axis][0] / RANGE_FACTOR,
        min(STOPS[axis][-1] * RANGE_FACTOR, LARGEST_BUDGET[axis]),
    )
    cells: dict[str, dict[float, list[float]]] = defaultdict(lambda: defaultdict(list))
    no_place = far = no_score = 0
    places: dict[tuple, float | None] = {}
    for row in file.rows:
        place = _place(row, budget, places)
        if place is None:
            no_place += 1
        elif not low <= place <= high:
            far += 1
        elif math.isnan(row.score(metric)):
            no_score += 1
        else:
            cells[row.method][place].append(row.score(metric))
    total, column = len(file.rows), "accuracy" if metric == "overall" else metric
    reasons = [
        (no_place, render_text(text.NO_PLACE, count=no_place, all=total, axis=AXES[axis])),
        (far, render_text(text.OUT_OF_RANGE, count=far, all=total, low=low, high=high)),
        (no_score, render_text(text.NO_SCORE, count=no_score, all=total, column=column)),
    ]
    left_out = [sentence for count, sentence in reasons if count]
    if undrawn := list(cells)[MAX_LINES:]:
        left_out.append(
            render_text(text.TOO_MANY, count=len(undrawn), most=MAX_LINES, names=undrawn)
        )
    points = {
        method: {place: interval(cells[method][place]) for place in sorted(cells[method])}
        for method in list(cells)[:MAX_LINES]
    }
    return Layer(_lines(points, file.name), tuple(left_out), _table(points, metric, file))


def _place(row: Outside, budget: Budget, cache: dict[tuple, float | None]) -> float | None:
    """The place of a result; each guarantee is converted once."""
    key = (row.notion, row.budget, row.delta)
    if key not in cache:
        cache[key] = on_axis(*key, budget.axis, budget.delta)
    return cache[key]


def _lines(points: dict[str, dict[float, Interval]], file: str) -> tuple[Row, ...]:
    rows: dict[str, Row] = {}
    for method, points_of_method in points.items():
        title = escape(f"{short(method, MAX_CHARS)}, from {short(file, MAX_CHARS)}")
        while title in rows:
            title += "′"
        style = LineStyle(line_style(method).colour, "dot", "circle-open")
        rows[title] = Row(title, style, tuple(points_of_method), tuple(points_of_method.values()))
    return tuple(rows.values())


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
        for method, points_of_method in points.items()
        for place, point in points_of_method.items()
    )
