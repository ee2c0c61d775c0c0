"""Theorems 3 and 4 of the AdaMix paper, tried on problems whose optimum is known exactly.

    python -m dpviz.diagnostics.numerical_convergence

The problem: N records, each with loss h/(2N) |w - c|^2 in d parameters, so that the optimum is c,
at distance D from the start; h is the curvature of their sum.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from dpviz import mechanisms
from dpviz.methods.components import convergence
from dpviz.types import unit_rows

STREAM = "convergence"


@dataclass(frozen=True)
class Problem:
    """What is tried.

    Attributes:
        n: records; d: parameters; rho: of the budget; distance: D; radius: of the ball around the
            start that iterates are brought back to; curvature: h, with h (D + radius) <= n so that
            no gradient is longer than 1; steps: T.
    """

    n: int = 120
    d: int = 100
    rho: float = 0.5
    distance: float = 0.25
    radius: float = 200.0
    curvature: float = 0.5
    steps: int = 20_000


@dataclass(frozen=True)
class ConvergenceCheck:
    """Mean excess error of a record over runs and its standard error, the lambda it was made with,
    and the bound at that lambda as printed, or as the argument gives it.
    """

    excess: float
    error: float
    decay: float
    bound: float

    @property
    def exceeds_bound(self) -> bool:
        """Whether the mean lies above the bound by more than four standard errors: by chance once
        in 30,000 runs.
        """
        return self.excess - 4 * self.error > self.bound


def check_convergence(
    problem: Problem, printed: bool, runs: int = 8, seed: int = 0
) -> ConvergenceCheck:
    """NoisyGD as Theorem 3 has it, with lambda and bound as printed or as they follow."""
    facts = (1.0, problem.d, problem.rho, problem.distance)
    if printed:
        decay = convergence.printed_decay(*facts)
        bound = convergence.printed_bound(problem.n, *facts, problem.steps, problem.radius).total
    else:
        decay = convergence.decay(*facts)
        bound = convergence.bound(problem.n, *facts, problem.steps).total
    excess = _descended(problem, decay, runs, seed)
    return ConvergenceCheck(
        float(excess.mean()), float(excess.std(ddof=1)) / math.sqrt(runs), decay, bound
    )


def _descended(problem: Problem, decay: float, runs: int, seed: int) -> np.ndarray:
    """Excess error of a record of the averaged iterate of each run, (runs,)."""
    optimum = np.zeros(problem.d)
    optimum[0] = problem.distance
    w, mean = np.zeros((runs, problem.d)), np.zeros((runs, problem.d))
    sigma = math.sqrt(problem.steps / (2 * problem.rho))
    stream = mechanisms.normal_steps(seed, STREAM, w.shape)
    for t in range(1, problem.steps + 1):
        mean += t * w
        noise = next(stream).values
        assert noise is not None  # a seed is given
        noisy = problem.curvature * (w - optimum) + sigma * noise
        w -= 2 / (decay * (t + 1)) * (noisy + decay * w)
        far = np.sqrt(np.einsum("rd,rd->r", w, w))
        w *= np.minimum(1, problem.radius / np.maximum(far, 1e-300))[:, None]
    mean *= 2 / (problem.steps * (problem.steps + 1))
    return problem.curvature / 2 * ((mean - optimum) ** 2).sum(1) / problem.n


@dataclass(frozen=True)
class OnePass:
    """One pass over public records: how far from the optimum it ends, in the root mean square, and
    the bound on that; then what privacy adds from there, and Theorem 4's bound on it.
    """

    distance: float
    max_distance: float
    excess: float
    bound: float


def one_pass(public: int, problem: Problem, runs: int = 200, seed: int = 0) -> OnePass:
    """Losses |w - x|^2 / 2 of records x on a sphere around the optimum, w in a ball of radius 1
    about it, hence c = 1 and L = 2; then private training from there with the distance that is
    promised.
    """
    d = problem.d
    drawn = mechanisms.standard_normal(seed, f"{STREAM} records", ((public + 1) * runs, d)).values
    assert drawn is not None  # a seed is given
    w, *rows = unit_rows(drawn).reshape(public + 1, runs, d)
    for t, x in enumerate(rows, 1):
        w = w - (w - x) / t
        w /= np.maximum(1, np.linalg.norm(w, axis=1, keepdims=True))
    distance = math.sqrt(float((w**2).sum(1).mean()))
    most = convergence.public_distance(2.0, 1.0, public)
    decay = convergence.decay(2.0, d, problem.rho, most)
    # gradients are twice as long as in ``_descended``: so is the noise
    from_there = replace(
        problem, distance=distance, rho=problem.rho / 4, curvature=problem.n, radius=2.0
    )
    excess = _descended(from_there, decay, 8, seed)
    bound = convergence.mixed_bound(problem.n, 2.0, d, problem.rho, 1.0, public)
    return OnePass(distance, most, float(excess.mean()), bound)


def main() -> None:
    """Print what came of it."""
    for printed in (True, False):
        one = check_convergence(Problem(), printed)
        print(
            f"{'as printed' if printed else 'as derived'}: lambda {one.decay:.3g}, excess"
            f" {one.excess:.3g} ± {2 * one.error:.2g}, bound {one.bound:.3g}"
        )
    for public in (10, 100):
        print(public, "public records:", one_pass(public, Problem(n=1000, steps=2000)))


if __name__ == "__main__":
    main()
