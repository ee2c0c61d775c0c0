"""Values of Optuna studies by trial."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from itertools import accumulate

import plotly.graph_objects as go

from dpviz.plots.kit.drawing import (
    LEGEND_BELOW,
    MARGINS,
    hover,
    make_axis,
    make_figure,
    scatter,
    stroke,
)
from dpviz.plots.kit.style import ACCENT, GREY, rgba
from dpviz.text.charts import ALTS, AXES
from dpviz.text.template import render_text

HEIGHT = 320
#: Largest number of a trial up to which each has a tick.
MAX_SINGLE_TICKS = 10
#: Color, dash and marker of the first study and of the second.
STYLES = ((ACCENT, "", "circle"), (GREY, "dash", "square"))


@dataclass(frozen=True)
class StudyLine:
    """Complete trials of a study with one objective.

    Attributes:
        name: of the study; minimized: its direction; numbers, values: of its trials, in order.
    """

    name: str
    minimized: bool
    numbers: tuple[int, ...]
    values: tuple[float, ...]


@dataclass(frozen=True)
class StudyValues:
    """One study or two."""

    studies: tuple[StudyLine, ...]

    def alt(self) -> str:
        """The chart in words."""
        return render_text(ALTS["study_values"], names=[study.name for study in self.studies])

    def figure(self) -> go.Figure:
        """The value of each trial, and the best so far."""
        traces = []
        for study, (colour, dash, symbol) in zip(self.studies, STYLES, strict=False):
            name, best = escape(study.name), min if study.minimized else max
            traces += [
                scatter(
                    *(list(study.numbers), list(study.values), "markers"),
                    marker={"color": rgba(colour, 0.6), "symbol": symbol, "size": 7},
                    showlegend=False,
                    **hover("trial %{x}: %{y:.4g}", name),
                ),
                scatter(
                    *(list(study.numbers), list(accumulate(study.values, best))),
                    name=name,
                    line=stroke(colour, 2, dash) | {"shape": "hv"},
                    **hover("%{y:.4g}", name),
                ),
            ]
        few = max(max(study.numbers) for study in self.studies) <= MAX_SINGLE_TICKS
        steps = {"dtick": 1} if few else {}  # no half trials
        return make_figure(
            traces,
            HEIGHT,
            MARGINS | {"b": 70},
            xaxis=make_axis(AXES["trial"], tickformat="d", **steps),
            yaxis=make_axis(AXES["value"]),
            showlegend=True,
            legend=LEGEND_BELOW | {"orientation": "h"},
        )
