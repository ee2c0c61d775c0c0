"""DPPL-PublicK: each class picks K public images jointly by the exponential mechanism."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from dpviz import mechanisms
from dpviz.methods.components.prototypes import cosine_release
from dpviz.methods.components.public_scores import D_MAX, D_MIN, ranking
from dpviz.methods.dppl_public import (
    class_utilities,
    queries,
    selection_case,
    selection_event_case,
    selection_losses,
    selection_plan,
)
from dpviz.types import Budget, Dataset, Fit, Method, Param, Plan, Sizes
from dpviz.types.line_style import BERRY, LineStyle

KEY = "dppl-publick"
SOURCE = "DPPL (first version), App. C.3, with C(y−1, K−1) sets and ε/Δ; Gillenwater et al. 2022"
K = Param("k", "K", "Number of public images per class, which are averaged.", 5, 1, 1000, 1)


def plan(sizes: Sizes, budget: Budget, params: Mapping[str, Any]) -> Plan:
    """As DPPL-Public: the set's utility is its worst member's, so sensitivity and cost are the
    same.
    """
    return selection_plan(METHOD, SOURCE, sizes, budget, params, needed=params["k"])


def fit(data: Dataset, plans: list[Plan], seeds: list[int]) -> Fit:
    """Draw K public records a class for each plan and seed; K = 1 equals DPPL-Public exactly.

    Guarantee: epsilon-DP under add/remove (monotone utility), so (r - 1 - ln r)-zCDP, r = epsilon /
        (e^epsilon - 1).
    """
    params = plans[0].params
    u = class_utilities(data, plans[0])
    ranked = ranking(data, params["d_min"], params["d_max"])
    best_first = np.take_along_axis(u, ranked, axis=1)
    columns = []
    for seed in seeds:
        gumbel = mechanisms.standard_gumbel(seed, "selection", u.shape)
        order = mechanisms.standard_uniform(seed, "members", u.shape)
        column = []
        for event in (p.exponential("selection") for p in plans):
            by_class = zip(best_first, gumbel, order, ranked, strict=True)
            chosen = np.stack(
                [mechanisms.top_k(a, params["k"], event, g, o, r) for a, g, o, r in by_class]
            )
            column.append(cosine_release(data.public[chosen], chosen))
        columns.append(column)
    return Fit([list(row) for row in zip(*columns, strict=True)], {"utilities": u})


# ----------------------------------------------------------------- losses of records, audit cases


def why_no_losses(params: Mapping[str, Any]) -> str | None:
    """Why there is no formula: for sets of several pictures."""
    if params["k"] == 1:
        return None
    return (
        "The exact loss per record is available for K = 1 only, because with K above 1 every set"
        " of K images counts."
    )


METHOD = Method(
    key=KEY,
    title="DPPL-PublicK",
    source=SOURCE,
    summary="Uses the mean of K public images per class, chosen privately as one set.",
    params=(K, D_MIN, D_MAX),
    plan=plan,
    fit=fit,
    line_style=LineStyle(BERRY, "dash", "diamond"),
    losses=selection_losses,
    why_no_losses=why_no_losses,
    queries=queries,
    cases=lambda: [selection_case({"k": 1}), selection_case({"k": 2})],
    event_cases=lambda: [selection_event_case({"k": 1})],
    needs_public=True,
)
