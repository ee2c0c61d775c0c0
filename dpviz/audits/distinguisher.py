"""Scores that distinguish releases on two neighbors, trained on some of the releases.

Candidates: odds of repeated outcomes; differences in means, over all or the most different numbers;
differences in spread; and bins of the numbers, which detect heavy tails, mixtures, single values
and nan. Each is trained on one half of the releases. The best on the other half is used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np

from dpviz.audits.bounds import lower_bound
from dpviz.lazy_imports import special
from dpviz.types import Guarantee

Score = Callable[[np.ndarray], np.ndarray]
"""score(outputs (runs, k)) -> (runs,), larger where the first neighbour is likelier."""
Kind = Callable[[np.ndarray, np.ndarray], Score]
SHRINK = 1e-9
"""Relative: keeps a covariance without full rank solvable."""
MAX_OUTCOMES = 64
"""Different outcomes that are told apart one by one."""
MAX_NEW_SHARE = 0.5
"""Share of outcomes that are new, up to which odds of single outcomes are tried as well."""
MAX_COVARIANCE = 200
"""Numbers up to which their covariance is reckoned with; it costs their square."""
TOP_NUMBERS = 8
"""Numbers that are looked at alone, where there are more."""
CUT_OFF = 4.0
"""Half ranges of what was learned from, at which a number is cut off."""
BINS = 21
MAX_BINNED = 64
"""Numbers whose bins are reckoned with."""


def best(present: np.ndarray, absent: np.ndarray, claim: Guarantee) -> Score:
    """Score with the largest lower bound for a claim on outputs (runs, k) of each neighbor."""
    half = len(present) // 2
    learned = all_scores(present, absent)
    if len(learned) == 1:
        return learned[0]
    rest = present[half:], absent[half:]

    def telling(score: Score) -> tuple[float, float]:
        first, second = (score(outputs) for outputs in rest)
        return lower_bound(first, second, claim), _often_larger(first, second)

    return max(learned, key=telling)


def all_scores(present: np.ndarray, absent: np.ndarray) -> list[Score]:
    """All scores that are tried, each learned on the first half of the releases."""
    half = len(present) // 2
    return [make(present[:half], absent[:half]) for make in _kinds(present, absent)]


def _often_larger(present: np.ndarray, absent: np.ndarray) -> float:
    """Share of pairs in which the number of the first sample is larger; ties count half."""
    order = np.sort(absent)
    below, upto = (np.searchsorted(order, present, side) for side in ("left", "right"))
    return float((below + upto).mean() / (2 * len(absent)))


def few_outcomes(present: np.ndarray, absent: np.ndarray) -> bool:
    """Whether outputs (runs, k) have so few values that ``odds`` tells each apart."""
    return len(set(_keys(np.concatenate([present, absent])[: 4 * MAX_OUTCOMES]))) <= MAX_OUTCOMES


def _kinds(present: np.ndarray, absent: np.ndarray) -> list[Kind]:
    both, k = np.concatenate([present, absent]), present.shape[1]
    if few_outcomes(present, absent):
        return [odds]
    kinds = [_tamed(discriminant if k <= MAX_COVARIANCE else weighted), _tamed(spread)]
    kinds += [lambda present, absent: binned(present, absent, MAX_BINNED)]
    if k > 1:
        kinds += [lambda present, absent: binned(present, absent, 1)]
    if k > TOP_NUMBERS:
        kinds += [_tamed(_value_scores)]
    if len({hash(key) for key in _keys(both)}) <= MAX_NEW_SHARE * len(both):
        kinds += [odds]
    return kinds


def _tamed(make: Kind) -> Kind:
    """The same of numbers without unit, cut off far outside of what was learned from, so that none
    is too large to reckon with; nan lies in the middle.
    """

    def made(present: np.ndarray, absent: np.ndarray) -> Score:
        both = np.concatenate([present, absent])
        low, middle, high = np.quantile(_finite(both), (0.001, 0.5, 0.999), axis=0)
        half = high / 2 - low / 2
        half[half == 0] = 1.0

        def tame(outputs: np.ndarray) -> np.ndarray:
            with np.errstate(over="ignore", invalid="ignore"):
                apart = (np.clip(outputs, -1e300, 1e300) - middle) / half
            return np.clip(np.nan_to_num(apart, nan=0.0), -CUT_OFF, CUT_OFF)

        score = make(tame(present), tame(absent))
        return lambda outputs: score(tame(outputs))

    return made


def _finite(outputs: np.ndarray) -> np.ndarray:
    """Replace values that are not finite, or nearly so, by 0 or by the end of the range."""
    return np.clip(np.nan_to_num(outputs, nan=0.0), -1e300, 1e300)


def discriminant(present: np.ndarray, absent: np.ndarray) -> Score:
    """Fisher's linear discriminant of two samples (runs, k)."""
    apart = present.mean(axis=0) - absent.mean(axis=0)
    spread = np.atleast_2d(
        np.cov(np.concatenate([present - present.mean(0), absent - absent.mean(0)]).T)
    )
    spread += SHRINK * max(np.trace(spread) / len(spread), 1e-300) * np.eye(len(spread))
    direction = np.linalg.solve(spread, apart)
    return lambda outputs: outputs @ direction


def weighted(present: np.ndarray, absent: np.ndarray, most: int | None = None) -> Score:
    """The same as if numbers did not vary together, at a cost linear in k; of the ``most`` alone
    that tell most.
    """
    apart = present.mean(axis=0) - absent.mean(axis=0)
    variance = present.var(axis=0) + absent.var(axis=0) + SHRINK
    direction = apart / variance
    if most:
        direction[np.argsort(-np.abs(apart) / np.sqrt(variance))[most:]] = 0
    return lambda outputs: outputs @ direction


def _value_scores(present: np.ndarray, absent: np.ndarray) -> Score:
    return weighted(present, absent, TOP_NUMBERS)


def spread(present: np.ndarray, absent: np.ndarray) -> Score:
    """Log-odds of two Gaussians, each number with a middle and a spread of its own."""
    middles = [np.median(sample, axis=0) for sample in (present, absent)]
    scales = [np.maximum(np.std(sample, axis=0), 1e-9) for sample in (present, absent)]

    def score(outputs: np.ndarray) -> np.ndarray:
        logs = [
            -(((outputs - middle) / scale) ** 2).sum(axis=1) / 2 - np.log(scale).sum()
            for middle, scale in zip(middles, scales, strict=True)
        ]
        return logs[0] - logs[1]

    return score


def binned(present: np.ndarray, absent: np.ndarray, most: int) -> Score:
    """Log-odds of the bins that numbers fall in, added up over the ``most`` numbers whose bins lie
    apart most; a value that comes again is a bin of its own, and so is nan.
    """
    edges = [_edges(column) for column in np.concatenate([present, absent]).T]
    tables = [
        _log_odds(_bins(one, edge), _bins(other, edge), 2 * len(edge) + 2)
        for one, other, edge in zip(present.T, absent.T, edges, strict=True)
    ]
    telling = np.argsort([-apart for _, apart in tables], kind="stable")[:most]

    def score(outputs: np.ndarray) -> np.ndarray:
        return sum(
            (tables[j][0][_bins(outputs[:, j], edges[j])] for j in telling), np.zeros(len(outputs))
        )

    return score


def _edges(column: np.ndarray) -> np.ndarray:
    """Quantiles, closer to each other at both ends, and the values that come again most often."""
    known = column[~np.isnan(column)]
    if not len(known):
        return np.zeros(0)
    values, times = np.unique(known, return_counts=True)
    often = np.argsort(-times, kind="stable")[:BINS]
    shares = special.expit(np.linspace(-6, 6, BINS))
    at = np.sort(known)[np.floor(shares * (len(known) - 1)).astype(int)]
    return np.unique(np.concatenate([at, values[often][times[often] > 2]]))


def _bins(column: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """Between which edges each value lies, or on which: below 2 len(edges) + 2."""
    cells = np.searchsorted(edges, column, "left") + np.searchsorted(edges, column, "right")
    return np.where(np.isnan(column), 2 * len(edges) + 1, cells)


def _log_odds(present: np.ndarray, absent: np.ndarray, bins: int) -> tuple[np.ndarray, float]:
    """Of each bin, and how far the shares of the two samples lie apart in all."""
    counts = [np.bincount(column, minlength=bins) for column in (present, absent)]
    apart = float(np.abs(counts[0] - counts[1]).sum())
    return np.log((counts[0] + 0.5) / (counts[1] + 0.5)), apart


def odds(present: np.ndarray, absent: np.ndarray) -> Score:
    """Log-odds of an outcome (a row of choices) between the two samples."""
    counts = [Counter(_keys(sample)) for sample in (present, absent)]

    def score(outputs: np.ndarray) -> np.ndarray:
        seen = _keys(outputs)
        return np.array([np.log((counts[0][k] + 0.5) / (counts[1][k] + 0.5)) for k in seen])

    return score


def _keys(outputs: np.ndarray) -> list[bytes]:
    """Rows as what can be counted: nan is like nan, and 0 like -0."""
    rows = np.ascontiguousarray(outputs, float) + 0.0
    rows[np.isnan(rows)] = np.nan
    return [row.tobytes() for row in rows]
