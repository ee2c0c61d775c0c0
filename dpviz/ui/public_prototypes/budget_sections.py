"""K, size and kind of the public set over all budgets, and charts that grow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from dpviz.caches import KeyedCache
from dpviz.data import public_compared, public_title
from dpviz.diagnostics import prototype_budgets, prototype_choices
from dpviz.diagnostics.prototype_budgets import Lines
from dpviz.experiments import experiment, reproduce
from dpviz.formatting import budget_at_level, number, subset
from dpviz.plots.kit.drawing import budget_axis_title
from dpviz.plots.kit.style import LineStyle
from dpviz.plots.settings import BestValues, ErrorLines
from dpviz.stats import Interval, band, clear_pairs
from dpviz.text import public_prototypes as text
from dpviz.text.template import render, render_text
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
    """Return the last value of ``steps``, from memory or computed with progress.

    The value is drawn as it grows; any change of a control stops this. All steps reuse the noise of
    the page's own draws, so the session's privacy cost has no bound.

    Args:
        key: a name, the spec, and what else the value depends on.
    """
    session_cost.count_unknown()
    key = (experiment.prepared(key[1]).fingerprint, *key)
    last = _last_charts.get(key)
    if last is None:
        bar = st.progress(0.0, render(text.PROGRESS, done=0, total=total))
        for done, last in enumerate(steps, start=1):
            bar.progress(done / total, render(text.PROGRESS, done=done, total=total))
            if done % 3 == 1 and done < total:
                with place.container():
                    draw(last, f"-{done}")
        bar.empty()
        _last_charts.put(key, last)
    with place.container():
        draw(last, "")
    return last


#: Values of K that the paper tries.
KS = (1, 2, 3, 5, 10, 20)
SIZES = (10, 30, 100, 300, 1000, 10000)
HUES = (MAUVE, BROWN, OLIVE, BERRY, INDIGO, FOREST, ORANGE)
DASHES = ("dot", "dash", "dashdot", "longdash", "longdashdot", "5px,2px", "solid")
MARKS = ("triangle-up", "square", "diamond", "cross", "hourglass", "star", "circle")
Rows = list[dict[str, Any]]


def wants_all_budgets() -> bool:
    """Draw the choice between the current budget and all; return True for all."""
    options = {"label_visibility": "collapsed"}
    return segments(text.OVER_LABEL, text.BUDGET_RANGES, "now", "over", **options) == "all"


def budgets(choices: Choices) -> tuple[float, ...]:
    """Return every second stop of the axis, and the current budget."""
    budget = choices.view.budget
    return tuple(sorted({*STOPS[budget.axis][::2], budget.value}))


def top_k_by_budget(choices: Choices) -> Rows:
    """Draw which K is best at each budget, and the accuracy of each."""
    ks = tuple(k for k in KS if k <= choices.odds.public)
    answer, line = st.empty(), lambda k: render_text(text.K_LINE, k=k)
    points = _points(choices, "k", ks, prototype_budgets.of_ks, line)
    every = {b: {k: points[k][b] for k in ks} for b in budgets(choices)}
    best = {b: prototype_budgets.perhaps_best(accuracies) for b, accuracies in every.items()}
    axis = choices.view.budget.axis, choices.view.budget.delta
    chart = BestValues.from_values(best, ks, "K", "dppl-publick", *axis)
    answer.markdown(_k_words(chart))
    charts.plot(chart, f"{KEY}-k-best")
    st.caption(_caption(choices, text.K_BUDGETS_CAPTION))
    first = prototype_choices.with_budget(choices.spec, budgets(choices)[0])
    _commands([prototype_choices.publick(first, k) for k in ks])
    return chart.table()


def sizes(choices: Choices) -> Rows:
    """Draw accuracy over budgets, one line per size of the public set."""
    m = choices.odds.public
    values = (*(v for v in SIZES if v < 0.95 * m), m)
    answer, line = st.empty(), lambda v: render_text(text.SIZE_LINE, size=v)
    points = _points(choices, "size", values, prototype_budgets.of_sizes, line)
    answer.markdown(_sizes_text(choices, points, values))
    st.caption(_caption(choices, text.SIZES_CAPTION))
    return _table(points, "public images")


def sets(choices: Choices) -> Rows:
    """Draw accuracy over budgets, one line per public set."""
    keys = public_compared(choices.view.dataset, choices.view.public)
    answer = st.empty()
    points = _points(choices, "set", keys, prototype_budgets.of_sets, public_title)
    answer.markdown(_sets_text(choices, points))
    st.caption(_caption(choices))
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
    """Draw lines that grow, one after another."""
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
        budget_axis_title(budget.axis, budget.delta),
        {title(value): line for value, line in points.items()},
        {title(value): style for value, style in zip(points, styles, strict=False)},
        chance=choices.chance,
        words=tuple((b, number(b)) for b in budgets(choices)),
        measure=text.MEASURE,
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


def _caption(choices: Choices, more: str = "") -> str:
    """Return what the accuracy counts, what the bands mean, and one more text."""
    caption = render(
        text.BUDGETS_CURVE_CAPTION,
        group=choices.group,
        data=subset(choices.view),
        bands=detail_level.bands(len(choices.draws.seeds)),
    )
    return f"{caption} {more}".strip()


def _commands(specs: list) -> None:
    export.code_block("\n".join(reproduce.run_command(spec) for spec in specs))


def _k_words(chart: BestValues) -> str:
    """Return how the best K changes with the budget, and whether one K is never worse."""
    low, high = chart.best[0], chart.best[-1]
    shared = set.intersection(*map(set, chart.not_worse))
    growth = "grows" if low < high else "falls" if low > high else "same"
    common = "some" if shared else "none"
    growth_text = render(text.K_GROWTH[growth], low=low, high=high)
    return f"{growth_text} {render(text.K_SHARED[common], k=min(shared, default=0))}"


def _ends(choices: Choices) -> tuple[float, float]:
    """Return the smallest and the largest budget."""
    return budgets(choices)[0], budgets(choices)[-1]


def _sizes_text(choices: Choices, points: Points, values: tuple[Any, ...]) -> str:
    """Return the accuracy with the smallest and the whole set, at both ends of the axis."""
    few, whole = points[values[0]], points[values[-1]]
    sentences = []
    for b in _ends(choices):
        case = "clear" if clear_pairs({0: few[b], 1: whole[b]}) else "unclear"
        fields = {"few": values[0], "low": few[b], "high": whole[b]}
        sentences.append(render(text.SIZES_AT[case], budget=_budget_text(choices, b), **fields))
    return " ".join(sentences)


def _sets_text(choices: Choices, points: Points) -> str:
    """Return the best public set at both ends of the axis."""
    sentences = []
    for b in _ends(choices):
        here = {key: line[b] for key, line in points.items()}
        top = max(here, key=lambda key: here[key].mean)
        clear = clear_pairs(here)
        tied = [key for key in here if key != top and frozenset((top, key)) not in clear]
        case = "none" if len(tied) == len(here) - 1 else "tied" if tied else "clear"
        sentences.append(
            render(
                text.SETS_AT[case],
                budget=_budget_text(choices, b),
                name=public_title(top),
                best=here[top],
                tied=[public_title(key) for key in tied],
            )
        )
    return " ".join(sentences)


def _budget_text(choices: Choices, value: float) -> str:
    budget = replace(choices.view.budget, value=value)
    return budget_at_level(budget, detail_level.precise())
