"""What every chart is drawn with: figures, axes, traces, marks, and classes in order of size."""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
import plotly.graph_objects as go
import plotly.io as pio

from dpviz.caches import cached
from dpviz.plots.kit import plotly_pandas_workaround
from dpviz.plots.kit.style import ACCENT, FONT, GREY, GRID, SMALL_FONT, LineStyle, rgba
from dpviz.stats import Interval
from dpviz.text.charts import AXES, BUDGET_AXES
from dpviz.text.template import render_text

_TEMPLATE_AXIS = {"zeroline": False}

#: Entries that all charts share. A click on a legend entry hides or shows a line.
TEMPLATE = go.layout.Template(
    layout={
        "xaxis": _TEMPLATE_AXIS,
        "yaxis": _TEMPLATE_AXIS,
        "legend": {
            "orientation": "h",
            "x": 0,
            "yanchor": "top",
            "itemclick": "toggle",
            "itemdoubleclick": "toggleothers",
        },
        "annotationdefaults": {"showarrow": False},
        "hoverlabel": {"align": "left", "namelength": -1, "font": {"size": SMALL_FONT}},
    },
    # Plotly outlines markers of several sizes
    data={"scatter": [{"marker": {"line": {"width": 0}}}]},
)

#: The template as a figure is sent with it.
TEMPLATE_JSON = TEMPLATE.to_plotly_json()


@cached(1)
def white_template() -> go.layout.Template:
    """The same for a chart on paper, where no page's theme is."""
    template = go.layout.Template(layout=TEMPLATE.layout)
    return pio.templates.merge_templates("plotly_white", template)


plotly_pandas_workaround.patch_plotly()

#: Figures with frames that are kept, so that a move of the budget does not make them anew.
MAX_CACHED_FIGURES = 64
#: Of a legend at the foot of a chart, clear of its axis however long the names there are.
LEGEND_BELOW = {"y": 0, "yref": "container", "yanchor": "bottom"}
#: Margins with room for ticks and titles, for axes that do not ask for it: left to find it, Plotly
#: draws a chart twice.
MARGINS = {"l": 58, "r": 8, "t": 8, "b": 46}


class StaticFigure(go.Figure):
    """A figure that is sent many times and never changed: what is sent is made once."""

    def to_dict(self) -> dict[str, Any]:
        """As of any figure; the same dictionary every time, not to be changed."""
        if not hasattr(self, "_sent"):
            self._sent = super().to_dict()
        return self._sent


def make_figure(
    traces: Sequence[dict[str, Any]],
    height: int,
    margin: dict[str, int] | None = None,
    **layout: Any,
) -> go.Figure:
    """A figure of traces; ``layout`` are further entries of its layout, ``margin`` those that are
    not 8 pixels.
    """
    return go.Figure(data=traces, layout=base_layout(height, margin) | layout, _validate=False)


def static_figure(
    traces: Sequence[dict[str, Any]],
    layout: dict[str, Any],
    frames: Sequence[dict[str, Any]] | None = None,
) -> StaticFigure:
    """A figure that is sent many times and never changed; ``layout`` is a ``base_layout``."""
    # plotly's own checks take most of a slider move; the tests make them instead
    return StaticFigure(data=traces, layout=layout, frames=frames, _validate=False)


def base_layout(height: int, margin: dict[str, int] | None = None) -> dict[str, Any]:
    """Entries of every layout."""
    margins = {"l": 8, "r": 8, "t": 8, "b": 8} | (margin or {})
    entries = {"template": TEMPLATE_JSON, "height": height, "margin": margins}
    # one revision for all figures of a chart: Plotly keeps zoom and hidden lines when data change
    return entries | {"font": {"size": FONT}, "uirevision": "chart"}


def copy_figure(figure: go.Figure) -> go.Figure:
    """A copy to be changed. ``go.Figure(figure)`` takes the type out of the original's traces while
    it reads them, so that another thread which draws the same figure meanwhile gets a wrong chart
    or an error.
    """
    return go.Figure(copy.deepcopy(figure.to_dict()))


#: Pixels between ticks and title.
TITLE_GAP = 4
#: The same of an upright axis, where Plotly counts from the ends of its ticks.
SIDE_TITLE_GAP = 12
#: An axis that readers cannot zoom: names, cells, images.
FIXED = {"fixedrange": True}
HIDDEN_AXIS = {"visible": False} | FIXED
#: Of an axis whose ticks and title fit into the margins ``MARGINS``.
WITHIN_MARGINS = {"automargin": False}


def make_axis(
    title: Any = "", standoff: Any = None, grid: Any = True, **entries: Any
) -> dict[str, Any]:
    """An axis with its grid in the house's grey.

    Args:
        title: text; standoff: pixels from ticks to title, the page's own where None; grid: whether
            grid lines are drawn. Types are open, as entries come as dictionaries too.
    """
    words = {"text": title} | ({} if standoff is None else {"standoff": standoff})
    lines = {"gridcolor": GRID} if grid else {"showgrid": False}
    return lines | ({"title": words} if title else {}) | entries


def tenths_around(shares: Sequence[float]) -> tuple[float, float]:
    """Return the ends of an axis of shares in whole tenths around all finite ``shares``.

    It is at least a tenth wide and within [0, 1]; without a finite share, all of it.
    """
    finite = [share for share in shares if math.isfinite(share)]
    if not finite:
        return 0.0, 1.0
    low, high = math.floor(10 * min(finite)), math.ceil(10 * max(finite))
    return max(min(low, high - 1), 0) / 10, min(max(high, low + 1), 10) / 10


def share_axis(title: Any = "", standoff: Any = None, **entries: Any) -> dict[str, Any]:
    """From 0 to 100%."""
    return make_axis(
        title, standoff, **{"range": [0, 1], "tickformat": ".0%", "dtick": 0.2} | entries
    )


def budget_axis_title(axis: str, delta: float, precise: bool = True) -> str:
    """Return the title of a budget axis; ``axis``: a key of ``BUDGET_AXES``; precise: name δ."""
    if axis == "approx" and not precise:
        axis = "pure"  # the same title without δ
    return render_text(BUDGET_AXES[axis], **({"delta": delta} if axis == "approx" else {}))


def log_axis(
    title: str,
    standoff: float | None,
    ends: tuple[float, float],
    padding: float,
    ticks: Mapping[Any, str],
) -> dict[str, Any]:
    """A log axis from one end to the other.

    Args:
        padding: decades that stay free at both ends; ticks: words by place.
    """
    low, high = (math.log10(end) for end in ends)
    places = {"tickvals": list(ticks), "ticktext": list(ticks.values())}
    return make_axis(title, standoff, type="log", range=[low - padding, high + padding], **places)


def category_axis(names: Sequence[str]) -> dict[str, Any]:
    """Names at 0, 1, 2, …, given as HTML; slanted where they do not fit side by side."""
    ticks = {"tickvals": list(range(len(names))), "ticktext": list(names)}
    return ticks | {"autotickangles": [0, -45, -90]} | FIXED


def padded_range(count: int, padding: float = 0.5) -> dict[str, Any]:
    """The range of an axis with something at 0, 1, … up to ``count``, and room at both ends."""
    return {"range": [-padding, count - 1 + padding]}


#: Of a trace that is neither pointed at nor named.
SILENT = {"hoverinfo": "skip", "showlegend": False}


def scatter(x: Any, y: Any, mode: Any = "lines", **entries: Any) -> dict[str, Any]:
    """Points or lines."""
    return {"type": "scatter", "x": x, "y": y, "mode": mode} | entries


def stroke(colour: str, width: float | Sequence[float], dash: str = "") -> dict[str, Any]:
    """A pen."""
    return {"color": colour, "width": width} | ({"dash": dash} if dash else {})


def line_and_marker(style: LineStyle, width: float, size: float) -> dict[str, Any]:
    """Line and marker in a method's look."""
    marker = {"symbol": style.marker, "size": size, "color": style.colour}
    return {"line": stroke(style.colour, width, style.dash), "marker": marker}


def hover(words: str, name: str = "") -> dict[str, Any]:
    """What stands beside the pointer, and in its box's second part."""
    return {"hovertemplate": f"{words}<extra>{name}</extra>"}


def band(
    x: Sequence[float], low: Sequence[float], high: Sequence[float], colour: str, **entries: Any
) -> dict[str, Any]:
    """A band between two lines over the same places."""
    x, edge = list(x), [*high, *list(low)[::-1]]
    fill = {"fill": "toself", "fillcolor": rgba(colour, 0.16), "line": {"width": 0}}
    return scatter(x + x[::-1], edge, **SILENT | fill | entries)


def error_bars(
    points: Sequence[Interval], colour: str, thickness: float, width: float
) -> dict[str, Any]:
    """Error bars from low to high, ``width`` pixels at their ends."""
    up, down = [p.high - p.mean for p in points], [p.mean - p.low for p in points]
    return error_arms(up, down, colour, thickness, width)


def error_arms(
    up: Sequence[float],
    down: Sequence[float] | None,
    colour: str,
    thickness: float,
    width: float,
) -> dict[str, Any]:
    """Error bars of these lengths; ``down``: None where they are the same."""
    lengths = {"array": up} | ({} if down is None else {"arrayminus": down})
    style = {"color": colour, "thickness": thickness, "width": width}
    return {"type": "data"} | lengths | style


def bar_trace(x: Any, y: Any, **entries: Any) -> dict[str, Any]:
    """Bars, upright ones unless ``orientation`` is "h"."""
    return {"type": "bar", "x": x, "y": y} | entries


def heatmap(
    x: Any, y: Any, z: Any, ends: tuple[float, float], colours: Any, **entries: Any
) -> dict[str, Any]:
    """Cells in shades between two ends."""
    shades = {"zmin": ends[0], "zmax": ends[1], "colorscale": colours}
    return {"type": "heatmap", "x": x, "y": y, "z": z} | shades | entries


def interval_columns(point: Interval, name: str = "accuracy") -> dict[str, float]:
    """Columns of a point in a table."""
    return {name: point.mean, "low": point.low, "high": point.high, "runs": point.runs}


def ring_marker(size: float, colour: str = ACCENT) -> dict[str, Any]:
    """An open circle."""
    return {"symbol": "circle-open", "size": size, "line": {"width": 2.5}, "color": colour}


def rings(x: Sequence[float], y: Sequence[float], size: float) -> dict[str, Any]:
    """Rings around what is looked at now."""
    return scatter(x, y, "markers", marker=ring_marker(size), cliponaxis=False, **SILENT)


def segments(
    ends: Sequence[tuple[Sequence[float], Sequence[float]]],
    colour: str,
    width: float,
    dash: str = "",
) -> dict[str, Any]:
    """Separate lines in one trace, each with its x and its y: Plotly's time goes by traces."""
    x, y = ([value for line in ends for value in [*line[k], None]] for k in range(2))
    return scatter(x, y, line=stroke(colour, width, dash), hoverinfo="skip")


def whiskers(x: Sequence[float], quantiles: np.ndarray, colour: str) -> list[dict[str, Any]]:
    """Upright bars at each x: thin over nine tenths, thick over the middle half.

    Args:
        quantiles: (len(x), 5), at 5, 25, 50, 75 and 95%.
    """
    upright = lambda low, high, width: segments(
        [([a, a], q[[low, high]].tolist()) for a, q in zip(x, quantiles, strict=True)],
        colour,
        width,
    )
    return [upright(0, 4, 2), upright(1, 3, 7)]


#: Letters of a reference's name.
REFERENCE_FONT = {"size": SMALL_FONT, "color": GREY}


def horizontal_line(
    y: float, colour: str = GREY, width: float = 1.6, dash: str = "dot"
) -> dict[str, Any]:
    """A line from left to right at a height."""
    ends = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": y, "y1": y}
    return ends | {"line": stroke(colour, width, dash)}


def vertical_line(
    x: float, width: float = 2, dash: str = "", colour: str = ACCENT
) -> dict[str, Any]:
    """A line from bottom to top at a place."""
    ends = {"type": "line", "yref": "paper", "y0": 0, "y1": 1, "x0": x, "x1": x}
    return ends | {"line": stroke(colour, width, dash)}


def shaded_span(low: float, high: float, opacity: float = 0.1) -> dict[str, Any]:
    """A band from bottom to top behind everything."""
    ends = {"type": "rect", "yref": "paper", "y0": 0, "y1": 1, "x0": low, "x1": high}
    return ends | {"fillcolor": rgba(ACCENT, opacity), "line": {"width": 0}, "layer": "below"}


def note(text: str, x: float, y: float, corner: str, **entries: Any) -> dict[str, Any]:
    """Words at a place; ``corner`` of theirs lies there, such as "left bottom"."""
    side, edge = corner.split()
    return {"text": text, "x": x, "y": y, "xanchor": side, "yanchor": edge} | entries


def panel_title(title: str, y: float, x: float = 0) -> dict[str, Any]:
    """The title above a panel, its lower left corner given as shares of the figure."""
    return note(f"<b>{title}</b>", x, y, "left bottom", xref="paper", yref="paper")


def reference_lines(values: Sequence[tuple[str, float]], corner: str) -> dict[str, Any]:
    """Layout entries of named lines across; ``corner`` of a name lies at the line's end."""
    x = 0 if corner.startswith("left") else 1
    names = [note(name, x, y, corner, xref="paper", font=REFERENCE_FONT) for name, y in values]
    return {"shapes": [horizontal_line(y) for _, y in values], "annotations": names}


T = TypeVar("T")
#: Most classes whose names fit below an axis.
MAX_NAMED_CLASSES = 40


def class_order(counts: Sequence[int]) -> list[int]:
    """Classes from the largest to the smallest; ties in class order."""
    return sorted(range(len(counts)), key=lambda c: (-counts[c], c))


def select(row: Sequence[T], places: Sequence[int]) -> tuple[T, ...]:
    """A row's entries at these places, in their order."""
    return tuple(row[c] for c in places)


def membership(chosen: Sequence[int], places: Sequence[int]) -> tuple[bool, ...]:
    """Which of the places are chosen ones, such as classes of the minority."""
    return tuple(c in chosen for c in places)


def visible_minority(minority: Sequence[int], counts: Sequence[int]) -> tuple[int, ...]:
    """The classes that count as minority; none where all are as large."""
    return tuple(minority) if len(set(counts)) > 1 else ()


def class_axis(names: Sequence[str], **entries: Any) -> dict[str, Any]:
    """An axis of classes; their names, given as HTML, only where they fit."""
    ticks = {"showticklabels": False} if len(names) > MAX_NAMED_CLASSES else category_axis(names)
    return make_axis(AXES["class"], TITLE_GAP, grid=False) | ticks | entries


def names_with_counts(names: Sequence[str], counts: Sequence[int]) -> list[str]:
    """Names, given as HTML, each with its number in one line, so that slanted ones stay apart."""
    return [f"{name}: {count:,}" for name, count in zip(names, counts, strict=True)]


def minority_bands(minority: Sequence[bool]) -> list[dict[str, Any]]:
    """A band behind each class that counts as minority."""
    return [shaded_span(place - 0.5, place + 0.5) for place, small in enumerate(minority) if small]
