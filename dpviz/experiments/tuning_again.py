"""Reruns of the best setting of a study, with fresh noise.

The best of many noisy runs has a score that is too high on average (winner's curse). Its setting
and the default setting are rerun on fresh noise. No two runs share noise, so their costs add up to
a bound. All runs use the test records of the study, so selection on these records remains.

Source: Cawley & Talbot 2010 (selection bias); Thaler 1988, *The winner's curse*.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dpviz.experiments import experiment, units
from dpviz.experiments.tuning import Tuned
from dpviz.privacy.composition import composed_epsilon
from dpviz.stats import Interval, accuracy, signs
from dpviz.types import Result, RunSpec

#: Reruns of the best setting, and of the default setting.
REPEATED_RUNS = 20
#: Offset of their noise seeds, above that of all trials of a study.
FIRST_SEED_OFFSET = 500_000


@dataclass(frozen=True)
class Merit:
    """Scores of the best and the default setting on fresh noise.

    Attributes:
        won: score in the study; winner, default: scores of the reruns.
        sign: 1 if the best setting is significantly better than the default, -1 if worse, else 0.
    """

    won: float
    winner: Interval
    default: Interval
    sign: int


def winner_again(study: Tuned) -> tuple[RunSpec, ...]:
    """Return reruns of the best setting, or of the default if there is none."""
    params = {} if study.best is None else study.trials[study.best].params
    return tuple(
        study.search.spec(tuple(params.items()), FIRST_SEED_OFFSET + k)
        for k in range(REPEATED_RUNS)
    )


def default_again(study: Tuned) -> tuple[RunSpec, ...]:
    """Return reruns of the default setting."""
    return tuple(
        study.search.spec((), FIRST_SEED_OFFSET + REPEATED_RUNS + k) for k in range(REPEATED_RUNS)
    )


def merit(study: Tuned, winner: Sequence[Result], default: Sequence[Result]) -> Merit:
    """Compare the reruns of a study with a best trial."""
    assert study.best is not None
    metric = study.search.metric
    tuned_accuracy, usual = accuracy(winner, metric), accuracy(default, metric)
    sign = signs({"": (usual, tuned_accuracy)})[""]
    return Merit(study.trials[study.best].score, tuned_accuracy, usual, sign)


def cost(study: Tuned) -> float:
    """Return epsilon of all trials and reruns together, at the delta of the budget.

    It is inf if the noise depends on a private number.
    """
    search = study.search
    if units.read_off(search.spec()):
        return float("inf")
    trials = [search.spec(tuple(trial.params.items())) for trial in study.trials]
    specs = [*trials, *winner_again(study), *default_again(study)]
    events = (e for spec in specs for e in experiment.planned(spec).events.values())
    return composed_epsilon(events, search.budget.delta)
