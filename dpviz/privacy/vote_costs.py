"""The ledger of noisy votes: what every query of Confident-GNMax costs, by four ways to count.

*Data-independent*: the threshold test of every query asked and the noisy winner of every query
answered. It holds for any votes, and exactly, since all of it is Gaussian noise. *Data-dependent*:
near-unanimous votes give away less, but this count is computed from the votes and is itself
private. *Expected*: the data-dependent count with each answer weighted by its probability, as the
papers report it. *Sanitised*: the data-dependent count plus noise, with the cost of releasing it
(``smooth_sensitivity``).

Adjacency: one teacher votes otherwise in any number of queries, which is what adding or removing
one record does where each record reaches one teacher alone, and one person where all of a person's
records do. Orders are Rényi orders alpha > 1; all logarithms are natural.

Source: Papernot et al. 2018, Propositions 7 to 10 and Theorem 6 of its appendix.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpviz import privacy
from dpviz.lazy_imports import special
from dpviz.types import Gaussian, Guarantee

ORDERS = np.concatenate(
    [1 + np.geomspace(0.05, 0.95, 15), np.arange(2, 100.5, 0.5), np.geomspace(101, 1000, 80)]
)
"""Rényi orders over which a cost is minimised."""
SOURCE = (
    "Papernot et al. 2018, Confident-GNMax, with sensitivity √2 for the votes and 1 for the test"
)
RELEASE = {
    "independent": "releasable if a limit on the number of answers was chosen beforehand",
    "dependent": "not releasable: computed from the private votes",
    "expected": "not releasable: computed from the private votes",
    "sanitised": (
        "one draw is releasable if order, beta and noise were fixed beforehand; its mean and"
        " spread are not"
    ),
}
"""For each way to count: what may leave the room."""


# --------------------------------------------------------------------------------- data-independent


def events(asked: float, answered: float, sigma1: float, sigma2: float) -> dict[str, Gaussian]:
    """The Gaussian releases of a run: a threshold test a query asked, a noisy vote a query
    answered.

    Without a threshold (``sigma1`` inf) the tests cost nothing and are left out.
    """
    # numbers that are expected rather than counted need not be whole
    tests = {"threshold tests": Gaussian(1.0, sigma1, asked)}  # type: ignore[arg-type]
    votes = {"noisy votes": Gaussian(math.sqrt(2), sigma2, answered)}  # type: ignore[arg-type]
    return votes if sigma1 == math.inf else tests | votes


def rho(asked: float, answered: float, sigma1: float, sigma2: float) -> tuple[float, float]:
    """What the tests of such a run and its answers cost, each in zCDP and whatever the votes; times
    alpha it is the Rényi cost at every order.
    """
    spent = events(asked, answered, sigma1, sigma2)
    tests = spent.get("threshold tests")
    return privacy.event_rho(tests) if tests else 0.0, privacy.event_rho(spent["noisy votes"])


def data_independent(
    asked: float, answered: float, sigma1: float, sigma2: float, delta: float
) -> Guarantee:
    """What ``asked`` queries with at most ``answered`` answers give away, whatever the votes.

    Guarantee: mu-GDP with mu^2 = asked/sigma1^2 + 2 answered/sigma2^2, if ``answered`` was fixed
    beforehand as the number after which no query is asked; counted afterwards it is a record of
    what was spent.
    """
    public = f"{privacy.ENCODER_PUBLIC}, the queries and the number of teachers"
    spent = events(asked, answered, sigma1, sigma2)
    return privacy.guarantee(
        spent, delta, adjacency=privacy.ADD_REMOVE, public=public, source=SOURCE
    )


@dataclass(frozen=True)
class Undercount:
    """A count of the same run by the Prom-PATE paper's proof, alpha/(2 sigma2^2) a label and no
    threshold test.

    Attributes:
        labels: epsilon by the proof, charged for each answered query; queries: charged for each
            query asked.
        epsilon: by the same conversion with the votes at alpha/sigma2^2 and the tests counted.
        ratio: Rényi cost spent over Rényi cost charged by ``labels``, at every order;
            query_ratio: the same by ``queries``, below 1 where the proof charges enough.
    """

    labels: float
    queries: float
    epsilon: float
    ratio: float
    query_ratio: float


def undercount(
    asked: float, answered: float, sigma1: float, sigma2: float, delta: float
) -> Undercount:
    """How far the paper's proof falls short here (its Theorem 3, against Proposition 8 of Papernot
    et al. 2018).
    """
    spent = sum(rho(asked, answered, sigma1, sigma2))
    charged, by_query = answered / (2 * sigma2**2), asked / (2 * sigma2**2)
    labels, queries, epsilon = (linear_epsilon(rate, delta) for rate in (charged, by_query, spent))
    ratio, query_ratio = (spent / rate if rate else math.inf for rate in (charged, by_query))
    return Undercount(labels, queries, epsilon, ratio, query_ratio)


def linear_epsilon(rate: float, delta: float) -> float:
    """min over alpha > 1 of alpha rate + ln(1/delta)/(alpha - 1): the papers' conversion of a
    Gaussian's Rényi cost.
    """
    return privacy.zcdp_epsilon_simple(rate, delta)


# ----------------------------------------------------------------------------------- data-dependent


def log_q(votes: np.ndarray, sigma: float) -> np.ndarray:
    """ln of a bound on the chance that the noisy winner is not the winner: (q,) for votes (q, C).

    Source: Papernot et al. 2018, Proposition 7: sum over the others of erfc(gap / (2 sigma)) / 2,
        never above 1 - 1/C.
    """
    ordered = np.sort(np.asarray(votes, np.float64), axis=1)
    gaps = ordered[:, -1:] - ordered[:, :-1]
    bound = special.logsumexp(special.log_ndtr(-gaps / (math.sqrt(2) * sigma)), axis=1)
    return np.minimum(bound, math.log1p(-1 / ordered.shape[1]))


def log_other(log_p: np.ndarray) -> np.ndarray:
    """ln(1 - p) of ln p <= 0, to full precision at both ends."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(log_p > -math.log(2), np.log(-np.expm1(log_p)), np.log1p(-np.exp(log_p)))


def log_answer(top: np.ndarray, threshold: float, sigma1: float) -> np.ndarray:
    """ln Pr(answer) for queries whose winner has ``top`` (q,) votes; 0 without a threshold
    (-inf).
    """
    if threshold == -math.inf:
        return np.zeros(len(top))
    return special.log_ndtr((np.asarray(top, np.float64) - threshold) / sigma1)


def rdp(log_q: np.ndarray, sigma: float, orders: np.ndarray) -> np.ndarray:
    """Rényi cost of a noisy winner that fails with probability at most q: (q, orders).

    The smaller of the data-independent alpha/sigma^2 and, where its conditions hold, Theorem 6 with
    mu2 = sigma sqrt(-ln q) and mu1 = mu2 + 1 (Proposition 10). For the threshold test use
    ``rdp_test``.
    """
    orders = np.atleast_1d(np.asarray(orders, np.float64))
    lq = np.asarray(log_q, np.float64)[:, None]
    base = np.broadcast_to(orders / sigma**2, (len(lq), len(orders)))
    with np.errstate(all="ignore"):  # values outside the theorem's conditions are dropped below
        bound, valid = theorem6(lq, sigma, orders)
        found = np.where(valid & (bound < base), bound, base)
    return np.where(lq == -math.inf, 0.0, np.maximum(found, 0.0))


def theorem6(lq: np.ndarray, sigma: float, orders: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The bound (q, orders) for ln q (q, 1), and where its conditions hold."""
    mu2 = sigma * np.sqrt(-lq)
    mu1 = mu2 + 1
    eps1, eps2 = mu1 / sigma**2, mu2 / sigma**2
    log_miss = log_other(lq)
    log_a = log_miss - log_other((lq + eps2) * (1 - 1 / mu2))
    log_b = eps1 - lq / (mu1 - 1)
    # a + log1p(exp(b - a)) keeps the digits of costs far below the rounding of 1
    a, b = log_miss + (orders - 1) * log_a, lq + (orders - 1) * log_b
    increasing = lq <= (mu2 - 1) * eps2 - mu2 * (np.log1p(1 / (mu1 - 1)) + np.log1p(1 / (mu2 - 1)))
    valid = (orders <= mu1) & (mu2 > 1) & (lq + eps2 < 0) & increasing
    return (a + np.log1p(np.exp(b - a))) / (orders - 1), valid


def rdp_test(log_answer: np.ndarray, sigma1: float, orders: np.ndarray) -> np.ndarray:
    """Rényi cost of the threshold test: (q, orders) for ln Pr(answer) (q,).

    The likelier of its two outcomes is missed with probability min(p, 1 - p); the top count moves
    by one where a vote vector moves by sqrt(2), hence sigma1 sqrt(2).
    """
    return rdp(np.minimum(log_answer, log_other(log_answer)), math.sqrt(2) * sigma1, orders)


@dataclass(frozen=True, eq=False)
class Costs:
    """Data-dependent Rényi costs, query by query.

    Attributes:
        answer: (q,) Pr(answer); test, vote: (q, orders) cost of asking, and of answering once
            asked.
        orders: (orders,) Rényi orders.
    """

    answer: np.ndarray
    test: np.ndarray
    vote: np.ndarray
    orders: np.ndarray

    def spent(self, answered: np.ndarray | None = None) -> np.ndarray:
        """Cost of each query (q, orders): expected, or of the queries that were ``answered`` (q,)
        bool.
        """
        weight = self.answer if answered is None else np.asarray(answered, np.float64)
        return self.test + weight[:, None] * self.vote


def costs(
    votes: np.ndarray, threshold: float, sigma1: float, sigma2: float, orders: np.ndarray = ORDERS
) -> Costs:
    """Data-dependent costs of asking each row of ``votes`` (q, C), counts of equal sum. Private:
    see RELEASE.
    """
    ordered, index = np.unique(np.sort(votes, axis=1), axis=0, return_inverse=True)
    tops, top = np.unique(ordered[:, -1], return_inverse=True)
    log_p, row = log_answer(tops, threshold, sigma1), top[index.ravel()]
    test = (
        np.zeros((1, len(orders)))[np.zeros(len(tops), int)]
        if threshold == -math.inf
        else rdp_test(log_p, sigma1, orders)
    )
    vote = rdp(log_q(ordered, sigma2), sigma2, orders)
    return Costs(np.exp(log_p)[row], test[row], vote[index.ravel()], np.asarray(orders))


def epsilon(spent: np.ndarray, orders: np.ndarray, delta: float) -> tuple[np.ndarray, np.ndarray]:
    """Least epsilon at ``delta`` over the orders, and the order, for Rényi costs (..., orders)."""
    found = spent + math.log(1 / delta) / (orders - 1)
    best = np.argmin(found, axis=-1)
    return np.take_along_axis(found, best[..., None], -1)[..., 0], np.asarray(orders)[best]
