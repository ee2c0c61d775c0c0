"""Sizes, accuracies and errors of each class, largest first."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.caches import cached
from dpviz.formatting import number, percent, spread
from dpviz.plots.kit.drawing import (
    LEGEND_BELOW,
    MARGINS,
    MAX_NAMED_CLASSES,
    REFERENCE_FONT,
    SIDE_TITLE_GAP,
    SILENT,
    TITLE_GAP,
    WITHIN_MARGINS,
    bar_trace,
    base_layout,
    category_axis,
    class_axis,
    class_order,
    hover,
    line_and_marker,
    make_axis,
    make_figure,
    membership,
    minority_bands,
    names_with_counts,
    note,
    padded_range,
    scatter,
    select,
    share_axis,
    static_figure,
    stroke,
    vertical_line,
    visible_minority,
)
from dpviz.plots.kit.style import ACCENT, GREY, SHADE_DASHES, line_style, rgba
from dpviz.stats import Interval, accuracy
from dpviz.text.charts import ALTS, AXES, LABELS
from dpviz.text.template import render_text
from dpviz.types import Result

#: Size of the numbers above the bars, which stay apart in a narrow chart.
COUNT_FONT = 9


@dataclass(frozen=True)
class ClassSizes:
    """Bars in drawing order: name, records, whether the class counts as minority."""

    names: tuple[str, ...]
    counts: tuple[int, ...]
    minority: tuple[bool, ...]

    @classmethod
    def from_counts(
        cls, counts: Sequence[int], minority: Sequence[int], names: Sequence[str]
    ) -> ClassSizes:
        """The chart's data; ``counts`` and ``names`` have one entry a class, ``minority`` lists
        classes, of which none is one where all are as large.
        """
        ranked = class_order(counts)
        return cls(
            select(names, ranked),
            select(counts, ranked),
            membership(visible_minority(minority, counts), ranked),
        )

    def alt(self) -> str:
        words = render_text(ALTS["class_sizes"], high=max(self.counts), low=min(self.counts))
        marked = zip(self.names, self.minority, strict=True)
        rare = ", ".join(name for name, small in marked if small)
        return f"{words} {render_text(ALTS['class_sizes_rare'], names=rare)}" if rare else words

    @cached(64)
    def figure(self) -> go.Figure:
        """One bar a class; the minority in the accent colour with a hatch."""
        names = [escape(name) for name in self.names]
        hatches = ["/" * small for small in self.minority]
        colours = [ACCENT if small else GREY for small in self.minority]
        pattern = {"shape": hatches, "size": 6, "solidity": 0.35}
        marked = zip(names, self.minority, strict=True)
        bars = bar_trace(
            list(range(len(names))),
            list(self.counts),
            marker={"color": colours, "line": {"width": 0}, "pattern": pattern},
            customdata=[f"{n} (rare)" if small else n for n, small in marked],
            **hover("class %{customdata}: %{y} images"),
        )
        if len(names) <= MAX_NAMED_CLASSES:
            bars |= {"text": list(self.counts), "textposition": "outside", "cliponaxis": False}
            bars |= {"textfont": {"size": COUNT_FONT}}
        layout = base_layout(270, {"t": 22}) | {
            "bargap": 0.25,
            "uniformtext": {"mode": "show", "minsize": COUNT_FONT},
            "xaxis": class_axis(names),
            "yaxis": make_axis(AXES["images"], rangemode="tozero", zeroline=True),
        }
        return static_figure([bars], layout)


@dataclass(frozen=True)
class SizesByRatio:
    """A line a ratio: its records a class from the largest, one entry a class; ``current``: the
    ratio looked at.
    """

    ratios: tuple[float, ...]
    sizes: tuple[tuple[int, ...], ...]
    current: float

    @property
    def minority(self) -> int:
        """How many of the last classes count as minority."""
        return math.ceil(len(self.sizes[0]) / 4)

    @classmethod
    def from_counts(cls, counts: Mapping[float, Sequence[int]], current: float) -> SizesByRatio:
        """The chart's data; ``counts``: records of each class, in any order, by imbalance ratio."""
        ratios = tuple(sorted(counts))
        return cls(ratios, tuple(tuple(sorted(counts[r], reverse=True)) for r in ratios), current)

    def alt(self) -> str:
        sizes = "; ".join(
            f"{max(sizes)} to {min(sizes)} at IR {number(ratio)}"
            for ratio, sizes in zip(self.ratios, self.sizes, strict=True)
        )
        return render_text(ALTS["sizes"], sizes=sizes)

    @cached(16)
    def figure(self) -> go.Figure:
        """One line a ratio, that looked at in the accent colour; right of the dotted line the
        minority.
        """
        count = len(self.sizes[0])
        places = list(range(1, count + 1))
        lines = []
        for i, (ratio, sizes) in enumerate(zip(self.ratios, self.sizes, strict=True)):
            is_current = ratio == self.current
            pen = stroke(
                ACCENT if is_current else GREY,
                3 if is_current else 1.8,
                SHADE_DASHES[i % len(SHADE_DASHES)],
            )
            name = f"IR {number(ratio)}"
            hover_box = hover(f"{name}, class %{{x}}: %{{y}} images")
            lines.append(scatter(places, list(sizes), name=name, line=pen, **hover_box))
        top = max(map(max, self.sizes))
        start = count - self.minority + 0.5
        words = note(LABELS["rare_right"], start, 1, "left top", yref="paper", font=REFERENCE_FONT)
        return make_figure(
            lines,
            290,
            MARGINS | {"t": 12, "b": 76},
            xaxis=make_axis(AXES["class"], TITLE_GAP, range=[0.5, count + 0.5]),
            yaxis=make_axis(AXES["images"], range=[0, 1.15 * top]),
            shapes=[vertical_line(start, 1.4, "dot", GREY)],
            annotations=[words],
            legend=LEGEND_BELOW,
        )


#: Pixels from axis to title: nearer, it may stand between two names, where it covers none.
PERSON_TITLE_GAP = 20
#: First number of records of each bar.
BAR_STARTS = (1, 2, 3, 6, 21, 101, 1001)


@dataclass(frozen=True)
class PersonSizes:
    """Bars in drawing order.

    Attributes:
        names: the numbers of records that each stands for; persons: who sent so many; records: that
            they sent together.
    """

    names: tuple[str, ...]
    persons: tuple[int, ...]
    records: tuple[int, ...]

    @classmethod
    def from_counts(cls, sent: Sequence[int]) -> PersonSizes:
        """The chart's data from the records of each person."""
        highest = max(sent)
        starts = [start for start in BAR_STARTS if start <= highest]
        ends = [*(start - 1 for start in starts[1:]), highest]
        bars = list(zip(starts, ends, strict=True))
        within = [[n for n in sent if low <= n <= high] for low, high in bars]
        return cls(
            tuple(f"{low:,}" if low == high else f"{low:,}–{high:,}" for low, high in bars),
            tuple(map(len, within)),
            tuple(map(sum, within)),
        )

    def alt(self) -> str:
        pairs = zip(self.names, self.persons, strict=True)
        bars = "; ".join(f"{persons} with {name}" for name, persons in pairs if persons)
        return render_text(ALTS["images_by_person"], bars=bars)

    def table(self) -> list[dict[str, Any]]:
        rows = zip(self.names, self.persons, self.records, strict=True)
        return [{"records per person": name, "persons": p, "records": r} for name, p, r in rows]

    @cached(16)
    def figure(self) -> go.Figure:
        """One bar for each range of numbers of records."""
        total = sum(self.records)
        bars = bar_trace(
            list(range(len(self.names))),
            list(self.persons),
            text=list(self.persons),
            textposition="outside",
            cliponaxis=False,
            marker={"color": ACCENT, "line": {"width": 0}},
            customdata=[
                f"{name} images: {persons:,} people, {100 * records / total:.0f}% of all images"
                for name, persons, records in zip(
                    self.names, self.persons, self.records, strict=True
                )
            ],
            **hover("%{customdata}"),
        )
        ticks = category_axis(self.names) | WITHIN_MARGINS
        layout = base_layout(240, MARGINS | {"t": 22}) | {
            "bargap": 0.25,
            "xaxis": make_axis(AXES["images_per_person"], PERSON_TITLE_GAP, grid=False, **ticks),
            "yaxis": make_axis(
                AXES["people"], SIDE_TITLE_GAP, rangemode="tozero", **WITHIN_MARGINS
            ),
        }
        return static_figure([bars], layout)


@dataclass(frozen=True)
class ClassDots:
    """One method: key, title, one point a class in drawing order."""

    method: str
    title: str
    points: tuple[Interval, ...]


@dataclass(frozen=True)
class ClassAccuracy:
    """Classes in drawing order, which of them are the minority, and a row of dots a method."""

    names: tuple[str, ...]
    minority: tuple[bool, ...]
    methods: tuple[ClassDots, ...]

    @classmethod
    def from_results(
        cls,
        results: Sequence[Result],
        titles: Mapping[str, str],
        names: Sequence[str],
        budget: float,
    ) -> ClassAccuracy:
        """The chart's data at ``budget``; references are drawn whatever the budget."""
        rows: dict[str, list[Result]] = defaultdict(list)
        for result in results:
            if result.spec.budget.value == budget or not result.spec.budget.private:
                rows[result.spec.method].append(result)
        ranked = class_order(results[0].class_counts)
        points = {m: tuple(accuracy(rows[m], c) for c in ranked) for m in rows}
        dots = [ClassDots(m, titles[m], points[m]) for m in titles if m in rows]
        small = visible_minority(results[0].minority_classes, results[0].class_counts)
        minority = membership(small, ranked)
        return cls(select(names, ranked), minority, tuple(dots))

    def alt(self) -> str:
        names = ", ".join(d.title for d in self.methods)
        return render_text(ALTS["accuracy_by_class"], classes=len(self.names), names=names)

    @cached(64)
    def figure(self) -> go.Figure:
        """Dots over the classes, which have no order that a line could follow; those of a class
        side by side, the minority shaded.
        """
        names = [escape(name) for name in self.names]
        layout = base_layout(370) | {
            "showlegend": True,
            "legend": LEGEND_BELOW,
            "xaxis": class_axis(names, **padded_range(len(names))),
            "yaxis": share_axis(AXES["accuracy"]),
            "shapes": minority_bands(self.minority),
        }
        gap = min(0.12, 0.7 / max(len(self.methods), 1))
        middle = (len(self.methods) - 1) / 2
        rows = [_class_dots(d, names, gap * (i - middle)) for i, d in enumerate(self.methods)]
        return static_figure(rows, layout)


def _class_dots(dots: ClassDots, names: Sequence[str], shift: float) -> dict[str, Any]:
    pairs = zip(names, dots.points, strict=True)
    return scatter(
        [place + shift for place in range(len(names))],
        [p.mean for p in dots.points],
        "markers",
        name=dots.title,
        customdata=[f"class {n}: {percent(p)} {spread(p)}" for n, p in pairs],
        cliponaxis=False,
        marker=line_and_marker(line_style(dots.method), 1.6, 9)["marker"],
        **hover("%{customdata}", dots.title),
    )


ERROR_PARTS = {
    "base": (LABELS["cause_base"], rgba(GREY, 0.45), ""),
    "sampling": (LABELS["cause_sampling"], GREY, "."),
    "clipping": (LABELS["cause_clipping"], rgba(ACCENT, 0.45), "\\"),
    "noise": (LABELS["cause_noise"], ACCENT, ""),
}
#: Room for the number above a bar.
NUMBER_SPACE = 0.1


@dataclass(frozen=True)
class ClassErrors:
    """Classes in drawing order: name, records, minority, the parts by name, and the total."""

    names: tuple[str, ...]
    counts: tuple[int, ...]
    minority: tuple[bool, ...]
    parts: dict[str, tuple[float, ...]]
    total: tuple[float, ...]

    @classmethod
    def from_rows(
        cls, rows: Sequence[Any], minority: Sequence[int], names: Sequence[str]
    ) -> ClassErrors:
        """The chart's data from ``diagnostics.mean_errors.error_parts``, one row a class; classes
        without test records are left out.
        """
        ranked = [c for c in class_order([row.n for row in rows]) if not math.isnan(rows[c].total)]
        column = lambda name: tuple(getattr(rows[c], name) for c in ranked)
        return cls(
            select(names, ranked),
            column("n"),
            membership(minority, ranked),
            {name: column(name) for name in ERROR_PARTS},
            column("total"),
        )

    def means(self, minority: bool) -> dict[str, float]:
        """Each part and the total, mean over the minority or the others; nan where there are
        none.
        """
        pick = [i for i, small in enumerate(self.minority) if small == minority]
        mean = lambda row: float(np.mean([row[i] for i in pick])) if pick else float("nan")
        return {name: mean(row) for name, row in self.parts.items()} | {"total": mean(self.total)}

    def alt(self) -> str:
        names = ", ".join(name for name, _, _ in ERROR_PARTS.values())
        return render_text(ALTS["error_parts"], classes=len(self.names), names=names)

    def table(self) -> list[dict[str, Any]]:
        """A row a class, in percentage points."""
        points = {
            name: [round(100 * v, 2) for v in row]
            for name, row in (self.parts | {"total": self.total}).items()
        }
        shared = zip(self.names, self.counts, self.minority, strict=True)
        return [
            {"class": n, "records": c, "minority": m}
            | {f"{name} (points)": row[i] for name, row in points.items()}
            for i, (n, c, m) in enumerate(shared)
        ]

    def figure(self) -> go.Figure:
        """One stacked bar a class with a tick at the total; a part that helps hangs below zero."""
        has_names, names = len(self.names) <= MAX_NAMED_CLASSES, [escape(n) for n in self.names]
        title = {}
        if has_names:
            names = names_with_counts(names, self.counts)
            title = make_axis(AXES["class_images"], TITLE_GAP, grid=False)
        hanging = [
            sum(min(0.0, v) for v in column) for column in zip(*self.parts.values(), strict=True)
        ]
        lowest = np.floor(min(0.0, *hanging) * 20) / 20
        highest = max(1.1, max(self._tops()) + NUMBER_SPACE)
        return make_figure(
            [*(self._bars(name) for name in ERROR_PARTS), *self._totals(has_names)],
            400,
            barmode="relative",
            bargap=0.25,
            legend=LEGEND_BELOW | {"traceorder": "normal"},
            xaxis=class_axis(names, **padded_range(len(names)) | title),
            yaxis=share_axis(
                AXES["error_parts"],
                range=[lowest, highest],
                zeroline=True,
                zerolinecolor=GREY,
            ),
            shapes=minority_bands(self.minority),
        )

    def _bars(self, part: str) -> dict[str, Any]:
        title, colour, hatch = ERROR_PARTS[part]
        values = self.parts[part]
        pattern = {"shape": hatch, "size": 5, "solidity": 0.3}
        pairs = zip(self.names, values, strict=True)
        return bar_trace(
            list(range(len(values))),
            list(values),
            name=title,
            marker={"color": colour, "line": {"width": 0}, "pattern": pattern},
            customdata=[f"class {escape(n)}: {100 * v:+.1f} points" for n, v in pairs],
            **hover("%{customdata}", title),
        )

    def _tops(self) -> list[float]:
        """Where each bar ends: above its total where a part hangs below zero."""
        columns = zip(*self.parts.values(), strict=True)
        return [sum(max(0.0, v) for v in column) for column in columns]

    def _totals(self, has_numbers: bool) -> list[dict[str, Any]]:
        """A dash at each total, and its number above the bar, clear of the dash."""
        x, still = list(range(len(self.names))), {"hoverinfo": "skip", "cliponaxis": False}
        marker = {"symbol": "line-ew", "size": 18, "line": stroke(GREY, 2.5)}
        dash = scatter(x, list(self.total), "markers", name="total", marker=marker, **still)
        top = [top + 0.015 for top in self._tops()]
        words = scatter(x, top, "text", text=[f"<b>{100 * t:.0f}</b>" for t in self.total])
        words |= {"textposition": "top center", "cliponaxis": False} | SILENT
        return [dash, words] if has_numbers else [dash]
