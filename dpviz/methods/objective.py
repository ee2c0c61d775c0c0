"""Objective perturbation: a logistic regression whose objective gets a random linear term, solved
once.

The multinomial loss with an L2 penalty is minimised; the noise is in the objective, not in each
step, so that nothing is paid for steps and there is no learning rate. The penalty is public.
Defaults were chosen by looking at the default data; that look is not paid for.

The minimiser is found by Newton steps where the Hessian is small, else by L-BFGS. The objective is
ridge-strongly convex, so that a point with gradient g lies within |g| / ridge of the minimiser.
Everything is in float64, whose rounding moves a gradient by less than 1e-9 for a million records,
far below what is asked for. Where neither gets so close, accelerated gradient steps do, of which
sizes and the noise say at most how many are needed (``max_steps``): no data makes the search fail,
which would tell of them.

Source of the accelerated steps: Bubeck 2015, Theorem 3.18.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz import mechanisms, privacy
from dpviz.lazy_imports import optimize
from dpviz.machine.threads import map_blocks
from dpviz.methods.components.clipped_gradients import example_heads
from dpviz.methods.components.worst_neighbours import first_weights_apart, records
from dpviz.types.audit_case import AuditCase, EventCase
from dpviz.types.budget import Budget
from dpviz.types.dataset import Dataset, Sizes
from dpviz.types.guarantee import Minimiser, Plan
from dpviz.types.line_style import FUCHSIA, LineStyle
from dpviz.types.method import Method, Param, Query
from dpviz.types.release import Fit, Release

KEY = "objective"
SOURCE = (
    "Redberg, Koskela & Wang 2023, Algorithm 1 (approximate minimizer); accounting of this"
    " project: dpviz.privacy.objective_perturbation"
)
RIDGE = Param(
    "ridge",
    "Ridge λ",
    "Weight of the squared weights relative to the sum of the losses. Public.",
    0.03,
    1e-4,
    1e4,
    log=True,
)
NOISE_RIDGE = Param(
    "noise_ridge",
    "Noise ridge",
    "Extra ridge, times the standard deviation of the noise.",
    2.0,
    0.05,
    100.0,
    log=True,
)
SMALLEST = 1e-3
"""Norm of a gradient that counts as zero: what is found is at most this over the ridge away."""
BLUR_SHARE = 0.01
"""Of the squared mu, for the noise that hides how far."""


def plan(sizes: Sizes, budget: Budget, params: Mapping[str, Any]) -> Plan:
    """One release, of the minimiser.

    Features have norm 1, so that one record's gradient (p - e_y) x^T has norm sqrt(2) at most, and
    its Hessian (diag p - p p^T) x x^T largest eigenvalue 1/2 and trace 1 - 1/C at most; p - e_y
    lies in a simplex of C corners.
    """

    def event(sigma: float) -> Minimiser:
        ridge = params["ridge"] + params["noise_ridge"] * sigma
        distance, root = SMALLEST / ridge, math.sqrt(2)
        blur = 2 * distance * sigma / (root * math.sqrt(BLUR_SHARE))
        classes = sizes.classes
        return Minimiser(
            root, sigma, ridge, 0.5, 1 - 1 / classes, math.log(classes), distance, blur
        )

    events = {"minimiser": privacy.calibrated_minimiser(event, budget)}
    return privacy.make_plan(KEY, params, budget, events, source=SOURCE)


def fit(data: Dataset, plans: list[Plan], seeds: list[mechanisms.Seed]) -> Fit:
    """One linear head a plan and seed. O(cells steps n d C), with as many steps as L-BFGS takes.

    Guarantee: zCDP and (epsilon, delta)-DP under add/remove, proved in
        ``privacy.objective_perturbation``.
    """
    regression, shape = Regression.from_dataset(data), (data.classes, 2, data.x.shape[1])
    cells = [(i, j) for i in range(len(plans)) for j in range(len(seeds))]
    events = [plans[i].minimiser("minimiser") for i, _ in cells]
    noises = [mechanisms.standard_normal(seeds[j], KEY, shape) for _, j in cells]
    ridges = np.array([event.ridge for event in events])
    minimisers = mechanisms.noisy_minimisers(
        lambda linear: regression.minimisers(linear, ridges, SMALLEST / 2), events, noises
    )
    bias = np.zeros(data.classes, np.float32)
    heads = dict(zip(cells, minimisers, strict=True))
    return Fit(
        [
            [Release(heads[i, j].astype(np.float32), bias) for j in range(len(seeds))]
            for i in range(len(plans))
        ]
    )


# ------------------------------------------------------------------------------------ the minimiser


SMALL = 64
"""Weights of a head up to which its Hessian is made and solved."""
SCORES_PER_BLOCK = 2**20
"""Scores that are worked on at once by Newton steps."""
NEWTON, ROUNDS = 100, 6
"""Newton steps and rounds of L-BFGS at most: never met in practice."""
LBFGS = {"maxiter": 2000, "maxfun": 4000, "ftol": 0.0, "maxcor": 20}


@dataclass(frozen=True, eq=False)
class Regression:
    """The sum over records of the softmax cross-entropy of their scores under a head, which several
    cells share.

    Attributes:
        x: (n, d) float64 unit rows; onehot: (n, C) float64.
    """

    x: np.ndarray
    onehot: np.ndarray

    @classmethod
    def from_dataset(cls, data: Dataset) -> Regression:
        """The private training records of ``data``."""
        unit = mechanisms.unit_rows(data.x).astype(np.float64)
        return cls(unit, np.eye(data.classes)[data.y])

    def minimisers(self, linear: np.ndarray, ridge: np.ndarray, max_slope: float) -> np.ndarray:
        """For each cell the w (C, d) at which the sum plus ridge/2 |w|^2 plus linear.w has a
        gradient of norm ``max_slope`` at most. A cell's bits do not depend on the others.

        Args:
            linear: (cells, C, d) float64; ridge: (cells,) > 0.
        """
        w = np.empty(linear.shape)
        if linear[0].size > SMALL:
            cells = range(len(linear))
            w[:] = map_blocks(lambda i: self._lbfgs(linear[i], ridge[i], max_slope), cells)
        else:
            step = max(1, SCORES_PER_BLOCK // max(1, self.onehot.size))
            for start in range(0, len(linear), step):
                cells_part = slice(start, start + step)
                w[cells_part] = self._newton(linear[cells_part], ridge[cells_part], max_slope)
        return np.stack(
            [self._descended(*cell, max_slope) for cell in zip(w, linear, ridge, strict=True)]
        )

    def loss_and_residuals(self, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Of heads w (cells, C, d) the sum (cells,) and p - e_y (cells, n, C)."""
        scores = self.x @ w.swapaxes(1, 2)
        scores -= scores.max(axis=2, keepdims=True)
        own = (scores * self.onehot).reshape(len(w), -1).sum(axis=1)
        np.exp(scores, out=scores)
        total = scores.sum(axis=2, keepdims=True)
        loss = np.log(total).reshape(len(w), -1).sum(axis=1) - own
        scores /= total
        scores -= self.onehot
        return loss, scores

    def gradients(self, residuals: np.ndarray) -> np.ndarray:
        """Of the sum, from p - e_y (cells, n, C): (cells, C, d)."""
        return residuals.swapaxes(1, 2) @ self.x

    def _whole(
        self, w: np.ndarray, linear: np.ndarray, ridge: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The objective of each cell (cells,), its gradient (cells, C, d), and residuals."""
        loss, residuals = self.loss_and_residuals(w)
        terms = (ridge[:, None, None] / 2 * w + linear) * w
        value = loss + terms.reshape(len(w), -1).sum(axis=1)
        slope = self.gradients(residuals) + ridge[:, None, None] * w + linear
        return value, slope, residuals

    def _lbfgs(self, linear: np.ndarray, ridge: float, max_slope: float) -> np.ndarray:
        rows = linear[None], np.array([ridge])

        def objective(flat: np.ndarray) -> tuple[float, np.ndarray]:
            value, slope, _ = self._whole(flat.reshape(rows[0].shape), *rows)
            return float(value[0]), slope.ravel()

        flat = np.zeros(linear.size)
        for again in range(ROUNDS):
            gtol = max_slope / linear.size**0.5 / 2**again
            result = optimize.minimize(
                objective, flat, jac=True, method="L-BFGS-B", options={**LBFGS, "gtol": gtol}
            )
            flat = result.x
            if np.linalg.norm(result.jac) <= max_slope:
                break
        return flat.reshape(linear.shape)

    def _newton(self, linear: np.ndarray, ridge: np.ndarray, max_slope: float) -> np.ndarray:
        """Newton steps from zero of all cells at once, each halved until its objective falls."""
        w = np.zeros(linear.shape)
        value, slope, residuals = self._whole(w, linear, ridge)
        for _ in range(NEWTON):
            (unfinished,) = np.nonzero(_norms(slope) > max_slope)
            if not len(unfinished):
                break
            step = self._newton_step(slope[unfinished], residuals[unfinished], ridge[unfinished])
            falls = (slope[unfinished] * step).reshape(len(unfinished), -1).sum(axis=1)
            for halved in range(20):
                length = 0.5**halved
                further = w[unfinished] - length * step
                trial = self._whole(further, linear[unfinished], ridge[unfinished])
                good = trial[0] <= value[unfinished] - 1e-4 * length * falls
                done = unfinished[good]
                w[done], value[done] = further[good], trial[0][good]
                slope[done], residuals[done] = trial[1][good], trial[2][good]
                unfinished, step, falls = unfinished[~good], step[~good], falls[~good]
                if not len(unfinished):
                    break
        return w

    def _newton_step(
        self, slope: np.ndarray, residuals: np.ndarray, ridge: np.ndarray
    ) -> np.ndarray:
        cells, classes, d = slope.shape
        p = residuals + self.onehot
        pairs = p[..., :, None] * np.eye(classes) - p[..., :, None] * p[..., None, :]
        outer = (self.x[:, :, None] * self.x[:, None, :]).reshape(len(self.x), -1)
        square = pairs.reshape(cells, len(self.x), -1).swapaxes(1, 2) @ outer
        square = square.reshape(cells, classes, classes, d, d).swapaxes(2, 3)
        square = square.reshape(cells, slope[0].size, -1)
        square += ridge[:, None, None] * np.eye(slope[0].size)
        return np.linalg.solve(square, slope.reshape(cells, -1, 1)).reshape(slope.shape)

    def _descended(
        self, w: np.ndarray, linear: np.ndarray, ridge: float, max_slope: float
    ) -> np.ndarray:
        """Accelerated gradient steps until the gradient is small enough: mostly none."""

        def slope(at: np.ndarray) -> np.ndarray:
            return self._whole(at[None], linear[None], np.array([ridge]))[1][0]

        first, zero = float(np.linalg.norm(slope(w))), np.zeros(w.shape)
        if first <= max_slope:
            return w
        if (other := float(np.linalg.norm(slope(zero)))) < first:  # is at most sqrt(2) n + |linear|
            w, first = zero, other
        condition = 1 + len(self.x) / 2 / ridge
        momentum = (math.sqrt(condition) - 1) / (math.sqrt(condition) + 1)
        ahead = w
        for _ in range(max_steps(condition, first / max_slope)):
            down = slope(ahead)
            if np.linalg.norm(down) <= max_slope:
                return ahead
            previous, w = w, ahead - down / (ridge * condition)
            ahead = w + momentum * (w - previous)
        return w


def max_steps(condition: float, ratio: float) -> int:
    """How many accelerated steps make any gradient ``ratio`` times as small, at most.

    Of a ridge-strongly convex f whose gradient is L-Lipschitz with L = condition * ridge, t steps
    from a gradient of norm g leave f at most (ridge + L)/2 (g/ridge)^2 exp(-t/sqrt(condition))
    above its least value, and the gradient's square at most 2 L times that.

    Args:
        condition: at least 1; ratio: at least 1.
    """
    return 1 + math.ceil(2 * math.sqrt(condition) * math.log((condition + 1) * ratio))


def _norms(slope: np.ndarray) -> np.ndarray:
    return np.sqrt((slope * slope).reshape(len(slope), -1).sum(axis=1))


# ------------------------------------------------------------------------- queries, audit cases


def queries(plan: Plan) -> dict[str, Query]:
    """The sum of the records' gradients at a head: less the noise, it is what the minimiser's own
    penalty balances.
    """

    def gradients(data: Dataset, plan: Plan, head: np.ndarray) -> np.ndarray:
        regression = Regression.from_dataset(data)
        _, residuals = regression.loss_and_residuals(head[None].astype(np.float64))
        return regression.gradients(residuals)

    return {"minimiser": Query(gradients, example_heads)}


def why_no_losses(params: Mapping[str, Any]) -> str | None:
    """Why there is no formula."""
    return (
        "No exact loss per record is known, because it depends on the noise. The proof covers the"
        " worst-case record only."
    )


SURE = [[0.6, 0.8]] * 200
"""Records that make a head sure of their class: one of another class has a long gradient."""


def _case() -> AuditCase:
    """A record that contradicts many like it."""
    x, y = [[1.0]] * len(SURE), [1] * len(SURE)
    more, less = records([*x, [1.0]], [*y, 0]), records(x, y)
    return AuditCase({}, more, less, first_weights_apart, Budget(1.0, "zcdp"))


def _event_case() -> EventCase:
    """The same in two dimensions. The common class is the fourth, so that each of a person's three
    records in other classes has a long gradient.
    """
    x, y, names = SURE, [3] * len(SURE), ("a", "b", "c", "d")
    more, less = records([*x, [0.6, 0.8]], [*y, 0], None, names), records(x, y, None, names)
    return EventCase({}, more, less, ("minimiser",), Budget(1.0, "zcdp"))


METHOD = Method(
    key=KEY,
    title="Objective perturbation",
    source=SOURCE,
    summary=(
        "Linear classifier that minimizes an objective with a random term; no step size."
        " Measured: never significantly better than the probe, worse for rare classes."
    ),
    params=(RIDGE, NOISE_RIDGE),
    plan=plan,
    fit=fit,
    line_style=LineStyle(FUCHSIA, "longdashdot", "star-diamond"),
    queries=queries,
    why_no_losses=why_no_losses,
    cases=lambda: [_case()],
    event_cases=lambda: [_event_case()],
)
