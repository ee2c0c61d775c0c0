"""DPSGD-Global-Adapt: gradients are scaled by one adaptive bound instead of clipped one by one.

Defaults were chosen by looking at the default data; that look is not paid for.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch

from dpviz import mechanisms, privacy
from dpviz.machine.threads import map_blocks, shares
from dpviz.methods.noisy_gd import CELLS, Problem, Watch, gradient_case, heads, softmax_residual_
from dpviz.methods.parts.record_losses import column_norms, gaussian, row_norms, squared_mu
from dpviz.types import Budget, Dataset, Fit, Losses, Method, Param, Plan, Sizes
from dpviz.types.look import SKY, Look

KEY = "global-adapt"
SOURCE = (
    "Esipova et al. 2023, DPSGD-Global-Adapt, with full batches and the cost of the count included"
)
LR = Param(
    "lr", "Learning rate", "Step size on the mean scaled gradient.", 60.0, 1e-3, 1e3, log=True
)
STEPS = Param(
    "steps",
    "Steps T",
    "Gradient steps; each one is noisier when there are more.",
    100,
    1,
    2000,
    1,
    log=True,
)
CLIP = Param(
    "clip", "Clip norm C", "L2 bound on one record's scaled gradient.", 0.3, 1e-3, 10.0, log=True
)
BOUND = Param(
    "bound",
    "First bound Z₀",
    "Gradients up to Z are scaled by C/Z. The paper's 100 suits deep networks; with norm-1 features"
    " none exceeds √2.",
    1.0,
    0.01,
    100.0,
    log=True,
)
ETA = Param(
    "eta",
    "Rate of Z",
    "Z shrinks by e to the minus this a step, and grows with the share above it.",
    0.1,
    0.0,
    1.0,
    0.01,
)
TAU = Param(
    "tau",
    "Threshold τ",
    "Gradients longer than τ times Z count as above the bound.",
    1.0,
    0.1,
    10.0,
    0.1,
)
COUNT_SHARE = Param(
    "count_share",
    "Share for the count",
    "Part of ρ spent on counting the gradients above the bound.",
    0.02,
    0.001,
    0.9,
    0.01,
)
SMALLEST = 0.01
LARGEST = math.sqrt(2)
"""Z is kept between these: post-processing, so free; at small budgets the noise of the count would
carry it off.
"""


def plan(sizes: Sizes, budget: Budget, params: Mapping[str, Any]) -> Plan:
    """``steps`` gradients and ``steps`` counts; rho = T/2 (1/sigma^2 + 1/sigma_b^2) is the whole
    budget.

    sigma_b (10 in the paper) follows from ``count_share``, as a fixed one would not fit small
    budgets.
    """
    mu, share, steps = privacy.mu_for(budget), params["count_share"], params["steps"]
    events = {
        "gradients": privacy.gaussian(params["clip"], mu * math.sqrt(1 - share), steps),
        "count": privacy.gaussian(1.0, mu * math.sqrt(share), steps),
    }
    return privacy.make_plan(
        KEY, params, budget, events, source=SOURCE, public="the encoder, the number of records"
    )


def fit(data: Dataset, plans: list[Plan], seeds: list[int]) -> Fit:
    """One linear head a plan and seed, from zero; a cell's bits do not depend on its batch.

    Guarantee: mu-GDP with mu^2 = T (sigma^-2 + sigma_b^-2) under add/remove.
    """
    problem = Problem.of(data)
    cells = [(i, j) for j in range(len(seeds)) for i in range(len(plans))]

    def block(mine: Sequence[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
        return descend(problem, [plans[i] for i, _ in mine], [seeds[j] for _, j in mine])

    parts = map_blocks(block, shares(cells, CELLS))
    weights = np.concatenate([w for w, _ in parts])
    bounds = np.concatenate([z for _, z in parts])
    trace = {"bounds": bounds.reshape(len(seeds), len(plans), -1).transpose(1, 0, 2)}
    return Fit(heads(weights, len(plans)), trace)


def descend(
    problem: Problem, plans: list[Plan], seeds: list[int], watch: Watch | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Noisy gradient descent with an adaptive bound for stacked cells.

    ``watch`` is shown the scaled residuals (cells, C, n) of every step and who is counted (cells,
    1, n).

    Returns:
        Weights (cells, C, d) float32 and the bound Z before each step and after the last (cells, T
        + 1).
    """
    params, (classes, n), cells = plans[0].params, problem.onehot.shape, len(plans)
    w = torch.zeros(cells, classes, problem.x.shape[1])
    residual = torch.empty(cells, classes, n)
    sigma = torch.from_numpy(_sigmas(plans, "gradients").astype(np.float32))[:, None, None]
    count_sigma, steps = _sigmas(plans, "count"), plans[0].gaussian("gradients").times
    streams = {seed: mechanisms.normal_steps(seed, KEY, w.shape[1:]) for seed in set(seeds)}
    counts = {
        seed: mechanisms.standard_normal(seed, f"{KEY} count", (steps,)) for seed in set(seeds)
    }
    bounds = [np.full(cells, params["bound"])]
    for step in range(steps):
        torch.mm(w.view(-1, w.shape[2]), problem.xt, out=residual.view(-1, n))
        softmax_residual_(residual, problem.onehot)
        norms = (residual * residual).sum(1, keepdim=True).sqrt_()
        bound = torch.from_numpy(bounds[-1].astype(np.float32))[:, None, None]
        residual *= scale(norms, bound, params["clip"])
        counted = norms > params["tau"] * bound
        above = counted.sum((1, 2)).numpy()
        if watch is not None:
            watch(residual, counted)
        noisy = above + count_sigma * np.array([counts[seed][step] for seed in seeds])
        bounds.append(
            np.clip(
                next_bound(bounds[-1], noisy, n, params["eta"]),
                SMALLEST,
                max(LARGEST, params["bound"]),
            )
        )
        draws = {seed: torch.from_numpy(next(stream)) for seed, stream in streams.items()}
        gradient = torch.mm(residual.view(-1, n), problem.x).view_as(w)
        gradient += sigma * torch.stack([draws[seed] for seed in seeds])
        w -= (params["lr"] / n) * gradient
    return w.numpy(), np.stack(bounds, axis=1)


def _sigmas(plans: list[Plan], name: str) -> np.ndarray:
    return np.array([p.gaussian(name).sigma for p in plans])


def scale(norms: torch.Tensor, bound: torch.Tensor | float, clip: float) -> torch.Tensor:
    """Factor of each gradient: C/Z up to norm Z, above it what clips it to C; scaled norms are at
    most C.
    """
    return torch.where(norms <= bound, clip / torch.as_tensor(bound), (clip / norms).clamp(max=1.0))


def next_bound(bound: np.ndarray, above: np.ndarray, public_count: int, eta: float) -> np.ndarray:
    """Z exp(-eta + above / B) for a (noisy) number of gradients above the threshold out of B,
    public.
    """
    return bound * np.exp(np.minimum(-eta + above / public_count, 50.0))


# ----------------------------------------------------------------- losses of records, audit cases


def losses(data: Dataset, plan: Plan, seed: int) -> Losses:
    """As the linear probe with scaled gradients, plus 1 / sigma_b^2 for each step that counts the
    record.
    """
    problem = Problem.of(data)
    gradients, count = plan.gaussian("gradients"), plan.gaussian("count")
    total, length = np.zeros(len(data.y)), row_norms(problem.x)

    def watch(residual: torch.Tensor, counted: torch.Tensor) -> None:
        total[:] += squared_mu(column_norms(residual) * length, gradients)
        total[:] += squared_mu(counted[0, 0].double().numpy(), count)

    descend(problem, [plan], [seed], watch)
    return gaussian(total, plan)


METHOD = Method(
    key=KEY,
    title="Global-Adapt",
    source=SOURCE,
    summary=(
        "A private linear classifier that scales all gradients alike, so that rare classes keep"
        " their direction."
    ),
    params=(LR, STEPS, CLIP, BOUND, ETA, TAU, COUNT_SHARE),
    plan=plan,
    fit=fit,
    look=Look(SKY, "solid", "triangle-down"),
    losses=losses,
    cases=lambda: [gradient_case({"steps": 4, "clip": 0.1, "lr": 0.01, "bound": 0.7})],
)
