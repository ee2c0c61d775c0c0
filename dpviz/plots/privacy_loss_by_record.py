"""Privacy loss of each record, or person, under the runs that were made: sorted from the dearest,
and as a back-to-back histogram.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.formatting import number
from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.figures import MARGINS
from dpviz.plots.kit.marks import across, backdrop, note, upright
from dpviz.plots.kit.style import ACCENT, FONT, GREY, line_style, rgba
from dpviz.plots.kit.traces import hover, scatter, stroke

POINTS = 300
"""Most points of a sorted curve."""
BINS = 40
CUT = 3
"""Bars this many times as high as the highest of the other histogram are cut, and labelled."""
MANY = {"record": "records", "person": "people"}
"""Whose losses they are, one and many."""


@dataclass(frozen=True, eq=False)
class Losses:
    """One method's losses, in two groups of records or of people.

    Attributes:
        method, title: key and name; symbol: of the scale; claim: what everyone is promised.
        groups: names of the two groups, the one looked at first; the second may be empty.
        shares: (k,) in [0, 1], the dearest first; sorted: a group's losses at these shares.
        edges: (BINS + 1,) from 0 to the claim; counts: of a group in each bar; sizes: of the
            groups.
        who: a key of MANY.
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
    who: str = "record"


def info(
    method: str,
    title: str,
    symbol: str,
    values: np.ndarray,
    claim: float,
    groups: Mapping[str, np.ndarray],
    who: str = "record",
) -> Losses:
    """The data of both charts.

    Args:
        values: (n,) losses, at most ``claim``; groups: name to (n,) bool, two of them; who: a key
            of MANY.
    """
    (first, chosen), (second, others) = groups.items()
    one, two = values[chosen], values[others]
    edges = np.linspace(0.0, claim, BINS + 1)
    (shares, losses), (other_shares, other_losses) = _sorted(one), _sorted(two)
    return Losses(
        method=method,
        title=escape(title),
        symbol=symbol,
        claim=claim,
        groups=(escape(first), escape(second)),
        shares=(shares, other_shares),
        sorted=(losses, other_losses),
        edges=edges,
        counts=(_counts(one, edges), _counts(two, edges)),
        sizes=(len(one), len(two)),
        who=who,
    )


def _counts(part: np.ndarray, edges: np.ndarray) -> np.ndarray:
    place = np.clip(np.searchsorted(edges, part, side="right") - 1, 0, BINS - 1)
    return np.bincount(place, minlength=BINS)


def _sorted(part: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Shares of the group and their losses, the dearest first; all of them, or POINTS."""
    if not len(part):
        return np.empty(0), np.empty(0)
    falling = np.sort(part)[::-1]
    places = np.unique(
        np.linspace(0, len(falling) - 1, min(POINTS, len(falling))).round().astype(int)
    )
    return (places + 0.5) / len(falling), falling[places]


def alt(charts: Sequence[Losses]) -> str:
    """The sorted curves in words."""
    names, first = " and ".join(chart.title for chart in charts), charts[0]
    return (
        f"Privacy loss {first.symbol} of each private {first.who} for {names}, sorted from the"
        " costliest to the cheapest, with the promised worst case as a line above."
    )


def histogram_alt(chart: Losses) -> str:
    """The histogram in words."""
    return (
        f"Histogram of the privacy loss {chart.symbol} of each {chart.who} under {chart.title}:"
        f" {chart.groups[0]} upwards, {chart.groups[1]} downwards, from 0 to the promised worst"
        " case."
    )


# ------------------------------------------------------------------------------------------ drawing


def figure(charts: Sequence[Losses]) -> go.Figure:
    """Sorted curves of all methods under the line of what everyone is promised."""
    claims = _claims(charts)
    symbol, top = charts[0].symbol, max(chart.claim for chart in charts)
    place = {"xref": "paper", "font": {"size": FONT - 1}}
    x_title = f"share of the group's {MANY[charts[0].who]}, costliest first"
    ends = {"range": [0, 1.08 * top]}
    return figures.make_figure(
        [trace for chart in charts for trace in _curves(chart)],
        400,
        MARGINS | {"r": 26, "t": 30},
        xaxis=axes.share(x_title, axes.CLOSE, **axes.WITHIN_MARGINS),
        yaxis=axes.axis(
            f"privacy loss {symbol} of a {charts[0].who}", axes.BESIDE, **ends | axes.WITHIN_MARGINS
        ),
        legend={"y": -0.2},
        shapes=[across(y, colour, 2, "") | {"layer": "below"} for y, _, colour in claims],
        annotations=[note(words, 1, y, "right bottom", **place) for y, words, _ in claims],
    )


def _claims(charts: Sequence[Losses]) -> list[tuple[float, str, str]]:
    """Value, words and colour of each promise; equal ones are drawn once."""
    symbol, values = charts[0].symbol, [chart.claim for chart in charts]
    if max(values) - min(values) <= 1e-6 * max(values):
        return [(values[0], f"promised to everyone: {symbol} ≤ {number(values[0])}", ACCENT)]
    said = [f"{c.title} promises everyone {symbol} ≤ {number(c.claim)}" for c in charts]
    colours = [line_style(c.method).colour for c in charts]
    return list(zip(values, said, colours, strict=True))


def _curves(chart: Losses) -> list[dict[str, Any]]:
    """The group looked at drawn strongly, the other thin and pale."""
    style = line_style(chart.method)
    lines = (
        stroke(rgba(style.colour, 1), 3, style.dash),
        stroke(rgba(style.colour, 0.75), 1.6, "dot"),
    )
    said = f"%{{x:.0%}} spend {chart.symbol} ≥ %{{y:.3g}}"
    return [
        scatter(
            chart.shares[i],
            chart.sorted[i],
            name=f"{chart.title}, {group} ({chart.sizes[i]:,})",
            line=lines[i],
            **hover(said, f"{chart.title}, {group}"),
        )
        for i, group in enumerate(chart.groups)
        if chart.sizes[i]
    ]


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


def histogram(chart: Losses, chosen: tuple[float, float], ends: tuple[float, float]) -> go.Figure:
    """Back to back: the group looked at upwards, the other downwards, each as shares of itself.

    Args:
        chosen: shares of the claim that are selected, shaded; ends: of both axes, from ``ends``.
    """
    widest, top = ends
    low = -top if chart.sizes[1] else 0
    ticks = sorted({low, 0, top})
    y = {"range": [1.25 * low, 1.25 * top], "zeroline": True, "zerolinecolor": GREY}
    y |= {"tickvals": ticks, "ticktext": [f"{100 * abs(t):.0f} %" for t in ticks]}
    x = axes.WITHIN_MARGINS | {"range": [0, 1.03 * widest]}
    return figures.make_figure(
        [_bars(chart, 0, line_style(chart.method).colour), _bars(chart, 1, GREY)],
        300,
        MARGINS | {"l": 44, "t": 24},
        barmode="overlay",
        bargap=0.06,
        showlegend=False,
        clickmode="event+select",
        dragmode=False,
        xaxis=axes.axis(f"{chart.symbol} of a {chart.who}", axes.CLOSE, grid=False, **x),
        yaxis=axes.axis(**y | axes.WITHIN_MARGINS),
        shapes=[upright(chart.claim), *_selected(chosen, chart.claim)],
        annotations=_heads(chart, top) + _cut(chart, ends),
    )


def _heads(chart: Losses, top: float) -> list[dict[str, Any]]:
    """Who stands upwards and who downwards."""
    (above, below), (many, few) = chart.groups, chart.sizes
    heads = [
        note(f"{above}, {many:,} {MANY[chart.who]}", 0.01, 1.25 * top, "left top", xref="paper")
    ]
    under = note(f"{below}, {few:,}", 0.01, -1.25 * top, "left bottom", xref="paper")
    return [*heads, under] if few else heads


def _cut(chart: Losses, ends: tuple[float, float]) -> list[dict[str, Any]]:
    """The true height beside each bar that is cut."""
    found = []
    for i, (counts, size) in enumerate(zip(chart.counts, chart.sizes, strict=True)):
        y = (1 - 2 * i) * 0.8 * ends[1]
        for place in np.flatnonzero(counts > 1.25 * ends[1] * max(1, size)):
            x = float(chart.edges[place] + chart.edges[place + 1]) / 2
            side, shift = ("right", -6) if x > ends[0] / 2 else ("left", 6)
            said = f"cut, {100 * counts[place] / size:.0f} %"
            found.append({"text": said, "x": x, "y": y, "xanchor": side, "xshift": shift})
    return found


def _bars(chart: Losses, i: int, colour: str) -> dict[str, Any]:
    """A group as shares of itself: the first upwards, the second downwards."""
    middles, width = (chart.edges[1:] + chart.edges[:-1]) / 2, chart.edges[1] - chart.edges[0]
    heights = (1 - 2 * i) * chart.counts[i] / max(1, chart.sizes[i])
    drawn = {"type": "bar", "x": middles, "y": heights, "width": 0.94 * width}
    drawn |= {"name": chart.groups[i], "customdata": chart.counts[i]}
    drawn["marker"] = {"color": colour, "line": {"width": 0}}
    drawn |= {key: {"marker": {"opacity": 1}} for key in ("selected", "unselected")}
    return drawn | hover(
        f"{chart.symbol} about %{{x:.3g}}: %{{customdata:,}} {MANY[chart.who]}", drawn["name"]
    )


def _selected(shares: tuple[float, float], claim: float) -> list[dict[str, Any]]:
    low, high = shares
    return [] if shares == (0.0, 1.0) else [backdrop(low * claim, high * claim, 0.16)]
