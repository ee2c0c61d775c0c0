"""Optuna's own plots of a study in the house's look: scores as they came, what mattered, each
setting by itself.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go

from dpviz.plots.kit.style import ACCENT, FONT, GREY, GRID, look, rgba

if TYPE_CHECKING:
    import optuna

AGES = [[0, rgba(GREY, 0.35)], [1, ACCENT]]
"""Colours from the first trial to the last, to be told apart on a light and on a dark page."""
FEWEST = 4
"""Scored trials below which nothing can be said of what mattered."""


def history_alt(metric: str) -> str:
    """The main chart in words."""
    return (
        f"Accuracy, {metric}, of each trial in the order they were run, from 0 to 100 %, with the"
        " best so far as a line."
    )


def history(study: optuna.Study, metric: str, method: str) -> go.Figure:
    """Score by trial, in the method's look, and the best so far."""
    from optuna.visualization import plot_optimization_history

    figure = _quiet(plot_optimization_history, study, target_name=metric)
    for trace in figure.data:
        if trace.mode == "markers":
            trace.update(
                name="one trial",
                marker={"color": look(method).colour, "symbol": look(method).marker, "size": 9},
                hovertemplate="trial %{x}: %{y:.1%}<extra></extra>",
            )
        else:
            trace.update(
                name="best so far",
                line={"color": ACCENT, "width": 2.5, "shape": "hv"},
                hovertemplate="%{y:.1%}<extra>best so far</extra>",
            )
    figure.data = tuple(
        t
        for t in figure.data
        if t.name in ("one trial", "best so far") and t.x is not None and len(t.x)
    )
    _house(figure, 400)
    axis = {
        "range": [0, 1],
        "tickformat": ".0%",
        "dtick": 0.2,
        "gridcolor": GRID,
        "zeroline": False,
        "fixedrange": True,
    }
    figure.update_yaxes(title=None, **axis)
    figure.update_xaxes(title="trial", gridcolor=GRID, zeroline=False, fixedrange=True)
    return figure


def importances(study: optuna.Study, method: str) -> go.Figure | None:
    """How much of the scores' spread each setting explains; None where too little was tried to say."""
    from optuna.importance import PedAnovaImportanceEvaluator
    from optuna.trial import TrialState
    from optuna.visualization import plot_param_importances

    scored = study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))
    if len(scored) < FEWEST or len({t.value for t in scored}) < 2 or len(scored[0].params) < 2:
        return None
    figure = _quiet(plot_param_importances, study, evaluator=PedAnovaImportanceEvaluator())
    figure.update_traces(marker={"color": look(method).colour})
    _house(figure, 110 + 34 * len(scored[0].params))
    figure.update_xaxes(title="importance (PED-ANOVA)", gridcolor=GRID, fixedrange=True)
    figure.update_yaxes(title=None, fixedrange=True)
    return figure


def slices(study: optuna.Study) -> go.Figure:
    """Score against each setting; the later a trial, the stronger its colour."""
    from optuna.visualization import plot_slice

    figure = _quiet(plot_slice, study)
    figure.update_traces(
        marker={
            "size": 9,
            "line": {"width": 0.5, "color": GREY},
            "showscale": False,
            "colorscale": AGES,
        },
        showlegend=False,
    )
    _house(figure, 340)
    figure.update_yaxes(
        range=[0, 1], tickformat=".0%", dtick=0.2, gridcolor=GRID, fixedrange=True, title=None
    )
    figure.update_xaxes(gridcolor=GRID, fixedrange=True)
    return figure


def _quiet(draw: Any, *what: Any, **more: Any) -> go.Figure:
    """Optuna warns of what is shown on the page anyway: that its evaluators are new, that trials
    were refused.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return draw(*what, **more)


def _house(figure: go.Figure, height: int) -> None:
    figure.update_layout(
        title=None,
        template=None,
        height=height,
        width=None,
        font={"size": FONT},
        margin={"l": 8, "r": 14, "t": 8, "b": 8},
    )
    figure.update_layout(
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        legend={"orientation": "h", "y": 1.08, "x": 0, "yanchor": "bottom"},
    )
