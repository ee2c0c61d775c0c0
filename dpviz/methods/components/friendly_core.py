"""The mean of a friendly core: records far from most others are left out before the average is
taken, so that noise need only cover how far those apart may lie that are left.

The idea is that of Tsfadia et al. 2022, of whose paper the abstract and the authors' own
introduction could be read here, not the algorithms. What is done below is ours, and so is the proof
in ``estimate``; the original may need less noise.

Every record is compared with every other: quadratic in records, for comparisons of at most
``MOST``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from dpviz import mechanisms, privacy
from dpviz.lazy_imports import special
from dpviz.methods.components.prototypes import blocks
from dpviz.types import Gaussian, Plan

MOST = 2000
"""Records that are compared in pairs, at most."""
SPLIT = {"friends": 0.5, "size": 0.1, "mean": 0.4}
"""Of rho: for the numbers of friends, for the size of the core, for its mean."""
FAILURE = 1e-9
"""Chance of either of two ways in which the proof may fail."""


def events(n: int, mu: float) -> dict[str, Gaussian]:
    """What is drawn for ``n`` records, n being public. The mean's is in units of its own reach."""
    sensitivity = {"friends": math.sqrt(max(n - 1, 1)), "size": 1.0, "mean": 1.0}
    return {
        name: privacy.gaussian(sensitivity[name], mu * math.sqrt(share))
        for name, share in SPLIT.items()
    }


def added_delta(epsilon: float) -> float:
    """What the chance of failure adds to delta at an epsilon."""
    return 2 * FAILURE * (1 + math.exp(min(epsilon, 700.0)))


def friends(x: np.ndarray, r: float) -> np.ndarray:
    """How many of the rows of x (n, d), itself among them, lie within ``r`` of each: (n,).

    For rows of ``coinpress.on_grid`` the distances are exact in float64, so that a pair is told by
    these two records alone.
    """
    rows = np.asarray(x, np.float64)
    squares = np.einsum("ij,ij->i", rows, rows)
    found = np.empty(len(rows))
    for part in blocks(*rows.shape):
        apart = squares[part, None] + squares - 2 * (rows[part] @ rows.T)
        found[part] = (apart <= r * r).sum(axis=1)
    return found


def core(noisy: np.ndarray, sigma: float) -> np.ndarray:
    """Which records are kept, (n,) bool, by their numbers of friends with noise of ``sigma``."""
    n = len(noisy)
    return noisy > n / 2 + 1 - sigma * float(special.ndtri(FAILURE / n))


def reach(r: float, size: float) -> float:
    """How far one record moves the mean of a core of ``size`` others: 4 r / (size + 1)."""
    return 4 * r / (size + 1)


def estimate(
    x: np.ndarray, r: float, plan: Plan, seeds: Sequence[mechanisms.Seed]
) -> tuple[np.ndarray, np.ndarray]:
    """Private mean of x (n, d), rows of ``coinpress.on_grid``, for each seed; zeros where the core
    is too small to say anything.

    Returns:
        (S, d) float64, and how many records were in the core, (S,), which is not released.

    Guarantee: within total variation 2 FAILURE of a release that is rho-zCDP (and mu-GDP) where one
        record is replaced and n is public: (epsilon, delta + ``added_delta(epsilon)``)-DP for all
        (epsilon, delta) of it.

        Let x in one data set stand where x' stands in its neighbour. (1) Of the n - 1 others each
        has at most one friend more or fewer, so their noisy numbers of friends are a Gaussian
        release of sensitivity sqrt(n - 1), and which of them are in the core, C0, is made from
        these. (2) Whether x itself is in the core changes its size by 1. (3) Say that y is well
        liked if more than n/2 are its friends. Two who are well liked share a friend, since their
        friends are more than n in all: they lie within 2r. If all of C0 are well liked in both data
        sets, and x and x' are where they are kept, then x moves the mean of C0 by at most
        2r / (k + 1), k = |C0| >= 1, and x in place of x' by 4r / (k + 1). The noise covers that as
        long as the private lower bound on the size, less 1, is at most k. (4) Who is not well liked
        in one of the two has at most n/2 + 1 friends in either and is kept with a chance of
        FAILURE / n at most; the lower bound is above k with a chance of FAILURE at most. Say
        nothing wherever (3) fails, which C0, x and the noisy size decide alike for both: that
        release is rho-zCDP, and differs from this one in what has a chance of 2 FAILURE at most.
    """
    counts, d = friends(x, r), x.shape[1]
    named = {name: plan.gaussian(name) for name in SPLIT}
    means, sizes = np.zeros((len(seeds), d)), np.zeros(len(seeds))
    for s, seed in enumerate(seeds):
        noisy = _draw(counts, named["friends"], seed, "friends")
        kept = core(noisy, named["friends"].sigma)
        sizes[s] = kept.sum()
        sure = _surely(float(sizes[s]), named["size"], seed)
        if sure < 1 or not kept.any():
            continue
        mean = x[kept].mean(axis=0, dtype=np.float64)
        noise = mechanisms.standard_normal(seed, "friendly core mean", (d,))
        far = reach(r, sure)
        means[s] = mechanisms.add_gaussian(mean / far, named["mean"], noise, scale=far)
    return means, sizes


def _draw(values: np.ndarray, event: Gaussian, seed: mechanisms.Seed, label: str) -> np.ndarray:
    noise = mechanisms.standard_normal(seed, f"friendly core {label}", values.shape)
    return mechanisms.add_gaussian(values, event, noise, grid=1)


def _surely(size: float, event: Gaussian, seed: mechanisms.Seed) -> float:
    """How many others are in the core at least, but for a chance of FAILURE."""
    (noisy,) = _draw(np.array([size]), event, seed, "size")
    return float(noisy) + event.sigma * float(special.ndtri(FAILURE)) - 1
