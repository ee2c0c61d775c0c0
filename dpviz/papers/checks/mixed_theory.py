"""Tries of the AdaMix paper's propositions and theorems: against exact composition, and against
problems whose optimum is known.
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from dpviz import privacy
from dpviz.diagnostics import convergence_tried
from dpviz.methods import adamix
from dpviz.methods.parts import convergence, mixed_gradients
from dpviz.papers.checks import mixed_curves
from dpviz.papers.model import DOES_NOT, HOLDS, Ground, Verdict
from dpviz.run import experiment
from dpviz.types import Budget, unit_rows

BUDGET, SIGMA = Budget(3.0), 20.0


def printed_rho() -> Verdict:
    """T^2/(2 sigma^2) against the composition of T Gaussian mechanisms, T/(2 sigma^2)."""
    mu = privacy.mu_for(BUDGET)
    steps, printed = adamix.steps(mu, SIGMA), math.floor(mu * SIGMA)
    spent = privacy.gdp_epsilon(math.sqrt(printed) / SIGMA, BUDGET.delta)
    return Verdict(
        DOES_NOT,
        f"T releases with noise σ compose to ρ = T/(2σ²). At σ = {SIGMA:g} the printed T²/(2σ²)"
        f" stops after {printed} steps for (3, 1e-5)-DP, which spend ε = {spent:.2f}; {steps} steps"
        " spend 3. The promise is kept, most of the budget is not used.",
    )


def third_theorem() -> Verdict:
    """Its lambda and bound as printed, on a problem where the optimum is known."""
    problem = convergence_tried.Problem()
    printed, right = (convergence_tried.tried(problem, one) for one in (True, False))
    outcome = DOES_NOT if printed.above else HOLDS
    return Verdict(
        outcome,
        f"On a quadratic of {problem.d} weights, N = {problem.n}, ρ = {problem.rho:g}, D ="
        f" {problem.distance:g}, B = {problem.radius:g}, T = {problem.steps:,}: with"
        " the printed λ = √(ρ/(2DdL²)) the mean excess is"
        f" {printed.excess:.2f} ± {2 * printed.error:.2f}, above the printed bound"
        f" {printed.bound:.2f}. The argument gives λ = τ√(2d/ρ)/D and twice the printed second"
        f" part: excess {right.excess:.2g}, bound {right.bound:.2g}."
        " python -m dpviz.diagnostics.convergence_tried",
    )


def fourth_theorem() -> Verdict:
    """What privacy adds after one pass over public records, against the bound; four times the
    public records halve it.
    """
    few, many = (
        convergence_tried.one_pass(m, convergence_tried.Problem(n=1000, steps=2000))
        for m in (10, 40)
    )
    kept = all(one.excess < one.bound and one.distance < one.most for one in (few, many))
    return Verdict(
        HOLDS if kept else DOES_NOT,
        f"Mean estimation in 100 dimensions, N = 1,000, ρ = 0.5: one pass over 10 public records"
        f" ends {few.distance:.2f} from the optimum (bound {few.most:.2f}), private training then"
        f" adds {few.excess:.1e} to the error (bound {few.bound:.1e}; {many.bound:.1e} with 40)."
        " Its constant 4 is 2 × 2, which follows from twice what Theorem 3 prints.",
    )


def bound_on_data(ground: Ground) -> Verdict:
    """The bound that follows, beside the excess error on the private records of a run with Theorem
    3's steps; how far the optimum lies is read from them, so this is a private view.
    """
    spec = mixed_curves.specs(ground, mixed_curves.Run("NGD", 3.0))[0]
    data = experiment.prepared(spec)
    start = adamix.prepare(data, adamix.METHOD.check(dict(spec.params))).start.numpy()
    x, decay = unit_rows(data.x).astype(np.float64), 1.0
    best = mixed_gradients.converge(x, data.y, data.classes, decay, start)
    far = float(np.linalg.norm(best - start))
    params = dict(spec.params) | adamix.THEOREM | {"distance": max(far, 0.01)}
    params |= {"max_steps": STEPS}
    run = dataclasses.replace(spec, params=tuple(params.items()))
    excess = _mean_loss(x, data.y, experiment.release(run).weights) - _mean_loss(x, data.y, best)
    event = experiment.planned(run).gaussian("gradients")
    rho = event.times / (2 * event.sigma**2)
    bound = convergence.bound(len(x), 1.42, best.size, rho, far, event.times)
    return Verdict(
        HOLDS if excess <= bound.total else DOES_NOT,
        f"At ε = 3, {event.times} steps, from a head {far:.0f} away from the best: the averaged"
        f" head loses {excess:.2f} nats a record more than the best, where at most"
        f" {bound.total:.1f} are allowed ({bound.steps:.1f} for too few steps, {bound.noise:.1f}"
        f" for noise); guessing loses {math.log(data.classes):.2f}. A private view.",
    )


STEPS = 200


def _mean_loss(x: np.ndarray, y: np.ndarray, w: np.ndarray) -> float:
    scores = x @ w.T.astype(np.float64)
    top = scores.max(1)
    total = np.log(np.exp(scores - top[:, None]).sum(1)) + top
    return float((total - scores[np.arange(len(y)), y]).mean())
