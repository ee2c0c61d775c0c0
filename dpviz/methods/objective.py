"""Objective perturbation: a logistic regression whose objective gets a random linear term, solved
once.

The multinomial loss with an L2 penalty is minimised; the noise is in the objective, not in each
step, so that nothing is paid for steps and there is no learning rate. The penalty is public.
Defaults were chosen by looking at the default data; that look is not paid for.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from dpviz import mechanisms, privacy
from dpviz.methods.components.clipped_gradients import some_heads
from dpviz.methods.components.softmax_minimiser import Regression
from dpviz.methods.components.worst_neighbours import first_weights_apart, records
from dpviz.types.audit_case import AuditCase, EventCase
from dpviz.types.dataset import Dataset, Sizes
from dpviz.types.guarantee import Budget, Minimiser, Plan
from dpviz.types.line_style import FUCHSIA, LineStyle
from dpviz.types.method import Method, Param, Query
from dpviz.types.release import Fit, Release

KEY = "objective"
SOURCE = (
    "Redberg, Koskela & Wang 2023, Algorithm 1 (approximate minimiser); accounting of this"
    " project: dpviz.privacy.objective_perturbation"
)
RIDGE = Param(
    "ridge",
    "Ridge λ",
    "Weight of the squared weights against the sum of all records' losses; public.",
    0.03,
    1e-4,
    1e4,
    log=True,
)
NOISE_RIDGE = Param(
    "noise_ridge",
    "Ridge for noise",
    "Added to the ridge too, times the noise's sd (so nothing without noise).",
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
    regression, shape = Regression.of(data), (data.classes, 2, data.x.shape[1])
    cells = [(i, j) for i in range(len(plans)) for j in range(len(seeds))]
    events = [plans[i].minimiser("minimiser") for i, _ in cells]
    noises = [mechanisms.standard_normal(seeds[j], KEY, shape) for _, j in cells]
    ridges = np.array([event.ridge for event in events])
    found = mechanisms.noisy_minimisers(
        lambda linear: regression.minimisers(linear, ridges, SMALLEST / 2), events, noises
    )
    bias = np.zeros(data.classes, np.float32)
    heads = dict(zip(cells, found, strict=True))
    return Fit(
        [
            [Release(heads[i, j].astype(np.float32), bias) for j in range(len(seeds))]
            for i in range(len(plans))
        ]
    )


# ------------------------------------------------------------------------- queries, audit cases


def queries(plan: Plan) -> dict[str, Query]:
    """The sum of the records' gradients at a head: less the noise, it is what the minimiser's own
    penalty balances.
    """

    def gradients(data: Dataset, plan: Plan, head: np.ndarray) -> np.ndarray:
        regression = Regression.of(data)
        _, residuals = regression.loss_and_residuals(head[None].astype(np.float64))
        return regression.gradients(residuals)

    return {"minimiser": Query(gradients, some_heads)}


def why_no_losses(params: Mapping[str, Any]) -> str | None:
    """Why there is no formula."""
    return (
        "A record's part depends on the very noise that hides it, and what is proved is proved of"
        " the worst record alone."
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
        "A linear classifier trained in one go on an objective that holds a random term: no step"
        " size, and where measured never told to beat the probe, behind it for rare classes."
    ),
    params=(RIDGE, NOISE_RIDGE),
    plan=plan,
    fit=fit,
    look=LineStyle(FUCHSIA, "longdashdot", "star-diamond"),
    queries=queries,
    why_no_losses=why_no_losses,
    cases=lambda: [_case()],
    event_cases=lambda: [_event_case()],
)
