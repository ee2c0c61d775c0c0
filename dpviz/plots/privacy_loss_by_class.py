"""Privacy loss by class: for each method the middle half, the middle nine tenths and the median of
a class's records, or of the people who sent some.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.plots.kit import axes, classes, figures
from dpviz.plots.kit.marks import across
from dpviz.plots.kit.style import ACCENT, line_style, rgba
from dpviz.plots.kit.traces import hover, scatter, stroke, whiskers
from dpviz.plots.privacy_loss_by_record import MANY

SHIFT = 0.17


@dataclass(frozen=True)
class Spread:
    """One method: key, name, promise, and for each drawn class its 5, 25, 50, 75 and 95 %
    quantiles.
    """

    method: str
    title: str
    claim: float
    quantiles: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class ClassLoss:
    """Classes from the largest: name, records or people, whether of the minority; spreads: a method
    each; who: a key of ``MANY``.
    """

    symbol: str
    names: tuple[str, ...]
    counts: tuple[int, ...]
    minority: tuple[bool, ...]
    spreads: tuple[Spread, ...]
    who: str = "record"


def info(
    symbol: str,
    names: Sequence[str],
    counts: Sequence[int],
    minority: Sequence[int],
    found: Sequence[tuple[str, str, float, np.ndarray]],
    who: str = "record",
) -> ClassLoss:
    """The chart's data.

    Args:
        minority: the classes of the minority; found: key, name, promise and quantiles (C, 5) of
            each method; who: whose losses they are.
    """
    places = classes.order(counts)
    spreads = tuple(
        Spread(key, title, claim, tuple(tuple(map(float, q[c])) for c in places))
        for key, title, claim, q in found
    )
    return ClassLoss(
        symbol,
        classes.picked(names, places),
        classes.picked(counts, places),
        classes.among(minority, places),
        spreads,
        who,
    )


def alt(chart: ClassLoss) -> str:
    """The chart in words."""
    titles = " and ".join(spread.title for spread in chart.spreads)
    return (
        f"Privacy loss {chart.symbol} by class, largest class first, for {titles}: median, middle"
        f" half and middle nine tenths of the {MANY[chart.who]}."
    )


def figure(chart: ClassLoss) -> go.Figure:
    """Two bars a class and method, the median as a marker; the minority shaded."""
    several = len(chart.spreads) > 1
    claims = {s.claim for s in chart.spreads}
    names, title = [escape(n) for n in chart.names], {}
    if len(names) <= classes.MANY:
        names = classes.with_numbers(names, chart.counts)
        title = axes.axis(f"class and its {MANY[chart.who]}", axes.CLOSE, grid=False)
    return figures.make_figure(
        [
            trace
            for i, s in enumerate(chart.spreads)
            for trace in _traces(chart.symbol, s, SHIFT * (2 * i - 1) if several else 0.0)
        ],
        370,
        {"t": 12},
        xaxis=classes.axis(names, **axes.around(len(names), 0.6) | title),
        yaxis=axes.axis(f"{chart.symbol} of a {chart.who}", range=[0, 1.08 * max(claims)]),
        legend=figures.BELOW,
        shapes=classes.minority_bands(chart.minority)
        + [across(v, ACCENT, 2, "") | {"layer": "below"} for v in claims],
    )


def _traces(symbol: str, spread: Spread, shift: float) -> list[dict[str, Any]]:
    style, q = line_style(spread.method), np.array(spread.quantiles)
    x = [c + shift for c in range(len(q))]
    marker = {"symbol": style.marker, "size": 9, "color": style.colour}
    marker["line"] = stroke("white", 1)
    said = "%{y:.3g} in the middle, half lie from %{customdata[1]:.3g} to %{customdata[3]:.3g}"
    dots = scatter(x, q[:, 2], "markers", marker=marker, name=spread.title, customdata=q)
    bars = [bar | {"showlegend": False} for bar in whiskers(x, q, rgba(style.colour, 0.7))]
    return [*bars, dots | hover(f"{symbol} {said}", spread.title)]
