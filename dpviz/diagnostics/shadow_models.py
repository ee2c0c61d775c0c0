"""Shadow models: the same method fitted on many random halves of the private records, and how sure
each fit is of each record's label.

A coin decides, for each fit, who is in; so each record is in about half of the fits. Every fit is
attacked in turn by someone who knows all the others, so no attack reads what it guesses. The
figures come from private records and are not released.

Source: Carlini et al. 2022, "Membership Inference Attacks From First Principles" (shadow models on
    random halves, each a target in turn; the scaled confidence).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.diagnostics.membership_attack import (
    PERSON_ADJACENCIES,
    Judged,
    Make,
    coin_design,
    maker,
    scaled_scores,
)
from dpviz.experiments import experiment
from dpviz.lazy_imports import special
from dpviz.machine.threads import parallel_map
from dpviz.methods.components.privacy_unit import PrivacyUnits
from dpviz.types import Dataset, DpvizError, Guarantee, Release, RunSpec

MIN_SHADOWS, DEFAULT_SHADOWS, MAX_SHADOWS = 8, 64, 512
"""Shadow models: how few tell anything, how many are usual, how many are ever fitted."""
MAX_POPULATION = 5_000
"""Test records, in no fit, that a record is held against."""

ALWAYS_IN = (
    "Every record is in every fit, so the attack has nothing to compare. With public class"
    " counts, a class needs at least two records. Keep more records."
)
NEVER_IN = "Some fits have no records. Keep more records."

MAX_LOG_ODDS = 100.0
"""ln(p / (1 - p)) beyond which no fit is surer: a class without a member may have no chance."""


@dataclass(frozen=True, eq=False)
class Shadows:
    """What k fits say of n records, or persons, who may be in or out.

    Attributes:
        inside: (k, n) bool, who was in.
        sure: (k, n) float64, ln(p / (1 - p)) of the label's probability p; of a person the mean
            over that person's records.
        population: (k, m) float64, the same of records that are in no fit.
        subjects: (n,) int64, each one's row among the private records, or number among the persons.
        label: (n,) int64, the class; of a person the one most records have, the first of several.
        guarantee: what every fit promises.
        judged: whom the figures are about.
    """

    inside: np.ndarray
    sure: np.ndarray
    population: np.ndarray
    subjects: np.ndarray
    label: np.ndarray
    guarantee: Guarantee
    judged: Judged


def fitted(
    spec: RunSpec,
    shadows: int = DEFAULT_SHADOWS,
    progress: experiment.Progress = lambda what, done, total: None,
) -> Shadows:
    """Shadow models of a spec, with the seeds from its own on.

    Args:
        spec: what is run; shadows: how many fits, from FEWEST to MAX_SHADOWS.
        progress: is told of each fit, and may raise ``Cancelled`` between two.

    Raises:
        DpvizError: for settings that cannot work.
    """
    if not MIN_SHADOWS <= shadows <= MAX_SHADOWS:
        raise DpvizError(
            f"Shadow models must be between {MIN_SHADOWS} and {MAX_SHADOWS}, got {shadows}."
        )
    data, guarantee = experiment.prepared(spec, progress), experiment.planned(spec).guarantee
    seeds = range(spec.seed, spec.seed + shadows)
    return by_coin(data, maker(spec, data, shadows, progress), seeds, guarantee)


def by_coin(data: Dataset, make: Make, seeds: Sequence[int], guarantee: Guarantee) -> Shadows:
    """Shadow models of whatever ``make`` fits, one a seed, which decides who is in as well.

    Raises:
        DpvizError: where neighbours replace a person and nobody could stand in for another, where
            everybody is in every fit, and where nobody is in one.
    """
    design = coin_design(data, seeds, guarantee.adjacency)
    if not design.inside.any(axis=1).all():
        raise DpvizError(NEVER_IN)
    if design.target_members.all():
        raise DpvizError(ALWAYS_IN)
    outside = slice(None, MAX_POPULATION)

    def fit(run: int) -> tuple[np.ndarray, np.ndarray]:
        release = make(design.members(run), seeds[run])
        sure = design.unit_means(sureness(release, data.x, data.y))
        population = sureness(release, data.x_test[outside], data.y_test[outside])
        return sure[design.targets], population

    sure, population = zip(*parallel_map(fit, range(len(seeds))), strict=True)
    return Shadows(
        design.target_members,
        np.array(sure),
        np.array(population),
        np.flatnonzero(design.targets),
        _labels(data, design.units)[design.targets],
        guarantee,
        design.judged,
    )


def sureness(release: Release, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """ln(p / (1 - p)) of each label's softmax probability p: (n,) float64, from the scores
    themselves, so that no p is rounded to 1.

    Args:
        x: (n, d) features; y: (n,) labels.
    """
    scores = scaled_scores(release, x)
    rows = np.arange(len(y))
    own = scores[rows, y].copy()
    scores[rows, y] = -np.inf
    return np.clip(own - special.logsumexp(scores, axis=1), -MAX_LOG_ODDS, MAX_LOG_ODDS)


def _labels(data: Dataset, whose: PrivacyUnits) -> np.ndarray:
    counts = np.zeros((whose.count, data.classes), np.int64)
    np.add.at(counts, (whose.of_record, data.y), 1)
    return counts.argmax(axis=1)


def rows_of(data: Dataset, shadows: Shadows, one: int) -> np.ndarray:
    """Rows of the private records that are the ``one``-th's who is judged."""
    whose = shadows.subjects[one]
    if shadows.guarantee.adjacency not in PERSON_ADJACENCIES:
        return np.array([whose])
    return np.flatnonzero(PrivacyUnits.persons(data).of_record == whose)
