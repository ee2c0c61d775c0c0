"""Features side by side: how far records lie from their class mean, how class means stand, what
privacy then costs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.formatting import percent, spread
from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.figures import MARGINS
from dpviz.plots.kit.marks import across, note
from dpviz.plots.kit.style import ACCENT, GREY, GRID, line_style, rgba
from dpviz.plots.kit.traces import arms, hover, scatter, stroke, strokes
from dpviz.stats import Interval

BINS = 60
PANELS = ((0.0, 0.46), (0.53, 0.73), (0.8, 1.0))
HEIGHT = 0.62
"""Of a histogram, in rows."""
REACH = 0.5
"""Of the panel of accuracies, what a number takes beside its mark where the chart is narrow."""
ASIDE = "\u2002\u2002"
"""Between a mark and its number: as wide as half the mark, whatever the width of the chart."""
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True)
class Row:
    """One kind of features.

    Attributes:
        title; shares: of its records in each bin of beta; typical: median beta; cosines: quantiles
            of the cosines of different class means; corner: what they are in a perfect frame;
            quiet, noisy: accuracy without and with noise, None where it is not there yet.
    """

    title: str
    shares: tuple[float, ...]
    typical: float
    cosines: tuple[float, ...]
    corner: float
    quiet: float | None
    noisy: Interval | None


@dataclass(frozen=True)
class ShiftRows:
    """Rows from the top, and the edges of the bins of beta that all share."""

    rows: tuple[Row, ...]
    edges: tuple[float, ...]


def info(
    found: Sequence[tuple[str, np.ndarray, np.ndarray, float, float | None, Interval | None]],
) -> ShiftRows:
    """The chart's data.

    Args:
        found: (title, beta of each record, cosines of different classes, perfect cosine, accuracy
            without noise, with noise) of each kind of features.
    """
    top = max(float(np.quantile(beta, 0.999)) for _, beta, *_ in found) or 1.0
    edges = np.linspace(0, top * 1.02, BINS + 1)
    rows = []
    for title, beta, cosines, corner, quiet, noisy in found:
        shares = np.histogram(np.minimum(beta, edges[-1]), edges)[0] / len(beta)
        middle = tuple(np.quantile(cosines, QUANTILES).tolist())
        rows.append(
            Row(title, tuple(shares.tolist()), float(np.median(beta)), middle, corner, quiet, noisy)
        )
    return ShiftRows(tuple(rows), tuple(edges.tolist()))


def alt(chart: ShiftRows) -> str:
    """The chart in words."""
    titles = "; ".join(row.title for row in chart.rows)
    return (
        f"For each kind of features ({titles}): a histogram of the shift of its records, the"
        " cosines between its class means, and accuracy with and without noise from 0 to 100 %."
    )


def table(chart: ShiftRows) -> list[dict[str, Any]]:
    """A row a kind of features."""
    return [
        {
            "features": row.title,
            "median beta": row.typical,
            "median cosine": row.cosines[2],
            "perfect cosine": row.corner,
        }
        | {"accuracy without noise": row.quiet}
        | (
            {
                "accuracy with noise": row.noisy.mean,
                "low": row.noisy.low,
                "high": row.noisy.high,
                "runs": row.noisy.runs,
            }
            if row.noisy
            else {}
        )
        for row in chart.rows
    ]


def figure(chart: ShiftRows) -> go.Figure:
    """Three panels that share their rows."""
    rows = range(len(chart.rows))
    x, cosine = {"range": [0, chart.edges[-1]], "nticks": 5}, {"range": [-1.05, 1.05]}
    grey = {"xref": "paper", "yref": "paper", "font": {"size": 12, "color": GREY}}
    bottom = [across(-i, GRID, 1, "") | {"layer": "below"} for i in rows]
    return figures.make_figure(
        [
            *(_hills(chart, row, -i) for i, row in enumerate(chart.rows)),
            *_cosines(chart.rows),
            *_accuracy(chart.rows),
        ],
        96 + 92 * len(rows),
        MARGINS | {"l": 8, "r": 26, "t": 34},
        showlegend=False,
        bargap=0,
        xaxis=_panel(0, "shift β of a record", **x),
        xaxis2=_panel(1, "cosine of two classes", **cosine, tickvals=[-1, 0, 1]),
        xaxis3=_panel(2, "right", range=[0, 1], tickformat=".0%", tickvals=[0, 0.5, 1]),
        yaxis=axes.HIDDEN | axes.WITHIN_MARGINS | {"range": [-len(rows) + 0.86, 1.0]},
        annotations=[_title(row, -i) for i, row in enumerate(chart.rows)]
        + [note("▲ with noise  ○ without", 1.0, 1, "right bottom", **grey)],
        shapes=bottom,
    )


def _panel(place: int, title: str, **entries: Any) -> dict[str, Any]:
    return axes.axis(title, 2, domain=PANELS[place], **entries, **axes.WITHIN_MARGINS)


def _title(row: Row, y: float) -> dict[str, Any]:
    place = {"xref": "paper", "font": {"size": 12}}
    return note(f"<b>{escape(row.title)}</b>", 0, y + HEIGHT, "left bottom", **place)


def _hills(chart: ShiftRows, row: Row, y: float) -> dict[str, Any]:
    """The histogram's outline."""
    top = max(row.shares) or 1
    steps = [y + HEIGHT * share / top for share in row.shares for _ in range(2)]
    said = f"median β {row.typical:.3g}"
    return scatter(
        [edge for edge in chart.edges for _ in range(2)],
        [y, *steps, y],
        line=stroke(ACCENT, 1),
        fill="toself",
        fillcolor=rgba(ACCENT, 0.35),
        text=said,
        hoveron="fills",
        hoverinfo="text",
        **hover(said, escape(row.title)),
    )


def _cosines(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """One trace a part, for all rows."""
    levels = [HEIGHT / 2 - i for i in range(len(rows))]
    corners = [([row.corner] * 2, [-i, HEIGHT - i]) for i, row in enumerate(rows)]
    low, first, middle, last, high = map(list, zip(*(row.cosines for row in rows), strict=True))

    def bars(starts: list[float], ends: list[float], width: float) -> dict[str, Any]:
        lines = [([a, b], [y, y]) for a, b, y in zip(starts, ends, levels, strict=True)]
        return strokes(lines, rgba(ACCENT, 0.6), width)

    dots = scatter(middle, levels, "markers", marker={"size": 9, "color": ACCENT})
    dots["customdata"] = [[a, b, row.corner] for a, b, row in zip(low, high, rows, strict=True)]
    dots |= hover(
        "median %{x:.2f}, nine tenths from %{customdata[0]:.2f} to %{customdata[1]:.2f}<br>a"
        " perfect frame has %{customdata[2]:.2f}"
    )
    ideal = strokes(corners, GREY, 2, "dot")
    parts = [ideal, bars(low, high, 2), bars(first, last, 8), dots]
    return [part | {"xaxis": "x2", "yaxis": "y"} for part in parts]


def _accuracy(rows: Sequence[Row]) -> list[dict[str, Any]]:
    quiet = [(row.quiet, HEIGHT / 2 - i) for i, row in enumerate(rows) if row.quiet is not None]
    noisy = [
        (row.noisy, row.quiet, HEIGHT / 2 - i)
        for i, row in enumerate(rows)
        if row.noisy is not None
    ]
    parts = ([_rings(*zip(*quiet, strict=True))] if quiet else []) + (
        _intervals(*zip(*noisy, strict=True)) if noisy else []
    )
    return [part | {"xaxis": "x3", "yaxis": "y", "cliponaxis": False} for part in parts]


def _rings(values: Sequence[float], y: Sequence[float]) -> dict[str, Any]:
    ring = {"symbol": "circle-open", "size": 13, "color": GREY, "line": {"width": 2}}
    said = hover("%{x:.1%} without noise")
    return scatter(list(values), list(y), "markers", marker=ring, **said)


def _intervals(
    points: Sequence[Interval], rings: Sequence[float | None], y: Sequence[float]
) -> list[dict[str, Any]]:
    """Marks with their intervals, and numbers beside them."""
    style, y = line_style("noisy-gd"), list(y)
    marks = scatter(
        [p.mean for p in points], y, "markers", error_x=arms(points, style.colour, 2, 5)
    )
    marks["marker"] = {"symbol": style.marker, "size": 10, "color": style.colour}
    marks["text"] = [f"{percent(p)} {spread(p)} with noise" for p in points]
    places = [_label_position(p, ring) for p, ring in zip(points, rings, strict=True)]
    numbers = scatter([x for x, _ in places], y, "text")
    numbers["text"] = [
        f"{percent(p)}{ASIDE}" if side == "left" else f"{ASIDE}{percent(p)}"
        for p, (_, side) in zip(points, places, strict=True)
    ]
    numbers["textposition"] = [f"middle {side}" for _, side in places]
    return [marks | hover("%{text}"), numbers | {"hoverinfo": "skip"}]


def _label_position(point: Interval, ring: float | None) -> tuple[float, str]:
    """Where a number begins, and on which side: clear of the ring, and within the panel."""
    low, high = point.low, point.high
    right = ring is not None and ring > point.mean and ring - high < REACH
    if point.mean > 0.55 or (right and point.mean > 0.25):
        return (min(low, ring) if ring is not None and low - ring < REACH else low), "left"
    return (max(high, ring) if ring is not None and right else high), "right"
