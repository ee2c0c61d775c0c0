"""Minimisers of a softmax regression with an L2 penalty and linear terms, found as closely as asked
for: by Newton steps where the Hessian is small, else by L-BFGS.

How close follows from the gradient: the objective is ridge-strongly convex, so that a point with
gradient g lies within |g| / ridge of the minimiser. Everything is in float64, whose rounding moves
a gradient by less than 1e-9 for a million records, far below what is asked for.

Where neither gets so close, accelerated gradient steps do, of which sizes and the noise say at most
how many are needed (``most_steps``): no data makes the search fail, which would tell of them.

Source: Bubeck 2015, Theorem 3.18 (accelerated steps).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpviz import mechanisms
from dpviz.lazy_imports import optimize
from dpviz.machine.threads import map_blocks
from dpviz.types import Dataset

SMALL = 64
"""Weights of a head up to which its Hessian is made and solved."""
AT_ONCE = 2**16
"""Scores that are worked on at once by Newton steps: few enough for a cache of the processor."""
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
    def of(cls, data: Dataset) -> Regression:
        """The private training records of ``data``."""
        unit = mechanisms.unit_rows(data.x).astype(np.float64)
        return cls(unit, np.eye(data.classes)[data.y])

    def minimisers(self, linear: np.ndarray, ridge: np.ndarray, most: float) -> np.ndarray:
        """For each cell the w (C, d) at which the sum plus ridge/2 |w|^2 plus linear.w has a
        gradient of norm ``most`` at most. A cell's bits do not depend on the others.

        Args:
            linear: (cells, C, d) float64; ridge: (cells,) > 0.
        """
        found = np.empty(linear.shape)
        if linear[0].size > SMALL:
            cells = range(len(linear))
            found[:] = map_blocks(lambda i: self._lbfgs(linear[i], ridge[i], most), cells)
        else:
            step = max(1, AT_ONCE // max(1, self.onehot.size))
            for start in range(0, len(linear), step):
                at = slice(start, start + step)
                found[at] = self._newton(linear[at], ridge[at], most)
        return np.stack(
            [self._descended(*cell, most) for cell in zip(found, linear, ridge, strict=True)]
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

    def _lbfgs(self, linear: np.ndarray, ridge: float, most: float) -> np.ndarray:
        rows = linear[None], np.array([ridge])

        def objective(flat: np.ndarray) -> tuple[float, np.ndarray]:
            value, slope, _ = self._whole(flat.reshape(rows[0].shape), *rows)
            return float(value[0]), slope.ravel()

        flat = np.zeros(linear.size)
        for again in range(ROUNDS):
            gtol = most / linear.size**0.5 / 2**again
            found = optimize.minimize(
                objective, flat, jac=True, method="L-BFGS-B", options={**LBFGS, "gtol": gtol}
            )
            flat = found.x
            if np.linalg.norm(found.jac) <= most:
                break
        return flat.reshape(linear.shape)

    def _newton(self, linear: np.ndarray, ridge: np.ndarray, most: float) -> np.ndarray:
        """Newton steps from zero of all cells at once, each halved until its objective falls."""
        w = np.zeros(linear.shape)
        value, slope, residuals = self._whole(w, linear, ridge)
        for _ in range(NEWTON):
            (far,) = np.nonzero(_norms(slope) > most)
            if not len(far):
                break
            step = self._newton_step(slope[far], residuals[far], ridge[far])
            falls = (slope[far] * step).reshape(len(far), -1).sum(axis=1)
            for halved in range(20):
                length = 0.5**halved
                further = w[far] - length * step
                made = self._whole(further, linear[far], ridge[far])
                good = made[0] <= value[far] - 1e-4 * length * falls
                done = far[good]
                w[done], value[done] = further[good], made[0][good]
                slope[done], residuals[done] = made[1][good], made[2][good]
                far, step, falls = far[~good], step[~good], falls[~good]
                if not len(far):
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
        self, w: np.ndarray, linear: np.ndarray, ridge: float, most: float
    ) -> np.ndarray:
        """Accelerated gradient steps until the gradient is small enough: mostly none."""

        def slope(at: np.ndarray) -> np.ndarray:
            return self._whole(at[None], linear[None], np.array([ridge]))[1][0]

        first, zero = float(np.linalg.norm(slope(w))), np.zeros(w.shape)
        if first <= most:
            return w
        if (other := float(np.linalg.norm(slope(zero)))) < first:  # is at most sqrt(2) n + |linear|
            w, first = zero, other
        condition = 1 + len(self.x) / 2 / ridge
        momentum = (math.sqrt(condition) - 1) / (math.sqrt(condition) + 1)
        ahead = w
        for _ in range(most_steps(condition, first / most)):
            down = slope(ahead)
            if np.linalg.norm(down) <= most:
                return ahead
            before, w = w, ahead - down / (ridge * condition)
            ahead = w + momentum * (w - before)
        return w


def most_steps(condition: float, ratio: float) -> int:
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
