"""Report of a study: best setting, score and privacy cost.

All trials are reported only if the cost covers them. A choice by the minority accuracy is a private
view.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from dpviz.experiments import experiment
from dpviz.experiments.result_files import PRIVATE, READING
from dpviz.experiments.tuning import Tuned
from dpviz.formatting import number_up
from dpviz.text import tuning_costs as text
from dpviz.text.template import render_text
from dpviz.types import Guarantee


def summary(tuned: Tuned) -> dict[str, Any]:
    """Return the object that ``tune --json`` prints; ``private_view`` holds values without a
    guarantee.
    """
    costs, number, guarantee = tuned.costs, tuned.best, _default_guarantee(tuned)
    search = dataclasses.asdict(tuned.search)
    scored = not tuned.search.scores_privately
    scope: dict[str, Any] = {"told": _scope(tuned)}
    best = None if number is None else tuned.trials[number]
    winner = {"best": best and {"params": best.params, "score": best.score}}
    hidden = {
        "seed": search.pop("seed"),
        "best_trial": number,
        "best_seed": None if number is None else tuned.search.spec(trial=number).seed,
    }
    (scope if scored and not costs.holds else hidden)["all_trials"] = {
        "number": len(tuned.trials),
        "epsilon": costs.composed,
        "each": [{"params": trial.params, "score": trial.score} for trial in tuned.trials],
    }
    return scope | {
        "search": search,
        **(winner if scored else {"best": None}),
        "epsilon": {
            "of_what_is_told": tuned.cost,
            "one_run_tuned_for_free": costs.one,
            "best_alone_shown": costs.selected,
            "best_alone_holds": costs.holds,
            "why": costs.applies,
        },
        "delta": tuned.search.budget.delta,
        **{name: getattr(guarantee, name) for name in READING},
        PRIVATE: hidden if scored else hidden | winner,
    }


def _scope(tuned: Tuned) -> str:
    """Return what ``epsilon.of_what_is_told`` covers."""
    if tuned.costs.holds:
        return text.SCOPES["best"]
    return text.SCOPES["without_scores" if tuned.search.scores_privately else "all"]


def _default_guarantee(tuned: Tuned) -> Guarantee:
    """Return the guarantee of a trial with default settings."""
    return experiment.planned(tuned.search.spec()).guarantee


def unit(tuned: Tuned) -> str:
    """Return the unit of privacy of each trial."""
    return _default_guarantee(tuned).unit


def setting(params: Mapping[str, Any]) -> str:
    """Return a setting as text."""
    return ", ".join(
        f"{name} = {value:.3g}" if isinstance(value, float) else f"{name} = {value}"
        for name, value in params.items()
    )


def sentence(tuned: Tuned) -> str:
    """Return the best setting and its privacy cost, one fact per line."""
    if tuned.best is None:
        return nothing(tuned)
    costs, search, best = tuned.costs, tuned.search, tuned.trials[tuned.best]
    case = "best_person" if search.unit == "person" else "best"
    outcome = render_text(
        text.REPORT["private" if search.scores_privately else case],
        method=search.method,
        budget=str(search.budget),
        unit=unit(tuned),
        score=f"{best.score:.1%}",
        metric=search.metric,
        settings=setting(best.params),
    )
    free = render_text(text.REPORT["free"], epsilon=f"{costs.one:.4g}")
    trials = render_text(text.REPORT["trials"], trials=len(tuned.trials))
    if costs.holds:
        lines = [outcome, _cost_line(tuned, "selected", tuned.cost, search.count), free]
        return "\n".join([*lines, costs.applies, text.REPORT["replay"]])
    if search.scores_privately:
        cost = _cost_line(tuned, "without_scores", costs.composed)
        return "\n".join([outcome, trials, cost, free, costs.applies])
    count, epsilon = min(costs.selected.items(), key=lambda pair: pair[1])
    cost = _cost_line(tuned, "composed", costs.composed)
    hidden = _cost_line(tuned, "hidden", epsilon, count)
    return "\n".join([outcome, trials, cost, hidden, free, costs.applies])


def _cost_line(tuned: Tuned, case: str, epsilon: float, count: str = "") -> str:
    return render_text(
        text.REPORT[case],
        epsilon=number_up(epsilon),
        delta=number_up(tuned.search.budget.delta),
        count=count,
        mean=f"{tuned.costs.mean:g}",
    )


def nothing(tuned: Tuned) -> str:
    """Return why there is no best setting, without the number of trials if it is secret."""
    return text.REPORT["nothing" if tuned.costs.holds else "zero"]
