"""Privacy losses of a mixture of Gaussians on a grid, as dp_accounting 0.6 computes them, faster.

The library searches the point of each loss on the grid one by one. Here the points are searched
side by side, with the same steps, so that every number is the same to the last bit.

Source: Ganesh 2024; ``from_mixture_gaussian_mechanism`` of dp_accounting.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from dp_accounting.pld import privacy_loss_distribution
from dp_accounting.pld.privacy_loss_distribution import PrivacyLossDistribution
from dp_accounting.pld.privacy_loss_mechanism import AdjacencyType, MixtureGaussianPrivacyLoss


class _Mixture(MixtureGaussianPrivacyLoss):
    """The library's losses, with the search of all points at once."""

    def _inverse_privacy_losses_with_range(
        self, privacy_losses: np.ndarray, bounds: tuple[float, float], precision: float = 1e-6
    ) -> np.ndarray:
        low, high = (np.full(len(privacy_losses), bound) for bound in bounds)
        while (wide := np.flatnonzero(high - low > precision)).size:
            middle = (low[wide] + high[wide]) / 2
            below = privacy_losses[wide] < self._losses_at(middle)
            low[wide] = np.where(below, middle, low[wide])
            high[wide] = np.where(below, high[wide], middle)
        return np.floor(high / precision) * precision

    def _losses_at(self, points: np.ndarray) -> np.ndarray:
        """Return ``privacy_loss`` at each of the points (k,), many of which are the same."""
        places, inverse = np.unique(points, return_inverse=True)
        shifts = np.multiply.outer(self.sensitivities, places) / self._variance
        removing = self.adjacency_type == AdjacencyType.REMOVE
        constants = self._precompute_privacy_loss_constants[:, None]
        terms = constants - shifts if removing else constants + shifts
        losses = np.logaddexp.reduce(terms, axis=0)
        return (losses if removing else -losses)[inverse]


def losses(
    sigma: float, sizes: Sequence[float], chances: Sequence[float], gap: float
) -> PrivacyLossDistribution:
    """Return the losses of one step in steps of ``gap``, rounded up.

    Args:
        sigma: of the noise; sizes: by which a step may move, each with its chance.
    """
    pmfs = [
        privacy_loss_distribution._create_pld_pmf_from_monotone_privacy_loss(
            _Mixture(sigma, sizes, chances, adjacency_type=adjacency),
            value_discretization_interval=gap,
            use_connect_dots=True,
        )
        for adjacency in (AdjacencyType.REMOVE, AdjacencyType.ADD)
    ]
    return PrivacyLossDistribution(*pmfs)
