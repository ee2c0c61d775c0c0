"""Neural-collapse measures of any features, and the exact error of one noisy gradient step on them.

The measures read private records and no noise covers them: private views. Source: Wang et al. 2024
(Definition 2.3, section 5.1), Papyan et al. 2020 (NC1 to NC4).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz import mechanisms
from dpviz.caches import cached
from dpviz.diagnostics import collapse_exact
from dpviz.lazy_imports import special
from dpviz.machine.threads import one_numeric_thread
from dpviz.types import Dataset, unit_rows

NODES = 80
"""Gauss-Hermite nodes of the integral in ``one_step_error``."""


@dataclass(frozen=True, eq=False)
class Measures:
    """How near features are to neural collapse.

    Attributes:
        beta: (n,) distance of each unit record to its class's mean in the largest coordinate; y:
            (n,) labels.
        cosines: (C, C) between class means after the global mean is taken off; raw: before.
        nc1: within-class over between-class spread; nc2: variation of the centred means' lengths
            (sd / mean).
        nc2_angle: mean distance of the cosines from -1/(C-1).
        means: (C, d) class means; p: dimension.
    """

    beta: np.ndarray
    y: np.ndarray
    cosines: np.ndarray
    raw: np.ndarray
    nc1: float
    nc2: float
    nc2_angle: float
    means: np.ndarray

    @property
    def p(self) -> int:
        """Dimension."""
        return self.means.shape[1]

    @property
    def typical(self) -> float:
        """Median beta."""
        return float(np.median(self.beta))

    @property
    def beta2p(self) -> float:
        """Median beta squared times p: the paper's dimension-free regime is below 1."""
        return self.typical**2 * self.p

    @property
    def nearest_class(self) -> float:
        """Median, over classes, of the distance from a class's mean to the nearest other one, in
        the largest coordinate; nan for a single class.
        """
        if len(self.means) < 2:
            return math.nan
        nearest = [
            np.delete(np.abs(self.means - mean).max(axis=1), k).min()
            for k, mean in enumerate(self.means)
        ]
        return float(np.median(nearest))

    @property
    def corner(self) -> float:
        """The cosine of a perfect frame's corners."""
        return -1 / (len(self.cosines) - 1)

    @property
    def off_diagonal(self) -> np.ndarray:
        """The cosines of different classes, each pair once."""
        return self.cosines[np.triu_indices(len(self.cosines), 1)]


def shifts(x: np.ndarray, y: np.ndarray, classes: int) -> np.ndarray:
    """``max_j |x_ij - mean_j|`` of each record against its class's mean: (n,)."""
    return np.abs(x - class_means(x, y, classes).astype(np.float32)[y]).max(axis=1)


def noise_shift(mu: float, records: float, p: int) -> float:
    """Median, over noise draws, of the largest coordinate of the noise on the mean of ``records``
    unit records in ``p`` dimensions.

    The sum of the records is released with mu-GDP: the noise has sd 1 / mu in each coordinate.
    """
    return float(special.ndtri((1 + 0.5 ** (1 / p)) / 2)) / (mu * records)


def class_means(x: np.ndarray, y: np.ndarray, classes: int) -> np.ndarray:
    """Mean of each class, (C, d) float64; 0 for a class without records."""
    return (
        mechanisms.class_sums(x, y, classes)
        / np.maximum(np.bincount(y, minlength=classes), 1)[:, None]
    )


def cosine_matrix(rows: np.ndarray) -> np.ndarray:
    """Cosines between rows (C, d); 0 for a row of length 0."""
    unit = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-30)
    return unit @ unit.T


def nc1(x: np.ndarray, y: np.ndarray, means: np.ndarray) -> float:
    """tr(S_W S_B^+) / C, with S_W the mean over records and S_B over classes.

    S_B has rank below C, so the trace is taken in the span of the centred means.
    """
    centred = means - means.mean(axis=0)
    values, vectors = np.linalg.eigh(centred @ centred.T / len(means))
    keep = values > 1e-10 * max(values.max(), 1e-30)
    directions = (vectors[:, keep].T @ centred) / np.sqrt(values[keep] * len(means))[:, None]
    spread = (x @ directions.T - means[y] @ directions.T) ** 2
    return float((spread.mean(axis=0) / values[keep]).sum() / len(means))


def nc3(means: np.ndarray, weights: np.ndarray) -> float:
    """NC3: Frobenius distance of centred means and of a noiseless classifier (both (C, d)), each
    scaled to norm 1; 0 to 2.
    """
    pair = [rows - rows.mean(axis=0) for rows in (means, weights)]
    a, b = (rows / max(np.linalg.norm(rows), 1e-30) for rows in pair)
    return float(np.linalg.norm(a - b))


def nc4(x: np.ndarray, y_of_rule: np.ndarray, means: np.ndarray) -> float:
    """NC4: share of records x (n, d) to which a rule gives another class (n,) than the nearest of
    the class means (C, d); 0 to 1.
    """
    scores = x @ means.T - (means**2).sum(axis=1) / 2
    return float(np.mean(scores.argmax(axis=1) != y_of_rule))


@cached(24)
@one_numeric_thread()
def measure(data: Dataset, unit: bool = True) -> Measures:
    """All measures of the private training features of ``data``.

    Args:
        unit: scale records to length 1 first, as the methods and the paper's Figure 2 do.
    """
    x = unit_rows(data.x) if unit else data.x
    means = class_means(x, data.y, data.classes)
    centred = means - means.mean(axis=0)
    lengths, cosines = np.linalg.norm(centred, axis=1), cosine_matrix(centred)
    off = cosines[np.triu_indices(len(cosines), 1)]
    return Measures(
        shifts(x, data.y, data.classes),
        data.y,
        cosines,
        cosine_matrix(means),
        nc1(x, data.y, means),
        float(lengths.std() / max(lengths.mean(), 1e-30)),
        float(np.abs(off + 1 / (data.classes - 1)).mean()),
        means,
    )


# ------------------------------------------------------------------------------------------- theory


def binary_error(n: float, rho: float) -> float:
    """Exact error of one noisy step on two perfectly collapsed classes: Phi(-n sqrt(2 rho)),
    whatever the dimension.
    """
    return float(special.ndtr(-n * math.sqrt(2 * rho)))


def frame_error(sizes: Sequence[float], rho: float) -> float:
    """Return the exact error, mean over classes, of one noisy step from zero on K classes of
    ``sizes`` records that are perfectly collapsed.

    Each record of class k is the corner m_k of a frame: |m_k| = 1 and m_k'm_j = -1/(K-1). At zero
    every class has probability 1/K, so row c of the head becomes n_c m_c - sum_j n_j m_j / K plus
    noise N(0, s^2 I). The gradient of a record has length sqrt(1 - 1/K), hence
    s^2 = (1 - 1/K) / (2 rho). The sum over j is common to all rows and cancels between scores. On
    a record m_k the score of class k exceeds that of class j by n_k + n_j / (K-1) on average, and
    the noise of the K scores is independent N(0, s^2), as m_k has length 1. Therefore, with
    Z ~ N(0, 1),

        P(right | k) = E[ prod over j != k of Phi(Z + (n_k + n_j / (K-1)) / s) ].

    With n records in equal classes the error is 1 - E[Phi(Z + n / ((K-1) s))^(K-1)], and with two
    classes Phi(-n sqrt(2 rho)). The dimension does not appear. The paper treats K classes at
    perfect collapse in its Appendix D.1, which was not available; the lines above are a proof.

    Args:
        sizes: (K,) records per class, K of at least 2; rho: zCDP of the step, above 0.

    Returns:
        0 to 1, to 1e-6 absolutely for up to 100 classes.
    """
    classes = len(sizes)
    frame = np.where(np.eye(classes, dtype=bool), 1.0, -1 / (classes - 1))
    noise = math.sqrt((1 - 1 / classes) / (2 * rho))
    return 1 - float(_wins(frame * np.asarray(sizes) / noise, np.arange(classes)).mean())


def records_needed(classes: int, wanted: float, rho: float) -> int | None:
    """Return the fewest records in equal classes whose ``frame_error`` is at most ``wanted``; None
    beyond ``collapse_exact.MAX_RECORDS`` per class.
    """
    enough = lambda each: frame_error([each] * classes, rho) <= wanted
    each = collapse_exact.smallest_count(enough, collapse_exact.MAX_RECORDS)
    return None if each is None else classes * each


def printed_bound(n: float, rho: float, shift: float = 0.0) -> float:
    """The bound printed as Theorem 3.3, exp(-n^2 (1 - b)^2 / ((1 + b) sigma^2)), b = ``shift`` =
    beta^2 p, sigma^2 = (1 + b)/(2 rho).

    Print lacks a factor 1/2 in the exponent, so it falls below the exact error; ``halved_bound``
    has the factor.
    """
    return math.exp(-((n * (1 - shift) / (1 + shift)) ** 2) * 2 * rho)


def halved_bound(n: float, rho: float) -> float:
    """The same at beta = 0 with the missing half: exp(-n^2 rho), which Phi(-z) <= exp(-z^2 / 2)
    makes true.
    """
    return math.exp(-(n**2) * rho)


def one_step_error(data: Dataset, mu: float) -> float:
    """Exact test error, mean over classes, of one NoisyGD step from zero on unit features that is
    mu-GDP.

    After one step the rows of the head are independent Gaussians about N_c m_c - sum(N m)/C, so a
    record's logits are independent with equal variance, and the chance that its own is the greatest
    is a one-dimensional integral. Clipping at the gradient's own norm at zero, sqrt(1 - 1/C), bites
    nowhere. Nothing is sampled.
    """
    x, classes = unit_rows(data.x), data.classes
    sums = mechanisms.class_sums(x, data.y, classes)
    head = sums - sums.sum(axis=0) / classes
    sigma = math.sqrt(1 - 1 / classes) / mu
    logits = unit_rows(data.x_test) @ head.T / sigma
    right = _wins(logits, data.y_test)
    return 1 - float(np.mean([right[data.y_test == c].mean() for c in np.unique(data.y_test)]))


def _wins(means: np.ndarray, y: np.ndarray) -> np.ndarray:
    """P(own entry is the greatest) for independent N(means, 1) rows (n, C): E[prod_j Phi(z + m_y -
    m_j)].
    """
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    gaps = means[np.arange(len(y)), y][:, None] - means
    if means.shape[1] == 2:
        return special.ndtr(gaps[np.arange(len(y)), 1 - y] / math.sqrt(2))
    log = np.zeros((len(y), NODES))
    for j in range(means.shape[1]):
        log += np.where((y == j)[:, None], 0.0, special.log_ndtr(nodes + gaps[:, j, None]))
    return np.exp(log) @ (weights / weights.sum())
