"""The exact error of one (noisy) gradient step on two classes whose features lie off their corners.

Classes stand at e_1 and -e_1 in p dimensions, and each feature is moved by at most beta in each
coordinate. One step from zero gives theta = sum of y_i x_i + N(0, G^2 / (2 rho) I), up to a factor
that moves no decision, and what it says of a record is a sum of signs and a Gaussian: its law is
known, and the chance of a wrong answer is one integral. Nothing is drawn, no record is read.

Source: the setting of Wang et al. 2024, section 3; the integral is Gil-Pelaez 1951.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpviz.caches import cached
from dpviz.lazy_imports import special, stats
from dpviz.types import DpvizError

DIMENSIONS = tuple(2**k for k in range(1, 15))
"""From 2 to 16,384: what maps and lines go over."""
SHIFTS = tuple(float(b) for b in np.geomspace(0.001, 1, 37))
TINY = 1e-12
"""Errors below it are not told from 0."""
MAX_RECORDS = 2**31
"""Most records that a search goes to."""
MAX_DEVIATIONS = 8.3
"""Standard deviations beyond which a sum of signs and a Gaussian errs less than 1e-15: exp(-z^2/2)
bounds it."""


@dataclass(frozen=True)
class Mode:
    """One way in which a test record may lie, and what the rule then says of it: wrong where
    centre + sum of weight * (sum of ``count`` signs) + noise * reach * N(0, 1) is below 0.

    Attributes:
        share: chance of this way; centre: what is said on average; signs: (weight, count) each;
        reach: length of the record, by which the noise in theta counts.
    """

    share: float
    centre: float
    signs: tuple[tuple[float, int], ...]
    reach: float


@dataclass(frozen=True)
class Case:
    """How features lie off their corners.

    Attributes:
        modes: (n, p, beta) to every way in which a test record may lie; longest: (p, beta) to the
            length of the longest training record, the sensitivity of the step.
    """

    words: str
    modes: Callable[[int, int, float], list[Mode]]
    longest: Callable[[int, float], float]


def longest_moved(p: int, beta: float) -> float:
    """Length of e_1 moved by beta in every coordinate, its own among them."""
    return math.sqrt((1 + beta) ** 2 + (p - 1) * beta**2)


def printed_length(p: int, beta: float) -> float:
    """What the paper takes for it, sqrt(1 + beta^2 p): too short where a shift goes along e_1."""
    return math.sqrt(1 + beta**2 * p)


def _across(p: int, beta: float) -> float:
    return math.sqrt(1 + (p - 1) * beta**2)


def _signs(n: int, p: int, beta: float) -> list[Mode]:
    """Both the record's own sign along e_1 and n (p - 1) products of signs across."""
    return [
        Mode(
            0.5,
            n * (1 + s * beta),
            ((beta * (1 + s * beta), n), (beta**2, n * (p - 1))),
            math.hypot(1 + s * beta, beta * math.sqrt(p - 1)),
        )
        for s in (-1, 1)
    ]


def _together(n: int, p: int, beta: float) -> list[Mode]:
    """One sign moves all coordinates of a record at once."""
    return [
        Mode(
            0.5,
            n * (1 + s * beta),
            ((abs(beta * (1 + s * beta * p)), n),),
            math.hypot(1 + s * beta, beta * math.sqrt(p - 1)),
        )
        for s in (-1, 1)
    ]


def _fixed(n: int, p: int, beta: float) -> list[Mode]:
    return [Mode(1.0, n * (1 - (p - 1) * beta**2), (), _across(p, beta))]


def _perfect_training(n: int, p: int, beta: float) -> list[Mode]:
    return [Mode(m.share, m.centre, (), m.reach) for m in _signs(n, p, beta)]


CASES = {
    "signs": Case(
        "each coordinate of each record moved by ±β, independently", _signs, longest_moved
    ),
    "across": Case(
        "the same, except along the line between the classes",
        lambda n, p, beta: [Mode(1.0, n, ((beta**2, n * (p - 1)),), _across(p, beta))],
        _across,
    ),
    "together": Case(
        "all coordinates of a record moved by +β or all by −β", _together, longest_moved
    ),
    "fixed": Case(
        "all training records moved by β in one orthogonal direction, test records in the opposite"
        " direction",
        _fixed,
        _across,
    ),
    "train": Case(
        "training records moved by ±β in each coordinate, test records at their corners",
        lambda n, p, beta: [Mode(1.0, n, ((beta, n),), 1.0)],
        longest_moved,
    ),
    "test": Case(
        "training records at their corners, test records moved by ±β in each coordinate",
        _perfect_training,
        lambda p, beta: 1.0,
    ),
    "offset": Case(
        "one fixed shift of ±β per coordinate in all training records of balanced classes",
        lambda n, p, beta: [Mode(1.0, n, (), 1.0)],
        longest_moved,
    ),
}
"""By key; all but the last three move training and test records alike."""


def error(case: str, n: int, p: int, beta: float, rho: float, length: float | None = None) -> float:
    """The chance that one step of this rho-zCDP is wrong about a fresh test record.

    Args:
        case: of CASES; n: records; p: dimension; rho: infinite for no noise at all; length: the
            sensitivity that the noise is scaled to, the case's own where None.

    Returns:
        0 to 1, to 1e-12 absolutely; a tie counts as right, as in the paper.

    Raises:
        DpvizError: for an unknown case, fewer than one record or dimension, or a negative shift.
    """
    if case not in CASES or n < 1 or p < 1 or beta < 0 or not rho > 0:
        raise DpvizError(
            f"case must be one of {', '.join(CASES)}, n and p at least 1, β at least 0 and ρ above"
            f" 0, got case {case!r}, n = {n}, p = {p}, β = {beta}, ρ = {rho}."
        )
    reach = CASES[case].longest(p, beta) if length is None else length
    sigma = reach / math.sqrt(2 * rho)
    return sum(m.share * probability_below_zero(m, sigma) for m in CASES[case].modes(n, p, beta))


def probability_below_zero(mode: Mode, sigma: float) -> float:
    """P(what the rule says of a record is below 0), noise of this standard deviation for each unit
    of its length.
    """
    noise = sigma * mode.reach
    signs = tuple((w, count) for w, count in mode.signs if w and count)
    if not signs:
        if not noise:
            return float(mode.centre < 0)
        return float(special.ndtr(-mode.centre / noise))
    if not noise:
        return _of_signs(mode.centre, signs)
    return _smoothed(mode.centre, signs, noise)


def _smoothed(centre: float, signs: tuple[tuple[float, int], ...], noise: float) -> float:
    """By inverting the characteristic function, real as all parts are symmetric: the midpoint rule
    errs by the chance of a sum beyond 2 pi / step, which is below 1e-15.
    """
    sd = math.sqrt(noise**2 + sum(count * w**2 for w, count in signs))
    if abs(centre) > MAX_DEVIATIONS * sd:
        return float(centre < 0)
    step = 2 * math.pi / (abs(centre) + (MAX_DEVIATIONS + 1) * sd)
    t = step * (np.arange(math.ceil((MAX_DEVIATIONS + 0.5) / noise / step)) + 0.5)
    logs, flips = -0.5 * (noise * t) ** 2, np.ones_like(t)
    for weight, count in signs:
        with np.errstate(divide="ignore"):
            logs += 0.5 * count * np.log1p(-(np.sin(weight * t) ** 2))
        if count % 2:
            flips *= np.where(np.cos(weight * t) < 0, -1.0, 1.0)
    waves = flips * np.exp(logs) * np.sin(centre * t) / t
    return float(min(max(0.5 - step * waves.sum() / math.pi, 0.0), 1.0))


def _of_signs(centre: float, signs: tuple[tuple[float, int], ...]) -> float:
    """Without noise: binomial sums, over every value of the first where there are two."""
    (weight, count), *rest = signs
    if not rest:
        return float(_binomial_below(np.array([centre]), weight, count)[0])
    ((other, many),) = rest
    values = np.arange(count + 1)
    chance = stats.binom.pmf(values, count, 0.5)
    keep = chance > 1e-18
    centres = centre + weight * (2 * values[keep] - count)
    return float(chance[keep] @ _binomial_below(centres, other, many))


def _binomial_below(centres: np.ndarray, weight: float, count: int) -> np.ndarray:
    """P(centre + weight * (sum of ``count`` signs) < 0), ties left out."""
    most = np.ceil((count - centres / weight) / 2 - 1e-9) - 1
    return stats.binom.cdf(most, count, 0.5)


@cached(32)
def over_map(n: int, rho: float) -> np.ndarray:
    """Errors of signs in every coordinate at SHIFTS (rows) and DIMENSIONS (columns)."""
    return np.array([[error("signs", n, p, beta, rho) for p in DIMENSIONS] for beta in SHIFTS])


@cached(256)
def needed(
    case: str, wanted: float, p: int, beta: float, rho: float, length: float | None = None
) -> int | None:
    """Records at which the exact error is at most ``wanted``, or None beyond MAX_RECORDS.

    The error falls with n but for steps as small as one record, as signs come in whole numbers.
    """
    most = (
        MAX_RECORDS if rho < math.inf or len(CASES[case].modes(2, p, beta)[0].signs) < 2 else 2**17
    )
    return smallest_count(lambda n: error(case, n, p, beta, rho, length) <= wanted, most)


def smallest_count(enough: Callable[[int], bool], most: int) -> int | None:
    """The smallest n from which it is enough, by doubling and halving; None beyond ``most``."""
    high = 1
    while not enough(high):
        high *= 2
        if high > most:
            return None
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
