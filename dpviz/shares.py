"""Confidence intervals of a mean share, such as an accuracy, from few noise seeds.

Near 0 and 1 the shares of single seeds are skewed: many are close to the end and few are far from
it. Five seeds often miss the far ones, so that their mean and their standard deviation are both too
small. Student's t interval then covers the mean in 80% of cases instead of 95%. Two corrections:

- The interval is that of a binomial share (Clopper and Pearson 1934) for the effective number of
  trials, at which a binomial share varies as much as the mean does (Korn and Graubard 1998).
- A variance estimated from skewed shares has fewer degrees of freedom: 2S / (k - (S - 3) / (S - 1))
  for S seeds and the kurtosis k (O'Neill 2014). k is that of the beta distribution with the same
  mean and variance, so that the shares of test records are beta-binomial.

``benchmarks/interval_coverage.py`` measures the coverage.

Source: Korn and Graubard, Survey Methodology 24, 1998; O'Neill, The American Statistician 68, 2014.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from dpviz.caches import cached
from dpviz.lazy_imports import special

LEVEL = 0.95
#: Degrees of freedom of a variance that is known.
KNOWN_VARIANCE_FREEDOM = 1e9
#: Fewest degrees of freedom of a variance from three or more seeds; at fewer, t has no variance.
MIN_FREEDOM = 2.0
#: Effective trials from which a binomial share is as good as normal.
NORMAL_TRIALS = 1e6
NORMAL_KURTOSIS = 3.0


def quantile(freedom: float) -> float:
    """Standard errors from a mean to the ends of its 95% interval."""
    return float(special.stdtrit(freedom, 0.5 + LEVEL / 2))


def ends(
    mean: float, records: float, samples: Sequence[tuple[float, int]]
) -> tuple[float, float] | None:
    """Ends of the 95% interval of a mean share; None where it has no spread.

    Args:
        mean: in (0, 1); records: variance of the mean that test records leave, taken as known;
            samples: of seeds and of draws the variance of the mean that they leave, and how many
            there are (at least 2 where the variance is above 0).
    """
    samples_with_variance = [(variance, runs) for variance, runs in samples if variance]
    halves = [quantile(KNOWN_VARIANCE_FREEDOM) * math.sqrt(records)]
    halves += [
        quantile(skewed_freedom(mean, v * runs, runs)) * math.sqrt(v)
        for v, runs in samples_with_variance
    ]
    half = math.hypot(*halves)
    if half == 0:
        return None
    trials = mean * (1 - mean) * (quantile(KNOWN_VARIANCE_FREEDOM) / half) ** 2
    if trials > NORMAL_TRIALS:
        return mean - half, mean + half
    return binomial(mean, max(1.0, trials))


def binomial(share: float, trials: float) -> tuple[float, float]:
    """Ends of the 95% interval of a share of ``trials``, which need not be a whole number, as
    ``share * trials`` need not (Clopper and Pearson 1934).
    """
    hits, tail = share * trials, (1 - LEVEL) / 2
    low = special.betaincinv(hits, trials - hits + 1, tail) if hits > 0 else 0.0
    high = special.betaincinv(hits + 1, trials - hits, 1 - tail) if hits < trials else 1.0
    return float(low), float(high)


def skewed_freedom(mean: float, variance: float, runs: int) -> float:
    """Effective degrees of freedom of the variance of shares of ``runs`` seeds, at most
    ``runs - 1``, which is that of normal numbers.
    """
    normal = runs - 1.0
    if normal <= MIN_FREEDOM:
        return normal
    reduced = NORMAL_KURTOSIS + max(0.0, excess(mean, variance)) - (runs - 3) / normal
    return max(MIN_FREEDOM, 2 * runs / reduced)


def excess(mean: float, variance: float) -> float:
    """Kurtosis less 3 of the beta distribution with this mean in (0, 1) and variance; that of the
    widest one where the variance is larger than any has.
    """
    max_variance = mean * (1 - mean)
    total = max_variance / min(variance, 0.999 * max_variance) - 1
    a, b = mean * total, (1 - mean) * total
    skewed = (a - b) ** 2 * (total + 1) - a * b * (total + 2)
    return 6 * skewed / (a * b * (total + 2) * (total + 3))


# ---------------------------------------------------------------------------------------- Welch


def freedom(records: float, seeds: Sequence[tuple[float, int]]) -> float:
    """Degrees of freedom of the sum of a variance that test records leave and of those of means
    over so many seeds: Welch's among seeds; with the records, those whose interval is as wide as
    the two parts' own, added as squares (Zou and Donner 2008).

    Welch's for all three would trust a variance from two seeds that came out small by luck.
    """
    by_seeds = sum(variance for variance, _ in seeds)
    denominator = sum(variance**2 / (runs - 1) for variance, runs in seeds if variance)
    if not denominator:
        return KNOWN_VARIANCE_FREEDOM
    seeds_freedom = by_seeds**2 / denominator
    wide = math.hypot(
        quantile(seeds_freedom) * math.sqrt(by_seeds),
        quantile(KNOWN_VARIANCE_FREEDOM) * math.sqrt(records),
    )
    return float(
        1 / np.interp(wide / math.sqrt(records + by_seeds), _quantiles(), _INVERSE_FREEDOM)
    )


_INVERSE_FREEDOM = np.append(1 / KNOWN_VARIANCE_FREEDOM, np.linspace(0.01, 1, 500) ** 2)
"""One over the degrees of freedom, rising."""


@cached(1)
def _quantiles() -> np.ndarray:
    """The quantile that goes with each of ``_INVERSE_FREEDOM``, rising as well."""
    return special.stdtrit(1 / _INVERSE_FREEDOM, 0.5 + LEVEL / 2)
