"""DPPL-Mean: a private mean of each class's features. As a sum, as printed, and CoinPress."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from dpviz import mechanisms, privacy
from dpviz.machine.threads import one_numeric_thread
from dpviz.methods.parts.prototypes import (
    cosine_release,
    pool,
    public_scale,
    quick_unit_rows,
    require_public,
    unpool,
)
from dpviz.methods.parts.record_losses import gaussian, row_norms, squared_mu
from dpviz.methods.parts.row_blocks import blocks, made
from dpviz.methods.parts.worst_neighbours import first_weight, records
from dpviz.types.audit_case import AuditCase
from dpviz.types.checks import DpvizError
from dpviz.types.dataset import Dataset, Sizes, unit_rows
from dpviz.types.guarantee import Budget, Plan
from dpviz.types.look import BLUE, Look
from dpviz.types.method import Losses, Method, Param
from dpviz.types.release import Fit, Release

KEY = "dppl-mean"
COINPRESS_SPLIT = (5 / 64, 7 / 64, 52 / 64)
ROUNDING = 1e-5
"""Share of a distance that float32 may be off by, and more."""
SOURCES = {
    "sum": "DPPL (AAAI 2025), Eq. 1, as a sum: Gaussian mechanism, parallel over classes",
    "printed": "DPPL (AAAI 2025), Eq. 1 as printed",
    "coinpress": "DPPL (first version) with CoinPress, Biswas et al. 2020",
}
FORM = Param(
    "form",
    "Form of the mean",
    "sum: noise on the class sum. printed: the paper's mean, class counts public. coinpress: three"
    " shrinking clips, class counts public.",
    "sum",
    choices=tuple(SOURCES),
)
K_POOL = Param(
    "k_pool",
    "k_pool",
    "Average this many neighbouring coordinates first: less noise, less signal.",
    1,
    1,
    64,
    1,
)
CLIP = Param(
    "clip",
    "Clip norm r",
    "Features are scaled to norm 1, then clipped to this norm (times 1/√k_pool).",
    1.0,
    0.01,
    1.0,
    0.05,
)


# --------------------------------------------------------------------------------------------- plan


def plan(sizes: Sizes, budget: Budget, params: Mapping[str, Any]) -> Plan:
    """Noise of each form; only the printed form and CoinPress use class counts, and say so."""
    if params["k_pool"] > sizes.d:
        raise DpvizError(
            f"k_pool is {params['k_pool']} and the features have {sizes.d} coordinates; use at most"
            f" {sizes.d}."
        )
    form, mu = params["form"], privacy.mu_for(budget)
    if form != "sum" and min(sizes.counts) < 1:
        raise DpvizError(
            f"The {form} form divides by class counts and a class has no record; use form=sum."
        )
    common: dict[str, Any] = {"source": SOURCES[form]}
    if form != "sum":
        common |= {"adjacency": privacy.REPLACE_IN_CLASS, "public": "the encoder, the class counts"}
    if form == "coinpress":
        require_public("form=coinpress", sizes.public)
        common["public"] += ", mean and spread of the public set"
        events = {
            f"step {i + 1}": privacy.gaussian(2.0, mu * math.sqrt(s))
            for i, s in enumerate(COINPRESS_SPLIT)
        }
        return privacy.make_plan(KEY, params, budget, events, **common)
    radius = params["clip"] / math.sqrt(params["k_pool"])
    # printed: one record replaced moves n_c times the mean by up to 2r, and n_c is public
    sensitivity = radius if form == "sum" else 2 * radius
    return privacy.make_plan(
        KEY, params, budget, {form: privacy.gaussian(sensitivity, mu)}, **common
    )


def coinpress_schedule(
    d: int, n: int, plan: Plan, start: float | None = None
) -> list[dict[str, float]]:
    """Radius, clip radius and noise of each CoinPress step for one class; no record is read.

    Args:
        d: dimension after pooling; n: records of the class (public here); start: first radius,
            sqrt(d).

    Returns:
        One dict a step: ``r`` (radius of the ball known to hold the mean), ``clip`` (radius R about
        the centre), ``sd`` (noise on the mean), ``r_next``, ``gamma``.

    Source: Biswas et al. 2020, Algorithm 1, with failure probability 1/100 a step.
    """
    log_inverse_beta = math.log(100)
    gamma = math.sqrt(d + 2 * math.sqrt(d * log_inverse_beta) + 2 * log_inverse_beta)
    r = math.sqrt(d) if start is None else start
    steps = []
    for event in map(plan.gaussian, plan.events):
        clip = min(math.sqrt(r * r + 6 * r + gamma * gamma), r + gamma)
        sd = (
            clip / n * event.sigma
        )  # the event is planned for sensitivity 2, the mean's is 2 clip / n
        r_next = gamma * math.sqrt(1 / n + sd * sd)
        steps.append({"r": r, "clip": clip, "sd": sd, "r_next": r_next, "gamma": gamma})
        r = r_next
    return steps


# ---------------------------------------------------------------------------------------------- fit


def fit(data: Dataset, plans: list[Plan], seeds: list[int]) -> Fit:
    """Private class means for each plan and seed.

    Guarantee: mu-GDP (rho = mu^2/2) under add/remove for the sum form; under replace-within-class
    with class counts public for the others.
    """
    one_form = _fit_coinpress if plans[0].params["form"] == "coinpress" else _fit_sums
    with one_numeric_thread():
        return one_form(data, plans, seeds)


def _fit_sums(data: Dataset, plans: list[Plan], seeds: list[int]) -> Fit:
    form, k = plans[0].params["form"], plans[0].params["k_pool"]
    sums = mechanisms.class_sums(clipped(data, plans[0].params), data.y, data.classes)
    # the printed form's division by n_c does not move the cosine rule, so both forms share this
    # line
    noise = [mechanisms.standard_normal(seed, KEY, sums.shape) for seed in seeds]
    d = data.x.shape[1]
    releases = [
        [_release(mechanisms.add_gaussian(sums, p.gaussian(form), z), k, d) for z in noise]
        for p in plans
    ]
    return Fit(releases, {"sums": sums})


def clipped(data: Dataset, params: Mapping[str, Any]) -> np.ndarray:
    """What each record adds to its class's sum: (n, d // k_pool) float32."""
    k = params.get("k_pool", 1)
    return mechanisms.clip_rows(pool(unit_rows(data.x), k), params["clip"] / math.sqrt(k))


def _release(prototypes: np.ndarray, k: int, d: int) -> Release:
    release = cosine_release(prototypes)
    if k == 1:
        return release
    unit = prototypes / np.maximum(np.linalg.norm(prototypes, axis=1, keepdims=True), 1e-30)
    return Release(unpool(unit, k, d).astype(np.float32), release.bias, normalise=False)


def _fit_coinpress(data: Dataset, plans: list[Plan], seeds: list[int]) -> Fit:
    k, d, classes = plans[0].params["k_pool"], data.x.shape[1], data.classes
    centre, spread = public_scale(data, k)
    width, steps = d // k, len(COINPRESS_SPLIT)
    noise = np.stack(
        [mechanisms.standard_normal(seed, KEY, (steps, classes, width)) for seed in seeds]
    )
    by_size = [{n: coinpress_schedule(width, n, p) for n in set(data.counts)} for p in plans]
    schedules = [[known[n] for n in data.counts] for known in by_size]
    shape = (len(plans), len(seeds), classes)
    means, clipped, norms = (
        np.empty((*shape, width)),
        np.zeros((*shape, steps)),
        np.zeros((*shape, steps)),
    )

    def standardised(x: np.ndarray) -> np.ndarray:
        rows = pool(quick_unit_rows(x), k)
        rows -= centre
        rows /= spread
        return rows

    for c in range(classes):  # one class at a time: large sets need no second copy
        rows = made(data.x, np.flatnonzero(data.y == c), width, standardised).numpy()
        mine = [[schedule[c][step] for schedule in schedules] for step in range(steps)]
        means[:, :, c], clipped[:, :, c], norms[:, :, c] = _coinpress(rows, mine, noise[:, :, c])
    means = means * spread + centre
    releases = [[_release(cell, k, d) for cell in row] for row in means]
    return Fit(releases, {"schedules": schedules, "clipped": clipped, "norms": norms})


def _coinpress(
    x: np.ndarray, schedule: list[list[dict[str, float]]], noise: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """One class's estimates for all plans and seeds.

    Args:
        x: (n, width) float32; schedule: ``schedule[step][plan]``; noise: (seeds, steps, width).

    Returns:
        Estimates (plans, seeds, width), and clipped share and norm of each step (plans, seeds,
        steps).
    """
    cells = (len(schedule[0]), len(noise))
    mean, away = _mean_and_away(x)
    estimate = np.zeros((cells[0], 1, x.shape[1]))  # seeds part with the first noise
    clipped, norms = np.zeros((*cells, len(schedule))), np.zeros((*cells, len(schedule)))
    for step, plans in enumerate(schedule):
        radius, sd = np.array([(p["clip"], p["sd"]) for p in plans]).T[:, :, None, None]
        offset = mean - estimate
        # no record is beyond a radius that its way to the mean and the mean's to the estimate do
        # not use up
        far = np.flatnonzero(away > (radius - _lengths(offset)).min())
        pulled, outside = _pulled(x, far, estimate, radius)
        clipped[:, :, step] = outside / len(x)
        estimate = mean + pulled / len(x) + sd * noise[:, step]
        norms[:, :, step] = _lengths(estimate)[:, :, 0]
    return estimate, clipped, norms


def _mean_and_away(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean of x (n, width) float32, (width,) float64, and each row's distance from it, (n,), not
    below the true one.
    """
    parts = blocks(*x.shape)
    mean = sum(np.ones(len(x[part]), np.float32) @ x[part] for part in parts).astype(
        np.float64
    ) / len(x)
    away = np.concatenate([_lengths(x[part] - mean.astype(np.float32))[:, 0] for part in parts])
    return mean, away * (1 + ROUNDING)


def _lengths(x: np.ndarray) -> np.ndarray:
    """Norms along the last axis, which is kept."""
    return np.sqrt(np.einsum("...d,...d->...", x, x))[..., None]


def _pulled(
    x: np.ndarray, far: np.ndarray, centres: np.ndarray, radius: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """How far clipping to a plan's ``radius`` (plans, 1, 1) about ``centres`` (plans, seeds, width)
    moves the sum of x.

    Only the rows ``far`` of x (n, width) are looked at. Distances come from ||x||^2 - 2 x.c +
    ||c||^2 and what is taken
    off from the factors: two products for all cells, in float64, since how a product rounds depends
        on how many they are.

    Returns:
        (plans, seeds, width), and of how many records, (plans, seeds).
    """
    c, taken = (
        centres.reshape(-1, x.shape[1]),
        np.zeros((centres.shape[0] * centres.shape[1], x.shape[1])),
    )
    radii, outside = (
        np.broadcast_to(radius, (*centres.shape[:2], 1)).reshape(-1, 1),
        np.zeros(len(c)),
    )
    for part in blocks(len(far), x.shape[1]):
        rows = x[far[part]].astype(np.float64)
        apart = c @ rows.T
        apart *= -2
        apart += np.einsum("ij,ij->i", rows, rows)
        apart += np.einsum("ij,ij->i", c, c)[:, None]
        less = np.minimum(radii / np.sqrt(np.maximum(apart, 1e-30)), 1) - 1
        taken += less @ rows - less.sum(axis=1, keepdims=True) * c
        outside += (less < 0).sum(axis=1)
    return taken.reshape(centres.shape), outside.reshape(centres.shape[:2])


# ----------------------------------------------------------------- losses of records, audit cases


def losses(data: Dataset, plan: Plan, seed: int) -> Losses:
    """mu_i = ||clip(pool(x_i))|| / sigma for the sum.

    The printed form's neighbour has record i replaced; the worst replacement points the other way
    with the largest norm there is, r, so the contribution is ||clip(pool(x_i))|| + r.
    """
    (form,) = plan.events
    event = plan.gaussian(form)
    radius = 0.0 if form == "sum" else event.sensitivity / 2
    return gaussian(squared_mu(row_norms(clipped(data, plan.params)) + radius, event), plan)


def why_no_losses(params: Mapping[str, Any]) -> str | None:
    """Why there is no formula: for CoinPress."""
    if params["form"] != "coinpress":
        return None
    return (
        "CoinPress has no exact loss per record: it hides replacing one, and no replacement is"
        " worst for all of its steps."
    )


def sum_case(params: Mapping[str, Any], public: list | None = None) -> AuditCase:
    """One more record, across ten others, so that the direction of the sum tells how far it was
    moved.
    """
    base, labels = [[0.0, 1.0]] * 10 + [[1.0, 0.0]], [0] * 10 + [1]
    more = records([*base, [1.0, 0.0]], [*labels, 0], public)
    return AuditCase(params, more, records(base, labels, public), first_weight)


def _printed_case() -> AuditCase:
    """A record replaced by its opposite, across ten others."""
    rest, labels = [[0.0, 1.0]] * 10 + [[1.0, 0.0]], [0] * 11 + [1]
    more, less = (records([[side, 0.0], *rest], labels) for side in (1.0, -1.0))
    return AuditCase({"form": "printed"}, more, less, first_weight)


def _coinpress_case() -> AuditCase:
    """A record far outside the clip ball replaced by its mirror image, among 20 at the centre."""
    public = [[1.0, 0.0]] * 98 + [[0.0, 1.0], [0.0, -1.0]]
    rest, labels = [[1.0, 0.0]] * 20, [0] * 21 + [1]
    side = [[0.5, 0.866]], [[0.5, -0.866]]
    more, less = (records([*s, *rest, [1.0, 0.0]], labels, public) for s in side)
    return AuditCase(
        {"form": "coinpress"}, more, less, lambda r, _: float(r.weights[0, 1]), share=0.5
    )


METHOD = Method(
    key=KEY,
    title="DPPL-Mean",
    source=SOURCES["sum"],
    summary=(
        "Each class is the average of its records plus just enough noise to hide any one of them."
    ),
    params=(FORM, K_POOL, CLIP),
    plan=plan,
    fit=fit,
    look=Look(BLUE, "solid", "circle"),
    losses=losses,
    why_no_losses=why_no_losses,
    cases=lambda: [sum_case({}), _printed_case(), _coinpress_case()],
)
