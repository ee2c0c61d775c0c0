"""What charts over the budget share: lines with bands, names at the lines' ends, and numbers where
the lines meet the budget looked at.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, product
from typing import Any, Protocol

from dpviz.formatting import SYMBOLS, budget_text, number, numbers, percent, spread
from dpviz.plots.kit.drawing import (
    HIDDEN_AXIS,
    LEGEND_BELOW,
    MARGINS,
    SILENT,
    WITHIN_MARGINS,
    StaticFigure,
    band,
    base_layout,
    budget_axis_title,
    hover,
    line_and_marker,
    make_axis,
    note,
    rings,
    scatter,
    static_figure,
    stroke,
)
from dpviz.plots.kit.style import (
    ACCENT,
    FONT,
    GREY,
    RIGHT,
    SMALL_FONT,
    WRONG,
    LineStyle,
    rgba,
    text_colour,
)
from dpviz.stats import Interval
from dpviz.text.charts import LABELS, MARKER_KEYS
from dpviz.text.template import render_text
from dpviz.types import Budget


def budget_frames(
    budgets: Sequence[float], draw: Callable[[float], list[dict[str, Any]]], traces: Sequence[int]
) -> list[dict[str, Any]]:
    """A frame for each budget, called by its number; ``draw`` gives what ``traces`` are there."""
    return [
        {"name": name, "data": draw(budget), "traces": traces}
        for name, budget in zip(numbers(budgets), budgets, strict=True)
    ]


def with_place(traces: list[dict[str, Any]], place: int) -> list[dict[str, Any]]:
    """What moves, its first trace marked with the place in the row of frames at which it stands:
    Plotly carries the mark along.
    """
    first, *others = traces
    return [first | {"meta": place}, *others]


#: Decades that stay free before the first budget, and the share of the span past the last one.
LEAD_DECADES, END_SHARE = 0.06, 0.015
#: Share of a short span that stays free before the first budget.
LEAD_SHARE = 0.02
#: Plot heights that the rule at the budget reaches past the plot, which clips it.
ZOOM_REACH = 3.0


@dataclass(frozen=True)
class Scale:
    """Where the axes of a chart begin and end, in budgets and in what its lines show; ``log``: of
    the upright one.
    """

    low: float
    high: float
    floor: float
    top: float
    log: bool = False

    @property
    def edge(self) -> float:
        """The budget at the plot's right edge, past the last one drawn."""
        return self.high * (self.high / self.low) ** END_SHARE

    @property
    def start(self) -> float:
        """The budget at the plot's left edge."""
        return self.low * 10 ** -min(LEAD_DECADES, LEAD_SHARE * math.log10(self.high / self.low))

    def position(self, budget: float) -> float:
        """Where between the first budget, 0, and the last one, 1, a budget stands."""
        return math.log(budget / self.low) / math.log(self.high / self.low)

    def side(self, budget: float) -> str:
        """Which way from a budget words above it stay within the plot."""
        along = self.position(budget)
        return "right" if along < 0.15 else "left" if along > 0.85 else "center"

    def share(self, height: float) -> float:
        """A height as a share of the plot's."""
        if not self.log:
            return (height - self.floor) / (self.top - self.floor)
        return math.log(max(height, self.floor) / self.floor) / math.log(self.top / self.floor)

    @property
    def past_ends(self) -> tuple[float, float]:
        """Heights far below and above the plot: a line between them spans any zoomed view."""
        return self.height_at(-ZOOM_REACH), self.height_at(1 + ZOOM_REACH)

    def height_at(self, share: float) -> float:
        """The height at a share of the plot's."""
        if not self.log:
            return self.floor + share * (self.top - self.floor)
        return self.floor * (self.top / self.floor) ** share


def spread_out(wanted: Sequence[float], gap: float) -> list[float]:
    """Places within 0 and 1, each as near as it can be to the one wanted and ``gap`` from the next
    (less where there is no room).
    """
    ranked = sorted(range(len(wanted)), key=lambda i: (wanted[i], -i))
    gap = min(gap, 1 / max(len(ranked) - 1, 1))
    flat = ascending([wanted[i] - gap * place for place, i in enumerate(ranked)])
    highest = 1 - gap * (len(ranked) - 1)
    places = [0.0] * len(ranked)
    for place, i in enumerate(ranked):
        places[i] = min(max(flat[place], 0.0), highest) + gap * place
    return places


def ascending(wanted: Sequence[float]) -> list[float]:
    """Return numbers that do not fall, with the least squared distance to the ones wanted."""
    blocks: list[list[float]] = []  # sum and number of those that are equal
    for number_wanted in wanted:
        blocks.append([number_wanted, 1])
        while len(blocks) > 1 and blocks[-2][0] / blocks[-2][1] >= blocks[-1][0] / blocks[-1][1]:
            total, count = blocks.pop()
            blocks[-1] = [blocks[-1][0] + total, blocks[-1][1] + count]
    return [total / count for total, count in blocks for _ in range(int(count))]


#: Pixels from one name to the next, and of the lowest plot in which they stay apart.
NAME_HEIGHT, MIN_PLOT_HEIGHT = 18, 260
#: Pixels of a letter, and from the plot to a name.
LETTER_WIDTH, NAME_GAP = 6.7, 50
#: Pixels beside the plot between which the way from a line to its name lies, and the bar of the
#: line's colour before the name. Neither looks like a line of the plot, nor lies in it.
CONNECTOR_X, BAR_X = (4, 30), (33, 36)
#: Opacity of connectors, of bands, and of a band without others. Bands overlap, so they are faint
#: until a reader points at a line (``line_names.js``).
CONNECTOR_OPACITY, BAND_OPACITY, ONLY_BAND_OPACITY = 0.55, 0.07, 0.14
#: A space as wide as a digit.
DIGIT_SPACE = "\u2007"
GUESSING = LineStyle(GREY, "dot", "line-ew-open")
#: Most pixels that the names take beside the plot.
MAX_NAME_WIDTH = 300


@dataclass(frozen=True)
class Row:
    """A line of the chart and its row: title, style, a point for each budget; one point alone holds
    at every budget.

    Attributes:
        role: ``lead`` for the line that the chart is about, ``faint`` for the others, drawn
            thin and without numbers; "" where all lines count alike; clear: of the lead, budgets
            with large markers, the others have small ones; worse: budgets with crosses; banded:
            whether its band is drawn before a reader points at the line; marked: whether it has
            markers; hover: its name beside the pointer, the title where empty.
    """

    title: str
    style: LineStyle
    budgets: tuple[float, ...]
    points: tuple[Interval, ...]
    role: str = ""
    clear: frozenset[float] | None = None
    worse: frozenset[float] = frozenset()
    banded: bool = True
    marked: bool = True
    hover: str = ""

    @property
    def level(self) -> bool:
        """True for a line across, which no budget moves."""
        return self.budgets == (math.inf,)

    def point_at(self, budget: float) -> Interval | None:
        """The point at a budget, where there is one."""
        return (
            self.points[0]
            if self.level
            else dict(zip(self.budgets, self.points, strict=True)).get(budget)
        )


def guessing_row(share: float) -> Row:
    """The level of who guesses blindly, right or wrong this often."""
    return Row(LABELS["chance"], GUESSING, (math.inf,), (Interval(share, share, share, 0),))


def common_budgets(budgets: Iterable[Sequence[float]]) -> tuple[float, ...]:
    """Budgets at which every line has a point."""
    sets = [set(line) for line in budgets]
    return tuple(sorted(set.intersection(*sets))) if sets else ()


def smallest_budget(budget: Budget, budgets: Iterable[Sequence[float]]) -> Budget:
    """Return the smallest budget of all lines, with the axis and delta of ``budget``: the same
    whichever budget is looked at.
    """
    return budget.with_value(min(chain.from_iterable(budgets), default=budget.value))


def budget_range(rows: Sequence[Row], budget: float) -> tuple[float, float]:
    """Least and greatest budget of a chart; never nothing."""
    budgets = {b for row in rows if not row.level for b in row.budgets} | {budget}
    return (
        (min(budgets), max(budgets)) if len(budgets) > 1 else (min(0.01, budget), max(10.0, budget))
    )


def brackets(point: Interval) -> str:
    """The spread of a point in brackets, where it has one."""
    return f"({spread(point)})" if spread(point) else ""


# ------------------------------------------------------------------------------------------- traces


#: Width of a line and size of its markers, by role; opacity of faint lines.
PENS = {"": (2.5, 7), "lead": (3.5, 9), "faint": (1.4, 5)}
FAINT_OPACITY = 0.7
#: Sizes of the lead's markers, by whether a difference is significant.
STAR_SIZE, CROSS_SIZE, DOT_SIZE = 13, 10, 4
#: Size of a star in the legend; of the ring at the budget looked at, clear of a star or not.
KEY_SIZE, RING_SIZE, WIDE_RING_SIZE = 13, 13, 19
LEVEL_WIDTHS = {"": 1.6, "lead": 2.0, "faint": 1.0}
#: Size of the arrow where a line crosses an end of the plot.
ARROW_SIZE = 9
#: Opacity of the area between two lines.
AREA_OPACITY = 0.2


def line_traces(
    rows: Sequence[Row], axis: str, budget: float, floor: float = 0.0, top: float = 1.0
) -> list[dict[str, Any]]:
    """All lines; bands of the swept ones end at ``floor``, and lines outside ``floor`` and ``top``
    are cut off.
    """
    banded = sum(row.banded and not row.level for row in rows)
    opacity = BAND_OPACITY if banded > 1 else ONLY_BAND_OPACITY
    swept = [
        trace for row in rows if not row.level for trace in _curve(row, axis, floor, top, opacity)
    ]
    return swept + [_level(row, budget_range(rows, budget)) for row in rows if row.level]


def _curve(
    row: Row, axis: str, floor: float, top: float, band_opacity: float
) -> list[dict[str, Any]]:
    low, high = [max(p.low, floor) for p in row.points], [p.high for p in row.points]
    line = scatter(
        list(row.budgets),
        [p.mean for p in row.points],
        "lines+markers" if row.marked else "lines",
        name=row.title,
        text=[f"{percent(p)}  {brackets(p)}" for p in row.points],
        cliponaxis=any(not floor <= p.mean <= top for p in row.points),
        showlegend=False,
        opacity=FAINT_OPACITY if row.role == "faint" else 1.0,
        **line_and_marker(row.style, *PENS[row.role]),
        **hover(f"{SYMBOLS[axis]} = %{{x}}: %{{text}}", row.hover or row.title),
    )
    if row.clear is not None:
        better = ("star", STAR_SIZE, row.style.colour)
        worse, level = ("x", CROSS_SIZE, WRONG), (row.style.marker, DOT_SIZE, row.style.colour)
        marks = [
            worse if budget in row.worse else better if budget in row.clear else level
            for budget in row.budgets
        ]
        looks = zip(("symbol", "size", "color"), zip(*marks, strict=True), strict=True)
        line["marker"] |= {name: list(values) for name, values in looks}
        line["marker"]["opacity"] = 1  # Plotly makes markers of many sizes pale
    has_spread = any(p.low < p.high for p in row.points)
    opacity = band_opacity if row.banded and row.role != "faint" else 0.0
    fill = {"fillcolor": rgba(row.style.colour, opacity)}
    return [band(row.budgets, low, high, row.style.colour, **fill), line] if has_spread else [line]


def marker_keys(rows: Sequence[Row], precise: bool, shots: int | None = 0) -> list[dict[str, Any]]:
    """Return legend entries of the markers of significant differences, as far as they are drawn.

    Args:
        shots: public examples per class that the line is compared with, 0 if not named, None
            where it is compared with all public images.
    """
    row = next((row for row in rows if row.clear), None)
    if row is None or row.clear is None:
        return []
    case = "_public" if shots is None else "" if shots else "_alone"
    looks = {
        "better": ("star", KEY_SIZE, row.style.colour, row.clear - row.worse),
        "worse": ("x", CROSS_SIZE - 2, WRONG, row.worse),
    }
    return [
        scatter(
            [None],
            [None],
            "markers",
            name=MARKER_KEYS[f"{name}{case}"].fill(precise, shots=shots),
            marker={"symbol": symbol, "size": size, "color": colour},
            hoverinfo="skip",
            showlegend=True,
        )
        for name, (symbol, size, colour, budgets) in looks.items()
        if budgets
    ]


def _marks_off_scale(rows: Sequence[Row], scale: Scale) -> list[dict[str, Any]]:
    """Return arrows for each line that leaves the plot, where it does, with its extreme value."""
    marks = []
    for row, is_top in product(rows, (True, False)):
        ends = [
            (budget, scale.share(point.mean))
            for budget, point in zip(row.budgets, row.points, strict=True)
            if not row.level and point.is_measured
        ]
        x = [
            left * (right / left) ** ((is_top - start) / (stop - start))
            for (left, start), (right, stop) in itertools.pairwise(ends)
            if _crosses(start, stop, is_top)
        ]
        if x:
            arrow = {
                "symbol": f"triangle-{'up' if is_top else 'down'}",
                "size": ARROW_SIZE,
                "color": row.style.colour,
            }
            place = [scale.top if is_top else scale.floor] * len(x)
            known = [p for p in row.points if p.is_measured]
            end = (max if is_top else min)(known, key=lambda point: point.mean)
            label = LABELS["off_scale_up" if is_top else "off_scale_down"]
            words = f"<b>{render_text(label, end=end)}</b>"
            sides = ["right" if scale.side(budget) == "right" else "left" for budget in x]
            marks.append(
                scatter(
                    x,
                    place,
                    "markers+text",
                    marker=arrow,
                    text=[_spaced(words, side) for side in sides],
                    textposition=[f"{'middle' if is_top else 'top'} {side}" for side in sides],
                    textfont={"size": SMALL_FONT, "color": text_colour(row.style.colour)},
                    cliponaxis=False,
                    **SILENT,
                )
            )
    return marks


def _crosses(start: float, stop: float, is_top: bool) -> bool:
    """Return whether a line between two heights (shares of the plot's) crosses an end."""
    return (start > 1) != (stop > 1) if is_top else (start < 0) != (stop < 0)


def _spaced(words: str, side: str) -> str:
    """Words clear of a marker, which they extend from to a side."""
    return f"{words}{DIGIT_SPACE}" if side == "left" else f"{DIGIT_SPACE}{words}"


def _level(row: Row, ends: tuple[float, float]) -> dict[str, Any]:
    point = row.points[0]
    return scatter(
        list(ends),
        [point.mean] * 2,
        name=row.title,
        showlegend=False,
        opacity=FAINT_OPACITY if row.role == "faint" else 1.0,
        line=stroke(row.style.colour, LEVEL_WIDTHS[row.role], row.style.dash),
        **hover(f"{percent(point)} {brackets(point)}", row.title),
    )


def areas_between(
    row: Row, level: Row, scale: Scale, colours: tuple[str, str]
) -> list[dict[str, Any]]:
    """Areas between a line and a level, in one color where the line is above it and in another
    where it is below.
    """
    budgets, heights = _with_crossings(row, level.points[0].mean, scale)
    flat = min(max(level.points[0].mean, scale.floor), scale.top)
    cuts = (max, min)
    return [
        scatter(
            [*budgets, *budgets[::-1]],
            [*(cut(flat, height) for height in heights), *[flat] * len(budgets)],
            fill="toself",
            fillcolor=rgba(colour, AREA_OPACITY),
            line={"width": 0},
            **SILENT,
        )
        for cut, colour in zip(cuts, colours, strict=True)
    ]


def _with_crossings(row: Row, level: float, scale: Scale) -> tuple[list[float], list[float]]:
    """Return budgets and heights of a line, with the places where it crosses a level."""
    ends = [
        (budget, _is_within(point, scale))
        for budget, point in zip(row.budgets, row.points, strict=True)
        if point.is_measured
    ]
    x, y = [end[0] for end in ends[:1]], [end[1] for end in ends[:1]]
    for (left, start), (right, stop) in itertools.pairwise(ends):
        if (start - level) * (stop - level) < 0:
            begin, end, cross = scale.share(start), scale.share(stop), scale.share(level)
            x.append(left * (right / left) ** ((cross - begin) / (end - begin)))
            y.append(level)
        x.append(right)
        y.append(stop)
    return x, y


#: Axes over the plot from 0 to 1, which stay as they are when readers zoom.
OVERLAY_X = HIDDEN_AXIS | {"overlaying": "x", "range": [0, 1]}
OVERLAY_Y = HIDDEN_AXIS | {"overlaying": "y", "range": [0, 1]}


@dataclass(frozen=True)
class EndName:
    """Words beside a plot: text, color (hex) of the line, and where the line ends, as a share of
    the plot's height.
    """

    text: str
    colour: str
    share: float


def name_labels(names: Sequence[EndName], shares: Sequence[float]) -> dict[str, Any]:
    """Names of lines beside the plot, at these shares of its height."""
    words = [NAME_SPACE + name.text for name in names]
    place = {"xaxis": "x2", "yaxis": "y2"}
    colours = [text_colour(name.colour) for name in names]
    return _words([1.0] * len(names), shares, words, "middle right", colours) | place


def connectors(
    names: Sequence[EndName], shares: Sequence[float], part: float = 1.0
) -> list[dict[str, Any]]:
    """Return a connector from each line's end to its name, then a color bar before each name.

    The connectors are below the traces: the page hides that layer while a reader has zoomed.

    Args:
        part: share of all panels' height that the lowest one with the lines takes.
    """
    place = {"xref": "paper", "yref": "paper", "xanchor": 1, "xsizemode": "pixel"}
    line = {"type": "line", "layer": "below"} | place
    bar = {"type": "rect", "line": {"width": 0}, "ysizemode": "pixel"} | place
    return [
        line
        | {"x0": CONNECTOR_X[0], "x1": CONNECTOR_X[1], "y0": part * name.share, "y1": part * share}
        | {"line": {"color": rgba(name.colour, CONNECTOR_OPACITY), "width": 1.2}}
        for name, share in zip(names, shares, strict=True)
    ] + [
        bar
        | {"x0": BAR_X[0], "x1": BAR_X[1], "y0": -6, "y1": 6, "yanchor": part * share}
        | {"fillcolor": name.colour}
        for name, share in zip(names, shares, strict=True)
    ]


def place_names(
    names: Sequence[EndName], waiting: int = 0, height: float = MIN_PLOT_HEIGHT
) -> list[float]:
    """Shares of a plot's height for the names, clear of one another, then for ``waiting`` more.

    Args:
        height: of the plot, pixels.
    """
    wanted = [name.share for name in names] + [0.5] * waiting
    return spread_out(wanted, NAME_HEIGHT / height)


def names_beside(
    names: Sequence[EndName], lines: Sequence[int], height: float, part: float = 1.0
) -> NamesBeside:
    """Name the lines of a chart that stands still, in place of a legend.

    Args:
        lines: places of the lines' traces, by name; height: of the lines' panel, pixels; part: see
            ``connectors``.
    """
    shares, room = place_names(names, height=height), names_width(name.text for name in names)
    meta = {"named": True, "room": room, "lines": list(lines), "moving": 0, "part": part}
    layout = {"showlegend": False, "meta": meta, "xaxis2": OVERLAY_X, "yaxis2": OVERLAY_Y}
    return NamesBeside(name_labels(names, shares), connectors(names, shares, part), room, layout)


@dataclass(frozen=True)
class NamesBeside:
    """Names of a chart's lines: the last trace, the first shapes, the right margin (pixels), and
    further entries of the layout.
    """

    trace: dict[str, Any]
    shapes: list[dict[str, Any]]
    room: int
    layout: dict[str, Any]


def _words(
    x: Sequence[float],
    y: Sequence[float],
    text: Sequence[str],
    side: str | Sequence[str],
    colours: Sequence[str] = (),
) -> dict[str, Any]:
    font = {"size": FONT} | ({"color": list(colours)} if colours else {})
    style = {"textfont": font, "textposition": side, "cliponaxis": False}
    return scatter(list(x), list(y), "text", text=list(text), **style | SILENT)


def _height(row: Row, scale: Scale) -> float:
    """How high a line ends, within the plot."""
    return _is_within(row.points[-1], scale)


def _is_within(point: Interval, scale: Scale) -> float:
    return min(max(point.mean, scale.floor), scale.top)


#: Traces that follow the hand, the numbers last; before them are the names.
MOVING_TRACES = 5


def moving_traces(
    rows: Sequence[Row], scale: Scale, budget: float, head: str
) -> list[dict[str, Any]]:
    """What follows the hand: leaders to numbers, the line at a budget with ``head`` above it, a
    ring on every curve, and its number there.

    Phones show the numbers after the names (``line_names.js``), without leaders.
    """
    ringed = _ring_heights(
        [p.mean for row in _numbered(rows) if (p := row.point_at(budget))], scale
    )
    label = _words([budget], [1.0], [f"<b>{head}</b>"], [f"top {scale.side(budget)}"])
    label |= {"yaxis": "y2"}
    wide = any(row.clear is not None for row in rows)
    ring = rings([budget] * len(ringed), ringed, WIDE_RING_SIZE if wide else RING_SIZE)
    numbers, leaders = _numbers(rows, scale, budget)
    ends = list(scale.past_ends)
    # below the rule, so that the trace always has a line
    x: list[float | None] = [budget, budget]
    y: list[float | None] = [*ends]
    for start, end, height in leaders:
        x, y = [*x, None, budget, end], [*y, None, start, height]
    lead = scatter(x, y, line=stroke(GREY, 1), **SILENT)
    rule = scatter([budget, budget], ends, line=stroke(ACCENT, 2), **SILENT)
    return [lead, rule, label, ring, numbers]


def _numbered(rows: Sequence[Row]) -> list[Row]:
    """Return the lines with a ring and a number at the budget looked at."""
    return [row for row in rows if not row.level and row.role != "faint"]


def _ring_heights(heights: Sequence[float], scale: Scale) -> list[float]:
    """Return the heights at which rings can be distinguished, from the lowest."""
    kept: list[float] = []
    for height in sorted(heights):
        if not kept or scale.share(height) - scale.share(kept[-1]) >= RING_GAP:
            kept.append(height)
    return kept


def _numbers(
    rows: Sequence[Row], scale: Scale, budget: float
) -> tuple[dict[str, Any], list[tuple[float, float, float]]]:
    """Return the numbers beside the rings, clear of one another and, if possible, of lines.

    A line without a number has a blank. A number away from its ring has a leader: the height at
    the ring, then budget and height at the number.
    """
    numbered = _numbered(rows)
    points = [row.point_at(budget) if row in numbered else None for row in rows]
    shares = {n: scale.share(_is_within(p, scale)) for n, p in enumerate(points) if p}
    sides, wanted = _number_places(rows, shares, scale, budget)
    heights, leaders = [scale.floor] * len(rows), []
    for side in SIDES:
        mine = [n for n in wanted if sides[n] == side]
        lifted = [wanted[n] / MAX_NUMBER_HEIGHT for n in mine]
        for n, place in zip(mine, spread_out(lifted, NUMBER_GAP / MAX_NUMBER_HEIGHT), strict=True):
            share = MAX_NUMBER_HEIGHT * place
            heights[n] = scale.height_at(share)
            if abs(share - shares[n]) > NUMBER_GAP / 2:
                way = LEADER if side == "right" else -LEADER
                end = budget * (scale.high / scale.low) ** way
                leaders.append((scale.height_at(shares[n]), end, heights[n]))
    space = RING_SPACE + DIGIT_SPACE * any(row.clear is not None for row in rows)
    words = [f"{space}<b>{percent(p)}</b>{space}" if p else DIGIT_SPACE for p in points]
    default = _default_side(scale, budget)
    places = [f"middle {sides.get(n, default)}" for n in range(len(rows))]
    colours = [text_colour(row.style.colour) for row in rows]
    return _words([budget] * len(rows), heights, words, places, colours), leaders


def _default_side(scale: Scale, budget: float) -> str:
    return "left" if scale.position(budget) > SIDE_SWITCH else "right"


def _number_places(
    rows: Sequence[Row], wanted: dict[int, float], scale: Scale, budget: float
) -> tuple[dict[int, str], dict[int, float]]:
    """Side of the rule and height for the number of each row, from the highest to the lowest.

    In the middle of the plot each number takes the place near its ring, and nearer to no other
    ring, where fewer lines and numbers are.

    Args:
        wanted: share of the plot's height of each number, by row.
    """
    default = _default_side(scale, budget)
    if not FREE_SIDES[0] < scale.position(budget) < FREE_SIDES[1]:
        return dict.fromkeys(wanted, default), wanted
    lines = {side: _lines_beside(rows, scale, budget, side) for side in SIDES}
    swept = {side: [_lines_beside([row], scale, budget, side) for row in rows] for side in SIDES}
    names = _level_name_heights(rows, scale) if scale.position(budget) < LEVEL_NAMES_END else []
    sides: dict[int, str] = {}
    places: dict[int, float] = {}
    for n in sorted(wanted, key=lambda n: -wanted[n]):
        costs = {}
        for side, shift in product(SIDES, SHIFTS):
            place = wanted[n] + shift * NUMBER_GAP
            if not 0 <= place <= MAX_NUMBER_HEIGHT and shift:
                continue
            taken = any(sides[m] == side and abs(places[m] - place) < NUMBER_GAP for m in sides)
            other = any(abs(place - wanted[m]) < abs(place - wanted[n]) for m in wanted)
            named = side == "left" and any(abs(place - name) < NUMBER_GAP for name in names)
            others = [swept[side][m] for m in wanted if m != n]
            crossed = any(_covered(line, place) for line in others)
            cost = _covered(lines[side], place) + 2 * taken + other + named + crossed
            costs[side, place] = cost + SHIFT_COST * abs(shift) + 0.1 * (side != default)
        sides[n], places[n] = min(costs, key=lambda key: costs[key])
    return sides, places


def _level_name_heights(rows: Sequence[Row], scale: Scale) -> list[float]:
    """Return the middle of each level's name at the left end, as shares of the plot's height."""
    corners, half = free_levels(rows, scale), LEVEL_NAME_SHARE / 2
    return [
        scale.share(row.points[0].mean) + (half if corners[row.title] == "left bottom" else -half)
        for row in rows
        if corners.get(row.title, "").startswith("left")
    ]


def _lines_beside(rows: Sequence[Row], scale: Scale, budget: float, side: str) -> list[list[float]]:
    """Heights of all lines at each place that a number on this side of the rule may cover."""
    direction = 1 if side == "right" else -1
    return [_shares_at(rows, scale, scale.position(budget) + direction * x) for x in NUMBER_X]


def _covered(lines: Sequence[Sequence[float]], height: float) -> float:
    """Share of a number's width at which a line crosses it; lines: see ``_lines_beside``."""
    crossed = [any(abs(share - height) < NUMBER_GAP / 2 for share in place) for place in lines]
    return sum(crossed) / len(crossed)


def _shares_at(rows: Sequence[Row], scale: Scale, place: float) -> list[float]:
    """Heights of all lines at a place between the first budget and the last one."""
    shares = []
    for row in rows:
        heights = [scale.share(_is_within(point, scale)) for point in row.points]
        at = [] if row.level else [scale.position(budget) for budget in row.budgets]
        if row.level:
            shares += heights
        elif at[0] <= place <= at[-1]:
            after = next(n for n, x in enumerate(at) if x >= place)
            before = max(after - 1, 0)
            part = (place - at[before]) / (at[after] - at[before]) if after else 0.0
            shares.append(heights[before] + part * (heights[after] - heights[before]))
    return shares


#: Sides of the rule at the budget; places between which a number may take either side.
SIDES, FREE_SIDES = ("left", "right"), (0.25, 0.75)
#: Share of a plot's width up to which names of levels reach on a phone, and a number after them.
LEVEL_NAMES_END = 0.65
#: Share of a plot's width past which numbers are left of the line by default: there they have
#: space even on a phone, and lines that rise leave it free.
SIDE_SWITCH = 0.55
#: Shares of a plot's width, from the rule, at which a number may cover a line: the last ones only
#: on phones.
NUMBER_X = (0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.09, 0.105, 0.12, 0.135, 0.15)
#: Share of a plot's height from one number to the next.
NUMBER_GAP = NAME_HEIGHT / MIN_PLOT_HEIGHT
#: Share of a plot's height above which no number is, under the budget's own.
MAX_NUMBER_HEIGHT = 0.95
#: Heights at which a number may be, in gaps from its ring, and the cost of a gap: as of a line
#: across so much of the number.
SHIFTS, SHIFT_COST = (0, 1, -1, 1.5, -1.5, 2, -2), 0.4
#: Share of a plot's height between rings, which may overlap by half; share of its width of a
#: leader.
RING_GAP, LEADER = 8 / MIN_PLOT_HEIGHT, 0.015
#: Clear of a ring.
RING_SPACE = "\u2007\u2007"
#: Clear of the way to a name and the bar before it.
NAME_SPACE = "\u2007" * 7


def _row_label(row: Row, precise: bool = True) -> str:
    """A line's name; a level has its number, the others have theirs at the budget.

    Args:
        precise: name the spread of a level.
    """
    if not row.level:
        return f"<b>{row.title}</b>" if row.role == "lead" else row.title
    spread_text = brackets(row.points[0]) if precise else ""
    return f"{row.title} <b>{percent(row.points[0])}</b> {spread_text}".rstrip()


def label_width(rows: Sequence[Row], waiting: Sequence[str], precise: bool = True) -> int:
    """Pixels beside the plot for the longest name."""
    labels = [_row_label(row, precise) for row in rows]
    return names_width([*labels, *(f"{title} …  " for title in waiting)])


#: Shares of a plot's height that a level's name takes beside its line, and from one name to the
#: next; share of its width that a letter takes on a phone, and places at which no other line may be
#: where a name reaches them.
LEVEL_NAME_SHARE, LEVEL_TEXT_SHARE = 16 / MIN_PLOT_HEIGHT, 18 / MIN_PLOT_HEIGHT
LEVEL_LETTER = 0.02
LEVEL_NAME_X = {"left": (0.0, 0.1, 0.2, 0.3, 0.4, 0.5), "right": (0.65, 0.7, 0.8, 0.9, 1.0)}
#: Corners of a name on its line, the first one that is free; place of each side; most levels named.
LEVEL_CORNERS = ("left bottom", "left top", "right bottom", "right top")
LEVEL_CORNERS_BELOW = ("left top", "left bottom", "right top", "right bottom")
LEVEL_NOTE_X = {"left": 0.012, "right": 0.988}
MAX_LEVEL_NAMES = 5
#: Name of the notes of levels, which a narrow exported page keeps.
LEVEL_NOTE = "level"


def free_levels(rows: Sequence[Row], scale: Scale) -> dict[str, str]:
    """Return the levels that have room for their name at an end of the plot, by title, each with
    the corner of the name that is on the line.

    Of all ways to place them the first that names most levels, above their line before below.
    """
    levels = [row for row in rows if row.level and row.points[0].is_measured]
    heights = [scale.share(row.points[0].mean) for row in levels]
    swept = [row for row in rows if not row.level and row.points]
    crossing = {
        (place, side): [
            height
            for x in places
            if (x if side == "left" else 1 - x) <= LEVEL_LETTER * len(row.title + " 100%")
            for height in _shares_at(swept, scale, x)
        ]
        for place, row in enumerate(levels)
        for side, places in LEVEL_NAME_X.items()
    }

    def lower_end(place: int, corner: str) -> float:
        return heights[place] - LEVEL_NAME_SHARE * corner.endswith("top")

    def is_free(place: int, corner: str) -> bool:
        low = lower_end(place, corner)
        lines = heights[:place] + heights[place + 1 :] + crossing[place, corner.split()[0]]
        is_inside = low >= 0 and low + LEVEL_NAME_SHARE <= 1 + LEVEL_NAME_SHARE / 2
        return is_inside and not any(low <= line < low + LEVEL_NAME_SHARE for line in lines)

    def clash(first: tuple[int, str], second: tuple[int, str]) -> bool:
        same_side = first[1].split()[0] == second[1].split()[0]
        return same_side and abs(lower_end(*first) - lower_end(*second)) < LEVEL_TEXT_SHARE

    found: list[tuple[int, str]] = []
    # lines lie above guessing, so its name is below it
    corners = {GUESSING: LEVEL_CORNERS_BELOW}
    choices = [
        [(place, c) for c in corners.get(row.style, LEVEL_CORNERS) if is_free(place, c)]
        for place, row in enumerate(levels[:MAX_LEVEL_NAMES])
    ]
    for way in product(*([*options, None] for options in choices)):
        kept = [name for name in way if name is not None]
        pairs = itertools.combinations(kept, 2)
        if len(kept) > len(found) and not any(clash(*pair) for pair in pairs):
            found = kept
    return {levels[place].title: corner for place, corner in found}


def level_notes(rows: Sequence[Row], corners: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return a note on the line of each level in ``corners``: its name and number."""
    style = {"xref": "paper", "opacity": 0.75, "font": {"size": SMALL_FONT}, "borderpad": 0}
    return [
        note(
            _row_label(row, False),
            LEVEL_NOTE_X[corners[row.title].split()[0]],
            row.points[0].mean,
            corners[row.title],
        )
        | {"name": LEVEL_NOTE}
        | style
        for row in rows
        if row.title in corners
    ]


def names_width(names: Iterable[str]) -> int:
    """Pixels beside the plot for the longest of some names."""
    longest = max((len(re.sub(r"</?b>", "", name)) for name in names), default=0)
    return min(MAX_NAME_WIDTH, NAME_GAP + round(LETTER_WIDTH * longest))


# ------------------------------------------------------------------------------------------- layout


class BudgetChart(Protocol):
    """What a chart over the budget says of itself."""

    @property
    def budget(self) -> Budget | None:
        """A budget with the axis and delta of all; None where all are epsilon without a delta."""

    @property
    def waiting(self) -> tuple[str, ...]:
        """Names of lines still to come."""

    @property
    def budgets(self) -> tuple[float, ...]:
        """Budgets with a frame."""


@dataclass(frozen=True)
class Plot:
    """Pixels of the plot itself, what ``make_axis`` takes for its upright axis, what stands before
    the budget, and where the plot ends below and above.
    """

    height: int
    y: dict[str, Any]
    head: str = ""
    floor: float = 0.0
    top: float = 1.0
    #: Whether δ is named, above the cursor and below the budget axis.
    precise: bool = True
    #: Title of the level from which the area to the lead is filled.
    level: str = ""
    #: Public examples per class that the lead is compared with, 0 if not named, None where it is
    #: compared with all public images.
    shots: int | None = 0

    @property
    def names_levels_inside(self) -> bool:
        """Whether levels are named on their line, without intervals, where there is room."""
        return not self.precise and self.y.get("type") != "log"

    def text_at(self, budget: float, chart: BudgetChart) -> str:
        """A budget of the chart in words."""
        if chart.budget is None or (chart.budget.axis == "approx" and not self.precise):
            return f"{self.head}ε = {number(budget)}"
        return self.head + budget_text(chart.budget.with_value(budget))


def budget_figure(
    chart: BudgetChart, rows: Sequence[Row], current: float, plot: Plot
) -> StaticFigure:
    """Lines with their names, and a frame for every budget that all of them have."""
    scale = Scale(*budget_range(rows, current), plot.floor, plot.top, plot.y.get("type") == "log")
    inside = free_levels(rows, scale) if plot.names_levels_inside else {}
    beside = [row for row in rows if row.title not in inside]
    names = [
        EndName(_row_label(row, plot.precise), row.style.colour, scale.share(_height(row, scale)))
        for row in beside
    ]
    shares = place_names(names, len(chart.waiting))
    axis = chart.budget.axis if chart.budget else "approx"
    lines = line_traces(rows, axis, current, plot.floor, plot.top)
    lines = [*_areas(rows, scale, plot), *lines, *_marks_off_scale(rows, scale)]
    keys = marker_keys(rows, plot.precise, plot.shots)
    lines += keys
    labels = name_labels(names, shares[: len(beside)])
    fixed = [*lines, labels]

    def move(budget: float) -> list[dict[str, Any]]:
        moved = moving_traces(rows, scale, budget, plot.text_at(budget, chart))
        return with_place(moved, budgets.index(budget)) if budget in budgets else moved

    budgets = chart.budgets
    moved = move(current)
    # the names are in every frame: Plotly removes the words of a subplot that a frame leaves out
    places = [*range(len(fixed), len(fixed) + len(moved)), len(lines)]
    layout = _layout(chart, beside, scale, plot)
    layout["annotations"] = _coming(chart.waiting, shares[len(beside) :]) + level_notes(
        rows, inside
    )
    layout["shapes"] = connectors(names, shares[: len(beside)])
    if keys:
        layout["margin"] = layout["margin"] | {"b": FOOT_HEIGHT + KEY_HEIGHT * len(keys)}
        layout["height"] += KEY_HEIGHT * len(keys)
        layout["meta"] = layout["meta"] | {
            "narrow_height": KEYED_NARROW_HEIGHT + KEY_HEIGHT * len(keys)
        }
        layout |= {"showlegend": True, "legend": LEGEND_BELOW | KEY_LEGEND}
    at_name = {line["name"]: i for i, line in enumerate(lines) if "name" in line}
    layout["meta"]["lines"] = [at_name[row.title] for row in beside]
    layout["meta"]["numbers"] = [rows.index(row) for row in beside]
    return static_figure(
        fixed + moved,
        layout,
        budget_frames(budgets, lambda budget: [*move(budget), labels], places),
    )


def _areas(rows: Sequence[Row], scale: Scale, plot: Plot) -> list[dict[str, Any]]:
    """Areas from the lead to the level of the plot."""
    lead = next((row for row in rows if row.role == "lead" and not row.level), None)
    level = next((row for row in rows if row.level and row.title == plot.level), None)
    if lead is None or level is None or not level.points[0].is_measured:
        return []
    return areas_between(lead, level, scale, (RIGHT, WRONG))


#: Pixels above the plot, for the budget, and below it, for ticks and title.
HEAD_HEIGHT, FOOT_HEIGHT = 26, 50
#: Pixels of a row of the legend of markers, one per marker on a narrow page, and of the chart
#: without them there; its look.
KEY_HEIGHT, KEYED_NARROW_HEIGHT = 20, 275
KEY_LEGEND = {"font": {"size": SMALL_FONT}, "itemclick": False, "itemdoubleclick": False}
#: Pixels from the axis to its title, clear of ticks beside it.
BUDGET_TITLE_GAP = 18


def _layout(chart: BudgetChart, rows: Sequence[Row], scale: Scale, plot: Plot) -> dict[str, Any]:
    """The budget on a log axis, with room for the names beside it."""
    ticks = ticks_of(scale.low, scale.high)
    x: dict[str, Any] = {"type": "log", "range": [math.log10(scale.start), math.log10(scale.edge)]}
    x |= {"tickvals": ticks, "ticktext": [number(b) for b in ticks]} | WITHIN_MARGINS
    axis, delta = (chart.budget.axis, chart.budget.delta) if chart.budget else ("pure", 0.0)
    title = budget_axis_title(axis, delta, plot.precise)
    name_width = label_width(rows, chart.waiting, plot.precise)
    margin = MARGINS | {"r": name_width, "t": HEAD_HEIGHT, "b": FOOT_HEIGHT}
    return base_layout(HEAD_HEIGHT + plot.height + FOOT_HEIGHT, margin) | {
        "showlegend": False,
        "meta": {"named": True, "room": name_width, "moving": MOVING_TRACES, "part": 1},
        "xaxis": make_axis(title, BUDGET_TITLE_GAP, **x),
        "yaxis": make_axis(**{"tickformat": ".0%"} | plot.y | WITHIN_MARGINS),
        "xaxis2": OVERLAY_X,
        "yaxis2": OVERLAY_Y,
    }


def _coming(titles: Sequence[str], places: Sequence[float]) -> list[dict[str, Any]]:
    """The name of each line still to come."""
    side = {"x": 1, "xref": "paper", "yref": "paper", "xanchor": "left", "opacity": 0.75}
    rows = zip(titles, places, strict=True)
    return [side | {"y": place, "yanchor": "middle", "text": f"{t} …"} for t, place in rows]


def ticks_of(low: float, high: float) -> list[float]:
    """Powers of ten inside the span, or multiples of ten; with the ends of it where few fit."""
    powers = [10.0**k for k in range(-12, 13) if low * 0.999 <= 10.0**k <= high * 1.001]
    if len(powers) > 1:
        return powers
    tens = [10.0 * k for k in range(1, 10) if low <= 10 * k <= high]
    return tens if len(tens) > 2 else sorted({low, *powers, high})
