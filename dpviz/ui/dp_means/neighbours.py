"""The closer look "By neighbours": the means in a map fitted on public pictures by t-SNE, beside
the plane of the main chart.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from dpviz.diagnostics import public_neighbours
from dpviz.diagnostics.public_neighbours import FEWEST, NEAREST, Neighbours
from dpviz.formatting import budget_text
from dpviz.plots.mean_maps import NeighbourMap
from dpviz.ui.dp_means.answer import Results
from dpviz.ui.live import page_caches
from dpviz.ui.widgets import cards, charts, export
from dpviz.views.page_config import PageConfig

_neighbours = page_caches.of_content(40, "Fitting the map on public pictures …")(
    public_neighbours.neighbours
)


def show(
    results: Results, view: PageConfig, names: Sequence[str], metric: str
) -> list[dict[str, Any]]:
    """The means of the first seed at the budget looked at among public pictures."""
    spec = results.now[0].spec
    found = _neighbours(spec)
    if found is None:
        st.info(f"This map is fitted on public pictures; it needs at least {FEWEST} of them.")
        return []
    cards.private_view()
    st.markdown(answer(found, view))
    chart = NeighbourMap(tuple(names), found.public, found.exact, found.private)
    charts.plot(chart, "dp-means-neighbours")
    st.caption(
        f"t-SNE, fitted on {len(found.public):,} public pictures alone, begun at their main"
        " directions, seed fixed: like pictures lie together, distances and directions say nothing."
        " It has no place for anything else, so a mean stands at the average place of the"
        f" {NEAREST} public pictures most like it; one that noise has carried off stands between"
        f" pictures that have nothing in common. Seed {spec.seed}. Exact means are not released."
        " The same again:"
    )
    export.code_block(
        "from dpviz.diagnostics import public_neighbours\n"
        "from dpviz.types import Budget, RunSpec\n\n"
        f"print(public_neighbours.neighbours({spec!r}))",
        "python",
    )
    return [
        row | {"neighbours shared": int(shared)}
        for row, shared in zip(chart.table(), found.shared, strict=True)
    ]


def answer(found: Neighbours, view: PageConfig) -> str:
    """How many means stay among their public neighbours, and how far either map can be trusted."""
    kept = int((found.shared > 0).sum())
    return (
        f"At {budget_text(view.budget)} the private means of **{kept} of {len(found.shared)}**"
        " classes share"
        f" at least one of their {NEAREST} nearest public pictures with the exact mean. How far"
        " pictures that lie near in a map are near in truth (trustworthiness, at most 1):"
        f" **{found.faithful:.2f}** here, **{found.plane:.2f}** in the plane above."
    )
