"""Tries of what "Neural Collapse Meets Differential Privacy" builds on: its frame, what the first
step does not depend on, what cures perturbations.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from dpviz.data import perturbation, synthetic
from dpviz.diagnostics import collapse_exact
from dpviz.lazy_imports import special, stats
from dpviz.papers.model import CANNOT_TELL, DOES_NOT, HOLDS, Verdict
from dpviz.stats import measured


def frame_cosines() -> Verdict:
    """Eq. 2.2: columns of length 1 with cosines -1/(K-1)."""
    m = synthetic.frame(10, 64, "random", 0)
    cosines = m @ m.T
    off_diagonal = cosines[np.triu_indices(10, 1)]
    fits = np.allclose(np.diag(cosines), 1) and np.allclose(off_diagonal, -1 / 9)
    return Verdict(
        HOLDS if fits else DOES_NOT,
        f"A frame of K = 10 in 64 dimensions: lengths 1, cosines {off_diagonal.min():.4f} to"
        f" {off_diagonal.max():.4f}, and −1/9 = −0.1111.",
    )


def cosine_sign() -> Verdict:
    """Section 5.1: neural collapse where cosines are about +1/(K-1)."""
    m = synthetic.frame(10, 64, "random", 0)
    cosine = float(m[0] @ m[1])
    return Verdict(
        DOES_NOT if cosine < 0 else HOLDS,
        f"The frame of equation 2.2 has cosines {cosine:.4f} for K = 10, not +0.1111; means that"
        " share a common part have larger ones, so it is subtracted first.",
    )


def offset_cancels() -> Verdict:
    """Section 3.2.2: one offset of all records leaves the first gradient as it is."""
    v = np.array([0.0, 0.1, 0.1])
    e = np.array([1.0, 0, 0])
    alike = (e + v) - (-e + v)
    by_class = (e + v) - (-e - v)
    return Verdict(
        HOLDS if np.allclose(alike, 2 * e) else DOES_NOT,
        f"One record per class, v = (0, 0.1, 0.1): the displayed gradient, +v in both classes, is"
        f" {alike.round(3).tolist()}, in which v cancels. The printed +v and −v by class count"
        " shifts after multiplying by the label, as section 3.1.2 does. Added to the features"
        f" themselves, +v and −v would stay: {by_class.round(3).tolist()}.",
    )


LOSSES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "logistic": lambda margin: np.log1p(np.exp(-margin)),
    "square": lambda margin: (1 - margin) ** 2,
    "hinge": lambda margin: np.maximum(0, 1 - margin),
}


def invariant() -> Verdict:
    """One step from zero: any loss with a slope at 0, any learning rate, any imbalance."""
    return invariance_verdict(LOSSES)


def invariance_verdict(losses: Mapping[str, Callable[[np.ndarray], np.ndarray]]) -> Verdict:
    """Whether errors of one step, each loss with noise scaled to its own slope, are the same.

    Slopes are differences of the losses' own values, and errors over 2,000 draws of noise that all
    share.
    """
    n, rho, h = 30, 0.0005, 1e-6
    noise = perturbation.normals(0, "one step", (2000, 3)).astype(np.float64)
    errors = {}
    for share in (15, 27):
        y = np.repeat([1.0, -1.0], (share, n - share))
        x = np.outer(y, [1.0, 0, 0])
        for name, loss in losses.items():
            gradient = np.array(
                [(loss(y * (x @ d)) - loss(-y * (x @ d))).sum() / (2 * h) for d in h * np.eye(3)]
            )
            slope = abs(float(loss(np.array([h]))[0] - loss(np.array([-h]))[0])) / (2 * h)
            for rate in (0.01, 1.0, 100.0):
                theta = -rate * (gradient + slope / math.sqrt(2 * rho) * noise)
                right = theta @ np.array([1.0, 0, 0]) > 0
                errors[share, name, rate] = 1 - float(right.mean())
    is_invariant = max(errors.values()) - min(errors.values()) < 1e-9
    return Verdict(
        HOLDS if is_invariant else DOES_NOT,
        f"One step from zero on two classes, n = {n}, ρ = {rho:g}, the same 2,000 draws of noise"
        f" for all, scaled to each loss's own slope: over {', '.join(losses)} loss, learning rates"
        " 0.01, 1 and 100, and 15 or 27 records of the first class, the error lies between"
        f" {100 * min(errors.values()):.2f}% and {100 * max(errors.values()):.2f}%.",
    )


def _listed(values: Sequence[float]) -> str:
    return ", ".join(f"{v:.3g}" for v in values)


def public_mean() -> Verdict:
    """Section 4.1: the mean's beta0 is O(beta / sqrt(m)) but for chance p e^(-m^2)."""
    p, c = 768, 3.0
    rows = []
    for m in (10, 100, 1000):
        coordinate_chance = 2 * float(
            stats.binom.cdf(math.ceil((m - c * math.sqrt(m)) / 2) - 1, m, 0.5)
        )
        rows.append(1 - (1 - coordinate_chance) ** p)
    claimed = [min(1.0, p * math.exp(-(m**2))) for m in (10, 100, 1000)]
    return Verdict(
        DOES_NOT if rows[-1] > claimed[-1] else HOLDS,
        f"Shifts of ±β in 768 coordinates: the chance that β₀ exceeds 3β/√m is {_listed(rows)} at"
        " m = 10, 100 and 1,000, exactly, and does not fall with m; p e^(−m²) would be"
        f" {_listed(claimed)}. β₀ of about β√(2 log p / m) is right.",
    )


PCA_DRAWS = 25


def public_pca() -> Verdict:
    """Section 4.1: beta0 of the first principal direction falls as 1/sqrt(m)."""
    sizes, slopes, errors = (100, 400, 1600), [], []
    for draw in range(PCA_DRAWS):
        errors.append([_first_direction_off(draw, m) for m in sizes])
        slopes.append(float(np.polyfit(np.log(sizes), np.log(errors[-1]), 1)[0]))
    slope = measured(slopes)
    outcome = CANNOT_TELL
    if slope.high < -0.4:
        outcome = HOLDS
    elif slope.low > -0.4:
        outcome = DOES_NOT
    return Verdict(
        outcome,
        f"64 coordinates, shifts of ±0.1, {PCA_DRAWS} draws: β₀ is on average"
        f" {_listed(np.mean(errors, axis=0).tolist())} of 100, 400 and 1,600 public records, and"
        f" falls as m to the power {slope.mean:.2f} (95% interval {slope.low:.2f} to"
        f" {slope.high:.2f}) where 1/√m says −0.5; it holds below −0.4.",
    )


def _first_direction_off(draw: int, m: int) -> float:
    """Largest coordinate by which the first principal direction of m records is off e_1."""
    stream = perturbation.stream(draw, f"public {m}")
    x = 0.1 * stream.choice([-1.0, 1.0], (m, 64))
    x[:, 0] += stream.choice([-1.0, 1.0], m)
    first = np.linalg.eigh(x.T @ x)[1][:, -1]
    return float(np.abs(first * np.sign(first[0]) - np.eye(64)[0]).max())


def centred_imbalance() -> Verdict:
    """Section 4.2: with the private mean taken off, imbalance costs records, dimension does not."""
    n, texts, needed = 1000, [], {}
    for alpha in (0.5, 0.9, 0.99):
        for p in (16, 1024):
            e, v = np.eye(p)[0], np.r_[0, np.full(p - 1, 0.1)]
            y = np.repeat([1.0, -1.0], (round(alpha * n), n - round(alpha * n)))
            x = np.outer(y, e) + v
            whole = _centred(x, y)
            largest_move = max(
                float(np.linalg.norm(whole - _centred(np.delete(x, i, 0), np.delete(y, i))))
                for i in (0, n - 1)
            )
            z = -float(special.ndtri(1e-3))
            needed[alpha, p] = math.ceil(z * largest_move / math.sqrt(0.01) / (whole[0] / n))
        texts.append(
            f"{largest_move:.3f}, {needed[alpha, 16]:,} at p = 16 and {needed[alpha, 1024]:,} at"
            f" p = 1,024 for α = {alpha}"
        )
    free = all(needed[alpha, 16] == needed[alpha, 1024] for alpha in (0.5, 0.9, 0.99))
    costs = needed[0.5, 16] < needed[0.9, 16] < needed[0.99, 16]
    return Verdict(
        HOLDS if free and costs else DOES_NOT,
        "Largest change of the centered gradient if one record is removed, and records needed for"
        f" an error of 0.001 at ρ = 0.005: {'; '.join(texts)}. Setting: n = 1,000 perfect records"
        " with an offset of 0.1. Without offset and centering, imbalance of two classes costs"
        " nothing.",
    )


def _centred(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Gradient at zero, up to its factor, of records with their mean taken off."""
    return np.asarray((y[:, None] * (x - x.mean(axis=0))).sum(axis=0))


def offset_without_noise() -> Verdict:
    """Section 3.2.2: under an offset in training gradient descent never errs."""
    errors = [
        collapse_exact.error("offset", n, p, beta, math.inf)
        for n in (2, 30, 1000)
        for p in (16, 1024, 16384)
        for beta in (0.1, 1.0, 10.0)
    ]
    v = np.r_[0.0, np.full(63, 0.1)]
    y = np.repeat([1.0, -1.0], 15)
    theta = (y[:, None] * (np.outer(y, np.eye(64)[0]) + v)).sum(axis=0)
    right = theta[0] > 0 and np.allclose(theta[1:], 0)
    return Verdict(
        HOLDS if max(errors) == 0 and right else DOES_NOT,
        f"One offset in balanced training records, test records on their corners, p = 16 to 16,384,"
        f" β = 0.1 to 10, n = 2 to 1,000: the exact error is {max(errors):g}; in 30 such records at"
        f" p = 64 the offset leaves {abs(theta[1:]).max():.1g} in the gradient.",
    )


def centred_sensitivity() -> Verdict:
    """Section 4.2: after taking the mean off, deleting a record moves the gradient by n/(n-1)."""
    n = 1000
    x, y, _ = _with_offset(n)
    whole = _centred(x, y)
    removed = max(
        float(np.linalg.norm(whole - _centred(np.delete(x, i, 0), np.delete(y, i))))
        for i in (0, n - 1)
    )
    return Verdict(
        HOLDS if removed <= n / (n - 1) + 1e-9 else DOES_NOT,
        f"n = 1,000 perfect records of two balanced classes with an offset of 0.1 in 1,024"
        f" dimensions: deleting one moves the gradient by {removed:.4f}, and n/(n − 1) ="
        f" {n / (n - 1):.4f}.",
    )


def centred_guarantee() -> Verdict:
    """Section 4.2 with Definition 2.1: whether an added record, too, moves the gradient by at most
    2.
    """
    x, y, v = _with_offset(1000)
    e, whole = np.eye(len(v))[0], _centred(x, y)
    same_shift, other_shift = (
        float(np.linalg.norm(_centred(np.vstack([x, e + shift]), np.r_[y, 1.0]) - whole))
        for shift in (v, -v)
    )
    return Verdict(
        DOES_NOT if max(same_shift, other_shift) > 2 else HOLDS,
        "n = 1,000 perfect records of two balanced classes with an offset v of 0.1 in 1,024"
        f" dimensions: adding e₁ + v moves the gradient by {same_shift:.4f}, adding e₁ − v by"
        f" {other_shift:.2f} > 2. The section fixes one v for all records. A guarantee must cover"
        " a record with another shift as well.",
    )


def _with_offset(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Perfect records of two balanced classes with one offset v: features, labels, v."""
    v = np.r_[0, np.full(1023, 0.1)]
    y = np.repeat([1.0, -1.0], n // 2)
    return np.outer(y, np.eye(1024)[0]) + v, y, v
