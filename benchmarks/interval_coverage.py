"""Measure how often the intervals of accuracies cover the mean over all noise seeds.

The mean over 600 seeds is taken for the truth. Each trial draws few of the seeds and, within each
class, test records with replacement. The faulty variant is Student's t interval, which is right for
normal numbers. Near 0, shares of seeds are far from normal.

    python -m benchmarks.interval_coverage
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from benchmarks._common import DATASET, ENCODER
from dpviz import shares
from dpviz.experiments import experiment
from dpviz.types import Budget, DataConfig, Result

METHODS = ("dppl-public", "noisy-gd")
BUDGETS = (0.1, 0.3, 1.0, 3.0)
SEEDS = (5, 10, 20)
RATIO, ALL, TRIALS = 50.0, 600, 2000

#: Ends of an interval from a mean, the variance that test records leave, and the seeds' shares.
Ends = Callable[[float, float, np.ndarray], tuple[float, float]]


class Coverage(NamedTuple):
    """Share of trials whose interval covers the truth, and its mean width."""

    share: float
    width: float


def corrected(mean: float, records: float, values: np.ndarray) -> tuple[float, float]:
    """Ends of the interval that dpviz shows."""
    samples = [(float(values.var(ddof=1)) / len(values), len(values))]
    return (shares.ends(mean, records, samples) if 0 < mean < 1 else None) or (mean, mean)


def students(mean: float, records: float, values: np.ndarray) -> tuple[float, float]:
    """Ends of Student's t interval: the faulty variant."""
    by_seeds = shares.quantile(len(values) - 1) * values.std(ddof=1) / math.sqrt(len(values))
    half = math.hypot(by_seeds, shares.quantile(shares.KNOWN_VARIANCE_FREEDOM) * math.sqrt(records))
    return mean - half, mean + half


def trials(
    right: Sequence[np.ndarray], seeds: int, rng: np.random.Generator, count: int = TRIALS
) -> tuple[np.ndarray, np.ndarray]:
    """Shares of the seeds (count, seeds) in each trial, and the variance that records leave of
    their mean (count,).

    Args:
        right: of each class which test records are right, (all seeds, records) float32.
    """
    values, records = np.zeros((count, seeds)), np.zeros(count)
    picked = rng.integers(0, len(right[0]), (count, seeds))
    for hits in right:
        n = hits.shape[1]
        weights = rng.multinomial(n, np.full(n, 1 / n), count)
        for i in range(count):
            resampled = hits[picked[i]]
            values[i] += resampled @ weights[i] / n / len(right)
            each = resampled.mean(axis=0)
            spread = weights[i] @ (each - weights[i] @ each / n) ** 2
            records[i] += spread / n / (n - 1) / len(right) ** 2
    return values, records


def coverage(truth: float, values: np.ndarray, records: np.ndarray, ends: Ends) -> Coverage:
    """How often intervals cover ``truth``.

    Args:
        values: (trials, seeds); records: (trials,).
    """
    every = zip(values.mean(axis=1), records, values, strict=True)
    bounds = np.array([ends(float(mean), float(left), trial) for mean, left, trial in every])
    low, high = np.clip(bounds, 0, 1).T
    return Coverage(float(((low <= truth) & (truth <= high)).mean()), float((high - low).mean()))


def _right(results: Sequence[Result], metric: str) -> list[np.ndarray]:
    hits = results[0].scores.hits
    assert hits is not None
    class_of = np.repeat(np.arange(len(hits.tested)), hits.tested)
    all_values = np.array([r.scores.hits.right for r in results if r.scores.hits], np.float32)
    counts = hits.minority if metric == "minority" else range(len(hits.tested))
    return [all_values[:, class_of == c] for c in counts]


def main() -> None:
    """Print a table of coverages."""
    rng, material = np.random.default_rng(0), DataConfig(DATASET, ENCODER, ir=RATIO)
    budgets = [Budget(value) for value in BUDGETS]
    print("| method | ε | accuracy of | mean | seeds | covered | width | t: covered | width |")
    print("| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for method in METHODS:
        results = experiment.sweep(experiment.specs(material, method, budgets, range(ALL)))
        for budget in budgets:
            runs = [r for r in results if r.spec.budget == budget]
            for metric in ("minority", "balanced"):
                truth = float(np.mean([getattr(r.scores, metric) for r in runs]))
                right = _right(runs, metric)
                for seeds in SEEDS:
                    drawn = trials(right, seeds, rng)
                    ours, other = (coverage(truth, *drawn, ends) for ends in (corrected, students))
                    print(
                        f"| {method} | {budget.value:g} | {metric} | {truth:.3f} | {seeds}"
                        f" | {ours.share:.1%} | {ours.width:.3f}"
                        f" | {other.share:.1%} | {other.width:.3f} |",
                        flush=True,
                    )


if __name__ == "__main__":
    main()
