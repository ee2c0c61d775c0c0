"""DPPL-Public: each class picks one public image as its prototype by the exponential mechanism."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from dpviz import mechanisms, privacy
from dpviz.methods.components.prototypes import (
    D_MAX,
    D_MIN,
    cosine_release,
    require_public,
    utilities,
    window_width,
)
from dpviz.methods.components.selection_losses import selection
from dpviz.methods.components.worst_neighbours import records
from dpviz.types import (
    AuditCase,
    Budget,
    Dataset,
    EventCase,
    Exponential,
    Fit,
    Method,
    Plan,
    Query,
    Release,
    Sizes,
)
from dpviz.types.line_style import ORANGE, LineStyle

KEY = "dppl-public"
SOURCE = "DPPL (AAAI 2025), Algorithm 1; McSherry & Talwar 2007"
PUBLIC = "the encoder, the public set"
SMALL_BUDGET = Budget(3.0)
"""Of the audit: small enough that the rarer outcome is still seen."""
SMALLER_BUDGET = Budget(2.0)
"""Of the audit of the draws, of which there are more outcomes."""


def selection_plan(
    method: Method,
    source: str,
    sizes: Sizes,
    budget: Budget,
    params: Mapping[str, Any],
    needed: int = 1,
) -> Plan:
    """One exponential mechanism a class; classes are disjoint, so together they cost as much as
    one.
    """
    require_public(method.title, sizes.public, needed)
    width = window_width(params["d_min"], params["d_max"])
    event = Exponential(width, privacy.exponential_epsilon_for(budget))
    return privacy.make_plan(
        method.key, params, budget, {"selection": event}, source=source, public=PUBLIC
    )


def plan(sizes: Sizes, budget: Budget, params: Mapping[str, Any]) -> Plan:
    """epsilon of the selection from the budget; sensitivity d_max - d_min on the scores' grid."""
    return selection_plan(METHOD, SOURCE, sizes, budget, params)


def fit(data: Dataset, plans: list[Plan], seeds: list[int]) -> Fit:
    """Draw one public record a class for each plan and seed.

    Guarantee: epsilon-DP under add/remove (monotone utility), so (r - 1 - ln r)-zCDP, r = epsilon /
        (e^epsilon - 1).
    """
    u = class_utilities(data, plans[0])
    columns = []
    for seed in seeds:
        gumbel = mechanisms.standard_gumbel(seed, "selection", u.shape)
        columns.append(
            [mechanisms.exponential(u, p.exponential("selection"), gumbel) for p in plans]
        )
    chosen = np.array(columns).transpose(1, 0, 2)
    releases = [
        [cosine_release(data.public[pick], pick[:, None]) for pick in row] for row in chosen
    ]
    return Fit(releases, {"utilities": u})


def class_utilities(data: Dataset, plan: Plan, before: None = None) -> np.ndarray:
    """What the plan's draws choose by: (C, m)."""
    return utilities(data, plan.params["d_min"], plan.params["d_max"])


def queries(plan: Plan) -> dict[str, Query]:
    """The utilities, of which each class's row makes a choice."""
    return {"selection": Query(class_utilities)}


# ----------------------------------------------------------------- losses of records, audit cases


def selection_case(params: Mapping[str, Any]) -> AuditCase:
    """Two public records; a vote against the first, and one more record that votes for it alone."""
    public = [[1.0, 0.0], [-1.0, 0.0]] * 2
    base, labels = [[-1.0, 0.0], [0.0, 1.0]], [0, 1]
    more, less = records([*base, [1.0, 0.0]], [*labels, 0], public), records(base, labels, public)
    params = {"d_min": 0.0, "d_max": 2.0, **params}
    return AuditCase(params, more, less, _first_chosen, SMALL_BUDGET)


def _first_chosen(release: Release, data: Dataset) -> float:
    """Whether it is the first record, which even rows of the public set are."""
    assert release.chosen is not None
    return float(np.min(release.chosen[0] % 2) == 0)


HERE, THERE = [0.6, 0.8], [-0.6, -0.8]


def selection_event_case(params: Mapping[str, Any], copies: int = 1) -> EventCase:
    """Two classes that choose alike, and in one of them a record more, which votes for the picture
    that they do not choose.

    Args:
        copies: of each of the two pictures.
    """
    public = [HERE, THERE] * copies
    more = records([THERE, THERE, HERE], [0, 1, 1], public)
    less = records([THERE, THERE], [0, 1], public)
    params = {"d_min": 0.0, "d_max": 2.0, **params}
    return EventCase(params, more, less, ("selection",), SMALLER_BUDGET, share=2.0)


METHOD = Method(
    key=KEY,
    title="DPPL-Public",
    source=SOURCE,
    summary=(
        "Each class is stood for by one public picture, chosen privately for being like its"
        " records."
    ),
    params=(D_MIN, D_MAX),
    plan=plan,
    fit=fit,
    look=LineStyle(ORANGE, "solid", "square"),
    losses=selection,
    queries=queries,
    cases=lambda: [selection_case({})],
    event_cases=lambda: [selection_event_case({})],
    needs_public=True,
)
