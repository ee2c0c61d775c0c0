"""NoisyGD: full-batch DP-SGD on a linear head, the private linear probe of the papers.

Defaults were chosen by looking at the default data; that look is not paid for.

Where each person is clipped as a whole, a record's part is r x^T with r and x on grids. Of a person
with few records the squared norm is the sum of (r_i . r_j) (x_i . x_j) over pairs of records, of
which the second factor is the same at each step, and records are multiplied by a whole number of
2^-FACTOR_BITS. Of one with many the parts are summed, and the sum is shortened. Both are exact but
for what is rounded down, so that what a person adds depends on that person's records and the head
alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
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
    one_more,
)
from dpviz.types.audit_case import EventCase
from dpviz.types.budget import Budget
from dpviz.types.dataset import Dataset, Sizes
from dpviz.types.guarantee import Gaussian, Plan
from dpviz.types.line_style import RED, LineStyle
from dpviz.types.method import Losses, Method, Param, Query
from dpviz.types.release import Fit

KEY = "noisy-gd"
SOURCE = "Abadi et al. 2016 with full batches; composition by Dong et al. 2019"
PERSON = Param(
    "person",
    "Per-person clipping",
    "For guarantees per person. group: clips each record and adds noise for the maximum number of"
    " records per person. clip: clips each person's sum and adds noise for one record.",
    "group",
    choices=("group", "clip"),
    tuned=False,
)


def plan(sizes: Sizes, budget: Budget, params: Mapping[str, Any]) -> Plan:
    """A noisy count of the records, unless one is public, and ``steps`` Gaussian releases of the
    clipped gradient sum.
    """
    count_event, mu = noisy_descent.records_event(params, privacy.mu_for(budget))
    event = privacy.gaussian(params["clip"], mu, params["steps"])
    return privacy.make_plan(KEY, params, budget, count_event | {"gradients": event}, source=SOURCE)


def record_ratio(params: Mapping[str, Any]) -> int:
    """As ``Method`` has it. A record more may turn its person's clipped sum round."""
    return 2 if params["person"] == "clip" else 0


def fit(data: Dataset, plans: list[Plan], seeds: list[Seed]) -> Fit:
    """One linear head a plan and seed, from zero; a cell's bits do not depend on its batch.

    Guarantee: mu-GDP with mu = sqrt(steps) * clip / sigma under add/remove.
    """
    problem, crowd, params = Problem.from_dataset(data), crowd_of(data, plans[0]), plans[0].params

    def fit_part(plans: list[Plan], seeds: list[Seed]) -> np.ndarray:
        events = [plan.gaussian("gradients") for plan in plans]
        counts = [
            noisy_descent.record_count(data, *cell) for cell in zip(plans, seeds, strict=True)
        ]
        steps = [params["lr"] / count for count in counts]
        return descend(problem, events, seeds, steps, params["clip"], crowd=crowd)

    weights = np.concatenate(noisy_descent.map_cells(plans, seeds, fit_part))
    return Fit(noisy_descent.heads(weights, len(plans)))


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

    return noisy_descent.descend(KEY, shape, events, seeds, steps, clip, sums)


def run_observed(
    data: Dataset, plan: Plan, seed: Seed, observe: Callable[[np.ndarray], None]
) -> np.ndarray:
    """The head (C, d) of a plan and seed; ``observe`` is shown the head before each step."""
    problem, crowd, clip = Problem.from_dataset(data), crowd_of(data, plan), plan.params["clip"]
    shape = problem.onehot.shape[0], problem.x.shape[1]

    def sums(w: np.ndarray) -> tuple[np.ndarray, float]:
        observe(w[0])
        return summed(problem, w, clip, None, crowd)

    step = plan.params["lr"] / noisy_descent.record_count(data, plan, seed)
    event = plan.gaussian("gradients")
    return noisy_descent.descend(KEY, shape, [event], [seed], [step], clip, sums)[0]


def crowd_of(data: Dataset, plan: Plan) -> Crowd | None:
    """The persons of ``data``, where they are clipped as a whole."""
    return Crowd.from_dataset(data) if noisy_descent.clips_persons(plan) else None


def summed(
    problem: Problem, w: np.ndarray, clip: float, watch: Watch | None, crowd: Crowd | None
) -> tuple[np.ndarray, float]:
    """What a step releases under heads w (cells, C, d), in units of the clip norm, and the step of
    its grid.
    """
    if crowd is None:
        return noisy_descent.clipped_sums(problem, w, clip, watch), mechanisms.FINE
    return person_clipped_sums(problem, crowd, w, clip, watch), GRID


# --------------------------------------------------------------- persons who are clipped as a whole


FACTOR_BITS = 12
GRID = mechanisms.FINE / 2**FACTOR_BITS
"""Step of the sums."""
MAX_PAIRED_RECORDS = 128
"""Records of a person whose products are held: at most 2 KiB a record, below what its features
take.
"""
PERSONS_PER_BLOCK = 256
"""Persons whose products are taken at once."""
ROWS_PER_BLOCK = 4096
"""Records of one person that are summed at once."""
BITS, INTEGER_BITS = 53, 62
"""Of a whole number in float64, and of a sum of squares in int64."""
ROUND_DOWN = 1 - 2.0**-40
"""Factors are rounded down from this part of themselves: more than float64 is off by."""


@dataclass(frozen=True, eq=False)
class Group:
    """Persons with more than half of k records and at most k.

    Attributes:
        rows: (P, k) int64, records of each person, 0 where padded; is_record: (P, k) float64, 1
            for a record.
        products: (P, k, k) float64, products of their features on a grid, 0 where padded; slack: by
            how much a squared norm may be above what is summed, in units of what a record is
            clipped to.
    """

    rows: torch.Tensor
    is_record: torch.Tensor
    products: torch.Tensor
    slack: float


@dataclass(frozen=True, eq=False)
class Crowd:
    """The persons of a problem who have several records.

    Attributes:
        groups: those with at most FEW, in groups of like size; record_counts: (k,) int64, the
            records of each of the others.
    """

    groups: tuple[Group, ...]
    record_counts: tuple[torch.Tensor, ...]

    @classmethod
    def from_dataset(cls, data: Dataset) -> Crowd:
        """The persons of ``data``, whose records the problem has in the same order."""
        assert data.persons is not None
        order = np.argsort(data.persons, kind="stable")
        _, starts, counts = np.unique(data.persons[order], return_index=True, return_counts=True)
        small, places = counts <= MAX_PAIRED_RECORDS, 1 << np.ceil(np.log2(counts)).astype(np.int64)
        unit = torch.tensor(mechanisms.unit_rows(data.x))
        groups = []
        for k in np.unique(places[small & (counts > 1)]).tolist():
            of_size = places == k
            present = np.arange(k) < counts[of_size, None]
            rows = np.zeros(present.shape, np.int64)
            rows[present] = order[(starts[of_size, None] + np.arange(k))[present]]
            groups.append(_group(unit, torch.from_numpy(rows), torch.from_numpy(present).double()))
        ranges = zip(starts[~small], counts[~small], strict=True)
        many = (torch.from_numpy(order[start : start + count]) for start, count in ranges)
        return cls(tuple(groups), tuple(many))

    def factors(self, whole: torch.Tensor) -> torch.Tensor:
        """What each record's part is multiplied by, so that no person's sum is longer than 1, in
        units of what records are clipped to; 0 for those of ``many``.

        Args:
            whole: (cells, C, N) residuals in whole steps; as ``Block.clip`` leaves them.

        Returns:
            (cells, N) float64.
        """
        cells, classes, count = whole.shape
        factors = torch.ones(cells, count, dtype=torch.float64)
        for group in self.groups:
            persons, k = group.rows.shape
            # (persons, k, cells * classes)
            residuals = whole[:, :, group.rows].permute(2, 3, 0, 1).reshape(persons, k, -1).double()
            residuals *= group.is_record[:, :, None]
            squares = (torch.bmm(group.products, residuals) * residuals).sum(1)
            squares = squares.view(persons, cells, classes).sum(2) / WHOLE**2 + group.slack
            shorter = torch.floor(2.0**FACTOR_BITS * ROUND_DOWN / squares.clamp(min=1).sqrt())
            factor = torch.where(squares > 1, shorter / 2**FACTOR_BITS, 1.0)
            present = group.is_record > 0
            by_record = factor.T[:, :, None].expand(cells, persons, k)
            factors[:, group.rows[present]] = by_record[:, present]
        for rows in self.record_counts:
            factors[:, rows] = 0
        return factors


def _group(unit: torch.Tensor, rows: torch.Tensor, present: torch.Tensor) -> Group:
    """Persons with these rows (P, k) of the unit features (n, d).

    With products on steps of 2^-bits every partial sum of a squared norm is below k^2 WHOLE^2 /
    2^-bits, which float64 holds exactly; rounding them may hide k^2 / 2^(bits + 1) of it.
    """
    k = rows.shape[1]
    bits = BITS - 2 * mechanisms.BITS - 2 * math.ceil(math.log2(k))
    parts = zip(rows.split(PERSONS_PER_BLOCK), present.split(PERSONS_PER_BLOCK), strict=True)
    products = [_products(unit[rows_part].double() * m[:, :, None], bits) for rows_part, m in parts]
    exact = bits >= mechanisms.FINE_BITS
    return Group(rows, present, torch.cat(products), 0.0 if exact else k**2 / 2.0 ** (bits + 1))


def _products(rows: torch.Tensor, bits: int) -> torch.Tensor:
    """Products of the rows (P, k, d) with one another, on steps of 2^-bits: (P, k, k) float64."""
    return (rows @ rows.mT).mul_(2.0**bits).round_().div_(2.0**bits)


def person_clipped_sums(
    problem: Problem, crowd: Crowd, w: np.ndarray, clip: float, watch: Watch | None = None
) -> np.ndarray:
    """Sum over the persons of their records' clipped gradients under heads w (cells, C, d), clipped
    once more as a whole, in units of the clip norm: (cells, C, d) float64.

    No number of the sum is above 2^17, so that float64 holds it exactly however many persons there
    are: cutting it there brings no two sums further apart.

    ``watch`` is shown the blocks and by how much records were shortened, (cells, N).
    """
    blocks = list(problem.blocks(w))
    for block in blocks:
        block.clip(clip)
    residual = torch.cat([block.residual for block in blocks], 2)
    factors = crowd.factors(residual)
    steps = torch.zeros(w.shape, dtype=torch.int64)
    for block in blocks:
        steps += block.total(factors[:, block.rows]).div_(GRID).long()
    for rows, added, factor in _of_many(problem, crowd, residual):
        steps += added
        factors[:, rows] = factor[:, None]
    if watch is not None:
        watch(blocks, factors)
    sums = steps.clamp_(-(2**BITS), 2**BITS).double().mul_(GRID)
    return sums.numpy()


def _of_many(
    problem: Problem, crowd: Crowd, residual: torch.Tensor
) -> Iterator[tuple[torch.Tensor, torch.Tensor, torch.Tensor]]:
    """Of each person with many records: which they are, (cells, C, d) int64 in steps of GRID what
    they add, and (cells,) by how much that is shorter than their sum.
    """
    for rows in crowd.record_counts:
        whole = torch.zeros(*residual.shape[:2], problem.exact.shape[1], dtype=torch.float64)
        for rows_part in rows.split(ROWS_PER_BLOCK):
            whole += residual[:, :, rows_part].double() @ problem.exact[rows_part].double()
        whole /= mechanisms.COARSE
        factor = _shorter(whole, len(rows))
        yield rows, (whole * factor[:, None, None]).mul_(2**FACTOR_BITS).trunc_().long(), factor


def _shorter(whole: torch.Tensor, k: int) -> torch.Tensor:
    """By how much sums (cells, C, d) of k records' parts, in steps of FINE, are shortened to norm
    1: (cells,) float64.

    No norm is above k. Steps are so wide that a sum of squares fits into int64, and a norm is
    taken to be as much longer as that may hide.
    """
    wider = mechanisms.FINE_BITS + math.ceil(math.log2(k)) - INTEGER_BITS // 2
    steps = (whole / 2.0**wider).round_().long()
    hidden = math.sqrt(whole[0].numel()) / 2
    norms = (steps * steps).sum((1, 2)).double().sqrt() + hidden
    norms *= 2.0**wider * mechanisms.FINE
    return torch.where(norms > ROUND_DOWN, ROUND_DOWN / norms, 1.0)


# ----------------------------------------------------- losses of records, queries, audit cases


def losses(data: Dataset, plan: Plan, seed: int) -> Losses:
    """mu_i^2 = sum over steps of (||clip(g_i)|| / sigma)^2 with g_i = x_i (p_i - e_y)^T; of a
    person the norm of what all records add, clipped once more where persons are.
    """
    problem, event, params = Problem.from_dataset(data), plan.gaussian("gradients"), plan.params
    units, clip = PrivacyUnits.from_dataset(data, plan), params["clip"]
    total = np.zeros(units.count)

    def watch(blocks: list[Block], factors: torch.Tensor | None = None) -> None:
        shorter = None if factors is None else factors[0]
        total[:] += squared_mu(
            clip * gradient_norms(units, blocks, problem.exact, None, shorter), event
        )

    step = params["lr"] / noisy_descent.record_count(data, plan, seed)
    descend(problem, [event], [seed], [step], clip, watch, crowd_of(data, plan))
    return gaussian(total + noisy_descent.loss_of_count(units, plan), plan)


def queries(plan: Plan) -> dict[str, Query]:
    """The clipped gradients' sum under the head of the step before."""

    def sums(data: Dataset, plan: Plan, head: np.ndarray) -> np.ndarray:
        problem, clip = Problem.from_dataset(data), plan.params["clip"]
        return summed(problem, head[None], clip, None, crowd_of(data, plan))[0]

    gradients = {"gradients": Query(sums, example_heads, lambda plan: plan.params["clip"])}
    return gradients | noisy_descent.records_query(plan)


def event_cases() -> list[EventCase]:
    """A record that moves all classes and features of one step; and one that moves two steps in two
    directions, as the records beside it have turned the head round before the second.
    """
    slow = noisy_descent.SLOW | {"steps": 1}
    return [
        EventCase(slow, *noisy_descent.off_axis_pair(), ("gradients",)),
        EventCase(slow | {"steps": 2, "lr": 4.0}, *one_more(*TURNING), ("gradients",)),
        noisy_descent.count_case(),
    ]


METHOD = Method(
    key=KEY,
    title="Private linear probe",
    source=SOURCE,
    summary="Linear classifier trained by gradient descent with noise in every step.",
    params=(
        noisy_descent.LR,
        noisy_descent.COUNT,
        noisy_descent.BATCH,
        noisy_descent.STEPS,
        noisy_descent.CLIP,
        PERSON,
    ),
    plan=plan,
    fit=fit,
    line_style=LineStyle(RED, "solid", "triangle-up"),
    losses=losses,
    queries=queries,
    event_cases=event_cases,
    cases=lambda: [noisy_descent.gradient_case({"steps": 4})],
    record_ratio=record_ratio,
)
