"""How well features tell who sent a picture: an attacker who guesses which of two pictures is from
the same person, and who picks one out of a line-up.

Like is compared with like: all pictures of a comparison are of one class, so that the sender alone
sets them apart. The figures come from private records and are not released.

Source: same-or-different pairs as of Huang et al. 2007 (Labeled Faces in the Wild); the area as the
share of pairs in the right order, Hanley and McNeil 1982, with placements, DeLong et al. 1988; its
error clustered by both persons of a pair, Aronow, Samii and Assenova 2015.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpviz import mechanisms, stats
from dpviz.data import persons as persons_of
from dpviz.run import experiment
from dpviz.stats import Interval
from dpviz.types import Dataset, DpvizError, RunSpec, unit_rows

CHOICES = 4
"""Pictures in a line-up, of which one is from the same person."""
EACH, MOST = 20, 20_000
"""Line-ups a person, so that nobody who sent hundreds decides the figure; and in all."""
AT_ONCE = 1000
"""Line-ups whose features are held at a time."""
NOBODY = (
    "Nobody in {} has two pictures in a class that also holds three pictures of others, so that"
    " there is nothing to tell senders by."
)


@dataclass(frozen=True, eq=False)
class LineUps:
    """Pictures to be told apart, as rows of the private records; all of a line-up are of one class.

    Attributes:
        shown: (k,) the picture shown; mate: (k,) another one of its person; others: (k, CHOICES -
            1) pictures of other persons.
    """

    shown: np.ndarray
    mate: np.ndarray
    others: np.ndarray


@dataclass(frozen=True, eq=False)
class Senders:
    """How well features tell senders.

    Attributes:
        same: (k,) cosine of each shown picture and its mate; different: (k, CHOICES - 1) of it and
            each of the others.
        area: how often, within a class, two pictures of one person are more alike than two of
            different persons, ties counting 1/2; first: the share of line-ups in which the mate is
            nearest. Both with 95 % intervals over persons, who are their ``runs``.
    """

    same: np.ndarray
    different: np.ndarray
    area: Interval
    first: Interval


@dataclass(frozen=True, eq=False)
class Question:
    """A line-up to be guessed at.

    Attributes:
        shown: row of the picture shown; choices: (CHOICES,) rows, of which the one at ``mate`` is
            from the same person; cosines: (CHOICES,) of each with the picture shown.
    """

    shown: int
    choices: np.ndarray
    mate: int
    cosines: np.ndarray

    @property
    def nearest(self) -> int:
        """The choice that features make."""
        return int(np.argmax(self.cosines))


def of(spec: RunSpec, seed: int = 0) -> Senders:
    """How well the features of a spec's private records tell their senders.

    Args:
        seed: draws the line-ups, at most ``EACH`` a person and ``MOST`` in all.

    Raises:
        DpvizError: where persons are not known, or nobody can be told from others.
    """
    return told(experiment.prepared(spec), seed)


def told(data: Dataset, seed: int = 0) -> Senders:
    """``of`` for data that are there."""
    whose = persons_of.numbered(data)
    drawn = line_ups(whose, data.y, seed)
    if not len(drawn.shown):
        raise DpvizError(NOBODY.format(data.key))
    same, different = cosines(data.x, drawn)
    area = _area(same, different, drawn, data.y, whose)
    return Senders(same, different, area, _first(same, different, whose[drawn.shown]))


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
    some = _some(whose, order[_can(own, classes)], rng)
    mate, others = np.empty(len(some), np.int64), np.empty((len(some), CHOICES - 1), np.int64)
    for i, at in enumerate(place[some]):
        (start, end), (low, high) = own[at], classes[at]
        mine = start + rng.integers(end - start - 1)
        mate[i] = order[mine + (mine >= at)]
        rest = rng.choice(high - low - (end - start), CHOICES - 1, replace=False) + low
        others[i] = order[np.where(rest < start, rest, rest + end - start)]
    return LineUps(some, mate, others)


def _ends(*keys: np.ndarray) -> np.ndarray:
    """(n, 2): where the block of equal keys that a place lies in begins and ends; keys sorted."""
    new = np.any([np.diff(key, prepend=key[:1] - 1) != 0 for key in keys], axis=0)
    starts = np.flatnonzero(new)
    ends = np.append(starts[1:], len(new))
    block = np.cumsum(new) - 1
    return np.stack([starts[block], ends[block]], axis=1)


def _can(own: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """Places with a mate and enough pictures of others."""
    mine, all_of_it = np.ptp(own, axis=1), np.ptp(classes, axis=1)
    return (mine > 1) & (all_of_it - mine >= CHOICES - 1)


def _some(whose: np.ndarray, rows: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """At most ``EACH`` of the rows a person, at most ``MOST`` in all, in random order."""
    rows = rng.permutation(rows)
    by_person = np.argsort(whose[rows], kind="stable")
    blocks = _ends(whose[rows][by_person])
    few = by_person[np.arange(len(rows)) - blocks[:, 0] < EACH]
    return rows[rng.permutation(few)[:MOST]]


def question(data: Dataset, drawn: LineUps, number: int, seed: int) -> Question:
    """A line-up in an order that ``seed`` draws; ``number`` counts on past the last one."""
    i = number % len(drawn.shown)
    order = mechanisms.generator(seed, f"question {number}").permutation(CHOICES)
    rows = np.append(drawn.mate[i], drawn.others[i])[order]
    one = LineUps(drawn.shown[i].repeat(1), rows[:1], rows[None, 1:])
    first, rest = cosines(data.x, one)
    mate = int(np.flatnonzero(order == 0)[0])
    return Question(int(drawn.shown[i]), rows, mate, np.append(first, rest))


def cosines(x: np.ndarray, drawn: LineUps) -> tuple[np.ndarray, np.ndarray]:
    """Cosine of each shown picture with its mate, (k,), and with the others, (k, CHOICES - 1)."""
    same, different = np.empty(len(drawn.shown)), np.empty(drawn.others.shape)
    for start in range(0, len(same), AT_ONCE):
        here = slice(start, start + AT_ONCE)
        shown = unit_rows(x[drawn.shown[here]])
        same[here] = np.einsum("kd,kd->k", shown, unit_rows(x[drawn.mate[here]]))
        for i, rows in enumerate(drawn.others[here].T):
            different[here, i] = np.einsum("kd,kd->k", shown, unit_rows(x[rows]))
    return same, different


# ----------------------------------------------------------------------------------------- figures


def _first(same: np.ndarray, different: np.ndarray, whose: np.ndarray) -> Interval:
    """The share of line-ups in which the mate is nearest, ties shared, clustered by person."""
    above, level = same[:, None] < different, same[:, None] == different
    right = ~above.any(axis=1) / (1.0 + level.sum(axis=1))
    mean = float(right.mean())
    _, person = np.unique(whose, return_inverse=True)
    parts = np.bincount(person, (right - mean) / len(right))
    return _interval(mean, float(parts @ parts), len(parts))


def _area(
    same: np.ndarray, different: np.ndarray, drawn: LineUps, labels: np.ndarray, whose: np.ndarray
) -> Interval:
    """The area, each class for itself and weighted by its line-ups, clustered by the two persons
    that a pair is of.
    """
    label = labels[drawn.shown]
    placed, parts = np.empty(len(same)), np.empty(different.shape)
    for c in np.unique(label):
        here = label == c
        above = _below(different[here].ravel(), same[here])
        placed[here] = above
        under = 1 - _below(same[here], different[here].ravel())
        parts[here] = (under - above.mean()).reshape(-1, CHOICES - 1) / (CHOICES - 1)
    mean = float(placed.mean())
    return _clustered(mean, (placed - mean) / len(same), parts / len(same), drawn, whose)


def _below(values: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Share of ``values`` below each of ``at``, ties counting 1/2."""
    values = np.sort(values)
    found = [np.searchsorted(values, at, side=side) for side in ("left", "right")]
    return (found[0] + found[1]) / (2 * len(values))


def _clustered(
    mean: float, same: np.ndarray, different: np.ndarray, drawn: LineUps, whose: np.ndarray
) -> Interval:
    """A mean whose parts (k,) are of one person each, and others (k, CHOICES - 1) of two."""
    _, person = np.unique(whose, return_inverse=True)
    one = np.repeat(person[drawn.shown], CHOICES - 1)
    other, flat = person[drawn.others].ravel(), different.ravel()
    count = int(person.max()) + 1
    by_person = np.bincount(person[drawn.shown], same, count)
    by_person += np.bincount(one, flat, count) + np.bincount(other, flat, count)
    pair = np.minimum(one, other) * count + np.maximum(one, other)
    by_pair = np.bincount(np.unique(pair, return_inverse=True)[1], flat)
    variance = float(by_person @ by_person - by_pair @ by_pair)
    senders = len(np.unique(person[drawn.shown]))
    return _interval(mean, max(variance, float(by_pair @ by_pair)), senders)


def _interval(mean: float, variance: float, people: int) -> Interval:
    """With Student's t over so many persons; nothing is known from one."""
    half = stats.quantile(people - 1) * math.sqrt(variance) if people > 1 else 1.0
    return Interval(mean, max(0.0, mean - half), min(1.0, mean + half), people)
