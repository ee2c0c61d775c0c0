"""Lower bounds on what runs show to be spent, each wrong with probability 1 - CONFIDENCE.

For a Gaussian claim the bound is on mu (Nasr et al. 2023): quantile(true positives) -
quantile(false positives), converted to epsilon at delta. For one release of
sampled records it is on its mu, as they are told by a release in which they are with their chance.
For another (epsilon, delta) claim it is ln((true positives - delta) / false positives), without
delta for a pure one. For a zCDP claim it is
on rho: the Rényi divergence of the test's two outcomes over its
order. Rates are bounded by Clopper and Pearson 1934; the threshold comes from other runs than those
counted.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from dpviz import privacy
from dpviz.lazy_imports import special
from dpviz.types import Guarantee

CONFIDENCE = 0.999


def lower_bound(more: np.ndarray, less: np.ndarray, claim: Guarantee) -> float:
    """Epsilon shown to be spent by statistics (runs,) of releases from each of two neighbours, in
    the claim's notion.
    """
    runs = len(more)
    choose, count = (
        [v[part] for v in (more, less)] for part in (slice(None, runs // 2), slice(runs // 2, None))
    )
    bound, convert = _bound_of(claim)
    thresholds = np.unique(np.quantile(np.concatenate(choose), np.linspace(0.005, 0.995, 100)))

    def at(threshold: float, samples: list[np.ndarray]) -> float:
        true, false = (int(np.sum(sample > threshold)) for sample in samples)
        return bound(true, false, len(samples[0]))

    shown = at(max(thresholds, key=lambda threshold: at(threshold, choose)), count)
    return convert(max(shown, 0.0), claim.delta)


def clopper_pearson(hits: int, runs: int) -> tuple[float, float]:
    """Lower and upper bound on a rate, each wrong with probability (1 - CONFIDENCE) / 2."""
    miss = (1 - CONFIDENCE) / 2
    low = special.betaincinv(hits, runs - hits + 1, miss) if hits else 0.0
    high = special.betaincinv(hits + 1, runs - hits, 1 - miss) if hits < runs else 1.0
    return float(low), float(high)


def gaussian_bound(true: int, false: int, runs: int) -> float:
    """Lower bound on mu from hits among ``runs`` of each data set."""
    return float(
        special.ndtri(clopper_pearson(true, runs)[0])
        - special.ndtri(clopper_pearson(false, runs)[1])
    )


def sampled_bound(true: int, false: int, runs: int, rate: float) -> float:
    """The same on mu of one release that the record which differs is in with chance ``rate``: true
    positives are at most (1 - rate) f + rate Phi(Phi^-1(f) + mu) at f false ones.
    """
    low, high = clopper_pearson(true, runs)[0], clopper_pearson(false, runs)[1]
    among = (low - (1 - rate) * high) / rate
    if among <= 0:
        return 0.0
    return math.inf if among >= 1 else float(special.ndtri(among) - special.ndtri(high))


def epsilon_bound(true: int, false: int, runs: int, delta: float = 0.0) -> float:
    """Lower bound on epsilon at ``delta``, from hits or from misses, whichever shows more."""
    rates = [(true, false), (runs - false, runs - true)]
    shown = [(clopper_pearson(a, runs)[0], clopper_pearson(b, runs)[1]) for a, b in rates]
    return max((math.log((low - delta) / high) for low, high in shown if low > delta), default=0.0)


ORDERS = 1 + np.geomspace(0.01, 100, 60)


def zcdp_bound(true: int, false: int, runs: int) -> float:
    """Lower bound on rho: D_alpha of the outcomes' distributions is at most rho alpha for every
    order.
    """
    p, q = clopper_pearson(true, runs)[0], clopper_pearson(false, runs)[1]
    if p <= q or q >= 1:
        return 0.0
    one, other = (p, q), (1 - p, 1 - q)
    log_terms = [
        ORDERS * math.log(max(a, 1e-300)) + (1 - ORDERS) * math.log(b) for a, b in (one, other)
    ]
    return float(np.max(np.logaddexp(*log_terms) / (ORDERS - 1) / ORDERS))


Bound = Callable[[int, int, int], float]
"""bound(true positives, false positives, runs of each)"""


def _bound_of(claim: Guarantee) -> tuple[Bound, Callable[[float, float], float]]:
    """The bound of a notion, and how its value becomes the epsilon of the table."""
    if claim.notion == "gdp":
        return gaussian_bound, privacy.gdp_epsilon
    if claim.notion == "zcdp":
        return zcdp_bound, privacy.zcdp_epsilon
    if claim.sampled and claim.sampled.times == 1:
        once = claim.sampled
        return (
            partial(sampled_bound, rate=once.rate),
            lambda mu, delta: privacy.sampled_epsilon(once._replace(mu=mu), delta),
        )
    delta = 0.0 if claim.notion == "pure" else claim.delta
    return partial(epsilon_bound, delta=delta), lambda shown, delta: shown
