"""The closer looks at K, the size of the public set and its kind, over all budgets at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from dpviz.data import public_compared, public_title
from dpviz.diagnostics import prototype_budgets, prototype_choices
from dpviz.diagnostics.prototype_budgets import Lines
from dpviz.formatting import METRIC_WORDS, axis_title, budget_text, listed, number, percent, subset
from dpviz.plots.kit.style import LineStyle
from dpviz.plots.settings import BestValues, ErrorLines
from dpviz.run import reproduce
from dpviz.stats import Interval, band, clear_pairs
from dpviz.types.line_style import BERRY, BROWN, FOREST, INDIGO, MAUVE, OLIVE, ORANGE
from dpviz.ui.frame import detail_level
from dpviz.ui.public_prototypes.answer import Choices
from dpviz.ui.public_prototypes.controls import KEY
from dpviz.ui.public_prototypes.grown_charts import grown
from dpviz.ui.widgets import charts, export
from dpviz.ui.widgets.choices import segments
from dpviz.views.page_config import STOPS

KS = (1, 2, 3, 5, 10, 20)
"""Those that the paper tries."""
SIZES = (10, 30, 100, 300, 1000, 10000)
HUES = (MAUVE, BROWN, OLIVE, BERRY, INDIGO, FOREST, ORANGE)
DASHES = ("dot", "dash", "dashdot", "longdash", "longdashdot", "5px,2px", "solid")
MARKS = ("triangle-up", "square", "diamond", "cross", "hourglass", "star", "circle")
Rows = list[dict[str, Any]]


def wanted() -> bool:
    """Whether all budgets are asked for rather than the one looked at."""
    over = {"now": "At this budget", "all": "Over all budgets"}
    return segments("Budgets", over, "now", "over", label_visibility="collapsed") == "all"


def budgets(shown: Choices) -> tuple[float, ...]:
    """Every second stop of the axis, and the budget looked at."""
    now = shown.view.budget
    return tuple(sorted({*STOPS[now.axis][::2], now.value}))


def top_k_by_budget(shown: Choices) -> Rows:
    """Which K is best at each budget, and the accuracy of each."""
    ks = tuple(k for k in KS if k <= shown.odds.public)
    points = _points(shown, "k", ks, prototype_budgets.of_ks, lambda k: f"K = {k}")
    every = {b: {k: points[k][b] for k in ks} for b in budgets(shown)}
    best = {b: prototype_budgets.perhaps_best(found) for b, found in every.items()}
    axis = shown.view.budget.axis, shown.view.budget.delta
    chart = BestValues.from_values(best, ks, "K", "dppl-publick", *axis)
    st.markdown(_k_words(chart))
    charts.plot(chart, f"{KEY}-k-best")
    st.caption(
        f"{_best_k_text(shown)} Diamond: the K with the highest mean on test records. Bar: every"
        " K not"
        " shown to be worse; the K that is best in truth is among them but for a chance of 5 % a"
        " budget. The paper sorts by accuracy on the private training records, which would have to"
        " be paid for; so would a K read off here."
    )
    first = prototype_choices.with_budget(shown.spec, budgets(shown)[0])
    _commands([prototype_choices.publick(first, k) for k in ks])
    return chart.table()


def sizes(shown: Choices) -> Rows:
    """Accuracy over budgets, a line a size of the public set."""
    m = shown.odds.public
    values = (*(v for v in SIZES if v < 0.95 * m), m)
    points = _points(shown, "size", values, prototype_budgets.of_sizes, lambda v: f"{v:,} pictures")
    st.markdown(_first_and_last(shown, points, values, lambda v: f"{v:,} public pictures"))
    st.caption(
        f"{_best_k_text(shown)} A seed draws the subset, nested in larger ones, and the noise."
    )
    return _table(points, "public pictures")


def sets(shown: Choices) -> Rows:
    """Accuracy over budgets, a line a public set."""
    keys = public_compared(shown.view.dataset, shown.view.public)
    title = public_title
    points = _points(shown, "set", keys, prototype_budgets.of_sets, title)
    st.markdown(_set_words(shown, points, title))
    st.caption(_best_k_text(shown))
    first = prototype_choices.with_budget(shown.spec, budgets(shown)[0])
    _commands([replace(first, public=key) for key in keys])
    return _table(points, "public set")


# -------------------------------------------------------------------------------------- their parts

Points = Mapping[Any, Mapping[float, Interval]]
"""Accuracy by value of the setting and by budget."""


def _points(
    shown: Choices,
    name: str,
    values: tuple[Any, ...],
    steps: Callable[..., Iterator[Lines]],
    title: Callable[[Any], str],
) -> Points:
    """Lines that grow, one after another."""
    seeds, stops = shown.draws.seeds, budgets(shown)

    def draw(found: Lines, stage: str) -> None:
        chart = _chart(shown, _bands(shown, found), title)
        charts.plot(chart, f"{KEY}-{name}-budgets{stage}")

    found = grown(
        (f"{name} over budgets", shown.any_budget, stops, seeds, values),
        steps(shown.any_budget, stops, values, seeds),
        len(values),
        st.empty(),
        draw,
    )
    return _bands(shown, found)


def _bands(shown: Choices, found: Lines) -> Points:
    return {
        value: {b: band(runs, shown.metric) for b, runs in line.items()}
        for value, line in found.items()
    }


def _chart(shown: Choices, points: Points, title: Callable[[Any], str]) -> ErrorLines:
    looks = [LineStyle(*look) for look in zip(HUES, DASHES, MARKS, strict=True)][-len(points) :]
    budget = shown.view.budget
    return ErrorLines.from_points(
        axis_title(budget.axis, budget.delta),
        {title(value): line for value, line in points.items()},
        {title(value): look for value, look in zip(points, looks, strict=False)},
        chance=shown.chance,
        words=tuple((b, number(b)) for b in budgets(shown)),
        measure="accuracy",
    )


def _table(points: Points, column: str) -> Rows:
    return [
        {
            column: value,
            "budget": b,
            "accuracy": p.mean,
            "low": p.low,
            "high": p.high,
            "runs": p.runs,
        }
        for value, line in points.items()
        for b, p in line.items()
    ]


def _best_k_text(shown: Choices) -> str:
    return (
        f"Accuracy, {METRIC_WORDS[shown.metric]}, {subset(shown.view)}."
        f" {detail_level.bands(len(shown.draws.seeds))}"
    )


def _commands(specs: list) -> None:
    export.code_block("\n".join(reproduce.run_command(spec) for spec in specs))


def _k_words(chart: BestValues) -> str:
    low, high = chart.best[0], chart.best[-1]
    shared = set.intersection(*map(set, chart.not_worse))
    same = (
        f"K = {min(shared)} may be best at every one of them, so no growth is shown"
        if shared
        else "no single K may be best at all of them"
    )
    grows = "grows" if low < high else "falls" if low > high else "is the same"
    return (
        f"From the smallest budget to the largest the best K tried {grows}, from **{low}** to"
        f" **{high}**; {same}."
    )


def _first_and_last(
    shown: Choices, points: Points, values: tuple[Any, ...], said: Callable[[Any], str]
) -> str:
    """The smallest and the whole set at the smallest and the largest budget."""
    few, whole = points[values[0]], points[values[-1]]
    parts = []
    for b in (budgets(shown)[0], budgets(shown)[-1]):
        tied = "" if clear_pairs({0: few[b], 1: whole[b]}) else " (within noise)"
        parts.append(
            f"at {_budget_text(shown, b)} {said(values[0])} give **{percent(few[b])}** and all"
            f" {values[-1]:,} **{percent(whole[b])}**{tied}"
        )
    words = "; ".join(parts)
    return f"{words[:1].upper()}{words[1:]}."


def _set_words(shown: Choices, points: Points, title: Callable[[Any], str]) -> str:
    parts = []
    for b in (budgets(shown)[0], budgets(shown)[-1]):
        here = {key: line[b] for key, line in points.items()}
        top = max(here, key=lambda key: here[key].mean)
        clear = clear_pairs(here)
        tied = [title(key) for key in here if key != top and frozenset((top, key)) not in clear]
        if len(tied) == len(here) - 1:
            parts.append(
                f"at {_budget_text(shown, b)} none can be told best (at most {percent(here[top])})"
            )
            continue
        beside = f", within noise of {listed([f'“{name}”' for name in tied])}" if tied else ""
        parts.append(
            f"at {_budget_text(shown, b)} **{title(top)}** does best ({percent(here[top])}{beside})"
        )
    words = "; ".join(parts)
    return f"{words[:1].upper()}{words[1:]}."


def _budget_text(shown: Choices, value: float) -> str:
    return budget_text(replace(shown.view.budget, value=value))
