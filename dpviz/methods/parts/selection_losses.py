"""What a choice from the public set tells about each record: losses of the methods that select."""

from __future__ import annotations

import numpy as np

from dpviz import mechanisms, privacy
from dpviz.lazy_imports import torch
from dpviz.machine.threads import map_blocks
from dpviz.mechanisms import UTILITY_STEP
from dpviz.methods.parts import tiles
from dpviz.methods.parts.prototypes import utilities
from dpviz.methods.parts.record_losses import at_most
from dpviz.methods.parts.tiles import TILE
from dpviz.types import Dataset, Exponential, Losses, Plan

SINGLE = 1e-5
"""Error of ln(Z / Z_-i) in single precision, with room to spare: relative for small ones."""


def selection(data: Dataset, plan: Plan, seed: int) -> Losses:
    """epsilon_i = max_j |t c_ij - ln(Z / Z_-i)|, and rho_i that of a range of t (max_j c_ij - min_j
    c_ij).
    """
    return of_event(data, plan, plan.exponential("selection"))


def of_event(data: Dataset, plan: Plan, event: Exponential) -> Losses:
    """The losses of ``selection`` in single precision, rounded up.

    The log-odds of a choice with and without record i are t c_ij - ln(Z / Z_-i): they lie in an
    interval of length t (max c - min c), hence rho.
    """
    low, high, shift = _odds(data, plan, event)
    epsilon = np.maximum(high - shift, shift - low) + SINGLE * (
        high if event.epsilon <= 1 else np.maximum(high, 1.0)
    )
    return np.minimum(epsilon, high - low), privacy.bounded_range_rho(high - low)


def _odds(
    data: Dataset, plan: Plan, event: Exponential
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Least and largest t c_ij over the public set, and ln(Z / Z_-i), each (n,) float64.

    One pass over tiles of the public set; nothing of size n x m is held. O(n m d).
    """
    window, t = (plan.params["d_min"], plan.params["d_max"]), event.epsilon / event.sensitivity
    ends = tiles.steps(window[0]), tiles.steps(window[1])
    # without record i each weight shrinks by e^(-t c): Z_-i / Z is the mean of that under the
    # selection odds
    odds = torch.from_numpy(
        mechanisms.exponential_probabilities(utilities(data, *window), event).astype(np.float32)
    )
    members = [np.flatnonzero(data.y == c) for c in range(data.classes)]
    unit = mechanisms.unit_rows(data.x)
    by_class = [torch.from_numpy(unit[rows]) for rows in members]
    small = event.epsilon <= 1

    def tile(start: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        columns = tiles.columns(data.public, start)
        parts = [
            _tile_odds(rows, columns, p[start : start + TILE], t, ends, small)
            for x, p in zip(by_class, odds, strict=True)
            for rows in x.split(512)
        ]
        low, high, total = (np.concatenate(values) for values in zip(*parts, strict=True))
        return low, high, total

    lows, highs, sums = zip(*map_blocks(tile, range(0, len(data.public), TILE)), strict=True)
    low, high, total = (
        np.min(lows, axis=0),
        np.max(highs, axis=0),
        np.sum(sums, axis=0, dtype=np.float64),
    )
    with np.errstate(divide="ignore"):
        shift = -np.log1p(total) if small else -np.log(total)
    low, high = (at_most(t * end.astype(np.float64), event.epsilon) for end in (low, high))
    back = np.argsort(np.concatenate(members), kind="stable")
    return low[back], high[back], np.clip(shift, low, high)[back]


def _tile_odds(
    rows: torch.Tensor,
    columns: torch.Tensor,
    p: torch.Tensor,
    t: float,
    ends: tuple[int, int],
    small: bool,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Least and largest score of each row, and the sum of p (e^(-t c) - 1), without the - 1 unless
    ``small``.
    """
    scores = tiles.scores(rows, columns).clamp_(*ends).sub_(ends[0]).mul_(UTILITY_STEP)
    low, high = torch.aminmax(scores, dim=1)
    # near 1 the logarithm would lose what e^(-t c) - 1 keeps, near 0 the other way round
    weight = scores.mul_(-t).expm1_() if small else scores.mul_(-t).exp_()
    return low.numpy(), high.numpy(), (weight @ p).numpy()
