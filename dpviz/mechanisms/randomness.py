"""Streams of random numbers by a run's seed and a label, kept where they are asked for again."""

from __future__ import annotations

import math
import os
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from dpviz.caches import cached

SYSTEM = "system"
"""In place of a seed: noise that nobody can draw again, from exact samplers. For releases."""
Seed = int | str


@dataclass(frozen=True, eq=False)
class UnitNoise:
    """Standard noise of one draw.

    Attributes:
        seed: of the run, or SYSTEM; label: which draw of the run it is; shape: of the values.
        values: the noise; None where the system's entropy will give it.
        spread: standard deviation of each number, one for all or an array of the shape; the values
            have it already.
    """

    seed: Seed
    label: str
    shape: tuple[int, ...]
    values: np.ndarray | None
    spread: float | np.ndarray = 1.0

    @property
    def from_system(self) -> bool:
        """Whether the noise is left to the system's entropy, so that it has no values."""
        return self.values is None

    @property
    def replayed(self) -> np.ndarray:
        """The values of a replay."""
        assert self.values is not None, "noise from system entropy has no values"
        return self.values

    def __getitem__(self, at: int) -> UnitNoise:
        """The noise of one of the first axis's parts, as a draw of its own."""
        return UnitNoise(
            self.seed,
            f"{self.label} {at}",
            self.shape[1:],
            None if self.values is None else self.values[at],
            self.spread[at] if isinstance(self.spread, np.ndarray) else self.spread,
        )

    def with_values(self, values: np.ndarray) -> UnitNoise:
        """The same draw with other values."""
        return UnitNoise(self.seed, self.label, self.shape, values, self.spread)

    def __iter__(self) -> Iterator[UnitNoise]:
        """The parts of the first axis."""
        return (self[at] for at in range(self.shape[0]))


MAX_CACHED_NOISE = 1_000_000
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
    return (_draw if math.prod(shape) <= MAX_CACHED_NOISE else _draw.__wrapped__)(
        draw, seed, label, shape
    )


@cached(32)
def _draw(draw: Callable, seed: int, label: str, shape: tuple[int, ...]) -> np.ndarray:
    noise = draw(generator(seed, label), shape)
    noise.setflags(write=False)
    return noise
