"""Fault in floating-point noise: private class counts with the textbook Laplace formula."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dpviz import mechanisms, privacy
from dpviz.audits.faults.model import Make, Mistake, Setting
from dpviz.methods.components.worst_neighbours import first_weight, records
from dpviz.text import faults as text
from dpviz.types import AuditCase, Budget, Dataset, Fit, Guarantee, Method, Plan, Release, Sizes
from dpviz.types.line_style import GREY, LineStyle

KEY = "count"
SOURCE = "Ghosh, Roughgarden & Sundararajan 2009, the geometric mechanism"


def plan(sizes: Sizes, budget: Budget, params: Mapping[str, Any]) -> Plan:
    """Epsilon of the budget where it is (epsilon, delta), else the sqrt(2 rho) that rho allows."""
    rho = privacy.rho_for(budget)
    epsilon = budget.value if budget.axis == "approx" else math.sqrt(2 * rho)
    claim = Guarantee(
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
    return Plan(KEY, dict(params), {}, claim, {"epsilon": epsilon})


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


def one_record_case() -> AuditCase:
    """Whether there is anyone at all in a class."""
    with_record, without_record = records([[1.0], [1.0]], [0, 1]), records([[1.0]], [1])
    return AuditCase({}, with_record, without_record, first_weight)


COUNT = Method(
    key=KEY,
    title="Class counts",
    source=SOURCE,
    summary="Noisy number of records per class; not a classifier.",
    params=(),
    plan=plan,
    fit=fit,
    line_style=LineStyle(GREY, "dot", "cross"),
    cases=lambda: [one_record_case()],
)

# ---------------------------------------------------------------------------- noise with low bits

PROOF_WEIGHT = 1e3
"""What a proof weighs against the number itself, which lies within this of the count."""


def _textbook(method: Method) -> Make:
    def make(data: Dataset, plan: Plan, seeds: Sequence[int]) -> list[Release]:
        counts, scale = np.array(data.counts, float), 1 / plan.notes["epsilon"]
        return [released(mechanisms.textbook_laplace(counts, scale, seed, KEY)) for seed in seeds]

    return make


def _empty_or_one(method: Method, budget: Budget) -> Setting:
    case = one_record_case()
    plan = method.plan(case.without_record.sizes, budget, {})

    def statistic(release: Release, data: Dataset) -> float:
        noisy, scale = release.weights[:1, 0], 1 / plan.notes["epsilon"]
        none, one = (mechanisms.could_be_textbook(noisy, c, scale)[0] for c in (0.0, 1.0))
        return PROOF_WEIGHT * (float(one) - float(none)) + float(noisy[0])

    return Setting(
        method,
        case.params,
        budget,
        case.with_record,
        case.without_record,
        statistic,
        text.FAULTS["low-bits"]["difference"],
    )


LOW_BITS = Mistake(
    "low-bits",
    "https://doi.org/10.1145/2382196.2382264",
    (KEY,),
    _textbook,
    setting=_empty_or_one,
    output_error=mean_count_error,
)
