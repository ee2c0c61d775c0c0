"""Gradient descent on noisy sums, for stacked cells: what methods share that differ in what a
record adds to the sum.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from dpviz import mechanisms
from dpviz.mechanisms import Seed
from dpviz.types import Gaussian

Summed = Callable[[np.ndarray], tuple[np.ndarray, float]]
"""What a step releases under heads w (cells, C, k), in units of ``scale``: (cells, C, k) float64,
and the step of its grid.
"""


def from_zero(
    key: str,
    shape: tuple[int, int],
    events: Sequence[Gaussian],
    seeds: Sequence[Seed],
    steps: Sequence[float],
    scale: float,
    summed: Summed,
    times: int | None = None,
) -> np.ndarray:
    """Heads (cells, *shape) float32 after as many steps as the events have, or ``times`` of them:
    ``steps[cell]`` times the noisy sum is taken off at each.

    Args:
        key: label of the noise, the same for a seed whatever the cell's budget.
        scale: what one unit of the sums stands for, as of ``mechanisms.add_gaussian``.
    """
    w = np.zeros((len(events), *shape), np.float32)
    streams = {seed: mechanisms.normal_steps(seed, key, shape) for seed in set(seeds)}
    for _ in range(times or events[0].times):
        draws = {seed: next(stream) for seed, stream in streams.items()}
        sums, grid = summed(w)
        for cell, (event, seed) in enumerate(zip(events, seeds, strict=True)):
            noisy = mechanisms.add_gaussian(sums[cell], event, draws[seed], scale=scale, grid=grid)
            w[cell] -= steps[cell] * noisy
    return w
