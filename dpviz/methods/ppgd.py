"""PPGD: private training steered by public gradients, whose head a public one is then drawn to.

Our reading of Wang & Zhou 2020, "Differentially Private Learning with Small Public Data", by its
abstract and by what the AdaMix paper says of it, as its steps could not be read. The choices that
are ours:

1. Full batches instead of drawn ones, as in the AdaMix paper's comparison.
2. First a head on private records alone, from zero, with noise on each step.
3. Public data set one parameter, the threshold: the norm of the shots' average gradient under the
   head of that step, with a floor. The learning rate is a public constant.
4. Then "model reuse": the head that minimises the shots' summed cross-entropy plus kappa/2 times
   the squared distance to the private head. It reads no private record, so it costs nothing.

Defaults were chosen by looking at the default data; that look is not paid for.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dpviz.mechanisms import Seed
from dpviz.methods import adamix
from dpviz.methods.components.public_sets import converge, draw_shots
from dpviz.methods.components.worst_neighbours import TURNING, one_more
from dpviz.types.audit_case import EventCase
from dpviz.types.budget import Budget
from dpviz.types.dataset import Dataset, Sizes
from dpviz.types.guarantee import Plan
from dpviz.types.line_style import CLAY, LineStyle
from dpviz.types.method import Losses, Method, Param, Query
from dpviz.types.release import Fit, Release

KEY = "ppgd"
SOURCE = "Wang & Zhou 2020 (PPSGD) with full batches, based on its abstract and the AdaMix paper"
REUSE = Param(
    "reuse",
    "Pull κ",
    "Weight of the distance to the private classifier when the public examples train the final"
    " one. Small: follows the public examples. Large: follows the private records.",
    0.3,
    1e-3,
    1e3,
    log=True,
)
STEERED = {"init": "none", "clip_mode": "mean-gradient", "rank": 0, "public_use": "none"}
"""The first stage among the settings of AdaMix's steps."""


def plan(sizes: Sizes, budget: Budget, params: Mapping[str, Any]) -> Plan:
    """T Gaussian releases of sensitivity 1 and sd sigma, in units of their step's threshold.

    Raises:
        DpvizError: without a public set.
    """
    steps = adamix.plan(sizes, budget, _of_steps(params))
    promise = dataclasses.replace(steps.guarantee, source=SOURCE)
    return dataclasses.replace(steps, method=KEY, params=dict(params), guarantee=promise)


def _of_steps(params: Mapping[str, Any]) -> dict[str, Any]:
    step_params = {name: value for name, value in params.items() if name != REUSE.name}
    return adamix.METHOD.check(step_params | STEERED)


def _steps(plan: Plan) -> Plan:
    """The plan of the first stage."""
    return dataclasses.replace(plan, params=_of_steps(plan.params))


def fit(data: Dataset, plans: list[Plan], seeds: list[Seed]) -> Fit:
    """One linear head a plan and seed; a cell's bits do not depend on its batch.

    Guarantee: mu-GDP with mu = sqrt(T) / sigma under add/remove; the second stage reads the first
        one's head and public records.
    """
    return adamix.fit_grid(fit_cells, data, plans, seeds)


def fit_cells(data: Dataset, cells: Sequence[adamix.Cell]) -> list[Release]:
    """The release of each plan and seed, as ``fit``; plans may differ in ``shots_draw`` as well."""
    private = adamix.fit_cells(data, [(_steps(plan), seed) for plan, seed in cells])
    return [reused(data, plan, head) for (plan, _), head in zip(cells, private, strict=True)]


def reused(data: Dataset, plan: Plan, private: Release) -> Release:
    """The head that the shots train in the reach of a private one; reads no private record."""
    params = plan.params
    shots = draw_shots(data, params["shots"], params["shots_draw"])
    head = converge(shots.x, shots.y, shots.classes, params["reuse"], private.weights)
    return adamix.head(head)


# ----------------------------------------------------- losses of records, queries, audit cases


def losses(data: Dataset, plan: Plan, seed: int) -> Losses:
    """Those of the first stage; the second adds none."""
    return adamix.losses(data, _steps(plan), seed)


def queries(plan: Plan) -> dict[str, Query]:
    """The clipped gradients' sum, in thresholds, under the head of the step before."""
    step_query = adamix.queries(_steps(plan))["gradients"]

    def sums(data: Dataset, plan: Plan, head: np.ndarray) -> np.ndarray:
        return step_query.value(data, _steps(plan), head)

    return {"gradients": dataclasses.replace(step_query, value=sums)}


def event_cases() -> list[EventCase]:
    """A record that moves two steps in two directions, as the records beside it turn the head round
    between them; the pull is so strong that the final head is the private one.
    """
    public = [[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]] * 2
    params = {"reuse": REUSE.high, "max_steps": 2, "lr": 4.0}
    return [EventCase(params, *one_more(*TURNING, public), ("gradients",), adamix.MIDDLE, 0.4)]


METHOD = Method(
    key=KEY,
    title="PPGD (our reading)",
    source=SOURCE,
    summary=(
        "Private linear classifier with a public clipping threshold, then moved toward one"
        " trained on a few labeled public images."
    ),
    params=(
        adamix.SHOTS,
        adamix.SIGMA,
        adamix.LR,
        REUSE,
        adamix.FLOOR,
        adamix.MAX_STEPS,
        adamix.DECAY,
        adamix.DRAW,
    ),
    plan=plan,
    fit=fit,
    line_style=LineStyle(CLAY, "dashdot", "diamond-tall"),
    losses=losses,
    queries=queries,
    event_cases=event_cases,
    fit_cells=fit_cells,
    cell_settings=("shots_draw",),
    cases=lambda: [adamix.contradiction_case({"reuse": REUSE.high})],
    needs_public=True,
)
