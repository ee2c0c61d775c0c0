"""DP-FC: noisy gradient steps, preconditioned by one noisy second moment of the features.

Defaults were chosen by looking at the default data; that look is not paid for.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from dpviz import mechanisms, privacy
from dpviz.machine.threads import map_blocks
from dpviz.methods.noisy_gd import Watch
from dpviz.methods.parts.covariance import NOISE_RIDGE, gram, noisy_psd, unit_symmetric
from dpviz.methods.parts.covariance import SOURCE as PAPER
from dpviz.methods.parts.record_losses import gaussian, row_norms, squared_mu
from dpviz.methods.parts.worst_neighbours import first_weight, records
from dpviz.types.audit_case import AuditCase
from dpviz.types.dataset import Dataset, Sizes, unit_rows
from dpviz.types.guarantee import Budget, Plan
from dpviz.types.look import RED, Look
from dpviz.types.method import Losses, Method, Param
from dpviz.types.release import Fit, Release

KEY = "dp-fc"
SOURCE = f"{PAPER} (DP-FC)"
BIAS = -10.0
"""Fixed start of every logit, so that the many negatives of a class cost nothing at first. [paper's
code]
"""
STEPS = Param(
    "steps",
    "Steps T",
    "Gradient steps; each one is noisier when there are more.",
    10,
    1,
    200,
    1,
    log=True,
)
LR = Param("lr", "Step size", "Multiplies each preconditioned step.", 300.0, 1e-3, 1e4, log=True)
CLIP = Param(
    "clip",
    "Clip norm R",
    "L2 bound on one record's gradient of the mean loss over the classes.",
    0.05,
    1e-3,
    1.0,
    log=True,
)
RIDGE = Param(
    "ridge",
    "Ridge λ",
    "Added to the diagonal of the features' second moment (unit-norm features).",
    10.0,
    1e-6,
    1e4,
    log=True,
)


def plan(sizes: Sizes, budget: Budget, params: Mapping[str, Any]) -> Plan:
    """One second moment and ``steps`` clipped gradients, all with one noise multiplier.

    Features have norm 1, so a record moves the second moment by at most 1 in Frobenius norm.
    """
    mu, steps = privacy.mu_for(budget) / math.sqrt(1 + params["steps"]), params["steps"]
    events = {
        "moments": privacy.gaussian(1.0, mu),
        "gradients": privacy.gaussian(params["clip"], mu * math.sqrt(steps), steps),
    }
    return privacy.make_plan(KEY, params, budget, events, source=SOURCE)


def fit(data: Dataset, plans: list[Plan], seeds: list[int]) -> Fit:
    """One linear head a plan and seed, from zero. O(n d^2 + cells (d^3 + T n d C)).

    Guarantee: mu-GDP with mu^2 = s_1^-2 + T s_2^-2 under add/remove; noise is independent for each
        class.
    """
    x = torch.from_numpy(unit_rows(data.x))
    onehot = torch.from_numpy(np.eye(data.classes, dtype=np.float32)[data.y])
    (moments,) = map_blocks(gram, [x])
    cells = [(i, j) for j in range(len(seeds)) for i in range(len(plans))]
    weights = map_blocks(
        lambda cell: descend(x, onehot, moments, plans[cell[0]], seeds[cell[1]]), cells
    )
    done = dict(zip(cells, weights, strict=True))
    bias = np.full(data.classes, BIAS, np.float32)
    return Fit([[Release(done[i, j], bias) for j in range(len(seeds))] for i in range(len(plans))])


def descend(
    x: torch.Tensor,
    onehot: torch.Tensor,
    moments: torch.Tensor,
    plan: Plan,
    seed: int,
    watch: Watch | None = None,
) -> np.ndarray:
    """Noisy preconditioned gradient descent on the mean binary cross-entropy: (C, d) float32."""
    (_, d), classes = x.shape, onehot.shape[1]
    event = plan.gaussian("gradients")
    factor = _preconditioner(moments, plan, seed)
    noise = mechanisms.standard_normal(seed, f"{KEY} gradients", (event.times, classes, d))
    w = torch.zeros(classes, d, dtype=torch.float64)
    for unit_noise in noise:
        gradient = clipped_gradient(x, onehot, w.float(), plan.params["clip"], watch).numpy()
        noisy = torch.from_numpy(mechanisms.add_gaussian(gradient, event, unit_noise))
        w -= plan.params["lr"] * torch.cholesky_solve(noisy.T, factor).T
    return w.float().numpy()


def clipped_gradient(
    x: torch.Tensor, onehot: torch.Tensor, w: torch.Tensor, clip: float, watch: Watch | None = None
) -> torch.Tensor:
    """Sum over records of their clipped gradients of the mean BCE over classes: (C, d) float64.

    A record's gradient is (p - e_y) x^T / C, of norm |p - e_y| |x| / C. ``watch`` is shown its
    first factor,
    clipped: (n, C).
    """
    residual = (torch.sigmoid(x @ w.T + BIAS) - onehot) / onehot.shape[1]
    norms = torch.linalg.vector_norm(residual, dim=1) * torch.linalg.vector_norm(x, dim=1)
    residual *= (clip / norms.clamp_(min=clip))[:, None]
    if watch is not None:
        watch(residual)
    return (residual.T @ x).double()


def _preconditioner(moments: torch.Tensor, plan: Plan, seed: int) -> torch.Tensor:
    """Cholesky factor (d, d) of the noisy second moment plus the ridge."""
    event, d = plan.gaussian("moments"), len(moments)
    matrix = noisy_psd(moments, event, unit_symmetric(seed, f"{KEY} moments", d))
    matrix.diagonal().add_(
        plan.params["ridge"] + plan.params["noise_ridge"] * event.sigma * math.sqrt(d)
    )
    return torch.linalg.cholesky(matrix)


# ----------------------------------------------------------------- losses of records, audit cases


def losses(data: Dataset, plan: Plan, seed: int) -> Losses:
    """||x_i||^2 in the second moment once, and a clipped gradient a step."""
    x = torch.from_numpy(unit_rows(data.x))
    onehot = torch.from_numpy(np.eye(data.classes, dtype=np.float32)[data.y])
    (moments,) = map_blocks(gram, [x])
    length = row_norms(x)
    total = squared_mu(length**2, plan.gaussian("moments"))

    def watch(residual: torch.Tensor) -> None:
        total[:] += squared_mu(row_norms(residual) * length, plan.gaussian("gradients"))

    descend(x, onehot, moments, plan, seed, watch)
    return gaussian(total, plan)


def _case() -> AuditCase:
    """A clipped gradient among records without one, and a ridge that fixes the preconditioner."""
    base, labels = [[0.0], [0.0]], [0, 1]
    params = {"steps": 4, "ridge": 1e4, "noise_ridge": 0.0, "clip": 0.05, "lr": 0.01}
    more, less = records([*base, [1.0]], [*labels, 0]), records(base, labels)
    return AuditCase(params, more, less, first_weight, share=0.5)


METHOD = Method(
    key=KEY,
    title="DP-FC",
    source=SOURCE,
    summary=(
        "A linear classifier trained step by step along directions that a noisy second moment has"
        " evened out."
    ),
    params=(STEPS, LR, CLIP, RIDGE, NOISE_RIDGE),
    plan=plan,
    fit=fit,
    look=Look(RED, "dash", "cross"),
    losses=losses,
    cases=lambda: [_case()],
)
