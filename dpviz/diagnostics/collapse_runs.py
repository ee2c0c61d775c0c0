"""Which runs show what makes privacy dear on features: their dimension, the public directions kept,
imbalance with an offset, and one step on two collapsed classes.

Source: Wang et al. 2024, Figures 3 and 4, section 5 and Theorem 3.3.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from dpviz.data import load, preparation, settings_in_names, synthetic
from dpviz.experiments import experiment
from dpviz.machine import public_mode
from dpviz.methods.components import noisy_descent
from dpviz.stats import Interval, signs
from dpviz.types import RunSpec

DIMS = (16, 64, 256, 1024, 4096)
SCALES = (0.125, 0.25, 0.5, 1, 2, 4)
MAX_NUMBERS = 10_300_000
"""Numbers in the largest data set: 10,000 records of 1,024."""
RANKS = (2, 5, 20, 50, 100)
ALPHAS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.97)
DRAWS = 100
"""Seeds of one step on two classes, each right or wrong on all records."""
DEPTHS = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0)
GAPS = (0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0)
"""Mean gaps between a record's own score and another, in standard deviations of one score."""
MAX_RECORDS = 5000
"""Records of two classes, beyond which one step is not drawn."""


def raw_dimension(spec: RunSpec) -> int:
    """Coordinates of a run's features as they come."""
    return load(spec.dataset, spec.encoder, spec.public).x.shape[1]


def preparation_with(features: str, **changes: Any) -> str:
    """A preparation, as ``RunSpec.features`` writes it, with some settings changed."""
    settings = settings_in_names.read(features, preparation.PARAMS, "Features")
    return settings_in_names.write(settings | changes, preparation.PARAMS)


def dimensions(dataset: str, have: int, records: int) -> list[int]:
    """Dimensions to compare: of new frames, or by copying and dropping ``have`` coordinates."""
    if synthetic.is_synthetic(dataset):
        dims, least = {*DIMS, have}, synthetic.parse(dataset)["classes"]
    else:
        dims, least = {round(have * scale) for scale in SCALES}, 2
    fits = lambda p: least <= p <= DIMS[-1] and p * records <= MAX_NUMBERS
    allowed = lambda p: fits(p) and public_mode.allows_features(p, records)
    return sorted(p for p in dims if p == have or allowed(p))


def at_dimension(
    dataset: str, features: str, have: int, p: int, test: dict[str, Any]
) -> dict[str, str]:
    """Fields of a run whose features have ``p`` coordinates and this test perturbation, if any."""
    if synthetic.is_synthetic(dataset):
        settings = synthetic.parse(dataset) | {"dim": p, "test": "none"} | test
        return {"dataset": synthetic.name(**settings)}
    return {"features": preparation_with(features, dim=p if p != have else 0, **test)}


def ranks(classes: int, have: int) -> list[int]:
    """Numbers of public directions to keep: some below ``have``, with K - 1 and K, then all."""
    counts = {*RANKS, classes - 1, classes}
    return [*sorted(k for k in counts if 1 <= k < have), have]


def moves(lines: Mapping[str, Mapping[float, Interval]]) -> dict[str, int]:
    """Whether each line's error grew from its first place to its last (1), fell (-1), or cannot be
    told to have done either (0), all lines looked at together.
    """
    return signs({name: (at[min(at)], at[max(at)]) for name, at in lines.items()})


# ----------------------------------------------------------------------------------------- one step


def sizes(mu: float) -> list[int]:
    """Records of two classes at which a mu-GDP step may be wrong; none where they are too many."""
    return sorted({max(2, round(depth / mu)) for depth in DEPTHS if depth / mu <= MAX_RECORDS})


def equal_classes(mu: float, classes: int) -> list[int]:
    """Records of so many equal classes at which a mu-GDP step may be wrong."""
    spread = (classes - 1) * math.sqrt(1 - 1 / classes) / mu
    return sorted({classes * max(1, round(depth * spread / classes)) for depth in GAPS})


def two_classes(n: int, p: int) -> str:
    """Two perfectly collapsed classes, as a data set's name."""
    return synthetic.name(classes=2, dim=p, n=n, beta=0.0)


def step_mu(spec: RunSpec) -> float | None:
    """mu of one record in the one step of a run, whomever its promise is to; None where whole
    persons are clipped, of whom one may be heard less than another.
    """
    plan = experiment.planned(spec)
    if noisy_descent.clips_persons(plan):
        return None
    event = plan.gaussian("gradients")
    return event.sensitivity * plan.record_sensitivity_ratio / event.sigma


def one_step(classes: int) -> dict[str, Any]:
    """Settings of one step, clipped at what a gradient's length is at zero: nothing is cut."""
    return {"steps": 1, "clip": math.sqrt(1 - 1 / classes)}
