"""The main chart of the DP means page: exact and private means, which follow the budget."""

from __future__ import annotations

import dataclasses

import streamlit as st

from dpviz.diagnostics import mean_errors
from dpviz.experiments import experiment
from dpviz.plots.kit.drawing import class_order
from dpviz.plots.mean_maps import MeansMap
from dpviz.text import dp_means as text
from dpviz.text.template import render
from dpviz.ui.dp_means import answer
from dpviz.ui.dp_means.answer import KEY, MEAN, Content
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.live import page_caches
from dpviz.ui.widgets import cards, charts, export, live_budget
from dpviz.ui.widgets.live_budget import BudgetFrames
from dpviz.views import dp_means_page, method_tiles

_map = page_caches.cached_by_content(40, text.MAP_SPINNER)(mean_errors.means_map)


def chart(content: Content) -> MeansMap | None:
    """Return the means at all budgets of the axis; None without a public set."""
    view = content.view
    budgets = tuple(map(view.budget.with_value, view.budgets))
    spec = dataclasses.replace(content.results.spec, budget=budgets[-1])
    means = _map(spec, budgets)
    turned = [answer.turns(content.with_budget(budget.value).results) for budget in budgets]
    exact = content.results.exact
    points = [content.with_budget(budget.value).private for budget in budgets]
    return means and MeansMap.from_map(
        means,
        content.names,
        tuple((point.mean, point.runs) for point in points),
        content.metric,
        view.budget.axis,
        view.budget.delta,
        view.first_seed,
        tuple(map(dp_means_page.failing, turned)),
        exact.minority_classes if content.metric == "minority" else (),
        content.rare_places,
        tuple(tuple(map(dp_means_page.shift, turns)) for turns in turned),
        tuple(reversed(class_order(exact.class_counts))),
        min(len(content.results.at_budget), answer.MAX_SEEDS),
    )


def draw(content: Content, means: MeansMap | None) -> bool:
    """Draw the map; return whether it only followed the budget."""
    with page_parts.picture():
        cards.private_view()
        if means is None:
            st.info(text.NO_MAP)
            return False
        view = content.view
        budgets = tuple(map(view.budget.with_value, view.budgets))
        first_spec = dataclasses.replace(content.results.spec, budget=budgets[0])
        unchanged = (
            first_spec,
            experiment.prepared(first_spec).fingerprint,
            budgets,
            content.metric,
        )
        first_budget, is_kept = live_budget.first_drawn(KEY, unchanged, view.budget.value)
        precise = detail_level.precise()
        tiles = lambda at: answer.tiles(content.with_budget(at), precise)
        frames = BudgetFrames(
            KEY,
            means.budgets,
            view.budget.value,
            precise=lambda at: answer.answer(content.with_budget(at), True),
            plain=lambda at: answer.answer(content.with_budget(at), False),
            tiles=lambda at: page_parts.tiles_html(tiles(at)),
            finding=lambda at: answer.finding(content.with_budget(at)),
        )
        key = charts.plot(means, f"{KEY}-map", first_budget, precise)
        followed = live_budget.follow(key, frames) and is_kept
        page_parts.caption(_caption(content, means, precise))
        return followed


def _caption(content: Content, means: MeansMap, precise: bool) -> str:
    """Return the sentences below the map."""
    runs, _ = method_tiles.basis(content.private, content.view)
    sentences = [
        render(text.MAP_CAPTION, share=means.share) if precise else "",
        _rare_text(content, means) if means.rare else "",
        text.MAP_RUN,
        render(text.MAP_RUNS, runs=runs) if runs else "",
    ]
    return " ".join(filter(None, sentences))


def _rare_text(content: Content, means: MeansMap) -> str:
    """Return how many private images the rare classes have."""
    counts = [content.results.exact.class_counts[place] for place in means.rare]
    low, high = min(counts), max(counts)
    return render(text.MAP_RARE["equal" if low == high else "range"], low=low, high=high)


def table(content: Content, means: MeansMap) -> None:
    """Draw the positions of the means, and how the map is made."""
    export.table(means.table(content.view.budget.value), f"{KEY}-map", text.MAP_TABLE)
    facts = render(text.MAP_FACTS, points=len(means.points))
    pools = dict(dict(content.view.params).get(MEAN, ())).get("k_pool", 1) > 1
    st.caption(f"{facts} {text.MAP_POOLING}" if pools else facts)
