"""Sentences of the page "DP means", with those on five mean estimators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dpviz.diagnostics.mean_estimators import ESTIMATORS, EXACT, PRIOR, EstimatorErrors, Setting
from dpviz.formatting import number
from dpviz.stats import Interval, clear_pairs
from dpviz.types import DataConfig, Guarantee
from dpviz.views.phrases import guess, out_of_100, recognition_text, times, untested


@dataclass(frozen=True)
class Rotation:
    """A class's number of records, and by how many degrees noise turns its mean."""

    records: int
    angle: float


def answer(
    config: DataConfig,
    metric: str,
    rare: Sequence[str],
    scores: tuple[Interval, Interval],
    turned: tuple[Rotation, Rotation],
    diverging: tuple[int, int],
    guarantee: Guarantee,
) -> str:
    """In Markdown: what noise does to the average of a class, and what that costs.

    Args:
        rare: names of the classes that a score by the minority counts; scores: accuracy with noise
            and without; turned: the largest class and the smallest; diverging: classes for which
            CoinPress diverges, and all; promise: at the budget looked at.
    """
    right, quiet = scores
    large, small = turned
    noun = "picture" if config.encoder else "record"
    scored = untested(rare)
    if right.is_measured:
        scored = (
            f"At this privacy setting {recognition_text(metric, rare, config)} {times(right.mean)};"
            f" without noise the same method manages **{out_of_100(quiet.mean)}**."
        )
    return (
        f"The noisy average {noun} of each class stands for it. {scored} Noise turns the average"
        f" of the largest class ({_count_text(large.records, noun)}) by **{large.angle:.0f}**"
        " degrees and"
        f" of the smallest ({_count_text(small.records, noun)}) by **{small.angle:.0f}**; at 90"
        " it points anywhere."
        f" {_coinpress_text(*diverging)} {guess([guarantee])}."
    )


def _coinpress_text(diverging: int, classes: int) -> str:
    """How a way fares that guesses the average roughly and then closes in on it."""
    start = "CoinPress, which guesses roughly and then closes in,"
    if not diverging:
        return f"{start} would find every class's average."
    return f"{start} would lose its way in **{diverging} of {classes}** classes."


def _count_text(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def errors_at(results: EstimatorErrors, current: float) -> dict[str, Interval]:
    """The error of each line at a place of the axis, where it has one."""
    return {key: line[current] for key, line in results.items() if current in line}


def ranked(points: Mapping[str, Interval]) -> tuple[list[str], frozenset[frozenset[str]]]:
    """The private estimators from the closest on, and which pairs, the prior among them, can be
    told apart when all are looked at (Holm).
    """
    private = {key: p for key, p in points.items() if key in ESTIMATORS or key == PRIOR}
    order = sorted((key for key in private if key != PRIOR), key=lambda key: private[key].mean)
    return order, clear_pairs(private)


def estimators_precise(
    results: EstimatorErrors, titles: Mapping[str, str], setting: Setting, current: float
) -> str:
    """One sentence: errors at the place looked at, the closest first, ties said."""
    points = errors_at(results, current)
    order, clear = ranked(points)
    first = order[0]
    others = "; ".join(
        f"{titles[key]} {_length(points[key])}"
        f"{'' if frozenset((first, key)) in clear else ' (within noise)'}"
        for key in order[1:]
    )
    return (
        f"{setting_text(setting)[:1].upper()}{setting_text(setting)[1:]}: **{titles[first]}**"
        " misses the mean by"
        f" **{_length(points[first])}**; {others}. The mean without noise misses it by"
        f" {_length(points[EXACT])}, the prior alone by {_length(points[PRIOR])}."
        f"{_prior_text(points, first, clear)}"
    )


def estimators_plain(
    results: EstimatorErrors, titles: Mapping[str, str], setting: Setting, current: float
) -> str:
    """The same for who knows no estimator."""
    points = errors_at(results, current)
    order, clear = ranked(points)
    first, last = order[0], order[-1]
    tied = [titles[key] for key in order[1:] if frozenset((first, key)) not in clear]
    comparison = f", no closer than {' or '.join(tied)} beyond luck" if tied else ""
    times = points[last].mean / max(points[first].mean, 1e-30)
    return (
        f"Of five ways to hide one record among {setting.n:,} in an average, **{titles[first]}**"
        f" comes closest here{comparison}: off by {_length(points[first])}, without noise"
        f" {_length(points[EXACT])}. {titles[last]} is off by {number(float(f'{times:.2g}'))} times"
        f" as much.{_prior_text(points, first, clear)}"
    )


def _prior_text(
    points: Mapping[str, Interval], first: str, clear: frozenset[frozenset[str]]
) -> str:
    """Where the closest is no closer than a guess."""
    better = points[first].mean < points[PRIOR].mean and frozenset((first, PRIOR)) in clear
    return "" if better else " None is shown to beat saying where the mean is believed to be."


def setting_text(setting: Setting, axis: str = "") -> str:
    """The setting in symbols, without what is on the axis."""
    parts = {
        "rho": f"ρ = {number(setting.rho)}",
        "n": f"n = {setting.n:,}",
        "d": f"d = {setting.d:,}",
        "centre": f"the mean {number(setting.centre)}√d from the believed centre",
        "radius": f"a believed radius of {number(setting.radius)}√d",
    }
    return "at " + ", ".join(words for name, words in parts.items() if name != axis)


def _length(point: Interval) -> str:
    return f"{point.mean:.3g}"
