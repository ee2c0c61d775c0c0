"""A private count of each class's records: no head, and here for what its low bits tell alone."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from dpviz import mechanisms, privacy
from dpviz.methods.components.worst_neighbours import first_weight, records
from dpviz.types import AuditCase, Budget, Dataset, Fit, Guarantee, Method, Plan, Release, Sizes
from dpviz.types.line_style import GREY, LineStyle

KEY = "count"
SOURCE = "Ghosh, Roughgarden & Sundararajan 2009, the geometric mechanism"


def plan(sizes: Sizes, budget: Budget, params: Mapping[str, Any]) -> Plan:
    """Epsilon of the budget where it is (epsilon, delta), else the sqrt(2 rho) that rho allows."""
    rho = privacy.rho_for(budget)
    epsilon = budget.value if budget.axis == "approx" else math.sqrt(2 * rho)
    promise = Guarantee(
        "pure",
        epsilon,
        budget.delta,
        privacy.ADD_REMOVE,
        "the set of classes",
        epsilon,
        epsilon**2 / 2,
        SOURCE,
        "one record",
        "at the labels",
    )
    return Plan(KEY, dict(params), {}, promise, {"epsilon": epsilon})


def fit(data: Dataset, plans: list[Plan], seeds: list[int]) -> Fit:
    """A noisy count of each class, one weight (C, 1) float64 each: nothing to classify by.

    Guarantee: epsilon-DP under add/remove; a record is in one class.
    """
    return Fit([[released(_counts(data, p, seed)) for seed in seeds] for p in plans])


def released(counts: np.ndarray) -> Release:
    """Noisy counts (C,) as a release."""
    return Release(counts[:, None], np.zeros(len(counts), np.float32))


def _counts(data: Dataset, plan: Plan, seed: int) -> np.ndarray:
    counts = np.array(data.counts, float)
    return mechanisms.whole_laplace(counts, plan.notes["epsilon"], seed, KEY)


def mean_count_error(release: Release, data: Dataset) -> float:
    """How many records the counts are off, in the mean over classes."""
    return float(np.abs(release.weights[:, 0] - data.counts).mean())


def case() -> AuditCase:
    """Whether there is anyone at all in a class."""
    with_record, without_record = records([[1.0], [1.0]], [0, 1]), records([[1.0]], [1])
    return AuditCase({}, with_record, without_record, first_weight)


COUNT = Method(
    key=KEY,
    title="Count of each class",
    source=SOURCE,
    summary="How many records each class has, with noise: no classifier.",
    params=(),
    plan=plan,
    fit=fit,
    look=LineStyle(GREY, "dot", "cross"),
    cases=lambda: [case()],
)
