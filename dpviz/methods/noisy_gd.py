"""NoisyGD: full-batch DP-SGD on a linear head, the private linear probe of the papers.

Defaults were chosen by looking at the default data; that look is not paid for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import torch

from dpviz import mechanisms, privacy
from dpviz.machine.threads import map_blocks, shares
from dpviz.methods.parts.record_losses import column_norms, gaussian, row_norms, squared_mu
from dpviz.methods.parts.worst_neighbours import first_weights_apart, records
from dpviz.types.audit_case import AuditCase
from dpviz.types.dataset import Dataset, Sizes, unit_rows
from dpviz.types.guarantee import Budget, Gaussian, Plan
from dpviz.types.look import RED, Look
from dpviz.types.method import Losses, Method, Param
from dpviz.types.release import Fit, Release

KEY = "noisy-gd"
SOURCE = "Abadi et al. 2016 with full batches; composition by Dong et al. 2019"
LR = Param("lr", "Learning rate", "Step size on the mean gradient.", 60.0, 1e-3, 1e3, log=True)
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
CELLS = 8
"""Cells stacked into one matrix product, at most: more gain little and hold more memory."""


def plan(sizes: Sizes, budget: Budget, params: Mapping[str, Any]) -> Plan:
    """``steps`` Gaussian releases of the clipped gradient sum."""
    event = privacy.gaussian(params["clip"], privacy.mu_for(budget), params["steps"])
    public = "the encoder; the number of records, as a step size only"
    return privacy.make_plan(
        KEY, params, budget, {"gradients": event}, source=SOURCE, public=public
    )


def fit(data: Dataset, plans: list[Plan], seeds: list[int]) -> Fit:
    """One linear head a plan and seed, from zero; a cell's bits do not depend on its batch.

    Guarantee: mu-GDP with mu = sqrt(steps) * clip / sigma under add/remove.
    """
    problem = Problem.of(data)
    params = plans[0].params
    cells = [(i, j) for j in range(len(seeds)) for i in range(len(plans))]

    def block(mine: Sequence[tuple[int, int]]) -> np.ndarray:
        events = [plans[i].gaussian("gradients") for i, _ in mine]
        return descend(problem, events, [seeds[j] for _, j in mine], params["lr"], params["clip"])

    weights = np.concatenate(map_blocks(block, shares(cells, CELLS)))
    return Fit(heads(weights, len(plans)))


def heads(weights: np.ndarray, plans: int) -> list[list[Release]]:
    """Linear heads without a bias, ``[plan][seed]``, of weights (seeds * plans, C, d) in that
    order.
    """
    grid = weights.reshape(-1, plans, *weights.shape[1:]).swapaxes(0, 1)
    return [[Release(w, np.zeros(len(w), np.float32)) for w in row] for row in grid]


class Problem:
    """Unit features and one-hot labels, laid out so that classes are rows and records columns."""

    def __init__(self, x: torch.Tensor, onehot: torch.Tensor) -> None:
        """x: (n, d) float32; onehot: (C, n) float32."""
        self.x, self.xt, self.onehot = x, x.T.contiguous(), onehot

    @classmethod
    def of(cls, data: Dataset) -> Problem:
        """The private training records of ``data``."""
        onehot = np.zeros((data.classes, len(data.y)), np.float32)
        onehot[data.y, np.arange(len(data.y))] = 1
        return cls(torch.from_numpy(unit_rows(data.x)), torch.from_numpy(onehot))


Watch = Callable[..., None]
"""Shown what each step sums, record by record, before the noise; moves nothing."""


def descend(
    problem: Problem,
    events: list[Gaussian],
    seeds: list[int],
    lr: float,
    clip: float,
    watch: Watch | None = None,
) -> np.ndarray:
    """Noisy gradient descent on softmax cross-entropy for stacked cells.

    Each record's gradient is x (p - e_y)^T with norm |x| |p - e_y| = |p - e_y|, so clipping scales
    the columns of P - Y and the clipped sum is one product. O(steps * n * d * C) a cell. ``watch``
    is shown those columns, (cells, C, n), of every step.

    Returns:
        (cells, C, d) float32.
    """
    classes, n = problem.onehot.shape
    w = torch.zeros(len(events), classes, problem.x.shape[1])
    residual = torch.empty(len(events), classes, n)
    sigma = torch.tensor([e.sigma for e in events], dtype=torch.float32)[:, None, None]
    streams = {seed: mechanisms.normal_steps(seed, KEY, w.shape[1:]) for seed in set(seeds)}
    for _ in range(events[0].times):
        torch.mm(w.view(-1, w.shape[2]), problem.xt, out=residual.view(-1, n))
        softmax_residual_(residual, problem.onehot)
        norm = (residual * residual).sum(1, keepdim=True).sqrt_().clamp_(min=clip)
        residual *= clip / norm
        if watch is not None:
            watch(residual)
        draws = {seed: torch.from_numpy(next(stream)) for seed, stream in streams.items()}
        gradient = torch.mm(residual.view(-1, n), problem.x).view_as(w)
        gradient += sigma * torch.stack([draws[seed] for seed in seeds])
        w -= (lr / n) * gradient
    return w.numpy()


def softmax_residual_(logits: torch.Tensor, onehot: torch.Tensor) -> torch.Tensor:
    """softmax(logits) - onehot over the classes axis of (cells, C, n), in place."""
    logits -= logits.amax(1, keepdim=True)
    logits.exp_()
    logits /= logits.sum(1, keepdim=True)
    logits -= onehot
    return logits


# ----------------------------------------------------------------- losses of records, audit cases


def losses(data: Dataset, plan: Plan, seed: int) -> Losses:
    """mu_i^2 = sum over steps of (||clip(g_i)|| / sigma)^2 with g_i = x_i (p_i - e_y)^T."""
    problem, event, params = Problem.of(data), plan.gaussian("gradients"), plan.params
    total, length = np.zeros(len(data.y)), row_norms(problem.x)

    def watch(residual: torch.Tensor) -> None:
        total[:] += squared_mu(column_norms(residual) * length, event)

    descend(problem, [event], [seed], params["lr"], params["clip"], watch)
    return gaussian(total, plan)


def gradient_case(params: Mapping[str, Any]) -> AuditCase:
    """A record whose gradient is clipped at every step, among records that have none."""
    base, labels = [[0.0], [0.0]], [0, 1]
    more, less = records([*base, [1.0]], [*labels, 0]), records(base, labels)
    return AuditCase(params, more, less, _times_records)


def _times_records(release: Release, data: Dataset) -> float:
    """A step is divided by the number of records, which the card calls public."""
    return first_weights_apart(release, data) * len(data.x)


METHOD = Method(
    key=KEY,
    title="Private linear probe",
    source=SOURCE,
    summary="A linear classifier trained step by step, with noise on every step.",
    params=(LR, STEPS, CLIP),
    plan=plan,
    fit=fit,
    look=Look(RED, "solid", "triangle-up"),
    losses=losses,
    cases=lambda: [gradient_case({"steps": 4, "clip": 0.1, "lr": 0.01})],
)
