"""A perturbed objective's minimiser, found closely, and hidden within what it may be wrong by."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from dpviz.mechanisms import noise_recorder
from dpviz.mechanisms.randomness import UnitNoise, generator
from dpviz.mechanisms.system_noise import discrete_gaussian
from dpviz.types import Minimiser


def noisy_minimisers(
    find: Callable[[np.ndarray], np.ndarray],
    events: Sequence[Minimiser],
    noises: Sequence[UnitNoise],
) -> list[np.ndarray]:
    """What ``find`` finds for the noisy linear term of each event, plus that event's blur: (C, d)
    float64 each.

    Args:
        find: ``find(b)`` gives for b (cells, C, d), a linear term for each event, the w of the same
            shape, each within half of its event's ``distance`` of the minimiser of the objective
            plus b.w.
        noises: (C, 2, d) each, of the linear term and of the blur.

    Guarantee: as ``privacy.objective_perturbation`` counts an event, under its bounds on a
        record. With noise of the system's entropy the blur is exact, and the linear term is
        Gaussian to double precision, which is taken for Gaussian.
    """
    used = [
        noise_recorder.noise_of(event, noise) for event, noise in zip(events, noises, strict=True)
    ]
    linear = [e.sigma * _linear(noise) for e, noise in zip(events, used, strict=True)]
    found = find(np.stack(linear))
    return [
        noise_recorder.noted(event, noise, _blurred(near, event, noise))
        for near, event, noise in zip(found, events, used, strict=True)
    ]


def _linear(noise: UnitNoise) -> np.ndarray:
    if noise.from_system:
        return generator(noise.seed, noise.label).standard_normal(noise.shape)[:, 0]
    return noise.replayed[:, 0]


def _blurred(found: np.ndarray, event: Minimiser, noise: UnitNoise) -> np.ndarray:
    if event.sigma == 0:
        return found
    if not noise.from_system:
        return found + event.blur * noise.replayed[:, 1]
    # rounding moves it by half of a step in each number: half of the distance at most
    grid = 2.0 ** math.floor(math.log2(event.distance / math.sqrt(found.size)))
    return discrete_gaussian(np.rint(found / grid) * grid, event.blur, 1.0, grid)
