"""Neural collapse: the shift of features, the frame of class means, and what theory says of
both.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.formatting import compared, minus, percent, share, spread
from dpviz.plots.kit.drawing import (
    HIDDEN_AXIS,
    MARGINS,
    SILENT,
    TITLE_GAP,
    WITHIN_MARGINS,
    category_axis,
    error_bars,
    heatmap,
    horizontal_line,
    hover,
    line_and_marker,
    make_axis,
    make_figure,
    note,
    scatter,
    segments,
    stroke,
    tenths_around,
    whiskers,
)
from dpviz.plots.kit.style import (
    ACCENT,
    FONT,
    GREY,
    GRID,
    RIGHT,
    SMALL_FONT,
    WRONG,
    LineStyle,
    line_style,
    rgba,
)
from dpviz.stats import Interval
from dpviz.text.charts import ALTS, AXES, LABELS
from dpviz.text.template import render_text

SHIFT_BINS = 60
SHIFT_PANELS = ((0.0, 0.36), (0.43, 0.58), (0.67, 1.0))
#: Without the panels of cosines and accuracies, whose numbers are beside the histograms then.
PLAIN_PANELS = ((0.0, 1.0),)
#: Letters of an accuracy beside its histogram.
ACCURACY_FONT = 20
#: Pixels above the first row without titles of panels.
PLAIN_TOP = 6
#: Pixels of a row of each panel where they are below one another, and between two panels.
STACKED_HEIGHTS, STACKED_GAP = (146, 64, 64), 100
#: Of each panel's axes.
AXIS_TAILS = ("", "2", "3")
SHIFT_MARGINS = MARGINS | {"l": 16, "r": 26, "t": 52}
#: Titles of these panels, keys of ``LABELS``.
PANEL_TITLES = "panel_shift", "panel_cosine", "panel_accuracy"
#: Of a histogram, in rows.
HISTOGRAM_HEIGHT = 0.67
#: Where the axes are, in rows from the end of the lowest one.
FOOT_GAP = 0.8
#: Of the bar of noise: rows below the histogram, pixels, and the share of the axis past which its
#: name is below it.
NOISE_DROP, NOISE_WIDTH, NOISE_INSIDE = 0.08, 4, 0.75
#: Height of the line at the nearest class, in rows, and of its name, below the accuracies.
NEAREST_HEIGHT, NEAREST_NOTE = 0.36, 0.13
#: Multiple of the longest noise where the axis ends, and of the histograms up to which it does.
NOISE_MARGIN, MAX_NOISE = 1.05, 2.0
#: Share of the panel of accuracies that a number takes beside its mark where the chart is narrow.
LABEL_WIDTH = 0.34
#: Between a mark and its number: as wide as half the mark, whatever the width of the chart.
LABEL_GAP = "\u2002\u2002"
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True)
class ShiftRow:
    """One kind of features.

    Attributes:
        title; shares: of its records in each bin of beta; typical: median beta; cosines: quantiles
            of the cosines of different class means; corner: what they are in a perfect frame;
            quiet, noisy: accuracy without and with noise, None where it is not there yet; noise:
            typical noise on the mean of a class, as beta, None where it is not known; nearest:
            typical distance to the nearest other class, as beta.
    """

    title: str
    shares: tuple[float, ...]
    typical: float
    cosines: tuple[float, ...]
    corner: float
    quiet: float | None
    noisy: Interval | None
    noise: float | None = None
    nearest: float = math.nan


@dataclass(frozen=True)
class ShiftRows:
    """Rows from the top, and the edges of the bins of beta that all share."""

    rows: tuple[ShiftRow, ...]
    edges: tuple[float, ...]

    @classmethod
    def from_features(
        cls,
        features: Sequence[
            tuple[str, np.ndarray, np.ndarray, float, float | None, Interval | None]
        ],
        noises: Sequence[float | None] = (),
        nearest: Sequence[float] = (),
    ) -> ShiftRows:
        """The chart's data.

        Args:
            features: (title, beta of each record, cosines of different classes, perfect cosine,
            accuracy
                without noise, with noise) of each kind of features; noises: typical noise of each;
                nearest: typical distance to the nearest other class of each.
        """
        top = max(float(np.quantile(beta, 0.999)) for _, beta, *_ in features) or 1.0
        edges = np.linspace(0, top * 1.02, SHIFT_BINS + 1)
        rows = []
        for i, (title, beta, cosines, corner, quiet, noisy) in enumerate(features):
            shares = np.histogram(np.minimum(beta, edges[-1]), edges)[0] / len(beta)
            middle = tuple(np.quantile(cosines, QUANTILES).tolist())
            rows.append(
                ShiftRow(
                    title,
                    tuple(shares.tolist()),
                    float(np.median(beta)),
                    middle,
                    corner,
                    quiet,
                    noisy,
                    noises[i] if noises else None,
                    nearest[i] if nearest else math.nan,
                )
            )
        return cls(tuple(rows), tuple(edges.tolist()))

    def alt(self) -> str:
        return render_text(ALTS["shifts"], names="; ".join(row.title for row in self.rows))

    def table(self) -> list[dict[str, Any]]:
        """A row a kind of features."""
        return [
            {
                "features": row.title,
                "median beta": row.typical,
                "median cosine": row.cosines[2],
                "perfect cosine": row.corner,
            }
            | ({} if row.noise is None else {"typical noise": row.noise})
            | ({} if math.isnan(row.nearest) else {"nearest class": row.nearest})
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
            for row in self.rows
        ]

    def figure(self, precise: bool = True) -> go.Figure:
        """Panels that share their rows.

        Args:
            precise: with the panels of cosines and accuracies.
        """
        rows = range(len(self.rows))
        x, cosine = {"range": [0, self._end], "nticks": 5}, {"range": [-1.05, 1.05]}
        low, high = _accuracy_range(self.rows)
        bottom = [
            horizontal_line(-i, GRID, 1, "") | {"layer": "below", "xref": f"x{tail} domain"}
            for i in rows
            for tail in _tails(precise)
        ]
        levels = HIDDEN_AXIS | WITHIN_MARGINS | {"range": [-len(rows) + FOOT_GAP, 0.86]}
        wide, narrow = (self._placed(stacked, precise) for stacked in (False, True))
        cosines = {"xaxis2": _panel(1, AXES["two_classes"], **cosine, tickvals=[-1, 0, 1])}
        cosines |= {"yaxis2": levels, "yaxis3": levels}
        cosines["xaxis3"] = _panel(
            2,
            AXES["accuracy"],
            range=[low, high],
            tickformat=".0%",
            tickvals=[low, (low + high) / 2, high],
        )
        figure = make_figure(
            [
                *(self._hills(row, -i) for i, row in enumerate(self.rows)),
                *(_cosines(self.rows) if precise else ()),
                *(_accuracy(self.rows, (low, high)) if precise else ()),
            ],
            wide["height"],
            SHIFT_MARGINS if precise else SHIFT_MARGINS | {"t": PLAIN_TOP},
            meta={"panels": {"wide": wide, "narrow": narrow}},
            showlegend=False,
            bargap=0,
            xaxis=_panel(0, AXES["shift" if precise else "shift_plain"], **x),
            yaxis=levels,
            shapes=bottom
            + [_median(row.typical, -i) for i, row in enumerate(self.rows)]
            + [
                _noise_bar(row.noise, -i, self._end)
                for i, row in enumerate(self.rows)
                if row.noise is not None
            ]
            + [
                _nearest_line(row.nearest, -i) for i, row in enumerate(self.rows) if row.nearest > 0
            ],
            **(cosines if precise else {}),
        )
        return figure.update_layout(wide)

    def _placed(self, stacked: bool, precise: bool) -> dict[str, Any]:
        """Return what ``Plotly.relayout`` takes to have the panels side by side or stacked."""
        tails = _tails(precise)
        panels = SHIFT_PANELS if precise else PLAIN_PANELS
        heights = [STACKED_HEIGHTS[AXIS_TAILS.index(tail)] * len(self.rows) for tail in tails]
        plot = sum(heights) + (len(tails) - 1) * STACKED_GAP if stacked else heights[0]
        above = SHIFT_MARGINS["t"] if precise else PLAIN_TOP
        entries: dict[str, Any] = {"height": plot + above + SHIFT_MARGINS["b"]}
        notes = [
            _title(label, row.typical, -i)
            for i, (label, row) in enumerate(zip(self._labels(), self.rows, strict=True))
        ]
        notes += [
            _noise_note(row.noise, -i, self._end)
            for i, row in enumerate(self.rows)
            if row.noise is not None
        ]
        notes += [
            _nearest_note(row.nearest, -i) for i, row in enumerate(self.rows) if row.nearest > 0
        ]
        if not precise:
            notes += [_accuracy_note(row, -i) for i, row in enumerate(self.rows)]
        heading = {"xref": "paper", "yref": "paper", "font": {"size": FONT}, "yshift": 8}
        heading |= {"align": "left"}
        top = 1.0
        for place, tail in enumerate(tails):
            name = PANEL_TITLES[AXIS_TAILS.index(tail)]
            x = (0.0, 1.0) if stacked else panels[place]
            low = max(top - heights[place] / plot, 0.0) if stacked else 0.0
            entries |= {f"xaxis{tail}.domain": x, f"yaxis{tail}.domain": [low, top]}
            if precise:
                notes.append(note(LABELS[name], x[0], top, "left bottom", **heading))
            if stacked and place:
                notes += [
                    _row_name(label, -i, f"y{tail}") for i, label in enumerate(self._labels())
                ]
            top = low - STACKED_GAP / plot if stacked else 1.0
        return entries | {"annotations": notes}

    @property
    def _end(self) -> float:
        """End of the axis: noise that is much longer is cut off."""
        noise = max((row.noise for row in self.rows if row.noise is not None), default=0.0)
        gaps = [row.nearest for row in self.rows if not math.isnan(row.nearest)]
        longest = max([self.edges[-1], *(NOISE_MARGIN * gap for gap in gaps)])
        return max(longest, NOISE_MARGIN * noise) if noise <= MAX_NOISE * longest else longest

    def _labels(self) -> list[str]:
        """Titles without settings, unless these alone tell two rows apart."""
        titles = [row.title for row in self.rows]
        short = [title.split(",")[0] for title in titles]
        return short if len(set(short)) == len(short) else titles

    def _hills(self, row: ShiftRow, y: float) -> dict[str, Any]:
        """The histogram's outline."""
        top = max(row.shares) or 1
        steps = [y + HISTOGRAM_HEIGHT * share / top for share in row.shares for _ in range(2)]
        text = f"median β {row.typical:.3g}"
        return scatter(
            [edge for edge in self.edges for _ in range(2)],
            [y, *steps, y],
            line=stroke(ACCENT, 1),
            fill="toself",
            fillcolor=rgba(ACCENT, 0.35),
            text=text,
            hoveron="fills",
            hoverinfo="text",
            **hover(text, escape(row.title)),
        )


def _tails(precise: bool) -> tuple[str, ...]:
    """Return the axes of the drawn panels."""
    return AXIS_TAILS if precise else AXIS_TAILS[:1]


def _panel(place: int, title: str, **entries: Any) -> dict[str, Any]:
    lines = {"showgrid": place > 0, "anchor": f"y{AXIS_TAILS[place]}"}
    return make_axis(title, 2, **lines, **entries, **WITHIN_MARGINS)


def _row_name(label: str, y: float, axis: str) -> dict[str, Any]:
    place = {"xref": "paper", "yref": axis, "font": {"size": FONT}}
    return note(f"<b>{escape(label)}</b>", 0, y + HISTOGRAM_HEIGHT, "left bottom", **place)


def _title(label: str, typical: float, y: float) -> dict[str, Any]:
    place = {"xref": "paper", "font": {"size": FONT}}
    distance = float(f"{typical:.2g}")
    words = render_text(LABELS["median_distance"], title=escape(label), distance=distance)
    return note(words, 0, y + HISTOGRAM_HEIGHT, "left bottom", **place)


def _accuracy_note(row: ShiftRow, y: float) -> dict[str, Any]:
    """Accuracy with noise, and without, at the right end of a row."""
    place = {"xref": "paper", "font": {"size": FONT}, "align": "right"}
    words = ""
    if row.quiet is not None:
        quiet, noisy = share(row.quiet), ""
        if row.noisy is not None and row.noisy.is_measured:
            noisy, quiet, _ = compared(row.noisy, row.quiet)
        words = render_text(LABELS["accuracy_beside_quiet"], quiet=quiet)
        if noisy:
            size = str(ACCURACY_FONT)
            words = render_text(LABELS["accuracy_beside"], size=size, noisy=noisy) + words
    return note(words, 1, y + HISTOGRAM_HEIGHT, "right top", **place)


def _median(x: float, y: float) -> dict[str, Any]:
    ends = {"x0": x, "x1": x, "y0": y, "y1": y + HISTOGRAM_HEIGHT}
    return {"type": "line", "line": stroke(ACCENT, 2)} | ends


def _nearest_line(x: float, y: float) -> dict[str, Any]:
    ends = {"x0": x, "x1": x, "y0": y, "y1": y + NEAREST_HEIGHT}
    return {"type": "line", "line": stroke(GREY, 2, "dash")} | ends


def _nearest_note(x: float, y: float) -> dict[str, Any]:
    words = render_text(LABELS["nearest_class"], distance=float(f"{x:.2g}"))
    return note(words, x, y + NEAREST_NOTE, "left middle", xshift=4, font={"size": SMALL_FONT})


def _noise_bar(noise: float, y: float, end: float) -> dict[str, Any]:
    ends = {"x0": 0, "x1": min(noise, end), "y0": y - NOISE_DROP, "y1": y - NOISE_DROP}
    return {"type": "line", "line": stroke(WRONG, NOISE_WIDTH)} | ends


def _noise_note(noise: float, y: float, end: float) -> dict[str, Any]:
    """Name of the bar, at its end or, where that is far right, below it."""
    place = {"font": {"size": SMALL_FONT, "color": WRONG}}
    words = render_text(LABELS["noise_bar"], noise=float(f"{noise:.2g}"))
    if noise > end:
        words += " →"
    if noise > NOISE_INSIDE * end:
        return note(words, min(noise, end), y - NOISE_DROP, "right top", yshift=-2, **place)
    return note(words, noise, y - NOISE_DROP, "left middle", xshift=4, **place)


def _cosines(rows: Sequence[ShiftRow]) -> list[dict[str, Any]]:
    """One trace a part, for all rows."""
    levels = [HISTOGRAM_HEIGHT / 2 - i for i in range(len(rows))]
    corners = [([row.corner] * 2, [-i, HISTOGRAM_HEIGHT - i]) for i, row in enumerate(rows)]
    low, first, middle, last, high = map(list, zip(*(row.cosines for row in rows), strict=True))

    def bars(starts: list[float], ends: list[float], width: float) -> dict[str, Any]:
        lines = [([a, b], [y, y]) for a, b, y in zip(starts, ends, levels, strict=True)]
        return segments(lines, rgba(ACCENT, 0.6), width)

    dots = scatter(middle, levels, "markers", marker={"size": 9, "color": ACCENT})
    dots["customdata"] = [[a, b, row.corner] for a, b, row in zip(low, high, rows, strict=True)]
    dots |= hover(
        "median %{x:.2f} (90%: %{customdata[0]:.2f} to %{customdata[1]:.2f})<br>"
        "ideal %{customdata[2]:.2f}"
    )
    ideal = segments(corners, GREY, 2, "dot")
    parts = [ideal, bars(low, high, 2), bars(first, last, 8), dots]
    return [part | {"xaxis": "x2", "yaxis": "y2"} for part in parts]


def _accuracy_range(rows: Sequence[ShiftRow]) -> tuple[float, float]:
    """Return the ends of the axis of accuracies."""
    values = [row.quiet for row in rows if row.quiet is not None]
    for row in rows:
        if row.noisy is not None and row.noisy.is_measured:
            values += [row.noisy.low, row.noisy.high]
    return tenths_around(values)


def _accuracy(rows: Sequence[ShiftRow], ends: tuple[float, float]) -> list[dict[str, Any]]:
    """Return the marks; ``ends``: of the axis."""
    quiet = [
        (row.quiet, HISTOGRAM_HEIGHT / 2 - i) for i, row in enumerate(rows) if row.quiet is not None
    ]
    noisy = [
        (row.noisy, row.quiet, HISTOGRAM_HEIGHT / 2 - i)
        for i, row in enumerate(rows)
        if row.noisy is not None
    ]
    parts = ([_rings(*zip(*quiet, strict=True))] if quiet else []) + (
        _intervals(ends, *zip(*noisy, strict=True)) if noisy else []
    )
    return [part | {"xaxis": "x3", "yaxis": "y3", "cliponaxis": False} for part in parts]


def _rings(values: Sequence[float], y: Sequence[float]) -> dict[str, Any]:
    ring = {"symbol": "circle-open", "size": 13, "color": GREY, "line": {"width": 2}}
    hover_box = hover("%{x:.1%} without noise")
    return scatter(list(values), list(y), "markers", marker=ring, **hover_box)


def _intervals(
    ends: tuple[float, float],
    points: Sequence[Interval],
    rings: Sequence[float | None],
    y: Sequence[float],
) -> list[dict[str, Any]]:
    """Marks with their intervals, and numbers beside them."""
    style, y = line_style("noisy-gd"), list(y)
    marks = scatter(
        [p.mean for p in points], y, "markers", error_x=error_bars(points, style.colour, 2, 5)
    )
    marks["marker"] = {"symbol": style.marker, "size": 10, "color": style.colour}
    marks["text"] = [f"{percent(p)} {spread(p)} with noise" for p in points]
    places = [_label_position(p, ring, ends) for p, ring in zip(points, rings, strict=True)]
    words = [
        percent(p) if ring is None or not p.is_measured else compared(p, ring)[0]
        for p, ring in zip(points, rings, strict=True)
    ]
    numbers = scatter([x for x, _ in places], y, "text")
    numbers["text"] = [
        f"{word}{LABEL_GAP}" if side == "left" else f"{LABEL_GAP}{word}"
        for word, (_, side) in zip(words, places, strict=True)
    ]
    numbers["textposition"] = [f"middle {side}" for _, side in places]
    return [marks | hover("%{text}"), numbers | {"hoverinfo": "skip"}]


def _label_position(
    point: Interval, ring: float | None, ends: tuple[float, float]
) -> tuple[float, str]:
    """Where a number begins, and on which side: clear of the ring, and within the panel."""
    low, high, width = point.low, point.high, ends[1] - ends[0]
    room, place = LABEL_WIDTH * width, (point.mean - ends[0]) / width
    right = ring is not None and ring > point.mean and ring - high < room
    if place > 0.55 or (right and place > 0.25):
        return (min(low, ring) if ring is not None and low - ring < room else low), "left"
    return (max(high, ring) if ring is not None and right else high), "right"


MAX_NAMES = 20


@dataclass(frozen=True)
class ClassShift:
    """Class names, cosines between their centred means (C, C), and quantiles of beta (C, 5)."""

    names: tuple[str, ...]
    cosines: tuple[tuple[float, ...], ...]
    quantiles: tuple[tuple[float, ...], ...]

    @classmethod
    def from_measures(
        cls, names: Sequence[str], cosines: np.ndarray, beta: np.ndarray, y: np.ndarray
    ) -> ClassShift:
        """The chart's data from the measures of every record."""
        quantiles = tuple(
            tuple(
                np.quantile(beta[y == c], QUANTILES).tolist()
                if c in y
                else [np.nan] * len(QUANTILES)
            )
            for c in range(len(names))
        )
        return cls(tuple(names), tuple(tuple(row) for row in cosines.tolist()), quantiles)

    def alt(self) -> str:
        return render_text(ALTS["cosines"], classes=len(self.names))

    def shift_alt(self) -> str:
        """The shifts in words."""
        return render_text(ALTS["shift_quantiles"], classes=len(self.names))

    def table(self) -> list[dict[str, Any]]:
        """A row a class."""
        rows = zip(self.names, self.quantiles, self.cosines, strict=True)
        return [
            {"class": name}
            | {f"beta, {100 * q:.0f}%": v for q, v in zip(QUANTILES, quantiles, strict=True)}
            | {f"cosine to {other}": v for other, v in zip(self.names, cosines, strict=True)}
            for name, quantiles, cosines in rows
        ]

    def figure(self) -> go.Figure:
        """The matrix of cosines; numbers in the cells where there is room."""
        names = [escape(n) for n in self.names]
        places = list(range(len(names)))
        cells: dict[str, Any] = {"type": "heatmap", "x": places, "y": places, "z": self.cosines}
        cells |= {"zmin": -1, "zmax": 1, "xgap": 1, "ygap": 1}
        cells["colorscale"] = [[0, RIGHT], [0.5, "rgba(128,136,150,0.12)"], [1, WRONG]]
        cells["colorbar"] = {"thickness": 10, "tickvals": [-1, 0, 1], "len": 0.8}
        cells |= hover("%{y} and %{x}: %{z:.2f}")
        if len(names) <= 12:
            cells |= {
                "text": self._numbers(),
                "texttemplate": "%{text}",
                "textfont": {"size": SMALL_FONT},
            }
        ticks = category_axis(names) if len(names) <= MAX_NAMES else HIDDEN_AXIS
        axis = make_axis(grid=False, **ticks)
        return make_figure([cells], 380, xaxis=axis, yaxis=axis | {"autorange": "reversed"})

    def shift_figure(self) -> go.Figure:
        """Two bars and a dot a class."""
        q, names = np.array(self.quantiles), [escape(n) for n in self.names]
        x = list(range(len(names)))
        dots = scatter(x, q[:, 2], "markers", customdata=q, marker={"size": 9, "color": ACCENT})
        dots |= hover("median β %{y:.3g} (50%: %{customdata[1]:.3g} to %{customdata[3]:.3g})")
        ticks = category_axis(names) | ({} if len(x) <= MAX_NAMES else {"showticklabels": False})
        return make_figure(
            [*whiskers(x, q, rgba(ACCENT, 0.6)), dots],
            380,
            showlegend=False,
            xaxis=make_axis(AXES["class"], grid=False, **ticks),
            yaxis=make_axis(AXES["shift_image"], range=[0, 1.08 * float(q.max()) or 1]),
        )

    def _numbers(self) -> list[list[str]]:
        """What stands in the cells; a class with itself is 1 and says nothing."""
        return [
            ["" if i == j else minus(f"{v:z.1f}") for j, v in enumerate(row)]
            for i, row in enumerate(self.cosines)
        ]


PLANE_COLOURS, PLANE_SYMBOLS = (ACCENT, GREY, "#B3A9EE"), ("circle", "square", "triangle-up")


@dataclass(frozen=True, eq=False)
class ClassPlane:
    """Names of three classes, points (k, 2) of each, their means and a perfect frame's corners,
    both (3, 2).
    """

    names: tuple[str, ...]
    points: tuple[np.ndarray, ...]
    means: np.ndarray
    corners: np.ndarray

    def alt(self) -> str:
        return render_text(ALTS["class_plane"], names=", ".join(self.names))

    def table(self) -> list[dict[str, Any]]:
        """A row a class: where its mean and its corner lie."""
        return [
            {"class": name, "mean 1": m[0], "mean 2": m[1], "corner 1": c[0], "corner 2": c[1]}
            for name, m, c in zip(
                self.names,
                self.means.round(4).tolist(),
                self.corners.round(4).tolist(),
                strict=True,
            )
        ]

    def figure(self) -> go.Figure:
        """Points, means as crosses in a ring, corners as open stars."""
        reach = 1.08 * max(1.15, *(float(np.abs(x).max()) for x in self.points if len(x)))
        turn = np.linspace(0, 2 * np.pi, 90)
        circle = scatter(np.cos(turn), np.sin(turn), line=stroke(rgba(GREY, 0.6), 1), **SILENT)
        bare = {"range": [-reach, reach], "showticklabels": False, "zeroline": False}
        return make_figure(
            [circle, *self._points(), self._corners(), self._means()],
            460,
            legend={"y": -0.06},
            xaxis=make_axis(grid=False, **bare),
            yaxis=make_axis(grid=False, scaleanchor="x", **bare),
        )

    def _points(self) -> list[dict[str, Any]]:
        parts = zip(self.names, self.points, PLANE_COLOURS, PLANE_SYMBOLS, strict=True)
        return [
            scatter(
                x[:, 0].astype(np.float32),
                x[:, 1].astype(np.float32),
                "markers",
                name=escape(name),
                marker={"size": 6, "symbol": symbol, "color": rgba(colour, 0.45)},
                hoverinfo="skip",
            )
            for name, x, colour, symbol in parts
        ]

    def _corners(self) -> dict[str, Any]:
        marker = {"size": 17, "symbol": "star-open", "color": GREY, "line": {"width": 2}}
        names = [escape(name) for name in self.names]
        hover_box = hover("ideal direction of %{text}")
        return (
            _plane_points(self.corners, marker, LABELS["frame_corner"])
            | {"text": names}
            | hover_box
        )

    def _means(self) -> dict[str, Any]:
        marker = {"size": 14, "symbol": "circle-x", "color": list(PLANE_COLOURS)}
        names = [escape(name) for name in self.names]
        marker["line"] = {"width": 1.5, "color": "#FFFFFF"}
        return (
            _plane_points(self.means, marker, LABELS["class_mean"])
            | {"text": names}
            | hover("mean of %{text}")
        )


def _plane_points(places: np.ndarray, marker: dict[str, Any], name: str) -> dict[str, Any]:
    x, y = places.T.tolist()
    return scatter(x, y, "markers", name=name, marker=marker, cliponaxis=False)


#: Power of ten at which the shades begin.
MIN_ERROR_POWER = -6
ERROR_SHADES = [[0, rgba(ACCENT, 0.03)], [1, rgba(ACCENT, 0.75)]]
BOUND_CURVE = "β = p^(−1/2)"


@dataclass(frozen=True)
class MeasuredShift:
    """The median shift of one kind of features, and their dimension."""

    title: str
    p: int
    beta: float


@dataclass(frozen=True)
class CollapseMap:
    """Errors by shift (rows) and dimension (columns), what was measured, and the records of the
    step.
    """

    dimensions: tuple[int, ...]
    shifts: tuple[float, ...]
    errors: tuple[tuple[float, ...], ...]
    measured: tuple[MeasuredShift, ...]
    n: int

    @classmethod
    def from_errors(
        cls,
        dimensions: Sequence[int],
        shifts: Sequence[float],
        errors: np.ndarray,
        measured: Sequence[MeasuredShift],
        n: int,
    ) -> CollapseMap:
        """The chart's data; errors (shifts, dimensions)."""
        cells = tuple(tuple(row) for row in errors.tolist())
        return cls(tuple(dimensions), tuple(shifts), cells, tuple(measured), n)

    def alt(self) -> str:
        words = render_text(ALTS["collapse"], curve=BOUND_CURVE)
        names = "; ".join(shift.title for shift in self.measured)
        return f"{words} {render_text(ALTS['collapse_measured'], names=names)}" if names else words

    def table(self) -> list[dict[str, Any]]:
        """A row a cell."""
        return [
            {"shift beta": beta, "dimension p": p, "records": self.n, "exact error": error}
            for beta, row in zip(self.shifts, self.errors, strict=True)
            for p, error in zip(self.dimensions, row, strict=True)
        ]

    def figure(self) -> go.Figure:
        """Shades from 0.0001% to 50%, curve and marks; places are powers of 2 and of 10."""
        x = [math.log2(p) for p in self.dimensions]
        low, high = math.log10(self.shifts[0]), math.log10(self.shifts[-1])
        ticks = [k for k in range(1, 15) if x[0] <= k <= x[-1]][::2]
        across = make_axis(
            AXES["dimension"],
            TITLE_GAP,
            grid=False,
            range=[x[0] - 0.5, x[-1] + 0.5],
            tickvals=ticks,
            ticktext=[f"{2**k:,}" for k in ticks],
        )
        sizes = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1)
        upright = make_axis(
            AXES["feature_shift"],
            grid=False,
            range=[low, high],
            tickvals=[math.log10(v) for v in sizes],
            ticktext=[f"{v:g}" for v in sizes],
        )
        return make_figure(
            [self._cells(x), self._curve(), *self._marks()],
            440,
            {"l": 8, "r": 8, "t": 8},
            legend={"y": -0.2},
            xaxis=across,
            yaxis=upright,
        )

    def _cells(self, x: Sequence[float]) -> dict[str, Any]:
        logs = np.log10(np.maximum(self.errors, 10.0**MIN_ERROR_POWER))
        text = lambda error: f"{100 * error:.2g}%" if error > 1e-12 else "below 1e-10%"
        texts = [[text(error) for error in row] for row in self.errors]
        places = [-6, -4, -2, math.log10(0.5)]
        words = ["≤ 0.0001%", "0.01%", "1%", "50%"]
        ticks = {"tickvals": places, "ticktext": words}
        return heatmap(
            list(x),
            [math.log10(b) for b in self.shifts],
            logs.tolist(),
            (MIN_ERROR_POWER, math.log10(0.5)),
            ERROR_SHADES,
            colorbar={"thickness": 10, "len": 0.8, "title": {"text": "error"}} | ticks,
            text=texts,
            customdata=[[[p, b] for p in self.dimensions] for b in self.shifts],
            **hover("p = %{customdata[0]:,}, β = %{customdata[1]:.3g}<br>error %{text}", "exact"),
        )

    def _curve(self) -> dict[str, Any]:
        first = max(math.log2(self.dimensions[0]) - 0.5, 0)
        ends = [first, math.log2(self.dimensions[-1]) + 0.5]
        heights = [-0.5 * place * math.log10(2) for place in ends]
        return scatter(
            ends, heights, name=BOUND_CURVE, line=stroke(RIGHT, 3, "dash"), hoverinfo="skip"
        )

    def _marks(self) -> list[dict[str, Any]]:
        symbols = ("circle", "diamond", "square", "cross", "triangle-up", "star")
        return [
            scatter(
                [math.log2(shift.p)],
                [math.log10(max(shift.beta, self.shifts[0]))],
                "markers",
                name=f"{escape(shift.title)} (measured)",
                cliponaxis=False,
                marker={
                    "size": 13,
                    "symbol": symbols[place % len(symbols)],
                    "color": GREY,
                    "line": {"width": 1.5, "color": "#FFFFFF"},
                },
                **hover(
                    f"p = {shift.p:,}, median β = {shift.beta:.3g}, β²p ="
                    f" {shift.beta**2 * shift.p:.2g}",
                    escape(shift.title),
                ),
            )
            for place, shift in enumerate(self.measured)
        ]


@dataclass(frozen=True)
class NeededLine:
    """Records at each dimension; None where no number of them is enough."""

    name: str
    style: LineStyle
    dimensions: tuple[int, ...]
    records: tuple[float | None, ...]


@dataclass(frozen=True)
class RecordsNeeded:
    """Lines, and the error that they are for."""

    lines: tuple[NeededLine, ...]
    wanted: float

    @classmethod
    def from_records(
        cls,
        lines: Mapping[str, Mapping[int, float | None]],
        styles: Mapping[str, LineStyle],
        wanted: float,
    ) -> RecordsNeeded:
        """The chart's data: records by line and dimension, in the order of the looks."""
        needed = (
            NeededLine(name, styles[name], tuple(sorted(at)), tuple(at[p] for p in sorted(at)))
            for name in styles
            if (at := lines.get(name))
        )
        return cls(tuple(needed), wanted)

    def alt(self) -> str:
        return render_text(ALTS["needed"], names=", ".join(line.name for line in self.lines))

    def table(self) -> list[dict[str, Any]]:
        """A row a point; no number where none is enough."""
        return [
            {"line": line.name, "dimension p": p, "target error": self.wanted, "records": n}
            for line in self.lines
            for p, n in zip(line.dimensions, line.records, strict=True)
        ]

    def figure(self) -> go.Figure:
        """Lines that break off where no number of records is enough."""
        places = sorted({p for line in self.lines for p in line.dimensions})
        tops = [n for line in self.lines for n in line.records if n]
        high = math.log10(max(tops, default=10)) + 0.15
        ends = [math.log10(places[0]) - 0.1, math.log10(places[-1]) + 0.1] if places else [0, 1]
        ticks = {"tickvals": places[::2], "ticktext": [f"{p:,}" for p in places[::2]]}
        step = max(1, math.ceil(high / 6))
        powers = [10**k for k in range(0, math.ceil(high) + 1, step)]
        return make_figure(
            [_line(line) for line in self.lines],
            400,
            {"r": 14, "t": 14},
            legend={"y": -0.22},
            xaxis=make_axis(AXES["dimension"], TITLE_GAP, type="log", range=ends, **ticks),
            yaxis=make_axis(
                AXES["images_needed"],
                type="log",
                range=[-0.1, high],
                tickvals=powers,
                ticktext=[f"{v:,}" if v < 1e6 else f"1e{round(math.log10(v))}" for v in powers],
            ),
        )


def _line(line: NeededLine) -> dict[str, Any]:
    texts = [f"{math.ceil(n):,} images" if n else "" for n in line.records]
    return scatter(
        list(line.dimensions),
        list(line.records),
        "lines+markers",
        name=escape(line.name),
        text=texts,
        connectgaps=False,
        **line_and_marker(line.style, 2.5, 8),
        **hover("p = %{x:,}: %{text}", escape(line.name)),
    )
