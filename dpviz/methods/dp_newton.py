"""DP-Newton: one logistic classifier a class, trained by Newton steps with noisy gradient and
Hessian.

Defaults were chosen by looking at the default data; that look is not paid for.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from dpviz import mechanisms, privacy
from dpviz.lazy_imports import torch
from dpviz.machine.threads import map_blocks
from dpviz.methods.components import covariance
from dpviz.methods.components.clipped_gradients import example_heads
from dpviz.methods.components.covariance import (
    CLIP,
    EVEN,
    allow,
    bounded,
    eigen,
    gram,
    noisy_lower,
    outer_sum,
    padded_units,
    shrunk,
)
from dpviz.methods.components.privacy_unit import PrivacyUnits, gaussian, moment_norm, row_norms
from dpviz.methods.components.worst_neighbours import first_weights_apart, records
from dpviz.types.audit_case import LARGE_BUDGET, AuditCase, EventCase
from dpviz.types.budget import Budget
from dpviz.types.dataset import Dataset, Sizes
from dpviz.types.guarantee import Plan
from dpviz.types.line_style import MAUVE, LineStyle
from dpviz.types.method import Losses, Method, Param, Query
from dpviz.types.release import Fit, Release

KEY = "dp-newton"
SOURCE = f"{covariance.SOURCE} (DP-Newton)"
STEPS = dataclasses.replace(
    covariance.STEPS,
    help="Number of Newton steps. More steps mean more noise per step.",
    default=5,
    high=50,
    log=False,
)
LR = Param("lr", "Step size", "Fraction of the full Newton step.", 1.0, 0.01, 1.0, 0.05)
RIDGE = dataclasses.replace(
    covariance.RIDGE, help="Added to the diagonal of the Hessian, in units of R².", default=1.0
)
NOISE_RIDGE = dataclasses.replace(covariance.NOISE_RIDGE, default=0.5)
WEIGHT_BITS = 10
"""To which a record's curvature p (1 - p) is kept: what it adds to a Hessian is a whole multiple of
GRID, and 2^21 records add up exactly.
"""
GRID = mechanisms.FINE * 2.0**-WEIGHT_BITS


def plan(sizes: Sizes, budget: Budget, params: Mapping[str, Any]) -> Plan:
    """``steps`` Hessians and gradients with equal noise multipliers.

    A record is in all C binary problems: it moves the stacked gradients by at most sqrt(C) R and
    the stacked Hessians by at most sqrt(C) R^2 / 4.
    """
    allow(KEY, sizes.d)
    mu, root, radius = (
        privacy.mu_for(budget) / math.sqrt(2),
        math.sqrt(sizes.classes),
        params["clip"],
    )
    events = {
        "hessians": privacy.gaussian(root * radius**2 / 4, mu, params["steps"]),
        "gradients": privacy.gaussian(root * radius, mu, params["steps"]),
    }
    return privacy.make_plan(KEY, params, budget, events, source=SOURCE)


def fit(data: Dataset, plans: list[Plan], seeds: list[mechanisms.Seed]) -> Fit:
    """A logistic classifier a class for each plan and seed, from zero. O(cells T C (n d^2 + d^3)).

    Guarantee: mu-GDP with mu^2 = T (s_1^-2 + s_2^-2) under add/remove.
    """
    x, labels = padded_units(data.x), _labels(data)
    jobs = [
        (i, j, c) for j in range(len(seeds)) for i in range(len(plans)) for c in range(data.classes)
    ]
    first = first_hessian(x)
    done = map_blocks(
        lambda job: descend(x, labels[job[2]], plans[job[0]], seeds[job[1]], job[2], first), jobs
    )
    columns = dict(zip(jobs, done, strict=True))
    bias = np.zeros(data.classes, np.float32)

    def release(i: int, j: int) -> Release:
        return Release(np.stack([columns[i, j, c] for c in range(data.classes)]), bias)

    return Fit([[release(i, j) for j in range(len(seeds))] for i in range(len(plans))])


def _labels(data: Dataset) -> torch.Tensor:
    """1 for the class's own records, which are padded as their features are: (C, n) float32."""
    labels = np.zeros((data.classes, -(-len(data.y) // EVEN) * EVEN), np.float32)
    labels[data.y, np.arange(len(data.y))] = 1
    return torch.from_numpy(labels)


def first_hessian(x: torch.Tensor) -> np.ndarray:
    """The Hessian (d, d) at zero weights, where every probability is 1/2, in units of R^2."""
    (hessian,) = map_blocks(lambda rows: gram(rows.numpy()) / 4, [x])
    return hessian


def descend(
    x: torch.Tensor,
    label: torch.Tensor,
    plan: Plan,
    seed: mechanisms.Seed,
    c: int,
    first: np.ndarray,
    watch: Callable[[np.ndarray, np.ndarray], None] | None = None,
) -> np.ndarray:
    """Noisy Newton steps of class c's binary problem from zero weights.

    Features are clipped to R, which is at most 1: R times their unit rows.

    Args:
        x: (n, d) of ``padded_units``; label: (n,) float32, 1 for class c.
        first: (d, d) of ``first_hessian``.
        watch: shown residuals (n,) and weights (n,) of every step.

    Returns:
        (d,) float32 weights.
    """
    params, d = plan.params, x.shape[1]
    curved, sloped, clip = plan.gaussian("hessians"), plan.gaussian("gradients"), params["clip"]
    penalty = params["ridge"] * clip**2 + params["noise_ridge"] * curved.sigma * math.sqrt(d)
    exact = np.float64 if curved.sigma == 0 else np.float32
    w = np.zeros(d)
    for step in range(curved.times):
        residual, weights = parts_of_records(x, label, w * clip)
        if watch is not None:
            watch(residual, weights)
        hessian = first if step == 0 else gram(x.numpy(), weights)
        square = mechanisms.packed_symmetric(seed, f"{KEY} hessian {step} of class {c}", d)
        line = mechanisms.standard_normal(seed, f"{KEY} gradient {step} of class {c}", (d,))
        lower = noisy_lower(hessian, curved, square, clip**2, GRID)
        slope = mechanisms.add_gaussian(gradient(residual, x), sloped, line, clip)
        w = bounded(w - params["lr"] * shrunk(eigen(lower, exact), penalty, slope[None])[0])
    return w.astype(np.float32)


def parts_of_records(
    x: torch.Tensor, label: torch.Tensor, w: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Of each record p - y, of at most 1, on the grid of features, and p (1 - p), of at most 1/4,
    to WEIGHT_BITS: what its gradient and its Hessian are multiples of, (n,) float32 each.
    """
    if w.any():
        line = torch.from_numpy(bounded(w).astype(np.float32))
        p = torch.sigmoid(mechanisms.product(x, line[None])[:, 0])
    else:
        p = torch.full_like(label, 0.5)
    residual = torch.round((p - label) * 2.0**mechanisms.BITS) * mechanisms.COARSE
    weights = torch.round(p * (1 - p) * 2.0**WEIGHT_BITS) * 2.0**-WEIGHT_BITS
    return residual.numpy(), weights.numpy()


def gradient(residual: np.ndarray, x: torch.Tensor) -> np.ndarray:
    """Sum of (p_i - y_i) x_i in units of R: (d,) float64, exact."""
    return outer_sum(residual[:, None], x.numpy())[0]


# ----------------------------------------------------- queries, losses of records, audit cases


def queries(plan: Plan) -> dict[str, Query]:
    """Hessians and gradients of all classes together at given weights (C, d)."""

    def each_class(data: Dataset, plan: Plan, w: np.ndarray) -> list:
        x, labels, clip = padded_units(data.x), _labels(data), plan.params["clip"]
        return map_blocks(
            lambda c: (x, *parts_of_records(x, labels[c], w[c] * clip)), range(data.classes)
        )

    def hessians(data: Dataset, plan: Plan, w: np.ndarray) -> np.ndarray:
        if not w.any():
            return np.stack([[first_hessian(padded_units(data.x))] * data.classes])
        return np.stack([[gram(x.numpy(), weights) for x, _, weights in each_class(data, plan, w)]])

    def gradients(data: Dataset, plan: Plan, w: np.ndarray) -> np.ndarray:
        return np.stack([[gradient(r, x) for x, r, _ in each_class(data, plan, w)]])

    return {
        "hessians": Query(hessians, example_heads, lambda plan: plan.params["clip"] ** 2),
        "gradients": Query(gradients, example_heads, lambda plan: plan.params["clip"]),
    }


def losses(data: Dataset, plan: Plan, seed: int) -> Losses:
    """Per step ||x_i||^2 sum_c (p_ic - y_ic)^2 / s_g^2 + ||x_i||^4 sum_c (p_ic (1 - p_ic))^2 /
    s_h^2; of a person the norms of what all records add, squared.
    """
    x, labels, clip = padded_units(data.x), _labels(data), plan.params["clip"]
    first, length = first_hessian(x), clip * row_norms(x)
    gradients, hessians = plan.gaussian("gradients"), plan.gaussian("hessians")
    units, rows, n = PrivacyUnits.from_dataset(data, plan), x.numpy(), len(data.y)

    def one_class(c: int) -> np.ndarray:
        shares = np.zeros(units.count)

        def watch(residual: np.ndarray, weights: np.ndarray) -> None:
            def slope(rows_of_unit: np.ndarray) -> float:
                return clip * float(
                    np.linalg.norm(residual[rows_of_unit].astype(np.float64) @ rows[rows_of_unit])
                )

            def curvature(rows_of_unit: np.ndarray) -> float:
                return clip**2 * moment_norm(rows[rows_of_unit], weights[rows_of_unit])

            shares[:] += (units.map_units((length * residual)[:n], slope) / gradients.sigma) ** 2
            shares[:] += (
                units.map_units((length**2 * weights)[:n], curvature) / hessians.sigma
            ) ** 2

        descend(x, labels[c], plan, seed, c, first, watch)
        return shares

    return gaussian(np.sum(map_blocks(one_class, range(data.classes)), axis=0), plan)


def _case() -> AuditCase:
    """A record labelled against 200 like it: curvature and slope both say that it is there."""
    base, labels = [[1.0]] * 200 + [[0.0]], [1] * 200 + [0]
    more, less = records([*base, [1.0]], [*labels, 0]), records(base, labels)
    params = {"steps": 1, "ridge": 1e-6, "noise_ridge": 0.0}
    return AuditCase(params, more, less, first_weights_apart, share=1.5)


def _event_case() -> EventCase:
    """A record with a wrong label, far out in the one direction in which the others differ a
    little, along neither axis. At zero weights it moves the Hessians of all classes as far as it
    can; a step later every class is sure of the wrong answer, and it moves the gradients so far.
    """
    base, labels = [[1.0, 0.01], [1.0, -0.01]] * 400, [0, 1] * 400
    more, less = records([*base, [0.28, 0.96]], [*labels, 1]), records(base, labels)
    params = {"steps": 2, "ridge": 1.5, "noise_ridge": 0.0}
    return EventCase(params, more, less, ("hessians", "gradients"), LARGE_BUDGET)


METHOD = Method(
    key=KEY,
    title="DP-Newton",
    source=SOURCE,
    summary=(
        "Logistic regression trained in a few Newton steps with noisy gradients and Hessians."
    ),
    params=(STEPS, LR, CLIP, RIDGE, NOISE_RIDGE),
    plan=plan,
    fit=fit,
    line_style=LineStyle(MAUVE, "dash", "hexagon"),
    losses=losses,
    queries=queries,
    cases=lambda: [_case()],
    event_cases=lambda: [_event_case()],
)
