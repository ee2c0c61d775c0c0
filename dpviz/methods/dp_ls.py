"""DP-LS: least squares for each class from noisy second moments, in one shot.

Defaults were chosen by looking at the default data; that look is not paid for.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from dpviz import mechanisms, privacy
from dpviz.machine.threads import map_blocks
from dpviz.methods.components import covariance
from dpviz.methods.components.covariance import (
    CLIP,
    LARGEST,
    NOISE_RIDGE,
    allow,
    bounded,
    eigen,
    gram,
    project_psd,
    shrunk,
    solve_definite,
    whole,
)
from dpviz.methods.components.privacy_unit import (
    PrivacyUnits,
    gaussian,
    moment_norm,
    row_norms,
    squared_mu,
)
from dpviz.methods.components.worst_neighbours import first_weight, one_more, records
from dpviz.types.audit_case import AuditCase, EventCase
from dpviz.types.budget import Budget
from dpviz.types.dataset import Dataset, Sizes
from dpviz.types.guarantee import Plan
from dpviz.types.line_style import PINK, LineStyle
from dpviz.types.method import Losses, Method, Param, Query
from dpviz.types.release import Fit, Release

KEY = "dp-ls"
SOURCE = f"{covariance.SOURCE}, Algorithm 3 (DP-LS)"
ALPHA = Param(
    "alpha",
    "α",
    "Weight of the second moments of all classes relative to each class's own.",
    2.0,
    0.0,
    1e3,
    0.1,
)
RIDGE = dataclasses.replace(
    covariance.RIDGE,
    help="Added to the diagonal, in units of R². The paper's 3e-4 at R = 0.005 corresponds to 12.",
    default=1.0,
)
PROJECT = Param(
    "project",
    "PSD correction",
    "Projection onto positive semidefinite matrices. shared: the moments of all classes, and a"
    " class's own only if their noise exceeds the ridge. all: every class's own, as in the paper;"
    " many times slower.",
    "shared",
    choices=("shared", "all"),
)
NOISE_RIDGE = dataclasses.replace(
    NOISE_RIDGE, default=2.0
)  # 4 gains where classes are balanced, and costs small ones more
OUTWEIGHS = 1.5
"""Ridge in units of sd sqrt(d) that outweighs the noise of a class's moments, whose eigenvalues lie
within sqrt(2) of them.
"""
MAX_SINGLE_CONDITION = 1e4
"""Trace over ridge, above any condition number, up to which float32 solves to well below the noise
in the matrix.
"""


def plan(sizes: Sizes, budget: Budget, params: Mapping[str, Any]) -> Plan:
    """Three releases with equal noise multipliers: class moments, all moments, class sums.

    Class moments and class sums are parallel over classes. One record moves a second moment by x
    x^T, of Frobenius norm at most R^2, and a sum by at most R.
    """
    allow(KEY, sizes.d)
    mu, radius = privacy.mu_for(budget) / math.sqrt(3), params["clip"]
    events = {
        "all moments": privacy.gaussian(radius**2, mu),
        "class moments": privacy.gaussian(radius**2, mu),
        "class sums": privacy.gaussian(radius, mu),
    }
    return privacy.make_plan(KEY, params, budget, events, source=SOURCE)


def fit(data: Dataset, plans: list[Plan], seeds: list[mechanisms.Seed]) -> Fit:
    """theta_c = (A_c + alpha G + lambda I)^-1 b_c for each class, plan and seed. O(n d^2 + cells C
    d^3).

    Class moments are taken once for all cells, and their sum is that of all records; symmetric
    matrices are kept as packed lower triangles until they are solved: C d^2 / 2 numbers.

    Guarantee: mu-GDP with mu^2 = s_0^-2 + s_1^-2 + s_2^-2 under add/remove; noise is independent
    for each class, without which the classes would not compose in parallel.
    """
    d, classes = data.x.shape[1], range(data.classes)
    moments, sums = _class_sums(data)
    total = sum(moments, np.zeros_like(moments[0]))
    noise = [mechanisms.packed_symmetric(seed, f"{KEY} all moments", d) for seed in seeds]
    cells = [(i, j) for j in range(len(seeds)) for i in range(len(plans))]
    matrices = map_blocks(lambda cell: _shared(total, plans[cell[0]], noise[cell[1]], d), cells)
    shared = dict(zip(cells, matrices, strict=True))
    columns = map_blocks(
        lambda c: _class_columns(moments[c], sums[c], c, plans, seeds, shared), classes
    )
    bias = np.zeros(data.classes, np.float32)

    def release(i: int, j: int) -> Release:
        return Release(np.stack([column[i, j] for column in columns]).astype(np.float32), bias)

    return Fit([[release(i, j) for j in range(len(seeds))] for i in range(len(plans))])


def _class_sums(data: Dataset) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Second moments of each class, packed, in units of R^2, and the sum of its records (d,), in
    units of R: exact. Features have norm 1 or 0, and R is at most 1, so that clipping multiplies
    them by R.
    """
    unit = mechanisms.unit_rows(data.x)

    def one_class(c: int) -> tuple[np.ndarray, np.ndarray]:
        rows = unit[data.y == c]
        return mechanisms.pack_lower(gram(rows)), rows.sum(axis=0, dtype=np.float64)

    moments, sums = zip(*map_blocks(one_class, range(data.classes)), strict=True)
    return list(moments), list(sums)


def _shared(total: np.ndarray, plan: Plan, unit_noise: mechanisms.UnitNoise, d: int) -> np.ndarray:
    """alpha G + lambda I of one cell, packed, G noisy and PSD; total and noise are packed."""
    event = plan.gaussian("all moments")
    noisy = mechanisms.add_gaussian(total, event, unit_noise, plan.params["clip"] ** 2)
    psd = noisy if event.sigma == 0 else _project(noisy, d)
    psd *= plan.params["alpha"]
    psd[mechanisms.packed_diagonal(d)] += penalty(plan, d)
    return psd


def _project(packed: np.ndarray, d: int) -> np.ndarray:
    """Nearest PSD matrix, packed as it came."""
    return mechanisms.pack_lower(project_psd(mechanisms.unpack_lower(packed, d)))


def _class_columns(
    moments: np.ndarray,
    sums: np.ndarray,
    c: int,
    plans: list[Plan],
    seeds: list[mechanisms.Seed],
    shared: Mapping,
) -> dict:
    """theta_c of every cell from the packed moments and the sum (d,) of class c."""
    d, columns = len(sums), {}
    for j, seed in enumerate(seeds):
        square = mechanisms.packed_symmetric(seed, f"{KEY} moments of class {c}", d)
        line = mechanisms.standard_normal(seed, f"{KEY} sum of class {c}", (d,))
        for i, plan in enumerate(plans):
            clip, one, other = (
                plan.params["clip"],
                plan.gaussian("class moments"),
                plan.gaussian("class sums"),
            )
            noisy = mechanisms.add_gaussian(moments, one, square, clip**2)
            right = mechanisms.add_gaussian(sums, other, line, clip)
            columns[i, j] = bounded(_solve(noisy, shared[i, j], right, plan))
    return columns


def _solve(noisy: np.ndarray, shared: np.ndarray, right: np.ndarray, plan: Plan) -> np.ndarray:
    """(A_c + alpha G + lambda I)^-1 b_c from noisy A_c, overwritten, which is projected where the
    plan asks for it or has to.

    A sum that is barely positive definite has a solution, and a useless one: what decides is the
    plan, which knows ridge and noise. Either way this is post-processing.
    """
    d, min_ridge = len(right), penalty(plan, len(right))
    if _unprojected(plan, d):
        noisy += shared  # in place: fresh memory is what takes time
        trace = noisy[mechanisms.packed_diagonal(d)].sum()  # of what is released
        noise = plan.gaussian("class moments").sigma
        dtype = (
            np.float32
            if noise and trace <= min(MAX_SINGLE_CONDITION * min_ridge, LARGEST)
            else np.float64
        )
        solution = solve_definite(mechanisms.unpack_lower(noisy, d, dtype), right)
        if solution is not None:
            return solution
        noisy -= shared
    lower = mechanisms.unpack_lower(_project(noisy, d) + shared, d)
    solution = solve_definite(lower.copy(), right)
    if solution is None:
        values, vectors = eigen(lower, np.float64)
        solution = shrunk((values - min_ridge, vectors), min_ridge, right[None])[0]
    return solution


def _unprojected(plan: Plan, d: int) -> bool:
    """Whether a class's own moments may stay as they are: without noise, or with a ridge that
    outweighs it.
    """
    sigma = plan.gaussian("class moments").sigma
    return sigma == 0 or (
        plan.params["project"] == "shared" and penalty(plan, d) >= OUTWEIGHS * sigma * math.sqrt(d)
    )


def penalty(plan: Plan, d: int) -> float:
    """lambda of a plan: ``ridge`` R^2 plus ``noise_ridge`` times the size sigma sqrt(d) of the
    noise.
    """
    params = plan.params
    noise = plan.gaussian("class moments").sigma * math.sqrt(d)
    return params["ridge"] * params["clip"] ** 2 + params["noise_ridge"] * noise


# ----------------------------------------------------- queries, losses of records, audit cases


def queries(plan: Plan) -> dict[str, Query]:
    """Second moments of all records and of each class as whole matrices, and the class sums."""

    def moments(data: Dataset) -> np.ndarray:
        return np.stack([whole(packed, data.x.shape[1]) for packed in _class_sums(data)[0]])

    def square(plan: Plan) -> float:
        return plan.params["clip"] ** 2

    return {
        "all moments": Query(lambda data, *_: moments(data).sum(axis=0)[None], scale=square),
        "class moments": Query(lambda data, *_: moments(data)[None], scale=square),
        "class sums": Query(
            lambda data, *_: np.stack(_class_sums(data)[1])[None],
            scale=lambda plan: plan.params["clip"],
        ),
    }


def losses(data: Dataset, plan: Plan, seed: int) -> Losses:
    """Two second moments, moved by ||x_i x_i^T||_F = ||x_i||^2 each, and a sum moved by ||x_i||; by
    a person as far as the sum of these.
    """
    unit, clip, units = (
        mechanisms.unit_rows(data.x),
        plan.params["clip"],
        PrivacyUnits.from_dataset(data, plan),
    )
    length = row_norms(unit)
    square = (clip * length) ** 2

    def moment(rows: np.ndarray) -> float:
        return clip**2 * moment_norm(unit[rows])

    def summed(rows: np.ndarray) -> float:
        return clip * float(np.linalg.norm(unit[rows].astype(np.float64).sum(axis=0)))

    moved = {
        "all moments": units.map_units(square, moment),
        "class moments": units.by_class(square, data.y, moment),
        "class sums": units.by_class(clip * length, data.y, summed),
    }
    squared = (squared_mu(norms, plan.gaussian(name)) for name, norms in moved.items())
    return gaussian(sum(squared, np.zeros(units.count)), plan)


def _case() -> AuditCase:
    """A record against 200 opposite ones: the second moment it adds and the sum it takes both
    shrink the weight.
    """
    base, labels = [[-1.0]] * 200 + [[0.0]], [0] * 200 + [1]
    params = {"ridge": 1e-6, "noise_ridge": 0.0, "alpha": 0.0}
    more, less = records([*base, [1.0]], [*labels, 0]), records(base, labels)
    return AuditCase(params, more, less, first_weight, share=0.5)


def _event_case() -> EventCase:
    """One more record, along neither axis: it moves every number of its class and of the whole."""
    base, labels = [[1.0, 0.0], [0.0, 1.0]] * 2, [0, 1] * 2
    more, less = one_more(base, labels)
    return EventCase({"clip": 0.5}, more, less, ("all moments", "class moments", "class sums"))


METHOD = Method(
    key=KEY,
    title="DP-LS",
    source=SOURCE,
    summary="Least-squares classifier solved once from noisy sums and second moments.",
    params=(CLIP, ALPHA, RIDGE, NOISE_RIDGE, PROJECT),
    plan=plan,
    fit=fit,
    line_style=LineStyle(PINK, "dash", "pentagon"),
    losses=losses,
    queries=queries,
    cases=lambda: [_case()],
    event_cases=lambda: [_event_case()],
)
