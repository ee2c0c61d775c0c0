"""Membership inference: an attacker who sees a release guesses from the loss on a record whether it
was used.

A record is called a member where its loss is at most a threshold, the same for all runs; a person,
where the promise is to persons, where the mean loss on that person's records is. What the guarantee
says about every such attack is in ``attack_bound``. The figures come from private records and are
not released.

Source: Yeom et al. 2018, loss threshold; AdaMix (Golatkar et al. 2022), Figure 1.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from dpviz import mechanisms, methods, privacy
from dpviz.data import persons
from dpviz.diagnostics import attack_statistics
from dpviz.diagnostics.attack_statistics import SHARE, Informed, auc, roc
from dpviz.experiments import experiment
from dpviz.formatting import budget_text
from dpviz.lazy_imports import special
from dpviz.machine.threads import one_numeric_thread, parallel_map
from dpviz.methods.components.privacy_unit import PrivacyUnits
from dpviz.types import Dataset, DpvizError, Guarantee, Release, RunSpec, unit_rows

TEMPERATURE = 10.0
"""Multiplies the cosines of prototypes before the softmax, which over a range of 2 would be nearly
flat. Heads
that were trained have a scale of their own and are taken as they are."""
CURVE_RATES = np.unique(np.concatenate([[0.0], np.geomspace(1e-4, 1, 100), np.linspace(0, 1, 101)]))
"""False positive rates of a curve that is drawn."""

PERSON_ADJACENCIES = (privacy.ADD_REMOVE_PERSON, privacy.REPLACE_PERSON)
NO_TEST_PERSONS = (
    "The people behind the test records are unknown, so an attack on people cannot use the test"
    " set. Use the design `coin`, or a guarantee per record."
)
NO_MATCHED_PERSONS = (
    "With public class counts, neighbors replace a person by another with the same number of"
    " records in each class. This data set has no such pair. Use a setting without public counts,"
    " or fewer records per person."
)
Make = Callable[[Dataset, int], Release]
"""``make(members, seed)``: the release that a seed makes from the members."""


@dataclass(frozen=True)
class Judged:
    """Of whom an attack asks whether they were in: so many, of so many who were sent in.

    Attributes:
        records: of the middle one who is judged.
    """

    number: int
    of: int
    records: float


@dataclass(frozen=True, eq=False)
class Attack:
    """A loss-threshold attack on several runs.

    Attributes:
        fpr, tpr: (k,) float64, shares of non-members and of members that are called members.
        auc: area under it: how often a member has a smaller loss than a non-member, ties counting
            1/2.
        error: standard error of ``auc`` over the draw of records and of runs.
        per_run: AUC within each run.
        guarantee: what the releases promise; design: ``coin`` or ``test``; temperature: of the
            softmax.
        judged: whom the figures are about: fewer than all where neighbours replace a person, for
            whoever has no like stays in.
        everyone, easiest: a better informed attack on all and on those it works best on; None
            against the test set, where all runs have the same members, and where there are too few
            runs.
    """

    fpr: np.ndarray
    tpr: np.ndarray
    auc: float
    error: float
    per_run: tuple[float, ...]
    guarantee: Guarantee
    design: str
    temperature: float
    judged: Judged
    everyone: Informed | None = None
    easiest: Informed | None = None


def attack(
    spec: RunSpec,
    seeds: Sequence[int],
    design: str = "coin",
    progress: experiment.Progress = lambda what, done, total: None,
) -> Attack:
    """Attack the runs of a spec; its own seed does not matter.

    Args:
        spec: what is run; seeds: of the noise, and of the coins.
        design: ``coin``: for each seed a coin decides which private records are members, and the
            method is fitted on those; or which persons are, each with all records. Members and
            non-members are alike, as the bound assumes.
            ``test``: the runs of the other pages; all private records are members, test records are
            not, weighted to the members' class shares. That is the papers' way, but a test set
            harder than the private set looks like memory.
        progress: is told of each run, and may raise ``Cancelled`` between two.

    Raises:
        DpvizError: for settings that cannot work.
    """
    data, guarantee = experiment.prepared(spec, progress), experiment.planned(spec).guarantee
    return DESIGNS[design](data, maker(spec, data, len(seeds), progress), seeds, guarantee)


def maker(spec: RunSpec, data: Dataset, runs: int, progress: experiment.Progress) -> Make:
    """What fits a spec's method on some members of ``data``, planned from how many they are, and
    tells of each of so many runs.

    Raises:
        DpvizError: for settings that cannot work.
    """
    method, made = methods.get(spec.method), itertools.count()
    params, budget = method.check(dict(spec.params)), spec.budget
    privacy_text = budget_text(budget) if budget.private else "no privacy"
    most = (spec.per_person or persons.most_records(data)) if spec.unit == "person" else 0

    def make(members: Dataset, seed: int) -> Release:
        progress(f"{method.title} at {privacy_text}", next(made), runs)
        plan = methods.plan(method, members.sizes, budget, params, most)
        return method.fit(members, [plan], [seed]).releases[0][0]

    return make


def by_coin(data: Dataset, make: Make, seeds: Sequence[int], guarantee: Guarantee) -> Attack:
    """The ``coin`` design of ``attack``: one fit a seed. Whom it tells apart, records or persons,
    is in the promise.

    Raises:
        DpvizError: where neighbours replace a person and nobody could stand in for another.
    """
    design = coin_design(data, seeds, guarantee.adjacency)
    targets, scale = _target_losses(design, make, seeds)
    judged, weights = design.judged, np.ones(design.judged.number)
    return _assess(targets, design.target_members, weights, guarantee, "coin", scale, judged)


def _target_losses(
    design: CoinDesign, make: Make, seeds: Sequence[int]
) -> tuple[np.ndarray, float]:
    """The mean loss of each target in each run, (runs, targets), and the temperature."""
    data = design.data

    def fitted(run: int) -> tuple[np.ndarray, float]:
        release = make(design.members(run), seeds[run])
        return design.unit_means(losses(release, data.x, data.y)), temperature(release)

    losses_by_seed, scales = zip(*parallel_map(fitted, range(len(seeds))), strict=True)
    return np.array(losses_by_seed)[:, design.targets], scales[0]


def against_test(data: Dataset, make: Make, seeds: Sequence[int], guarantee: Guarantee) -> Attack:
    """The ``test`` design of ``attack``: one fit a seed.

    Raises:
        DpvizError: where the promise is to persons: whose the test records are is not known.
    """
    if guarantee.adjacency in PERSON_ADJACENCIES:
        raise DpvizError(NO_TEST_PERSONS)
    x, y = np.concatenate([data.x, data.x_test]), np.concatenate([data.y, data.y_test])
    inside = np.arange(len(y)) < len(data.y)
    tested = np.maximum(np.bincount(data.y_test, minlength=data.classes), 1)
    weights = np.where(inside, 1.0, (np.array(data.counts) / tested)[y])
    with one_numeric_thread():
        releases = [make(data, seed) for seed in seeds]
        losses_by_seed = np.array([losses(release, x, y) for release in releases])
    members, scale = np.tile(inside, (len(seeds), 1)), temperature(releases[0])
    judged = Judged(len(y), len(y), 1.0)
    return _assess(losses_by_seed, members, weights, guarantee, "test", scale, judged)


DESIGNS = {"coin": by_coin, "test": against_test}


def coins(data: Dataset, seed: int, adjacency: str) -> np.ndarray:
    """Which record, or person, is a member: (n,) bool. Where neighbours keep the class counts, half
    of those who could stand in for one another; else independently.
    """
    units = privacy_units(data, adjacency)
    draws = mechanisms.generator(seed, "members").random(units.count)
    if adjacency in (privacy.ADD_REMOVE, privacy.ADD_REMOVE_PERSON):
        return draws < 0.5
    if adjacency in PERSON_ADJACENCIES:
        inside = np.ones(units.count, bool)
        for alike in _matched_persons(data, units):
            inside[alike[np.argsort(draws[alike])[len(alike) // 2 :]]] = False
        return inside
    inside = np.zeros(len(draws), bool)
    for c in range(data.classes):
        rows = np.flatnonzero(data.y == c)
        inside[rows[np.argsort(draws[rows])[: (len(rows) + 1) // 2]]] = True
    return inside


def _matched_persons(data: Dataset, units: PrivacyUnits) -> list[np.ndarray]:
    """An even number of persons with as many records in each class, for each such number: so many
    may be out as in. Whoever has no like is left out of these.
    """
    counts = np.zeros((units.count, data.classes), np.int64)
    np.add.at(counts, (units.of_record, data.y), 1)
    _, group = np.unique(counts, axis=0, return_inverse=True)
    groups = (np.flatnonzero(group == g) for g in range(group.max() + 1))
    return [alike[: len(alike) // 2 * 2] for alike in groups if len(alike) > 1]


def targets(data: Dataset, units: PrivacyUnits, adjacency: str) -> np.ndarray:
    """Who may be in or out, (count,) bool: all, but for persons whom nobody could replace."""
    if adjacency != privacy.REPLACE_PERSON:
        return np.ones(units.count, bool)
    alike = _matched_persons(data, units)
    if not alike:
        raise DpvizError(NO_MATCHED_PERSONS)
    return np.isin(np.arange(units.count), np.concatenate(alike))


def members_of(data: Dataset, chosen: np.ndarray) -> Dataset:
    """The members, under a fingerprint of who they are: designs may agree in seed and number."""
    digest = hashlib.sha256(np.packbits(chosen).tobytes()).hexdigest()
    return data.of_records(chosen, f"members-{digest}")


@dataclass(frozen=True, eq=False)
class CoinDesign:
    """Records or persons of whom a coin decides, for each fit, who is a member.

    Attributes:
        units: the records or persons; targets: (count,) bool, who may be in or out.
        inside: (runs, count) bool, who is a member.
    """

    data: Dataset
    units: PrivacyUnits
    targets: np.ndarray
    inside: np.ndarray

    @property
    def target_members(self) -> np.ndarray:
        """(runs, targets) bool: which targets are members."""
        return self.inside[:, self.targets]

    @property
    def judged(self) -> Judged:
        """Whom the figures are about."""
        records = float(np.median(self.units.counts()[self.targets]))
        return Judged(int(self.targets.sum()), self.units.count, records)

    def members(self, run: int) -> Dataset:
        """The private records of the members of a run."""
        return members_of(self.data, self.inside[run][self.units.of_record])

    def unit_means(self, values: np.ndarray) -> np.ndarray:
        """The mean over the records of each unit of values (n,): (count,)."""
        units = self.units
        return np.bincount(units.of_record, values, units.count) / units.counts()


def coin_design(data: Dataset, seeds: Sequence[int], adjacency: str) -> CoinDesign:
    """Toss the coins of each seed.

    Raises:
        DpvizError: where neighbours replace a person and nobody could stand in for another.
    """
    units = privacy_units(data, adjacency)
    may_be_out = targets(data, units, adjacency)
    inside = np.array([coins(data, seed, adjacency) for seed in seeds])
    return CoinDesign(data, units, may_be_out, inside)


def privacy_units(data: Dataset, adjacency: str) -> PrivacyUnits:
    """The persons or records that an adjacency protects."""
    return (
        PrivacyUnits.persons(data)
        if adjacency in PERSON_ADJACENCIES
        else PrivacyUnits.records(data)
    )


# ----------------------------------------------------------------------------------- chosen records


@dataclass(frozen=True, eq=False)
class TargetLosses:
    """Losses behind an attack with the design ``coin``, to judge some of the targets.

    Attributes:
        losses: (runs, targets) float32; inside: (runs, targets) bool, who is a member.
        of_record: (n,) int32, the target that each private record belongs to; -1 without one.
    """

    losses: np.ndarray
    inside: np.ndarray
    of_record: np.ndarray


@dataclass(frozen=True)
class PartAttack:
    """The attack of ``Attack`` on some of its targets.

    Attributes:
        number: targets judged; auc, error: area and its standard error under one threshold.
        informed: the better informed attack on these targets; None where there are too few runs.
    """

    number: int
    auc: float
    error: float
    informed: Informed | None


def target_losses(
    spec: RunSpec,
    seeds: Sequence[int],
    progress: experiment.Progress = lambda what, done, total: None,
) -> TargetLosses:
    """Return the losses behind ``attack`` with the design ``coin``.

    Raises:
        DpvizError: as ``attack``.
    """
    data, guarantee = experiment.prepared(spec, progress), experiment.planned(spec).guarantee
    design = coin_design(data, seeds, guarantee.adjacency)
    found, _ = _target_losses(design, maker(spec, data, len(seeds), progress), seeds)
    place = np.where(design.targets, np.cumsum(design.targets) - 1, -1).astype(np.int32)
    return TargetLosses(
        found.astype(np.float32), design.target_members, place[design.units.of_record]
    )


def attack_on(targets: TargetLosses, chosen: np.ndarray) -> PartAttack | None:
    """Return the attack on the targets of chosen records, (n,) bool; None where the runs have no
    member or no non-member among these targets.
    """
    places = np.unique(targets.of_record[chosen])
    places = places[places >= 0]
    found, inside = targets.losses[:, places].astype(np.float64), targets.inside[:, places]
    if not inside.any() or inside.all():
        return None
    fpr, tpr = roc(found[inside], found[~inside])
    area = float(np.trapezoid(tpr, fpr))
    error = attack_statistics.error(found, inside, np.ones(found.shape), area)
    return PartAttack(len(places), area, error, attack_statistics.informed(found, inside, 1.0))


# ------------------------------------------------------------------------------------ the statistic


def temperature(release: Release) -> float:
    """What scores are multiplied by before the softmax: a prototype's scores are cosines."""
    return TEMPERATURE if release.chosen is not None or not release.normalise else 1.0


def scaled_scores(release: Release, x: np.ndarray) -> np.ndarray:
    """Scores of unit features x (n, d), times the temperature: (n, C) float64."""
    scores = (unit_rows(x) @ release.weights.T + release.bias).astype(np.float64)
    return scores * temperature(release)


def losses(release: Release, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """-log softmax probability of the label under the release's scores of unit features: (n,)
    float64.
    """
    scores = scaled_scores(release, x)
    return special.logsumexp(scores, axis=1) - scores[np.arange(len(y)), y]


# ------------------------------------------------------------------------------------------ figures


def _assess(
    found: np.ndarray,
    inside: np.ndarray,
    weights: np.ndarray,
    guarantee: Guarantee,
    design: str,
    scale: float,
    judged: Judged,
) -> Attack:
    """All runs under one threshold: losses and membership (runs, n), weights (n,) of records as
    non-members.
    """
    wide, coin = np.broadcast_to(weights, found.shape), design == "coin"
    fpr, tpr = roc(found[inside], found[~inside], wide[~inside])
    runs = tuple(auc(row[m], row[~m], weights[~m]) for row, m in zip(found, inside, strict=True))
    area = float(np.trapezoid(tpr, fpr))
    informed = lambda share: attack_statistics.informed(found, inside, share) if coin else None
    error = attack_statistics.error(found, inside, wide, area)
    return Attack(
        CURVE_RATES,
        attack_statistics.tpr_at(CURVE_RATES, fpr, tpr),
        area,
        error,
        runs,
        guarantee,
        design,
        scale,
        judged,
        informed(1.0),
        informed(SHARE),
    )
