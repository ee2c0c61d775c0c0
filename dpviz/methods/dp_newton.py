"""DP-Newton: one logistic classifier a class, trained by Newton steps with noisy gradient and
Hessian.

Defaults were chosen by looking at the default data; that look is not paid for.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from dpviz import mechanisms, privacy
from dpviz.machine.threads import map_blocks
from dpviz.methods.noisy_gd import Watch
from dpviz.methods.parts.covariance import (
    CLIP,
    NOISE_RIDGE,
    gram,
    noisy_psd,
    ridge_solve,
    unit_symmetric,
)
from dpviz.methods.parts.covariance import SOURCE as PAPER
from dpviz.methods.parts.record_losses import gaussian, row_norms
from dpviz.methods.parts.worst_neighbours import first_weights_apart, records
from dpviz.types.audit_case import AuditCase
from dpviz.types.dataset import Dataset, Sizes, unit_rows
from dpviz.types.guarantee import Budget, Plan
from dpviz.types.look import SKY, Look
from dpviz.types.method import Losses, Method, Param
from dpviz.types.release import Fit, Release

KEY = "dp-newton"
SOURCE = f"{PAPER} (DP-Newton)"
STEPS = Param(
    "steps", "Steps T", "Newton steps; each one is noisier when there are more.", 5, 1, 50, 1
)
LR = Param("lr", "Step size", "Share of the full Newton step that is taken.", 1.0, 0.01, 1.0, 0.05)
RIDGE = Param(
    "ridge",
    "Ridge λ",
    "Added to the diagonal of the Hessian, in units of R².",
    1.0,
    1e-6,
    1e4,
    log=True,
)
NOISE_RIDGE = dataclasses.replace(NOISE_RIDGE, default=0.5)


def plan(sizes: Sizes, budget: Budget, params: Mapping[str, Any]) -> Plan:
    """``steps`` Hessians and gradients with equal noise multipliers.

    A record is in all C binary problems: it moves the stacked gradients by at most sqrt(C) R and
    the stacked Hessians by at most sqrt(C) R^2 / 4.
    """
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


def fit(data: Dataset, plans: list[Plan], seeds: list[int]) -> Fit:
    """A logistic classifier a class for each plan and seed, from zero. O(cells T C (n d^2 + d^3)).

    Guarantee: mu-GDP with mu^2 = T (s_1^-2 + s_2^-2) under add/remove.
    """
    x = torch.from_numpy(mechanisms.clip_rows(unit_rows(data.x), plans[0].params["clip"]))
    labels = [torch.from_numpy((data.y == c).astype(np.float32)) for c in range(data.classes)]
    jobs = [
        (i, j, c) for j in range(len(seeds)) for i in range(len(plans)) for c in range(data.classes)
    ]
    (first,) = map_blocks(lambda z: gram(z) / 4, [x])  # every p is 1/2 at zero weights
    done = map_blocks(
        lambda job: descend(x, labels[job[2]], plans[job[0]], seeds[job[1]], job[2], first), jobs
    )
    columns = dict(zip(jobs, done, strict=True))
    bias = np.zeros(data.classes, np.float32)

    def release(i: int, j: int) -> Release:
        return Release(np.stack([columns[i, j, c] for c in range(data.classes)]), bias)

    return Fit([[release(i, j) for j in range(len(seeds))] for i in range(len(plans))])


def descend(
    x: torch.Tensor,
    label: torch.Tensor,
    plan: Plan,
    seed: int,
    c: int,
    first: torch.Tensor,
    watch: Watch | None = None,
) -> np.ndarray:
    """Noisy Newton steps of class c's binary problem from zero weights.

    Args:
        x: (n, d) float32, clipped; label: (n,) float32, 1 for class c; first: (d, d) Hessian at
            zero;
            watch: shown the probabilities (n,) of every step.

    Returns:
        (d,) float32 weights.
    """
    params, d = plan.params, x.shape[1]
    event = plan.gaussian("hessians")
    penalty = params["ridge"] * params["clip"] ** 2 + params[
        "noise_ridge"
    ] * event.sigma * math.sqrt(d)
    w = torch.zeros(d, dtype=torch.float64)
    for step in range(event.times):
        p = torch.sigmoid(x @ w.float())
        if watch is not None:
            watch(p)
        hessian = first if step == 0 else gram(x, p * (1 - p))
        gradient = ((p - label) @ x).double().numpy()
        square = unit_symmetric(seed, f"{KEY} hessian {step} of class {c}", d)
        line = mechanisms.standard_normal(seed, f"{KEY} gradient {step} of class {c}", (d,))
        noisy = torch.from_numpy(
            mechanisms.add_gaussian(gradient, plan.gaussian("gradients"), line)
        )
        direction = ridge_solve(noisy_psd(hessian, event, square), penalty, noisy[:, None])[:, 0]
        w -= params["lr"] * direction
    return w.float().numpy()


# ----------------------------------------------------------------- losses of records, audit cases


def losses(data: Dataset, plan: Plan, seed: int) -> Losses:
    """Per step ||x_i||^2 sum_c (p_ic - y_ic)^2 / s_g^2 + ||x_i||^4 sum_c (p_ic (1 - p_ic))^2 /
    s_h^2.
    """
    x = torch.from_numpy(mechanisms.clip_rows(unit_rows(data.x), plan.params["clip"]))
    (first,) = map_blocks(lambda z: gram(z) / 4, [x])
    length = row_norms(x)
    gradients, hessians = plan.gaussian("gradients"), plan.gaussian("hessians")

    def one_class(c: int) -> np.ndarray:
        label = (data.y == c).astype(np.float32)
        shares = np.zeros(len(label))

        def watch(p: torch.Tensor) -> None:
            odds = p.double().numpy()
            shares[:] += (length * (odds - label) / gradients.sigma) ** 2
            shares[:] += (length**2 * odds * (1 - odds) / hessians.sigma) ** 2

        descend(x, torch.from_numpy(label), plan, seed, c, first, watch)
        return shares

    return gaussian(np.sum(map_blocks(one_class, range(data.classes)), axis=0), plan)


def _case() -> AuditCase:
    """A record labelled against 200 like it: curvature and slope both say that it is there."""
    base, labels = [[1.0]] * 200 + [[0.0]], [1] * 200 + [0]
    more, less = records([*base, [1.0]], [*labels, 0]), records(base, labels)
    params = {"steps": 1, "ridge": 1e-6, "noise_ridge": 0.0}
    return AuditCase(params, more, less, first_weights_apart)


METHOD = Method(
    key=KEY,
    title="DP-Newton",
    source=SOURCE,
    summary=(
        "Logistic classifiers trained in a few big steps, each from a noisy gradient and a noisy"
        " curvature."
    ),
    params=(STEPS, LR, CLIP, RIDGE, NOISE_RIDGE),
    plan=plan,
    fit=fit,
    look=Look(SKY, "dash", "hexagon"),
    losses=losses,
    cases=lambda: [_case()],
)
