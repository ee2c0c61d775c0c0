"""The formulas of ``per_instance``: what one realised run tells about each record, method by
method.

Each reruns the method with the plan's noise and the seed's draws, and looks at what it sums before
the noise.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
import torch
from scipy.special import log_ndtr

from dpviz import mechanisms, privacy
from dpviz.machine.threads import map_blocks
from dpviz.methods import adamix, dp_fc, dp_newton, dppl_auto, global_adapt, noisy_gd, projected
from dpviz.methods.parts import covariance, mixed_gradients
from dpviz.methods.parts.prototypes import pool, utilities
from dpviz.methods.parts.tiles import TILE
from dpviz.types import Dataset, Exponential, Gaussian, Plan, unit_rows

ROUNDING = 1e-6
"""Relative: a contribution this little above the bound is at the bound, clipped in single
precision.
"""

SINGLE = 1e-5
"""Error of ln(Z / Z_-i) in single precision, with room to spare: relative for small ones."""

Losses = tuple[np.ndarray, np.ndarray]
"""epsilon (n,) in the notion of the method's claim, and rho (n,), both float64."""


# --------------------------------------------------------------------------------- many conversions


def gdp_epsilons(mu: np.ndarray, delta: float) -> np.ndarray:
    """Exact epsilon at ``delta`` of mu-GDP for each of mu (n,), rounded up; ``privacy.gdp_epsilon``
    for many.

    Source: Balle & Wang 2018: delta(eps) = Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu), by
        bisection.
    """
    values, where = np.unique(np.asarray(mu, float), return_inverse=True)
    low, high = np.zeros(len(values)), values**2 / 2 + values * math.sqrt(2 * math.log(1 / delta))
    high[_log_delta(values, low) <= math.log(delta)] = 0.0
    for _ in range(60):
        middle = (low + high) / 2
        above = _log_delta(values, middle) > math.log(delta)
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return high[where]


def _log_delta(mu: np.ndarray, epsilon: np.ndarray) -> np.ndarray:
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        one = log_ndtr(mu / 2 - epsilon / mu)
        ratio = epsilon + log_ndtr(-mu / 2 - epsilon / mu) - one
        return np.where(mu == 0, -math.inf, one + np.log(-np.expm1(np.minimum(ratio, 0.0))))


ORDERS = 1 + np.geomspace(1e-4, 1e7, 3000)


def zcdp_epsilons(rho: np.ndarray, delta: float) -> np.ndarray:
    """Epsilon at ``delta`` of each of rho (n,), rounded up, by the conversion of
    ``privacy.zcdp_epsilon``.

    Any order of the Rényi curve gives a valid epsilon, so the best of a grid is one.

    Source: Canonne, Kamath & Steinke 2020, Proposition 12.
    """
    values, where = np.unique(np.asarray(rho, float), return_inverse=True)
    offset = np.log1p(-1 / ORDERS) - (math.log(delta) + np.log(ORDERS)) / (ORDERS - 1)
    best = np.array([np.min(value * ORDERS + offset) for value in values])
    return np.clip(best, 0.0, privacy.zcdp_epsilon(float(values[-1]), delta))[where]


# --------------------------------------------------------------------------------- Gaussian methods


def _gaussian(mu_squared: np.ndarray, plan: Plan) -> Losses:
    return gdp_epsilons(np.sqrt(mu_squared), plan.guarantee.delta), mu_squared / 2


def _share(norms: np.ndarray, event: Gaussian) -> np.ndarray:
    """mu_i^2 of one release to which the records contribute vectors of these norms (n,)."""
    bound = event.sensitivity
    at_bound = (norms > bound) & (norms <= bound * (1 + ROUNDING))
    return (np.where(at_bound, bound, norms) / event.sigma) ** 2


def _norms(x: np.ndarray | torch.Tensor) -> np.ndarray:
    """L2 norm of each row of x (n, d), float64."""
    return np.linalg.norm(np.asarray(x, np.float64), axis=1)


def _columns(residual: torch.Tensor) -> np.ndarray:
    """L2 norm of each record's column of a residual (1, C, n), float64."""
    return residual[0].double().square().sum(0).sqrt().numpy()


def _mean_parts(data: Dataset, params: Mapping[str, Any]) -> np.ndarray:
    k = params.get("k_pool", 1)
    return mechanisms.clip_rows(pool(unit_rows(data.x), k), params["clip"] / math.sqrt(k))


def _dppl_mean(data: Dataset, plan: Plan, seed: int) -> Losses:
    """mu_i = ||clip(pool(x_i))|| / sigma for the sum.

    The printed form's neighbour has record i replaced; the worst replacement points the other way
    with the largest norm there is, r, so the contribution is ||clip(pool(x_i))|| + r.
    """
    (form,) = plan.events
    radius = 0.0 if form == "sum" else plan.events[form].sensitivity / 2
    return _gaussian(
        _share(_norms(_mean_parts(data, plan.params)) + radius, plan.events[form]), plan
    )


def _noisy_gd(data: Dataset, plan: Plan, seed: int) -> Losses:
    """mu_i^2 = sum over steps of (||clip(g_i)|| / sigma)^2 with g_i = x_i (p_i - e_y)^T."""
    problem, event, params = noisy_gd.Problem.of(data), plan.events["gradients"], plan.params
    total, length = np.zeros(len(data.y)), _norms(problem.x)

    def watch(residual: torch.Tensor) -> None:
        total[:] += _share(_columns(residual) * length, event)

    noisy_gd.descend(problem, [event], [seed], params["lr"], params["clip"], watch)
    return _gaussian(total, plan)


def _global_adapt(data: Dataset, plan: Plan, seed: int) -> Losses:
    """As the linear probe with scaled gradients, plus 1 / sigma_b^2 for each step that counts the
    record.
    """
    problem, events = noisy_gd.Problem.of(data), plan.events
    total, length = np.zeros(len(data.y)), _norms(problem.x)

    def watch(residual: torch.Tensor, counted: torch.Tensor) -> None:
        total[:] += _share(_columns(residual) * length, events["gradients"])
        total[:] += _share(counted[0, 0].double().numpy(), events["count"])

    global_adapt.descend(problem, [plan], [seed], watch)
    return _gaussian(total, plan)


def _dp_ls(data: Dataset, plan: Plan, seed: int) -> Losses:
    """Two second moments, moved by ||x_i x_i^T||_F = ||x_i||^2 each, and a sum moved by ||x_i||."""
    length = _norms(mechanisms.clip_rows(unit_rows(data.x), plan.params["clip"]))
    moved = {"all moments": length**2, "class moments": length**2, "class sums": length}
    return _gaussian(sum(_share(norms, plan.events[name]) for name, norms in moved.items()), plan)


def _dp_newton(data: Dataset, plan: Plan, seed: int) -> Losses:
    """Per step ||x_i||^2 sum_c (p_ic - y_ic)^2 / s_g^2 + ||x_i||^4 sum_c (p_ic (1 - p_ic))^2 /
    s_h^2.
    """
    x = torch.from_numpy(mechanisms.clip_rows(unit_rows(data.x), plan.params["clip"]))
    (first,) = map_blocks(lambda z: covariance.gram(z) / 4, [x])
    length, events = _norms(x), plan.events

    def one_class(c: int) -> np.ndarray:
        label = (data.y == c).astype(np.float32)
        shares = np.zeros(len(label))

        def watch(p: torch.Tensor) -> None:
            p = p.double().numpy()
            shares[:] += (length * (p - label) / events["gradients"].sigma) ** 2
            shares[:] += (length**2 * p * (1 - p) / events["hessians"].sigma) ** 2

        dp_newton.descend(x, torch.from_numpy(label), plan, seed, c, first, watch)
        return shares

    return _gaussian(np.sum(map_blocks(one_class, range(data.classes)), axis=0), plan)


def _dp_fc(data: Dataset, plan: Plan, seed: int) -> Losses:
    """||x_i||^2 in the second moment once, and a clipped gradient a step."""
    x = torch.from_numpy(unit_rows(data.x))
    onehot = torch.from_numpy(np.eye(data.classes, dtype=np.float32)[data.y])
    (moments,) = map_blocks(covariance.gram, [x])
    length = _norms(x)
    total = _share(length**2, plan.events["moments"])

    def watch(residual: torch.Tensor) -> None:
        total[:] += _share(_norms(residual) * length, plan.events["gradients"])

    dp_fc.descend(x, onehot, moments, plan, seed, watch)
    return _gaussian(total, plan)


def _adamix(data: Dataset, plan: Plan, seed: int) -> Losses:
    """mu_i^2 = sum over steps of (||clip(g_i) U_t|| / (sigma tau_t))^2, with ||g_i U|| = |p_i -
    e_y| ||U^T x_i||.
    """
    task, event = adamix.prepare(data, plan.params), plan.events["gradients"]
    x, n = task.problem.x, len(data.y)
    length, total = _norms(x), np.zeros(len(x))

    def observe(step: mixed_gradients.Step) -> None:
        norms = torch.from_numpy(step.norms)
        clipped = (
            mixed_gradients.clip_factors(norms, step.threshold) * norms
        ).double().numpy() / step.threshold
        seen = length if step.basis is None else _norms(x.numpy() @ step.basis.astype(np.float32))
        total[:] += _share(clipped * seen, event)

    mixed_gradients.descend(task, event, seed, observe)
    return _gaussian(total[:n], plan)  # after them, shots that are treated as private records


# ---------------------------------------------------------------------------------------- selection


def _selection(data: Dataset, plan: Plan, seed: int) -> Losses:
    """epsilon_i = max_j |t c_ij - ln(Z / Z_-i)| and rho_i = (t (max_j c_ij - min_j c_ij))^2 / 8."""
    return _selected(data, plan, plan.events["selection"])


def _selected(data: Dataset, plan: Plan, event: Exponential) -> Losses:
    """The losses of ``_selection`` in single precision, rounded up.

    The log-odds of a choice with and without record i are t c_ij - ln(Z / Z_-i): they lie in an
    interval of length t (max c - min c), hence rho (Cesar & Rogers 2021).
    """
    low, high, shift = _odds(data, plan, event)
    epsilon = np.maximum(high - shift, shift - low) + SINGLE * (
        high if event.epsilon <= 1 else np.maximum(high, 1.0)
    )
    return np.minimum(epsilon, high - low), (high - low) ** 2 / 8


def _odds(
    data: Dataset, plan: Plan, event: Exponential
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Least and largest t c_ij over the public set, and ln(Z / Z_-i), each (n,) float64.

    One pass over tiles of the public set; nothing of size n x m is held. O(n m d).
    """
    window, t = (plan.params["d_min"], plan.params["d_max"]), event.epsilon / event.sensitivity
    # without record i each weight shrinks by e^(-t c): Z_-i / Z is the mean of that under the
    # selection odds
    odds = torch.from_numpy(
        mechanisms.exponential_probabilities(utilities(data, *window), event).astype(np.float32)
    )
    members = [np.flatnonzero(data.y == c) for c in range(data.classes)]
    by_class = [torch.from_numpy(unit_rows(data.x[rows])) for rows in members]
    small = event.epsilon <= 1

    def tile(start: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        columns = torch.from_numpy(unit_rows(data.x_public[start : start + TILE])).T.contiguous()
        parts = [
            _tile_odds(rows, columns, p[start : start + TILE], t, window, small)
            for x, p in zip(by_class, odds, strict=True)
            for rows in x.split(512)
        ]
        return tuple(np.concatenate(values) for values in zip(*parts, strict=True))

    lows, highs, sums = zip(*map_blocks(tile, range(0, len(data.x_public), TILE)), strict=True)
    low, high, total = (
        np.min(lows, axis=0),
        np.max(highs, axis=0),
        np.sum(sums, axis=0, dtype=np.float64),
    )
    with np.errstate(divide="ignore"):
        shift = -np.log1p(total) if small else -np.log(total)
    low, high = (_at_most(t * end.astype(np.float64), event.epsilon) for end in (low, high))
    back = np.argsort(np.concatenate(members), kind="stable")
    return low[back], high[back], np.clip(shift, low, high)[back]


def _tile_odds(
    rows: torch.Tensor,
    columns: torch.Tensor,
    p: torch.Tensor,
    t: float,
    window: tuple[float, float],
    small: bool,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Least and largest score of each row, and the sum of p (e^(-t c) - 1), without the - 1 unless
    ``small``.
    """
    scores = torch.mm(rows, columns).clamp_(window[0] - 1, window[1] - 1).sub_(window[0] - 1)
    low, high = torch.aminmax(scores, dim=1)
    # near 1 the logarithm would lose what e^(-t c) - 1 keeps, near 0 the other way round
    weight = scores.mul_(-t).expm1_() if small else scores.mul_(-t).exp_()
    return low.numpy(), high.numpy(), (weight @ p).numpy()


def _at_most(values: np.ndarray, bound: float) -> np.ndarray:
    return np.where(values <= bound * (1 + ROUNDING), np.minimum(values, bound), values)


def _dppl_auto(data: Dataset, plan: Plan, seed: int) -> Losses:
    """1 / sigma_n^2 for the noisy count, and that of the mechanism which the record's class took.

    As in ``privacy.guarantee``: the choice reads the counts, so each mechanism has its part of
    delta; Gaussian releases compose exactly and a pure one adds, unless zCDP is better.
    """
    mean, public = plan.events["prototype"].events
    delta = plan.guarantee.delta
    choices = dppl_auto.fit(data, [plan], [seed]).trace["choices"][0][0]
    by_mean = np.array([choice == dppl_auto.MEAN for choice, _ in choices])[data.y]
    count = _share(np.ones(len(data.y)), plan.events["counts"])
    squared = count + by_mean * _share(_norms(_mean_parts(data, plan.params)), mean)
    pure, rho = (np.where(by_mean, 0.0, loss) for loss in _selected(data, plan, public))
    rho = rho + squared / 2
    fixed = np.where(by_mean, np.inf, zcdp_epsilons(rho, delta / 2))
    fixed = np.minimum(fixed, pure + gdp_epsilons(np.sqrt(squared), delta / 2))
    return np.minimum(fixed, zcdp_epsilons(rho, delta)), rho


def _projected(
    formula: Callable[[Dataset, Plan, int], Losses], data: Dataset, plan: Plan, seed: int
) -> Losses:
    """The formula on the features that a public map has projected."""
    matrix = projected.projection(
        data.x_public, data.y_public, plan.params["width"], plan.params["episodes"]
    )
    x, x_public = (unit_rows(rows) @ matrix for rows in (data.x, data.x_public))
    key = f"{data.fingerprint}-projected-{plan.params['width']}-{plan.params['episodes']}"
    return formula(dataclasses.replace(data, x=x, x_public=x_public, fingerprint=key), plan, seed)


FORMULAS: dict[str, Callable[[Dataset, Plan, int], Losses]] = {
    "dppl-mean": _dppl_mean,
    "dppl-public": _selection,
    "dppl-publick": _selection,
    "dppl-mean-projected": partial(_projected, _dppl_mean),
    "dppl-public-projected": partial(_projected, _selection),
    "dppl-auto": _dppl_auto,
    "noisy-gd": _noisy_gd,
    "global-adapt": _global_adapt,
    "adamix": _adamix,
    "dp-ls": _dp_ls,
    "dp-newton": _dp_newton,
    "dp-fc": _dp_fc,
}
"""One line a method; a method that is not here has no formula."""
