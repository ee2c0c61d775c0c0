"""Faults in the noise: too small, or known to the attacker."""

from __future__ import annotations

import numpy as np

from dpviz.audits.faults.model import Make, Mistake, Setting, as_planned, seeds
from dpviz.audits.trade_off_audit import Sample
from dpviz.types import Method, Release, half_the_noise


def _halved(method: Method) -> Make:
    honest = as_planned(method)
    return lambda data, plan, seeds: honest(data, half_the_noise(plan), seeds)


def _known_noise(setting: Setting, start: int) -> Sample:
    """How far a release lies from the one that the same seed makes without the record."""
    make, plan = as_planned(setting.method), setting.plan

    def seen(with_record: bool, first: int, runs: int) -> np.ndarray:
        own = seeds(with_record, first, runs, start)
        made, again = (
            make(data, plan, own)
            for data in (
                (setting.without_record, setting.with_record)[with_record],
                setting.without_record,
            )
        )
        return np.array([[_differences(a, b)] for a, b in zip(made, again, strict=True)])

    return seen


def _differences(one: Release, other: Release) -> float:
    return float(not np.array_equal(one.weights, other.weights))


HALVED = Mistake(
    "half-noise",
    "https://github.com/google/differential-privacy/issues/378",
    (),
    _halved,
)
SEED = Mistake(
    "seed",
    "https://arxiv.org/abs/2009.03777",
    (),
    as_planned,
    sample=_known_noise,
)
