"""Mistakes that leave the method as it is and its noise too small, or known."""

from __future__ import annotations

import numpy as np

from dpviz.audit.faults.model import Make, Mistake, Setting, as_planned, seeds
from dpviz.audit.trade_off_audit import Sample
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
    "Half the noise",
    "The noise is half as large as the promise needs.",
    "σ/2 (or 2ε in a choice) under the claim of σ: such as the sensitivity of adding a record used"
    " where a record may be replaced, which moves a sum twice as far.",
    "an open issue about a factor of 2 under replace-one (google/differential-privacy #378)",
    "https://github.com/google/differential-privacy/issues/378",
    "Take the sensitivity of the very neighbours that are promised, and audit it.",
    (),
    _halved,
)
SEED = Mistake(
    "seed",
    "The seed is published",
    "The start number of the noise is handed out with the result, so anyone can take the noise"
    " off.",
    "The noise is a function of a public seed: whoever knows it and all other records computes the"
    " release without the record and sees whether it is this one.",
    "this project's own version 0.2.0, whose release file carried its seed; on random numbers for"
    " such noise Garfinkel & Leclerc 2020",
    "https://arxiv.org/abs/2009.03777",
    "Draw the noise of a release from the system's entropy, and keep no seed of it.",
    (),
    as_planned,
    sample=_known_noise,
)
