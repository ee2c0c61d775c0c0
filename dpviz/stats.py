"""Means with the interval that the noise seeds leave, and when two of them differ."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from scipy.stats import t

from dpviz.caches import remembered

LEVEL = 0.95


@dataclass(frozen=True)
class Interval:
    """A mean over runs and its 95 % t-interval; ``low == high == mean`` where one run says nothing
    of spread.

    Attributes:
        mean, low, high: fractions in [0, 1]; runs: how many; sd: their standard deviation.
    """

    mean: float
    low: float
    high: float
    runs: int
    sd: float = 0.0


@remembered(1024)
def _quantile(freedom: float) -> float:
    return float(t.ppf(0.5 + LEVEL / 2, freedom))


def interval(values: Sequence[float]) -> Interval:
    """Mean and t-interval of accuracies, cut to [0, 1]."""
    runs, mean = (
        len(values),
        sum(values) / len(values),
    )  # a handful of numbers, hundreds of times a page: arrays cost ten times as much
    if runs < 2:
        return Interval(mean, mean, mean, runs)
    sd = math.sqrt(sum((value - mean) ** 2 for value in values) / (runs - 1))
    half = _quantile(runs - 1) * sd / math.sqrt(runs)
    return Interval(mean, max(0.0, mean - half), min(1.0, mean + half), runs, sd)


def difference(a: Interval, b: Interval) -> tuple[float, float]:
    """Difference of means b - a and the half-width of its 95 % Welch interval; inf where a single
    run says nothing.
    """
    if min(a.runs, b.runs) < 2:
        return b.mean - a.mean, math.inf
    va, vb = a.sd**2 / a.runs, b.sd**2 / b.runs
    if va + vb == 0:
        return b.mean - a.mean, 0.0
    freedom = (va + vb) ** 2 / (va**2 / (a.runs - 1) + vb**2 / (b.runs - 1))
    return b.mean - a.mean, _quantile(freedom) * math.sqrt(va + vb)


def within_noise(a: Interval, b: Interval) -> bool:
    """True unless the 95 % Welch interval of the difference of means leaves out 0.

    With a single run on either side nothing can be told apart, so the answer is True.
    """
    apart, half = difference(a, b)
    return abs(apart) <= half
