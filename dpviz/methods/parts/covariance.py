"""What DP-LS, DP-Newton and DP-FC share: noisy symmetric matrices, their PSD projection, ridge
solves.
"""

from __future__ import annotations

import numpy as np
import torch
from scipy.linalg import lapack

from dpviz import mechanisms
from dpviz.types import Gaussian, Param

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
NOISE_RIDGE = Param(
    "noise_ridge",
    "Ridge for noise",
    "Added to the diagonal too, times the noise's sd and √dimension (so nothing without noise). The"
    " paper has 0.",
    1.0,
    0.0,
    10.0,
    0.1,
)
ROWS = 8192
"""Records a float32 product sums before it is added up in float64."""


def gram(x: torch.Tensor, weights: torch.Tensor | None = None) -> torch.Tensor:
    """Sum of w_i x_i x_i^T over the rows of x (n, d) float32: (d, d) float64. O(n d^2)."""
    total = torch.zeros(x.shape[1], x.shape[1], dtype=torch.float64)
    for start in range(0, len(x), ROWS):
        rows = x[start : start + ROWS]
        if weights is None:
            total += torch.from_numpy(
                rows.numpy().T @ rows.numpy()
            )  # numpy knows that it is symmetric: half the work
        else:
            total += (rows * weights[start : start + ROWS, None]).T @ rows
    return total


def noisy_psd(matrix: torch.Tensor, event: Gaussian, unit_noise: torch.Tensor) -> torch.Tensor:
    """A symmetric matrix (d, d) float64 with the event's noise, projected to the nearest PSD
    matrix.

    Guarantee: (sensitivity/sigma)-GDP if one record moves ``matrix`` by at most
    ``event.sensitivity`` in Frobenius norm and ``unit_noise`` is ``mechanisms.standard_symmetric``;
    the projection is post-processing.
    """
    return matrix.clone() if event.sigma == 0 else project_psd(matrix + event.sigma * unit_noise)


def project_psd(matrix: torch.Tensor) -> torch.Tensor:
    """Nearest positive semidefinite matrix to a symmetric one (d, d) float64: negative eigenvalues
    become zero.

    Reads the lower triangle alone. Eigenvectors are found in float32, in half the time and with an
    error far below any noise; the product is taken in float64, so that it is positive semidefinite
    to rounding.
    """
    values, vectors = torch.linalg.eigh(matrix.float())
    start = int((values <= 0).sum())  # they ascend
    factor = (vectors[:, start:] * values[start:].sqrt()).double().numpy()
    return torch.from_numpy(factor @ factor.T)


def ridge_solve(matrix: torch.Tensor, penalty: float, right: torch.Tensor) -> torch.Tensor:
    """(matrix + penalty I)^-1 right for a PSD matrix (d, d) and right (d, k); penalty > 0."""
    shifted = matrix.clone()
    shifted.diagonal().add_(penalty)
    return torch.cholesky_solve(right, torch.linalg.cholesky(shifted))


def solve_definite(matrix: np.ndarray, right: np.ndarray) -> np.ndarray | None:
    """matrix^-1 right for a symmetric matrix (d, d), which is overwritten, and right (d,), in the
    matrix's precision.

    Reads the lower triangle alone. None where the matrix is not positive definite.
    """
    solve = lapack.sposv if matrix.dtype == np.float32 else lapack.dposv
    _, solution, failed = solve(
        matrix.T, right, lower=False, overwrite_a=True
    )  # the transpose costs no copy
    return None if failed else solution


def unit_symmetric(seed: int, label: str, d: int) -> torch.Tensor:
    """``mechanisms.standard_symmetric`` as a tensor (d, d) float64."""
    return torch.from_numpy(mechanisms.standard_symmetric(seed, label, d))
