"""DPSGD-Global-Adapt: gradients are scaled by one adaptive bound instead of clipped one by one.

Defaults were chosen by looking at the default data; that look is not paid for.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from dpviz import mechanisms, privacy
from dpviz.lazy_imports import torch
from dpviz.mechanisms import Seed
from dpviz.methods.components import noisy_descent
from dpviz.methods.components.clipped_gradients import (
    Block,
    Problem,
    Watch,
    example_heads,
    gradient_norms,
)
from dpviz.methods.components.privacy_unit import PrivacyUnits, gaussian, squared_mu
from dpviz.types import (
    Budget,
    Dataset,
    EventCase,
    Fit,
    Losses,
    Method,
    Param,
    Plan,
    Query,
    Sizes,
)
from dpviz.types.audit_case import LARGE_BUDGET
from dpviz.types.line_style import SKY, LineStyle

KEY = "global-adapt"
SOURCE = (
    "Esipova et al. 2023, DPSGD-Global-Adapt, with full batches and the cost of the count included"
)
LR = dataclasses.replace(
    noisy_descent.LR, help="Step size on the sum of scaled gradients divided by the record count."
)
STEPS = dataclasses.replace(noisy_descent.STEPS, label="Steps T")
CLIP = dataclasses.replace(
    noisy_descent.CLIP,
    label="Clip norm C",
    help="L2 bound on one record's scaled gradient.",
    high=10.0,
)
BOUND = Param(
    "bound",
    "Initial bound Z₀",
    "Gradients up to Z are scaled by C/Z. Norm-1 features have gradients up to √2. Paper, for"
    " deep networks: 100.",
    1.0,
    0.01,
    100.0,
    log=True,
)
ETA = Param(
    "eta",
    "Adaptation rate",
    "Z shrinks by exp(−rate) per step and grows with the share of gradients above it.",
    0.1,
    0.0,
    1.0,
    0.01,
)
TAU = Param(
    "tau",
    "Threshold τ",
    "Gradients longer than τZ count as above the bound.",
    1.0,
    0.1,
    10.0,
    0.1,
)
COUNT_SHARE = Param(
    "count_share",
    "Share for count",
    "Share of ρ spent on counting the gradients above the bound.",
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
    count_event, mu = noisy_descent.records_event(params, privacy.mu_for(budget))
    share, steps = params["count_share"], params["steps"]
    events = count_event | {
        "gradients": privacy.gaussian(params["clip"], mu * math.sqrt(1 - share), steps),
        "count": privacy.gaussian(1.0, mu * math.sqrt(share), steps),
    }
    return privacy.make_plan(KEY, params, budget, events, source=SOURCE)


def fit(data: Dataset, plans: list[Plan], seeds: list[Seed]) -> Fit:
    """One linear head a plan and seed, from zero; a cell's bits do not depend on its batch.

    Guarantee: mu-GDP with mu^2 = T (sigma^-2 + sigma_b^-2) under add/remove.
    """
    problem = Problem.from_dataset(data)

    def fit_part(plans: list[Plan], seeds: list[Seed]) -> tuple[np.ndarray, np.ndarray]:
        counts = [
            noisy_descent.record_count(data, *cell) for cell in zip(plans, seeds, strict=True)
        ]
        return descend(problem, plans, seeds, counts)

    parts = noisy_descent.map_cells(plans, seeds, fit_part)
    weights = np.concatenate([w for w, _ in parts])
    bounds = np.concatenate([z for _, z in parts])
    trace = {"bounds": bounds.reshape(len(seeds), len(plans), -1).transpose(1, 0, 2)}
    return Fit(noisy_descent.heads(weights, len(plans)), trace)


def descend(
    problem: Problem,
    plans: list[Plan],
    seeds: list[Seed],
    records: list[float],
    watch: Watch | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Noisy gradient descent with an adaptive bound for stacked cells; ``records``: what each one
    divides by.

    Returns:
        Weights (cells, C, d) float32 and the bound Z before each step and after the last (cells, T
        + 1).
    """
    params, (classes, d) = plans[0].params, (len(problem.onehot), problem.x.shape[1])
    w = np.zeros((len(plans), classes, d), np.float32)
    steps, divisors = plans[0].gaussian("gradients").times, np.array(records)
    streams = {seed: mechanisms.normal_steps(seed, KEY, (classes, d)) for seed in set(seeds)}
    counts = {
        seed: mechanisms.standard_normal(seed, f"{KEY} count", (steps, 1)) for seed in set(seeds)
    }
    bounds = [np.full(len(plans), params["bound"])]
    for t in range(steps):
        draws = {seed: next(stream) for seed, stream in streams.items()}
        sums, above_counts = scaled_sums(problem, w, bounds[-1], params, watch)
        noisy = np.empty(len(plans))
        for cell, (plan, seed) in enumerate(zip(plans, seeds, strict=True)):
            gradients, count = plan.gaussian("gradients"), plan.gaussian("count")
            w[cell] -= (params["lr"] / records[cell]) * mechanisms.add_gaussian(
                sums[cell], gradients, draws[seed], scale=params["clip"]
            )
            (noisy[cell],) = mechanisms.add_gaussian(
                above_counts[cell], count, counts[seed][t], grid=1
            )
        bounds.append(
            np.clip(
                next_bound(bounds[-1], noisy, divisors, params["eta"]),
                SMALLEST,
                max(LARGEST, params["bound"]),
            )
        )
    return w, np.stack(bounds, axis=1)


def scaled_sums(
    problem: Problem,
    w: np.ndarray,
    bounds: np.ndarray,
    params: Mapping[str, Any],
    watch: Watch | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """What a step releases of heads w (cells, C, d) and their bounds Z (cells,): the sum of scaled
    gradients in units of C, (cells, C, d) float64, and how many lie above tau Z, (cells, 1).

    ``watch`` is shown the blocks and who is counted, (cells, N) bool.
    """
    sums = torch.zeros(w.shape, dtype=torch.float64)
    above_counts = torch.zeros(len(w), 1, dtype=torch.float64)
    bound, blocks_and_counts = torch.from_numpy(bounds.astype(np.float32))[:, None, None], []
    for block in problem.blocks(w):
        sums += block.clipped_sum(divisor(block.norms, bound, params["clip"]))
        counted = ((block.norms > params["tau"] * bound) & block.is_record)[:, 0]
        above_counts += counted.sum(1, keepdim=True)
        if watch is not None:
            blocks_and_counts.append((block, counted))
    if watch is not None:
        blocks, counts = zip(*blocks_and_counts, strict=True)
        watch(blocks, torch.cat(counts, 1))
    return sums.numpy(), above_counts.numpy()


def divisor(norms: torch.Tensor, bound: torch.Tensor | float, clip: float) -> torch.Tensor:
    """What each gradient is divided by, in units of C, or by its norm where that is larger: Z up to
    norm Z, C above it. So it is scaled by C/Z, or clipped to C.
    """
    return torch.where(norms <= bound, torch.as_tensor(bound), torch.as_tensor(clip))


def next_bound(
    bound: np.ndarray, above: np.ndarray, records: float | np.ndarray, eta: float
) -> np.ndarray:
    """Z exp(-eta + above / B) for a (noisy) number of gradients above the threshold out of B, which
    is public or noisy too.
    """
    return bound * np.exp(np.minimum(-eta + above / records, 50.0))


# ----------------------------------------------------- losses of records, queries, audit cases


def losses(data: Dataset, plan: Plan, seed: int) -> Losses:
    """As the linear probe with scaled gradients, plus k^2 / sigma_b^2 for each step that counts k
    records.
    """
    problem, units, clip = (
        Problem.from_dataset(data),
        PrivacyUnits.from_dataset(data, plan),
        plan.params["clip"],
    )
    gradients, count = plan.gaussian("gradients"), plan.gaussian("count")
    total = np.zeros(units.count)

    def watch(blocks: list[Block], is_above: torch.Tensor) -> None:
        total[:] += squared_mu(clip * gradient_norms(units, blocks, problem.exact), gradients)
        total[:] += squared_mu(units.counts(is_above[0, : problem.count].numpy()), count)

    descend(problem, [plan], [seed], [noisy_descent.record_count(data, plan, seed)], watch)
    return gaussian(total + noisy_descent.loss_of_count(units, plan), plan)


def queries(plan: Plan) -> dict[str, Query]:
    """The scaled gradients' sum and the count, under a head and a bound of the step before."""
    bounds = (plan.params["bound"], SMALLEST, 0.7)

    def released(data: Dataset, plan: Plan, before: tuple) -> tuple[np.ndarray, np.ndarray]:
        head, bound = before
        return scaled_sums(Problem.from_dataset(data), head[None], np.array([bound]), plan.params)

    def before(data: Dataset, plan: Plan, rng: np.random.Generator) -> list:
        return list(zip(example_heads(data, plan, rng), bounds, strict=True))

    return {
        "gradients": Query(
            lambda *given: released(*given)[0], before, lambda plan: plan.params["clip"]
        ),
        "count": Query(lambda *given: released(*given)[1], before),
    } | noisy_descent.records_query(plan)


def event_cases() -> list[EventCase]:
    """A record that is clipped and counted at the one step; and one that is scaled at the first and
    clipped and counted at the second, since the bound has shrunk.
    """
    slow = noisy_descent.SLOW | {"batch": 10_000, "count_share": 0.5}
    pair = noisy_descent.off_axis_pair()
    return [
        EventCase(slow | {"steps": 1, "bound": 0.7}, *pair, ("gradients", "count"), LARGE_BUDGET),
        EventCase(
            slow | {"steps": 2, "bound": 1.2, "eta": 0.45},
            *pair,
            ("gradients", "count"),
            LARGE_BUDGET,
        ),
        noisy_descent.count_case(),
    ]


METHOD = Method(
    key=KEY,
    title="Global-Adapt",
    source=SOURCE,
    summary=(
        "Private linear classifier that scales all gradients by the same factor, to preserve the"
        " direction of rare classes."
    ),
    params=(
        LR,
        noisy_descent.COUNT,
        noisy_descent.BATCH,
        STEPS,
        CLIP,
        BOUND,
        ETA,
        TAU,
        COUNT_SHARE,
    ),
    plan=plan,
    fit=fit,
    line_style=LineStyle(SKY, "solid", "triangle-down"),
    losses=losses,
    queries=queries,
    event_cases=event_cases,
    cases=lambda: [noisy_descent.gradient_case({"steps": 4, "bound": 0.7})],
)
