"""Report of a study: its best setting, its score and its cost, and all trials only where they are
what was paid for. A choice by the minority score is a private view.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from dpviz.run import experiment
from dpviz.run.result_files import PRIVATE, PRIVATE_VIEW, READING
from dpviz.run.tuning import Tuned
from dpviz.types import Guarantee

REPLAY = "Number and noise follow from the seed here: a replay for teaching, not a release."


def summary(tuned: Tuned) -> dict[str, Any]:
    """The one object that ``tune --json`` prints; what its guarantee does not cover stands under
    ``private_view``.
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
    """What ``epsilon.of_what_is_told`` covers."""
    if tuned.costs.holds:
        return "the best alone"
    if tuned.search.scores_privately:
        return "the releases of all trials, without their scores"
    return "all trials"


def _default_guarantee(tuned: Tuned) -> Guarantee:
    """The guarantee of a trial with default settings."""
    return experiment.planned(tuned.search.spec()).guarantee


def unit(tuned: Tuned) -> str:
    """To whom each trial promises its epsilon."""
    return _default_guarantee(tuned).unit


def setting(params: Mapping[str, Any]) -> str:
    """A setting in words."""
    return ", ".join(
        f"{name} = {value:.3g}" if isinstance(value, float) else f"{name} = {value}"
        for name, value in params.items()
    )


def sentence(tuned: Tuned) -> str:
    """The study in a few sentences: the best setting, and what telling it costs."""
    costs, delta = tuned.costs, tuned.search.budget.delta
    free = f"papers print ε = {costs.one:.4g}, as if tuning were free"
    if tuned.best is None:
        return nothing(tuned)
    best = tuned.trials[tuned.best]
    whom = f" ({unit(tuned)})" if tuned.search.unit == "person" else ""
    private = f" {PRIVATE_VIEW}:" if tuned.search.scores_privately else ""
    outcome = (
        f"{tuned.search.method} at {tuned.search.budget} a trial{whom}:{private} {best.score:.1%}"
        f" {tuned.search.metric} with {setting(best.params)}"
    )
    if costs.holds:
        return (
            f"{outcome}.\nAt δ = {delta:g}: ε = {tuned.cost:.4g} for the best alone with a secret"
            f" {tuned.search.count} number of mean {costs.mean:g}; {free}. {costs.applies} {REPLAY}"
        )
    if tuned.search.scores_privately:
        return (
            f"{outcome} (best of {len(tuned.trials)} trials).\nAt δ = {delta:g}: ε ="
            f" {costs.composed:.4g} for the releases of all trials together, without their scores;"
            f" {free}. {costs.applies}"
        )
    name, epsilon = min(costs.selected.items(), key=lambda pair: pair[1])
    return (
        f"{outcome} (best of {len(tuned.trials)} trials).\nAt δ = {delta:g}: ε ="
        f" {costs.composed:.4g} for all trials together; ε = {epsilon:.4g} for the best alone with"
        f" a secret {name} number of mean {costs.mean:g}; {free}. {costs.applies}"
    )


def nothing(tuned: Tuned) -> str:
    """Why there is no best setting; not how many trials there were, where that is secret."""
    if tuned.costs.holds:
        return "No trial gave a result, so there is nothing to show."
    return "The number drawn was 0: no trial, nothing to show."
