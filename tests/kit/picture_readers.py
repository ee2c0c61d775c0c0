"""Readers of pictures that worker processes import quickly."""

import dataclasses
import os
import signal
from pathlib import Path

import numpy as np

from dpviz.types import DpvizError


@dataclasses.dataclass(frozen=True)
class Reader:
    """Pictures of a seed, of one size or of several; ``bad`` cannot be decoded."""

    bad: int = -1
    ragged: bool = False

    def __call__(self, i: int) -> np.ndarray:
        if i == self.bad:
            raise DpvizError(f"Picture {i} cannot be decoded; replace it.")
        high, wide = (28 + i % 5, 31 - i % 3) if self.ragged else (28, 28)
        return np.random.default_rng(i).integers(0, 256, (high, wide, 3), np.uint8)


@dataclasses.dataclass(frozen=True)
class Counted:
    """Writes down each picture that is decoded."""

    path: str
    side: int = 8

    def __call__(self, i: int) -> np.ndarray:
        with open(self.path, "ab") as file:
            file.write(b".")
        return np.full((self.side, self.side, 3), i % 256, np.uint8)

    @property
    def count(self) -> int:
        return Path(self.path).stat().st_size


@dataclasses.dataclass(frozen=True)
class Deadly:
    """Ends the process that decodes the picture, as the system does when memory runs out."""

    def __call__(self, i: int) -> np.ndarray:
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError
