"""DP-FC: noisy gradient steps, preconditioned by one noisy second moment of the features.

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
    EVEN,
    LR,
    NOISE_RIDGE,
    RIDGE,
    STEPS,
    allow,
    bounded,
    eigen,
    gram,
    noisy_lower,
    outer_sum,
    padded_units,
    shrunk,
)
from dpviz.methods.components.privacy_unit import (
    PrivacyUnits,
    gaussian,
    moment_norm,
    row_norms,
    squared_mu,
)
from dpviz.methods.components.worst_neighbours import first_weight, one_more, records
from dpviz.types.audit_case import AuditCase, EventCase
from dpviz.types.budget import Budget
from dpviz.types.dataset import Dataset, Sizes
from dpviz.types.guarantee import Plan
from dpviz.types.line_style import ROSE, LineStyle
from dpviz.types.method import Losses, Method, Query
from dpviz.types.release import Fit, Release

KEY = "dp-fc"
SOURCE = f"{covariance.SOURCE} (DP-FC)"
BIAS = -10.0
"""Fixed start of every logit, so that the many negatives of a class cost nothing at first. [paper's
code]
"""
CLIP = dataclasses.replace(
    covariance.CLIP,
    help="L2 bound on one record's gradient of the loss averaged over classes.",
    default=0.05,
)


def plan(sizes: Sizes, budget: Budget, params: Mapping[str, Any]) -> Plan:
    """One second moment and ``steps`` clipped gradients, all with one noise multiplier.

    Features have norm 1, so a record moves the second moment by at most 1 in Frobenius norm.
    """
    allow(KEY, sizes.d)
    mu, steps = privacy.mu_for(budget) / math.sqrt(1 + params["steps"]), params["steps"]
    events = {
        "moments": privacy.gaussian(1.0, mu),
        "gradients": privacy.gaussian(params["clip"], mu * math.sqrt(steps), steps),
    }
    return privacy.make_plan(KEY, params, budget, events, source=SOURCE)


def fit(data: Dataset, plans: list[Plan], seeds: list[mechanisms.Seed]) -> Fit:
    """One linear head a plan and seed, from zero. O(n d^2 + cells (d^3 + T n d C)).

    Guarantee: mu-GDP with mu^2 = s_1^-2 + T s_2^-2 under add/remove; noise is independent for each
        class.
    """
    x, onehot = padded_units(data.x), _onehot(data)
    moments = _moments(data)
    cells = [(i, j) for j in range(len(seeds)) for i in range(len(plans))]
    weights = map_blocks(
        lambda cell: descend(x, onehot, moments, plans[cell[0]], seeds[cell[1]]), cells
    )
    done = dict(zip(cells, weights, strict=True))
    bias = np.full(data.classes, BIAS, np.float32)
    return Fit([[Release(done[i, j], bias) for j in range(len(seeds))] for i in range(len(plans))])


def _onehot(data: Dataset) -> torch.Tensor:
    """Labels (n, C) float32, padded as features are."""
    onehot = np.zeros((-(-len(data.y) // EVEN) * EVEN, data.classes), np.float32)
    onehot[np.arange(len(data.y)), data.y] = 1
    return torch.from_numpy(onehot)


def _moments(data: Dataset) -> np.ndarray:
    """Second moment (d, d) of the unit rows."""
    (moments,) = map_blocks(gram, [mechanisms.unit_rows(data.x)])
    return moments


def descend(
    x: torch.Tensor,
    onehot: torch.Tensor,
    moments: np.ndarray,
    plan: Plan,
    seed: mechanisms.Seed,
    watch: Callable[[np.ndarray], None] | None = None,
) -> np.ndarray:
    """Noisy preconditioned gradient descent on the mean binary cross-entropy: (C, d) float32.

    ``watch`` is shown ``clipped_residuals`` (n, C) of every step.
    """
    (_, d), classes, clip = x.shape, onehot.shape[1], plan.params["clip"]
    event = plan.gaussian("gradients")
    parts, ridge = _preconditioner(moments, plan, seed)
    noise = mechanisms.standard_normal(seed, f"{KEY} gradients", (event.times, classes, d))
    w = np.zeros((classes, d))
    for unit_noise in noise:
        residual = clipped_residuals(x, onehot, w, clip)
        if watch is not None:
            watch(residual)
        noisy = [  # a class at a time, so that an audit sees that each has noise of its own
            mechanisms.add_gaussian(gradient, event, own, clip)
            for gradient, own in zip(outer_sum(residual, x.numpy()), unit_noise, strict=True)
        ]
        w = bounded(w - plan.params["lr"] * shrunk(parts, ridge, np.stack(noisy)))
    return w.astype(np.float32)


def clipped_residuals(
    x: torch.Tensor, onehot: torch.Tensor, w: np.ndarray, clip: float
) -> np.ndarray:
    """What each record's gradient of the mean BCE over classes is made of, clipped, in units of
    ``clip`` and on the grid of features: (n, C) float32.

    A record's gradient is (p - e_y) x^T / C, of norm |p - e_y| |x| / C; its features have norm 1.
    """
    scores = mechanisms.product(x, torch.from_numpy(bounded(w).astype(np.float32)))
    residual = torch.sigmoid(scores + BIAS) - onehot
    return mechanisms.contributions(residual.numpy(), clip * onehot.shape[1], mechanisms.BITS)


def _preconditioner(
    moments: np.ndarray, plan: Plan, seed: mechanisms.Seed
) -> tuple[tuple[np.ndarray, np.ndarray], float]:
    """Eigenvalues and eigenvectors of the noisy second moment, and the ridge."""
    event, d = plan.gaussian("moments"), len(moments)
    noise = mechanisms.packed_symmetric(seed, f"{KEY} moments", d)
    lower = noisy_lower(moments, event, noise, 1.0)
    ridge = plan.params["ridge"] + plan.params["noise_ridge"] * event.sigma * math.sqrt(d)
    return eigen(lower, np.float64 if event.sigma == 0 else np.float32), ridge


# ----------------------------------------------------- queries, losses of records, audit cases


def queries(plan: Plan) -> dict[str, Query]:
    """The second moment, and the gradients of all classes together at given weights (C, d)."""

    def gradients(data: Dataset, plan: Plan, w: np.ndarray) -> np.ndarray:
        x, onehot, clip = padded_units(data.x), _onehot(data), plan.params["clip"]
        (residual,) = map_blocks(lambda rows: clipped_residuals(rows, onehot, w, clip), [x])
        return outer_sum(residual, x.numpy())[None]

    return {
        "moments": Query(lambda data, *_: _moments(data)[None]),
        "gradients": Query(gradients, example_heads, lambda plan: plan.params["clip"]),
    }


def losses(data: Dataset, plan: Plan, seed: int) -> Losses:
    """||x_i||^2 in the second moment once, and a clipped gradient a step; of a person the norms of
    what all records add to them.
    """
    x, onehot, units, n = (
        padded_units(data.x),
        _onehot(data),
        PrivacyUnits.from_dataset(data, plan),
        len(data.y),
    )
    rows, event, clip = x.numpy(), plan.gaussian("gradients"), plan.params["clip"]
    length = row_norms(x)
    moved = units.map_units((length**2)[:n], lambda rows_of_unit: moment_norm(rows[rows_of_unit]))
    total = squared_mu(moved, plan.gaussian("moments"))

    def watch(residual: np.ndarray) -> None:
        def together(rows_of_unit: np.ndarray) -> float:
            return clip * float(
                np.linalg.norm(residual[rows_of_unit].T.astype(np.float64) @ rows[rows_of_unit])
            )

        added = units.map_units((clip * row_norms(residual) * length)[:n], together)
        total[:] += squared_mu(added, event)

    descend(x, onehot, _moments(data), plan, seed, watch)
    return gaussian(total, plan)


def _case() -> AuditCase:
    """A clipped gradient among records without one, and a ridge that fixes the preconditioner."""
    base, labels = [[0.0], [0.0]], [0, 1]
    params = {"steps": 4, "ridge": 1e4, "noise_ridge": 0.0, "clip": 0.05, "lr": 0.01}
    more, less = records([*base, [1.0]], [*labels, 0]), records(base, labels)
    return AuditCase(params, more, less, first_weight, share=0.5)


def _event_case() -> EventCase:
    """One more record, along neither axis, whose gradient is clipped at every step; the others have
    none, so that nothing but it and the noise is seen.
    """
    more, less = one_more([[0.0, 0.0]] * 4, [0, 1] * 2)
    params = {"steps": 4, "clip": 0.05, "lr": 0.01}
    return EventCase(params, more, less, ("moments", "gradients"), share=0.5)


METHOD = Method(
    key=KEY,
    title="DP-FC",
    source=SOURCE,
    summary=(
        "Linear classifier trained on features that are decorrelated by a noisy second-moment"
        " matrix."
    ),
    params=(STEPS, LR, CLIP, RIDGE, NOISE_RIDGE),
    plan=plan,
    fit=fit,
    line_style=LineStyle(ROSE, "dash", "cross"),
    losses=losses,
    queries=queries,
    cases=lambda: [_case()],
    event_cases=lambda: [_event_case()],
)
