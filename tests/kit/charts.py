"""Results small enough to work a chart's numbers out by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence

from dpviz.types import Budget, Guarantee, Result, RunSpec, Scores

TITLES = {"dppl-mean": "DPPL-Mean", "noisy-gd": "Private linear probe", "class-mean": "Class mean"}
HOSTILE = "<img src=x onerror=alert(1)>"
"""A name from a file that must stay text."""


def result(
    method: str,
    budget: float,
    seed: int,
    accuracy: float,
    per: Sequence[float] = (1.0, 0.5, 0.0, 0.5),
    counts: Sequence[int] = (40, 20, 4, 9),
) -> Result:
    """A run with this balanced accuracy, a tenth more overall and half of it for the minority,
    which is the smallest class.
    """
    spec = RunSpec("toy", None, method, Budget(budget), ir=10.0, params=(), seed=seed)
    promise = Guarantee(
        "gdp", 0.3, 1e-5, "add or remove one record", "the encoder", budget, 0.04, "a source"
    )
    scores = Scores(accuracy + 0.1, accuracy, accuracy / 2, tuple(per))
    smallest = (min(range(len(counts)), key=counts.__getitem__),)
    return Result(spec, scores, promise, smallest, tuple(counts), 0.5, {"dpviz": "0"})


def results() -> list[Result]:
    """Two private methods at two budgets with two seeds, and one that is not private."""
    cells = [
        ("dppl-mean", 0.1, 0.2),
        ("dppl-mean", 1.0, 0.6),
        ("noisy-gd", 0.1, 0.1),
        ("noisy-gd", 1.0, 0.5),
    ]
    private = [result(m, b, s, a + 0.02 * s) for m, b, a in cells for s in (0, 1)]
    return [*private, result("class-mean", math.inf, 0, 0.9)]
