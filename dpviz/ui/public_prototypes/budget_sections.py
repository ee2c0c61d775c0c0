"""Sections on K, size and kind of the public set over all budgets, and charts that grow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from dpviz.caches import KeyedCache
from dpviz.data import public_compared, public_title
from dpviz.diagnostics import prototype_budgets, prototype_choices
from dpviz.diagnostics.prototype_budgets import Lines
from dpviz.formatting import METRIC_WORDS, axis_title, budget_text, listed, number, percent, subset
from dpviz.plots.kit.style import LineStyle
from dpviz.plots.settings import BestValues, ErrorLines
from dpviz.run import experiment, reproduce
from dpviz.stats import Interval, band, clear_pairs
from dpviz.types.line_style import BERRY, BROWN, FOREST, INDIGO, MAUVE, OLIVE, ORANGE
from dpviz.ui.frame import detail_level
from dpviz.ui.live import session_cost
from dpviz.ui.public_prototypes.answer import KEY, Choices
from dpviz.ui.widgets import charts, export
from dpviz.ui.widgets.choices import segments
from dpviz.views.page_config import STOPS

_last_charts: KeyedCache[Any] = KeyedCache(__name__, 64)


def grown(
    key: tuple[Any, ...],
    steps: Iterator[Any],
    total: int,
    place: Any,
    draw: Callable[[Any, str], object],
) -> Any:
    """The last value of ``steps``: kept, or worked out with progress, drawn as it grows; any move
    ends it.

    All steps have the noise of the page's own draws, so the session ledger has no bound.

    Args:
        key: a name, the spec, and what else the value depends on.
    """
    session_cost.count_unknown()
    key = (experiment.prepared(key[1]).fingerprint, *key)
    last = _last_charts.get(key)
    if last is None:
        bar = st.progress(0.0, "Working it out …")
        for done, last in enumerate(steps, start=1):
            bar.progress(done / total, f"{done} of {total} steps; any move of a control stops this")
            if done % 3 == 1 and done < total:
                with place.container():
                    draw(last, f"-{done}")
        bar.empty()
        _last_charts.put(key, last)
    with place.container():
        draw(last, "")
    return last


KS = (1, 2, 3, 5, 10, 20)
"""Those that the paper tries."""
SIZES = (10, 30, 100, 300, 1000, 10000)
HUES = (MAUVE, BROWN, OLIVE, BERRY, INDIGO, FOREST, ORANGE)
DASHES = ("dot", "dash", "dashdot", "longdash", "longdashdot", "5px,2px", "solid")
MARKS = ("triangle-up", "square", "diamond", "cross", "hourglass", "star", "circle")
Rows = list[dict[str, Any]]


def wants_all_budgets() -> bool:
    """Whether all budgets are asked for rather than the one looked at."""
    over = {"now": "At this budget", "all": "Over all budgets"}
    return segments("Budgets", over, "now", "over", label_visibility="collapsed") == "all"


def budgets(choices: Choices) -> tuple[float, ...]:
    """Every second stop of the axis, and the budget looked at."""
    budget = choices.view.budget
    return tuple(sorted({*STOPS[budget.axis][::2], budget.value}))


def top_k_by_budget(choices: Choices) -> Rows:
    """Which K is best at each budget, and the accuracy of each."""
    ks = tuple(k for k in KS if k <= choices.odds.public)
    points = _points(choices, "k", ks, prototype_budgets.of_ks, lambda k: f"K = {k}")
    every = {b: {k: points[k][b] for k in ks} for b in budgets(choices)}
    best = {b: prototype_budgets.perhaps_best(accuracies) for b, accuracies in every.items()}
    axis = choices.view.budget.axis, choices.view.budget.delta
    chart = BestValues.from_values(best, ks, "K", "dppl-publick", *axis)
    st.markdown(_k_words(chart))
    charts.plot(chart, f"{KEY}-k-best")
    st.caption(
        f"{_best_k_text(choices)} Diamond: the K with the highest mean on test records. Bar: every"
        " K not"
        " shown to be worse; the K that is best in truth is among them but for a chance of 5% a"
        " budget. The paper sorts by accuracy on the private training records, which would have to"
        " be paid for; so would a K read off here."
    )
    first = prototype_choices.with_budget(choices.spec, budgets(choices)[0])
    _commands([prototype_choices.publick(first, k) for k in ks])
    return chart.table()


def sizes(choices: Choices) -> Rows:
    """Accuracy over budgets, a line a size of the public set."""
    m = choices.odds.public
    values = (*(v for v in SIZES if v < 0.95 * m), m)
    points = _points(
        choices, "size", values, prototype_budgets.of_sizes, lambda v: f"{v:,} pictures"
    )
    st.markdown(_first_and_last(choices, points, values, lambda v: f"{v:,} public pictures"))
    st.caption(
        f"{_best_k_text(choices)} A seed draws the subset, nested in larger ones, and the noise."
    )
    return _table(points, "public pictures")


def sets(choices: Choices) -> Rows:
    """Accuracy over budgets, a line a public set."""
    keys = public_compared(choices.view.dataset, choices.view.public)
    title = public_title
    points = _points(choices, "set", keys, prototype_budgets.of_sets, title)
    st.markdown(_set_words(choices, points, title))
    st.caption(_best_k_text(choices))
    first = prototype_choices.with_budget(choices.spec, budgets(choices)[0])
    _commands([replace(first, public=key) for key in keys])
    return _table(points, "public set")


# -------------------------------------------------------------------------------------- their parts

Points = Mapping[Any, Mapping[float, Interval]]
"""Accuracy by value of the setting and by budget."""


def _points(
    choices: Choices,
    name: str,
    values: tuple[Any, ...],
    steps: Callable[..., Iterator[Lines]],
    title: Callable[[Any], str],
) -> Points:
    """Lines that grow, one after another."""
    seeds, stops = choices.draws.seeds, budgets(choices)

    def draw(lines: Lines, stage: str) -> None:
        chart = _chart(choices, _bands(choices, lines), title)
        charts.plot(chart, f"{KEY}-{name}-budgets{stage}")

    lines = grown(
        (f"{name} over budgets", choices.any_budget, stops, seeds, values),
        steps(choices.any_budget, stops, values, seeds),
        len(values),
        st.empty(),
        draw,
    )
    return _bands(choices, lines)


def _bands(choices: Choices, lines: Lines) -> Points:
    return {
        value: {b: band(runs, choices.metric) for b, runs in line.items()}
        for value, line in lines.items()
    }


def _chart(choices: Choices, points: Points, title: Callable[[Any], str]) -> ErrorLines:
    styles = [LineStyle(*style) for style in zip(HUES, DASHES, MARKS, strict=True)][-len(points) :]
    budget = choices.view.budget
    return ErrorLines.from_points(
        axis_title(budget.axis, budget.delta),
        {title(value): line for value, line in points.items()},
        {title(value): style for value, style in zip(points, styles, strict=False)},
        chance=choices.chance,
        words=tuple((b, number(b)) for b in budgets(choices)),
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


def _best_k_text(choices: Choices) -> str:
    return (
        f"Accuracy, {METRIC_WORDS[choices.metric]}, {subset(choices.view)}."
        f" {detail_level.bands(len(choices.draws.seeds))}"
    )


def _commands(specs: list) -> None:
    export.code_block("\n".join(reproduce.run_command(spec) for spec in specs))


def _k_words(chart: BestValues) -> str:
    low, high = chart.best[0], chart.best[-1]
    shared = set.intersection(*map(set, chart.not_worse))
    common = (
        f"K = {min(shared)} may be best at every one of them, so no growth is shown"
        if shared
        else "no single K may be best at all of them"
    )
    grows = "grows" if low < high else "falls" if low > high else "is the same"
    return (
        f"From the smallest budget to the largest the best K tried {grows}, from **{low}** to"
        f" **{high}**; {common}."
    )


def _first_and_last(
    choices: Choices, points: Points, values: tuple[Any, ...], value_text: Callable[[Any], str]
) -> str:
    """The smallest and the whole set at the smallest and the largest budget."""
    few, whole = points[values[0]], points[values[-1]]
    parts = []
    for b in (budgets(choices)[0], budgets(choices)[-1]):
        tied = "" if clear_pairs({0: few[b], 1: whole[b]}) else " (within noise)"
        parts.append(
            f"at {_budget_text(choices, b)} {value_text(values[0])} give **{percent(few[b])}**"
            f" and all {values[-1]:,} **{percent(whole[b])}**{tied}"
        )
    words = "; ".join(parts)
    return f"{words[:1].upper()}{words[1:]}."


def _set_words(choices: Choices, points: Points, title: Callable[[Any], str]) -> str:
    parts = []
    for b in (budgets(choices)[0], budgets(choices)[-1]):
        here = {key: line[b] for key, line in points.items()}
        top = max(here, key=lambda key: here[key].mean)
        clear = clear_pairs(here)
        tied = [title(key) for key in here if key != top and frozenset((top, key)) not in clear]
        if len(tied) == len(here) - 1:
            parts.append(
                f"at {_budget_text(choices, b)} none can be told best (at most"
                f" {percent(here[top])})"
            )
            continue
        comparison = f", within noise of {listed([f'“{name}”' for name in tied])}" if tied else ""
        parts.append(
            f"at {_budget_text(choices, b)} **{title(top)}** does best"
            f" ({percent(here[top])}{comparison})"
        )
    words = "; ".join(parts)
    return f"{words[:1].upper()}{words[1:]}."


def _budget_text(choices: Choices, value: float) -> str:
    return budget_text(replace(choices.view.budget, value=value))
