"""Comparison of private results with public data alone, one line per data setting."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from dpviz.formatting import budget_text, percent, points, subset
from dpviz.text import cli as text
from dpviz.text.template import render_text
from dpviz.types import DpvizError, Result

if TYPE_CHECKING:
    from dpviz.stats import Interval

#: Largest number of data settings to print.
MAX_LINES = 5
#: Keys of ``text.PUBLIC`` by the sign of public minus private accuracy.
COMPARISONS = {1: "more", -1: "less", 0: "level"}


def lines(results: Sequence[Result], progress: Any) -> list[str]:
    """Return a line per data setting: public data alone against the best private method."""
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
        sentences.append(render_text(text.PUBLIC["rest"], rest=len(groups) - MAX_LINES))
    return sentences


def _line(results: Sequence[Result], progress: Any) -> list[str]:
    from dpviz.experiments import experiment
    from dpviz.methods import METHODS
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
    words = _tenths if single else percent  # as the line of a single run
    case = "single" if single else COMPARISONS[public_only.sign(accuracies, public) or 0]
    return [
        render_text(
            text.PUBLIC[case],
            data=subset(spec),
            public=words(public),
            method=METHODS[top[0]].title,
            budget=budget_text(top[2]),
            private=words(accuracies[top]),
            points=points(gain.gap, gain.half, single_places=1),
        )
    ]


def _tenths(value: Interval) -> str:
    return f"{value.mean:.1%}"
