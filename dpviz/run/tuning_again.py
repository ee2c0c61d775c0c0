"""What the winner of a study is worth: run again, with noise that did not choose it.

The best of many noisy runs is partly lucky, so its own score is too high. Its setting is run again
on fresh noise, and so is the method's default, which nobody chose by looking. No two runs share
their noise, or their costs would not add up to a bound. All are scored on the study's test records,
so what luck the winner had with those stays in.

Source: Cawley & Talbot 2010 (selection bias); Thaler 1988, *The winner's curse*.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dpviz.privacy.composition import composed_epsilon
from dpviz.run import experiment, units
from dpviz.run.tuning import Tuned
from dpviz.stats import Interval, accuracy, signs
from dpviz.types import Result, RunSpec

REPEATED_RUNS = 20
"""Runs of the winner, and as many of the default."""
FIRST_SEED_OFFSET = 500_000
"""Noise of the first of them, behind that of every trial a study can have."""


@dataclass(frozen=True)
class Merit:
    """What a study's winner and the default give on fresh noise.

    Attributes:
        won: the score by which the winner was chosen; winner, default: of the runs again.
        sign: 1 if the winner's setting is better than the default, -1 if worse, 0 if noise lets
            nobody tell.
    """

    won: float
    winner: Interval
    default: Interval
    sign: int

    @property
    def lucky(self) -> bool:
        """Whether the score that won lies above what its setting gives on average."""
        return self.won > self.winner.high


def winner_again(study: Tuned) -> tuple[RunSpec, ...]:
    """Runs of the winning setting; of the default where there is no winner."""
    params = {} if study.best is None else study.trials[study.best].params
    return tuple(
        study.search.spec(tuple(params.items()), FIRST_SEED_OFFSET + k)
        for k in range(REPEATED_RUNS)
    )


def default_again(study: Tuned) -> tuple[RunSpec, ...]:
    """Runs of the default."""
    return tuple(
        study.search.spec((), FIRST_SEED_OFFSET + REPEATED_RUNS + k) for k in range(REPEATED_RUNS)
    )


def merit(study: Tuned, winner: Sequence[Result], default: Sequence[Result]) -> Merit:
    """What the runs again say of a study that has a best trial."""
    assert study.best is not None
    metric = study.search.metric
    tuned_accuracy, usual = accuracy(winner, metric), accuracy(default, metric)
    sign = signs({"": (usual, tuned_accuracy)})[""]
    return Merit(study.trials[study.best].score, tuned_accuracy, usual, sign)


def cost(study: Tuned) -> float:
    """Epsilon of all trials and of the runs again together, at the budget's delta; inf where it may
    not be told.
    """
    search = study.search
    if units.read_off(search.spec()):
        return float("inf")
    trials = [search.spec(tuple(trial.params.items())) for trial in study.trials]
    specs = [*trials, *winner_again(study), *default_again(study)]
    events = (e for spec in specs for e in experiment.planned(spec).events.values())
    return composed_epsilon(events, search.budget.delta)
