"""Theorem 3 of the AdaMix paper on the private records: the loss that NoisyGD has more than a head
it could have found, beside the bound as printed and as it follows. A private view.

Both are run as the theorem has them: the printed one with the printed decay, brought back into the
smallest ball around zero that holds the start and that head; the other with the decay that follows,
without a ball. Features have norm 1, so no gradient is longer than sqrt 2 and none is clipped.

Source: Golatkar et al. 2022, Theorem 3; ``methods.parts.convergence`` for what follows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz import mechanisms, privacy
from dpviz.experiments import experiment
from dpviz.lazy_imports import special
from dpviz.methods import METHODS, adamix
from dpviz.methods.components import convergence, public_sets
from dpviz.methods.components.convergence import LIPSCHITZ, Bound
from dpviz.types import DpvizError, RunSpec, unit_rows

STREAM = "convergence on data"
DECAY = 1.0
"""Of the head that the runs are held against, towards the start, so that it is finite."""
HOLDS, HOLDS_TRIVIALLY, FAILS, UNDECIDED = "holds", "holds trivially", "fails", "undecided"


@dataclass(frozen=True)
class ConvergenceRun:
    """One sigma: steps T = 2 rho sigma^2, each run's excess mean loss, nats; its bound."""

    sigma: float
    steps: int
    excess: tuple[float, ...]
    decay: float
    bound: Bound

    @property
    def mean(self) -> float:
        """Of the runs."""
        return float(np.mean(self.excess))

    @property
    def unsure(self) -> float:
        """Standard error of ``mean``."""
        return float(np.std(self.excess, ddof=1)) / math.sqrt(len(self.excess))

    def verdict(self, guessing: float) -> str:
        """Whether the mean lies below the bound, told by four standard errors where it does not;
        a bound above what guessing blindly has more says nothing.
        """
        if self.mean > self.bound.total:
            return FAILS if self.mean - 4 * self.unsure > self.bound.total else UNDECIDED
        return HOLDS_TRIVIALLY if self.bound.total >= guessing else HOLDS


@dataclass(frozen=True)
class OnData:
    """What is tried: records n, weights d, rho, how far the head lies from the start, the ball's
    radius, what guessing blindly has more than the head, and runs as printed and as they follow.
    """

    n: int
    d: int
    rho: float
    distance: float
    radius: float
    guessing: float
    printed: tuple[ConvergenceRun, ...]
    follows: tuple[ConvergenceRun, ...]


def run_convergence(spec: RunSpec, sigmas: Sequence[float], runs: int = 4) -> OnData:
    """The private records of a run of AdaMix from its start, at its budget.

    Args:
        spec: whose data, start, budget and seed are taken; sigmas: noise in units of the longest
            gradient; runs: of the noise, from 2.

    Raises:
        DpvizError: without a finite budget.
    """
    if not spec.budget.private:
        raise DpvizError("The bound needs noise. Choose a finite budget.")
    data = experiment.prepared(spec)
    params = METHODS[spec.method].check(dict(spec.params))
    start = adamix.prepare(data, params).start.numpy().astype(np.float64)
    x, y = unit_rows(data.x).astype(np.float64), data.y
    best = public_sets.converge(x, y, data.classes, DECAY, start).astype(np.float64)
    rho = privacy.mu_for(spec.budget) ** 2 / 2
    n, d, far = len(x), best.size, max(float(np.linalg.norm(best - start)), 1e-6)
    radius = max(float(np.linalg.norm(start)), float(np.linalg.norm(best)))
    least = _loss(x, y, best[None])[0]

    def run(sigma: float, printed: bool) -> ConvergenceRun:
        steps = max(1, round(2 * rho * sigma**2))
        facts = LIPSCHITZ, d, rho, far
        if printed:
            decay = convergence.printed_decay(*facts)
            bound = convergence.printed_bound(n, *facts, steps, radius)
        else:
            decay, bound = convergence.decay(*facts), convergence.bound(n, *facts, steps)
        ball = radius if printed else math.inf
        # the noise that spends the budget in these whole steps
        scale = LIPSCHITZ * math.sqrt(steps / (2 * rho))
        heads = _descended(x, y, start, steps, decay, scale, ball, runs, spec.seed)
        return ConvergenceRun(
            sigma, steps, tuple((_loss(x, y, heads) - least).tolist()), decay, bound
        )

    results = [tuple(run(sigma, printed) for sigma in sigmas) for printed in (True, False)]
    blank = math.log(data.classes) - least
    return OnData(n, d, rho, far, radius, float(blank), results[0], results[1])


def _descended(
    x: np.ndarray,
    y: np.ndarray,
    start: np.ndarray,
    steps: int,
    decay: float,
    noise: float,
    radius: float,
    runs: int,
    seed: int,
) -> np.ndarray:
    """The averaged head of each run, (runs, C, d), of step 2/(decay (t + 1)) on the sum of losses
    and decay/2 |w - start|^2.
    """
    w, mean = np.repeat(start[None], runs, 0), np.zeros((runs, *start.shape))
    stream = mechanisms.normal_steps(seed, STREAM, w.shape)
    rows = np.arange(len(y))
    for t in range(1, steps + 1):
        mean += t * w
        residual = special.softmax(_scores(x, w), axis=2)
        residual[:, rows, y] -= 1
        drawn = next(stream).values
        assert drawn is not None  # a seed is given
        gradient = np.einsum("rnc,nd->rcd", residual, x, optimize=True) + noise * drawn
        w = w - 2 / (decay * (t + 1)) * (gradient + decay * (w - start))
        length = np.sqrt(np.einsum("rcd,rcd->r", w, w))
        w *= np.minimum(1, radius / np.maximum(length, 1e-300))[:, None, None]
    return mean * 2 / (steps * (steps + 1))


def _scores(x: np.ndarray, w: np.ndarray) -> np.ndarray:
    """(runs, n, C)."""
    flat = x @ w.reshape(-1, w.shape[2]).T
    return flat.reshape(len(x), *w.shape[:2]).transpose(1, 0, 2)


def _loss(x: np.ndarray, y: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Mean cross-entropy of each head, (runs,), nats."""
    scores = _scores(x, w)
    right = scores[:, np.arange(len(y)), y]
    return (special.logsumexp(scores, axis=2) - right).mean(1)
