"""What a stated guarantee leaves: best guess by prior, and ε by δ."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import plotly.graph_objects as go

from dpviz.formatting import number_up, percent_up
from dpviz.plots.kit.drawing import (
    MARGINS,
    SIDE_TITLE_GAP,
    SILENT,
    TITLE_GAP,
    WITHIN_MARGINS,
    horizontal_line,
    hover,
    make_axis,
    make_figure,
    note,
    rings,
    scatter,
    share_axis,
    stroke,
)
from dpviz.plots.kit.style import ACCENT, GREY
from dpviz.text.charts import ALTS, AXES, LABELS

#: Pixels.
HEIGHT = 380
#: Share between a point and its number.
LABEL_GAP = 0.016
#: Place of a number at a line that rises by more than ``STEEP`` to the next point.
BELOW_LINE, STEEP = "bottom right", 0.04
#: Factor on a log axis from a point to a number that is clear of the ring.
RIGHT_OF_RING = 1.07


@dataclass(frozen=True)
class GuessByPrior:
    """Attacker's best guess.

    Attributes:
        priors: that the record was used; guesses: largest success rates at these.
        prior, guess: the chosen prior, and the best guess there.
    """

    priors: tuple[float, ...]
    guesses: tuple[float, ...]
    prior: float
    guess: float

    def alt(self) -> str:
        return ALTS["guess_by_prior"]

    def table(self) -> list[dict[str, float]]:
        """A row for each prior."""
        return [
            {"prior": prior, "best guess": guess, "without the release": max(prior, 1 - prior)}
            for prior, guess in zip(self.priors, self.guesses, strict=True)
        ]

    def figure(self) -> go.Figure:
        """Both lines, and a ring at the chosen prior."""
        before = [max(prior, 1 - prior) for prior in self.priors]
        line: dict[str, Any] = {
            "name": LABELS["with_release"],
            "line": stroke(ACCENT, 2.6),
            "customdata": [percent_up(guess) for guess in self.guesses],
        }
        words = hover("%{x:.0%}: at most %{customdata}%", LABELS["with_release"])
        return make_figure(
            [
                scatter(
                    list(self.priors),
                    before,
                    name=LABELS["without_release"],
                    line=stroke(GREY, 1.8, "dot"),
                    **hover("%{x:.0%}: %{y:.0%}", LABELS["without_release"]),
                ),
                scatter(list(self.priors), list(self.guesses), **line | words),
                rings([self.prior], [self.guess], 13),
            ],
            HEIGHT,
            MARGINS | {"t": 30, "r": 26},
            xaxis=share_axis(AXES["prior"], TITLE_GAP, **WITHIN_MARGINS),
            yaxis=share_axis(
                AXES["prior_guess"], SIDE_TITLE_GAP, range=[0.48, 1.02], dtick=0.1, **WITHIN_MARGINS
            ),
            legend={"y": 1.01, "yanchor": "bottom"},
        )


@dataclass(frozen=True)
class GuessByImages:
    """Attacker's best guess about a person.

    Attributes:
        images: of the person, from small to large; guesses: largest success rates at these.
        base_rate: success rate without the release.
        current, guess: the chosen number of images, and the best guess there.
    """

    images: tuple[int, ...]
    guesses: tuple[float, ...]
    base_rate: float
    current: int
    guess: float

    def alt(self) -> str:
        return ALTS["guess_by_images"]

    def table(self) -> list[dict[str, float]]:
        """A row for each number of images."""
        return [
            {
                "images per person": images,
                "best guess": guess,
                "without the release": self.base_rate,
            }
            for images, guess in zip(self.images, self.guesses, strict=True)
        ]

    def _sides(self) -> list[str]:
        """Place of each number: right below a line that rises steeply, else above it."""
        steps = pairwise(self.guesses)
        inner = [BELOW_LINE if after - guess > STEEP else "top center" for guess, after in steps]
        return [*inner, "top left"]

    def figure(self) -> go.Figure:
        """The guesses, each with its number, and a ring at the chosen number of images."""
        places, sides = list(self.images), self._sides()
        is_below = [side == BELOW_LINE for side in sides]
        without = f"{LABELS['without_release']}: {percent_up(self.base_rate)}%"
        words = [f"{percent_up(guess)}%" for guess in self.guesses]
        labels = [
            f"<b>{word}</b>" if images == self.current else word
            for word, images in zip(words, places, strict=True)
        ]
        ends = [math.log10(places[0]) - 0.08, math.log10(places[-1]) + 0.08]
        ticks = {
            "type": "log",
            "range": ends,
            "tickvals": places,
            "ticktext": list(map(str, places)),
        }
        return make_figure(
            [
                scatter(
                    places,
                    list(self.guesses),
                    "lines+markers",
                    name=LABELS["with_release"],
                    line=stroke(ACCENT, 2.6),
                    marker={"size": 8, "color": ACCENT},
                    text=words,
                    cliponaxis=False,
                    showlegend=False,
                    **hover("%{text}", LABELS["with_release"]),
                ),
                scatter(
                    [
                        x * RIGHT_OF_RING if below else x
                        for x, below in zip(places, is_below, strict=True)
                    ],
                    [
                        guess - LABEL_GAP if below else guess + LABEL_GAP
                        for guess, below in zip(self.guesses, is_below, strict=True)
                    ],
                    "text",
                    text=labels,
                    textposition=sides,
                    cliponaxis=False,
                    **SILENT,
                ),
                rings([self.current], [self.guess], 16),
            ],
            HEIGHT,
            MARGINS | {"t": 8, "r": 26},
            xaxis=make_axis(AXES["person_images"], TITLE_GAP, **ticks, **WITHIN_MARGINS),
            yaxis=share_axis(
                AXES["prior_guess"], SIDE_TITLE_GAP, range=[0.48, 1.05], dtick=0.1, **WITHIN_MARGINS
            ),
            shapes=[horizontal_line(self.base_rate)],
            annotations=[note(without, 1, self.base_rate, "right bottom", xref="paper", yshift=3)],
        )


@dataclass(frozen=True)
class EpsilonByDelta:
    """Privacy curve.

    Attributes:
        deltas: from small to large; epsilons: at these, finite.
        delta, epsilon: the chosen point; delta 0 is not drawn.
    """

    deltas: tuple[float, ...]
    epsilons: tuple[float, ...]
    delta: float
    epsilon: float

    @classmethod
    def from_curve(
        cls, deltas: Sequence[float], epsilons: Sequence[float], delta: float, epsilon: float
    ) -> EpsilonByDelta:
        """The chart's data; points without a finite epsilon are left out."""
        points = sorted(
            (float(d), float(e)) for d, e in zip(deltas, epsilons, strict=True) if math.isfinite(e)
        )
        return cls(tuple(d for d, _ in points), tuple(e for _, e in points), delta, epsilon)

    def alt(self) -> str:
        return ALTS["epsilon_by_delta"]

    def table(self) -> list[dict[str, float]]:
        """A row for each delta."""
        pairs = zip(self.deltas, self.epsilons, strict=True)
        return [{"delta": delta, "epsilon": epsilon} for delta, epsilon in pairs]

    def figure(self) -> go.Figure:
        """The curve, and a ring at the chosen point."""
        line: dict[str, Any] = {
            "line": stroke(ACCENT, 2.6),
            "marker": {"size": 6, "color": ACCENT},
            "customdata": [number_up(epsilon) for epsilon in self.epsilons],
            "showlegend": False,
        }
        words = hover("δ = %{x:.1e}: ε ≤ %{customdata}")
        chosen = [rings([self.delta], [self.epsilon], 13)] if self.delta else []
        return make_figure(
            [
                scatter(list(self.deltas), list(self.epsilons), "lines+markers", **line | words),
                *chosen,
            ],
            HEIGHT,
            MARGINS | {"t": 14, "r": 26},
            xaxis=make_axis(
                AXES["delta"],
                TITLE_GAP,
                type="log",
                dtick=2,
                exponentformat="power",
                **WITHIN_MARGINS,
            ),
            yaxis=make_axis(AXES["epsilon"], SIDE_TITLE_GAP, rangemode="tozero", **WITHIN_MARGINS),
        )
