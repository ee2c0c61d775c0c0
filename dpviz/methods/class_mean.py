"""Non-private nearest class mean: the limit of DPPL-Mean without noise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dpviz import mechanisms, privacy
from dpviz.methods.components.prototypes import cosine_release
from dpviz.types import Budget, Dataset, Fit, Method, Plan, Sizes, unit_rows
from dpviz.types.line_style import GREY, LineStyle

KEY = "class-mean"
SOURCE = "Snell et al. 2017, prototypical networks"


def plan(sizes: Sizes, budget: Budget, params: Mapping[str, Any]) -> Plan:
    """A plan without noise and without a guarantee."""
    return Plan(KEY, {}, {}, privacy.no_guarantee(budget, SOURCE))


def fit(data: Dataset, plans: list[Plan], seeds: list[int]) -> Fit:
    """The mean of each class's unit features; the same for all plans and seeds."""
    release = cosine_release(mechanisms.class_sums(unit_rows(data.x), data.y, data.classes))
    return Fit([[release] * len(seeds) for _ in plans])


METHOD = Method(
    key=KEY,
    title="Class mean (not private)",
    source=SOURCE,
    summary="Mean of the images of each class. No noise, no privacy.",
    params=(),
    plan=plan,
    fit=fit,
    line_style=LineStyle(GREY, "dash", "circle-open"),
    private=False,
)
