"""Mistakes in how numbers are kept: noise as the formula has it, and not as the machine does."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dpviz import mechanisms
from dpviz.audit.faults import counting
from dpviz.audit.faults.model import Make, Mistake, Setting
from dpviz.types import Budget, Dataset, Method, Plan, Release

BITS_FIRST = 1e3
"""What a proof weighs against the number itself, which lies within this of the count."""


def _textbook(method: Method) -> Make:
    def make(data: Dataset, plan: Plan, seeds: Sequence[int]) -> list[Release]:
        counts, scale = np.array(data.counts, float), 1 / plan.notes["epsilon"]
        return [
            counting.released(mechanisms.textbook_laplace(counts, scale, seed, counting.KEY))
            for seed in seeds
        ]

    return make


def _empty_or_one(method: Method, budget: Budget) -> Setting:
    case = counting.case()
    plan = method.plan(case.without_record.sizes, budget, {})

    def see(release: Release, data: Dataset) -> float:
        noisy, scale = release.weights[:1, 0], 1 / plan.notes["epsilon"]
        none, one = (mechanisms.could_be_textbook(noisy, c, scale)[0] for c in (0.0, 1.0))
        return BITS_FIRST * (float(one) - float(none)) + float(noisy[0])

    return Setting(
        method,
        case.params,
        budget,
        case.with_record,
        case.without_record,
        see,
        "a class has one record, or none; the guess: could this number have come from 0",
    )


LOW_BITS = Mistake(
    "low-bits",
    "Low bits of the noise",
    "The noise is right as a formula, but a computer's numbers have gaps, and where they lie tells"
    " the true count.",
    "n − b·sign(u)·ln(1 − 2|u|) in doubles: u takes 2⁵³ values, so for each count n only some"
    " doubles can come out, and others for n + 1. Whoever solves for u sees which count fits; one"
    " such output has a loss without bound.",
    "Mironov 2012, “On significance of the least significant bits for differential privacy” (CCS)",
    "https://doi.org/10.1145/2382196.2382264",
    "Draw whole-number noise on whole numbers (the geometric mechanism, or an exact sampler on a"
    " grid).",
    (counting.KEY,),
    _textbook,
    setting=_empty_or_one,
    off=counting.mean_count_error,
    off_in="records a class",
)
