"""Lower bounds on epsilon from one run: scores of canaries that were in and of canaries that were
out, each in by a fair coin of its own.

A score of at least some threshold is a guess that its canary was in. How many guesses may be right
is bounded by what is claimed: for (epsilon, delta)-DP by a binomial and a term for delta, for
mu-GDP by its trade-off function.

Source: Steinke, Nasr & Jagielski 2023 (arXiv 2305.08846), Theorem 5.2; Mahloujifar, Melis &
Chaudhuri 2024 (arXiv 2410.22235). Which thresholds are tried, and that they share the significance,
is as in jax_privacy's ``auditing``, so that both give the same values.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpviz import privacy
from dpviz.lazy_imports import optimize, special


@dataclass(frozen=True)
class Guesses:
    """``guess_count`` guesses that a canary was in, ``right`` of them right, about ``canaries``"
    " in all.
    """

    canaries: int
    guess_count: int
    right: int


Excess = Callable[[Guesses, float, float, float], float]
"""excess(guesses, loss, delta, significance): above 0 where the guesses refute the claim of this
loss (epsilon at delta, or mu) with at most this chance of being wrong; falls as the loss grows.
"""


def approx_excess(guesses: Guesses, epsilon: float, delta: float, significance: float) -> float:
    """Of (epsilon, delta)-DP: significance less a bound on the chance of so many right guesses.

    Source: Steinke, Nasr & Jagielski 2023, Theorem 5.2.
    """
    right = guesses.right
    tails = _binomial_tails(right, guesses.guess_count, float(special.expit(epsilon)))
    fewer = np.arange(1, right + 1)
    slack = np.max((tails[right - fewer] - tails[right]) / fewer, initial=0.0)
    return significance - float(tails[right] + 2 * guesses.canaries * delta * slack)


def _binomial_tails(most: int, made: int, rate: float) -> np.ndarray:
    """P[Bin(made, rate) >= k] for k = 0..most: (most + 1,)."""
    return np.r_[1.0, special.bdtrc(np.arange(most, dtype=float), made, rate)]


def gdp_excess(guesses: Guesses, mu: float, delta: float, significance: float) -> float:
    """Of mu-GDP: the shares of right and wrong guesses that it needs, beyond all that were made.

    Let at least ``right`` guesses be right with a chance of ``significance``. Then, counted over
    all canaries, these cases hold that share of right and of wrong guesses at least; and from i + 1
    right guesses or more down to i or more, the wrong share is at least what the trade-off function
    makes of the right one, and where it grows the right one grows with it by i to the others.

    Source: Mahloujifar, Melis & Chaudhuri 2024, the recursion for guesses about some canaries only.
    """
    made, canaries = guesses.guess_count, guesses.canaries
    right = significance * guesses.right / canaries
    wrong = significance * (made - guesses.right) / canaries
    for i in range(guesses.right - 1, -1, -1):
        needed = float(special.ndtr(special.ndtri(right) - mu))
        if needed <= wrong:
            break
        right = min(1.0, right + (needed - wrong) * i / (made - i))
        wrong = needed
    return right + wrong - made / canaries


def refuted_epsilon(
    guesses: Guesses, excess: Excess, delta: float, significance: float, above: float = 0.0
) -> float:
    """The largest loss that the guesses refute, ``above`` if it is not more than that."""

    def refuted(loss: float) -> float:
        return excess(guesses, loss, delta, significance)

    if not guesses.guess_count or refuted(above) <= 0:
        return above
    low, high = above, max(1.0, 2 * above)
    while refuted(high) > 0:
        low, high = high, 2 * high
    return float(optimize.brentq(refuted, low, high, xtol=1e-9))


def approx_epsilon(
    inside: np.ndarray, outside: np.ndarray, delta: float, significance: float
) -> float:
    """Epsilon at ``delta`` (0 for pure DP) that these scores (k,) of canaries show."""
    return _best(inside, outside, approx_excess, delta, significance)


def gdp_epsilon(
    inside: np.ndarray, outside: np.ndarray, delta: float, significance: float
) -> float:
    """Epsilon at ``delta`` of the mu that these scores (k,) of canaries show, if the loss is a
    Gaussian one.
    """
    return privacy.gdp_epsilon(_best(inside, outside, gdp_excess, delta, significance), delta)


def _best(
    inside: np.ndarray, outside: np.ndarray, excess: Excess, delta: float, significance: float
) -> float:
    """The best bound over all thresholds worth trying, among which the significance is divided.

    A bound that is not better than the best one so far takes one look.
    """
    tried = sorted(corners(inside, outside), key=lambda g: -g.right / max(g.guess_count, 1))
    best = 0.0
    for guesses in tried:
        best = refuted_epsilon(guesses, excess, delta, significance / len(tried), best)
    return best


def corners(inside: np.ndarray, outside: np.ndarray) -> list[Guesses]:
    """The guesses at each threshold that is a corner of the hull of the scores' ROC curve."""
    thresholds = np.append(np.union1d(inside, outside), np.inf)
    missed, refused = (
        np.searchsorted(np.sort(scores), thresholds).tolist() for scores in (inside, outside)
    )
    hull: list[tuple[int, int]] = []
    for point in zip(missed, refused, strict=True):
        while len(hull) > 1 and not _turns_right(hull[-2], hull[-1], point):
            hull.pop()
        hull.append(point)
    n, rest = len(inside), len(outside)
    return [Guesses(n + rest, n - out + rest - inliers, n - out) for out, inliers in hull]


def _turns_right(a: tuple[int, int], b: tuple[int, int], c: tuple[int, int]) -> bool:
    return (b[1] - a[1]) * (c[0] - b[0]) > (c[1] - b[1]) * (b[0] - a[0])
