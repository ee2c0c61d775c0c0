"""DPSGD-F: a noisy mean is taken off the features before noisy gradient descent.

A gradient is (p - e_y) x^T: what all features have in common makes it longer and tells nothing,
and what is longer is clipped more. Of the paper its abstract alone was at hand. Choices of this
project: the noisy sum of features of norm 1 over the noisy count, a public clip norm, full batches,
and a constant beside the centred features. (Xu et al. 2020 call another method, for fairness, by
the same name.)

Defaults are the probe's, so that the two differ by the mean alone; that of the constant was chosen
by looking at the default data, and that look is not paid for.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
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
from dpviz.methods.components.privacy_unit import PrivacyUnits, gaussian, row_norms, squared_mu
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
from dpviz.types.line_style import COBALT, LineStyle
from dpviz.types.method import Losses, Method, Param, Query
from dpviz.types.release import Fit, Release

KEY = "dpsgd-f"
SOURCE = "Sun, Suresh & Menon 2024, DPSGD-F, with full batches and a public clip norm"
CLIP = dataclasses.replace(
    noisy_descent.CLIP,
    help="L2 bound on one record's gradient on the centered features.",
    low=1e-2,
    high=3.2,
)
MEAN_SHARE = Param(
    "mean_share",
    "Share for mean",
    "Share of ρ spent on the feature mean, which is subtracted.",
    0.05,
    0.001,
    0.9,
    0.01,
)
BIAS = Param(
    "bias",
    "Constant",
    "Constant added to the centered features, from which the model learns class frequencies. 0"
    " removes it.",
    0.0,
    0.0,
    1.0,
    0.01,
)
SHORTEST = 0.25
"""Features this near the mean, or nearer, are taken to lie this far: what is multiplied with them
stays small enough for sums to be exact.
"""
ROWS_PER_BLOCK = 4096


def plan(sizes: Sizes, budget: Budget, params: Mapping[str, Any]) -> Plan:
    """A noisy count of the records, unless one is public, the noisy sum of their features, and
    ``steps`` noisy sums of clipped gradients.

    Unit features: a record moves their sum by at most 1. What it adds to a gradient's sum follows
    from itself, the head and the mean that was released, and is clipped: the releases compose
    adaptively.
    """
    count_event, mu = noisy_descent.records_event(params, privacy.mu_for(budget))
    share, steps = params["mean_share"], params["steps"]
    events = count_event | {
        "mean": privacy.gaussian(1.0, mu * math.sqrt(share)),
        "gradients": privacy.gaussian(params["clip"], mu * math.sqrt(1 - share), steps),
    }
    return privacy.make_plan(KEY, params, budget, events, source=SOURCE)


def fit(data: Dataset, plans: list[Plan], seeds: list[Seed]) -> Fit:
    """One linear head a plan and seed, from zero; a cell's bits do not depend on its batch.

    Guarantee: mu-GDP with mu^2 = 1/sigma_count^2 + 1/sigma_mean^2 + steps clip^2/sigma^2 under
        add/remove.
    """
    problem = Problem.from_dataset(data)

    def fit_part(plans: list[Plan], seeds: list[Seed]) -> list[Release]:
        centred, counts = CenteredSums.from_plans(data, problem, plans, seeds)
        weights_and_biases = zip(*descend(centred, plans, seeds, counts), strict=True)
        return [Release(weights, bias) for weights, bias in weights_and_biases]

    parts = noisy_descent.map_cells(plans, seeds, fit_part)
    releases = [release for part in parts for release in part]
    return Fit([releases[i :: len(plans)] for i in range(len(plans))])


# ---------------------------------------------------------------------------------------- the mean


def features_sum(data: Dataset, *_: Any) -> np.ndarray:
    """Sum of the unit features, exact: (1, d) float64."""
    return mechanisms.unit_rows(data.x).sum(axis=0, dtype=np.float64, keepdims=True)


def noisy_mean(total: np.ndarray, plan: Plan, seed: Seed, count: float) -> np.ndarray:
    """Mean of the features from their ``total`` (d,), with its noise: (d,) float64 of norm at most
    1, on the grid of features.

    After the noise, and so free: it is drawn to 0 as James and Stein do, since at small budgets it
    is mostly noise, and into the unit ball.
    """
    event, d = plan.gaussian("mean"), len(total)
    noise = mechanisms.standard_normal(seed, f"{KEY} mean", total.shape)
    noisy = mechanisms.add_gaussian(total, event, noise, grid=mechanisms.COARSE)
    squared = float(noisy @ noisy)
    shrinkage = max(0.0, 1 - max(0, d - 2) * event.sigma**2 / squared) if squared else 0.0
    mean = noisy * (shrinkage / count)
    mean /= max(1.0, float(np.linalg.norm(mean)))
    return np.trunc(mean * WHOLE) / WHOLE


# -------------------------------------------------------------------------------------- the descent


@dataclass(frozen=True, eq=False)
class CenteredSums:
    """Records as cells see them, each from its own mean, with a constant beside them.

    Attributes:
        problem: unit features and labels; means: (cells, d) float64 and bias: the constant, on the
            grid of features.
        lengths: (cells, 1, N) float32, no less than the norm of the centred features and their
            constant, nor than SHORTEST.
    """

    problem: Problem
    means: np.ndarray
    bias: float
    lengths: torch.Tensor

    @classmethod
    def from_plans(
        cls, data: Dataset, problem: Problem, plans: list[Plan], seeds: list[Seed]
    ) -> tuple[CenteredSums, list[float]]:
        """Of each cell, a plan and a seed; and what its gradients' sum is divided by."""
        total = features_sum(data)[0]
        cells = list(zip(plans, seeds, strict=True))
        counts = [noisy_descent.record_count(data, plan, seed) for plan, seed in cells]
        means = [
            noisy_mean(total, plan, seed, count)
            for (plan, seed), count in zip(cells, counts, strict=True)
        ]
        return cls.about(problem, np.stack(means), plans[0].params["bias"]), counts

    @classmethod
    def about(cls, problem: Problem, means: np.ndarray, bias: float) -> CenteredSums:
        """About given means (cells, d)."""
        constant = round(bias * WHOLE) / WHOLE
        return cls(problem, means, constant, torch.from_numpy(_lengths(problem, means, constant)))

    def split(self, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Heads (cells, C, d + 1) at centred features as weights (cells, C, d) and biases (cells,
        C) at the features themselves, float32.
        """
        weights = np.ascontiguousarray(w[..., :-1])
        mean_scores = (weights @ self.means[:, :, None])[..., 0]
        return weights, (self.bias * w[..., -1] - mean_scores).astype(np.float32)

    def sums(self, w: np.ndarray, clip: float, watch: Watch | None = None) -> np.ndarray:
        """Sum over the records of their clipped gradients, (p - e_y) (x - mean, bias)^T, under
        heads w (cells, C, d + 1), in units of the clip norm: (cells, C, d + 1) float64, exact.
        """
        parts = torch.zeros(*w.shape[:2], w.shape[2] - 1, dtype=torch.float64)
        counts, blocks = torch.zeros(w.shape[:2], dtype=torch.float64), []
        for block in self.problem.blocks(*self.split(w)):
            block.clip(clip, self.lengths[..., block.rows], math.sqrt(4 + self.bias**2))
            block.residual.mul_(block.is_record)
            parts += block.total()
            counts += block.residual.sum(2, dtype=torch.float64) / WHOLE
            if watch is not None:
                blocks.append(block)
        if watch is not None:
            watch(blocks)
        class_sums = counts.numpy()[..., None]
        return np.concatenate(
            [parts.numpy() - class_sums * self.means[:, None], class_sums * self.bias], 2
        )

    def rows(self) -> torch.Tensor:
        """What the first cell's gradients multiply residuals with: (N, d + 1) float64."""
        centred = self.problem.exact.double() - torch.from_numpy(self.means[0])
        return torch.cat([centred, torch.full((len(centred), 1), self.bias)], 1)


def _lengths(problem: Problem, means: np.ndarray, bias: float) -> np.ndarray:
    """As ``Centred`` has them. Products of numbers on the grid are exact, so a record's length
    depends on itself and the mean alone.
    """
    lengths = np.empty((len(means), 1, len(problem.x)), np.float32)
    mean_squares = (means * means).sum(1)[:, None] + bias**2
    for start in range(0, len(problem.x), ROWS_PER_BLOCK):
        rows = problem.x[start : start + ROWS_PER_BLOCK].numpy().astype(np.float64)
        squared = mean_squares - 2 * (means @ rows.T) + (rows * rows).sum(1)
        longer = np.sqrt(np.maximum(squared, SHORTEST**2)) * (1 + 2.0**-22)
        lengths[:, 0, start : start + ROWS_PER_BLOCK] = longer
    return lengths


def descend(
    centred: CenteredSums,
    plans: list[Plan],
    seeds: list[Seed],
    counts: list[float],
    watch: Watch | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Noisy gradient descent on softmax cross-entropy at the centred features, for stacked cells.

    Returns:
        Weights (cells, C, d) and biases (cells, C) at the features as they are, float32.
    """
    params = plans[0].params
    shape = centred.problem.onehot.shape[0], centred.means.shape[1] + 1
    events = [plan.gaussian("gradients") for plan in plans]

    def summed(w: np.ndarray) -> tuple[np.ndarray, float]:
        return centred.sums(w, params["clip"], watch), mechanisms.FINE

    steps = [params["lr"] / count for count in counts]
    w = noisy_descent.descend(KEY, shape, events, seeds, steps, params["clip"], summed)
    return centred.split(w)


# ----------------------------------------------------- losses of records, queries, audit cases


def losses(data: Dataset, plan: Plan, seed: int) -> Losses:
    """mu_i^2 of the count, of |x_i| in the mean and of a clipped gradient a step; of a person the
    norms of what all records add to them.
    """
    problem, units, clip = (
        Problem.from_dataset(data),
        PrivacyUnits.from_dataset(data, plan),
        plan.params["clip"],
    )
    unit = mechanisms.unit_rows(data.x)
    feature_norms = units.map_units(
        row_norms(unit), lambda rows: float(np.linalg.norm(unit[rows].sum(0, dtype=np.float64)))
    )
    total = noisy_descent.loss_of_count(units, plan) + squared_mu(
        feature_norms, plan.gaussian("mean")
    )
    centred, counts = CenteredSums.from_plans(data, problem, [plan], [seed])
    rows, event = centred.rows(), plan.gaussian("gradients")

    def watch(blocks: list[Block]) -> None:
        centred_blocks = [dataclasses.replace(block, x=rows[block.rows]) for block in blocks]
        total[:] += squared_mu(clip * gradient_norms(units, centred_blocks, rows), event)

    descend(centred, [plan], [seed], counts, watch)
    return gaussian(total, plan)


def queries(plan: Plan) -> dict[str, Query]:
    """The features' sum, and the clipped gradients' under a mean and the head before the step."""

    def sums(data: Dataset, plan: Plan, before: tuple) -> np.ndarray:
        head, mean = before
        centred = CenteredSums.about(Problem.from_dataset(data), mean[None], plan.params["bias"])
        return centred.sums(head[None], plan.params["clip"])

    def before(data: Dataset, plan: Plan, rng: np.random.Generator) -> list:
        d = data.x.shape[1]
        inside = rng.permutation(np.linspace(-1, 1, d)) / math.sqrt(d)
        means = (np.trunc(m * WHOLE) / WHOLE for m in (np.zeros(d), -np.eye(d)[-1], inside))
        heads = example_heads(data, plan, rng)
        wider = (np.pad(head, ((0, 0), (0, 1)), mode="edge") for head in heads)
        return list(zip(wider, means, strict=True))

    return {
        "mean": Query(features_sum),
        "gradients": Query(sums, before, lambda plan: plan.params["clip"]),
    } | noisy_descent.records_query(plan)


SLOW = noisy_descent.SLOW | {"batch": 1000}


def _case() -> AuditCase:
    """A record whose gradient is clipped at every step, among records that have next to none."""
    base, labels = [[0.0], [0.0]], [0, 1]
    more, less = records([*base, [1.0]], [*labels, 0]), records(base, labels)
    params = SLOW | {"steps": 4, "mean_share": 0.001}
    return AuditCase(params, more, less, first_weights_apart)


def event_cases() -> list[EventCase]:
    """A record that moves all classes and features of one step; one that moves two steps in two
    directions, as the records beside it have turned the head round before the second; and one that
    moves the mean and the count.
    """
    pair = noisy_descent.off_axis_pair()
    turned = {"steps": 2, "lr": 1e3, "batch": 250}
    first = {"steps": 1, "mean_share": noisy_descent.RECORDS_SHARE}
    return [
        EventCase(SLOW | {"steps": 1}, *pair, ("gradients",)),
        EventCase(SLOW | turned, *one_more(*TURNING), ("gradients",)),
        EventCase(
            first, *pair, ("mean", "records"), noisy_descent.COUNTED_BUDGET, identical_records=True
        ),
    ]


METHOD = Method(
    key=KEY,
    title="DPSGD-F",
    source=SOURCE,
    summary=(
        "Private linear probe on features centered by a noisy mean. Measured: slightly better"
        " than the probe on photographs, equal on digits."
    ),
    params=(
        noisy_descent.LR,
        noisy_descent.COUNT,
        noisy_descent.BATCH,
        noisy_descent.STEPS,
        CLIP,
        MEAN_SHARE,
        BIAS,
    ),
    plan=plan,
    fit=fit,
    line_style=LineStyle(COBALT, "longdash", "diamond-wide"),
    losses=losses,
    queries=queries,
    event_cases=event_cases,
    cases=lambda: [_case()],
)
