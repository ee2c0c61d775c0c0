"""What stands behind the page "Mixed privacy": the steps of one run, and which of two presets errs
less. Private views.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy.stats import t

from dpviz import methods
from dpviz.machine.threads import one_numeric_thread
from dpviz.methods.parts.mixed_gradients import Path
from dpviz.run import experiment
from dpviz.types import Result, RunSpec


def path(spec: RunSpec) -> Path:
    """Step by step, what the run of a spec saw: the same run that its result scores."""
    plan = experiment.planned(spec)
    with one_numeric_thread():
        fitted = methods.get(spec.method).fit(experiment.prepared(spec), [plan], [spec.seed])
    return fitted.trace["paths"][0][0]


def errors(results: Sequence[Result], metric: str) -> tuple[float, ...]:
    """1 - accuracy of each run, in order of seeds."""
    return tuple(1 - getattr(r.scores, metric) for r in sorted(results, key=lambda r: r.spec.seed))


def order(one: Sequence[float], other: Sequence[float]) -> int:
    """1 if the first errs less, -1 if more, 0 if the paired 95 % t-interval of the difference holds
    0 or runs are too few.

    Runs of a seed share the public shots, so they are compared seed by seed.
    """
    gap, n = np.subtract(other, one), len(one)
    if n < 2:
        return 0
    half = float(t.ppf(0.975, n - 1)) * float(gap.std(ddof=1)) / math.sqrt(n)
    return 0 if abs(gap.mean()) <= half else int(np.sign(gap.mean()))
