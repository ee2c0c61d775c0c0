"""Public data alone beside private results, in lines for the shell."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from dpviz.formatting import budget_text, percent, points, subset
from dpviz.types import DpvizError, Result

MAX_LINES = 5
"""Data settings that are told."""
LINE = (
    "Public data only, {data}: {public} balanced. {method} at {budget} has {private}: {apart} for"
    " public data, {sign}."
)
COMPARISONS = {
    1: "significantly more",
    -1: "significantly less",
    0: "not significantly different",
}
ONE_RUN = "one run, so noise is not known"


def lines(results: Sequence[Result], progress: Any) -> list[str]:
    """A line for each data setting: public data alone against its best private runs."""
    from dpviz.methods import METHODS

    groups: dict[tuple[Any, ...], list[Result]] = {}
    for result in results:
        if METHODS[result.spec.method].private and result.spec.budget.private:
            groups.setdefault(tuple(result.spec.facts.values()), []).append(result)
    sentences = []
    for group in list(groups.values())[:MAX_LINES]:
        with suppress(DpvizError):
            sentences += _line(group, progress)
    if len(groups) > MAX_LINES:
        sentences.append(
            f"Public data only: {len(groups) - MAX_LINES:,} more data settings are not told."
        )
    return sentences


def _line(results: Sequence[Result], progress: Any) -> list[str]:
    from dpviz.methods import METHODS
    from dpviz.run import experiment
    from dpviz.stats import accuracy, difference
    from dpviz.views import public_only

    spec = public_only.public_run(results[0].spec)
    if spec is None:
        return []
    settings: dict[Any, list[Result]] = {}
    for result in results:
        key = result.spec.method, result.spec.params, result.spec.budget
        settings.setdefault(key, []).append(result)
    accuracies = {key: accuracy(group, "balanced") for key, group in settings.items()}
    public = accuracy(experiment.sweep([spec], progress=progress), "balanced")
    top = max(accuracies, key=lambda key: accuracies[key].mean)
    gain = difference(accuracies[top], public)
    single = any(point.runs < 2 for point in accuracies.values())
    return [
        LINE.format(
            data=subset(spec),
            public=percent(public),
            method=METHODS[top[0]].title,
            budget=budget_text(top[2]),
            private=percent(accuracies[top]),
            apart=points(gain.gap, gain.half),
            sign=ONE_RUN if single else COMPARISONS[public_only.sign(accuracies, public) or 0],
        )
    ]
