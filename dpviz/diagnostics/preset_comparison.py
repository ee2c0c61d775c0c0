"""Runs by the names of the AdaMix paper, compared: their settings, which of two errs less."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy.stats import t

from dpviz.methods import METHODS, adamix
from dpviz.methods.adamix_presets import PRESETS, Preset
from dpviz.types import Result

LEVELS = ("Only-Public", "paragon")
"""Without noise, hence the same at every budget."""
PRIVATE = tuple(name for name in PRESETS if name not in LEVELS)
PAPER = ("paragon", "AdaMix", "NGD", "Only-Public", "Fully-Private")
"""From the least error to the most, as the AdaMix paper has them (Figure 1)."""


def settings(
    preset: Preset, changes: Mapping[str, Any], rate: float, shots: int, seed: int
) -> dict[str, Any]:
    """The settings of a preset's run.

    Args:
        changes: of every preset that has the part: an ablation stays an ablation; rate: times the
            preset's own learning rate; seed: draws the public shots as well.
    """
    known, off = {p.name for p in METHODS[preset.method].params}, {"rank": 0, "init": "none"}
    fits = lambda k: k in known and (k not in off or preset.params.get(k) != off[k])
    values = dict(preset.params) | {k: v for k, v in changes.items() if fits(k)}
    if preset.method == adamix.KEY and rate != 1:
        values["lr"] = min(values.get("lr", adamix.LR.default) * rate, adamix.LR.high)
    return values | {"shots": shots, "draw": seed % (int(adamix.DRAW.high) + 1)}


def errors(results: Sequence[Result], metric: str) -> tuple[float, ...]:
    """1 - accuracy of each run, in order of seeds."""
    return tuple(1 - getattr(r.scores, metric) for r in sorted(results, key=lambda r: r.spec.seed))


def order(one: Sequence[float], other: Sequence[float]) -> int:
    """1 if the first errs less, -1 if more, 0 if the paired 95 % t-interval of the difference holds
    0 or runs are too few.

    Runs of a seed share the public shots, so they are compared seed by seed.
    """
    gap, n = np.subtract(other, one), len(one)
    if n < 2:
        return 0
    half = float(t.ppf(0.975, n - 1)) * float(gap.std(ddof=1)) / math.sqrt(n)
    return 0 if abs(gap.mean()) <= half else int(np.sign(gap.mean()))


def gain(one: Sequence[float], other: Sequence[float]) -> float:
    """How many points of error the second has more, mean over seeds."""
    return 100 * (sum(other) - sum(one)) / len(one)


def paper_order(errors: Mapping[str, Sequence[float]]) -> dict[tuple[str, str], int]:
    """``order`` of each two neighbours among those of ``PAPER`` that have errors."""
    ranked = [name for name in PAPER if name in errors]
    return {(a, b): order(errors[a], errors[b]) for a, b in itertools.pairwise(ranked)}
