"""Privacy losses of records and of people: sorted, as a histogram, by class, and by images per
person.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.plots.kit.drawing import (
    LEGEND_BELOW,
    MARGINS,
    MAX_NAMED_CLASSES,
    SIDE_TITLE_GAP,
    TITLE_GAP,
    WITHIN_MARGINS,
    bar_trace,
    category_axis,
    class_axis,
    class_order,
    horizontal_line,
    hover,
    make_axis,
    make_figure,
    membership,
    minority_bands,
    names_with_counts,
    note,
    padded_range,
    scatter,
    select,
    shaded_span,
    share_axis,
    stroke,
    vertical_line,
    whiskers,
)
from dpviz.plots.kit.style import ACCENT, FONT, GREY, line_style, rgba
from dpviz.text.charts import ALTS, AXES, LABELS
from dpviz.text.template import render_text

#: Most points of a sorted curve.
MAX_POINTS = 300
LOSS_BINS = 40
#: Bars this many times as high as the highest of the other histogram are cut, and labelled.
MAX_HEIGHT_RATIO = 3
#: Whose losses they are, one and many.
PLURALS = {"record": "records", "person": "people"}


@dataclass(frozen=True, eq=False)
class Losses:
    """One method's losses, in two groups of records or of people.

    Attributes:
        method, title: key and name; symbol: of the scale; claim: what everyone is promised.
        groups: names of the two groups, the one looked at first; the second may be empty.
        shares: (k,) in [0, 1], the dearest first; sorted: a group's losses at these shares.
        edges: (LOSS_BINS + 1,) from 0 to the claim; counts: of a group in each bar; sizes: of the
            groups.
        unit: a key of PLURALS.
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
    unit: str = "record"

    @classmethod
    def from_values(
        cls,
        method: str,
        title: str,
        symbol: str,
        values: np.ndarray,
        claim: float,
        groups: Mapping[str, np.ndarray],
        unit: str = "record",
    ) -> Losses:
        """The data of both charts.

        Args:
            values: (n,) losses, at most ``claim``; groups: name to (n,) bool, two of them; who: a
            key
                of PLURALS.
        """
        (first, chosen), (second, rest) = groups.items()
        chosen_losses, other_values = values[chosen], values[rest]
        edges = np.linspace(0.0, claim, LOSS_BINS + 1)
        (shares, losses), (other_shares, other_losses) = (
            _sorted_losses(chosen_losses),
            _sorted_losses(other_values),
        )
        return cls(
            method=method,
            title=escape(title),
            symbol=symbol,
            claim=claim,
            groups=(escape(first), escape(second)),
            shares=(shares, other_shares),
            sorted=(losses, other_losses),
            edges=edges,
            counts=(_loss_counts(chosen_losses, edges), _loss_counts(other_values, edges)),
            sizes=(len(chosen_losses), len(other_values)),
            unit=unit,
        )

    def histogram_alt(self) -> str:
        """The histogram in words."""
        return render_text(
            ALTS["loss_histogram"],
            symbol=self.symbol,
            unit=self.unit,
            method=self.title,
            first=self.groups[0],
            second=self.groups[1],
        )

    def histogram(self, chosen: tuple[float, float], ends: tuple[float, float]) -> go.Figure:
        """Back to back: the group looked at upwards, the other downwards, each as shares of itself.

        Args:
            chosen: shares of the claim that are selected, shaded; ends: of both axes, from
            ``ends``.
        """
        widest, top = ends
        low = -top if self.sizes[1] else 0
        ticks = sorted({low, 0, top})
        y = {"range": [1.25 * low, 1.25 * top], "zeroline": True, "zerolinecolor": GREY}
        y |= {"tickvals": ticks, "ticktext": [f"{100 * abs(t):.0f}%" for t in ticks]}
        x = WITHIN_MARGINS | {"range": [0, 1.03 * widest]}
        low_end, high_end = (share * self.claim for share in chosen)
        band = [] if chosen == (0.0, 1.0) else [shaded_span(low_end, high_end, 0.16)]
        return make_figure(
            [self._bars(0, line_style(self.method).colour), self._bars(1, GREY)],
            300,
            MARGINS | {"l": 44, "t": 24},
            barmode="overlay",
            bargap=0.06,
            showlegend=False,
            clickmode="event+select",
            xaxis=make_axis(self._axis_title(), TITLE_GAP, grid=False, **x),
            yaxis=make_axis(**y | WITHIN_MARGINS),
            shapes=[vertical_line(self.claim), *band],
            annotations=self._heads(top) + self._cut(ends),
        )

    def _axis_title(self) -> str:
        return render_text(AXES["image_loss"], symbol=self.symbol, unit=self.unit)

    def curves(self) -> list[dict[str, Any]]:
        """The group looked at drawn strongly, the other thin and pale."""
        style = line_style(self.method)
        lines = (
            stroke(rgba(style.colour, 1), 3, style.dash),
            stroke(rgba(style.colour, 0.75), 1.6, "dot"),
        )
        text = f"%{{x:.0%}}: {self.symbol} ≥ %{{y:.3g}}"
        return [
            scatter(
                self.shares[i],
                self.sorted[i],
                name=f"{self.title}, {group} ({self.sizes[i]:,})",
                line=lines[i],
                **hover(text, f"{self.title}, {group}"),
            )
            for i, group in enumerate(self.groups)
            if self.sizes[i]
        ]

    def _heads(self, top: float) -> list[dict[str, Any]]:
        """Who stands upwards and who downwards."""
        (upper, lower), (upper_size, lower_size) = self.groups, self.sizes
        heads = [
            note(
                f"{upper}, {upper_size:,} {PLURALS[self.unit]}",
                0.01,
                1.25 * top,
                "left top",
                xref="paper",
            )
        ]
        foot = note(f"{lower}, {lower_size:,}", 0.01, -1.25 * top, "left bottom", xref="paper")
        return [*heads, foot] if lower_size else heads

    def _cut(self, ends: tuple[float, float]) -> list[dict[str, Any]]:
        """The true height beside each bar that is cut."""
        labels = []
        for i, (counts, size) in enumerate(zip(self.counts, self.sizes, strict=True)):
            y = (1 - 2 * i) * 0.8 * ends[1]
            for place in np.flatnonzero(counts > 1.25 * ends[1] * max(1, size)):
                x = float(self.edges[place] + self.edges[place + 1]) / 2
                side, shift = ("right", -6) if x > ends[0] / 2 else ("left", 6)
                text = f"cut off: {100 * counts[place] / size:.0f}%"
                labels.append({"text": text, "x": x, "y": y, "xanchor": side, "xshift": shift})
        return labels

    def _bars(self, i: int, colour: str) -> dict[str, Any]:
        """A group as shares of itself: the first upwards, the second downwards."""
        middles, width = (self.edges[1:] + self.edges[:-1]) / 2, self.edges[1] - self.edges[0]
        heights = (1 - 2 * i) * self.counts[i] / max(1, self.sizes[i])
        text = f"{self.symbol} ≈ %{{x:.3g}}: %{{customdata:,}} {PLURALS[self.unit]}"
        return bar_trace(
            middles,
            heights,
            width=0.94 * width,
            name=self.groups[i],
            customdata=self.counts[i],
            marker={"color": colour, "line": {"width": 0}},
            selected={"marker": {"opacity": 1}},
            unselected={"marker": {"opacity": 1}},
            **hover(text, self.groups[i]),
        )


def _loss_counts(part: np.ndarray, edges: np.ndarray) -> np.ndarray:
    place = np.clip(np.searchsorted(edges, part, side="right") - 1, 0, LOSS_BINS - 1)
    return np.bincount(place, minlength=LOSS_BINS)


def _sorted_losses(part: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Shares of the group and their losses, the dearest first; all of them, or MAX_POINTS."""
    if not len(part):
        return np.empty(0), np.empty(0)
    falling = np.sort(part)[::-1]
    places = np.unique(
        np.linspace(0, len(falling) - 1, min(MAX_POINTS, len(falling))).round().astype(int)
    )
    return (places + 0.5) / len(falling), falling[places]


@dataclass(frozen=True, eq=False)
class SortedLosses:
    """Losses of the records of each method, sorted."""

    methods: tuple[Losses, ...]

    def alt(self) -> str:
        """The sorted curves in words."""
        names, first = " and ".join(each.title for each in self.methods), self.methods[0]
        return render_text(ALTS["losses"], symbol=first.symbol, unit=first.unit, names=names)

    def figure(self) -> go.Figure:
        """Sorted curves of all methods under the line of what everyone is promised."""
        first, claims = self.methods[0], self._claims()
        top = max(each.claim for each in self.methods)
        place = {"xref": "paper", "font": {"size": FONT - 1}}
        x_title = render_text(AXES["losses_sorted"], units=PLURALS[first.unit])
        y_title = render_text(AXES["loss"], symbol=first.symbol, unit=first.unit)
        y = WITHIN_MARGINS | {"range": [0, 1.08 * top]}
        return make_figure(
            [trace for each in self.methods for trace in each.curves()],
            400,
            MARGINS | {"r": 26, "t": 30},
            xaxis=share_axis(x_title, TITLE_GAP, **WITHIN_MARGINS),
            yaxis=make_axis(y_title, SIDE_TITLE_GAP, **y),
            legend={"y": -0.2},
            shapes=[
                horizontal_line(y, colour, 2, "") | {"layer": "below"} for y, _, colour in claims
            ],
            annotations=[note(words, 1, y, "right bottom", **place) for y, words, _ in claims],
        )

    def _claims(self) -> list[tuple[float, str, str]]:
        """Value, words and colour of each promise; equal ones are drawn once."""
        symbol, values = self.methods[0].symbol, [each.claim for each in self.methods]
        if max(values) - min(values) <= 1e-6 * max(values):
            words = render_text(LABELS["claim_of_all"], symbol=symbol, epsilon=values[0])
            return [(values[0], words, ACCENT)]
        return [
            (
                each.claim,
                render_text(
                    LABELS["claim_of"], method=each.title, symbol=symbol, epsilon=each.claim
                ),
                line_style(each.method).colour,
            )
            for each in self.methods
        ]


def histogram_ends(charts: Sequence[Losses]) -> tuple[float, float]:
    """Where the shared axes of several histograms end: the dearest promise, and a height that
    leaves none of them flat.
    """
    highest = [
        max(counts.max() / max(1, size) for counts, size in zip(c.counts, c.sizes, strict=True))
        for c in charts
    ]
    top = max(0.05, min(max(highest), MAX_HEIGHT_RATIO * min(highest)))
    tick = math.ceil(20 * top - 1e-9) / 20  # one that people count in
    return max(chart.claim for chart in charts), tick


CLASS_SHIFT = 0.17


@dataclass(frozen=True)
class LossSpread:
    """One method: key, name, promise, and for each drawn class its 5, 25, 50, 75 and 95%
    quantiles.
    """

    method: str
    title: str
    claim: float
    quantiles: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class ClassLoss:
    """Classes from the largest: name, records or people, whether of the minority; spreads: a method
    each; unit: a key of ``PLURALS``.
    """

    symbol: str
    names: tuple[str, ...]
    counts: tuple[int, ...]
    minority: tuple[bool, ...]
    spreads: tuple[LossSpread, ...]
    unit: str = "record"

    @classmethod
    def from_quantiles(
        cls,
        symbol: str,
        names: Sequence[str],
        counts: Sequence[int],
        minority: Sequence[int],
        methods: Sequence[tuple[str, str, float, np.ndarray]],
        unit: str = "record",
    ) -> ClassLoss:
        """The chart's data.

        Args:
            minority: the classes of the minority; methods: key, name, promise and quantiles (C, 5)
            of
                each method; who: whose losses they are.
        """
        places = class_order(counts)
        spreads = tuple(
            LossSpread(key, title, claim, tuple(tuple(map(float, q[c])) for c in places))
            for key, title, claim, q in methods
        )
        return cls(
            symbol,
            select(names, places),
            select(counts, places),
            membership(minority, places),
            spreads,
            unit,
        )

    def alt(self) -> str:
        names, units = " and ".join(spread.title for spread in self.spreads), PLURALS[self.unit]
        return render_text(ALTS["class_loss"], symbol=self.symbol, names=names, units=units)

    def figure(self) -> go.Figure:
        """Two bars a class and method, the median as a marker; the minority shaded."""
        is_shifted = len(self.spreads) > 1
        claims = {s.claim for s in self.spreads}
        names, title = [escape(n) for n in self.names], {}
        if len(names) <= MAX_NAMED_CLASSES:
            names = names_with_counts(names, self.counts)
            title = make_axis(
                render_text(AXES["class_units"], units=PLURALS[self.unit]), TITLE_GAP, grid=False
            )
        return make_figure(
            [
                trace
                for i, s in enumerate(self.spreads)
                for trace in _spread_traces(
                    self.symbol, s, CLASS_SHIFT * (2 * i - 1) if is_shifted else 0.0
                )
            ],
            370,
            {"t": 12},
            xaxis=class_axis(names, **padded_range(len(names), 0.6) | title),
            yaxis=make_axis(
                render_text(AXES["image_loss"], symbol=self.symbol, unit=self.unit),
                range=[0, 1.08 * max(claims)],
            ),
            legend=LEGEND_BELOW,
            shapes=minority_bands(self.minority)
            + [horizontal_line(v, ACCENT, 2, "") | {"layer": "below"} for v in claims],
        )


def _spread_traces(symbol: str, spread: LossSpread, shift: float) -> list[dict[str, Any]]:
    style, q = line_style(spread.method), np.array(spread.quantiles)
    x = [c + shift for c in range(len(q))]
    marker = {"symbol": style.marker, "size": 9, "color": style.colour}
    marker["line"] = stroke("white", 1)
    text = "median %{y:.3g} (50%: %{customdata[1]:.3g} to %{customdata[3]:.3g})"
    dots = scatter(x, q[:, 2], "markers", marker=marker, name=spread.title, customdata=q)
    bars = [bar | {"showlegend": False} for bar in whiskers(x, q, rgba(style.colour, 0.7))]
    return [*bars, dots | hover(f"{symbol} {text}", spread.title)]


IMAGE_SHIFT = 0.15
#: Losses are drawn from this part of the promise on.
MIN_LOSS_SHARE = 1e-3
MEASURES = {"spent": AXES["person_loss"], "right": AXES["person_right"]}


@dataclass(frozen=True)
class GuaranteeLine:
    """One promise: its words, and for each group of people the 5, 25, 50, 75 and 95% quantiles of
    their losses and the mean share of their pictures that is right.
    """

    words: str
    quantiles: tuple[tuple[float, ...], ...]
    right: tuple[float, ...]


@dataclass(frozen=True)
class LossByImages:
    """Groups of people by the number of pictures they sent.

    Attributes:
        measure: a key of MEASURES; method: key; claim: epsilon that is promised, to whom each
            promise is; names, people: of the groups; guarantees: to each picture, then to each
            person.
    """

    measure: str
    method: str
    claim: float
    names: tuple[str, ...]
    people: tuple[int, ...]
    guarantees: tuple[GuaranteeLine, ...]

    @classmethod
    def from_groups(
        cls,
        measure: str,
        method: str,
        claim: float,
        groups: Sequence[tuple[str, int]],
        guarantees: Sequence[GuaranteeLine],
    ) -> LossByImages:
        """The chart's data; ``groups``: names and numbers of people."""
        names, people = zip(*groups, strict=True)
        return cls(measure, method, claim, names, people, tuple(guarantees))

    def alt(self) -> str:
        measure = LABELS[f"measure_{self.measure}"]
        names = " and ".join(guarantee.words for guarantee in self.guarantees)
        return render_text(ALTS["images_of_person"], measure=measure, names=names)

    def figure(self) -> go.Figure:
        """A mark a group and guarantee: the median and the spread of losses, or the mean share
        right.
        """
        names = zip(self.names, self.people, strict=True)
        ticks = category_axis([f"{escape(n)}<br>{k:,}" for n, k in names]) | {"tickangle": 0}
        ticks |= padded_range(len(self.names), 0.6)
        spent = self.measure == "spent"
        colours = GREY, line_style(self.method).colour
        traces = [
            trace
            for guarantee, shift, colour in zip(
                self.guarantees, (-IMAGE_SHIFT, IMAGE_SHIFT), colours, strict=True
            )
            for trace in self._traces(guarantee, shift, colour, spent)
        ]
        return make_figure(
            traces,
            360,
            {"t": 16},
            xaxis=make_axis(AXES["images_of_people"], TITLE_GAP, grid=False, **ticks),
            yaxis=self._losses() if spent else share_axis(MEASURES["right"]),
            legend={"y": -0.34},
            shapes=[horizontal_line(self.claim, ACCENT, 2, "") | {"layer": "below"}]
            if spent
            else [],
            annotations=[self._claim_note()] if spent else [],
        )

    def _losses(self) -> dict[str, Any]:
        """A logarithmic axis that all losses and the promise lie on."""
        values = [v for guarantee in self.guarantees for row in guarantee.quantiles for v in row]
        low = max(MIN_LOSS_SHARE * self.claim, min(*values, self.claim), MIN_LOSS)
        high = max(*values, self.claim, 10 * MIN_LOSS)
        ends = [math.log10(low) - 0.15, math.log10(high) + 0.25]
        return make_axis(MEASURES["spent"], type="log", range=ends, dtick=1, exponentformat="none")

    def _claim_note(self) -> dict[str, Any]:
        words = render_text(LABELS["claim_of_person"], epsilon=self.claim)
        place = {"xref": "paper", "showarrow": False, "font": {"size": FONT - 1}}
        return note(words, 1, math.log10(max(self.claim, MIN_LOSS)), "right bottom", **place)

    def _traces(
        self, guarantee: GuaranteeLine, shift: float, colour: str, spent: bool
    ) -> list[dict[str, Any]]:
        x = [place + shift for place in range(len(self.names))]
        marker = {"size": 9, "color": colour, "line": stroke("white", 1)}
        name = render_text(LABELS["guarantee"], words=guarantee.words)
        if not spent:
            line = scatter(x, guarantee.right, "lines+markers", name=name, marker=marker)
            line["line"] = stroke(colour, 2)
            return [line | hover("%{y:.0%} correct", name)]
        q = np.maximum(np.array(guarantee.quantiles), MIN_LOSS_SHARE * self.claim)
        dots = scatter(x, q[:, 2], "markers", marker=marker, name=name, customdata=q)
        text = "median %{y:.3g} (50%: %{customdata[1]:.3g} to %{customdata[3]:.3g})"
        bars = [bar | {"showlegend": False} for bar in whiskers(x, q, rgba(colour, 0.7))]
        return [*bars, dots | hover(f"ε′ {text}", name)]


#: Of the axis: ε is 0 where δ alone covers a best guess near 50 %.
MIN_LOSS = 1e-6
