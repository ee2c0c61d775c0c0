"""How right each DPPL method would be at a budget, found out on the public set alone.

Groups of public records play the private classes, other public records are what DPPL-Public may
choose from, and the rest of each group asks. Sums and scores are scaled to the number of records a
class has, so a group of 50 can play a class of 5,000. No private record is involved.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz import mechanisms
from dpviz.caches import KeyedCache
from dpviz.lazy_imports import torch
from dpviz.machine.threads import map_blocks
from dpviz.methods.components import public_sets
from dpviz.types import Exponential, Gaussian, unit_rows

ROUNDS = 16
"""Casts of groups; each has its own noise."""
WAYS = 20
"""Most classes on stage: more cost time and teach little."""
GRID = (1, 2, 4, 8, 16, 32, 64)
"""Records of a group that play; larger classes scale up the largest that fits."""
ASKERS = 20
CANDIDATES = 2000
NEVER = math.inf
MEAN_HANDICAP, MIXED_HANDICAP = 0.02, 0.03
"""What Mean and a mixture must win by: drawn or curated public groups are easier to average than
private classes.
Set by looking at the default data and one other; that look is not paid for."""


@dataclass(frozen=True, eq=False)
class Scene:
    """One cast, ready for any noise and class sizes.

    Attributes:
        sums: (ways, grid, d) float64, sum of the first GRID[g] players; scores: (ways, grid, m)
            float32, their clipped scores of the candidates; steps: (ways,) int64, usable grid steps
            of each group.
        candidates: (m, d) float32; askers: (q, d) float32; answers: (q,) int64.
        normal: (ways, d) and gumbel: (ways, m), unit noise.
    """

    sums: np.ndarray
    scores: np.ndarray
    steps: np.ndarray
    candidates: np.ndarray
    askers: np.ndarray
    answers: np.ndarray
    normal: mechanisms.UnitNoise
    gumbel: mechanisms.UnitNoise


@dataclass(frozen=True)
class Rule:
    """Classes of at least ``threshold`` records take DPPL-Mean, smaller ones DPPL-Public.

    Attributes:
        threshold: 0 is Mean for all, inf is Public for all; right, mean, public: balanced accuracy
            in the rehearsal of this rule, of Mean alone and of Public alone (nan where nothing was
            rehearsed).
    """

    threshold: float
    right: float
    mean: float
    public: float


def choose(
    scenes: Sequence[Scene], counts: Sequence[float], mean: Gaussian, public: Exponential
) -> Rule:
    """The rule that is right most often in the rehearsal with these class sizes and this noise,
    handicaps deducted.
    """
    if not scenes:
        return Rule(0, *[math.nan] * 3)
    ordered = np.sort(np.maximum(counts, 1.0))[::-1]
    ways = len(scenes[0].sums)
    slots = ordered[np.round(np.linspace(0, len(ordered) - 1, ways)).astype(int)]
    thresholds = [NEVER, *sorted(set(slots.tolist()), reverse=True)]
    right = np.mean(
        map_blocks(lambda scene: play(scene, slots, thresholds, mean, public), scenes), axis=0
    )
    handicap = np.full(len(right), MIXED_HANDICAP)
    handicap[0], handicap[-1] = 0, MEAN_HANDICAP
    best = int(np.argmax(right - handicap))
    threshold = 0.0 if best == len(right) - 1 else thresholds[best]
    return Rule(threshold, float(right[best]), float(right[-1]), float(right[0]))


def play(
    scene: Scene,
    slots: np.ndarray,
    thresholds: Sequence[float],
    mean: Gaussian,
    public: Exponential,
) -> np.ndarray:
    """Balanced accuracy of each threshold in one scene, for class sizes ``slots`` (ways,)."""
    rows = np.arange(len(slots))
    step = np.minimum(np.searchsorted(GRID, slots, side="right") - 1, scene.steps - 1)
    scale = (slots / np.array(GRID)[step])[:, None]
    sums = mechanisms.add_gaussian(scene.sums[rows, step] * scale, mean, scene.normal)
    picks = mechanisms.exponential(scene.scores[rows, step] * scale, public, scene.gumbel)
    weights = [unit_rows(rows.astype(np.float32)) for rows in (sums, scene.candidates[picks])]
    by_mean, by_public = (scene.askers @ w.T for w in weights)
    right = []
    for use_mean in (slots >= t for t in thresholds):
        bias = mixed_bias(use_mean, np.where(use_mean[:, None], *weights), sums, slots)
        right.append(
            np.mean(
                np.argmax(np.where(use_mean, by_mean, by_public) + bias, axis=1) == scene.answers
            )
        )
    return np.array(right)


def mixed_bias(
    use_mean: np.ndarray, weights: np.ndarray, sums: np.ndarray, counts: np.ndarray
) -> np.ndarray:
    """Bias (C,) float32 for unit weights (C, d) of which some are of noisy sums and others are
    public records.

    Private features share a direction that public records lack, so every test record would be drawn
    to the classes with a mean. Each score is therefore taken relative to that of the average
    record, as far as the released sums (C, d) of the classes in ``use_mean`` tell it:
    post-processing. Pure rules have no bias, so that they are DPPL-Mean and DPPL-Public.
    """
    if use_mean.all() or not use_mean.any():
        return np.zeros(len(weights), np.float32)
    average = sums[use_mean].sum(axis=0) / counts[use_mean].sum()
    average /= max(1.0, np.linalg.norm(average))
    return (-weights @ average).astype(np.float32)


# ---------------------------------------------------------------------------------------- the stage

_stages: KeyedCache[list[Scene]] = KeyedCache(__name__, 4)


def stage(
    x: np.ndarray,
    labels: np.ndarray | None,
    classes: int,
    radius: float,
    d_min: float,
    d_max: float,
) -> list[Scene]:
    """Scenes for ``classes`` classes from public records x (m, d) with labels (m,) or None.

    Deterministic in its arguments; the last few are kept. Empty where the public set is too small.
    """
    key = (public_sets.fingerprint(x, labels), classes, radius, d_min, d_max)
    return _stages.get_or_compute(
        key, lambda: _stage(unit_rows(x), labels, classes, radius, (d_min, d_max))
    )


def _stage(
    unit: np.ndarray,
    labels: np.ndarray | None,
    classes: int,
    radius: float,
    window: tuple[float, float],
) -> list[Scene]:
    wanted = min(classes, WAYS)
    group = public_sets.groups(unit, labels, fewest=wanted + 1, smallest=4)
    members = [rows for g in range(group.max() + 1) if len(rows := np.flatnonzero(group == g)) >= 4]
    ways = min(wanted, len(members) - 1)
    if ways < 2:
        return []
    return map_blocks(lambda r: _scene(unit, members, ways, r, radius, window), range(ROUNDS))


def _scene(
    unit: np.ndarray, members: list, ways: int, r: int, radius: float, window: tuple[float, float]
) -> Scene:
    rng = np.random.default_rng([public_sets.SEED, r])
    cast = [rng.permutation(members[g]) for g in rng.choice(len(members), ways, replace=False)]
    halves = [min(len(rows) // 2, GRID[-1]) for rows in cast]
    askers = [rows[k : k + ASKERS] for rows, k in zip(cast, halves, strict=True)]
    rest = _remaining_rows(len(unit), cast, rng)
    candidates = unit[rest]
    steps = np.searchsorted(GRID, halves, side="right")
    shape = (ways, len(GRID))
    sums, scores = np.zeros((*shape, unit.shape[1])), np.zeros((*shape, len(rest)), np.float32)
    for c, rows in enumerate(cast):
        for g in range(steps[c]):
            players = unit[rows[GRID[g] // 2 if g else 0 : GRID[g]]]
            before = (sums[c, g - 1], scores[c, g - 1]) if g else (0, 0)
            sums[c, g] = before[0] + mechanisms.contributions(players, radius).sum(axis=0) * radius
            scores[c, g] = before[1] + _scores(players, candidates, *window)
    answers = np.repeat(np.arange(ways), [len(rows) for rows in askers])
    seed, noise = public_sets.SEED, f"rehearsal {r}"
    normal = mechanisms.standard_normal(seed, noise, (ways, unit.shape[1]))
    gumbel = mechanisms.standard_gumbel(seed, noise, (ways, len(rest)))
    return Scene(
        sums, scores, steps, candidates, unit[np.concatenate(askers)], answers, normal, gumbel
    )


def _remaining_rows(total: int, cast: list[np.ndarray], rng: np.random.Generator) -> np.ndarray:
    """Public records outside the cast: the real classes need not be in the public set either."""
    free = np.ones(total, bool)
    free[np.concatenate(cast)] = False
    return rng.permutation(np.flatnonzero(free))[:CANDIDATES]


def _scores(players: np.ndarray, candidates: np.ndarray, d_min: float, d_max: float) -> np.ndarray:
    """Sum over players of clip(1 + cos, d_min, d_max) - d_min for each candidate: (m,) float32."""
    cosines = torch.mm(torch.from_numpy(players), torch.from_numpy(candidates).T)
    return cosines.clamp_(d_min - 1, d_max - 1).sub_(d_min - 1).sum(0).numpy()
