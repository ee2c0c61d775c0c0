"""Teachers that vote: votes, answers, epsilon, and the students that learn from the answers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go

from dpviz.formatting import number_up
from dpviz.plots.kit.drawing import (
    LEGEND_BELOW,
    MARGINS,
    TITLE_GAP,
    WITHIN_MARGINS,
    band,
    bar_trace,
    category_axis,
    class_axis,
    class_order,
    error_bars,
    horizontal_line,
    hover,
    line_and_marker,
    log_axis,
    make_axis,
    make_figure,
    membership,
    minority_bands,
    note,
    padded_range,
    panel_title,
    rings,
    scatter,
    select,
    share_axis,
    stroke,
    vertical_line,
)
from dpviz.plots.kit.panels import axis_suffix
from dpviz.plots.kit.style import ACCENT, GREY, RIGHT, WRONG, rgba, shaded
from dpviz.stats import Interval
from dpviz.text.charts import (
    ACCURACY_AXES,
    ALTS,
    ANSWERS_OF_TEACHERS,
    AXES,
    ENSEMBLE_SERIES,
    LABELS,
    PRINTED_STUDENT,
)
from dpviz.text.charts import COUNTING_WAYS as COUNTING_NAMES
from dpviz.text.template import render_text
from dpviz.types import LineStyle

ANSWER_KINDS = {
    "right": "answered correctly",
    "wrong": "answered incorrectly",
    "unknown": "answered, true class unknown",
    "refused": "not answered",
}
KIND_COLOURS = {
    "right": RIGHT,
    "wrong": rgba(WRONG, 0.45),
    "unknown": rgba(ACCENT, 0.5),
    "refused": rgba(GREY, 0.14),
}
#: Edges of parts with a faint filling.
KIND_EDGES = {"wrong": WRONG, "refused": rgba(GREY, 0.5)}
#: Of bars at or above the threshold without an answer.
HATCH = {"color": rgba(GREY, 0.8), "pattern": {"shape": "/", "size": 6, "solidity": 0.2}}
MAX_BINS = 10
#: Steps of the axis of queries.
STEPS = 5
#: Place of the legend: at the top, and where a bracket is above the plot, above it.
LEGEND = {"y": 1, "yref": "container", "yanchor": "top"}
LEGEND_PRECISE = {"y": 1.07, "yanchor": "bottom"}
#: Height of the plot over that of the highest bar.
HEADROOM = 1.28
#: Least share of the plot's width for words on one side of the threshold, so that they fit on a
#: phone.
WORDS_WIDTH = 0.42
#: Pixels of the chart's height.
HEIGHT = 384
#: Share of the plot's height at which the ends of the bracket around the threshold stop.
FOOT = 0.97


@dataclass(frozen=True, eq=False)
class VoteHistogram:
    """Bars and the test.

    Attributes:
        edges: (bins + 1,) votes of the winner; counts: (bins,) queries of each kind of ANSWER_KINDS
        that
            occurs.
        unanswered_above: (bins,) queries at or above the threshold without an answer.
        answered_below: queries below the threshold with one.
        threshold, sigma1: of the test, in votes; None where every query is answered.
        votes, chance: (p,) Pr(answer) against the winner's votes.
        teachers, queries: how many.
    """

    edges: np.ndarray
    counts: dict[str, np.ndarray]
    unanswered_above: np.ndarray
    answered_below: int
    threshold: float | None
    sigma1: float
    votes: np.ndarray
    chance: np.ndarray
    teachers: int
    queries: int

    @classmethod
    def from_votes(
        cls,
        top: np.ndarray,
        kinds: Sequence[str] | np.ndarray,
        teachers: int,
        threshold: float,
        sigma1: float,
        chance: np.ndarray,
    ) -> VoteHistogram:
        """The chart's data.

        Args:
            top: (q,) winner's votes; kinds: (q,) keys of ANSWER_KINDS; chance: (teachers + 1,)
            Pr(answer)
            by
                the winner's votes.
        """
        edges = np.linspace(0, teachers, min(MAX_BINS, teachers) + 1)
        kind_of = np.asarray(kinds)
        counts = {
            kind: np.histogram(top[kind_of == kind], edges)[0]
            for kind in ANSWER_KINDS
            if np.any(kind_of == kind)
        }
        refused, above = kind_of == "refused", np.asarray(top) >= threshold
        return cls(
            edges,
            counts,
            np.histogram(top[refused & above], edges)[0],
            int(np.sum(~refused & ~above)),
            None if threshold == -np.inf else threshold,
            sigma1,
            np.arange(teachers + 1),
            chance,
            teachers,
            len(top),
        )

    def alt(self) -> str:
        counts = ", ".join(
            f"{ANSWERS_OF_TEACHERS[kind]}: {counts.sum()}" for kind, counts in self.counts.items()
        )
        threshold = (
            "no threshold"
            if self.threshold is None
            else f"threshold {self.threshold:g}, noise {self.sigma1:g}"
        )
        counts = ", ".join([counts, *filter(None, self._changed_by_noise)])
        return render_text(
            ALTS["vote_histogram"],
            queries=self.queries,
            teachers=self.teachers,
            threshold=threshold,
            counts=counts,
        )

    def figure(self, precise: bool = True) -> go.Figure:
        """Stacked bars and the threshold.

        Args:
            precise: with one standard deviation of its noise, and the chance of an answer.
        """
        edges = self.edges.tolist()
        # a slider of the threshold, from 0 to all teachers, is below the axis
        x: dict[str, Any] = {"range": [0, self.teachers], "tickvals": edges}
        x["ticktext"] = [f"{edge:g}" for edge in edges]
        y = {"zeroline": True} | self._y_range(precise)
        return make_figure(
            [*self.bars(), *(self._chance() if precise else ())],
            HEIGHT,
            MARGINS | {"r": 62 if precise else 16, "t": 60 if precise else 34},
            barmode="stack",
            bargap=0,
            legend=(LEGEND_PRECISE if precise else LEGEND) | {"traceorder": "normal"},
            xaxis=make_axis(AXES["winner_votes"], 10, grid=False, **x | WITHIN_MARGINS),
            yaxis=make_axis(AXES["queries"], **y | WITHIN_MARGINS),
            **(self._threshold() if precise else self._threshold_alone()),
        )

    @property
    def _name_side(self) -> str:
        """Side of the threshold on which its name has more room."""
        middle = self.teachers / 2
        return "right" if self.threshold is not None and self.threshold > middle else "left"

    def _y_range(self, precise: bool) -> dict[str, Any]:
        """Five steps of a round size, and room above the highest bar.

        The ticks of the chance of an answer, which is drawn where ``precise``, lie on the steps.
        """
        highest = sum(self.counts.values(), np.zeros(1)).max()
        power = 10 ** max(0, math.floor(math.log10(max(highest / STEPS, 1))))
        step = next(power * n for n in (1, 2, 4, 5, 10) if STEPS * power * n >= highest)
        top = 1.05 * STEPS * step if precise else HEADROOM * max(highest, 1)
        return {"range": [0, top], "dtick": step}

    def table(self) -> list[dict[str, Any]]:
        """A row a bar."""
        rows = []
        for i in range(len(self.edges) - 1):
            row: dict[str, Any] = {
                "votes from": float(self.edges[i]),
                "votes below": float(self.edges[i + 1]),
            }
            rows.append(
                row | {ANSWER_KINDS[kind]: int(counts[i]) for kind, counts in self.counts.items()}
            )
        return rows

    def bars(self) -> list[dict[str, Any]]:
        """Traces of bars, a kind each; hatched: at or above the threshold without an answer."""
        traces = []
        for kind, counts in self.counts.items():
            is_split = kind == "refused" and self.unanswered_above.any()
            plain = counts - self.unanswered_above if is_split else counts
            traces.append(self._bars(kind, plain, LABELS["refused_below"] if is_split else ""))
            if is_split:
                hatched = self._bars(kind, self.unanswered_above, LABELS["refused_above"])
                traces.append(hatched | {"marker": hatched["marker"] | HATCH})
        return traces

    def _bars(self, kind: str, counts: np.ndarray, name: str = "") -> dict[str, Any]:
        edges, name = self.edges, name or ANSWERS_OF_TEACHERS[kind]
        edge = {"width": 1 if kind in KIND_EDGES else 0, "color": KIND_EDGES.get(kind, GREY)}
        return bar_trace(
            ((edges[1:] + edges[:-1]) / 2).tolist(),
            [int(n) or None for n in counts],  # else nothing would have an edge
            name=name,
            width=float(edges[1] - edges[0]) * 0.94,
            marker={"color": KIND_COLOURS[kind], "line": edge},
            **hover("%{x:.0f} votes: %{y} queries", name),
        )

    def _chance(self) -> list[dict[str, Any]]:
        if self.threshold is None:
            return []
        line = {
            "name": LABELS["probability_of_answer"],
            "yaxis": "y2",
            "line": stroke(ACCENT, 2, "dot"),
        }
        line |= hover("%{x} votes: %{y:.0%}", LABELS["probability_of_answer"])
        return [scatter(self.votes.tolist(), self.chance.tolist(), **line)]

    def _threshold_alone(self) -> dict[str, Any]:
        """Layout entries of the threshold without its noise."""
        if self.threshold is None:
            return {}
        name = render_text(LABELS["threshold"], threshold=f"{self.threshold:g}")
        below, above = self._changed_by_noise
        roomy = self._name_side
        lines = {roomy: [f"<b>{name}</b>"]}
        rooms = {"right": self.threshold / self.teachers}
        rooms["left"] = 1 - rooms["right"]
        for side, words in (("right", below), ("left", above)):
            if words and side != roomy and rooms[side] >= WORDS_WIDTH:
                lines[side] = [words]
            elif words:
                lines[roomy].append(words)
        notes = [
            note("<br>".join(words), self.threshold, 1.0, f"{side} top", yref="paper", align=side)
            | {"xshift": -6 if side == "right" else 6}
            for side, words in lines.items()
        ]
        return {"shapes": [vertical_line(self.threshold)], "annotations": notes}

    @property
    def _changed_by_noise(self) -> tuple[str, str]:
        """Queries answered below the threshold, and unanswered above, in words; "" for none."""
        counts = {
            "answered_below": self.answered_below,
            "unanswered_above": int(self.unanswered_above.sum()),
        }
        below, above = (
            render_text(LABELS[key], queries=count) if count and self.threshold is not None else ""
            for key, count in counts.items()
        )
        return below, above

    def _threshold(self) -> dict[str, Any]:
        """Layout entries of the test, and of the axis of its chance."""
        t, s = self.threshold, self.sigma1
        if t is None:
            return {}
        side = self._name_side
        words = render_text(LABELS["threshold_noise"], threshold=f"{t:g}", noise=f"{s:g}")
        low, high = max(0.0, t - s), min(float(self.teachers), t + s)
        return {
            "shapes": [
                vertical_line(t),
                *(
                    vertical_line(x, 1.2) | {"x0": x, "x1": onward, "y0": y, "y1": 1}
                    for x, onward, y in [(low, high, 1), (low, low, FOOT), (high, high, FOOT)]
                ),
            ],
            "annotations": [
                note(words, t, 1.0, f"{side} bottom", yref="paper"),
            ],
            # its ticks are at the grid of the counts, which has five steps as well
            "yaxis2": share_axis(LABELS["probability_of_answer"], grid=False, **WITHIN_MARGINS)
            | {"overlaying": "y", "side": "right"},
        }


def vote_bins(top: np.ndarray, teachers: int) -> np.ndarray:
    """Bar (q,) that each query is in."""
    bars = min(MAX_BINS, teachers)
    return np.clip(
        np.searchsorted(np.linspace(0, teachers, bars + 1), top, side="right") - 1, 0, bars - 1
    )


@dataclass(frozen=True)
class QueryVotes:
    """Bars of one query; a refused one has no noisy votes, for none are drawn.

    Attributes:
        names: classes; votes, noisy: one a class, the latter empty where it is refused.
        truth, label: places among them, or -1; threshold: None without one.
        sigma2: noise of the votes; teachers: how many.
    """

    names: tuple[str, ...]
    votes: tuple[int, ...]
    noisy: tuple[float, ...]
    truth: int
    label: int
    threshold: float | None
    sigma2: float
    teachers: int

    @classmethod
    def from_votes(
        cls,
        names: Sequence[str],
        votes: Sequence[int],
        noisy: Sequence[float],
        truth: int,
        label: int,
        threshold: float,
        sigma2: float,
    ) -> QueryVotes:
        """The chart's data; ``threshold`` -inf where every query is answered."""
        finite = None if threshold == float("-inf") else float(threshold)
        whole, seen = tuple(int(v) for v in votes), tuple(float(v) for v in noisy if label >= 0)
        return cls(
            tuple(names), whole, seen, int(truth), int(label), finite, float(sigma2), sum(whole)
        )

    def alt(self) -> str:
        top = max(range(len(self.votes)), key=self.votes.__getitem__)
        outcome = (
            ALTS["query_refused"]
            if self.label < 0
            else render_text(ALTS["query_answered"], name=self.names[self.label])
        )
        return render_text(
            ALTS["query"],
            teachers=self.teachers,
            votes=f"{self.votes[top]}",
            name=self.names[top],
            outcome=outcome,
        )

    def figure(self) -> go.Figure:
        """Bars of votes, the true class in colour, with the noisy votes on top where some are
        drawn.
        """
        return make_figure(
            [self._votes(), *([self._noisy()] if self.noisy else [])],
            320,
            bargap=0.25,
            legend=LEGEND_BELOW,
            xaxis=make_axis(grid=False, **category_axis([escape(n) for n in self.names])),
            yaxis=make_axis(AXES["votes"], zeroline=True),
            **self._threshold(),
        )

    def table(self) -> list[dict[str, Any]]:
        """A row a class."""
        noisy = self.noisy or (None,) * len(self.names)
        rows = zip(self.names, self.votes, noisy, strict=True)
        return [
            {
                "class": n,
                "votes": v,
                "with noise": x,
                "true": i == self.truth,
                "answer": i == self.label,
            }
            for i, (n, v, x) in enumerate(rows)
        ]

    def _votes(self) -> dict[str, Any]:
        places = list(range(len(self.names)))
        colours = [RIGHT if i == self.truth else GREY for i in places]
        name = LABELS["votes"]
        marker = {"color": colours}
        return bar_trace(places, list(self.votes), name=name, marker=marker, **hover("%{y} votes"))

    def _noisy(self) -> dict[str, Any]:
        answers = [i == self.label for i in range(len(self.names))]
        marker = {
            "symbol": ["star" if is_answer else "diamond" for is_answer in answers],
            "color": ACCENT,
            "size": [15 if is_answer else 9 for is_answer in answers],
        }
        name = render_text(LABELS["after_noise"], sigma=f"{self.sigma2:g}")
        marks = scatter(list(range(len(answers))), list(self.noisy), "markers", name=name)
        return marks | {"marker": marker} | hover("%{y:.0f} votes with noise")

    def _threshold(self) -> dict[str, Any]:
        if self.threshold is None:
            return {}
        text = render_text(LABELS["threshold"], threshold=f"{self.threshold:g}")
        return {
            "shapes": [horizontal_line(self.threshold, ACCENT, 2)],
            "annotations": [note(text, 0, self.threshold, "left bottom", xref="paper")],
        }


@dataclass(frozen=True)
class ClassAnswers:
    """Classes in drawing order, largest private class first.

    Attributes:
        names; records: private ones; minority; queries: queries of the class; right, wrong:
            answered
        so.
        answer_counts: answers that name the class, rightly or not.
    """

    names: tuple[str, ...]
    records: tuple[int, ...]
    minority: tuple[bool, ...]
    queries: tuple[int, ...]
    right: tuple[int, ...]
    wrong: tuple[int, ...]
    answer_counts: tuple[int, ...]

    @classmethod
    def from_labels(
        cls,
        labels: np.ndarray,
        truth: np.ndarray,
        counts: Sequence[int],
        minority: Sequence[int],
        names: Sequence[str],
    ) -> ClassAnswers:
        """The chart's data from labels and truth (q,), -1 where refused and not known; one entry a
        class elsewhere.
        """
        ranked = class_order(counts)
        count_by_class = lambda chosen: tuple(int(np.sum(chosen & (truth == c))) for c in ranked)
        answered = labels >= 0
        return cls(
            select(names, ranked),
            tuple(int(counts[c]) for c in ranked),
            membership(minority, ranked),
            count_by_class(np.ones(len(labels), bool)),
            count_by_class(answered & (labels == truth)),
            count_by_class(answered & (labels != truth)),
            tuple(int(np.sum(labels == c)) for c in ranked),
        )

    def query_counts(self, minority: bool) -> QueryCounts:
        """What became of the queries of the minority, or of the other classes."""
        at = [i for i, small in enumerate(self.minority) if small == minority]
        queries, right, wrong = (
            sum(part[i] for i in at) for part in (self.queries, self.right, self.wrong)
        )
        return QueryCounts(queries, right + wrong, right)

    def alt(self) -> str:
        rows = zip(self.names, self.queries, self.right, self.wrong, strict=True)
        texts = [f"{n}: {r + w} of {a}, {r} correct" for n, a, r, w in rows]
        return render_text(ALTS["answers_by_class"], answers="; ".join(texts[:12]))

    def figure(self) -> go.Figure:
        """Stacked shares a class, the minority shaded."""
        names = [escape(n) for n in self.names]
        answers = zip(self.queries, self.right, self.wrong, strict=True)
        refused = [queries - right - wrong for queries, right, wrong in answers]
        return make_figure(
            [
                _bars(self.right, self.queries, ANSWERS_OF_TEACHERS["right"], RIGHT),
                _bars(self.wrong, self.queries, ANSWERS_OF_TEACHERS["wrong"], WRONG, "/"),
                _bars(refused, self.queries, ANSWERS_OF_TEACHERS["refused"], rgba(GREY, 0.45)),
            ],
            320,
            barmode="stack",
            bargap=0.25,
            legend=LEGEND_BELOW,
            xaxis=class_axis(names, **padded_range(len(names))),
            yaxis=share_axis(AXES["class_answers"]),
            shapes=minority_bands(self.minority),
        )

    def table(self) -> list[dict[str, Any]]:
        """A row a class."""
        columns = zip(
            self.names,
            self.records,
            self.minority,
            self.queries,
            self.right,
            self.wrong,
            self.answer_counts,
            strict=True,
        )
        keys = (
            "class",
            "private records",
            "minority",
            "queries",
            "answered correctly",
            "answered incorrectly",
            "answers with this class",
        )
        return [dict(zip(keys, row, strict=True)) for row in columns]


class QueryCounts(NamedTuple):
    """Numbers of queries: queries, answered of these, and right of the answers."""

    queries: int
    answered: int
    right: int


def _bars(
    part: Sequence[int], queries: Sequence[int], title: str, colour: str, hatch: str = ""
) -> dict[str, Any]:
    pairs = list(zip(part, queries, strict=True))
    return bar_trace(
        list(range(len(pairs))),
        [n / a if a else 0.0 for n, a in pairs],
        name=title,
        marker={"color": colour, "pattern": {"shape": hatch, "solidity": 0.4}},
        customdata=[f"{n} of {a}" for n, a in pairs],
        **hover("%{customdata} queries", title),
    )


#: For each way: CSV column, color, dash.
COUNTING_WAYS = {
    "independent": ("data-independent, exact, for the given answers", ACCENT, "solid"),
    "converted": ("data-independent, by the papers' conversion", ACCENT, "dot"),
    "sanitised": ("sanitized, including its own cost (± 2 sd)", RIGHT, "dash"),
    "dependent": ("data-dependent, not releasable", WRONG, "dash"),
    "expected": ("expected, as the papers report, not releasable", WRONG, "dot"),
    "proof": ("by the paper's proof: too low", GREY, "longdash"),
}


@dataclass(frozen=True)
class EpsilonGrowth:
    """Lines over queries.

    Attributes:
        queries, answered: x; lines: (key of COUNTING_WAYS, epsilons) in drawing order; spread: sd
        of the
            sanitised; delta.
    """

    queries: tuple[int, ...]
    answered: tuple[int, ...]
    lines: tuple[tuple[str, tuple[float, ...]], ...]
    spread: tuple[float, ...]
    delta: float

    @classmethod
    def from_growth(
        cls, growth: Any, delta: float, ways: Sequence[str] = tuple(COUNTING_WAYS)
    ) -> EpsilonGrowth:
        """The chart's data from a ``Growth``."""
        lines = tuple(
            (way, getattr(growth, way))
            for way in COUNTING_WAYS
            if way in ways and getattr(growth, way)
        )
        return cls(growth.queries, growth.answered, lines, growth.spread, delta)

    def alt(self) -> str:
        ends = "; ".join(f"{COUNTING_NAMES[way]} {values[-1]:.3g}" for way, values in self.lines)
        return render_text(
            ALTS["epsilon_growth"], delta=self.delta, queries=self.queries[-1], ends=ends
        )

    def figure(self, precise: bool = True) -> go.Figure:
        """A line a way, and a band around the sanitised one.

        Args:
            precise: name δ.
        """
        ends = [0, self.queries[-1] * 1.01]
        return make_figure(
            self._band() + [self._line(way, values) for way, values in self.lines],
            360,
            legend={"y": -0.18},
            xaxis=make_axis(AXES["queries_asked"], TITLE_GAP, grid=False, range=ends),
            yaxis=make_axis(
                render_text(AXES["epsilon_at"], delta=self.delta) if precise else AXES["epsilon"],
                rangemode="tozero",
                zeroline=True,
            ),
        )

    def table(self) -> list[dict[str, Any]]:
        """A row a number of queries."""
        columns = {COUNTING_WAYS[way][0]: values for way, values in self.lines}
        if self.spread:
            columns["sd of the sanitized"] = self.spread
        counts = zip(self.queries, self.answered, strict=True)
        return [
            {"queries": q, "answered": a} | {name: values[i] for name, values in columns.items()}
            for i, (q, a) in enumerate(counts)
        ]

    def _line(self, way: str, values: Sequence[float]) -> dict[str, Any]:
        _, colour, dash = COUNTING_WAYS[way]
        title = COUNTING_NAMES[way]
        return scatter(
            list(self.queries),
            list(values),
            name=title,
            line=stroke(colour, 3 if way == "independent" else 2, dash),
            customdata=[
                f"{answered} answered: ε = {number_up(value, 3)}"
                for answered, value in zip(self.answered, values, strict=True)
            ],
            **hover("%{x} queries, %{customdata}", title),
        )

    def _band(self) -> list[dict[str, Any]]:
        """Two standard deviations of the noise on the sanitised one, where it has noise."""
        if not self.spread or "sanitised" not in dict(self.lines):
            return []
        pairs = list(zip(dict(self.lines)["sanitised"], self.spread, strict=True))
        low, high = [max(0.0, m - 2 * s) for m, s in pairs], [m + 2 * s for m, s in pairs]
        return [band(self.queries, low, high, RIGHT) | {"fillcolor": rgba(RIGHT, 0.14)}]


#: Pixels of a panel, and between two rows, for the names under the upper one.
ENSEMBLE_HEIGHT, ENSEMBLE_GAP = 170, 80
#: Margins with room for shares, a panel's title, and names with the legend below: left to find it,
#: Plotly draws all panels twice.
ENSEMBLE_MARGINS = {"l": 48, "t": 30, "b": 120}
SERIES = {
    "answered": (ENSEMBLE_SERIES["answered"], GREY, "circle-open"),
    "right": (ENSEMBLE_SERIES["right"], RIGHT, "diamond"),
    "student": (ENSEMBLE_SERIES["student"], ACCENT, "square"),
}


@dataclass(frozen=True)
class Ensemble:
    """One ensemble: its name, shares in [0, 1] (``right`` nan where nothing is answered or known),
    epsilon, queries, accuracy of the student (None without one).
    """

    name: str
    answered: float
    right: float
    epsilon: float
    queries: int
    student: Interval | None = None

    def share(self, series: str) -> float:
        """The height of a mark, nan for none."""
        if series != "student":
            return float(getattr(self, series))
        return math.nan if self.student is None else self.student.mean


@dataclass(frozen=True)
class EnsembleGrid:
    """Panels by title, each a row of cells; ``current``: the name of a panel's cell that is the
    page's own setting.
    """

    panels: tuple[tuple[str, tuple[Ensemble, ...]], ...]
    current: tuple[tuple[str, str], ...] = ()

    @classmethod
    def from_cells(
        cls, cells: Mapping[str, Sequence[Ensemble]], current: Mapping[str, str] | None = None
    ) -> EnsembleGrid:
        """The chart's data; panels without a cell are left out."""
        panels = tuple((title, tuple(ensembles)) for title, ensembles in cells.items() if ensembles)
        return cls(panels, tuple((current or {}).items()))

    def alt(self) -> str:
        texts = [
            f"{title}: " + ", ".join(f"{c.name} {c.answered:.0%} answered" for c in ensembles)
            for title, ensembles in self.panels
        ]
        return render_text(ALTS["small_ensembles"], panels="; ".join(texts))

    def figure(self) -> go.Figure:
        """A panel a choice, two panels a row, or one on a narrow page; a mark a series and
        ensemble; ε below each name.
        """
        traces, current = [], dict(self.current)
        for place, (title, ensembles) in enumerate(self.panels):
            tail = axis_suffix(place)
            traces += [_series_marks(ensembles, series, tail, place == 0) for series in SERIES]
            places = [x for x, cell in enumerate(ensembles) if cell.name == current.get(title)]
            if places and ensembles[places[0]].student:
                current_ring = rings(places, [ensembles[places[0]].share("student")], 19)
                traces.append(current_ring | {"xaxis": f"x{tail}", "yaxis": f"y{tail}"})
        wide, narrow = (self._placed(columns) for columns in (2, 1))
        legend = LEGEND_BELOW
        layout = {"legend": legend, "meta": {"panels": {"wide": wide, "narrow": narrow}}}
        figure = make_figure(traces, wide["height"], ENSEMBLE_MARGINS, **layout | self._axes())
        return figure.update_layout(wide)

    def table(self) -> list[dict[str, Any]]:
        """A row an ensemble; student columns where there are students."""
        return [
            _ensemble_row(title, cell) for title, ensembles in self.panels for cell in ensembles
        ]

    def _placed(self, columns: int) -> dict[str, Any]:
        """What ``Plotly.relayout`` takes to have so many panels a row; shares are told at the left
        ones alone.
        """
        rows = max(1, math.ceil(len(self.panels) / columns))
        plot = rows * ENSEMBLE_HEIGHT + (rows - 1) * ENSEMBLE_GAP
        entries: dict[str, Any] = {"height": plot + ENSEMBLE_MARGINS["t"] + ENSEMBLE_MARGINS["b"]}
        heads = []
        for place, (title, _) in enumerate(self.panels):
            row, column = divmod(place, columns)
            start, tail = 0.52 * column, axis_suffix(place)
            low = (rows - 1 - row) * (ENSEMBLE_HEIGHT + ENSEMBLE_GAP) / plot
            high = low + ENSEMBLE_HEIGHT / plot
            heads.append(panel_title(escape(title), high + 4 / plot, start))
            entries[f"xaxis{tail}.domain"] = [start, start + 0.48 if columns > 1 else 1]
            entries[f"yaxis{tail}.domain"] = [low, high]
            entries[f"yaxis{tail}.showticklabels"] = not column
        return entries | {"annotations": heads}

    def _axes(self) -> dict[str, dict[str, Any]]:
        """Both axes of each panel."""
        entries = {}
        for place, (_, ensembles) in enumerate(self.panels):
            tail = axis_suffix(place)
            names = [f"{escape(c.name)}<br>ε {number_up(c.epsilon, 2)}" for c in ensembles]
            x = {"anchor": f"y{tail}"} | padded_range(len(ensembles)) | category_axis(names)
            entries[f"xaxis{tail}"] = make_axis(grid=False, **x | WITHIN_MARGINS)
            entries[f"yaxis{tail}"] = share_axis(
                anchor=f"x{tail}", range=[0, 1.03], **WITHIN_MARGINS
            )
        return entries


def _series_marks(
    ensembles: Sequence[Ensemble], series: str, tail: str, first: bool
) -> dict[str, Any]:
    title, colour, symbol = SERIES[series]
    values = [cell.share(series) for cell in ensembles]
    # a line between kinds would mean nothing
    numbers = all(cell.name.rstrip("%").replace(".", "").isdigit() for cell in ensembles)
    texts = [
        f"{escape(c.name)}: {title} {v:.0%}, ε = {number_up(c.epsilon, 3)}, {c.queries} queries"
        for c, v in zip(ensembles, values, strict=True)
    ]
    bars = {}
    if series == "student" and any(c.student for c in ensembles):
        texts = [
            f"{words}<br>{_spread_text(c.student)}"
            for words, c in zip(texts, ensembles, strict=True)
        ]
        nothing = Interval(math.nan, math.nan, math.nan, 1)
        bars = {"error_y": error_bars([c.student or nothing for c in ensembles], colour, 1.5, 4)}
    return scatter(
        list(range(len(ensembles))),
        [None if v != v else v for v in values],
        "lines+markers" if numbers else "markers",
        name=title,
        xaxis=f"x{tail}",
        yaxis=f"y{tail}",
        showlegend=first and any(v == v for v in values),
        legendgroup=series,
        cliponaxis=False,
        line=stroke(colour, 1.5),
        marker={"color": colour, "symbol": symbol, "size": 9},
        customdata=texts,
        **bars,
        **hover("%{customdata}"),
    )


def _spread_text(student: Interval | None) -> str:
    """How far the students of single seeds lie apart."""
    if student is None or not math.isfinite(student.sd):
        return "one noise seed"
    return f"SD {100 * student.sd:.1f} points over {student.runs} noise seeds"


def _ensemble_row(title: str, c: Ensemble) -> dict[str, Any]:
    row = {
        "setting varied": title,
        "ensemble": c.name,
        "queries": c.queries,
        "answered": c.answered,
        "correct answers": c.right,
        "epsilon, data-independent": c.epsilon,
    }
    if c.student is None:
        return row
    ends = {"student low": c.student.low, "student high": c.student.high}
    return row | {"student": c.student.mean, "student sd": c.student.sd} | ends


#: Of the lines, which are of one method: they differ in shade, dash and marker.
STUDENT_MARKERS = ("circle", "square", "diamond", "triangle-up", "cross")
STUDENT_HEIGHT = 440


@dataclass(frozen=True)
class StudentPoint:
    """A student: the value of the setting that gave it, its epsilon and accuracy."""

    name: str
    epsilon: float
    accuracy: Interval


@dataclass(frozen=True)
class PrintedStudent:
    """A figure as a paper prints it: where, of which method on which data, with the accuracy in
    [0, 1] and its standard deviation (nan where none is printed).

    Attributes:
        sanitised: the epsilon that may be published, nan where none is printed.
    """

    place: str
    name: str
    data: str
    epsilon: float
    accuracy: float
    sd: float = math.nan
    sanitised: float = math.nan


@dataclass(frozen=True)
class StudentCurve:
    """Lines by the setting that moves, the point that all share, printed figures, guessing."""

    lines: tuple[tuple[str, tuple[StudentPoint, ...]], ...]
    current: StudentPoint | None
    printed: tuple[PrintedStudent, ...]
    chance: float

    @classmethod
    def from_lines(
        cls,
        lines: Mapping[str, Sequence[StudentPoint]],
        current: StudentPoint | None,
        printed: Sequence[PrintedStudent],
        classes: int,
    ) -> StudentCurve:
        """The chart's data: lines with at least a point, each by rising epsilon."""
        drawn_lines = tuple(
            (title, tuple(sorted(points, key=lambda p: p.epsilon)))
            for title, points in lines.items()
            if points
        )
        return cls(drawn_lines, current, tuple(printed), 1 / classes)

    def alt(self) -> str:
        names = ", ".join(title for title, _ in self.lines) or "none"
        words = render_text(ALTS["student"], names=names)
        return f"{words} {ALTS['student_printed']}" if self.printed else words

    def figure(self) -> go.Figure:
        """A line a setting, the ring at what all share, printed figures in grey."""
        styles = [LineStyle(ACCENT, "solid", marker) for marker in STUDENT_MARKERS]
        traces = [
            _student_line(title, points, shaded(styles[i % len(styles)], i))
            for i, (title, points) in enumerate(self.lines)
        ]
        if self.current:
            traces.append(rings([self.current.epsilon], [self.current.accuracy.mean], 20))
        if self.printed:
            traces.append(_printed_marks(self.printed))
        epsilons = [p.epsilon for _, points in self.lines for p in points] + [
            p.epsilon for p in self.printed
        ]
        ends = min(epsilons, default=0.1), max(epsilons, default=10)
        ticks = [a * 10.0**b for b in range(-3, 5) for a in (1, 2, 5)]
        return make_figure(
            traces,
            STUDENT_HEIGHT,
            xaxis=log_axis(
                AXES["epsilon_independent"], None, ends, 0.1, {tick: f"{tick:g}" for tick in ticks}
            ),
            yaxis=share_axis(ACCURACY_AXES["overall"], range=[0, 1.02]),
            legend={"orientation": "h", "y": -0.2},
            shapes=[horizontal_line(self.chance)],
        )

    def table(self) -> list[dict[str, Any]]:
        """A row a student, then a row a printed figure."""
        rows: list[dict[str, Any]] = [
            {
                "setting varied": title,
                "at": p.name,
                "epsilon": p.epsilon,
                "student": p.accuracy.mean,
            }
            for title, points in self.lines
            for p in points
        ]
        return rows + [
            {
                "setting varied": f"from the paper: {p.place}",
                "at": f"{p.name}, {p.data}",
                "epsilon": p.epsilon,
                "student": p.accuracy,
            }
            for p in self.printed
        ]


def _student_line(title: str, points: Sequence[StudentPoint], style: LineStyle) -> dict[str, Any]:
    texts = [
        f"{escape(title)} {escape(p.name)}: {p.accuracy.mean:.1%} ({p.accuracy.low:.1%} to"
        f" {p.accuracy.high:.1%}), ε = {number_up(p.epsilon, 3)}"
        for p in points
    ]
    return scatter(
        [p.epsilon for p in points],
        [p.accuracy.mean for p in points],
        "lines+markers",
        name=escape(title),
        error_y=error_bars([p.accuracy for p in points], style.colour, 1, 3),
        customdata=texts,
        **line_and_marker(style, 1.6, 8),
        **hover("%{customdata}"),
    )


def _printed_marks(rows: Sequence[PrintedStudent]) -> dict[str, Any]:
    marker = {"symbol": "diamond-open", "size": 10, "color": GREY, "line": {"width": 1.6}}
    return scatter(
        [p.epsilon for p in rows],
        [p.accuracy for p in rows],
        "markers",
        name=PRINTED_STUDENT,
        marker=marker,
        customdata=[
            f"{p.place}: {escape(p.name)} on {escape(p.data)}, {p.accuracy:.2%} at"
            f" ε = {p.epsilon:g}{_sanitised_text(p)}"
            for p in rows
        ],
        **hover("%{customdata}"),
    )


def _sanitised_text(row: PrintedStudent) -> str:
    return "" if math.isnan(row.sanitised) else f" ({row.sanitised:g} sanitized)"
