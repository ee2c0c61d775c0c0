"""A method in one file: the mean of each class with Gaussian noise.

    dpviz --plugin examples/plugin/noisy_centroid.py run --dataset mnist5k --encoder glyphnet
        --method noisy-centroid --budget 1
    dpviz --plugin examples/plugin/noisy_centroid.py certify noisy-centroid

Records are scaled to length 1, so one record moves the sum of its class by at most 1. The classes
are disjoint: together they cost as much as one.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from dpviz import mechanisms, privacy
from dpviz.mechanisms import Seed
from dpviz.types import (
    Budget,
    Dataset,
    EventCase,
    Fit,
    LineStyle,
    Method,
    Param,
    Plan,
    Query,
    Release,
    Sizes,
)

SCALE = Param(
    "scale", "Scale", "Factor of the released means. It changes no label.", 1.0, 0.1, 10.0
)


def sums(data: Dataset) -> np.ndarray:
    """Return the sum of the unit rows of each class, (C, d) float64; zero rows stay zero."""
    return mechanisms.class_sums(mechanisms.contributions(data.x, 0), data.y, data.classes)


def plan(sizes: Sizes, budget: Budget, params: Mapping[str, Any]) -> Plan:
    """Return one Gaussian release of sensitivity 1, with the noise that the budget needs."""
    event = privacy.gaussian(1.0, privacy.mu_for(budget))
    return privacy.make_plan(
        METHOD.key, params, budget, {"sums": event}, source="example", public="the encoder"
    )


def fit(data: Dataset, plans: list[Plan], seeds: list[Seed]) -> Fit:
    """Return a classifier per plan and seed."""
    exact, bias = sums(data), np.zeros(data.classes, np.float32)

    def release(plan: Plan, seed: Seed) -> Release:
        event = plan.gaussian("sums")
        noise = mechanisms.standard_normal(seed, METHOD.key, exact.shape)
        noisy = mechanisms.add_gaussian(exact, event, noise)
        length = np.linalg.norm(noisy, axis=1, keepdims=True)
        weights = plan.params["scale"] * noisy / np.maximum(length, 1e-12)
        return Release(weights.astype(np.float32), bias)

    return Fit([[release(plan, seed) for seed in seeds] for plan in plans])


def event_cases() -> list[EventCase]:
    """Return neighbors that reach the sensitivity: one more record of the first class."""
    x = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]], np.float32)
    more = Dataset.from_arrays(x, [0, 1, 0])
    fewer = dataclasses.replace(more, x=more.x[:2], y=more.y[:2], rows=None, fingerprint="fewer")
    return [EventCase({}, more, fewer, ("sums",))]


METHOD = Method(
    key="noisy-centroid",
    title="Noisy centroid",
    source="example",
    summary="Adds Gaussian noise to the mean of each class.",
    params=(SCALE,),
    plan=plan,
    fit=fit,
    line_style=LineStyle("#B460C0", "dot", "star"),
    queries=lambda plan: {"sums": Query(lambda data, plan, earlier: sums(data)[None])},
    event_cases=event_cases,
)
METHODS = [METHOD]
