"""CoinPress: a class's mean by clips about what is known of it so far, each with its own noise.

Records are rows on a grid, and so is the centre that they are clipped about; the factor that
shortens a row is a whole number of 2^-FACTOR_BITS, rounded down. So the sum of clipped rows is
exact in float64 however it is computed, each row's part depends on that row and the centre alone,
and lies within the clip
radius of the centre.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from dpviz import mechanisms, privacy
from dpviz.methods.components.prototypes import (
    apply_blocks,
    blocks,
    pool,
    pooled_release,
    public_scale,
)
from dpviz.methods.components.worst_neighbours import CROSS, records
from dpviz.types.audit_case import AuditCase, EventCase
from dpviz.types.budget import Budget
from dpviz.types.dataset import Dataset, unit_rows
from dpviz.types.guarantee import Gaussian, Plan
from dpviz.types.method import Query
from dpviz.types.release import Fit

FACTOR_BITS = 12
"""With the grid of the rows, FINE_BITS together."""
FARTHEST = 2.0**11
"""Length that rows and centres are shortened to at once: far beyond any first radius, sqrt(d)."""
NOISE_LABEL = "dppl-mean"
SPLIT = (5 / 64, 7 / 64, 52 / 64)
"""Of rho, over the steps."""
MAX_RECORDS = 2**18
"""Records of a class of which the sums are exact whatever they are."""
ROUNDING = 1e-5
"""Share of a distance that float32 may be off by, and more."""
ROUND_DOWN = 1 - 2.0**-40
"""Factors are rounded down from this part of themselves: more than float64 is off by."""


def schedule(d: int, n: int, plan: Plan, start: float | None = None) -> list[dict[str, float]]:
    """Radius, clip radius and noise of each CoinPress step for one class; no record is read.

    Args:
        d: dimension after pooling; n: records of the class (public here); start: first radius,
            sqrt(d).

    Returns:
        One dict a step: ``r`` (radius of the ball known to hold the mean), ``clip`` (radius R about
        the centre), ``sd`` (noise on the mean), ``r_next``, ``gamma``.

    Source: Biswas et al. 2020, Algorithm 1, with failure probability 1/100 a step.
    """
    gamma = tail(d)
    r = math.sqrt(d) if start is None else start
    steps = []
    for event in map(plan.gaussian, plan.events):
        clip = clip_radius(r, gamma)
        # the event is planned for sensitivity 2, the mean's is 2 clip / n
        sd = clip / n * event.sigma
        r_next = gamma * math.sqrt(1 / n + sd * sd)
        steps.append({"r": r, "clip": clip, "sd": sd, "r_next": r_next, "gamma": gamma})
        r = r_next
    return steps


def tail(d: int) -> float:
    """gamma: what a record of spread 1 lies from its mean at most, but for 1 in 100."""
    log_inverse_beta = math.log(100)
    return math.sqrt(d + 2 * math.sqrt(d * log_inverse_beta) + 2 * log_inverse_beta)


def clip_radius(r: float, gamma: float) -> float:
    """R: what such a record lies at most from a centre that is within ``r`` of its mean."""
    return min(math.sqrt(r * r + 6 * r + gamma * gamma), r + gamma)


# ------------------------------------------------------------------------------------------ records


@dataclass(frozen=True, eq=False)
class Rows:
    """One class's records, ready for clips about many centres.

    Attributes:
        x: (n, width) float32 rows of ``standardised``; total: (width,) float64, their exact sum.
        away: (n,) each row's distance from the mean, not below the true one.
    """

    x: np.ndarray
    total: np.ndarray
    away: np.ndarray

    @property
    def mean(self) -> np.ndarray:
        """(width,) float64."""
        return self.total / len(self.x)


def class_rows(data: Dataset, c: int, k: int) -> Rows:
    """The records of class ``c``, pooled by k."""
    width = data.x.shape[1] // k
    members = np.flatnonzero(data.y == c)
    return rows_of(
        apply_blocks(data.x, members, width, lambda rows: standardised(rows, data, k)).numpy()
    )


def rows_of(x: np.ndarray) -> Rows:
    """Rows x (n, width) float32 that are ``on_grid``."""
    total = np.zeros(x.shape[1])
    for part in blocks(*x.shape):
        total += x[part].sum(axis=0, dtype=np.float64)
    mean = (total / len(x)).astype(np.float32)
    distances = [_lengths(x[part] - mean)[:, 0] for part in blocks(*x.shape)]
    return Rows(x, total, np.concatenate(distances) * (1 + ROUNDING))


def standardised(x: np.ndarray, data: Dataset, k: int) -> np.ndarray:
    """Pooled unit rows of x (n, d) in units of the public set's spread, on the grid: (n, d // k)
    float32.
    """
    centre, spread = public_scale(data, k)
    rows = pool(unit_rows(x), k) - centre
    rows /= spread
    return on_grid(rows)


def on_grid(x: np.ndarray) -> np.ndarray:
    """x (..., d), shortened to FARTHEST, as whole multiples of ``mechanisms.COARSE``."""
    x = x * np.minimum(1, FARTHEST / np.maximum(_lengths(x), 1e-30))
    return np.rint(x / mechanisms.COARSE) * x.dtype.type(mechanisms.COARSE)


def _lengths(x: np.ndarray) -> np.ndarray:
    """Norms along the last axis, which is kept."""
    return np.sqrt(np.einsum("...d,...d->...", x, x))[..., None]


# -------------------------------------------------------------------------------------------- steps


def estimates(
    rows: Rows,
    schedules: Sequence[Sequence[dict[str, float]]],
    events: Sequence[Sequence[Gaussian]],
    noise: Sequence[Sequence[mechanisms.UnitNoise]],
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """One class's estimates for all plans and seeds.

    Args:
        schedules, events: ``[plan][step]``; noise: ``[seed][step]``, (width,) each.

    Returns:
        Estimates (plans, seeds, width), and clipped share and norm of each step (plans, seeds,
        steps).

    Guarantee: of step i that of its event, where one record of the class is replaced.
    """
    n, width = rows.x.shape
    cells = (len(schedules), len(noise))
    estimate = np.zeros((cells[0], 1, width))  # seeds part with the first noise
    clipped, norms = np.zeros((2, *cells, len(events[0])))
    for step in range(len(events[0])):
        radius = np.array([planned[step]["clip"] for planned in schedules])[:, None, None]
        sums, outside = clipped_sums(rows, estimate, radius)
        clipped[:, :, step] = outside / n
        sums = np.broadcast_to(sums, (*cells, width))
        noisy = [
            [
                mechanisms.add_gaussian(
                    sums[i, j], planned_events[step], z[step], 1 / radius[i].item()
                )
                for j, z in enumerate(noise)
            ]
            for i, planned_events in enumerate(events)
        ]
        estimate = np.array(noisy) * (radius / n)
        norms[:, :, step] = _lengths(estimate)[:, :, 0]
    return estimate, clipped, norms


def clipped_sums(
    rows: Rows, centres: np.ndarray, radius: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Sums of the rows, each pulled to within ``radius`` (plans, 1, 1) of a centre, for all centres
    (plans, seeds, width): one replaced record moves them by 2 radius at most.

    Returns:
        (plans, seeds, width) float64, exact multiples of ``mechanisms.FINE``, and how many records
        were pulled, (plans, seeds).
    """
    centres = on_grid(centres)
    # no record is beyond a radius that its way to the mean and the mean's to the centre do not use
    # up
    slack = radius * (1 - ROUNDING) - _lengths(rows.mean - centres)
    far_rows = np.flatnonzero(rows.away > slack.min())
    pulled, outside = _pulled(rows.x, far_rows, centres, radius)
    return rows.total + pulled, outside


def _pulled(
    x: np.ndarray, far_rows: np.ndarray, centres: np.ndarray, radius: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """How far the pull to within a plan's ``radius`` (plans, 1, 1) of ``centres`` (plans, seeds,
    width) moves the sum of x.

    Only the rows ``far`` of x (n, width) are looked at. Distances come from ||x||^2 - 2 x.c +
    ||c||^2 and what is taken off from the factors: two products for all cells, exact in float64.

    Returns:
        (plans, seeds, width), and of how many records, (plans, seeds).
    """
    c = centres.reshape(-1, x.shape[1])
    taken, outside = np.zeros(c.shape), np.zeros(len(c))
    radii = np.broadcast_to(radius, (*centres.shape[:2], 1)).reshape(-1, 1)
    for part in blocks(len(far_rows), x.shape[1]):
        rows = x[far_rows[part]].astype(np.float64)
        squared_distances = c @ rows.T
        squared_distances *= -2
        squared_distances += np.einsum("ij,ij->i", rows, rows)
        squared_distances += np.einsum("ij,ij->i", c, c)[:, None]
        factor = np.minimum(radii / np.sqrt(np.maximum(squared_distances, 1e-30)) * ROUND_DOWN, 1)
        factor_loss = np.floor(factor * 2.0**FACTOR_BITS) / 2.0**FACTOR_BITS - 1
        taken += factor_loss @ rows - factor_loss.sum(axis=1, keepdims=True) * c
        outside += (factor_loss < 0).sum(axis=1)
    return taken.reshape(centres.shape), outside.reshape(centres.shape[:2])


# --------------------------------------------------------------------------------- the form of DPPL


def events(mu: float) -> dict[str, Gaussian]:
    """A Gaussian release a step, which share mu by SPLIT. A record is replaced, so that in units of
    the clip radius it moves a sum by at most 2.
    """
    return {
        f"step {i + 1}": privacy.gaussian(2.0, mu * math.sqrt(share))
        for i, share in enumerate(SPLIT)
    }


def fit(data: Dataset, plans: list[Plan], seeds: list[mechanisms.Seed]) -> Fit:
    """Private class means for each plan and seed."""
    k, d, classes = plans[0].params["k_pool"], data.x.shape[1], data.classes
    centre, spread = public_scale(data, k)
    shape = (len(SPLIT), classes, d // k)
    noise = [mechanisms.standard_normal(seed, NOISE_LABEL, shape) for seed in seeds]
    gaussians = [[p.gaussian(name) for name in p.events] for p in plans]
    by_size = [{n: schedule(d // k, n, p) for n in set(data.counts)} for p in plans]
    schedules = [[schedule_of[n] for n in data.counts] for schedule_of in by_size]
    parts = []
    for c in range(classes):  # one class at a time: large sets need no second copy
        rows, planned = class_rows(data, c, k), [steps[c] for steps in schedules]
        class_noise = [[step[c] for step in z] for z in noise]
        parts.append(estimates(rows, planned, gaussians, class_noise))
    means, clipped, norms = (np.stack(values, axis=2) for values in zip(*parts, strict=True))
    means = means * spread + centre
    releases = [[pooled_release(cell, k, d) for cell in row] for row in means]
    return Fit(releases, {"schedules": schedules, "clipped": clipped, "norms": norms})


def queries(plan: Plan) -> dict[str, Query]:
    """Of each step the sums of rows pulled towards a centre."""
    return {
        name: Query(partial(_pulled_sums, step), _centres) for step, name in enumerate(plan.events)
    }


def _pulled_sums(step: int, data: Dataset, plan: Plan, centres: np.ndarray) -> np.ndarray:
    """What a step of CoinPress adds noise to, in units of each class's clip radius: (1, C, d //
    k_pool) float64.
    """
    k = plan.params["k_pool"]
    sums = []
    for c, (n, centre) in enumerate(zip(data.counts, centres, strict=True)):
        clip = schedule(centres.shape[1], n, plan)[step]["clip"]
        pulled, _ = clipped_sums(
            class_rows(data, c, k), centre[None, None], np.full((1, 1, 1), clip)
        )
        sums.append(pulled[0, 0] / clip)
    return np.stack(sums)[None]


def _centres(data: Dataset, plan: Plan, rng: np.random.Generator) -> list[np.ndarray]:
    """Where a step of CoinPress may stand, (C, d // k_pool) each: at its start, near, astray."""
    shape = (data.classes, data.x.shape[1] // plan.params["k_pool"])
    near = rng.uniform(-1, 1, shape)
    return [np.zeros(shape), near, 1e5 * near]


def audit_case() -> AuditCase:
    """A record far outside the clip ball replaced by its mirror image, among 20 at the centre."""
    public = [[1.0, 0.0]] * 98 + [[0.0, 1.0], [0.0, -1.0]]
    rest, labels = [[1.0, 0.0]] * 20, [0] * 21 + [1]
    side = [[0.5, 0.866]], [[0.5, -0.866]]
    more, less = (records([*s, *rest, [1.0, 0.0]], labels, public) for s in side)
    return AuditCase(
        {"form": "coinpress"},
        more,
        less,
        lambda release, _: float(release.weights[0, 1]),
        share=0.5,
    )


def event_case() -> EventCase:
    """A record that all steps pull in, replaced by its opposite, among others at the centre."""
    # one public record in 25 has a length, so that private ones lie seven spreads away
    public = [[0.0, 0.0]] * 96 + CROSS
    centre, labels = [[0.0, 0.0]] * 20, [0, 1] * 10
    more, less = (
        records([*centre, end], [*labels, 1], public) for end in ([0.6, 0.8], [-0.6, -0.8])
    )
    return EventCase({"form": "coinpress"}, more, less, tuple(events(1.0)), Budget(8.0, "zcdp"))
