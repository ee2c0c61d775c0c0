"""Small multiples of teachers and the students they teach: share of queries answered, of answers
that are right, and of test records that the student gets right, for one choice after another.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import plotly.graph_objects as go

from dpviz.plots.kit import axes, figures, panels
from dpviz.plots.kit.marks import panel_title
from dpviz.plots.kit.style import ACCENT, GREY, RIGHT
from dpviz.plots.kit.traces import arms, hover, ring, scatter, stroke
from dpviz.stats import Interval

ROW, BETWEEN = 170, 80
"""Pixels of a panel, and between two rows, for the names under the upper one."""
MARGINS = {"l": 48, "t": 30, "b": 120}
"""Margins with room for shares, a panel's title, and names with the legend below: left to find it,
Plotly draws all panels twice.
"""
SERIES = {
    "answered": ("queries answered", GREY, "circle-open"),
    "right": ("answers that are right", RIGHT, "diamond"),
    "student": ("test records the student gets right", ACCENT, "square"),
}


@dataclass(frozen=True)
class Cell:
    """One ensemble: its name, shares in [0, 1] (``right`` nan where nothing is answered or known),
    epsilon, queries, accuracy of the student (None without one).
    """

    name: str
    answered: float
    right: float
    epsilon: float
    queries: int
    student: Interval | None = None

    def share(self, series: str) -> float:
        """The height of a mark, nan for none."""
        if series != "student":
            return float(getattr(self, series))
        return math.nan if self.student is None else self.student.mean


@dataclass(frozen=True)
class EnsembleGrid:
    """Panels by title, each a row of cells; ``now``: the name of a panel's cell that is the page's
    own setting.
    """

    panels: tuple[tuple[str, tuple[Cell, ...]], ...]
    now: tuple[tuple[str, str], ...] = ()


def info(cells: Mapping[str, Sequence[Cell]], now: Mapping[str, str] | None = None) -> EnsembleGrid:
    """The chart's data; panels without a cell are left out."""
    kept = tuple((title, tuple(mine)) for title, mine in cells.items() if mine)
    return EnsembleGrid(kept, tuple((now or {}).items()))


def alt(chart: EnsembleGrid) -> str:
    """The chart in words."""
    told = [
        f"{title}: " + ", ".join(f"{c.name} {c.answered:.0%} answered" for c in mine)
        for title, mine in chart.panels
    ]
    return f"Small charts from 0 to 100 %. {'; '.join(told)}."


def figure(chart: EnsembleGrid) -> go.Figure:
    """A panel a choice, two panels a row, or one on a narrow page; a mark a series and ensemble; ε
    below each name.
    """
    traces, now = [], dict(chart.now)
    for place, (title, mine) in enumerate(chart.panels):
        tail = panels.axis(place)
        traces += [_marks(mine, series, tail, place == 0) for series in SERIES]
        here = [x for x, cell in enumerate(mine) if cell.name == now.get(title)]
        if here and mine[here[0]].student:
            around = ring(here, [mine[here[0]].share("student")], 19)
            traces.append(around | {"xaxis": f"x{tail}", "yaxis": f"y{tail}"})
    wide, narrow = (_placed(chart, columns) for columns in (2, 1))
    legend = figures.CLICKABLE | figures.BELOW
    layout = {"legend": legend, "meta": {"panels": {"wide": wide, "narrow": narrow}}}
    drawn = figures.make_figure(traces, wide["height"], MARGINS, **layout | _axes(chart))
    return drawn.update_layout(wide)


def _placed(chart: EnsembleGrid, columns: int) -> dict[str, Any]:
    """What ``Plotly.relayout`` takes to have so many panels a row; shares are told at the left ones
    alone.
    """
    rows = max(1, math.ceil(len(chart.panels) / columns))
    plot = rows * ROW + (rows - 1) * BETWEEN
    found: dict[str, Any] = {"height": plot + MARGINS["t"] + MARGINS["b"]}
    heads = []
    for place, (title, _) in enumerate(chart.panels):
        row, column = divmod(place, columns)
        left, tail = 0.52 * column, panels.axis(place)
        low = (rows - 1 - row) * (ROW + BETWEEN) / plot
        high = low + ROW / plot
        heads.append(panel_title(escape(title), high + 4 / plot, left))
        found[f"xaxis{tail}.domain"] = [left, left + 0.48 if columns > 1 else 1]
        found[f"yaxis{tail}.domain"] = [low, high]
        found[f"yaxis{tail}.showticklabels"] = not column
    return found | {"annotations": heads}


def _axes(chart: EnsembleGrid) -> dict[str, dict[str, Any]]:
    """Both axes of each panel."""
    found = {}
    for place, (_, mine) in enumerate(chart.panels):
        tail = panels.axis(place)
        names = [f"{escape(c.name)}<br>ε {c.epsilon:.2g}" for c in mine]
        x = {"anchor": f"y{tail}"} | axes.around(len(mine)) | axes.category_axis(names)
        found[f"xaxis{tail}"] = axes.axis(grid=False, **x | axes.WITHIN_MARGINS)
        found[f"yaxis{tail}"] = axes.share(
            anchor=f"x{tail}", range=[0, 1.03], **axes.WITHIN_MARGINS
        )
    return found


def _marks(mine: Sequence[Cell], series: str, tail: str, first: bool) -> dict[str, Any]:
    title, colour, symbol = SERIES[series]
    values = [cell.share(series) for cell in mine]
    # a line between kinds would mean nothing
    numbers = all(cell.name.rstrip("%").replace(".", "").isdigit() for cell in mine)
    said = [
        f"{escape(c.name)}: {v:.0%} {title}, ε = {c.epsilon:.3g}, {c.queries} queries"
        for c, v in zip(mine, values, strict=True)
    ]
    bars = {}
    if series == "student" and any(c.student for c in mine):
        said = [f"{words}<br>{_spread(c.student)}" for words, c in zip(said, mine, strict=True)]
        nothing = Interval(math.nan, math.nan, math.nan, 1)
        bars = {"error_y": arms([c.student or nothing for c in mine], colour, 1.5, 4)}
    return scatter(
        list(range(len(mine))),
        [None if v != v else v for v in values],
        "lines+markers" if numbers else "markers",
        name=title,
        xaxis=f"x{tail}",
        yaxis=f"y{tail}",
        showlegend=first and any(v == v for v in values),
        legendgroup=series,
        cliponaxis=False,
        line=stroke(colour, 1.5),
        marker={"color": colour, "symbol": symbol, "size": 9},
        customdata=said,
        **bars,
        **hover("%{customdata}"),
    )


def _spread(student: Interval | None) -> str:
    """How far the students of single seeds lie apart."""
    if student is None or not math.isfinite(student.sd):
        return "one noise seed"
    return f"sd {100 * student.sd:.1f} points over {student.runs} noise seeds"


def table(chart: EnsembleGrid) -> list[dict[str, Any]]:
    """A row an ensemble; student columns where there are students."""
    return [_row(title, cell) for title, mine in chart.panels for cell in mine]


def _row(title: str, c: Cell) -> dict[str, Any]:
    row = {
        "what varies": title,
        "ensemble": c.name,
        "queries": c.queries,
        "answered": c.answered,
        "answers right": c.right,
        "epsilon, data-independent": c.epsilon,
    }
    if c.student is None:
        return row
    ends = {"student low": c.student.low, "student high": c.student.high}
    return row | {"student": c.student.mean, "student sd": c.student.sd} | ends
