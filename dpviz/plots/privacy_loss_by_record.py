"""Privacy loss of each record under the runs that were made: sorted from the dearest, and as a
back-to-back histogram.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.plots.kit.style import ACCENT, FIXED, FONT, GREY, GRID, ROOM, look, rgba
from dpviz.words import number

POINTS = 300
"""Most points of a sorted curve."""
BINS = 40
CUT = 3
"""Bars this many times as high as the highest of the other histogram are cut, and labelled."""


@dataclass(frozen=True, eq=False)
class Losses:
    """One method's losses, in two groups of records.

    Attributes:
        method, title: key and name; symbol: of the scale; claim: what everyone is promised.
        groups: names of the two groups, the one looked at first; the second may be empty.
        shares: (k,) in [0, 1], the dearest first; sorted: a group's losses at these shares.
        edges: (BINS + 1,) from 0 to the claim; counts: a group's records in each bar; sizes: of the
            groups.
    """

    method: str
    title: str
    symbol: str
    claim: float
    groups: tuple[str, str]
    shares: tuple[np.ndarray, np.ndarray]
    sorted: tuple[np.ndarray, np.ndarray]
    edges: np.ndarray
    counts: tuple[np.ndarray, np.ndarray]
    sizes: tuple[int, int]


def info(
    method: str,
    title: str,
    symbol: str,
    values: np.ndarray,
    claim: float,
    groups: Mapping[str, np.ndarray],
) -> Losses:
    """The data of both charts.

    Args:
        values: (n,) losses, at most ``claim``; groups: name to (n,) bool, two of them.
    """
    parts = [values[chosen] for chosen in groups.values()]
    edges = np.linspace(0.0, claim, BINS + 1)
    shares, lines = zip(*map(_sorted, parts), strict=True)
    counts = tuple(_counts(part, edges) for part in parts)
    names = tuple(map(escape, groups))
    return Losses(
        method,
        escape(title),
        symbol,
        claim,
        names,
        shares,
        lines,
        edges,
        counts,
        tuple(map(len, parts)),
    )


def _counts(part: np.ndarray, edges: np.ndarray) -> np.ndarray:
    place = np.clip(np.searchsorted(edges, part, side="right") - 1, 0, BINS - 1)
    return np.bincount(place, minlength=BINS)


def _sorted(part: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Shares of the records and their losses, the dearest first; every record, or POINTS of them."""
    if not len(part):
        return np.empty(0), np.empty(0)
    falling = np.sort(part)[::-1]
    places = np.unique(
        np.linspace(0, len(falling) - 1, min(POINTS, len(falling))).round().astype(int)
    )
    return (places + 0.5) / len(falling), falling[places]


def alt(charts: Sequence[Losses]) -> str:
    """The sorted curves in words."""
    names = " and ".join(chart.title for chart in charts)
    return (
        f"Privacy loss {charts[0].symbol} of each private record for {names}, sorted from the"
        " costliest to the cheapest, with the promised worst case as a line above."
    )


def histogram_alt(chart: Losses) -> str:
    """The histogram in words."""
    return (
        f"Histogram of the privacy loss {chart.symbol} of each record under {chart.title}:"
        f" {chart.groups[0]} upwards, {chart.groups[1]} downwards, from 0 to the promised worst"
        " case."
    )


# ------------------------------------------------------------------------------------------ drawing


def figure(charts: Sequence[Losses]) -> go.Figure:
    """Sorted curves of all methods under the line of what everyone is promised."""
    traces = [trace for chart in charts for trace in _curves(chart)]
    top = max(chart.claim for chart in charts)
    layout = {
        "height": 400,
        "margin": ROOM | {"r": 26, "t": 30},
        "font": {"size": FONT},
        "hovermode": "closest",
    }
    layout["xaxis"] = {
        "range": [0, 1],
        "tickformat": ".0%",
        "dtick": 0.2,
        "gridcolor": GRID,
        "zeroline": False,
    } | FIXED
    layout["xaxis"] |= {
        "title": {"text": "share of the group's records, costliest first", "standoff": 4}
    }
    layout["yaxis"] = {"range": [0, 1.08 * top], "gridcolor": GRID, "zeroline": False} | FIXED
    layout["yaxis"] |= {"title": {"text": f"{charts[0].symbol} of a record", "standoff": 4}}
    layout["legend"] = {
        "orientation": "h",
        "y": -0.2,
        "x": 0,
        "yanchor": "top",
        "itemclick": False,
        "itemdoubleclick": False,
    }
    claims = _claims(charts)
    layout["shapes"] = [_level(claim, colour) for claim, _, colour in claims]
    layout["annotations"] = [_above(claim, words) for claim, words, _ in claims]
    return go.Figure(data=traces, layout=layout, _validate=False)


def _claims(charts: Sequence[Losses]) -> list[tuple[float, str, str]]:
    """Value, words and colour of each promise; equal ones are drawn once."""
    symbol, values = charts[0].symbol, [chart.claim for chart in charts]
    if max(values) - min(values) <= 1e-6 * max(values):
        return [(values[0], f"promised to everyone: {symbol} ≤ {number(values[0])}", ACCENT)]
    return [
        (
            c.claim,
            f"{c.title} promises everyone {symbol} ≤ {number(c.claim)}",
            look(c.method).colour,
        )
        for c in charts
    ]


def _level(claim: float, colour: str) -> dict[str, Any]:
    return {
        "type": "line",
        "x0": 0,
        "x1": 1,
        "xref": "paper",
        "y0": claim,
        "y1": claim,
        "line": {"color": colour, "width": 2},
        "layer": "below",
    }


def _above(claim: float, words: str) -> dict[str, Any]:
    place = {
        "x": 1,
        "xref": "paper",
        "xanchor": "right",
        "y": claim,
        "yanchor": "bottom",
        "showarrow": False,
    }
    return place | {"text": words, "font": {"size": FONT - 1}}


def _curves(chart: Losses) -> list[dict[str, Any]]:
    """The group looked at drawn strongly, the other thin and pale."""
    style, drawn = look(chart.method), []
    for i, group in enumerate(chart.groups):
        if chart.sizes[i]:
            colour = rgba(style.colour, 1 if i == 0 else 0.75)
            line = {
                "color": colour,
                "width": 3 if i == 0 else 1.6,
                "dash": style.dash if i == 0 else "dot",
            }
            trace: dict[str, Any] = {
                "type": "scatter",
                "mode": "lines",
                "x": chart.shares[i],
                "y": chart.sorted[i],
                "line": line,
            }
            trace |= {"name": f"{chart.title}, {group} ({chart.sizes[i]:,})"}
            trace |= {
                "hovertemplate": (
                    f"%{{x:.0%}} spend {chart.symbol} ≥ %{{y:.3g}}<extra>{chart.title},"
                    f" {group}</extra>"
                )
            }
            drawn.append(trace)
    return drawn


def ends(charts: Sequence[Losses]) -> tuple[float, float]:
    """Where the shared axes of several histograms end: the dearest promise, and a height that
    leaves none of them flat.
    """
    highest = [
        max(counts.max() / max(1, size) for counts, size in zip(c.counts, c.sizes, strict=True))
        for c in charts
    ]
    top = max(0.05, min(max(highest), CUT * min(highest)))
    return (
        max(chart.claim for chart in charts),
        math.ceil(20 * top - 1e-9) / 20,
    )  # a tick that people count in


def histogram(chart: Losses, band: tuple[float, float], ends: tuple[float, float]) -> go.Figure:
    """Back to back: the group looked at upwards, the other downwards, each as shares of itself.

    Args:
        band: shares of the claim that are selected, shaded; ends: of both axes, from ``ends``.
    """
    widest, top = ends
    colours = look(chart.method).colour, GREY
    bars = [_bars(chart, i, 1 - 2 * i, colours[i]) for i in range(2)]
    layout = {
        "height": 300,
        "margin": ROOM | {"l": 44, "t": 24},
        "font": {"size": FONT},
        "bargap": 0.06,
    }
    layout |= {
        "barmode": "overlay",
        "showlegend": False,
        "clickmode": "event+select",
        "dragmode": False,
    }
    layout["xaxis"] = {
        "range": [0, 1.03 * widest],
        "title": {"text": f"{chart.symbol} of a record", "standoff": 4},
        "showgrid": False,
        "zeroline": False,
    } | FIXED
    ticks = [-top, 0, top] if chart.sizes[1] else [0, top]
    layout["yaxis"] = {
        "range": [-1.25 * top if chart.sizes[1] else 0, 1.25 * top],
        "tickvals": ticks,
        "ticktext": [f"{100 * abs(t):.0f} %" for t in ticks],
    }
    layout["yaxis"] |= FIXED | {"gridcolor": GRID, "zeroline": True, "zerolinecolor": GREY}
    layout["shapes"] = [_claim(chart.claim), *_band(band, chart.claim)]
    notes = [(1.25 * top, "top", f"{chart.groups[0]}, {chart.sizes[0]:,} records")]
    notes += (
        [(-1.25 * top, "bottom", f"{chart.groups[1]}, {chart.sizes[1]:,}")]
        if chart.sizes[1]
        else []
    )
    layout["annotations"] = [_corner(*note) for note in notes] + _cut(chart, ends)
    return go.Figure(data=bars, layout=layout, _validate=False)


def _cut(chart: Losses, ends: tuple[float, float]) -> list[dict[str, Any]]:
    """The true height beside each bar that is cut."""
    found = []
    for i, (counts, size) in enumerate(zip(chart.counts, chart.sizes, strict=True)):
        for place in np.flatnonzero(counts > 1.25 * ends[1] * max(1, size)):
            x = (chart.edges[place] + chart.edges[place + 1]) / 2
            side = ("right", -6) if x > ends[0] / 2 else ("left", 6)
            height = {
                "x": float(x),
                "xanchor": side[0],
                "xshift": side[1],
                "y": (1 - 2 * i) * 0.8 * ends[1],
                "showarrow": False,
            }
            found.append(height | {"text": f"cut, {100 * counts[place] / size:.0f} %"})
    return found


def _bars(chart: Losses, i: int, sign: int, colour: str) -> dict[str, Any]:
    middles, width = (chart.edges[1:] + chart.edges[:-1]) / 2, chart.edges[1] - chart.edges[0]
    drawn: dict[str, Any] = {
        "type": "bar",
        "x": middles,
        "y": sign * chart.counts[i] / max(1, chart.sizes[i]),
        "width": 0.94 * width,
    }
    drawn |= {
        "marker": {"color": colour, "line": {"width": 0}},
        "customdata": chart.counts[i],
        "name": chart.groups[i],
    }
    drawn |= {"selected": {"marker": {"opacity": 1}}, "unselected": {"marker": {"opacity": 1}}}
    return drawn | {
        "hovertemplate": (
            f"{chart.symbol} about %{{x:.3g}}: %{{customdata:,}}"
            f" records<extra>{chart.groups[i]}</extra>"
        )
    }


def _claim(x: float) -> dict[str, Any]:
    return {
        "type": "line",
        "x0": x,
        "x1": x,
        "yref": "paper",
        "y0": 0,
        "y1": 1,
        "line": {"color": ACCENT, "width": 2},
    }


def _band(band: tuple[float, float], claim: float) -> list[dict[str, Any]]:
    if band == (0.0, 1.0):
        return []
    place = {
        "type": "rect",
        "x0": band[0] * claim,
        "x1": band[1] * claim,
        "yref": "paper",
        "y0": 0,
        "y1": 1,
        "layer": "below",
    }
    return [place | {"fillcolor": rgba(ACCENT, 0.16), "line": {"width": 0}}]


def _corner(y: float, anchor: str, words: str) -> dict[str, Any]:
    return {
        "x": 0.01,
        "xref": "paper",
        "xanchor": "left",
        "y": y,
        "yanchor": anchor,
        "text": words,
        "showarrow": False,
    }
