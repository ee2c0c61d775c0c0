"""Tries of what "Neural Collapse Meets Differential Privacy" builds on: its frame, what the first
step does not depend on, what cures perturbations.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from dpviz.data import perturbation, synthetic
from dpviz.lazy_imports import stats
from dpviz.papers.model import CANNOT_TELL, DOES_NOT, HOLDS, Verdict


def frame_cosines() -> Verdict:
    """Eq. 2.2: columns of length 1 with cosines -1/(K-1)."""
    m = synthetic.frame(10, 64, "random", 0)
    found = m @ m.T
    off = found[np.triu_indices(10, 1)]
    fits = np.allclose(np.diag(found), 1) and np.allclose(off, -1 / 9)
    return Verdict(
        HOLDS if fits else DOES_NOT,
        f"A frame of K = 10 in 64 dimensions: lengths 1, cosines {off.min():.4f} to"
        f" {off.max():.4f}, and −1/9 = −0.1111.",
    )


def cosine_sign() -> Verdict:
    """Section 5.1: neural collapse where cosines are about +1/(K-1)."""
    m = synthetic.frame(10, 64, "random", 0)
    cosine = float(m[0] @ m[1])
    return Verdict(
        DOES_NOT if cosine < 0 else HOLDS,
        f"The frame of equation 2.2 has cosines {cosine:.4f} for K = 10, not +0.1111; means that"
        " share a common part have larger ones, so it is taken off first.",
    )


def offset_cancels() -> Verdict:
    """Section 3.2.2: +v and -v by class leave the gradient as it is."""
    v = np.array([0.0, 0.1, 0.1])
    e = np.array([1.0, 0, 0])
    by_class = (e + v) - (-e - v)
    alike = (e + v) - (-e + v)
    return Verdict(
        HOLDS if np.allclose(by_class, 2 * e) else DOES_NOT,
        f"One record a class, v = (0, 0.1, 0.1): +v and −v by class give the gradient"
        f" {by_class.round(3).tolist()}, in which v stays; +v for both gives"
        f" {alike.round(3).tolist()}, in which it cancels.",
    )


def invariant() -> Verdict:
    """One step from zero: any loss with a slope at 0, any learning rate, any imbalance."""
    rng, y = perturbation.stream(0, "three losses"), np.repeat([1, -1], (27, 3))
    total = (y[:, None] * np.outer(y, [1.0, 0, 0])).sum(axis=0)
    noise = rng.random(3)
    slopes, rates = {"logistic": 0.5, "square": 2.0, "hinge": 1.0}, (0.01, 1.0, 100.0)
    signs = {
        tuple(np.sign(rate * slope * (total + noise)).tolist())
        for slope in slopes.values()
        for rate in rates
    }
    whole = total[0] == len(y)
    return Verdict(
        HOLDS if len(signs) == 1 and whole else DOES_NOT,
        "At zero every such loss has the gradient −c·y·x, and its sensitivity has the same c;"
        f" logistic, square and hinge loss at rates 0.01, 1 and 100 give {len(signs)} rule, and 27"
        " records against 3 sum to 30 corners as 15 against 15 do. Of one step on two classes.",
    )


def _listed(values: Sequence[float]) -> str:
    return ", ".join(f"{v:.3g}" for v in values)


def public_mean() -> Verdict:
    """Section 4.1: the mean's beta0 is O(beta / sqrt(m)) but for chance p e^(-m^2)."""
    p, c = 768, 3.0
    rows = []
    for m in (10, 100, 1000):
        each = 2 * float(stats.binom.cdf(math.ceil((m - c * math.sqrt(m)) / 2) - 1, m, 0.5))
        rows.append(1 - (1 - each) ** p)
    claimed = [min(1.0, p * math.exp(-(m**2))) for m in (10, 100, 1000)]
    return Verdict(
        DOES_NOT if rows[-1] > claimed[-1] else HOLDS,
        f"Shifts of ±β in 768 coordinates: the chance that β₀ exceeds 3β/√m is {_listed(rows)} at"
        " m = 10, 100 and 1,000, exactly, and does not fall with m; p e^(−m²) would be"
        f" {_listed(claimed)}. β₀ of about β√(2 log p / m) is right.",
    )


def public_pca() -> Verdict:
    """Section 4.1: beta0 of the first principal direction falls as 1/sqrt(m)."""
    found = []
    for m in (100, 1600):
        each = []
        for draw in range(9):
            stream = perturbation.stream(draw, f"public {m}")
            x = 0.1 * stream.choice([-1.0, 1.0], (m, 64))
            x[:, 0] += stream.choice([-1.0, 1.0], m)
            first = np.linalg.eigh(x.T @ x)[1][:, -1]
            each.append(np.abs(first * np.sign(first[0]) - np.eye(64)[0]).max())
        found.append(sorted(each)[4])
    ratio = found[0] / found[1]
    return Verdict(
        HOLDS if 2 < ratio < 8 else CANNOT_TELL,
        f"64 coordinates, β = 0.1, medians of 9 draws: β₀ = {found[0]:.3g} of 100 and"
        f" {found[1]:.3g} of 1,600 public records, {ratio:.2g} times less, where 1/√m says 4.",
    )


def centred_sensitivity() -> Verdict:
    """Section 4.2: after taking the mean off, a record moves the gradient by n/(n-1) at most."""
    n, p, beta = 1000, 1024, 0.1
    v = np.r_[0, np.full(p - 1, beta)]
    e = np.eye(p)[0]
    y = np.repeat([1.0, -1.0], n // 2)
    x = np.outer(y, e) + v
    gradient = lambda x, y: (y[:, None] * (x - x.mean(axis=0))).sum(axis=0)
    whole = gradient(x, y)
    removed = float(np.linalg.norm(whole - gradient(x[1:], y[1:])))
    more = np.vstack([x, e - v]), np.r_[y, 1.0]
    added = float(np.linalg.norm(gradient(*more) - whole))
    return Verdict(
        DOES_NOT if added > 2 else HOLDS,
        f"n = 1,000 perfect records with an offset of 0.1 in 1,024 dimensions: removing one moves"
        f" the gradient by {removed:.4f}, as printed; adding e₁ − v, whose shift is as small, by"
        f" {added:.2f} > 2. A guarantee must hold for that neighbour too.",
    )
