"""What DP-LS, DP-Newton and DP-FC share: exact second moments, what follows their noise, solves.

Records come as rows of ``mechanisms.unit_rows``: products of two of their numbers are multiples of
2^-24, which float64 adds up exactly.
"""

from __future__ import annotations

import numpy as np

from dpviz import mechanisms
from dpviz.data.limits import DIMENSIONS
from dpviz.lazy_imports import linalg, torch
from dpviz.types import DpvizError, Gaussian, Param

SOURCE = "Mehta et al. 2023, Differentially private image classification from features"
CLIP = Param(
    "clip",
    "Clip norm R",
    "Features are scaled to norm 1, then clipped to this norm.",
    1.0,
    1e-3,
    1.0,
    log=True,
)
STEPS = Param(
    "steps",
    "Steps T",
    "Number of gradient steps. More steps mean more noise per step.",
    10,
    1,
    200,
    1,
    log=True,
)
LR = Param("lr", "Step size", "Factor on each preconditioned step.", 300.0, 1e-3, 1e4, log=True)
RIDGE = Param(
    "ridge",
    "Ridge λ",
    "Added to the diagonal of the second-moment matrix (features have norm 1).",
    10.0,
    1e-6,
    1e4,
    log=True,
)
NOISE_RIDGE = Param(
    "noise_ridge",
    "Noise ridge",
    "Extra ridge, times the noise scale and √dimension. Paper: 0.",
    1.0,
    0.0,
    10.0,
    0.1,
)
ROWS = 1024
"""Records that are held in float64 at once."""
EVEN = 64
"""Numbers that the widest vector code works on in one go."""
LARGEST = 1e30
"""Of a weight: scores of it still fit into float32."""


def allow(method: str, d: int) -> None:
    """Refuse features of more dimensions d than d x d numbers are held for."""
    if d > DIMENSIONS:
        raise DpvizError(
            f"{method} stores a d × d matrix and allows at most {DIMENSIONS:,} dimensions, got"
            f" {d:,}. Use another encoder or method."
        )


def padded_units(x: np.ndarray) -> torch.Tensor:
    """Unit rows of x (n, d) and zero rows below them, up to a multiple of EVEN: float32.

    Elementwise code treats the end of a vector in another way, so that without them what a record
    adds could depend on how many others there are. A zero row adds nothing to any sum.
    """
    rows = torch.zeros(-(-len(x) // EVEN) * EVEN, x.shape[1])
    rows[: len(x)] = torch.from_numpy(np.array(mechanisms.unit_rows(x)))
    return rows


def gram(x: np.ndarray, weights: np.ndarray | None = None) -> np.ndarray:
    """Sum of w_i x_i x_i^T over the rows of x (n, d) float32: (d, d) float64. O(n d^2).

    Exact for rows on the grid of features; with weights (n,) of at most 1/4 on a grid of 2^-10 for
    up to 2^21 records.
    """
    total = np.zeros((x.shape[1], x.shape[1]))
    for start in range(0, len(x), ROWS):
        rows = x[start : start + ROWS].astype(np.float64)
        # without weights numpy knows that the product is symmetric: half the work
        left = rows if weights is None else rows * weights[start : start + ROWS, None]
        total += left.T @ rows
    return total


def outer_sum(left: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Sum of left_i x_i^T over the rows of left (n, k) and x (n, d): (k, d) float64, exact for rows
    on the grid of features.
    """
    total = np.zeros((left.shape[1], x.shape[1]))
    for start in range(0, len(x), ROWS):
        part = slice(start, start + ROWS)
        total += left[part].astype(np.float64).T @ x[part].astype(np.float64)
    return total


def whole(packed: np.ndarray, d: int) -> np.ndarray:
    """The symmetric matrix (d, d) with this packed lower triangle."""
    lower = mechanisms.unpack_lower(packed, d)
    return lower + np.tril(lower, -1).T


def noisy_lower(
    matrix: np.ndarray,
    event: Gaussian,
    noise: mechanisms.UnitNoise,
    scale: float,
    grid: float = mechanisms.FINE,
) -> np.ndarray:
    """The lower triangle (d, d) of ``scale`` times a symmetric matrix on ``grid``, with the event's
    noise, a draw of ``mechanisms.packed_symmetric``.

    Guarantee: (sensitivity/sigma)-GDP if one record moves ``scale * matrix`` by at most
    ``event.sensitivity`` in Frobenius norm.
    """
    packed = mechanisms.pack_lower(matrix)
    noisy = mechanisms.add_gaussian(packed, event, noise, scale, grid)
    return mechanisms.unpack_lower(noisy, len(matrix))


def eigen(lower: np.ndarray, dtype: type = np.float32) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues (d,), ascending, and eigenvectors (d, d) of the symmetric matrix with this lower
    triangle: float64, found in ``dtype``.

    float32 takes half the time, and its error is far below any noise.

    Raises:
        DpvizError: if the matrix is too large for float64.
    """
    size = float(np.abs(lower).max()) or 1.0
    if not np.isfinite(size):
        raise DpvizError("Numerical overflow: the noise is too large. Use a larger budget.")
    values, vectors = torch.linalg.eigh(torch.from_numpy((lower / size).astype(dtype)))
    return values.double().numpy() * size, vectors.double().numpy()


def project_psd(lower: np.ndarray) -> np.ndarray:
    """Nearest positive semidefinite matrix (d, d) float64 to the symmetric one with this lower
    triangle: negative eigenvalues become zero.

    The product is taken in float64, so that it is positive semidefinite to rounding.
    """
    values, vectors = eigen(lower)
    start = int((values <= 0).sum())  # they ascend
    factor = vectors[:, start:] * np.sqrt(values[start:])
    return factor @ factor.T


def shrunk(parts: tuple[np.ndarray, np.ndarray], penalty: float, right: np.ndarray) -> np.ndarray:
    """right (k, d) times (M + penalty I)^-1, M being the nearest positive semidefinite matrix to
    the one with these eigenvalues and eigenvectors; penalty > 0.
    """
    values, vectors = parts
    return ((right @ vectors) / (np.maximum(values, 0) + penalty)) @ vectors.T


def solve_definite(matrix: np.ndarray, right: np.ndarray) -> np.ndarray | None:
    """matrix^-1 right for a symmetric matrix (d, d), which is overwritten, and right (d,), in the
    matrix's precision.

    Reads the lower triangle alone. None where the matrix is not positive definite.
    """
    solve = linalg.lapack.sposv if matrix.dtype == np.float32 else linalg.lapack.dposv
    _, solution, failed = solve(
        matrix.T, right, lower=False, overwrite_a=True
    )  # the transpose costs no copy
    return None if failed else solution


def bounded(w: np.ndarray) -> np.ndarray:
    """Weights within LARGEST, whatever noise they come from."""
    finite = w.clip(-LARGEST, LARGEST)
    finite[np.isnan(finite)] = 0
    return finite
