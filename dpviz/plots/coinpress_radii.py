"""CoinPress step by step: one small plot a quantity, one line a budget or a class (Figure 13 of the
DPPL paper).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import plotly.graph_objects as go

from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.marks import panel_title
from dpviz.plots.kit.style import ACCENT, line_style, rgba
from dpviz.plots.kit.traces import hover, scatter, stroke

ROW, GAP = 150, 36


@dataclass(frozen=True)
class Run:
    """One line: its name, whether it is the one looked at, whether it diverges, and its values by
    quantity.
    """

    name: str
    now: bool
    diverges: bool
    values: dict[str, tuple[float, ...]]


@dataclass(frozen=True)
class Radius:
    """Quantities from top to bottom, each with the first step it has a value for, and whether it is
    a share.
    """

    quantities: tuple[tuple[str, int, bool], ...]
    runs: tuple[Run, ...]
    of: str


SCHEDULE = (("radius r", 0, False), ("clip radius R", 1, False), ("noise sd", 1, False))
TRACE = (("clipped share", 1, True), ("norm of the estimate", 1, False))


def info(
    runs: Sequence[tuple[Any, Any]],
    names: Sequence[str],
    diverges: Sequence[bool],
    now: int | None,
    of: str,
    walked: bool = False,
) -> Radius:
    """The chart's data from ``diagnostics.coinpress_steps`` schedules, each with its walk or None.

    Args:
        names: of the lines, one ``of`` a budget or class; walked: what happened to the records,
            which is private, instead of what sizes and budget alone decide.
    """
    values = [_walked(walk) if walked else _planned(plan) for plan, walk in runs]
    lines = zip(names, diverges, values, strict=True)
    drawn = tuple(Run(name, i == now, bad, v) for i, (name, bad, v) in enumerate(lines))
    return Radius(TRACE if walked else SCHEDULE, drawn, of)


def _planned(plan: Any) -> dict[str, tuple[float, ...]]:
    clips, noise = tuple(s.clip for s in plan.steps), tuple(s.sd for s in plan.steps)
    return {"radius r": plan.radii, "clip radius R": clips, "noise sd": noise}


def _walked(walk: Any) -> dict[str, tuple[float, ...]]:
    clipped, norms = tuple(m.clipped for m in walk), tuple(m.norm for m in walk)
    return {"clipped share": clipped, "norm of the estimate": norms}


def alt(chart: Radius) -> str:
    """The chart in words."""
    what = ", ".join(name for name, _, _ in chart.quantities)
    return f"CoinPress step by step: {what}, one line a {chart.of}; lines that diverge are dashed."


def table(chart: Radius) -> list[dict[str, Any]]:
    """A row a line and step."""
    rows = []
    for run in chart.runs:
        for name, first, _ in chart.quantities:
            rows += [
                {chart.of: run.name, "quantity": name, "step": first + i, "value": v}
                for i, v in enumerate(run.values[name])
            ]
    return rows


def figure(chart: Radius) -> go.Figure:
    """Small plots above each other over the steps."""
    rows = len(chart.quantities)
    inside = rows * ROW + (rows - 1) * GAP
    drawn, panels, heads = [], {}, []
    for row, (name, first, share) in enumerate(chart.quantities):
        mark = "" if row == 0 else str(row + 1)
        top = 1 - row * (ROW + GAP) / inside
        values = [v for run in chart.runs for v in run.values[name]]
        domain = [max(0.0, top - ROW / inside), top]
        panels[f"yaxis{mark}"] = _axis(share, values) | {"domain": domain}
        heads.append(panel_title(name, top))
        runs = sorted(chart.runs, key=lambda run: run.now)
        drawn += [_line(run, name, first, f"y{mark}", chart.of) for run in runs]
    steps = axes.category_axis(["start", "step 1", "step 2", "step 3"]) | axes.around(4, 0.15)
    return figures.make_figure(
        drawn,
        inside + 58,
        {"t": 26, "b": 32},
        showlegend=False,
        xaxis=axes.axis(anchor="y" if rows == 1 else f"y{rows}", **steps),
        annotations=heads,
        **panels,
    )


def _axis(share: bool, values: Sequence[float]) -> dict[str, Any]:
    if share:
        return axes.share(range=[-0.04, 1.04], dtick=0.5)
    return axes.axis(type="log", dtick=_decades(values), exponentformat="power")


def _decades(values: Sequence[float]) -> int:
    """Powers of ten from tick to tick, so that there are about four."""
    found = [v for v in values if v > 0]
    return max(1, round(math.log10(max(found) / min(found)) / 4)) if found else 1


def _line(run: Run, quantity: str, first: int, axis: str, of: str) -> dict[str, Any]:
    values = list(run.values[quantity])
    colour = ACCENT if run.now else rgba(line_style("dppl-mean").colour, 0.75)
    marker = {"size": 8 if run.now else 5, "symbol": "x" if run.diverges else "circle"}
    said = f"{of} {escape(run.name)}{', diverges' if run.diverges else ''}"
    return scatter(
        list(range(first, first + len(values))),
        values,
        "lines+markers" if run.now else "lines",
        yaxis=axis,
        line=stroke(colour, 3 if run.now else 1.4, "dash" if run.diverges else "solid"),
        marker=marker | {"color": colour},
        **hover("%{y:.4g}", said),
    )
