"""Noisy gradient descent of linear heads from zero: what the private linear probe and the methods
that change what a record adds to a step share.

Every step is divided by a record count that is public, or released first with noise.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from dpviz import mechanisms, privacy
from dpviz.lazy_imports import torch
from dpviz.machine.threads import map_blocks, shares
from dpviz.mechanisms import Seed
from dpviz.methods.components.clipped_gradients import Problem, Watch
from dpviz.methods.components.privacy_unit import PrivacyUnits, squared_mu
from dpviz.methods.components.worst_neighbours import first_weights_apart, one_more, records
from dpviz.types.audit_case import AuditCase, EventCase
from dpviz.types.budget import Budget
from dpviz.types.dataset import Dataset
from dpviz.types.guarantee import Gaussian, Plan
from dpviz.types.method import Param, Query
from dpviz.types.release import Release

LR = Param(
    "lr",
    "Learning rate",
    "Step size, applied to the gradient sum after division by the record count.",
    60.0,
    1e-3,
    1e3,
    log=True,
)
COUNT = Param(
    "count",
    "Record count",
    "Divisor of the gradient sum. noisy: the number of records, released first with noise for 2%"
    " of ρ. public: B. The exact count would leak through the step size.",
    "noisy",
    choices=("noisy", "public"),
)
BATCH = Param(
    "batch",
    "Public record count B",
    "Assumed number of records, if the count is public.",
    2000,
    1,
    10_000_000,
    1,
    log=True,
    tuned=False,
)
STEPS = Param(
    "steps",
    "Steps",
    "Number of gradient steps. More steps mean more noise per step.",
    100,
    1,
    2000,
    1,
    log=True,
)
CLIP = Param(
    "clip",
    "Clip norm",
    "L2 bound on one record's gradient. Features have norm 1, so √2 or more clips nothing.",
    0.3,
    1e-3,
    1.5,
    log=True,
)
CELLS = 16
"""Cells stacked into one matrix product, at most: more gain little and hold more memory."""


RECORDS_SHARE = 0.02
"""Of rho, for the noisy count of the records."""
COUNTED_BUDGET = Budget(200.0)
"""Of which RECORDS_SHARE is enough to tell half the noise by."""
SLOW = {"clip": 0.1, "lr": 0.01, "count": "public", "batch": 1}
"""Settings of audit cases: gradients are clipped, and steps are so short that heads stay near 0."""


# ------------------------------------------------------------------------------- the record count


def records_event(params: Mapping[str, Any], mu: float) -> tuple[dict[str, Gaussian], float]:
    """The event that counts the records, if one does, and the mu that is left."""
    if params["count"] == "public":
        return {}, mu
    event = privacy.gaussian(1.0, mu * math.sqrt(RECORDS_SHARE))
    return {"records": event}, mu * math.sqrt(1 - RECORDS_SHARE)


def record_count(data: Dataset, plan: Plan, seed: Seed) -> float:
    """What sums are divided by: B, or the noisy count, not below its noise: post-processing."""
    if "records" not in plan.events:
        return plan.params["batch"]
    event = plan.gaussian("records")
    noise = mechanisms.standard_normal(seed, f"{plan.method} records", (1,))
    (count,) = mechanisms.add_gaussian(number_of_records(data, plan)[0], event, noise, grid=1)
    return max(float(count), event.sigma, 1.0)


def number_of_records(data: Dataset, plan: Plan, *_: Any) -> np.ndarray:
    """What the noisy count counts, records or persons who are clipped as a whole: (1, 1)."""
    persons = data.persons if clips_persons(plan) else None
    number = len(data.x) if persons is None else len(np.unique(persons))
    return np.full((1, 1), float(number))


def clips_persons(plan: Plan) -> bool:
    """Whether each person's summed gradient is clipped."""
    return plan.records_per_person > 0 and plan.params.get("person") == "clip"


def loss_of_count(units: PrivacyUnits, plan: Plan) -> np.ndarray:
    """mu^2 of being counted, with each record or as one person: (count,) float64."""
    if "records" not in plan.events:
        return np.zeros(units.count)
    counts = np.ones(units.count) if clips_persons(plan) else units.counts()
    return squared_mu(counts, plan.gaussian("records"))


def records_query(plan: Plan) -> dict[str, Query]:
    """The number of records, where it is counted."""
    return {"records": Query(number_of_records)} if "records" in plan.draws else {}


# -------------------------------------------------------------------------------------- the descent

Part = TypeVar("Part")


def map_cells(
    plans: list[Plan], seeds: list[Seed], fit_part: Callable[[list[Plan], list[Seed]], Part]
) -> list[Part]:
    """``fit_part`` of at most CELLS cells at a time, given the plan and the seed of each; cells in
    the order of ``heads``.
    """
    cells = [(plan, seed) for seed in seeds for plan in plans]

    def part(share: Sequence[tuple[Plan, Seed]]) -> Part:
        return fit_part([plan for plan, _ in share], [seed for _, seed in share])

    return list(map_blocks(part, shares(cells, CELLS)))


def heads(weights: np.ndarray, plans: int) -> list[list[Release]]:
    """Linear heads without a bias, ``[plan][seed]``, of weights (seeds * plans, C, d) in that
    order.
    """
    grid = weights.reshape(-1, plans, *weights.shape[1:]).swapaxes(0, 1)
    return [[Release(w, np.zeros(len(w), np.float32)) for w in row] for row in grid]


StepSums = Callable[[np.ndarray], tuple[np.ndarray, float]]
"""What a step releases under heads w (cells, C, k), in units of ``scale``: (cells, C, k) float64,
and the step of its grid.
"""


def descend(
    key: str,
    shape: tuple[int, int],
    events: Sequence[Gaussian],
    seeds: Sequence[Seed],
    steps: Sequence[float],
    scale: float,
    summed: StepSums,
    times: int | None = None,
) -> np.ndarray:
    """Heads (cells, *shape) float32 after as many steps as the events have, or ``times`` of them:
    ``steps[cell]`` times the noisy sum is taken off at each.

    Args:
        key: label of the noise, the same for a seed whatever the cell's budget.
        scale: what one unit of the sums stands for, as of ``mechanisms.add_gaussian``.
    """
    w = np.zeros((len(events), *shape), np.float32)
    streams = {seed: mechanisms.normal_steps(seed, key, shape) for seed in set(seeds)}
    for _ in range(times or events[0].times):
        draws = {seed: next(stream) for seed, stream in streams.items()}
        sums, grid = summed(w)
        for cell, (event, seed) in enumerate(zip(events, seeds, strict=True)):
            noisy = mechanisms.add_gaussian(sums[cell], event, draws[seed], scale=scale, grid=grid)
            w[cell] -= steps[cell] * noisy
    return w


def clipped_sums(
    problem: Problem, w: np.ndarray, clip: float, watch: Watch | None = None
) -> np.ndarray:
    """Sum over the records of their clipped gradients under heads w (cells, C, d), in units of the
    clip norm: (cells, C, d) float64.
    """
    sums, blocks = torch.zeros(w.shape, dtype=torch.float64), []
    for block in problem.blocks(w):
        sums += block.clipped_sum(clip)
        if watch is not None:
            blocks.append(block)
    if watch is not None:
        watch(blocks)
    return sums.numpy()


# -------------------------------------------------------------------------------------- audit cases


def gradient_case(params: Mapping[str, Any]) -> AuditCase:
    """A record whose gradient is clipped at every step, among records that have none."""
    base, labels = [[0.0], [0.0]], [0, 1]
    more, less = records([*base, [1.0]], [*labels, 0]), records(base, labels)
    return AuditCase(SLOW | dict(params), more, less, first_weights_apart)


def off_axis_pair() -> tuple[Dataset, Dataset]:
    """Neighbours that differ by a record which moves all classes and features of a step."""
    return one_more([[1.0, 0.0], [0.0, 1.0]], [0, 1])


def count_case() -> EventCase:
    """A record that moves the record count."""
    return EventCase({"steps": 1}, *off_axis_pair(), ("records",), COUNTED_BUDGET)
