"""Only-Public: the head that AdaMix starts from, trained on public records alone."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from dpviz import privacy
from dpviz.methods import adamix
from dpviz.methods.components.public_sets import draw_shots
from dpviz.types import Budget, Dataset, Fit, Method, Plan, Sizes
from dpviz.types.line_style import GREY, LineStyle

KEY = "only-public"


def plan(sizes: Sizes, budget: Budget, params: Mapping[str, Any]) -> Plan:
    """Nothing private is read, so nothing is spent: epsilon is 0 whatever the budget."""
    read, shots = adamix.need_texts(sizes, params), adamix.need_public(sizes, params)
    public = f"the encoder{read}; {shots} labeled public examples per class"
    return privacy.nothing_private(KEY, params, budget, public)


def fit(data: Dataset, plans: list[Plan], seeds: list[int]) -> Fit:
    """The head that AdaMix starts from.

    Guarantee: 0-DP; private labels and features are not touched.
    """
    params = plans[0].params
    shots = draw_shots(data, params["shots"], params["shots_draw"])
    release = adamix.head(adamix.first_head(data, shots, params))
    return Fit([[release] * len(seeds) for _ in plans])


METHOD = Method(
    key=KEY,
    title="Only-Public (no private data)",
    source="Golatkar et al. 2022, the Only-Public line",
    summary=("Linear classifier trained on a few labeled public images only. No privacy cost."),
    params=(
        adamix.SHOTS,
        dataclasses.replace(adamix.INIT, choices=adamix.INIT.choices[1:]),
        adamix.DECAY,
        adamix.BETA,
        adamix.DRAW,
    ),
    plan=plan,
    fit=fit,
    line_style=LineStyle(GREY, "dashdot", "triangle-left-open"),
    private=False,
    needs_public=True,
)
