"""Which value of a whole-number setting is best at each budget, and which may be."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from dpviz.formatting import axis_title, number
from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.style import GREY, line_style, rgba
from dpviz.plots.kit.traces import drawn_as, hover, scatter


@dataclass(frozen=True)
class BestValues:
    """What is drawn.

    Attributes:
        setting: its name; method: key whose look it takes; axis, delta: of the budgets; values:
            all that were tried; budgets, best, may_be: the value with the highest mean, and those
            not shown to be worse.
    """

    setting: str
    method: str
    axis: str
    delta: float
    values: tuple[int, ...]
    budgets: tuple[float, ...]
    best: tuple[int, ...]
    may_be: tuple[tuple[int, ...], ...]


def info(
    found: Mapping[float, tuple[int, Sequence[int]]],
    values: Sequence[int],
    setting: str,
    method: str,
    axis: str,
    delta: float,
) -> BestValues:
    """The chart's data from the best value, and those that may be, by budget."""
    budgets = tuple(sorted(found))
    best = tuple(found[b][0] for b in budgets)
    may_be = tuple(tuple(sorted(found[b][1])) for b in budgets)
    return BestValues(setting, method, axis, delta, tuple(values), budgets, best, may_be)


def alt(chart: BestValues) -> str:
    """The chart in words."""
    return (
        f"The best {chart.setting} of {len(chart.values)} tried at each budget, a ring, and a bar"
        " over those not shown to be worse."
    )


def table(chart: BestValues) -> list[dict[str, Any]]:
    """A row a budget."""
    rows = zip(chart.budgets, chart.best, chart.may_be, strict=True)
    name = f"best {chart.setting}"
    return [{"budget": b, name: k, "may be best": ", ".join(map(str, ks))} for b, k, ks in rows]


def figure(chart: BestValues) -> go.Figure:
    """Bars over all that may be best, a dot at each, a line through the best."""
    style = line_style(chart.method)
    spans = [[(b, min(ks)), (b, max(ks)), (b, None)] for b, ks in _rows(chart)]
    bars = [place for span in spans for place in span]
    dots = [(b, k) for b, ks in _rows(chart) for k in ks]
    wide = {"color": rgba(style.colour, 0.3), "width": 12}
    said = [
        f"{number(b)}: {k}; may be {', '.join(map(str, ks))}"
        for (b, ks), k in zip(_rows(chart), chart.best, strict=True)
    ]
    traces = [
        scatter(*_xy(bars), "lines", name="not shown to be worse", line=wide, hoverinfo="skip"),
        scatter(*_xy(dots), "markers", showlegend=False, marker=_dot(GREY), hoverinfo="skip"),
        scatter(
            list(chart.budgets),
            list(chart.best),
            "lines+markers",
            name=f"best {chart.setting} tried",
            text=said,
            **drawn_as(style, 2.5, 11),
            **hover("%{text}"),
        ),
    ]
    return figures.make_figure(
        traces, 340, {"t": 12}, legend={"y": -0.24}, xaxis=_x(chart), yaxis=_y(chart)
    )


def _rows(chart: BestValues) -> list[tuple[float, tuple[int, ...]]]:
    return list(zip(chart.budgets, chart.may_be, strict=True))


def _xy(places: Sequence[tuple[float, float | None]]) -> tuple[list, list]:
    return [x for x, _ in places], [y for _, y in places]


def _dot(colour: str) -> dict[str, Any]:
    return {"size": 6, "color": colour}


def _x(chart: BestValues) -> dict[str, Any]:
    ends = [math.log10(chart.budgets[0]) - 0.1, math.log10(chart.budgets[-1]) + 0.1]
    ticks = {"tickvals": list(chart.budgets), "ticktext": [number(b) for b in chart.budgets]}
    title = axis_title(chart.axis, chart.delta)
    return axes.axis(title, axes.CLOSE, type="log", range=ends, **ticks)


def _y(chart: BestValues) -> dict[str, Any]:
    ends = [math.log10(chart.values[0]) - 0.15, math.log10(chart.values[-1]) + 0.15]
    ticks = {"tickvals": list(chart.values), "ticktext": [f"{v:,}" for v in chart.values]}
    return axes.axis(chart.setting, type="log", range=ends, **ticks)
