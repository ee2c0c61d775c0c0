"""NoisyGD: full-batch DP-SGD on a linear head, the private linear probe of the papers.

Defaults were chosen by looking at the default data; that look is not paid for.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dpviz import mechanisms, privacy
from dpviz.lazy_imports import torch
from dpviz.machine.threads import map_blocks, shares
from dpviz.mechanisms import Seed
from dpviz.methods.components import clipped_gradients, clipped_persons
from dpviz.methods.components.clipped_gradients import Block, Problem, Watch, some_heads
from dpviz.methods.components.clipped_persons import Crowd
from dpviz.methods.components.privacy_unit import PrivacyUnits, gaussian, squared_mu
from dpviz.methods.components.worst_neighbours import (
    TURNING,
    first_weights_apart,
    one_more,
    records,
)
from dpviz.types.audit_case import AuditCase, EventCase
from dpviz.types.dataset import Dataset, Sizes
from dpviz.types.guarantee import Budget, Gaussian, Plan
from dpviz.types.line_style import RED, LineStyle
from dpviz.types.method import Losses, Method, Param, Query
from dpviz.types.release import Fit, Release

KEY = "noisy-gd"
SOURCE = "Abadi et al. 2016 with full batches; composition by Dong et al. 2019"
LR = Param(
    "lr",
    "Learning rate",
    "Step size on the gradient's sum divided by the record count.",
    60.0,
    1e-3,
    1e3,
    log=True,
)
COUNT = Param(
    "count",
    "Record count",
    "What the gradient's sum is divided by. noisy: the number of records, released first with noise"
    " for 2 % of ρ. public: B. The true number would tell by the size of the steps whether a record"
    " is there.",
    "noisy",
    choices=("noisy", "public"),
)
BATCH = Param(
    "batch",
    "Public record count B",
    "A guess at how many records there are, where the count is public.",
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
    "Gradient steps; each one is noisier when there are more.",
    100,
    1,
    2000,
    1,
    log=True,
)
CLIP = Param(
    "clip",
    "Clip norm",
    "L2 bound on one record's gradient (features have norm 1, so √2 clips nothing).",
    0.3,
    1e-3,
    1.5,
    log=True,
)
PERSON = Param(
    "person",
    "A person's gradients",
    "Where the promise is to persons. group: each record is clipped, and the noise is that for as"
    " many records as a person may have. clip: each person's sum is clipped once more to the same"
    " bound, at the noise for one record, however many they are.",
    "group",
    choices=("group", "clip"),
    tuned=False,
)
CELLS = 16
"""Cells stacked into one matrix product, at most: more gain little and hold more memory."""


RECORDS_SHARE = 0.02
"""Of rho, for the noisy count of the records."""


def plan(sizes: Sizes, budget: Budget, params: Mapping[str, Any]) -> Plan:
    """A noisy count of the records, unless one is public, and ``steps`` Gaussian releases of the
    clipped gradient sum.
    """
    counted, mu = records_event(params, privacy.mu_for(budget))
    event = privacy.gaussian(params["clip"], mu, params["steps"])
    return privacy.make_plan(KEY, params, budget, counted | {"gradients": event}, source=SOURCE)


def records_event(params: Mapping[str, Any], mu: float) -> tuple[dict[str, Gaussian], float]:
    """The event that counts the records, if one does, and the mu that is left."""
    if params["count"] == "public":
        return {}, mu
    counted = privacy.gaussian(1.0, mu * math.sqrt(RECORDS_SHARE))
    return {"records": counted}, mu * math.sqrt(1 - RECORDS_SHARE)


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
    counted = data.persons if clips_persons(plan) else None
    number = len(data.x) if counted is None else len(np.unique(counted))
    return np.full((1, 1), float(number))


def by_person(params: Mapping[str, Any]) -> int:
    """As ``Method`` has it. A record more may turn its person's clipped sum round."""
    return 2 if params["person"] == "clip" else 0


def clips_persons(plan: Plan) -> bool:
    """Whether each person's summed gradient is clipped."""
    return plan.person > 0 and plan.params.get("person") == "clip"


def fit(data: Dataset, plans: list[Plan], seeds: list[Seed]) -> Fit:
    """One linear head a plan and seed, from zero; a cell's bits do not depend on its batch.

    Guarantee: mu-GDP with mu = sqrt(steps) * clip / sigma under add/remove.
    """
    problem, crowd = Problem.of(data), crowd_of(data, plans[0])
    params = plans[0].params
    cells = [(i, j) for j in range(len(seeds)) for i in range(len(plans))]

    def block(mine: Sequence[tuple[int, int]]) -> np.ndarray:
        events = [plans[i].gaussian("gradients") for i, _ in mine]
        steps = [params["lr"] / record_count(data, plans[i], seeds[j]) for i, j in mine]
        own = [seeds[j] for _, j in mine]
        return descend(problem, events, own, steps, params["clip"], crowd=crowd)

    weights = np.concatenate(map_blocks(block, shares(cells, CELLS)))
    return Fit(heads(weights, len(plans)))


def heads(weights: np.ndarray, plans: int) -> list[list[Release]]:
    """Linear heads without a bias, ``[plan][seed]``, of weights (seeds * plans, C, d) in that
    order.
    """
    grid = weights.reshape(-1, plans, *weights.shape[1:]).swapaxes(0, 1)
    return [[Release(w, np.zeros(len(w), np.float32)) for w in row] for row in grid]


def descend(
    problem: Problem,
    events: list[Gaussian],
    seeds: list[Seed],
    steps: list[float],
    clip: float,
    watch: Watch | None = None,
    crowd: Crowd | None = None,
) -> np.ndarray:
    """Noisy gradient descent on softmax cross-entropy for stacked cells: (cells, C, d) float32.

    O(steps * n * d * C) a cell.
    """
    shape = problem.onehot.shape[0], problem.x.shape[1]

    def sums(w: np.ndarray) -> tuple[np.ndarray, float]:
        return summed(problem, w, clip, watch, crowd)

    return clipped_gradients.from_zero(KEY, shape, events, seeds, steps, clip, sums)


def crowd_of(data: Dataset, plan: Plan) -> Crowd | None:
    """The persons of ``data``, where they are clipped as a whole."""
    return Crowd.of(data) if clips_persons(plan) else None


def summed(
    problem: Problem, w: np.ndarray, clip: float, watch: Watch | None, crowd: Crowd | None
) -> tuple[np.ndarray, float]:
    """What a step releases under heads w (cells, C, d), in units of the clip norm, and the step of
    its grid.
    """
    if crowd is None:
        return clipped_sums(problem, w, clip, watch), mechanisms.FINE
    return clipped_persons.clipped_sums(problem, crowd, w, clip, watch), clipped_persons.GRID


def clipped_sums(
    problem: Problem, w: np.ndarray, clip: float, watch: Watch | None = None
) -> np.ndarray:
    """Sum over the records of their clipped gradients under heads w (cells, C, d), in units of the
    clip norm: (cells, C, d) float64.
    """
    sums, seen = torch.zeros(w.shape, dtype=torch.float64), []
    for block in problem.blocks(w):
        sums += block.clipped_sum(clip)
        if watch is not None:
            seen.append(block)
    if watch is not None:
        watch(seen)
    return sums.numpy()


# ----------------------------------------------------- losses of records, queries, audit cases


def losses(data: Dataset, plan: Plan, seed: int) -> Losses:
    """mu_i^2 = sum over steps of (||clip(g_i)|| / sigma)^2 with g_i = x_i (p_i - e_y)^T; of a
    person the norm of what all records add, clipped once more where persons are.
    """
    problem, event, params = Problem.of(data), plan.gaussian("gradients"), plan.params
    whose, clip = PrivacyUnits.of(data, plan), params["clip"]
    total = np.zeros(whose.count)

    def watch(blocks: list[Block], factors: torch.Tensor | None = None) -> None:
        shorter = None if factors is None else factors[0]
        total[:] += squared_mu(clip * whose.gradients(blocks, problem.exact, None, shorter), event)

    step = params["lr"] / record_count(data, plan, seed)
    descend(problem, [event], [seed], [step], clip, watch, crowd_of(data, plan))
    return gaussian(total + loss_of_count(whose, plan), plan)


def loss_of_count(whose: PrivacyUnits, plan: Plan) -> np.ndarray:
    """mu^2 of being counted, with each record or as one person: (count,) float64."""
    if "records" not in plan.events:
        return np.zeros(whose.count)
    counted = np.ones(whose.count) if clips_persons(plan) else whose.counts()
    return squared_mu(counted, plan.gaussian("records"))


def queries(plan: Plan) -> dict[str, Query]:
    """The clipped gradients' sum under the head of the step before."""

    def sums(data: Dataset, plan: Plan, head: np.ndarray) -> np.ndarray:
        problem, clip = Problem.of(data), plan.params["clip"]
        return summed(problem, head[None], clip, None, crowd_of(data, plan))[0]

    gradients = {"gradients": Query(sums, some_heads, lambda plan: plan.params["clip"])}
    return gradients | records_query(plan)


def records_query(plan: Plan) -> dict[str, Query]:
    """The number of records, where it is counted."""
    return {"records": Query(number_of_records)} if "records" in plan.draws else {}


def gradient_case(params: Mapping[str, Any]) -> AuditCase:
    """A record whose gradient is clipped at every step, among records that have none."""
    base, labels = [[0.0], [0.0]], [0, 1]
    more, less = records([*base, [1.0]], [*labels, 0]), records(base, labels)
    slow = {"clip": 0.1, "lr": 0.01, "count": "public", "batch": 1}
    return AuditCase(slow | dict(params), more, less, first_weights_apart)


def event_cases() -> list[EventCase]:
    """A record that moves all classes and features of one step; and one that moves two steps in two
    directions, as the records beside it have turned the head round before the second.
    """
    slow = {"steps": 1, "clip": 0.1, "lr": 0.01, "count": "public", "batch": 1}
    pair = one_more([[1.0, 0.0], [0.0, 1.0]], [0, 1])
    return [
        EventCase(slow, *pair, ("gradients",)),
        EventCase(slow | {"steps": 2, "lr": 4.0}, *one_more(*TURNING), ("gradients",)),
        EventCase({"steps": 1}, *pair, ("records",), COUNTED_BUDGET),
    ]


COUNTED_BUDGET = Budget(200.0)
"""Of which RECORDS_SHARE is enough to tell half the noise by."""


METHOD = Method(
    key=KEY,
    title="Private linear probe",
    source=SOURCE,
    summary="A linear classifier trained step by step, with noise on every step.",
    params=(LR, COUNT, BATCH, STEPS, CLIP, PERSON),
    plan=plan,
    fit=fit,
    look=LineStyle(RED, "solid", "triangle-up"),
    losses=losses,
    queries=queries,
    event_cases=event_cases,
    cases=lambda: [gradient_case({"steps": 4})],
    by_person=by_person,
)
