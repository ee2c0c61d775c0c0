"""Teachers trained together: private records split into disjoint shards, one small model a shard,
many of them in one batched product.

A record goes to the teacher that a hash of its content names, so one record more or less changes
one teacher and nobody else, to the bit: every model here starts from public numbers and sees its
own shard alone, in an order that the content decides, in arrays whose shape follows from its own
records and in a place that follows from its own number, or in arrays of its own. What stands in the
other places of a batch is other numbers in the same products.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from dpviz import mechanisms
from dpviz.data.record_hashes import marks, mixed
from dpviz.lazy_imports import torch
from dpviz.machine.threads import parallel_map
from dpviz.types import Dataset

TEACHERS_AT_ONCE = 64
"""Teachers of one block, which have a place in it whether their records are in or not."""
MIN_BLOCK = 16
"""Records that every teacher has room for: below it, weights take longer than records."""
OWN_BLOCK_ROOM = 512
"""Room from which a teacher that learns in steps is a block of its own. Teachers beside one another
seldom have the same room, and the empty places of a large one take longer than small products do.
"""
PENALTY = 0.1
"""Ridge penalty on features of norm 1; flat from 0.01 to 1 on the default data, a look that is not
paid for.
"""
STEPS, RATE = 120, 0.02
"""Full-batch Adam steps of two-layer teachers, and their first step size, which falls to a tenth.
"""


# ------------------------------------------------------------------------------------------- shards


def shards(data: Dataset, teachers: int, seed: int) -> np.ndarray:
    """The teacher of each private record, (n,) int64 in [0, teachers).

    Guarantee: what a record is assigned depends on that record's features and label, ``teachers``
    and ``seed`` alone, so that neighbours by adding or removing a record differ in one shard.
    """
    return (mixed(marks(data.x, data.y), seed) % np.uint64(teachers)).astype(np.int64)


def shards_of_persons(data: Dataset, teachers: int, seed: int) -> np.ndarray:
    """The same with all of a person's records at one teacher, which their smallest hash names:
    as ``shards`` where each person has one record.

    Guarantee: what a person is assigned depends on that person's records, ``teachers`` and ``seed``
    alone, and not on how persons are numbered.
    """
    assert data.persons is not None
    hashes = marks(data.x, data.y)
    _, person_of = np.unique(data.persons, return_inverse=True)
    person_hash = np.full(person_of.max(initial=0) + 1, np.iinfo(np.uint64).max, np.uint64)
    np.minimum.at(person_hash, person_of, hashes)
    return (mixed(person_hash[person_of], seed) % np.uint64(teachers)).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Block:
    """Teachers ``first`` to ``first + T``, of which those are here that have room for L records.

    Attributes:
        has_records: (T,) bool; the places of the others are empty.
        rows: (T, L) int64, records of each teacher, 0 where padded.
        mask: (T, L) float32, 1 for a record; labels: (T, L, C) float32 one-hot, 0 where padded.
    """

    first: int
    has_records: np.ndarray
    rows: torch.Tensor
    mask: torch.Tensor
    labels: torch.Tensor

    def gather(
        self, private: torch.Tensor, prepare: Callable[[torch.Tensor], torch.Tensor]
    ) -> torch.Tensor:
        """What teachers see, (T, L, ...), of private records (n, ...) that ``prepare`` prepares,
        some at a time: 0 where padded.
        """
        inputs = prepare(private[self.rows.flatten()]).unflatten(0, self.rows.shape)
        mask = self.mask.view(*self.mask.shape, *[1] * (inputs.dim() - 2))
        return torch.where(mask.to(inputs.device) > 0, inputs, 0)


def blocks(
    owner: np.ndarray,
    y: np.ndarray,
    content: np.ndarray,
    teachers: int,
    classes: int,
    at_once: int = TEACHERS_AT_ONCE,
    own_block_room: float = math.inf,
) -> list[Block]:
    """All teachers in blocks of ``at_once``, those with room for ``own_block_room`` records by
    themselves, from each record's teacher ``owner`` (n,), label ``y`` (n,) and hash (n,), which
    orders the records of a teacher.
    """
    order, sizes = np.lexsort((content, owner)), np.bincount(owner, minlength=teachers)
    starts = np.cumsum(sizes) - sizes

    def block(first: int, members: np.ndarray, room: int) -> Block:
        part, place = slice(first, first + len(members)), np.arange(room)
        mask = (place < sizes[part, None]) & members[:, None]
        rows = np.zeros(mask.shape, np.int64)
        rows[mask] = order[(starts[part, None] + place)[mask]]
        labels = np.eye(classes, dtype=np.float32)[y[rows]] * mask[:, :, None]
        return Block(
            first,
            members,
            torch.from_numpy(rows),
            torch.from_numpy(mask.astype(np.float32)),
            torch.from_numpy(labels),
        )

    found_blocks = []
    for first in range(0, teachers, at_once):
        rooms = _block_sizes(sizes[first : first + at_once], single=at_once == 1)
        for room in np.unique(rooms):
            members = rooms == room
            if room < own_block_room:
                found_blocks.append(block(first, members, int(room)))
            else:
                single = np.ones(1, bool)
                places = np.flatnonzero(members).tolist()
                found_blocks += [block(first + place, single, int(room)) for place in places]
    return found_blocks


def _block_sizes(sizes: np.ndarray, single: bool) -> np.ndarray:
    """Records that teachers of these sizes (T,) have room for: powers of two, so that few shapes
    occur, or just their own where each is alone.
    """
    if single:
        return np.maximum(sizes, 1)
    return 1 << np.ceil(np.log2(np.maximum(sizes, MIN_BLOCK))).astype(np.int64)


# ------------------------------------------------------------------------------------------- models

Scorer = Callable[["torch.Tensor"], "torch.Tensor"]
"""Scores (T, q, C) of a block's teachers for inputs (q, p)."""


def ridge(block: Block, x: torch.Tensor) -> Scorer:
    """One linear layer a teacher: ridge regression on one-hot labels with a bias, in closed form,
    from records x (T, L, p).

    Solved in the records where a shard has fewer of them than inputs have numbers, else in the
    numbers.
    """
    x = torch.cat([x, block.mask[:, :, None]], 2)
    target = block.labels - block.mask[:, :, None] / block.labels.shape[2]
    if x.shape[1] <= x.shape[2]:
        w = x.mT @ torch.linalg.solve(x @ x.mT + PENALTY * torch.eye(x.shape[1]), target)
    else:
        w = torch.linalg.solve(x.mT @ x + PENALTY * torch.eye(x.shape[2]), x.mT @ target)
    return lambda queries: queries @ w[:, :-1] + w[:, -1:]


def two_layers(block: Block, x: torch.Tensor, hidden: int, seed: int) -> Scorer:
    """Two fully connected layers a teacher with a ReLU between, by full-batch Adam on the
    cross-entropy, from records x (T, L, p).

    All start from the same public weights, so a teacher depends on its shard alone.
    """
    p, c = x.shape[2], block.labels.shape[2]
    draw = mechanisms.generator(seed, f"two layers {p} {hidden}")
    start = [
        (draw.random((a, b), dtype=np.float32) * 2 - 1) / a**0.5
        for a, b in ((p, hidden), (hidden, c))
    ]
    first, second = (torch.from_numpy(w).expand(len(x), -1, -1).clone() for w in start)
    weights = [first, torch.zeros(len(x), 1, hidden), second, torch.zeros(len(x), 1, c)]
    count = block.mask.sum(1).clamp(min=1)[:, None, None]
    for size, step in adam(weights):
        h = torch.baddbmm(weights[1], x, weights[0]).relu_()
        error = (
            torch.baddbmm(weights[3], h, weights[2])
            .softmax(2)
            .sub_(block.labels)
            .mul_(block.mask[:, :, None])
            .div_(count)
        )
        back = (error @ weights[2].mT).mul_(h > 0)
        step([x.mT @ back, back.sum(1, True), h.mT @ error, error.sum(1, True)], size)
    return lambda queries: torch.baddbmm(
        weights[3],
        torch.baddbmm(weights[1], queries.expand(len(x), -1, -1), weights[0]).relu_(),
        weights[2],
    )


def adam(
    weights: list[torch.Tensor], steps: int = STEPS, rate: float = RATE
) -> Iterator[tuple[float, Callable]]:
    """Yields (step size, update) for each step; ``update(gradients, step size)`` moves ``weights``
    in place.

    Source: Kingma & Ba 2015, Algorithm 1, decays 0.9 and 0.99; the step size falls along a cosine
        to a tenth.
    """
    mean, square = ([torch.zeros_like(w) for w in weights] for _ in range(2))
    for t in range(steps):

        def update(gradients: Sequence[torch.Tensor], size: float, t: int = t) -> None:
            for w, m, v, g in zip(weights, mean, square, gradients, strict=True):
                m.lerp_(g, 0.1)
                v.mul_(0.99).addcmul_(g, g, value=0.01)
                w.addcdiv_(
                    m,
                    (v / (1 - 0.99 ** (t + 1))).sqrt_().add_(1e-8),
                    value=-size / (1 - 0.9 ** (t + 1)),
                )

        yield rate * (0.55 + 0.45 * np.cos(np.pi * t / steps)), update


# ------------------------------------------------------------------------------------------ ballots


def ballots(
    train: Callable[[Block], Scorer],
    blocks: list[Block],
    queries: torch.Tensor,
    progress: Callable[[int, int], None],
) -> np.ndarray:
    """Each teacher's vote on each query: (teachers, q) int16.

    A teacher with records of fewer than two classes knows nothing about a query: it votes for class
    (its number + the query's number) mod C, so that all teachers vote on all queries and no class
    gains.

    Args:
        train: makes the scorer of a block; queries: (q, p) their inputs.
        progress: told (teachers done, teachers); may raise ``Cancelled``.
    """
    teachers = max(block.first + len(block.has_records) for block in blocks)
    picks = np.empty((teachers, len(queries)), np.int16)

    @torch.no_grad()
    def work(block: Block) -> np.ndarray:
        score, classes = train(block), block.labels.shape[2]
        votes = torch.cat([score(part).argmax(2) for part in queries.split(512)], 1).numpy()
        blind = np.flatnonzero(block.labels.amax(1).sum(1).numpy() < 2)
        votes[blind] = (block.first + blind[:, None] + np.arange(len(queries))) % classes
        return votes[block.has_records]

    done = 0
    for block, votes in zip(blocks, parallel_map(work, blocks), strict=True):
        picks[block.first + np.flatnonzero(block.has_records)] = votes
        done += len(votes)
        progress(done, len(picks))
    return picks


def count(picks: np.ndarray, classes: int) -> np.ndarray:
    """Votes for each class, (q, C) int64, of ballots (teachers, q)."""
    return np.stack([(picks == c).sum(axis=0) for c in range(classes)], axis=1)
