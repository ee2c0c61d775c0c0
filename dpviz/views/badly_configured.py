"""Methods whose noiseless run is far below a non-private relative on the same features.

Such a gap comes from step size, steps, clipping or score range, not from noise. A comparison would
blame privacy for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.methods import METHODS
from dpviz.run.jobs import Group
from dpviz.types import Result
from dpviz.views.page_config import PageConfig

MIN_GAP = 0.10
"""Balanced accuracy below the relative from which on a method is badly configured."""
_LINEAR = (
    *("noisy-gd", "noisy-sgd", "objective", "adamix", "dpsgd-f", "global-adapt", "auto-clip"),
    *("scaled-probe", "dp-newton", "dp-ls", "dp-fc"),
)
_MEANS = ("dppl-mean", "dppl-mean-projected", "dppl-mean-trained", "dppl-auto")
_CHOSEN = ("dppl-public", "dppl-publick", "dppl-public-projected")
RELATIVES = (
    dict.fromkeys(_LINEAR, ("logistic",))
    | dict.fromkeys(_MEANS, ("class-mean",))
    | dict.fromkeys(_CHOSEN, ("class-mean", "public-reference"))
)
"""Non-private relatives of a method; of several the least accurate that has run counts."""
UNTUNED = (
    "**{title}** is badly configured here: without noise it reaches {own:.1f} %, {other}"
    " {best:.1f} %. Tune it before you compare."
)
TUNED = (
    "**{title}** is far below what these features allow, also with tuned settings: without noise it"
    " reaches {own:.1f} %, {other} {best:.1f} %. Do not blame privacy for this gap."
)


@dataclass(frozen=True)
class BadlyConfigured:
    """A method and its relative, with balanced accuracies from 0 to 1 without noise."""

    method: str
    accuracy: float
    relative: str
    relative_accuracy: float

    def sentence(self, tuned: bool = False) -> str:
        """The warning; tuned: the settings are tuned already."""
        return (TUNED if tuned else UNTUNED).format(
            title=METHODS[self.method].title,
            own=100 * self.accuracy,
            other=METHODS[self.relative].title,
            best=100 * self.relative_accuracy,
        )


def relative_runs(view: PageConfig) -> list[Group]:
    """Runs of the first relative of each method of a view, where no relative is drawn."""
    drawn, missing = set(view.methods), {}
    for key in view.methods:
        relatives = RELATIVES.get(key, ())
        if relatives and drawn.isdisjoint(relatives):
            missing[relatives[0]] = (view.spec(relatives[0]),)
    return list(missing.values())


def badly_configured_methods(
    results: Iterable[Result], methods: Sequence[str]
) -> list[BadlyConfigured]:
    """Which of ``methods`` are badly configured, by their noiseless runs among ``results``."""
    scores: dict[str, list[float]] = {}
    for result in results:
        if not result.spec.budget.private:
            scores.setdefault(result.spec.method, []).append(result.scores.balanced)
    mean = {key: float(np.mean(some)) for key, some in scores.items()}
    bad = []
    for key in methods:
        relatives = [(mean[name], name) for name in RELATIVES.get(key, ()) if name in mean]
        if key in mean and relatives and mean[key] < min(relatives)[0] - MIN_GAP:
            bad.append(BadlyConfigured(key, mean[key], min(relatives)[1], min(relatives)[0]))
    return bad
