"""How far private means miss the true one, in plain words and in precise ones."""

from __future__ import annotations

from collections.abc import Mapping

from dpviz.diagnostics.mean_estimators import ESTIMATORS, EXACT, PRIOR, Found, Setting
from dpviz.formatting import number
from dpviz.stats import Interval, clear_pairs


def errors_at(found: Found, now: float) -> dict[str, Interval]:
    """The error of each line at a place of the axis, where it has one."""
    return {key: line[now] for key, line in found.items() if now in line}


def ranked(points: Mapping[str, Interval]) -> tuple[list[str], frozenset[frozenset[str]]]:
    """The private estimators from the closest on, and which pairs, the prior among them, can be
    told apart when all are looked at (Holm).
    """
    private = {key: p for key, p in points.items() if key in ESTIMATORS or key == PRIOR}
    order = sorted((key for key in private if key != PRIOR), key=lambda key: private[key].mean)
    return order, clear_pairs(private)


def estimators_precise(
    found: Found, titles: Mapping[str, str], setting: Setting, now: float
) -> str:
    """One sentence: errors at the place looked at, the closest first, ties said."""
    points = errors_at(found, now)
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


def estimators_plain(found: Found, titles: Mapping[str, str], setting: Setting, now: float) -> str:
    """The same for who knows no estimator."""
    points = errors_at(found, now)
    order, clear = ranked(points)
    first, last = order[0], order[-1]
    tied = [titles[key] for key in order[1:] if frozenset((first, key)) not in clear]
    beside = f", no closer than {' or '.join(tied)} beyond luck" if tied else ""
    times = points[last].mean / max(points[first].mean, 1e-30)
    return (
        f"Of five ways to hide one record among {setting.n:,} in an average, **{titles[first]}**"
        f" comes closest here{beside}: off by {_length(points[first])}, without noise"
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
