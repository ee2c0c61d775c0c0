"""Per-instance privacy: how much the run that was made tells about each record that was in it.

A guarantee speaks of the worst record there could be; most records are further from it. Here every
record
gets a privacy loss of its own: that of the pair (these data, these data without this record), along
the trajectory that this seed took. It is a diagnostic: computed from private records without noise,
hence sensitive itself, covered by no guarantee and not to be released. It promises nothing for
other data or another seed, and a small value is no permission to say that a record was there.

Where the promise is to persons, each person has a loss: that of the pair (these data, these data
without that person's kept records).

Source: Wang 2019, Per-instance differential privacy; Golatkar et al. 2022 (AdaMix), Figure 3.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz import methods
from dpviz.data.imbalance import minority_classes
from dpviz.experiments import experiment
from dpviz.machine.threads import one_numeric_thread
from dpviz.methods.components.privacy_unit import PrivacyUnits
from dpviz.types import Dataset, DpvizError, Plan, Result, RunSpec

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
FULL_SHARE = 0.95
"""From this share of the promise on, a record counts as one that pays in full."""


@dataclass(frozen=True, eq=False)
class PerInstance:
    """The privacy loss of each private record, or of each person, under one realised run.

    Attributes:
        method: key; notion: what ``epsilon`` is, in words.
        epsilon: (m,) float64, at most ``claim``: pure epsilon for a pure claim, else epsilon at the
            claim's delta. Of m records, or of m persons.
        rho: (m,) float64, at most ``rho_claim``: zCDP, the scale on which any two methods may be
            compared.
        minority: (m,) bool, at least half of the records are of the ceil(C/4) smallest classes.
        labels: (n,) int64 of the records that are in; owners: (n,) int64, the position above of
            whom
            each is of; rows: (n,) int64, index in the full training set, for thumbnails. Position i
            of these is row i of ``data.x``.
        persons: (m,) int64, their numbers in the data; None where losses are of records.
        record_counts: (m,) int64, records in the data before a bound on each person.
    """

    method: str
    notion: str
    epsilon: np.ndarray
    claim: float
    rho: np.ndarray
    rho_claim: float
    labels: np.ndarray
    minority: np.ndarray
    rows: np.ndarray
    owners: np.ndarray
    persons: np.ndarray | None
    record_counts: np.ndarray

    @property
    def kept_counts(self) -> np.ndarray:
        """(m,) int64: records that are in."""
        return np.bincount(self.owners, minlength=len(self.epsilon))

    def with_records(self, chosen: np.ndarray) -> np.ndarray:
        """(m,) bool: who has a chosen record; ``chosen``: (n,) bool."""
        mask = np.zeros(len(self.epsilon), bool)
        mask[self.owners[chosen]] = True
        return mask

    def in_class(self, c: int) -> np.ndarray:
        """(m,) bool: who has a record of this class."""
        return self.with_records(self.labels == c)

    def share(self, right: np.ndarray) -> np.ndarray:
        """(m,) float64: of whose records which share is ``right``, (n,) bool."""
        return np.bincount(self.owners, right, len(self.epsilon)) / self.kept_counts

    @property
    def full(self) -> np.ndarray:
        """(m,) bool: who spends all of the promise, or nearly."""
        return self.epsilon >= FULL_SHARE * self.claim

    @property
    def as_rho(self) -> PerInstance:
        """The same with zCDP in ``epsilon`` and ``claim``."""
        return dataclasses.replace(self, notion="ρ", epsilon=self.rho, claim=self.rho_claim)


def losses_of(spec: RunSpec) -> PerInstance:
    """The loss of each record under the run of ``spec``, or of each person where the promise is to
    persons.

    Raises:
        DpvizError: where there is no formula, or no privacy was asked for.
    """
    result = measure(experiment.prepared(spec), experiment.planned(spec), spec.seed)
    if result.persons is None or not spec.per_person:
        return result
    every = experiment.prepared(dataclasses.replace(spec, per_person=0)).persons
    assert every is not None  # a run with a limit per person knows the persons
    return dataclasses.replace(result, record_counts=np.unique(every, return_counts=True)[1])


def measure(data: Dataset, plan: Plan, seed: int) -> PerInstance:
    """The loss of each record of ``data`` under the release that ``plan`` and ``seed`` make from
    it, or of each person where the plan is for persons.

    Raises:
        DpvizError: where there is no formula, or the plan has no noise.
    """
    if reason := absent(plan.method, plan.params):
        raise DpvizError(reason)
    if not math.isfinite(plan.guarantee.value):
        raise DpvizError(
            "Without noise, the loss of a record has no bound. Choose a finite budget."
        )
    with one_numeric_thread():
        losses = methods.get(plan.method).losses
        assert losses is not None  # ``absent`` gives the reason where there are none
        epsilon, rho = losses(data, plan, seed)
    guarantee = plan.guarantee
    pure = guarantee.notion == "pure"
    notion = "pure ε" if pure else f"ε at δ={guarantee.delta:g}"
    whose = PrivacyUnits.from_dataset(data, plan)
    small = np.isin(data.y, minority_classes(data.counts, data.draw))
    rows = np.arange(len(data.y)) if data.rows is None else data.rows
    claim = guarantee.value if pure else guarantee.epsilon_delta
    epsilon, rho = (
        _unrounded(values, most) for values, most in ((epsilon, claim), (rho, guarantee.rho))
    )
    counts = whose.counts()
    return PerInstance(
        plan.method,
        notion,
        epsilon,
        claim,
        rho,
        guarantee.rho,
        data.y,
        2 * whose.counts(small) >= counts,
        rows,
        whose.of_record,
        np.unique(data.persons) if plan.records_per_person and data.persons is not None else None,
        counts.astype(np.int64),
    )


def absent(key: str, params: Mapping[str, Any]) -> str | None:
    """Why a method has no per-record formula at these settings, in one sentence; None where it has
    one.
    """
    method = methods.get(key)
    if reason := method.why_no_losses(params):
        return reason
    return None if method.losses else f"No formula is known for the loss of one record with {key}."


def _unrounded(values: np.ndarray, most: float) -> np.ndarray:
    """Losses that stand above what is promised by a rounding step alone, set to it."""
    return np.where(values <= most * (1 + 1e-12), np.minimum(values, most), values)


def right(spec: RunSpec) -> np.ndarray:
    """Whether the run of ``spec`` classifies each private record as labelled: (n,) bool."""
    data = experiment.prepared(spec)
    with one_numeric_thread():
        return experiment.release(spec).predict(data.x) == data.y


@dataclass(frozen=True, eq=False)
class MeasuredRun:
    """A run, the loss of each record under it, and who is right: (n,) bool, as ``right``."""

    result: Result
    losses: PerInstance
    right: np.ndarray

    @property
    def method(self) -> str:
        """Key."""
        return self.losses.method

    @property
    def title(self) -> str:
        """Name of the method for people."""
        return methods.get(self.method).title


def measured(spec: RunSpec, progress: experiment.Progress) -> MeasuredRun:
    """The run of ``spec`` with all that is known about each record.

    Raises:
        DpvizError: as ``of``; Cancelled: if ``progress`` asks for it.
    """
    title = methods.get(spec.method).title
    progress(f"{title}: the run", 0, 3)
    result = experiment.sweep([spec], lambda what, done, total: progress(what, 0, 0))[0]
    progress(f"{title}: the loss of each record", 1, 3)
    losses = losses_of(spec)
    progress(f"{title}: accuracy by record", 2, 3)
    return MeasuredRun(result, losses, right(spec))


# ---------------------------------------------------------------------------------------- summaries


@dataclass(frozen=True, eq=False)
class Summary:
    """Counts and quantiles of the losses, for a picture.

    Attributes:
        edges: (bins + 1,) from 0 to the claim, equally spaced; by_class: (C, bins) int64 records of
            each class, or persons with one;
            minority: (bins,) int64 in the minority.
        quantiles: of all, the minority and the majority, QUANTILES each, NaN where there are none;
            class_quantiles: (C, len(QUANTILES)).
    """

    edges: np.ndarray
    by_class: np.ndarray
    minority: np.ndarray
    quantiles: Mapping[str, np.ndarray]
    class_quantiles: np.ndarray


def summary(found: PerInstance, classes: int, bins: int = 40) -> Summary:
    """Histogram and quantiles of the losses, by class and for the minority."""
    edges = np.linspace(0.0, found.claim, bins + 1)
    place = np.clip(np.searchsorted(edges, found.epsilon, side="right") - 1, 0, bins - 1)
    members = [found.in_class(c) for c in range(classes)]
    by_class = np.array([np.bincount(place[own], minlength=bins) for own in members])
    parts = {
        "all": np.ones(len(place), bool),
        "minority": found.minority,
        "majority": ~found.minority,
    }
    quantiles = {name: _quantiles(found.epsilon[part]) for name, part in parts.items()}
    each_class = np.array([_quantiles(found.epsilon[own]) for own in members])
    return Summary(
        edges, by_class, np.bincount(place[found.minority], minlength=bins), quantiles, each_class
    )


def _quantiles(values: np.ndarray) -> np.ndarray:
    return np.quantile(values, QUANTILES) if len(values) else np.full(len(QUANTILES), math.nan)


def between(found: PerInstance, low: float, high: float) -> np.ndarray:
    """Positions of those with low <= epsilon <= high, the largest loss first."""
    inside = np.flatnonzero((found.epsilon >= low) & (found.epsilon <= high))
    return inside[np.argsort(-found.epsilon[inside], kind="stable")]
