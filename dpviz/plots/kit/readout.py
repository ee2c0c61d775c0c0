"""What charts over the budget share: lines with bands, and a read-out above them that is legend and
numbers at once.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from dpviz.plots.kit import frames
from dpviz.plots.kit.style import ACCENT, FONT, GREY, GRID, Look, rgba
from dpviz.stats import Interval
from dpviz.words import SYMBOLS, axis_title, number, numbers, percent, spread

ROW = 21
"""Pixels a row of the read-out."""
PLACE = {"xaxis": "x2", "yaxis": "y2"}
BESIDE = 0.075
"""Where a row's words begin, as a share of the width; its sample ends at 0.05."""
WIDEST, FIGURE = len("93.9 %"), "\u2007"
"""Signs of the widest number, and a space as wide as a digit."""


@dataclass(frozen=True)
class Row:
    """A line of the chart and its row: title, look, a point for each budget; one point alone holds
    at every budget.
    """

    title: str
    look: Look
    budgets: tuple[float, ...]
    points: tuple[Interval, ...]

    @property
    def level(self) -> bool:
        """True for a line across, which no budget moves."""
        return self.budgets == (math.inf,)

    def at(self, budget: float) -> Interval | None:
        """The point at a budget, where there is one."""
        return (
            self.points[0]
            if self.level
            else dict(zip(self.budgets, self.points, strict=True)).get(budget)
        )


def common(budgets: Iterable[Sequence[float]]) -> tuple[float, ...]:
    """Budgets at which every line has a point."""
    sets = [set(each) for each in budgets]
    return tuple(sorted(set.intersection(*sets))) if sets else ()


def span(rows: Sequence[Row], now: float) -> tuple[float, float]:
    """Least and greatest budget of a chart; never nothing."""
    budgets = {b for row in rows if not row.level for b in row.budgets} | {now}
    return (min(budgets), max(budgets)) if len(budgets) > 1 else (min(0.01, now), max(10.0, now))


def scatter(**settings: Any) -> dict[str, Any]:
    """A quiet trace."""
    return {"type": "scatter", "hoverinfo": "skip", "showlegend": False} | settings


def brackets(point: Interval) -> str:
    """The spread of a point in brackets, where it has one."""
    return f"({spread(point)})" if spread(point) else ""


# ------------------------------------------------------------------------------------------- traces


def curves(rows: Sequence[Row], axis: str, now: float, floor: float = 0.0) -> list[dict[str, Any]]:
    """All lines; bands of the swept ones end at ``floor``."""
    swept = [trace for row in rows if not row.level for trace in _curve(row, axis, floor)]
    return swept + [_level(row, span(rows, now)) for row in rows if row.level]


def _curve(row: Row, axis: str, floor: float) -> list[dict[str, Any]]:
    style, x = row.look, list(row.budgets)
    low, high = [max(p.low, floor) for p in row.points], [p.high for p in row.points]
    band = scatter(
        x=x + x[::-1],
        y=high + low[::-1],
        fill="toself",
        fillcolor=rgba(style.colour, 0.16),
        mode="lines",
        line={"width": 0},
    )
    drawn = scatter(
        x=x,
        y=[p.mean for p in row.points],
        name=row.title,
        mode="lines+markers",
        cliponaxis=False,
        hoverinfo="all",
    )
    drawn["line"] = {"color": style.colour, "dash": style.dash, "width": 2.5}
    drawn["marker"] = {"symbol": style.marker, "size": 7, "color": style.colour}
    drawn["text"] = [f"{percent(p)}  {brackets(p)}" for p in row.points]
    drawn["hovertemplate"] = f"{SYMBOLS[axis]} = %{{x}}: %{{text}}<extra>{row.title}</extra>"
    return [band, drawn] if max(p.runs for p in row.points) > 1 else [drawn]


def _level(row: Row, ends: tuple[float, float]) -> dict[str, Any]:
    point = row.points[0]
    drawn = scatter(x=list(ends), y=[point.mean] * 2, mode="lines", name=row.title, hoverinfo="all")
    drawn["line"] = {"color": row.look.colour, "dash": row.look.dash, "width": 1.6}
    return drawn | {
        "hovertemplate": f"{percent(point)} {brackets(point)}<extra>{row.title}</extra>"
    }


def dotted(height: float, words: str, ends: tuple[float, float], above: bool) -> dict[str, Any]:
    """A dotted line across with its name, such as chance."""
    drawn = scatter(x=list(ends), y=[height] * 2, mode="lines+text", text=["", words])
    drawn |= {
        "textposition": f"{'top' if above else 'bottom'} left",
        "textfont": {"size": 11, "color": GREY},
    }
    return drawn | {"line": {"color": GREY, "width": 1, "dash": "dot"}}


def samples(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """A sample of each line at the left of its row: the legend that also tells the numbers."""
    drawn = []
    for place, row in enumerate(rows, start=1):
        sample = scatter(x=[0, 0.025, 0.05], y=[-place] * 3, mode="lines+markers", **PLACE)
        sample["line"] = {"color": row.look.colour, "dash": row.look.dash, "width": 2.5}
        sample["marker"] = {
            "symbol": row.look.marker,
            "size": [0, 0 if row.level else 8, 0],
            "color": row.look.colour,
            "opacity": 1,
        }
        drawn.append(sample)
    return drawn


def moving(rows: Sequence[Row], now: float, head: str, floor: float = 0.0) -> list[dict[str, Any]]:
    """What follows the hand: the line at a budget, a ring on every curve, and the numbers under
    ``head``.
    """
    shown = [row.at(now) for row in rows]
    ringed = [p.mean for row, p in zip(rows, shown, strict=True) if p and not row.level]
    rule = scatter(x=[now, now], y=[floor, 1], mode="lines", line={"color": ACCENT, "width": 2})
    rings = scatter(x=[now] * len(ringed), y=ringed, mode="markers", cliponaxis=False)
    rings["marker"] = {"symbol": "circle-open", "size": 13, "line": {"width": 2.5}, "color": ACCENT}
    names = [
        f"{_aligned(p)}  {row.title} {brackets(p) if p else ''}"
        for row, p in zip(rows, shown, strict=True)
    ]
    labels = scatter(
        x=[0] + [BESIDE] * len(rows),
        y=list(range(0, -1 - len(rows), -1)),
        text=[f"<b>{head}</b>", *names],
        **PLACE,
    )
    return [
        rule,
        rings,
        labels | {"mode": "text", "textfont": {"size": FONT}, "textposition": "middle right"},
    ]


def _aligned(point: Interval | None) -> str:
    """The number of a row, as wide as the widest could be, whatever the width of the chart."""
    words = percent(point) if point else ""
    return f"{(WIDEST - len(words)) * FIGURE}<b>{words}</b>"


# ------------------------------------------------------------------------------------------- layout


def layout(
    rows: Sequence[Row],
    waiting: Sequence[str],
    now: float,
    axis: str,
    delta: float,
    plot: int,
    y: dict[str, Any],
) -> dict[str, Any]:
    """The read-out over a plot ``plot`` pixels high, the budget on a log axis; ``y`` are entries of
    the other axis.
    """
    count = 1 + len(rows) + len(waiting)
    top = count * ROW + 10
    share = plot / (plot + top)
    low, high = span(rows, now)
    ticks = _ticks(low, high)
    common = {"gridcolor": GRID, "zeroline": False, "fixedrange": True}
    hidden = {"visible": False, "fixedrange": True}
    x = {"type": "log", "range": [math.log10(low) - 0.06, math.log10(high) + 0.06], "anchor": "y"}
    x |= {"tickvals": ticks, "ticktext": [number(b) for b in ticks]}
    x |= {"title": {"text": axis_title(axis, delta), "standoff": 6}}
    return {
        "height": top + plot + FOOT,
        "margin": {"l": 8, "r": 14, "t": 4, "b": FOOT - 4},
        "showlegend": False,
        "hovermode": "closest",
        "font": {"size": FONT},
        "xaxis": x | common,
        "yaxis": {"domain": [0, share], "tickformat": ".0%", "automargin": True} | y | common,
        "xaxis2": {"domain": [0, 1], "range": [0, 1], "anchor": "y2"} | hidden,
        "yaxis2": {"domain": [share, 1], "range": [0.6 - count, 0.5], "anchor": "x2"} | hidden,
        "annotations": _places(len(rows), waiting),
    }


FOOT = 128
"""Pixels of axis and slider below the plot."""


def handled(budgets: Sequence[float], now: float) -> dict[str, Any]:
    """Layout entries of the slider and the sweep, where there is more than one budget to move to."""
    if now not in budgets or len(budgets) < 2:
        return {}
    names = numbers(budgets)
    return frames.slider(names, list(budgets).index(now), below=58) | frames.sweep(names)


def _places(rows: int, waiting: Sequence[str]) -> list[dict[str, Any]]:
    """A row in the read-out for each line still to come."""
    common = {
        "x": BESIDE,
        "xref": "x2",
        "yref": "y2",
        "showarrow": False,
        "xanchor": "left",
        "opacity": 0.75,
    }
    return [{"y": -row, "text": f"{t} …"} | common for row, t in enumerate(waiting, start=1 + rows)]


def _ticks(low: float, high: float) -> list[float]:
    """Powers of ten inside the span, with the ends of it where few fit."""
    powers = [10.0**k for k in range(-12, 13) if low * 0.999 <= 10.0**k <= high * 1.001]
    return powers if len(powers) > 1 else sorted({low, *powers, high})
