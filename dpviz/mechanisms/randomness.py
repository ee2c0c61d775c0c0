"""Streams of random numbers by a run's seed and a label, kept where they are asked for again."""

from __future__ import annotations

import math
import os
import zlib
from collections.abc import Callable, Iterator

import numpy as np

from dpviz.caches import cached
from dpviz.mechanisms.unit_noise import SYSTEM, Seed

KEPT_NOISE = 1_000_000
"""Numbers in an array of noise that is worth its memory."""


def generator(seed: Seed, label: str) -> np.random.Generator:
    """Independent stream for one use (``label``) of a run's ``seed``; of the system's entropy, a
    new one every time, where it is SYSTEM.
    """
    if seed == SYSTEM:
        return np.random.Generator(np.random.PCG64(int.from_bytes(os.urandom(32))))
    return np.random.Generator(
        np.random.PCG64(np.random.SeedSequence([int(seed), zlib.crc32(label.encode())]))
    )


def standard_uniform(seed: Seed, label: str, shape: tuple[int, ...]) -> np.ndarray:
    """Uniform noise of a seed in [0, 1), float64, read-only; of the system's entropy for SYSTEM."""
    if seed == SYSTEM:
        return np.frombuffer(os.urandom(8 * math.prod(shape)), np.uint64).reshape(shape) * 2.0**-64
    return _remembered(np.random.Generator.random, seed, label, shape)


def poisson_samples(seed: Seed, label: str, records: int, rate: float) -> Iterator[np.ndarray]:
    """Sample after sample of the records, each in it by a coin of its own that comes up with chance
    ``rate``: (k,) places in order.
    """
    if rate == 1:
        while True:
            yield np.arange(records)
    stream = generator(seed, label)
    while True:
        coins = standard_uniform(SYSTEM, label, (records,)) if seed == SYSTEM else None
        yield np.flatnonzero((stream.random(records) if coins is None else coins) < rate)


def _remembered(draw: Callable, seed: Seed, label: str, shape: tuple[int, ...]) -> np.ndarray:
    """Small noise is kept: most moves of a slider ask for the noise of the last move again."""
    return (_draw if math.prod(shape) <= KEPT_NOISE else _draw.__wrapped__)(
        draw, seed, label, shape
    )


@cached(32)
def _draw(draw: Callable, seed: int, label: str, shape: tuple[int, ...]) -> np.ndarray:
    noise = draw(generator(seed, label), shape)
    noise.setflags(write=False)
    return noise
