"""Paragon: the ceiling of AdaMix, trained on private and public records without noise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from dpviz import privacy
from dpviz.methods import adamix
from dpviz.methods.components.public_sets import converge, draw_shots
from dpviz.types import Budget, Dataset, Fit, Method, Plan, Sizes, unit_rows
from dpviz.types.line_style import GREY, LineStyle

KEY = "paragon"


def plan(sizes: Sizes, budget: Budget, params: Mapping[str, Any]) -> Plan:
    """A plan without noise and without a guarantee."""
    adamix.need_public(sizes, params)
    return Plan(KEY, dict(params), {}, privacy.no_guarantee(budget, adamix.SOURCE))


def fit(data: Dataset, plans: list[Plan], seeds: list[int]) -> Fit:
    """One head trained to convergence on private records and shots together."""
    params = plans[0].params
    shots = draw_shots(data, params["shots"], params["shots_draw"])
    x, y = (
        np.concatenate([unit_rows(data.x).astype(np.float64), shots.x]),
        np.concatenate([data.y, shots.y]),
    )
    release = adamix.head(converge(x, y, data.classes, params["weight_decay"]))
    return Fit([[release] * len(seeds) for _ in plans])


METHOD = Method(
    key=KEY,
    title="Paragon (not private)",
    source="Golatkar et al. 2022, the paragon line",
    summary=(
        "Linear classifier trained on private and public images without noise. Non-private upper"
        " bound for AdaMix."
    ),
    params=(adamix.SHOTS, adamix.DECAY, adamix.DRAW),
    plan=plan,
    fit=fit,
    line_style=LineStyle(GREY, "longdash", "star-open"),
    private=False,
    needs_public=True,
)
