"""Sets of row numbers as short texts, such as ``3-9,14``."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from dpviz.text import image_map as text
from dpviz.text.template import render_text
from dpviz.types import DpvizError

#: Most characters: 5,000 numbers of up to seven digits.
MAX_CHARACTERS = 40_000
_RANGE = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?", re.ASCII)


def to_text(numbers: Iterable[int]) -> str:
    """Return numbers as ranges, ascending; an empty text for none."""
    rising = np.unique(np.fromiter(numbers, np.int64))
    runs = np.split(rising, np.flatnonzero(np.diff(rising) > 1) + 1) if len(rising) else []
    return ",".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs)


def from_text(ranges: object, size: int) -> np.ndarray:
    """Return the numbers of some ranges, ascending, (k,) int64.

    Args:
        ranges: as a browser sent it; size: numbers must be below.

    Raises:
        DpvizError: for anything else.
    """
    if not isinstance(ranges, str):
        raise DpvizError(text.BAD_RANGES)
    if len(ranges) > MAX_CHARACTERS:
        length = {"length": len(ranges), "limit": MAX_CHARACTERS}
        raise DpvizError(render_text(text.TOO_LONG, **length))
    pairs = []
    for part in ranges.split(",") if ranges else []:
        found = _RANGE.fullmatch(part)
        if found is None:
            raise DpvizError(text.BAD_RANGES)
        low, high = int(found[1]), int(found[2] or found[1])
        if low > high:
            raise DpvizError(text.BAD_RANGES)
        if high >= size:
            raise DpvizError(render_text(text.OUTSIDE, number=high, size=size))
        pairs.append((low, high))
    chosen = np.zeros(max((high for _, high in pairs), default=-1) + 1, bool)
    for low, high in pairs:
        chosen[low : high + 1] = True
    return np.flatnonzero(chosen)
