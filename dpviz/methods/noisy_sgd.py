"""NoisySGD: DP-SGD on a linear head, with a new random sample of the records at each step.

Each record is in each step's sample by a coin of its own (Poisson subsampling). What is noised is
the sum of the sample's clipped gradients; it is divided by a public constant, never by how many
records there are or came up. The chance is public too, and no function of the record count.

Defaults were chosen by looking at the default data; that look is not paid for.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dpviz import mechanisms, privacy
from dpviz.lazy_imports import torch
from dpviz.machine.threads import map_blocks, shares
from dpviz.mechanisms import Seed
from dpviz.methods.components import noisy_descent
from dpviz.methods.components.clipped_gradients import LANES, Problem, example_heads
from dpviz.methods.components.worst_neighbours import first_weights_apart, one_more, records
from dpviz.types.audit_case import AuditCase, EventCase
from dpviz.types.budget import Budget
from dpviz.types.dataset import Dataset, Sizes
from dpviz.types.guarantee import Plan
from dpviz.types.line_style import AMETHYST, LineStyle
from dpviz.types.method import Method, Param, Query
from dpviz.types.release import Fit

KEY = "noisy-sgd"
SOURCE = (
    "Song, Chaudhuri & Sarwate 2013; Abadi et al. 2016; Poisson subsampling composed by privacy"
    " loss distributions (dp_accounting)"
)
LR = dataclasses.replace(
    noisy_descent.LR,
    help="Step size, applied to the gradient sum of the sample after division by B.",
)
RATE = Param(
    "rate",
    "Sampling rate q",
    "Probability that a step uses a given record, independently of the others. Choose it without"
    " private data.",
    0.1,
    1e-3,
    1.0,
    log=True,
)
BATCH = dataclasses.replace(
    noisy_descent.BATCH,
    label="Assumed batch size B",
    help="Divisor of the gradient sum. An assumed value of q times the number of records.",
    default=400,
)
STEPS = dataclasses.replace(
    noisy_descent.STEPS,
    help="Number of gradient steps, each on a new sample. About 1/q steps are one epoch.",
    high=5000,
)
CLIP = dataclasses.replace(noisy_descent.CLIP, help="L2 bound on one record's gradient.")
LOSS = Param(
    "loss",
    "Loss",
    "Logistic: cross-entropy. Square: squared distance to 1 for the true class and 0 for others;"
    " use a learning rate of about 1.",
    "cross-entropy",
    choices=("cross-entropy", "square"),
    tuned=False,
)
Cell = tuple[Plan, Seed]


def plan(sizes: Sizes, budget: Budget, params: Mapping[str, Any]) -> Plan:
    """``steps`` Gaussian releases of the clipped gradients' sum over samples of the records."""
    event = privacy.sampled_gaussian(params["clip"], budget, params["steps"], params["rate"])
    return privacy.make_plan(
        KEY,
        params,
        budget,
        {"gradients": event},
        source=SOURCE,
        public=f"{privacy.ENCODER_PUBLIC}, the sampling rate; the samples are secret",
    )


def fit(data: Dataset, plans: list[Plan], seeds: list[Seed]) -> Fit:
    """One linear head a plan and seed, from zero; a cell's bits do not depend on its batch.

    Budgets of a seed share its samples and are stacked; a step costs O(rate * n * d * C) a cell.

    Guarantee: that of ``steps`` Poisson-subsampled Gaussian releases of sensitivity ``clip`` under
        add/remove.
    """
    problem = Problem.from_dataset(data)
    cells = [(plan, seed) for seed in seeds for plan in plans]
    weights = map_blocks(lambda part: descend(problem, part), shares(cells, noisy_descent.CELLS))
    return Fit(noisy_descent.heads(np.concatenate(weights), len(plans)))


def descend(problem: Problem, cells: Sequence[Cell]) -> np.ndarray:
    """Heads (cells, C, d) float32 after noisy steps, each on the next sample of the cell's seed.

    Without noise a sample hides nothing, and all seeds have the same ones.
    """
    params, events = cells[0][0].params, [plan.gaussian("gradients") for plan, _ in cells]
    w = np.zeros((len(cells), problem.onehot.shape[0], problem.x.shape[1]), np.float32)
    noises = {seed: mechanisms.normal_steps(seed, KEY, w.shape[1:]) for _, seed in cells}
    drawn_by = [seed if e.sigma else 0 for e, (_, seed) in zip(events, cells, strict=True)]
    coins = {
        seed: mechanisms.poisson_samples(seed, f"{KEY} samples", problem.count, events[0].rate)
        for seed in drawn_by
    }
    for _ in range(events[0].times):
        noise = {seed: next(stream) for seed, stream in noises.items()}
        samples = {seed: next(stream) for seed, stream in coins.items()}
        sums = sampled_sums(problem, w, params, [samples[seed] for seed in drawn_by])
        for cell, (event, (_, seed)) in enumerate(zip(events, cells, strict=True)):
            noisy = mechanisms.add_gaussian(sums[cell], event, noise[seed], scale=params["clip"])
            w[cell] -= params["lr"] / params["batch"] * noisy
    return w


def sampled_sums(
    problem: Problem, w: np.ndarray, params: Mapping[str, Any], samples: Sequence[np.ndarray]
) -> np.ndarray:
    """``clipped_sums`` of each cell over its own sample, places in order: (cells, C, d) float64.

    Cells of one seed have one sample and are worked on together; so are all cells where there are
    no more records than the fewest that are worked on at once. The sums are exact either way.
    """
    if problem.count <= LANES:
        in_sample = np.zeros((len(w), problem.x.shape[0]))
        for cell, sample in enumerate(samples):
            in_sample[cell, sample] = 1
        return clipped_sums(problem, w, params, torch.from_numpy(in_sample))
    sums = np.empty(w.shape)
    cells_of_sample: dict[int, list[int]] = {}
    for cell, sample in enumerate(samples):
        cells_of_sample.setdefault(id(sample), []).append(cell)
    for cells in cells_of_sample.values():
        sums[cells] = clipped_sums(problem.select(samples[cells[0]]), w[cells], params)
    return sums


def clipped_sums(
    problem: Problem,
    w: np.ndarray,
    params: Mapping[str, Any],
    in_sample: torch.Tensor | None = None,
) -> np.ndarray:
    """Sum over the records of their clipped gradients under heads w (cells, C, d), in units of the
    clip norm: (cells, C, d) float64; in_sample: (cells, N) 1 for those that are in, or all.
    """
    sums = torch.zeros(w.shape, dtype=torch.float64)
    for block in problem.blocks(w, square=params["loss"] == "square"):
        block.clip(params["clip"])
        sums += block.total(None if in_sample is None else in_sample[:, block.rows])
    return sums.numpy()


# ------------------------------------------------------------- losses, queries, audit cases


def why_no_losses(params: Mapping[str, Any]) -> str | None:
    """There is a formula for one release of sampled records, and none for a record's path."""
    return (
        "No exact loss per record is known with random sampling. Use the private linear probe,"
        " which uses every record in every step."
    )


def queries(plan: Plan) -> dict[str, Query]:
    """The clipped gradients' sum under the head of the step before, over a sample with everyone in
    it: over any other a record moves it as far or not at all.
    """

    def sums(data: Dataset, plan: Plan, head: np.ndarray) -> np.ndarray:
        return clipped_sums(Problem.from_dataset(data), head[None], plan.params)

    return {"gradients": Query(sums, example_heads, lambda plan: plan.params["clip"])}


SLOW = {"steps": 1, "clip": 0.1, "lr": 0.01, "batch": 1, "rate": 0.9}


def everybody_in(plan: Plan) -> Plan:
    """The plan with its noise and its claim, and every record in every step."""
    events = {"gradients": dataclasses.replace(plan.gaussian("gradients"), rate=1.0)}
    return dataclasses.replace(plan, events=events)


def cases() -> list[AuditCase]:
    """A record whose gradient is clipped, among records that have none: where the faulty variant
    has it in every sample, and where it has half the noise.
    """
    base, labels = [[0.0], [0.0]], [0, 1]
    more, less = records([*base, [1.0]], [*labels, 0]), records(base, labels)
    often = AuditCase(SLOW, more, less, first_weights_apart, Budget(5.0))
    seldom = SLOW | {"rate": 0.5}
    return [AuditCase(seldom, more, less, first_weights_apart, faulty_variant=everybody_in), often]


def event_cases() -> list[EventCase]:
    """A record that moves all classes and features of one step."""
    pair = one_more([[1.0, 0.0], [0.0, 1.0]], [0, 1])
    return [EventCase(SLOW, *pair, ("gradients",), Budget(5.0))]


METHOD = Method(
    key=KEY,
    title="Private minibatch probe",
    source=SOURCE,
    summary="Linear classifier trained on small secret random samples, with noise in every step.",
    params=(LR, RATE, BATCH, STEPS, CLIP, LOSS),
    plan=plan,
    fit=fit,
    line_style=LineStyle(AMETHYST, "dashdot", "triangle-ne"),
    why_no_losses=why_no_losses,
    queries=queries,
    event_cases=event_cases,
    cases=cases,
)
