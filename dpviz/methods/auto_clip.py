"""Automatic clipping: gradients are brought to one length instead of clipped where they are long.

Gamma's default is the paper's. That of the learning rate is the probe's times its clip norm: a
record whose gradient the probe clips moves a step as far here.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from dpviz import mechanisms, privacy
from dpviz.lazy_imports import torch
from dpviz.mechanisms import Seed
from dpviz.methods.components import noisy_descent
from dpviz.methods.components.clipped_gradients import (
    WHOLE,
    Block,
    Problem,
    Watch,
    example_heads,
    gradient_norms,
)
from dpviz.methods.components.privacy_unit import PrivacyUnits, gaussian, squared_mu
from dpviz.methods.components.worst_neighbours import (
    TURNING,
    first_weights_apart,
    one_more,
    records,
)
from dpviz.types.audit_case import AuditCase, EventCase
from dpviz.types.budget import Budget
from dpviz.types.dataset import Dataset, Sizes
from dpviz.types.guarantee import Plan
from dpviz.types.line_style import MUSTARD, LineStyle
from dpviz.types.method import Losses, Method, Param, Query
from dpviz.types.release import Fit

KEY = "auto-clip"
SOURCE = "Bu et al. 2023, automatic clipping (AUTO-S), with full batches"
LR = dataclasses.replace(
    noisy_descent.LR,
    help="Step size on the sum of normalized gradients divided by the record count.",
    default=18.0,
)
GAMMA = Param(
    "gamma",
    "Stability γ",
    "Each gradient is divided by its norm plus γ. Near 0, all records have the same weight."
    " Large values leave gradients unchanged.",
    0.01,
    1e-3,
    10.0,
    log=True,
)
LONGEST = math.sqrt(2)
"""No gradient of a record is longer: features have norm 1, and a probability vector lies at most
this far from a label.
"""


def sensitivity(gamma: float) -> float:
    """How far a record moves the sum of normalised gradients at most, below 1: t / (t + gamma)
    grows with t, and no gradient is longer than LONGEST.
    """
    return LONGEST / (LONGEST + gamma)


def plan(sizes: Sizes, budget: Budget, params: Mapping[str, Any]) -> Plan:
    """A noisy count of the records, unless one is public, and ``steps`` Gaussian releases of the
    normalised gradient sum.
    """
    count_event, mu = noisy_descent.records_event(params, privacy.mu_for(budget))
    event = privacy.gaussian(sensitivity(params["gamma"]), mu, params["steps"])
    return privacy.make_plan(KEY, params, budget, count_event | {"gradients": event}, source=SOURCE)


def fit(data: Dataset, plans: list[Plan], seeds: list[Seed]) -> Fit:
    """One linear head a plan and seed, from zero; a cell's bits do not depend on its batch.

    Guarantee: mu-GDP with mu = sqrt(steps) * sensitivity(gamma) / sigma under add/remove.
    """
    problem = Problem.from_dataset(data)
    weights = noisy_descent.map_cells(
        plans, seeds, lambda plans, seeds: descend(data, problem, plans, seeds)
    )
    return Fit(noisy_descent.heads(np.concatenate(weights), len(plans)))


def descend(
    data: Dataset,
    problem: Problem,
    plans: list[Plan],
    seeds: list[Seed],
    watch: Watch | None = None,
) -> np.ndarray:
    """Noisy gradient descent on softmax cross-entropy for stacked cells: (cells, C, d) float32."""
    params, shape = plans[0].params, (problem.onehot.shape[0], problem.x.shape[1])
    events = [plan.gaussian("gradients") for plan in plans]
    counts = [noisy_descent.record_count(data, p, s) for p, s in zip(plans, seeds, strict=True)]

    def summed(w: np.ndarray) -> tuple[np.ndarray, float]:
        return normalised_sums(problem, w, params["gamma"], watch), mechanisms.FINE

    steps = [params["lr"] / count for count in counts]
    return noisy_descent.descend(KEY, shape, events, seeds, steps, 1.0, summed)


def normalised_sums(
    problem: Problem, w: np.ndarray, gamma: float, watch: Watch | None = None
) -> np.ndarray:
    """Sum over the records of g / (|g| + gamma) under heads w (cells, C, d): (cells, C, d) float64.

    Rounding to the grid may add half a step in each class, so gradients are made that much shorter
    than the sensitivity, and a step more for what single precision is off by.
    """
    classes = w.shape[1]
    rounding = (1 + classes**0.5 / 2 + classes / WHOLE) / (WHOLE * sensitivity(gamma))
    sums, blocks = torch.zeros(w.shape, dtype=torch.float64), []
    for block in problem.blocks(w):
        sums += block.clipped_sum((block.norms + gamma) / (1 - rounding))
        if watch is not None:
            blocks.append(block)
    if watch is not None:
        watch(blocks)
    return sums.numpy()


# ----------------------------------------------------- losses of records, queries, audit cases


def losses(data: Dataset, plan: Plan, seed: int) -> Losses:
    """mu_i^2 = sum over steps of (|g_i| / (|g_i| + gamma) / sigma)^2; of a person the norm of what
    all records add.
    """
    problem, event, units = (
        Problem.from_dataset(data),
        plan.gaussian("gradients"),
        PrivacyUnits.from_dataset(data, plan),
    )
    total = np.zeros(units.count)

    def watch(blocks: list[Block]) -> None:
        total[:] += squared_mu(gradient_norms(units, blocks, problem.exact), event)

    descend(data, problem, [plan], [seed], watch)
    return gaussian(total + noisy_descent.loss_of_count(units, plan), plan)


def queries(plan: Plan) -> dict[str, Query]:
    """The normalised gradients' sum under the head of the step before."""

    def sums(data: Dataset, plan: Plan, head: np.ndarray) -> np.ndarray:
        return normalised_sums(Problem.from_dataset(data), head[None], plan.params["gamma"])

    return {"gradients": Query(sums, example_heads)} | noisy_descent.records_query(plan)


SLOW = {"lr": 0.001, "count": "public", "batch": 1}


def _case() -> AuditCase:
    """A record among others that have no gradient."""
    base, labels = [[0.0], [0.0]], [0, 1]
    more, less = records([*base, [1.0]], [*labels, 0]), records(base, labels)
    return AuditCase(SLOW | {"steps": 4}, more, less, first_weights_apart)


def event_cases() -> list[EventCase]:
    """A record that moves all classes and features of one step; and one that moves two steps in two
    directions, as the records beside it have turned the head round before the second.
    """
    return [
        EventCase(SLOW | {"steps": 1}, *noisy_descent.off_axis_pair(), ("gradients",)),
        EventCase(SLOW | {"steps": 2, "lr": 0.5}, *one_more(*TURNING), ("gradients",)),
        noisy_descent.count_case(),
    ]


METHOD = Method(
    key=KEY,
    title="Automatic clipping",
    source=SOURCE,
    summary=(
        "Private linear probe with normalized gradients, so no clip norm to choose. Measured:"
        " equal to a well-chosen clip norm, or worse."
    ),
    params=(LR, noisy_descent.COUNT, noisy_descent.BATCH, noisy_descent.STEPS, GAMMA),
    plan=plan,
    fit=fit,
    line_style=LineStyle(MUSTARD, "longdash", "star-triangle-up"),
    losses=losses,
    queries=queries,
    event_cases=event_cases,
    cases=lambda: [_case()],
)
