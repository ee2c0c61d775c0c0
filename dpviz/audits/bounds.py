"""Lower bounds on privacy loss from runs, each wrong with probability 1 - CONFIDENCE.

For a Gaussian claim the bound is on mu (Nasr et al. 2023): quantile(true positive rate) -
quantile(false positive rate), converted to epsilon at delta. For one release of sampled records it
is on mu before sampling. For another (epsilon, delta) claim it is ln((true positive rate - delta) /
false positive rate), with delta = 0 for a pure claim. For a zCDP claim it is on rho: the Rényi
divergence of the two outcomes of the test, divided by its order. Rates have Clopper-Pearson
intervals (1934). The threshold is chosen on CHOOSE_SHARE of the runs, the rates are counted on the
others.
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
CHOOSE_SHARE = 0.25
"""A threshold near the best one shows almost as much, while the count sets the interval."""


def lower_bound(present: np.ndarray, absent: np.ndarray, claim: Guarantee) -> float:
    """Epsilon shown to be spent by statistics (runs,) of releases from each of two neighbours, in
    the claim's notion.
    """
    chosen = int(len(present) * CHOOSE_SHARE)
    choose, count = (
        [v[part] for v in (present, absent)] for part in (slice(None, chosen), slice(chosen, None))
    )
    shown, convert = shown_by(claim)
    thresholds = np.unique(np.quantile(np.concatenate(choose), np.linspace(0.005, 0.995, 100)))

    def bounds_at(cuts: np.ndarray, samples: list[np.ndarray]) -> list[float]:
        hits = [(sample > cuts[:, None]).sum(axis=1) for sample in samples]
        (low, _), (_, high) = (interval(h, len(samples[0]), (1 - CONFIDENCE) / 2) for h in hits)
        return [shown(true, false) for true, false in zip(low.tolist(), high.tolist(), strict=True)]

    best = int(np.argmax(bounds_at(thresholds, choose)))
    (bound,) = bounds_at(thresholds[[best]], count)
    return convert(max(bound, 0.0), claim.delta)


def interval(
    hits: np.ndarray, runs: int, miss: float | np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Lower and upper bounds on rates, of ``hits`` (k,) among ``runs``; each is wrong with
    probability ``miss``.
    """
    hits = np.asarray(hits, float)
    with np.errstate(invalid="ignore"):
        low = np.where(hits > 0, special.betaincinv(hits, runs - hits + 1, miss), 0.0)
        high = np.where(hits < runs, special.betaincinv(hits + 1, runs - hits, 1 - miss), 1.0)
    return low, high


def clopper_pearson(hits: int, runs: int) -> tuple[float, float]:
    """Lower and upper bound on a rate, each wrong with probability (1 - CONFIDENCE) / 2."""
    low, high = interval(np.array(hits), runs, (1 - CONFIDENCE) / 2)
    return float(low), float(high)


def gaussian_bound(true: int, false: int, runs: int) -> float:
    """Lower bound on mu from hits among ``runs`` of each data set."""
    return mu_of(*_least_hits(true, false, runs))


def epsilon_bound(true: int, false: int, runs: int, delta: float = 0.0) -> float:
    """Lower bound on epsilon at ``delta``, from hits or from misses, whichever shows more."""
    return epsilon_either_way(*_least_hits(true, false, runs), delta)


def zcdp_bound(true: int, false: int, runs: int) -> float:
    """Lower bound on rho: D_alpha of the outcomes' distributions is at most rho alpha for every
    order.
    """
    return rho_of(*_least_hits(true, false, runs))


def _least_hits(true: int, false: int, runs: int) -> tuple[float, float]:
    """Lower bound on the rate of hits and upper bound on the rate of false alarms."""
    return clopper_pearson(true, runs)[0], clopper_pearson(false, runs)[1]


# ---------------------------------------------------------------------------- what two rates show


def mu_of(true: float, false: float) -> float:
    """Mu of a Gaussian release whose best test has these rates of hits and of false alarms."""
    return 0.0 if true == false else float(special.ndtri(true) - special.ndtri(false))


def sampled_mu_of(true: float, false: float, rate: float) -> float:
    """The same of one release that the record which differs is in with chance ``rate``: true
    positives are at most (1 - rate) f + rate Phi(Phi^-1(f) + mu) at f false ones.
    """
    among = (true - (1 - rate) * false) / rate
    if among <= 0:
        return 0.0
    return math.inf if among >= 1 else mu_of(among, false)


def pure_of(true: float, false: float, delta: float = 0.0) -> float:
    """Epsilon at ``delta`` that a test with these rates shows at least."""
    if true <= delta:
        return 0.0
    return math.log((true - delta) / false) if false > 0 else math.inf


ORDERS = 1 + np.geomspace(0.01, 100, 60)


def epsilon_either_way(true: float, false: float, delta: float) -> float:
    """The same from hits or from misses, whichever shows more."""
    return max(pure_of(true, false, delta), pure_of(1 - false, 1 - true, delta))


def rho_of(p: float, q: float) -> float:
    """Rho that a test shows which has hits at rate p and false alarms at rate q."""
    if p <= q or q >= 1:
        return 0.0
    one, other = (p, q), (1 - p, 1 - q)
    log_terms = [
        ORDERS * math.log(max(a, 1e-300)) + (1 - ORDERS) * math.log(max(b, 1e-300))
        for a, b in (one, other)
    ]
    return float(np.max(np.logaddexp(*log_terms) / (ORDERS - 1) / ORDERS))


def epsilon_of(claim: Guarantee, true: float, false: float) -> float:
    """Epsilon that a test with these rates of hits and of false alarms shows, in the claim's notion
    and at its delta; 0 at least.
    """
    shown, convert = shown_by(claim)
    bound = max(shown(true, false), 0.0)
    return convert(bound, claim.delta) if math.isfinite(bound) else bound


RateBound = Callable[[float, float], float]
Convert = Callable[[float, float], float]


def shown_by(claim: Guarantee) -> tuple[RateBound, Convert]:
    """Bound from two rates in a notion, and its conversion to the epsilon of the table."""
    if claim.notion == "gdp":
        return mu_of, privacy.gdp_epsilon
    if claim.notion == "zcdp":
        return rho_of, privacy.zcdp_epsilon
    if claim.sampled and claim.sampled.times == 1:
        once = claim.sampled
        return (
            partial(sampled_mu_of, rate=once.rate),
            lambda mu, delta: privacy.sampled_epsilon(once._replace(mu=mu), delta),
        )
    delta = 0.0 if claim.notion == "pure" else claim.delta
    return partial(epsilon_either_way, delta=delta), lambda shown, delta: shown
