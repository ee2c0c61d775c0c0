"""How what an attack gains falls as each class has more records.

Published: for a linear head on frozen features the gain, share found less share of false alarms,
falls as shots^(-1/2), shots being the records of each class that a fit saw, once those are many. So
a straight line of slope -1/2 on axes by powers of ten.

Source: Tobaben, Ito, Jälkö, He & Honkela 2025, "Impact of Dataset Properties on Membership
    Inference Vulnerability of Deep Transfer Learning", arXiv 2402.06674 (NeurIPS 2025).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.diagnostics.low_fpr import LEVEL
from dpviz.lazy_imports import special

PUBLISHED_SLOPE = -0.5


@dataclass(frozen=True)
class Gain:
    """What an attack gains at a number of shots: share found less share of false alarms, with its
    standard error.
    """

    shots: float
    gain: float
    error: float

    @property
    def significant(self) -> bool:
        """Whether it can be told from nothing: 2 standard errors."""
        return self.gain > 2 * self.error


@dataclass(frozen=True)
class Slope:
    """A line through gains on log axes: gain = factor * shots^slope; low, high: interval of the
    slope; points: how many it goes through.
    """

    slope: float
    low: float
    high: float
    factor: float
    points: int

    @property
    def published(self) -> bool:
        """Whether the interval, to two places as it is told, holds the published slope."""
        return round(self.low, 2) <= PUBLISHED_SLOPE <= round(self.high, 2)


def slope(gains: Sequence[Gain]) -> Slope | None:
    """The weighted line of least squares through those gains that can be told from nothing; None
    with fewer than three. Where they scatter further about it than their errors explain, its own
    interval is as much wider.

    Leaving out what cannot be told flattens a line that falls into it: the slope is of what is
    seen.
    """
    significant_gains = [gain for gain in gains if gain.significant]
    if len(significant_gains) < 3:
        return None
    x, y = np.log([g.shots for g in significant_gains]), np.log([g.gain for g in significant_gains])
    weight = np.array([(g.gain / g.error) ** 2 if g.error else 1e12 for g in significant_gains])
    centre = np.average(x, weights=weight)
    spread = float((weight * (x - centre) ** 2).sum())
    if spread == 0:
        return None
    rise = float((weight * (x - centre) * y).sum() / spread)
    start = float(np.average(y, weights=weight) - rise * centre)
    freedom = len(significant_gains) - 2
    misfit = float((weight * (y - start - rise * x) ** 2).sum()) / freedom
    half = float(special.stdtrit(freedom, (1 + LEVEL) / 2)) * math.sqrt(max(misfit, 1.0) / spread)
    return Slope(rise, rise - half, rise + half, math.exp(start), len(significant_gains))
