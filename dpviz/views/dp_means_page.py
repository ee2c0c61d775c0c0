"""Choices of sentence on the DP means page, and their fields."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from dpviz.diagnostics.mean_errors import Turn
from dpviz.diagnostics.mean_estimators import ESTIMATORS, EXACT, PRIOR, EstimatorErrors, Setting
from dpviz.formatting import budget_at_level
from dpviz.stats import Interval, accuracy_loss, clear_pairs
from dpviz.text import dp_means as text
from dpviz.text.template import render, render_text
from dpviz.types import Budget
from dpviz.views.page_as_shown import Tile


def rounded(value: float) -> float:
    """Return a value with two significant digits."""
    return float(f"{value:.2g}")


# ---------------------------------------------------------------------------------------- answer


def answer(private: Interval, quiet: Interval, budget: Budget, metric: str, precise: bool) -> str:
    """Return what noise does to the accuracy, in Markdown.

    Args:
        private: accuracy with noise; quiet: without; metric: which test images count.
    """
    if not (private.is_measured and quiet.is_measured):
        return text.ANSWERS["untested"].fill(precise)
    loss = accuracy_loss(quiet, private)
    case = "lower" if loss.low > 0 else "higher" if loss.high < 0 else "level"
    return text.ANSWERS[case].fill(
        precise,
        budget=budget_at_level(budget, precise),
        group=text.GROUPS[metric],
        quiet=quiet,
        private=private,
    )


def failing(turned: Sequence[Turn]) -> frozenset[int]:
    """Return the classes whose noise exceeds the angle to the nearest other class."""
    return frozenset(c for c, turn in enumerate(turned) if turn.angle > turn.nearest)


def shift(turn: Turn) -> float:
    """Return the angle by which noise turns a mean, in angles to the nearest other class."""
    if turn.nearest:
        return turn.angle / turn.nearest
    return math.inf if turn.angle else 0.0


def finding(turned: Sequence[Turn], rare: Sequence[int] = ()) -> str:
    """Return for how many classes the noise exceeds the angle to the nearest other class.

    Args:
        turned: one entry per class; rare: the smallest quarter of the classes.
    """
    moved = failing(turned)
    if not moved:
        case = "none"
    elif len(moved) == len(turned):
        case = "all"
    elif moved == set(rare):
        case = "rare" if len(moved) > 1 else "only_rare"
    else:
        case = "some"
    return render_text(text.FINDINGS[case], moved=len(moved), classes=len(turned))


def coinpress_tile(diverging: int, classes: int, precise: bool) -> Tile:
    """Return for how many classes CoinPress diverges."""
    value = render_text(text.COINPRESS_VALUE, diverging=diverging, classes=classes)
    words = (text.COINPRESS_TILE, text.COINPRESS_NOTE, text.COINPRESS_HELP)
    title, note, help_text = (part.fill(precise) for part in words)
    return Tile(title, value, note, help_text)


# ------------------------------------------------------------------------------------ estimators


def errors_at(results: EstimatorErrors, current: float) -> dict[str, Interval]:
    """Return the error of each line at a value of the axis, where it has one."""
    return {key: line[current] for key, line in results.items() if current in line}


def ranked(points: Mapping[str, Interval]) -> tuple[list[str], frozenset[frozenset[str]]]:
    """Return the private estimators by error, and which pairs differ significantly (Holm).

    The pairs include the prior mean.
    """
    private = {key: p for key, p in points.items() if key in ESTIMATORS or key == PRIOR}
    order = sorted((key for key in private if key != PRIOR), key=lambda key: private[key].mean)
    return order, clear_pairs(private)


def estimators_text(
    results: EstimatorErrors,
    setting: Setting,
    current: float,
    precise: bool,
) -> str:
    """Return which estimator has the smallest error at a value of the axis, in Markdown."""
    points = errors_at(results, current)
    order, clear = ranked(points)
    first, last = order[0], order[-1]
    best = text.ESTIMATORS.fill(
        precise,
        first=text.ESTIMATORS_FIRST[first],
        last=text.ESTIMATORS_INSIDE[last],
        n=setting.n,
        ratio=rounded(points[last].mean / max(points[first].mean, 1e-30)),
        error=_error(points[first]),
        exact=_error(points[EXACT]),
    )
    beats_prior = points[first].mean < points[PRIOR].mean and frozenset((first, PRIOR)) in clear
    return best if beats_prior else f"{best} {text.ESTIMATORS_PRIOR}"


def estimator_rows(
    results: EstimatorErrors, titles: Mapping[str, str], current: float
) -> list[tuple[str, str, str]]:
    """Return title, error and comparison with the best estimator, one row per line."""
    points = errors_at(results, current)
    order, clear = ranked(points)
    rows = []
    for key in (*order, EXACT, PRIOR):
        comparison = text.ESTIMATOR_WORSE if frozenset((order[0], key)) in clear else ""
        if key == order[0]:
            comparison = text.ESTIMATOR_BEST
        elif not comparison and key in order:
            comparison = text.ESTIMATOR_SAME
        rows.append((titles[key], f"{points[key].mean:.3g}", comparison if key in order else ""))
    return rows


def setting_text(setting: Setting, axis: str = "") -> str:
    """Return a setting in symbols, without the value that the axis shows."""
    return ", ".join(
        render(template, value=getattr(setting, name))
        for name, template in text.SETTING_PARTS.items()
        if name != axis
    )


def _error(point: Interval) -> float:
    return float(f"{point.mean:.3g}")
