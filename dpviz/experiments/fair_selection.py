"""Private selection of settings with equal effort, where no labeled public set exists.

Each method gets a study by random search with a secret number of trials. The budget of a trial is
the largest at which showing only the best costs at most the given epsilon.

Source: Papernot and Steinke 2022, Theorem 2, by ``privacy.private_selection``.
"""

from __future__ import annotations

import math

from dpviz import methods
from dpviz.experiments import experiment, tuning, units
from dpviz.experiments.fair_tuning import GRIDS, SETTINGS_PER_PREPARATION, FairSearch, moved_numbers
from dpviz.experiments.tuning import Search
from dpviz.types import Budget, DpvizError

COUNT_DISTRIBUTION = "geometric"
"""Distribution of the number of trials."""
HALVINGS = 12
"""Halvings of the interval, on a log scale, that holds a trial's budget."""
MIN_EPSILON_SHARE = 1e-3
"""Share of epsilon below which a trial is useless."""


def studies(search: FairSearch, epsilon: float) -> tuple[Search, ...]:
    """A study of each method that costs at most ``epsilon`` at the search's delta.

    Raises:
        DpvizError: where no selection theorem holds, or no trial is affordable.
    """
    tuned = [key for key in search.methods if tuned_names(key)]
    if not tuned:
        raise DpvizError("These methods have no numeric settings to tune. Choose another method.")
    return tuple(_study(search, key, epsilon) for key in tuned)


def tuned_names(key: str) -> tuple[str, ...]:
    """Names of the settings of a method that are tuned."""
    if key in GRIDS:
        return tuple(sorted({name for params in GRIDS[key] for name in params}))
    return tuple(param.name for param in moved_numbers(methods.get(key)))


def price(study: Search) -> float:
    """Epsilon of showing only the best of a study."""
    return tuning.costs(study, ()).selected[COUNT_DISTRIBUTION]


def _study(search: FairSearch, key: str, epsilon: float) -> Search:
    def at(value: float) -> Search:
        return Search(
            **search.facts,
            method=key,
            budget=Budget(value, delta=search.delta),
            trials=SETTINGS_PER_PREPARATION,
            sampler="random",
            count=COUNT_DISTRIBUTION,
            only=tuned_names(key),
            seed=search.seed,
        )

    if units.read_off(at(epsilon).spec()):
        raise DpvizError(units.UNRELEASABLE)
    low, high = math.log(epsilon * MIN_EPSILON_SHARE), math.log(epsilon)
    if price(at(math.exp(low))) > epsilon:
        raise DpvizError(
            f"ε = {epsilon:g} is too small for private selection with {key}. Use a larger ε."
        )
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if price(at(math.exp(middle))) <= epsilon else (low, middle)
    experiment.planned(at(math.exp(low)).spec())
    return at(math.exp(low))
