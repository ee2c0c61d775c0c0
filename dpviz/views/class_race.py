"""Class race: accuracy and attacker's best guess at each ε that a hospital can choose.

All hospitals have the same images. Accuracies are those of ``experiment.run``, best guesses follow
from the guarantee of the runs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from dpviz.data import suiting_encoder
from dpviz.diagnostics import attack_bound
from dpviz.formatting import bands
from dpviz.methods import METHODS
from dpviz.stats import accuracy
from dpviz.text import live_class as text
from dpviz.text.template import render, render_text
from dpviz.types import DELTA, Budget, Result, RunSpec
from dpviz.views import public_only
from dpviz.views.page_config import Group

EPSILONS = (0.1, 0.3, 1.0, 2.0, 5.0, 10.0)
DATASET, METHOD, METRIC = "mnist5k", "dppl-mean", "balanced"
IMAGES_PER_CLASS, SEEDS = 50, 20

#: Mean accuracy, its low and high end, and attacker's best guess at one ε, in percent.
Point = tuple[float, float, float, float]


def groups(epsilons: Sequence[float]) -> list[Group]:
    """Return the runs at each ε, and the run with public images alone."""
    by_epsilon = [
        tuple(_spec(Budget(epsilon), seed) for seed in range(SEEDS)) for epsilon in epsilons
    ]
    public = public_only.public_run(_spec(Budget(math.inf), 0))
    assert public is not None  # the bundled public set has the classes of the data set
    return [*by_epsilon, (public,)]


def _spec(budget: Budget, seed: int) -> RunSpec:
    encoder = suiting_encoder(DATASET)
    return RunSpec(
        DATASET, encoder, METHOD, budget, ir=1.0, params=(), seed=seed, records=IMAGES_PER_CLASS
    )


def point(runs: Sequence[Result]) -> Point:
    """Return accuracy and best guess of the runs at one ε; the best guess is rounded up."""
    share = accuracy(runs, METRIC)
    guess = attack_bound.success_bound(runs[0].guarantee)
    mean, low, high = (round(100 * end, 1) for end in (share.mean, share.low, share.high))
    return mean, low, high, math.ceil(1000 * guess - 1e-6) / 10


def public_accuracy(runs: Sequence[Result]) -> float:
    """Return the accuracy of the run with public images alone, in percent."""
    return round(100 * accuracy(runs, METRIC).mean, 1)


def mean_text(tally: Sequence[int], truth: Sequence[Point]) -> str:
    """Return mean accuracy and mean best guess of a class, in Markdown.

    Args:
        tally: hospitals at each ε, at least one in all; truth: point of each ε.
    """
    hospitals = sum(tally)
    accuracies, _, _, guesses = zip(*truth, strict=True)
    mean, guess = (
        sum(n * percent for n, percent in zip(tally, values, strict=True)) / hospitals / 100
        for values in (accuracies, guesses)
    )
    return render(text.RACE_MEAN, accuracy=mean, guess=guess)


def public_text(public: float) -> str:
    """Return the accuracy with public images alone, without Markdown."""
    return render_text(text.RACE_PUBLIC, public=public / 100)


def setup() -> str:
    """Return the explanation before the question, without Markdown."""
    return render_text(text.RACE_SETUP, images=IMAGES_PER_CLASS)


def note() -> str:
    """Return what the server computes, in Markdown."""
    return render(text.RACE_NOTE, method=METHODS[METHOD].title, seeds=SEEDS)


def caption() -> str:
    """Return how to read the chart, and its source, in Markdown."""
    return render(
        text.RACE_CAPTION,
        method=METHODS[METHOD].title,
        images=IMAGES_PER_CLASS,
        bands=bands(SEEDS, precise=False),
        delta=DELTA,
    )
