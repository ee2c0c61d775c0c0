"""Noise before it is scaled: replayed from a run's seed, or left to the system's entropy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

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
        assert self.values is not None, "noise of the system's entropy has no values"
        return self.values

    def __getitem__(self, at: int) -> UnitNoise:
        """The noise of one of the first axis's parts, as a draw of its own."""
        return replace(
            self,
            label=f"{self.label} {at}",
            shape=self.shape[1:],
            values=None if self.from_system else self.replayed[at],
            spread=self.spread[at] if isinstance(self.spread, np.ndarray) else self.spread,
        )

    def __iter__(self) -> Iterator[UnitNoise]:
        """The parts of the first axis."""
        return (self[at] for at in range(self.shape[0]))
