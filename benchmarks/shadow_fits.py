"""Shadow models: what 64 fits on random halves cost, and all attacks on them.

    make bench BENCH=benchmarks/shadow_fits.py

Target: the fits of a method within 20 s on two cores, on the default data.
"""

from __future__ import annotations

import math
from functools import partial

from benchmarks._common import DATASET, ENCODER, cost
from dpviz.data.imbalance import minority_classes
from dpviz.diagnostics import shadow_attack, shadow_models
from dpviz.experiments import experiment
from dpviz.methods import METHODS
from dpviz.types import Budget, Dataset, RunSpec

USUAL = ("class-mean", "logistic", "dppl-mean", "noisy-gd")


def spec(method: str) -> RunSpec:
    """A method at a budget of 1, or without privacy where it has none."""
    budget = Budget(1.0 if METHODS[method].private else math.inf)
    return RunSpec(DATASET, ENCODER, method, budget)


def judged(fits: shadow_models.Shadows, data: Dataset) -> None:
    """All attacks on fits that are there."""
    minority = minority_classes(data.counts)
    for attack in shadow_attack.TITLES:
        shadow_attack.judge(attack, fits, data, minority)


def main() -> None:
    """A line a method."""
    data = experiment.prepared(spec("class-mean"))
    for method in USUAL:
        shadow_models.fitted(
            spec(method), shadow_models.MIN_SHADOWS
        )  # what is imported and kept once
    print(f"{shadow_models.DEFAULT_SHADOWS} fits on halves of {len(data.y):,} records, seconds")
    print("| method | fits, clock | fits, CPU | four attacks, clock | four attacks, CPU |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for method in USUAL:
        fitted: list[shadow_models.Shadows] = []
        fits = cost(lambda method=method, to=fitted: to.append(shadow_models.fitted(spec(method))))
        attacks = cost(partial(judged, fitted[0], data))
        print(f"| {method} | " + " | ".join(f"{s:.1f}" for s in (*fits, *attacks)) + " |")


if __name__ == "__main__":
    main()
