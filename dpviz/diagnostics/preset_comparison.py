"""Runs by the names of the AdaMix paper, compared: their settings, which of two errs less, and the
steps of one run.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

from dpviz import privacy
from dpviz.experiments import experiment
from dpviz.machine.threads import one_numeric_thread
from dpviz.methods import METHODS, adamix
from dpviz.methods.adamix_presets import PRESETS, Preset
from dpviz.methods.components.mixed_gradients import Path
from dpviz.methods.components.public_sets import OF_EACH_CLASS
from dpviz.stats import Interval, Key, band, signs
from dpviz.types import Budget, Result, RunSpec

LEVELS = ("Only-Public", "paragon")
"""Without noise, hence the same at every budget."""
PRIVATE = tuple(name for name in PRESETS if name not in LEVELS)
PAPER_ORDER = ("paragon", "AdaMix", "NGD", "Only-Public")
"""From the least error to the most, as the AdaMix paper has them (Figure 1)."""
WORST_PRESET = "Fully-Private"
MAX_STRICT_EPSILON = 1.0
"""Largest ε at which WORST_PRESET errs most on all of the paper's data; at 3, on half (Table 1)."""

POOL_SIZES = {"omniglot-public": 3, "omniglot-public-5": 5}
"""Labeled images per class of public sets that have fewer than ``OF_EACH_CLASS``: as documented of
the set, never counted. Where shots are private, each image takes part with chance shots / pool.
"""


def settings(
    preset: Preset,
    changes: Mapping[str, Any],
    rate: float,
    shots: int,
    seed: int,
    public: str | None = None,
) -> dict[str, Any]:
    """The settings of a preset's run.

    Args:
        changes: of every preset that has the part: an ablation stays an ablation; rate: times the
            preset's own learning rate; seed: draws the public shots as well; public: key of the
            public set.
    """
    known, off = {p.name for p in METHODS[preset.method].params}, {"rank": 0, "init": "none"}
    fits = lambda k: k in known and (k not in off or preset.params.get(k) != off[k])
    values = dict(preset.params) | {k: v for k, v in changes.items() if fits(k)}
    if preset.method == adamix.KEY and rate != 1:
        values["lr"] = min(values.get("lr", adamix.LR.default) * rate, adamix.LR.high)
    if preset.params.get("public_use") == "private" and public in POOL_SIZES:
        shots = round(OF_EACH_CLASS * min(1.0, shots / POOL_SIZES[public]))
    return values | {"shots": shots, "shots_draw": seed % (int(adamix.DRAW.high) + 1)}


def accuracy(results: Sequence[Result], metric: str) -> Interval:
    """Accuracy of runs of a preset, in order of seeds; all draw public shots, if not noise."""
    return band([r.scores for r in sorted(results, key=lambda r: r.spec.seed)], metric)


def error(results: Sequence[Result], metric: str) -> Interval:
    """1 - accuracy, as the AdaMix paper counts."""
    return accuracy(results, metric).wrong


def orders(pairs: Mapping[Key, tuple[Interval, Interval]]) -> dict[Key, int]:
    """Of each pair of errors 1 if the first is less, -1 if more, 0 if they cannot be told apart,
    all pairs looked at together.

    Runs of a seed share the public shots, so they are compared seed by seed.
    """
    return signs(pairs, paired=True)


def accuracy_orders(pairs: Mapping[Key, tuple[Interval, Interval]]) -> dict[Key, int]:
    """Return 1 for a pair of accuracies if the first is higher, -1 if lower, 0 if they do not
    differ significantly; otherwise as ``orders``.
    """
    return orders({key: (other, one) for key, (one, other) in pairs.items()})


def gain(one: Interval, other: Interval) -> float:
    """How many points the second has more."""
    return 100 * (other.mean - one.mean)


def paper_pairs(
    errors: Mapping[str, Interval], budget: Budget
) -> dict[tuple[str, str], tuple[Interval, Interval]]:
    """Each two neighbours that have errors, in the paper's order at a budget."""
    mu = privacy.mu_for(budget)
    strict = privacy.gdp_epsilon(mu, budget.delta) <= MAX_STRICT_EPSILON if mu < math.inf else False
    ranked = [
        name for name in (*PAPER_ORDER, *((WORST_PRESET,) if strict else ())) if name in errors
    ]
    return {(a, b): (errors[a], errors[b]) for a, b in itertools.pairwise(ranked)}


def run_path(spec: RunSpec) -> Path:
    """Return the steps of the AdaMix run that a spec's result scores: a private view."""
    with one_numeric_thread():
        return adamix.path(experiment.prepared(spec), experiment.planned(spec), spec.seed)
