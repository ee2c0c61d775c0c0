"""Optuna's own plots of a study in the house's look: scores as they came, what mattered, each
setting by itself.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go

from dpviz.formatting import METRIC_WORDS
from dpviz.plots.kit import axes, figures
from dpviz.plots.kit.style import ACCENT, GREY, line_style, rgba
from dpviz.plots.kit.traces import hover, stroke

if TYPE_CHECKING:
    import optuna

AGES = [[0, rgba(GREY, 0.35)], [1, ACCENT]]
"""Colours from the first trial to the last, to be told apart on a light and on a dark page."""
FEWEST = 4
"""Scored trials below which nothing can be said of what mattered."""


@dataclass(frozen=True, eq=False)
class Trials:
    """A study of a method's settings, and the metric that is its score."""

    study: optuna.Study
    metric: str
    method: str


def info(study: optuna.Study, metric: str, method: str) -> Trials:
    """The charts' data; Optuna takes scores and settings out of the study itself."""
    return Trials(study, metric, method)


def alt(trials: Trials) -> str:
    """The main chart in words."""
    return (
        f"Accuracy, {METRIC_WORDS[trials.metric]}, of each trial in the order they were run, from 0"
        " to 100 %, with the best so far as a line."
    )


def figure(trials: Trials) -> go.Figure:
    """Score by trial, in the method's look, and the best so far."""
    from optuna.visualization import plot_optimization_history

    figure = _quiet(plot_optimization_history, trials.study, target_name=trials.metric)
    style = line_style(trials.method)
    mark = {"color": style.colour, "symbol": style.marker, "size": 9}
    trial = {"name": "one trial", "marker": mark} | hover("trial %{x}: %{y:.1%}")
    best = {"name": "best so far", "line": stroke(ACCENT, 2.5) | {"shape": "hv"}}
    best |= hover("%{y:.1%}", "best so far")
    for trace in figure.data:
        trace.update(trial if trace.mode == "markers" else best)
    figure.data = tuple(t for t in figure.data if t.x is not None and len(t.x))
    return _project_style(figure, 400).update_yaxes(axes.share()).update_xaxes(axes.axis("trial"))


def importances(trials: Trials) -> go.Figure | None:
    """How much of the scores' spread each setting explains; None where too few were tried."""
    from optuna.importance import PedAnovaImportanceEvaluator
    from optuna.trial import TrialState
    from optuna.visualization import plot_param_importances

    study, style = trials.study, line_style(trials.method)
    scored = study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))
    if len(scored) < FEWEST or len({t.value for t in scored}) < 2 or len(scored[0].params) < 2:
        return None
    figure = _quiet(plot_param_importances, study, evaluator=PedAnovaImportanceEvaluator())
    figure.update_traces(marker={"color": style.colour})
    return _project_style(figure, 110 + 34 * len(scored[0].params)).update_xaxes(
        axes.axis("importance (PED-ANOVA)", zeroline=True)
    )


def slices(trials: Trials) -> go.Figure:
    """Score against each setting; the later a trial, the stronger its colour."""
    from optuna.visualization import plot_slice

    figure = _quiet(plot_slice, trials.study)
    figure.update_traces(
        marker={"size": 9, "line": stroke(GREY, 0.5), "showscale": False, "colorscale": AGES},
        showlegend=False,
    )
    scores = axes.share(zeroline=True)
    return _project_style(figure, 340).update_yaxes(scores).update_xaxes(axes.axis(zeroline=True))


def _quiet(draw: Any, *what: Any, **more: Any) -> go.Figure:
    """Optuna warns of what is shown on the page anyway: that its evaluators are new, that trials
    were refused.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return draw(*what, **more)


def _project_style(figure: go.Figure, height: int) -> go.Figure:
    """In the house's look, without Optuna's template, title and grounds."""
    clear = dict.fromkeys(("paper_bgcolor", "plot_bgcolor"), "rgba(0,0,0,0)")
    figure.update_layout(template=None, title=None, width=None, **clear)
    legend = {"y": 1.08, "yanchor": "bottom"} | figures.CLICKABLE
    figure.update_layout(figures.shared(height, {"r": 14}) | {"legend": legend})
    return figure.update_yaxes(title=None)
