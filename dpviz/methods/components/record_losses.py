"""What the methods' losses of each record share.

A method reruns itself with the plan's noise and the seed's draws, and looks at what it sums before
the noise.
"""

from __future__ import annotations

import numpy as np

from dpviz.lazy_imports import torch
from dpviz.privacy import per_record
from dpviz.types import Gaussian, Losses, Plan

ROUNDING = 1e-6
"""Relative: what lies this little above its bound is at the bound, clipped in single precision."""


def at_most(values: np.ndarray, bound: float) -> np.ndarray:
    """Values that stand above the bound by rounding alone, set to it."""
    return np.where(values <= bound * (1 + ROUNDING), np.minimum(values, bound), values)


def gaussian(mu_squared: np.ndarray, plan: Plan) -> Losses:
    """Losses of records of which Gaussian releases tell mu^2 (n,) in all."""
    return per_record.gaussian_losses(mu_squared, plan.guarantee.delta)


def squared_mu(norms: np.ndarray, event: Gaussian) -> np.ndarray:
    """mu_i^2 of one release to which the records contribute vectors of these norms (n,)."""
    return per_record.squared_mus(at_most(norms, event.sensitivity), event)


def row_norms(x: np.ndarray | torch.Tensor) -> np.ndarray:
    """L2 norm of each row of x (n, d), float64."""
    return np.linalg.norm(np.asarray(x, np.float64), axis=1)
