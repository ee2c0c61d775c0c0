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

from dpviz.plots.kit.style import ACCENT, FIXED, FONT, GREY, GRID, ROOM, look, rgba
from dpviz.stats import Interval
from dpviz.words import percent, spread

BINS = 60
PANELS = ((0.0, 0.46), (0.53, 0.73), (0.8, 1.0))
HEIGHT = 0.62
"""Of a histogram, in rows."""
ASIDE = "\u2002\u2002"
"""Between a mark and its number: as wide as half the mark, whatever the width of the chart."""
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True)
class Row:
    """One kind of features.

    Attributes:
        title; shares: of its records in each bin of beta; typical: median beta; cosines: quantiles
            of the cosines of different class means; corner: what they are in a perfect frame;
            quiet, noisy: accuracy without and with privacy, None where it is not there yet.
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
            without privacy, with privacy) of each kind of features.
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
        " cosines between its class means, and accuracy with and without privacy from 0 to 100 %."
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
        | {"accuracy without privacy": row.quiet}
        | (
            {
                "accuracy with privacy": row.noisy.mean,
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
    drawn = [
        *(_hills(chart, row, -i) for i, row in enumerate(chart.rows)),
        *_cosines(chart.rows),
        *_accuracy(chart.rows),
    ]
    layout: dict[str, Any] = {
        "height": 96 + 92 * len(chart.rows),
        "margin": ROOM | {"l": 8, "r": 26, "t": 34},
        "font": {"size": FONT},
    }
    layout |= {"showlegend": False, "hovermode": "closest", "bargap": 0}
    layout["yaxis"] = {"range": [-len(chart.rows) + 0.86, 1.0], "visible": False} | FIXED
    still = {"zeroline": False, "gridcolor": GRID} | FIXED
    layout["xaxis"] = still | {
        "domain": PANELS[0],
        "range": [0, chart.edges[-1]],
        "title": {"text": "shift β of a record", "standoff": 2},
        "nticks": 5,
    }
    layout["xaxis2"] = still | {
        "domain": PANELS[1],
        "range": [-1.05, 1.05],
        "tickvals": [-1, 0, 1],
        "title": {"text": "cosine of two classes", "standoff": 2},
    }
    layout["xaxis3"] = still | {
        "domain": PANELS[2],
        "range": [0, 1],
        "tickformat": ".0%",
        "tickvals": [0, 0.5, 1],
        "title": {"text": "right", "standoff": 2},
    }
    layout["annotations"] = [_title(row, -i) for i, row in enumerate(chart.rows)] + [
        _head(x, text) for x, text in ((1.0, "▲ with privacy  ○ without"),)
    ]
    layout["shapes"] = [_rule(-i) for i in range(len(chart.rows))]
    return go.Figure(data=drawn, layout=layout, _validate=False)


def _title(row: Row, y: float) -> dict[str, Any]:
    place = {
        "xref": "paper",
        "x": 0,
        "y": y + HEIGHT,
        "xanchor": "left",
        "yanchor": "bottom",
        "showarrow": False,
    }
    return place | {"text": f"<b>{escape(row.title)}</b>", "font": {"size": 12}}


def _head(x: float, text: str) -> dict[str, Any]:
    place = {
        "xref": "paper",
        "yref": "paper",
        "x": x,
        "y": 1,
        "xanchor": "right",
        "yanchor": "bottom",
        "showarrow": False,
    }
    return place | {"text": text, "font": {"size": 12, "color": GREY}}


def _rule(y: float) -> dict[str, Any]:
    return {
        "type": "line",
        "xref": "paper",
        "x0": 0,
        "x1": 1,
        "y0": y,
        "y1": y,
        "line": {"color": GRID, "width": 1},
        "layer": "below",
    }


def _hills(chart: ShiftRows, row: Row, y: float) -> dict[str, Any]:
    top = max(row.shares) or 1
    edges = chart.edges
    x, heights = [edges[0]], [y]
    for i, share in enumerate(row.shares):
        x += [edges[i], edges[i + 1]]
        heights += [y + HEIGHT * share / top] * 2
    x, heights = [*x, edges[-1]], [*heights, y]
    said = f"median β {row.typical:.3g}<extra>{escape(row.title)}</extra>"
    drawn: dict[str, Any] = {
        "type": "scatter",
        "mode": "lines",
        "x": x,
        "y": heights,
        "fill": "toself",
        "fillcolor": rgba(ACCENT, 0.35),
    }
    return drawn | {
        "line": {"color": ACCENT, "width": 1},
        "hoveron": "fills",
        "text": f"median β {row.typical:.3g}",
        "hovertemplate": said,
        "hoverinfo": "text",
    }


def _cosines(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """One trace a part, for all rows: Plotly's time goes by traces."""
    on, levels = (
        {"type": "scatter", "xaxis": "x2", "yaxis": "y"},
        [HEIGHT / 2 - i for i in range(len(rows))],
    )
    parts = zip(*(row.cosines for row in rows), strict=True)
    low, first, middle, last, high = map(list, parts)
    ideal = _strokes(
        [([row.corner] * 2, [-i, HEIGHT - i]) for i, row in enumerate(rows)], GREY, 2
    ) | {"line": {"color": GREY, "width": 2, "dash": "dot"}}
    thin = _strokes(
        [([a, b], [y, y]) for a, b, y in zip(low, high, levels, strict=True)], rgba(ACCENT, 0.6), 2
    )
    thick = _strokes(
        [([a, b], [y, y]) for a, b, y in zip(first, last, levels, strict=True)],
        rgba(ACCENT, 0.6),
        8,
    )
    said = (
        "median %{x:.2f}, nine tenths from %{customdata[0]:.2f} to %{customdata[1]:.2f}<br>a"
        " perfect frame has %{customdata[2]:.2f}<extra></extra>"
    )
    dot = on | {
        "mode": "markers",
        "x": middle,
        "y": levels,
        "marker": {"size": 9, "color": ACCENT},
        "hovertemplate": said,
    }
    dot["customdata"] = [[a, b, row.corner] for a, b, row in zip(low, high, rows, strict=True)]
    return [on | ideal, on | thin, on | thick, dot]


def _strokes(
    lines: Sequence[tuple[list[float], list[float]]], colour: str, width: int
) -> dict[str, Any]:
    """Separate lines in one trace."""
    x, y = ([value for line in lines for value in [*line[k], None]] for k in range(2))
    return {
        "mode": "lines",
        "x": x,
        "y": y,
        "line": {"color": colour, "width": width},
        "hoverinfo": "skip",
    }


def _accuracy(rows: Sequence[Row]) -> list[dict[str, Any]]:
    on = {"type": "scatter", "xaxis": "x3", "yaxis": "y", "mode": "markers", "cliponaxis": False}
    quiet = [(row.quiet, HEIGHT / 2 - i) for i, row in enumerate(rows) if row.quiet is not None]
    noisy = [(row.noisy, HEIGHT / 2 - i) for i, row in enumerate(rows) if row.noisy is not None]
    drawn = []
    if quiet:
        x, y = map(list, zip(*quiet, strict=True))
        ring = {"symbol": "circle-open", "size": 13, "color": GREY, "line": {"width": 2}}
        drawn.append(
            on
            | {
                "x": x,
                "y": y,
                "marker": ring,
                "hovertemplate": "%{x:.1%} without privacy<extra></extra>",
            }
        )
    if noisy:
        points, y = map(list, zip(*noisy, strict=True))
        style = look("noisy-gd")
        error = {
            "type": "data",
            "symmetric": False,
            "color": style.colour,
            "thickness": 2,
            "width": 5,
        }
        error |= {
            "array": [p.high - p.mean for p in points],
            "arrayminus": [p.mean - p.low for p in points],
        }
        said = [f"{percent(p)} {spread(p)} with privacy" for p in points]
        mark = {"symbol": style.marker, "size": 10, "color": style.colour}
        drawn.append(
            on
            | {
                "x": [p.mean for p in points],
                "y": y,
                "error_x": error,
                "marker": mark,
                "text": said,
                "hovertemplate": "%{text}<extra></extra>",
            }
        )
        left = [p.mean > 0.55 for p in points]
        beside = [p.low if at_left else p.high for p, at_left in zip(points, left, strict=True)]
        words = [
            f"{percent(p)}{ASIDE}" if at_left else f"{ASIDE}{percent(p)}"
            for p, at_left in zip(points, left, strict=True)
        ]
        sides = ["middle left" if at_left else "middle right" for at_left in left]
        drawn.append(
            on
            | {
                "mode": "text",
                "x": beside,
                "y": y,
                "text": words,
                "textposition": sides,
                "hoverinfo": "skip",
            }
        )
    return drawn
