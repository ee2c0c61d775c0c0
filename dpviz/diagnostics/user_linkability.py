"""How well features tell who sent a picture: an attacker who guesses which of two pictures is from
the same person, and who picks one out of a line-up.

Like is compared with like: all pictures of a comparison are of one class, so that the sender alone
sets them apart. The figures come from private records and are not released.

Source: same-or-different pairs as of Huang et al. 2007 (Labeled Faces in the Wild); the area as the
share of pairs in the right order, Hanley and McNeil 1982, with placements, DeLong et al. 1988;
errors by leaving out a person, Efron and Stein 1981, degrees of freedom as of Satterthwaite 1946;
ends by Clopper and Pearson, as Korn and Graubard 1998 do for clustered samples.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpviz import mechanisms, shares
from dpviz.data import persons as persons_of
from dpviz.experiments import experiment
from dpviz.lazy_imports import special
from dpviz.stats import Interval
from dpviz.types import Dataset, DpvizError, RunSpec, unit_rows

CHOICES = 4
"""Pictures in a line-up, of which one is from the same person."""
LINE_UPS_PER_PERSON, MAX_LINE_UPS = 20, 20_000
"""Line-ups a person, so that nobody who sent hundreds decides the figure; and in all."""
BATCH_LINE_UPS = 1000
"""Line-ups whose features are held at a time."""
MIN_SENDERS = 4
"""Effective senders below which too few people sent enough to tell."""
TOO_FEW_IMAGES = (
    "Nobody in {} has two images in a class that also has three images of others, so the test has"
    " no cases."
)


@dataclass(frozen=True, eq=False)
class LineUps:
    """Pictures to be told apart, as rows of the private records; all of a line-up are of one class.

    Attributes:
        shown_rows: (k,) the picture shown; mate: (k,) another one of its person; other_rows: (k,
            CHOICES - 1) pictures of other persons.
    """

    shown_rows: np.ndarray
    mate: np.ndarray
    other_rows: np.ndarray


@dataclass(frozen=True, eq=False)
class Senders:
    """How well features tell senders.

    Attributes:
        same: (k,) cosine of each shown picture and its mate; different: (k, CHOICES - 1) of it and
            each of the others.
        area: how often, within a class, two pictures of one person are more alike than two of
            different persons, ties counting 1/2; first: the share of line-ups in which the mate is
            nearest. Both with 95% intervals over persons, who are their ``runs``.
        effective: (Σv)²/Σv² of what leaving out each person leaves open, v, the smaller one of the
            two figures': as many alike persons would leave as much.
    """

    same: np.ndarray
    different: np.ndarray
    area: Interval
    first: Interval
    effective: float

    @property
    def too_few(self) -> bool:
        """Whether a few persons decide the figures."""
        return self.effective < MIN_SENDERS


@dataclass(frozen=True, eq=False)
class Question:
    """A line-up to be guessed at.

    Attributes:
        shown_row: row of the picture shown; choices: (CHOICES,) rows, of which the one at ``mate``
            is from the same person; cosines: (CHOICES,) of each with the picture shown.
    """

    shown_row: int
    choices: np.ndarray
    mate: int
    cosines: np.ndarray

    @property
    def nearest(self) -> int:
        """The choice that features make."""
        return int(np.argmax(self.cosines))


def linkability_of(spec: RunSpec, seed: int = 0) -> Senders:
    """How well the features of a spec's private records tell their senders.

    Args:
        seed: draws the line-ups, at most ``EACH`` a person and ``MAX_LINE_UPS`` in all.

    Raises:
        DpvizError: where persons are not known, or nobody can be told from others.
    """
    return linkability(experiment.prepared(spec), seed)


def linkability(data: Dataset, seed: int = 0) -> Senders:
    """``of`` for data that are there."""
    whose = persons_of.numbered(data)
    line_up_set = line_ups(whose, data.y, seed)
    if not len(line_up_set.shown_rows):
        raise DpvizError(TOO_FEW_IMAGES.format(data.key))
    same, different = cosines(data.x, line_up_set)
    roles = _roles(line_up_set, data.y, whose)
    (area, area_count), (first, others) = (
        _area(same, different, roles),
        _first(same, different, roles),
    )
    return Senders(same, different, area, first, min(area_count, others))


# ---------------------------------------------------------------------------------------- line-ups


def line_ups(whose: np.ndarray, labels: np.ndarray, seed: int) -> LineUps:
    """Line-ups in random order.

    Args:
        whose: (n,) persons; labels: (n,) classes.
    """
    rng = mechanisms.generator(seed, "line-ups")
    order = np.lexsort((whose, labels))
    own, classes = _ends(labels[order], whose[order]), _ends(labels[order])
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    sample = _sample_rows(whose, order[_can(own, classes)], rng)
    mate, others = np.empty(len(sample), np.int64), np.empty((len(sample), CHOICES - 1), np.int64)
    for i, at in enumerate(place[sample]):
        (start, end), (low, high) = own[at], classes[at]
        offset = start + rng.integers(end - start - 1)
        mate[i] = order[offset + (offset >= at)]
        rest = rng.choice(high - low - (end - start), CHOICES - 1, replace=False) + low
        others[i] = order[np.where(rest < start, rest, rest + end - start)]
    return LineUps(sample, mate, others)


def _ends(*keys: np.ndarray) -> np.ndarray:
    """(n, 2): where the block of equal keys that a place lies in begins and ends; keys sorted."""
    new = np.any([np.diff(key, prepend=key[:1] - 1) != 0 for key in keys], axis=0)
    starts = np.flatnonzero(new)
    ends = np.append(starts[1:], len(new))
    block = np.cumsum(new) - 1
    return np.stack([starts[block], ends[block]], axis=1)


def _can(own: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """Places with a mate and enough pictures of others."""
    own_spread, all_of_it = np.ptp(own, axis=1), np.ptp(classes, axis=1)
    return (own_spread > 1) & (all_of_it - own_spread >= CHOICES - 1)


def _sample_rows(whose: np.ndarray, rows: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """At most ``EACH`` of the rows a person, at most ``MAX_LINE_UPS`` in all, in random order."""
    rows = rng.permutation(rows)
    by_person = np.argsort(whose[rows], kind="stable")
    blocks = _ends(whose[rows][by_person])
    few = by_person[np.arange(len(rows)) - blocks[:, 0] < LINE_UPS_PER_PERSON]
    return rows[rng.permutation(few)[:MAX_LINE_UPS]]


def question(data: Dataset, line_up_set: LineUps, number: int, seed: int) -> Question:
    """A line-up in an order that ``seed`` draws; ``number`` counts on past the last one."""
    i = number % len(line_up_set.shown_rows)
    order = mechanisms.generator(seed, f"question {number}").permutation(CHOICES)
    rows = np.append(line_up_set.mate[i], line_up_set.other_rows[i])[order]
    one = LineUps(line_up_set.shown_rows[i].repeat(1), rows[:1], rows[None, 1:])
    first, rest = cosines(data.x, one)
    mate = int(np.flatnonzero(order == 0)[0])
    return Question(int(line_up_set.shown_rows[i]), rows, mate, np.append(first, rest))


def cosines(x: np.ndarray, line_up_set: LineUps) -> tuple[np.ndarray, np.ndarray]:
    """Cosine of each shown picture with its mate, (k,), and with the others, (k, CHOICES - 1)."""
    same, different = np.empty(len(line_up_set.shown_rows)), np.empty(line_up_set.other_rows.shape)
    for start in range(0, len(same), BATCH_LINE_UPS):
        here = slice(start, start + BATCH_LINE_UPS)
        shown = unit_rows(x[line_up_set.shown_rows[here]])
        same[here] = np.einsum("kd,kd->k", shown, unit_rows(x[line_up_set.mate[here]]))
        for i, rows in enumerate(line_up_set.other_rows[here].T):
            different[here, i] = np.einsum("kd,kd->k", shown, unit_rows(x[rows]))
    return same, different


# ----------------------------------------------------------------------------------------- figures


@dataclass(frozen=True, eq=False)
class _Roles:
    """Who is in a line-up, numbered: shown (k,), others (k, CHOICES - 1), and its class, (k,)."""

    shown_people: np.ndarray
    other_people: np.ndarray
    label: np.ndarray


def _roles(line_up_set: LineUps, labels: np.ndarray, whose: np.ndarray) -> _Roles:
    person = np.unique(whose, return_inverse=True)[1]
    label = np.unique(labels[line_up_set.shown_rows], return_inverse=True)[1]
    return _Roles(person[line_up_set.shown_rows], person[line_up_set.other_rows], label)


def _first(same: np.ndarray, different: np.ndarray, roles: _Roles) -> tuple[Interval, float]:
    """The share of line-ups in which the mate is nearest, ties shared; effective senders."""
    above, level = same[:, None] < different, same[:, None] == different
    right = ~above.any(axis=1) / (1.0 + level.sum(axis=1))
    about = right - (np.bincount(roles.label, right) / np.bincount(roles.label))[roles.label]
    # each of the others is drawn by itself, so that what they do together adds
    others = np.repeat((CHOICES - 1) * about[:, None], CHOICES - 1, axis=1)
    return _interval(right, others, roles)


def _area(same: np.ndarray, different: np.ndarray, roles: _Roles) -> tuple[Interval, float]:
    """The area, each class for itself and weighted by its line-ups; effective senders."""
    placed, others = np.empty(len(same)), np.empty(different.shape)
    for c in np.unique(roles.label):
        here = roles.label == c
        above = _share_below(different[here].ravel(), same[here])
        placed[here] = above
        under = 1 - _share_below(same[here], different[here].ravel())
        others[here] = (under - above.mean()).reshape(-1, CHOICES - 1)
    return _interval(placed + others.mean(axis=1), others, roles)


def _share_below(values: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Share of ``values`` below each of ``at``, ties counting 1/2."""
    values = np.sort(values)
    positions = [np.searchsorted(values, at, side=side) for side in ("left", "right")]
    return (positions[0] + positions[1]) / (2 * len(values))


# --------------------------------------------------------------------------------------- intervals


def _interval(values: np.ndarray, others: np.ndarray, roles: _Roles) -> tuple[Interval, float]:
    """The mean of line-ups as if other persons had sent pictures; effective senders.

    Each person is left out of both roles. What that moves the mean by beyond what chance moves it
    by, were line-ups independent, is the persons' part of its variance.

    Args:
        values: (k,) of the line-ups; others: (k, CHOICES - 1), how far each of the other pictures
            moves them, about the mean of its class.
    """
    mean, people = float(values.mean()), len(np.unique(roles.shown_people))
    count = int(max(roles.shown_people.max(), roles.other_people.max())) + 1
    whole = np.zeros_like(roles.label)
    classes = np.repeat(roles.label, CHOICES - 1)
    moved, chance = _left_out(values - mean, roles.shown_people, whole, count)
    more, chance_too = _left_out(others.ravel(), roles.other_people.ravel(), classes, count)
    squares = (moved + more) ** 2
    alone = float(values.var()) / len(values)
    # never less than what the persons shown leave by themselves
    variance = max(alone + float(squares.sum()) - chance - chance_too, float(moved @ moved), alone)
    effective = float(squares.sum() ** 2 / (squares @ squares)) if squares.any() else people
    low, high = _ends_of_share(mean, variance, effective, people)
    return Interval(mean, low, high, people), effective


def _left_out(
    values: np.ndarray, who: np.ndarray, label: np.ndarray, count: int
) -> tuple[np.ndarray, float]:
    """How far leaving each person out of a role moves the mean of values, which lie about the mean
    of their class, (count,); and the sum of squares of that, were all values independent.
    """
    size = np.bincount(label)
    cell, shape = who * len(size) + label, (count, len(size))
    own_counts = np.bincount(cell, minlength=count * len(size)).reshape(shape)
    rest = np.maximum(size - own_counts, 1)
    sums = np.bincount(cell, values, count * len(size)).reshape(shape)
    share = size / len(label)
    alone = float(((own_counts / rest / size) @ share**2).sum())
    return -(sums / rest) @ share, alone * float(values.var())


def _ends_of_share(
    mean: float, variance: float, freedom: float, people: int
) -> tuple[float, float]:
    """Clopper's and Pearson's interval, of as many independent trials as leave this variance; of
    one trial a person where there is none. Nothing is known from one person.
    """
    if people < 2:
        return 0.0, 1.0
    trials = float(people)
    if variance > 0:
        widen = shares.quantile(shares.KNOWN_VARIANCE_FREEDOM) / shares.quantile(freedom)
        trials = mean * (1 - mean) / variance * widen**2
    right, wrong, tail = trials * mean, trials * (1 - mean), (1 - shares.LEVEL) / 2
    low = float(special.betaincinv(right, wrong + 1, tail)) if right > 0 else 0.0
    high = float(special.betaincinv(right + 1, wrong, 1 - tail)) if wrong > 0 else 1.0
    return low, high
