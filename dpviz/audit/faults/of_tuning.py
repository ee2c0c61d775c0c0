"""A mistake in what is not counted: the runs that nobody is shown."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from dpviz.audit.faults.model import Make, Mistake, Setting, as_planned
from dpviz.methods import noisy_gd
from dpviz.methods.components.worst_neighbours import records
from dpviz.types import Budget, Dataset, Method, Plan, Release

RATES = (1.0, 3.0, 10.0, 30.0, 60.0, 100.0, 300.0, 1000.0)
"""Learning rates that are tried."""
TRIAL = 10**12
"""Seeds of one trial, which no other trial has."""


def _best_of_all(method: Method) -> Make:
    """A run at every learning rate, each at the full budget; the one that is shown is right on most
    of the private records.
    """
    honest = as_planned(method)

    def make(data: Dataset, plan: Plan, seeds: Sequence[int]) -> list[Release]:
        trials = []
        for trial, rate in enumerate(RATES, start=1):
            tried = dataclasses.replace(plan, params={**plan.params, "lr": rate})
            trials.append(honest(data, tried, [trial * TRIAL + seed for seed in seeds]))
        return [max(runs, key=lambda run: _right(run, data)) for runs in zip(*trials, strict=True)]

    return make


def _right(release: Release, data: Dataset) -> float:
    """Share of the private records that it gets right."""
    return float(np.mean(release.predict(data.x) == data.y))


def _casting_vote(method: Method, budget: Budget) -> Setting:
    """Two records that no rule can both get right, and one more that decides which rule is best."""
    base, labels = [[1.0, 0.0]] * 2, [0, 1]
    return Setting(
        method,
        {"steps": 1, "count": "public", "batch": 1},
        budget,
        records([*base, [1.0, 0.0]], [*labels, 0]),
        records(base, labels),
        lambda release, data: np.sign(release.weights[0, 0] - release.weights[1, 0]),
        "two records that contradict each other, and one more that has the casting vote",
    )


TUNED = Mistake(
    "tuned-for-free",
    "Tuned for free",
    "Several settings are tried on the private records and only the best is shown, as if the"
    " others had never been run.",
    f"K = {len(RATES)} runs, each with the whole budget; the best by accuracy on the private"
    " records is released. Runs compose, and the choice itself reads the records without noise.",
    "Papernot & Steinke 2022, “Hyperparameter tuning with Rényi differential privacy” (ICLR)",
    "https://arxiv.org/abs/2110.03620",
    "Choose settings on public data; or pay for all runs, or by a theorem for a random number of"
    " runs with a private score.",
    (noisy_gd.KEY,),
    _best_of_all,
    setting=_casting_vote,
)
