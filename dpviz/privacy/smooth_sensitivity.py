"""Smooth sensitivity of a data-dependent cost, noise scaled by it, and the cost of that release.

The cost of a run at one order is a sum over queries. One teacher moves one vote in each query.
``local_votes`` and ``local_test`` bound the local sensitivity of a query's cost over all votes
within distance d: at most d teachers changed, then one more. The sum of these bounds over queries,
discounted by exp(-beta d), is beta-smooth, as a neighbor's bound at d + 1 covers each bound at d.
Bounds at exactly d do not have this property. Noise in proportion to the smooth sensitivity hides
the votes at the cost ``release_cost``. The bounds hold where ``conditions`` hold. Elsewhere nothing
is released.

Source: Papernot et al. 2018, appendix B: Algorithms 3 to 5, Proposition 13, conditions C5 and C6.
    The cost of the release replaces their Theorem 23, which is too small for large beta.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpviz.caches import cached
from dpviz.lazy_imports import optimize, special
from dpviz.privacy import vote_costs

BETAS = np.geomspace(0.002, 0.9, 50)
"""Smoothness as shares of its limit (``beta_limit``), tried by ``pick``."""
GRID = 4000
"""Points of ln q at which the conditions are checked."""
CELLS = 4_000_000
"""Rows times distances that are held at once."""


def _bound(log_q: float, sigma: float, order: float) -> float:
    with np.errstate(all="ignore"):
        return float(vote_costs.theorem6(np.array([[log_q]]), sigma, np.array([order]))[0][0, 0])


@cached(256)
def log_q0(sigma: float, order: float) -> float:
    """ln q below which the data-dependent bound is used: it is valid there, and below
    alpha/sigma^2.
    """
    most = min(-((1 + 1 / sigma) ** 2), -(((order - 0.99) / sigma) ** 2), -1 / sigma**2)
    base = order / sigma**2
    if _bound(most, sigma, order) < base:
        return most
    least = 2 * most
    while _bound(least, sigma, order) > base:
        least *= 1.5
    return float(optimize.brentq(lambda lq: _bound(lq, sigma, order) - base, least, most))


def cost(log_q: np.ndarray, sigma: float, order: float) -> np.ndarray:
    """Rényi cost (n,) of queries with ln q (n,), data-dependent below q0 and alpha/sigma^2
    above.
    """
    base = order / sigma**2
    found = vote_costs.rdp(log_q, sigma, np.array([order]))[:, 0]
    # the cost may jump at q0, and a neighbour's q that rounds to just below it must not miss the
    # jump
    return np.where(log_q < log_q0(sigma, order) * (1 + 1e-9), found, base)


def neighbour(log_q: np.ndarray, sigma: float, classes: int, side: int) -> np.ndarray:
    """ln of the largest (``side`` 1) or smallest (-1) q that one teacher's other vote can make of
    q.
    """
    gap = -special.ndtri_exp(np.minimum(log_q - math.log(classes - 1), -np.finfo(float).tiny))
    return np.minimum(
        math.log(classes - 1) + special.log_ndtr(side * math.sqrt(2) / sigma - gap), 0.0
    )


def _moves(log_q: np.ndarray, sigma: float, classes: int, order: float) -> np.ndarray:
    """How far one vote may move the cost of queries with ln q (n,): Algorithm 3."""
    q0 = log_q0(sigma, order)
    q1 = neighbour(np.array([q0]), sigma, classes, -1)[0]
    at = np.where((log_q >= q1) & (log_q <= q0), q1, log_q)
    here = cost(at, sigma, order)
    up = cost(neighbour(at, sigma, classes, 1), sigma, order)
    return np.maximum(up - here, here - cost(neighbour(at, sigma, classes, -1), sigma, order))


# -------------------------------------------------------------------------------- local sensitivity


def local_votes(
    votes: np.ndarray,
    sigma: float,
    order: float,
    tick: Callable[[int, int], None] = lambda *_: None,
) -> np.ndarray:
    """Bounds on the local sensitivity of the noisy winner's cost, row by row: Algorithms 4 and 5.

    Args:
        votes: (q, C) counts of equal sum; sigma, order: of the noise, and Rényi.
        tick: called with (distance, teachers) while it runs.

    Returns:
        (q, teachers + 1) float64: for each distance 0..teachers, the bound over all votes within
        it. Two tables differ in at most ``teachers`` teachers, so the last column bounds them all.
    """
    votes = -np.sort(-np.asarray(votes, np.int64), axis=1)
    teachers, classes = int(votes[0].sum()), votes.shape[1]
    unanimous = np.eye(1, classes) * teachers
    q0 = log_q0(sigma, order)
    if (
        vote_costs.log_q(unanimous, sigma)[0] >= q0
    ):  # no votes are sure enough to cost less than alpha/sigma^2
        return np.zeros((len(votes), teachers + 1))
    q1 = neighbour(np.array([q0]), sigma, classes, -1)[0]
    found = np.full((len(votes), teachers + 1), _moves(np.array([q1]), sigma, classes, order)[0])
    rows, at = np.arange(len(votes)), vote_costs.log_q(votes, sigma)
    unsure = at > q0
    for distance in range(teachers + 1):
        outside = np.where(unsure, at > q0, at < q1)
        keep = outside | (distance == 0)
        found[rows[keep], distance] = _moves(at[keep], sigma, classes, order)
        movable = outside & (~unsure | (votes[:, 1] > 0))
        rows, votes, unsure = rows[movable], votes[movable], unsure[movable]
        if not len(rows):
            break
        votes = _step(votes, unsure)
        at = vote_costs.log_q(votes, sigma)
        tick(distance, teachers)
    return np.maximum.accumulate(found, axis=1)


def _step(votes: np.ndarray, unsure: np.ndarray) -> np.ndarray:
    """One teacher changes sides in each row of descending votes: to the winner where unsure, else
    to the second.
    """
    votes, every = votes.copy(), np.arange(len(votes))
    last = np.sum(
        votes[:, 1:] == votes[:, 1:2], axis=1
    )  # taking from the last of equal seconds keeps the order
    votes[:, 0] += np.where(unsure, 1, -1)
    votes[every, np.where(unsure, last, 1)] += np.where(unsure, -1, 1)
    return votes


def local_test(
    top: np.ndarray, teachers: int, threshold: float, sigma1: float, order: float
) -> np.ndarray:
    """Local sensitivity of the threshold test's cost for winners with ``top`` (q,) votes.

    Returns:
        (q, teachers + 1) float64: the maximum over all counts within each distance 0..teachers.
    """
    if threshold == -math.inf:
        return np.zeros((len(top), teachers + 1))
    chances = vote_costs.log_answer(np.arange(teachers + 1), threshold, sigma1)
    steps = np.abs(np.diff(vote_costs.rdp_test(chances, sigma1, np.array([order]))[:, 0]))
    largest = np.maximum(np.append(steps, 0.0), np.append(0.0, steps))
    padded = np.pad(largest, teachers)  # counts beyond 0 and all teachers cannot be reached
    at, distance = np.asarray(top, np.int64)[:, None] + teachers, np.arange(teachers + 1)
    exactly = np.maximum(padded[at + distance], padded[at - distance])
    return np.maximum.accumulate(exactly, axis=1)


def smooth(local: np.ndarray, beta: float) -> np.ndarray:
    """Return the maximum over distances of local (..., distances) times exp(-beta distance)."""
    return np.max(local * np.exp(-beta * np.arange(local.shape[-1])), axis=-1)


@cached(4096)
def conditions(sigma: float, classes: int, order: float) -> tuple[bool, bool]:
    """Whether C5 and C6 hold: the cost, and the step to the neighbour above, never fall as q grows.

    Checked on a grid of ln q from q0 down to a hundredfold of its logarithm.
    """
    q0 = log_q0(sigma, order)
    grid = -np.geomspace(-q0 * 100, -q0, GRID)
    here = cost(grid, sigma, order)
    if not _never_falls(here):
        return False, False
    q1 = neighbour(np.array([q0]), sigma, classes, -1)[0]
    grid = -np.geomspace(-q1 * 100, -q1, GRID)
    return True, _never_falls(
        cost(neighbour(grid, sigma, classes, 1), sigma, order) - cost(grid, sigma, order)
    )


def _never_falls(values: np.ndarray) -> bool:
    return bool(np.all(np.diff(values) >= -1e-12 * np.abs(values[1:])))


# ------------------------------------------------------------------------------------------ release


def beta_limit(order: float) -> float:
    """Smoothness from which the release has infinite cost at ``order``."""
    return -math.log1p(-1 / order) / 2


def release_cost(beta: float, sigma_s: float, order: float) -> float:
    """Return the Rényi cost at ``order`` of adding N(0, (S sigma_s)^2) with S beta-smooth.

    Neighbors release Gaussians whose deviations differ by a factor of at most exp(beta) and whose
    means differ by at most the smaller S. The divergence is largest for the wider Gaussian against
    the narrower one, at exactly that factor. With A = order - (order - 1) exp(2 beta) it is
    order / (2 sigma_s^2 A) - ln A / (2 (order - 1)) - beta.

    Theorem 23 of Papernot et al. 2018 prints order exp(2 beta) / sigma_s^2 + (beta order -
    ln(1 - 2 order beta) / 2) / (order - 1). At order 9.5, beta order .49 and sigma_s 4.63 it gives
    .779, where the divergence is 3.002.

    Raises:
        ValueError: for beta outside (0, ``beta_limit(order)``).
    """
    if not 0 < beta < beta_limit(order):
        raise ValueError(f"beta must be between 0 and {beta_limit(order):.6g}, got {beta:.6g}")
    narrow = _narrow(beta, order)
    moved = order / (2 * sigma_s**2 * narrow)
    return moved - math.log(narrow) / (2 * (order - 1)) - beta


def _narrow(beta: float, order: float) -> float:
    """Return A of ``release_cost``."""
    return order - (order - 1) * math.exp(2 * beta)


@dataclass(frozen=True)
class Settings:
    """What has to be fixed before the votes are seen if the sanitised epsilon is to be released.

    Attributes:
        order: Rényi order; beta: smoothness, below ``beta_limit(order)``; sigma_s: noise per unit
            of smooth sensitivity.
    """

    order: float
    beta: float
    sigma_s: float


@dataclass(frozen=True)
class Sanitised:
    """A data-dependent epsilon made releasable: one draw of N(mean, std^2) may leave, the two
    numbers may not.

    Attributes:
        mean: epsilon with the cost of the release; std: of the noise; settings: see there.
    """

    mean: float
    std: float
    settings: Settings


def totals(
    votes: np.ndarray,
    threshold: float,
    sigma1: float,
    sigma2: float,
    order: float,
    weights: np.ndarray,
    tick: Callable[[int, int], None] = lambda *_: None,
) -> tuple[np.ndarray, np.ndarray]:
    """Cost at one order, and its local sensitivity, of several weighted sums over queries.

    Args:
        votes: (q, C) counts of equal sum; threshold, sigma1, sigma2, order: as elsewhere.
        weights: (p, q, 2) weight of each query's test and of its noisy winner in each sum; the
            bounds take them for fixed, so they must be public for what is to be released.
        tick: called with (done, all) while it runs.

    Returns:
        (p,) costs; (p, teachers + 1) bounds on their local sensitivity within each distance.
    """
    ordered, index = np.unique(np.sort(votes, axis=1), axis=0, return_inverse=True)
    tests, winners = (_gather(weights[..., part], index.ravel(), len(ordered)) for part in (0, 1))
    teachers, top = int(ordered[0].sum()), ordered[:, -1]
    tested = vote_costs.costs(ordered, threshold, sigma1, sigma2, np.array([order])).test[:, 0]
    spent = tests @ tested + winners @ cost(vote_costs.log_q(ordered, sigma2), sigma2, order)
    local = np.zeros((len(weights), teachers + 1))
    chunk = max(1, CELLS // teachers)
    for first in range(0, len(ordered), chunk):
        part = slice(first, first + chunk)

        def told(d: int, all_: int, first: int = first) -> None:
            tick(first * all_ + d * chunk, len(ordered) * all_)

        local += winners[:, part] @ local_votes(ordered[part], sigma2, order, told)
        local += tests[:, part] @ local_test(top[part], teachers, threshold, sigma1, order)
    tick(1, 1)
    return spent, local


def _gather(weights: np.ndarray, index: np.ndarray, rows: int) -> np.ndarray:
    """Weights (p, q) of queries summed over those that share a row: (p, rows)."""
    found = np.zeros((rows, len(weights)))
    np.add.at(found, index, weights.T)
    return found.T


def release(spent: float, local: np.ndarray, delta: float, settings: Settings) -> Sanitised:
    """The sanitised epsilon of a cost ``spent`` at ``settings.order`` with ``local`` (distances,).

    Guarantee: the answers and one draw together are (draw, delta)-DP in the sense of Papernot et
    al. 2018, section B.5, where the settings were fixed beforehand and ``conditions`` hold. Where
    no votes could cost less than the data-independent count (``local`` all 0), nothing is hidden
    and nothing is paid.
    """
    s, converted = settings, math.log(1 / delta) / (settings.order - 1)
    if not local.any():
        return Sanitised(float(spent + converted), 0.0, s)
    paid = release_cost(s.beta, s.sigma_s, s.order)
    return Sanitised(float(spent + converted + paid), float(smooth(local, s.beta)) * s.sigma_s, s)


def pick(spent: float, local: np.ndarray, order: float, delta: float) -> Settings:
    """Return beta and sigma_s with the least mean + 2 std, which depend on the votes."""
    candidates = []
    for beta in (BETAS * beta_limit(order)).tolist():
        sensitivity = max(float(smooth(local, beta)), np.finfo(float).tiny)
        # the least of order / (2 sigma_s^2 A) + 2 S sigma_s; logarithms, as 1/S may overflow
        log_cubed = math.log(order / (2 * _narrow(beta, order))) - math.log(sensitivity)
        candidates.append(Settings(order, beta, math.exp(log_cubed / 3)))
    found = [release(spent, local, delta, settings) for settings in candidates]
    return min(found, key=lambda one: one.mean + 2 * one.std).settings


def valid_order(
    spent: np.ndarray, orders: np.ndarray, sigma2: float, classes: int, delta: float
) -> float | None:
    """The order of least epsilon for Rényi costs ``spent`` (orders,) at which the conditions hold;
    None if none.
    """
    found = spent + math.log(1 / delta) / (orders - 1)
    return next(
        (
            float(orders[i])
            for i in np.argsort(found, kind="stable")
            if all(conditions(sigma2, classes, orders[i]))
        ),
        None,
    )


def beforehand(
    teachers: int,
    classes: int,
    queries: int,
    threshold: float,
    sigma1: float,
    sigma2: float,
    delta: float,
) -> Settings | None:
    """Settings from public numbers alone: picked on made-up votes whose winners lie halfway from T
    to unanimous, every query answered.

    The other votes go to one other class. Without a threshold, halfway from half of the teachers.
    None where the conditions hold at no order.
    """
    least = min(max(threshold, teachers / 2), teachers)
    top = round((least + teachers) / 2)
    made_up = np.zeros((1, classes), np.int64)
    made_up[0, 0] += top
    made_up[0, 1] += teachers - top
    one = vote_costs.costs(made_up, threshold, sigma1, sigma2)
    spent = one.spent(np.ones(1, bool))[0] * queries
    order = valid_order(spent, one.orders, sigma2, classes, delta)
    if order is None:
        return None
    weights = np.full((1, 1, 2), float(queries))
    total, local = totals(made_up, threshold, sigma1, sigma2, order, weights)
    return pick(float(total[0]), local[0], order, delta)
