"""Tries of what the prototypes' paper in its first version proves of likenesses and of sets, on
likenesses computed as the methods do: every record left out, every set counted. No data are read.
"""

from __future__ import annotations

import itertools
import math

import numpy as np

from dpviz.diagnostics import paper_errata
from dpviz.formatting import number
from dpviz.lazy_imports import special
from dpviz.methods.components.prototypes import cosine_release
from dpviz.methods.components.public_scores import clipped_scores, window_width
from dpviz.papers.model import DOES_NOT, HOLDS, Verdict

#: (d_min, d_max).
WINDOWS = ((0.0, 2.0), (0.5, 2.0), (0.8, 1.4))
RECORDS, PICTURES, WIDTH = 40, 12, 3
SLACK = 1e-9


def likenesses(d_min: float, d_max: float, seed: int = 0) -> np.ndarray:
    """What each of RECORDS random records, the first along a picture and the second against it,
    adds to the utilities of PICTURES random pictures: (RECORDS, PICTURES).
    """
    rng = np.random.default_rng(seed)
    x, public = rng.uniform(-1, 1, (RECORDS, WIDTH)), rng.uniform(-1, 1, (PICTURES, WIDTH))
    x[0], x[1] = 2 * public[0], -public[0]
    return clipped_scores(x.astype(np.float32), public.astype(np.float32), d_min, d_max)


def likeness_is_bounded() -> Verdict:
    """Each record adds to the summed, clipped likeness between 0 and d_max - d_min."""
    right, texts = True, []
    for d_min, d_max in WINDOWS:
        scores = likenesses(d_min, d_max)
        width = window_width(d_min, d_max)
        right &= bool(scores.min() >= 0 and scores.max() <= width + SLACK)
        texts.append(
            f"[{number(d_min)}, {number(d_max)}]: {scores.min():.4g} to {scores.max():.4g}"
        )
    return Verdict(
        HOLDS if right else DOES_NOT,
        f"Contribution of one of {RECORDS} records in {WIDTH} dimensions to the similarity of"
        f" {PICTURES} images, by score range: {'; '.join(texts)}. One record lies along an image,"
        " another opposite to it. The contribution is at most the width of the score range and"
        " never negative.",
    )


def public_loss(epsilon: float, seeds: int = 20) -> float:
    """Greatest change of a picture's log-probability when one record is left out, over windows."""
    worst = 0.0
    for (d_min, d_max), seed in itertools.product(WINDOWS, range(seeds)):
        scores = likenesses(d_min, d_max, seed)
        u = scores.sum(axis=0)
        t = epsilon / window_width(d_min, d_max)
        logs = lambda values, t=t: special.log_softmax(t * values, axis=-1)
        worst = max(worst, float(np.abs(logs(u) - logs(u - scores)).max()))
    return worst


def public_is_pure() -> Verdict:
    """DPPL-Public's draw by the likenesses is ε-DP, classes apart."""
    losses = {epsilon: public_loss(epsilon) for epsilon in (0.1, 1.0, 8.0)}
    text = ", ".join(f"{loss:.4g} at ε = {number(eps)}" for eps, loss in losses.items())
    return Verdict(
        HOLDS if all(loss <= eps * (1 + SLACK) for eps, loss in losses.items()) else DOES_NOT,
        f"With each of {RECORDS} records of a class left out, 20 random sets of records and"
        f" {PICTURES} images and {len(WINDOWS)} windows, the largest loss is {text}. A record"
        " has one label, so the draws of other classes do not change. The bound is proved; random"
        " records could only contradict it.",
    )


def least_cancels() -> Verdict:
    """Algorithm 1 leaves out the "- d_min" of Equation 14: the draws are the same."""
    worst = 0.0
    for d_min, d_max in WINDOWS:
        u, t = likenesses(d_min, d_max).sum(axis=0), 1 / window_width(d_min, d_max)
        gap = special.softmax(t * u) - special.softmax(t * (u + RECORDS * d_min))
        worst = max(worst, float(np.abs(gap).max()))
    swapped = paper_errata.swapped_clip(np.linspace(0, 2, 9), *WINDOWS[-1])
    return Verdict(
        HOLDS if worst < SLACK else DOES_NOT,
        f"With and without d_min in each of {RECORDS} summands, in {len(WINDOWS)} windows, the"
        f" probabilities differ by {worst:.1g} at most. The arguments of its clip(…, d_max, d_min)"
        " are in the opposite order of Equation 14. A library that takes the lower end first,"
        " such as numpy, would give all similarities the same value"
        f" ({number(float(np.ptp(swapped)))} apart) and read no record.",
    )


def sum_or_mean() -> Verdict:
    """A mean of likenesses with its sensitivity gives the draw that their sum gives."""
    worst = 0.0
    for d_min, d_max in WINDOWS:
        u, width = likenesses(d_min, d_max).sum(axis=0), d_max - d_min
        by_sum = special.softmax(u / width)
        by_mean = special.softmax((u / RECORDS) / (width / RECORDS))
        worst = max(worst, float(np.abs(by_sum - by_mean).max()))
    return Verdict(
        HOLDS if worst < SLACK else DOES_NOT,
        "With a mean of n records and sensitivity (d_max − d_min)/n, the probabilities of the two"
        f" draws differ by at most {worst:.1g}. The sensitivity uses the n of this class. The"
        " draw is"
        " private because the draw by sums is private.",
    )


# --------------------------------------------------------------------------------------------- sets


def set_utility(u: np.ndarray, members: tuple[int, ...]) -> float:
    """Equation 5: the worst member's utility less that of the K-th best of all."""
    return float(u[list(members)].min() - np.sort(u)[-len(members)])


def set_log_probabilities(u: np.ndarray, k: int, t: float) -> np.ndarray:
    """Of every set of k, drawn by exp(t U)."""
    values = [set_utility(u, members) for members in itertools.combinations(range(len(u)), k)]
    return special.log_softmax(t * np.array(values))


def _moved_sets() -> tuple[float, float, float]:
    """Largest move and fall of U, in Δ, and largest loss at ε = 1, by one record: over every corner
    of what a record may add to 6 pictures, for random utilities.
    """
    rng, k, epsilon = np.random.default_rng(0), 2, 1.0
    largest_move = largest_fall = largest_loss = 0.0
    for u in rng.uniform(0, 3, (12, 6)):
        logs = set_log_probabilities(u, k, epsilon)
        sets = list(itertools.combinations(range(len(u)), k))
        own = np.array([set_utility(u, members) for members in sets])
        for record in itertools.product((0.0, 1.0), repeat=6):
            moved_u = u + np.array(record)
            gap = np.array([set_utility(moved_u, members) for members in sets]) - own
            largest_move, largest_fall = (
                max(largest_move, float(np.abs(gap).max())),
                max(largest_fall, -float(gap.min())),
            )
            change = set_log_probabilities(moved_u, k, epsilon) - logs
            largest_loss = max(largest_loss, float(np.abs(change).max()))
    return largest_move, largest_fall, largest_loss


SETS = (
    "Over 12 random utilities of 6 images, all sets of 2 and all 64 corners of what one record"
    " may add"
)


def sets_move_alike() -> Verdict:
    """Lemma 4: the utility of a set has the sensitivity of one picture's."""
    largest_move, largest_fall, _ = _moved_sets()
    return Verdict(
        HOLDS if largest_move <= 1 + SLACK else DOES_NOT,
        f"{SETS}, U moves by {largest_move:.4g} Δ at most, and falls by {largest_fall:.4g} Δ, so"
        " it is not monotone.",
    )


def sets_cost() -> Verdict:
    """The remark after Lemma 4: sampling by U costs at most twice, as U is not monotone."""
    *_, loss = _moved_sets()
    return Verdict(
        HOLDS if loss <= 2 * (1 + SLACK) else DOES_NOT,
        f"{SETS}, the largest loss at weights e^(εU/Δ) is {loss:.4g} at ε = 1. So the doubled cost"
        " is safe, but twice the necessary cost: u_K is the same for all sets and cancels, and"
        " the utility of the worst member is monotone.",
    )


def sets_are_miscounted() -> Verdict:
    """Equation 6: how many sets of K have their worst member at rank y."""
    y, k = 7, 3
    count = sum(max(members) == y for members in itertools.combinations(range(1, y + 1), k))
    slip = paper_errata.example()
    return Verdict(
        HOLDS if count == math.comb(y, k) else DOES_NOT,
        f"Of ranks 1 to {y}, {count} sets of {k} have their worst at {y}: C({y} − 1, {k} − 1), not"
        f" C({y}, {k}) = {math.comb(y, k)}. With the printed count, a guarantee of ε ="
        f" {number(slip.claimed_epsilon)} is broken by a loss of {slip.printed:.3g}"
        f" ({slip.pictures} images, K = {slip.k}); with the right count the loss is"
        f" {slip.right:.3g} at most.",
    )


def mean_distance() -> Verdict:
    """Equation 7: the class of the least mean distance is the one that the released rule says."""
    rng = np.random.default_rng(0)
    sets, queries = rng.uniform(-1, 1, (5, 4, 8)), rng.uniform(-1, 1, (2000, 8))
    unit = lambda x: x / np.linalg.norm(x, axis=-1, keepdims=True)
    distances = 1 - np.einsum("nd,ckd->nck", unit(queries), unit(sets))
    nearest = distances.mean(axis=2).argmin(axis=1)
    rule = cosine_release(sets.astype(np.float32))
    agrees = (unit(queries) @ rule.weights.T + rule.bias).argmax(axis=1) == nearest
    return Verdict(
        HOLDS if agrees.mean() > 0.999 else DOES_NOT,
        f"For {agrees.sum():,} of {len(queries):,} random points, the smallest mean cosine distance"
        " to 4 prototypes gives the same class as the row per class that is released here, the"
        " normalized mean of the prototypes.",
    )
