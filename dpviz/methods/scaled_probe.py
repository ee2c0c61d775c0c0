"""The linear scaling rule: the private linear probe, with a step size that was tuned and paid for.

A probe's step size matters, and the best one depends on the budget. Trials at two small budgets are
cheap: each tries the same few total step sizes r = (step size) x (steps), and how many records each
trial's head has right is told with noise. The best r of both, drawn on a line over epsilon, gives
the r of the one run that has most of the budget. Everything is counted: trials, both choices, and
that run.

The paper tries random settings and pays for trials alone; here r runs over a fixed public grid, and
the choices are paid for too. Shares of the budget are chosen so that at (1, 1e-5)-DP with five
trials a trial has epsilon .05 and .1. The number of steps stays a setting. Defaults were chosen by
looking at the default data; that look is not paid for.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from dpviz import mechanisms, privacy
from dpviz.lazy_imports import torch
from dpviz.mechanisms import Seed
from dpviz.methods.components import noisy_descent
from dpviz.methods.components.clipped_gradients import Block, Problem, example_heads, gradient_norms
from dpviz.methods.components.privacy_unit import PrivacyUnits, gaussian, squared_mu
from dpviz.methods.components.worst_neighbours import (
    TURNING,
    first_weights_apart,
    one_more,
    records,
)
from dpviz.types.audit_case import AuditCase, EventCase
from dpviz.types.budget import Budget
from dpviz.types.dataset import Dataset, Sizes
from dpviz.types.guarantee import Gaussian, Plan
from dpviz.types.line_style import PLUM, LineStyle
from dpviz.types.method import Losses, Method, Param, Query
from dpviz.types.release import Fit

KEY = "scaled-probe"
SOURCE = (
    "Panda et al. 2024, linear scaling rule, with a private selection that is charged to the budget"
)
TRIALS = Param(
    "trials",
    "Trials",
    "Number of total step sizes tried at each of the two small budgets.",
    5,
    2,
    12,
    1,
)
SMALLEST_TOTAL = Param(
    "least",
    "Minimum total step",
    "Step size times number of steps, for the gradient sum divided by the record count.",
    100.0,
    1e-3,
    1e6,
    log=True,
)
SPAN = Param(
    "span",
    "Total step range",
    "Largest total step divided by the smallest. Limits the trials and the result.",
    100.0,
    1.0,
    1e4,
    log=True,
)
TRIAL_STEPS = dataclasses.replace(
    noisy_descent.STEPS,
    name="trial_steps",
    label="Trial steps",
    help="Number of gradient steps per trial.",
    default=20,
    high=1000,
)
STEPS = dataclasses.replace(noisy_descent.STEPS, help="Number of gradient steps of the final run.")
STAGES = ("small", "medium")
SHARES = {
    "small trials": 0.02,
    "small choice": 0.02,
    "medium trials": 0.08,
    "medium choice": 0.04,
}
"""Of rho, after what the record count takes; the last run has the rest."""


def plan(sizes: Sizes, budget: Budget, params: Mapping[str, Any]) -> Plan:
    """The record count, then trials and a choice at each of two small budgets, then the last run.

    A choice tells how many records each trial's head has right, less their mean over the trials:
    a record that j of k trials have right moves it by sqrt(j (k - j) / k).
    """
    count_event, mu = noisy_descent.records_event(params, privacy.mu_for(budget))
    trials, clip = params["trials"], params["clip"]
    choice_sensitivity = math.sqrt((trials // 2) * (trials - trials // 2) / trials)
    events: dict[str, Gaussian] = dict(count_event)
    for name, share in SHARES.items():
        part = mu * math.sqrt(share)
        events[name] = (
            privacy.gaussian(choice_sensitivity, part)
            if name.endswith("choice")
            else privacy.gaussian(clip, part, trials * params["trial_steps"])
        )
    mu_left = mu * math.sqrt(1 - sum(SHARES.values()))
    events["last run"] = privacy.gaussian(clip, mu_left, params["steps"])
    return privacy.make_plan(KEY, params, budget, events, source=SOURCE)


def total_steps(params: Mapping[str, Any]) -> np.ndarray:
    """The total step sizes that are tried: (trials,), ascending."""
    return params["least"] * np.geomspace(1, params["span"], params["trials"])


def fit(data: Dataset, plans: list[Plan], seeds: list[Seed]) -> Fit:
    """One linear head a plan and seed, and the total step sizes that led to it.

    Guarantee: mu-GDP under add/remove, mu^2 being the sum of all events'.
    """
    problem = Problem.from_dataset(data)
    weights = noisy_descent.map_cells(
        plans, seeds, lambda plans, seeds: run(data, problem, plans, seeds)
    )
    return Fit(noisy_descent.heads(np.concatenate(weights), len(plans)))


Watch = Callable[[str, list[Block]], None]
"""Shown the event and all records of each of its steps, once their sum is taken."""


def run(
    data: Dataset,
    problem: Problem,
    plans: Sequence[Plan],
    seeds: Sequence[Seed],
    watch: Watch | None = None,
    watch_choice: Callable[[str, np.ndarray], None] | None = None,
) -> np.ndarray:
    """Heads (cells, C, d) float32 of a plan and a seed each; the plans differ in budget alone."""
    params, cells = plans[0].params, list(zip(plans, seeds, strict=True))
    counts = [noisy_descent.record_count(data, plan, seed) for plan, seed in cells]
    shape = problem.onehot.shape[0], problem.x.shape[1]

    def descend(name: str, label: str, totals: Sequence[float], times: int) -> np.ndarray:
        def summed(w: np.ndarray) -> tuple[np.ndarray, float]:
            shown = None if watch is None else lambda blocks: watch(name, blocks)
            return noisy_descent.clipped_sums(problem, w, params["clip"], shown), mechanisms.FINE

        steps = [total / times / count for total, count in zip(totals, counts, strict=True)]
        events = [plan.gaussian(name) for plan in plans]
        label = f"{KEY} {label}"
        return noisy_descent.descend(
            label, shape, events, seeds, steps, params["clip"], summed, times
        )

    totals_tried, chosen = total_steps(params), []
    for stage in STAGES:
        trial_heads = [
            descend(
                f"{stage} trials", f"{stage} {t:02}", [total] * len(cells), params["trial_steps"]
            )
            for t, total in enumerate(totals_tried)
        ]
        right = [
            right_of(problem, np.stack([m[cell] for m in trial_heads]))
            for cell in range(len(cells))
        ]
        if watch_choice is not None:
            watch_choice(f"{stage} choice", right[0])
        chosen.append(
            [totals_tried[_best(r, p, s, stage)] for r, (p, s) in zip(right, cells, strict=True)]
        )
    totals = [
        extrapolated(p, small, medium) for p, small, medium in zip(plans, *chosen, strict=True)
    ]
    return descend("last run", "last run", totals, params["steps"])


def _best(right: np.ndarray, plan: Plan, seed: Seed, stage: str) -> int:
    """The trial that seems to have most records right, of right (trials, n)."""
    event, trials = plan.gaussian(f"{stage} choice"), plan.params["trials"]
    noise = mechanisms.standard_normal(seed, f"{KEY} {stage} choice", (trials,))
    noisy = mechanisms.add_gaussian(centred(right), event, noise, 1 / trials, grid=1)
    return int(np.argmax(noisy))


def right_of(problem: Problem, w: np.ndarray) -> np.ndarray:
    """Which records heads w (trials, C, d) have right: (trials, n) bool, each by itself."""
    labels = problem.onehot.argmax(dim=0)[: problem.count]
    scores = mechanisms.product(problem.x, torch.from_numpy(w).reshape(-1, w.shape[2]))
    guessed = scores.view(-1, *w.shape[:2]).argmax(dim=2)[: problem.count]
    return (guessed == labels[:, None]).numpy().T


def centred(right: np.ndarray) -> np.ndarray:
    """How many records each trial has right, less the trials' mean, in units of 1 / trials, which
    are whole: (trials,) float64.
    """
    counts = right.sum(axis=1, dtype=np.int64)
    return (len(counts) * counts - counts.sum()).astype(np.float64)


def extrapolated(plan: Plan, small: float, medium: float) -> float:
    """The total step size of the last run: that of the line through both choices over epsilon, not
    below the second choice, and within what was tried.
    """
    delta, trials = plan.guarantee.delta, plan.params["trials"]

    def epsilon(name: str, share: float) -> float:
        mu = privacy.event_mu(plan.gaussian(name)) * math.sqrt(share)
        return privacy.gdp_epsilon(mu, delta)

    small_epsilon, medium_epsilon = (epsilon(f"{stage} trials", 1 / trials) for stage in STAGES)
    largest = float(total_steps(plan.params)[-1])
    if (
        not small_epsilon < medium_epsilon < math.inf
    ):  # budgets so small or large that numbers do not tell them apart
        return largest if medium > small and medium_epsilon else medium
    slope = (medium - small) / (medium_epsilon - small_epsilon)
    return min(largest, medium + max(0.0, slope) * (epsilon("last run", 1.0) - medium_epsilon))


# ----------------------------------------------------- losses of records, queries, audit cases


def losses(data: Dataset, plan: Plan, seed: int) -> Losses:
    """mu_i^2: as the probe's over all trials and the last run, and what a record's being right
    moves each choice.
    """
    problem, units, clip = (
        Problem.from_dataset(data),
        PrivacyUnits.from_dataset(data, plan),
        plan.params["clip"],
    )
    total = noisy_descent.loss_of_count(units, plan)

    def watch(name: str, blocks: list[Block]) -> None:
        norms = clip * gradient_norms(units, blocks, problem.exact)
        total[:] += squared_mu(norms, plan.gaussian(name))

    def watch_choice(name: str, right: np.ndarray) -> None:
        deviations = right - right.mean(axis=0)
        norms_alone = np.linalg.norm(deviations, axis=0)
        norms = units.map_units(
            norms_alone, lambda rows: float(np.linalg.norm(deviations[:, rows].sum(axis=1)))
        )
        total[:] += squared_mu(norms, plan.gaussian(name))

    run(data, problem, [plan], [seed], watch, watch_choice)
    return gaussian(total, plan)


def queries(plan: Plan) -> dict[str, Query]:
    """Clipped gradients' sums under the head of the step before; how many records heads of trials
    have right, less their mean.
    """

    def sums(data: Dataset, plan: Plan, head: np.ndarray) -> np.ndarray:
        return noisy_descent.clipped_sums(
            Problem.from_dataset(data), head[None], plan.params["clip"]
        )

    def right(data: Dataset, plan: Plan, trial_heads: np.ndarray) -> np.ndarray:
        return centred(right_of(Problem.from_dataset(data), trial_heads))[None]

    def some_trials(data: Dataset, plan: Plan, rng: np.random.Generator) -> list[np.ndarray]:
        shape = plan.params["trials"], data.classes, data.x.shape[1]
        spread = np.linspace(-1, 1, math.prod(shape))
        heads = rng.permutation(spread).reshape(shape).astype(np.float32)
        turned = np.where(np.arange(len(heads)) % 2, 1, -1)[:, None, None] * heads[:1]
        return [heads, turned.astype(np.float32)]

    runs = Query(sums, example_heads, lambda plan: plan.params["clip"])
    choices = Query(right, some_trials, lambda plan: 1 / plan.params["trials"])
    named = {name: choices if name.endswith("choice") else runs for name in plan.draws}
    return named | noisy_descent.records_query(plan)


SLOW = {"clip": 0.1, "count": "public", "batch": 1, "trials": 2, "trial_steps": 2, "steps": 2}
"""Two trials of two steps on sums that nothing divides."""


def _case() -> AuditCase:
    """As the probe's: a record whose gradient is clipped at every step."""
    base, labels = [[0.0], [0.0]], [0, 1]
    more, less = records([*base, [1.0]], [*labels, 0]), records(base, labels)
    slow = SLOW | {"steps": 4, "least": 0.04, "span": 1.0}
    return AuditCase(slow, more, less, first_weights_apart, share=0.5)


SIMILAR_RECORD = [0.5, 0.75**0.5]


def event_cases() -> list[EventCase]:
    """A record that moves every step, among records that turn the head round between two steps; one
    that a short trial has wrong, with the many it resembles, and a long one right; and a count.
    """
    turning = SLOW | {"least": 8.0, "span": 1.001}
    rough = {"small trials": 200.0, "medium trials": 70.0, "last run": 16.0}
    x, y = [[1.0, 0.0]] * 90 + [SIMILAR_RECORD] * 30, [1] * 90 + [0] * 30
    more, less = records([*x, SIMILAR_RECORD], [*y, 0]), records(x, y)
    telling = SLOW | {"least": 0.1, "span": 100.0}
    pair, one = noisy_descent.off_axis_pair(), {"steps": 1, "trial_steps": 1}
    return [
        *(
            EventCase(turning, *one_more(*TURNING), (name,), Budget(value), share=0.5)
            for name, value in rough.items()
        ),
        EventCase(telling, more, less, ("small choice", "medium choice"), Budget(120.0), 0.25),
        EventCase(
            SLOW | one | {"count": "noisy"}, *pair, ("records",), noisy_descent.COUNTED_BUDGET, 0.25
        ),
    ]


METHOD = Method(
    key=KEY,
    title="Linear scaling rule",
    source=SOURCE,
    summary=(
        "Private linear probe whose step size is tuned by low-budget trials, charged in full."
        " Measured: as accurate as the default step size, less stable, no better for rare"
        " classes."
    ),
    params=(
        TRIALS,
        SMALLEST_TOTAL,
        SPAN,
        TRIAL_STEPS,
        STEPS,
        noisy_descent.COUNT,
        noisy_descent.BATCH,
        noisy_descent.CLIP,
    ),
    plan=plan,
    fit=fit,
    line_style=LineStyle(PLUM, "longdash", "bowtie"),
    losses=losses,
    queries=queries,
    event_cases=event_cases,
    cases=lambda: [_case()],
)
