"""The public set as something to learn from: its content's fingerprint, and labels or clusters for
it; labelled public records that take part in training.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np

from dpviz import mechanisms
from dpviz.data.record_hashes import marks, mixed
from dpviz.lazy_imports import optimize, torch
from dpviz.machine.threads import map_blocks
from dpviz.types import Dataset, DpvizError, Sizes, unit_rows


class NoPublicSet(DpvizError):
    """A method needs a public set and the data have none."""


def need_labels(sizes: Sizes) -> None:
    """Refuse data without a public set, whose labels a method reads.

    Raises:
        NoPublicSet: if there is none.
    """
    if not sizes.public:
        raise NoPublicSet(
            "This method needs labeled public images. This data set has no public set."
        )


SEED = 20_250
"""Of everything trained or rehearsed on public data; never that of a run's noise."""
SAMPLE = 4000
ROUNDS = 15


def fingerprint(*arrays: np.ndarray | None) -> str:
    """Short hash of arrays' content, so that what was learned from them can be kept."""
    digest = hashlib.blake2b(digest_size=12)
    for array in arrays:
        digest.update(b"none" if array is None else str((array.shape, array.dtype)).encode())
        if array is not None:
            digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


def groups(
    unit: np.ndarray, labels: np.ndarray | None, fewest: int, smallest: int = 2
) -> np.ndarray:
    """A group for each public record: its label, or its cluster where some have none or labels are
    too few.

    Args:
        unit: (m, d) float32 rows of norm 1; labels: (m,) or None.
        fewest: groups wanted with at least ``smallest`` records each.

    Returns:
        (m,) int64 from 0; there may still be fewer groups in a tiny set.
    """
    if labels is not None and labels.min(initial=0) >= 0:
        _, index, count = np.unique(labels, return_inverse=True, return_counts=True)
        if np.sum(count >= smallest) >= fewest:
            return index.astype(np.int64)
    return cluster(unit, min(2 * fewest, max(1, len(unit) // smallest)))


def cluster(unit: np.ndarray, k: int) -> np.ndarray:
    """Cluster by cosine k-means of rows of norm 1 (m, d): (m,) int64, the same every time."""
    return map_blocks(lambda x: _cluster(x, k), [torch.from_numpy(unit)])[0].numpy()


def _cluster(x: torch.Tensor, k: int) -> torch.Tensor:
    pick = torch.from_numpy(np.random.default_rng(SEED).permutation(len(x))[:SAMPLE])
    sample = x[pick]
    centres = sample[:k].clone()
    for _ in range(ROUNDS):
        nearest = (sample @ centres.T).argmax(1)
        sums = torch.zeros_like(centres).index_add_(0, nearest, sample)
        nonempty = sums.norm(dim=1) > 0
        centres[nonempty] = torch.nn.functional.normalize(sums[nonempty])
    return (x @ centres.T).argmax(1)


#: Images per class of which ``shots`` are expected where shots are private.
OF_EACH_CLASS = 20


@dataclass(frozen=True, eq=False)
class Shots:
    """A few labelled public records: x (m, d) float64 of norm 1, y (m,) int64."""

    x: np.ndarray
    y: np.ndarray
    classes: int


def share_of(shots: int) -> float:
    """Chance that a labelled public record is a shot, where shots are private."""
    return min(1.0, shots / OF_EACH_CLASS)


def private_shots(data: Dataset, shots: int, draw: int) -> Shots:
    """Labelled public records that count as private, each one chosen by a hash of its content.

    The threshold is fixed, so adding or removing one record changes no other record's choice.
    """
    labelled, y = data.labelled_rows
    rows = data.public[labelled]
    chance = mixed(marks(rows, y), draw) / 2.0**64
    chosen = chance < share_of(shots)
    return Shots(unit_rows(rows[chosen]).astype(np.float64), y[chosen], data.classes)


def draw_shots(data: Dataset, shots: int, draw: int) -> Shots:
    """Draw ``shots`` labelled public records per class, or all there are; larger ``shots`` hold
    the smaller ones. For public records alone: one record fewer changes the whole draw.

    Raises:
        DpvizError: if no public record bears the name of a private class.
    """
    labelled, y = data.labelled_rows
    if not len(y):
        name = data.public_key or "none"
        raise DpvizError(
            f"Public set {name} has no images of the private classes. Choose a public set with"
            " the same class names."
        )
    order = mechanisms.generator(draw, "public shots").permutation(len(y))
    rows = np.concatenate([order[y[order] == c][:shots] for c in range(data.classes)])
    return Shots(unit_rows(data.public[labelled[rows]]).astype(np.float64), y[rows], data.classes)


# ------------------------------------------------------------------------------------ public heads

TOLERANCE = 1e-5
"""Length of a number of the gradient at which the search ends."""


def converge(
    x: np.ndarray, y: np.ndarray, classes: int, decay: float, centre: np.ndarray | None = None
) -> np.ndarray:
    """The head (C, d) float32 that minimises sum cross-entropy + decay/2 |w - centre|^2 by L-BFGS
    in float64.

    The search starts from ``centre``, (C, d) or zero.
    """
    shape, rows = (classes, x.shape[1]), np.arange(len(y))
    middle = np.zeros(shape).ravel() if centre is None else centre.astype(np.float64).ravel()

    def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
        w, offset = flat.reshape(shape), flat - middle
        logits = x @ w.T
        total = _log_sum_exp(logits)
        residual = np.exp(logits - total[:, None])
        residual[rows, y] -= 1
        value = float(np.sum(total - logits[rows, y])) + decay / 2 * float(offset @ offset)
        return value, (residual.T @ x).ravel() + decay * offset

    options = {"maxiter": 1000, "maxfun": 2000, "gtol": TOLERANCE, "ftol": 1e-12}
    solution = optimize.minimize(loss, middle, jac=True, method="L-BFGS-B", options=options)
    return solution.x.reshape(shape).astype(np.float32)


def _log_sum_exp(rows: np.ndarray) -> np.ndarray:
    """``scipy.special.logsumexp`` of each row (n, C), bit for bit, without what it spends on other
    kinds of arrays: twice the time of all else in a search.
    """
    top = rows.max(axis=1, keepdims=True)
    at_top = rows == top
    others_sum = np.exp(np.where(at_top, -np.inf, rows - top))
    tied = at_top.sum(axis=1, dtype=np.float64)
    return np.log1p(others_sum.sum(axis=1) / tied) + np.log(tied) + top[:, 0]
