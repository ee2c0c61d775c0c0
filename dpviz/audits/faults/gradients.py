"""Faults in a training step: clipping, step size and sampling."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Sequence

import numpy as np

from dpviz import mechanisms
from dpviz.audits.faults.model import Make, Mistake, Setting, as_planned, usual
from dpviz.mechanisms import FINE
from dpviz.methods import noisy_gd, noisy_sgd
from dpviz.methods.components import noisy_descent
from dpviz.methods.components.clipped_gradients import Problem
from dpviz.methods.components.worst_neighbours import first_weights_apart, records
from dpviz.text import faults as text
from dpviz.types import Budget, Dataset, Gaussian, Method, Plan, Release

LOOSE_CLIP = 1.5
"""No gradient of features of norm 1 is as long: a clip norm that clips nothing."""


def _descended(
    key: str,
    problem: Problem,
    event: Gaussian,
    seeds: Sequence[int],
    steps: Sequence[float],
    clip: float,
    sums: noisy_descent.StepSums,
) -> list[Release]:
    """The release of each seed, made by the steps that the methods share."""
    shape = problem.onehot.shape[0], problem.x.shape[1]
    heads = noisy_descent.descend(key, shape, [event] * len(seeds), seeds, steps, clip, sums)
    return [release for (release,) in zip(*noisy_descent.heads(heads, 1), strict=True)]


# -------------------------------------------------------------------------------------- no clipping


def _unclipped(method: Method) -> Make:
    honest = as_planned(method)

    def make(data: Dataset, plan: Plan, seeds: Sequence[int]) -> list[Release]:
        params = {**plan.params, "clip": LOOSE_CLIP}
        return honest(data, dataclasses.replace(plan, params=params), seeds)

    return make


NO_CLIP = Mistake(
    "no-clipping",
    "https://github.com/opendp/smartnoise-sdk/issues/622",
    (noisy_gd.KEY,),
    _unclipped,
)


# -------------------------------------------------------------------------- clipped after averaging


def _clipped_once(method: Method) -> Make:
    def make(data: Dataset, plan: Plan, seeds: Sequence[int]) -> list[Release]:
        problem, event, clip = (
            Problem.from_dataset(data),
            plan.gaussian("gradients"),
            plan.params["clip"],
        )
        counts = [noisy_descent.record_count(data, plan, seed) for seed in seeds]

        def sums(w: np.ndarray) -> tuple[np.ndarray, float]:
            found = noisy_descent.clipped_sums(problem, w, LOOSE_CLIP) * (LOOSE_CLIP / clip)
            lengths = np.linalg.norm(found, axis=(1, 2)) / counts
            return found / np.maximum(lengths, 1)[:, None, None], FINE

        steps = [plan.params["lr"] / count for count in counts]
        return _descended(noisy_gd.KEY, problem, event, seeds, steps, clip, sums)

    return make


def _repeated_case(method: Method, budget: Budget) -> Setting:
    """The usual neighbours, with a public count of twenty: steps are as long as without one."""
    own = usual(method, budget)
    count = 20
    params = {**own.params, "batch": count, "lr": own.params["lr"] * count}
    return dataclasses.replace(own, params=params)


CLIP_AVERAGE = Mistake(
    "clipped-after-averaging",
    "https://github.com/wenzhu23333/Differential-Privacy-Based-Federated-Learning/blob/"
    "6fb257ad43e50cafd8a70c9b2819b97a64df9a2a/models/Update.py",
    (noisy_gd.KEY,),
    _clipped_once,
    _repeated_case,
)


# ------------------------------------------------------------------ a step divided by the private n


def _step_by_count(method: Method) -> Make:
    def make(data: Dataset, plan: Plan, seeds: Sequence[int]) -> list[Release]:
        public = {**plan.params, "count": "public", "batch": len(data.x)}
        events = {"gradients": plan.events["gradients"]}
        mistaken = dataclasses.replace(plan, params=public, events=events)
        return as_planned(method)(data, mistaken, seeds)

    return make


def _wide(method: Method, budget: Budget) -> Setting:
    """Records without gradient: only the size of the release differs."""
    n, d = 40, 4_000
    with_record, without_record = (
        records(np.zeros((k, d)).tolist(), [0] * (k - 1) + [1]) for k in (n + 1, n)
    )
    params = {"steps": 1, "clip": 0.1, "lr": 1.0, "count": "public", "batch": n}
    return Setting(
        method,
        params,
        budget,
        with_record,
        without_record,
        lambda release, _: float(np.linalg.norm(release.weights)),
        text.FAULTS["step-by-count"]["difference"],
    )


STEP = Mistake(
    "step-by-count",
    "https://github.com/meta-pytorch/opacus/issues/420",
    (noisy_gd.KEY,),
    _step_by_count,
    _wide,
)


# ---------------------------------------------------------------- amplification without sampling


def _everybody(method: Method) -> Make:
    """With steps as long as before, on the larger sums."""
    honest = as_planned(method)

    def make(data: Dataset, plan: Plan, seeds: Sequence[int]) -> list[Release]:
        batch = plan.params["batch"] / plan.gaussian("gradients").rate
        params = {**plan.params, "batch": batch}
        return honest(data, dataclasses.replace(noisy_sgd.everybody_in(plan), params=params), seeds)

    return make


def _seldom(method: Method, budget: Budget) -> Setting:
    """A few steps with a small sampling rate in the claim."""
    own = usual(method, budget)
    return dataclasses.replace(own, params={**own.params, "rate": 0.02, "steps": 4})


FULL_BATCHES = Mistake(
    "full-batches",
    "https://arxiv.org/abs/2403.17673",
    (noisy_sgd.KEY,),
    _everybody,
    _seldom,
    budget=Budget(1.0),
)


def _shuffled(method: Method) -> Make:
    def make(data: Dataset, plan: Plan, seeds: Sequence[int]) -> list[Release]:
        problem, params, event = Problem.from_dataset(data), plan.params, plan.gaussian("gradients")
        most, times = round(1 / event.rate), event.times
        orders = [_batches(seed, problem.count, most, times) for seed in seeds]

        def sums(w: np.ndarray) -> tuple[np.ndarray, float]:
            batches = [next(order) for order in orders]
            return noisy_sgd.sampled_sums(problem, w, params, batches), FINE

        steps = [params["lr"] / params["batch"]] * len(seeds)
        return _descended(noisy_sgd.KEY, problem, event, seeds, steps, params["clip"], sums)

    return make


def _batches(seed: int, count: int, most: int, times: int) -> Iterator[np.ndarray]:
    """Batches of one size, in a new random order each epoch: the last may be short."""
    size, rng = max(1, math.ceil(count / most)), mechanisms.generator(seed, "shuffled batches")
    for step in range(times):
        at = step % most
        if at == 0:
            order = rng.permutation(count)
        yield np.sort(order[at * size : (at + 1) * size])


#: Batches of the audited epoch.
BATCHES = 20


def _one_epoch(method: Method, budget: Budget) -> Setting:
    """A record that pulls against all others, where every step is seen."""
    n = 2 * BATCHES
    with_record = records([[1.0]] * n, [0] * (n - 1) + [1])
    without_record = records([[1.0]] * (n - 1), [0] * (n - 1))
    params = {**usual(method, budget).params, "rate": 1 / BATCHES, "steps": BATCHES}

    def furthest(outputs: np.ndarray) -> np.ndarray:
        first, second = outputs.reshape(len(outputs), BATCHES, 2).transpose(2, 0, 1)
        return (first - second).max(axis=1, keepdims=True)

    return Setting(
        method,
        params,
        budget,
        with_record,
        without_record,
        first_weights_apart,
        text.FAULTS["shuffled-batches"]["difference"],
        furthest,
    )


SHUFFLED = Mistake(
    "shuffled-batches",
    "https://arxiv.org/abs/2411.10614",
    (noisy_sgd.KEY,),
    _shuffled,
    _one_epoch,
    budget=Budget(8.0),
)
