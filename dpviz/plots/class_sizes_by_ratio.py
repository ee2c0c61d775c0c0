"""Records of each class, largest first, at several imbalance ratios in one picture; where the
minority begins. A private view unless counts are public.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from dpviz.caches import cached
from dpviz.formatting import number
from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.marks import note, upright
from dpviz.plots.kit.style import ACCENT, DASHES, GREY
from dpviz.plots.kit.traces import hover, scatter, stroke


@dataclass(frozen=True)
class SizesByRatio:
    """A line a ratio: its records a class from the largest, one entry a class; ``now``: the ratio
    looked at.
    """

    ratios: tuple[float, ...]
    sizes: tuple[tuple[int, ...], ...]
    now: float

    @property
    def minority(self) -> int:
        """How many of the last classes count as minority."""
        return math.ceil(len(self.sizes[0]) / 4)


def info(counts: Mapping[float, Sequence[int]], now: float) -> SizesByRatio:
    """The chart's data; ``counts``: records of each class, in any order, by imbalance ratio."""
    ratios = tuple(sorted(counts))
    return SizesByRatio(ratios, tuple(tuple(sorted(counts[r], reverse=True)) for r in ratios), now)


def alt(chart: SizesByRatio) -> str:
    """The chart in words."""
    told = "; ".join(
        f"from {max(sizes)} to {min(sizes)} at IR {number(ratio)}"
        for ratio, sizes in zip(chart.ratios, chart.sizes, strict=True)
    )
    return f"Records a class, largest class first: {told}."


def table(chart: SizesByRatio) -> list[dict[str, Any]]:
    """A row a class, in order of size, with its records at each ratio."""
    rows = zip(*chart.sizes, strict=True)
    titles = [f"IR {number(ratio)}" for ratio in chart.ratios]
    return [{"place": i + 1} | dict(zip(titles, row, strict=True)) for i, row in enumerate(rows)]


@cached(16)
def figure(chart: SizesByRatio) -> go.Figure:
    """One line a ratio, that looked at in the accent colour; right of the dotted line the
    minority.
    """
    count = len(chart.sizes[0])
    places = list(range(1, count + 1))
    lines = []
    for i, (ratio, sizes) in enumerate(zip(chart.ratios, chart.sizes, strict=True)):
        here = ratio == chart.now
        pen = stroke(ACCENT if here else GREY, 3 if here else 1.8, DASHES[i % len(DASHES)])
        name = f"IR {number(ratio)}"
        said = hover(f"{name}, class %{{x}}: %{{y}} records")
        lines.append(scatter(places, list(sizes), name=name, line=pen, **said))
    top = max(map(max, chart.sizes))
    start = count - chart.minority + 0.5
    words = note("minority →", start, 1, "left top", yref="paper", font={"size": 11})
    return figures.make_figure(
        lines,
        290,
        figures.MARGINS | {"t": 12, "b": 76},
        xaxis=axes.axis("class, largest first", axes.CLOSE, range=[0.5, count + 0.5]),
        yaxis=axes.axis("records", range=[0, 1.15 * top]),
        shapes=[upright(start, 1.4, "dot", GREY)],
        annotations=[words],
        legend=figures.BELOW,
    )
