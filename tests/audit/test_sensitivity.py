"""The search for what one record moves finds the faults it is there for, and nothing where there is
none. The flawed queries are those of version 0.2.0.
"""

import dataclasses

import numpy as np
import torch

from dpviz import mechanisms
from dpviz.audit import sensitivity
from dpviz.types import Exponential, Query
from tests.kit import toy_method

SHARDS = 5


def searched(value, draws=None):
    """The worst that the search finds for a toy method with this query."""
    method = dataclasses.replace(
        toy_method.METHOD,
        queries=lambda plan: {"sum": Query(lambda data, plan, before: value(data))},
    )
    if draws is not None:
        plan = lambda *given: dataclasses.replace(toy_method.plan(*given), events={"sum": draws})
        method = dataclasses.replace(method, plan=plan)
    (found,) = sensitivity.worst(sensitivity.search(method))
    return found


def norms_in_single_precision(x):
    norms = np.linalg.norm(x, axis=1, keepdims=True)
    return (x / np.maximum(norms, np.finfo(np.float32).tiny)).astype(np.float32)


def class_sums(rows, data, dtype):
    return np.stack([rows[data.y == c].sum(axis=0, dtype=dtype) for c in range(data.classes)])[None]


def test_unit_rows_that_are_not_unit_are_found():
    with np.errstate(all="ignore"):
        found = searched(lambda data: class_sums(norms_in_single_precision(data.x), data, float))
    assert not found.holds and found.moved > 1e6


def clipped_scores(data, product):
    """1 + cos of each record and public record, clipped to [1.3, 1.9], summed by class."""
    scores = product(data).clip(0.3, 0.9) - np.float32(0.3)
    return np.stack([scores[data.y == c].sum(axis=0) for c in range(data.classes)])


def in_single_precision(data):
    unit = norms_in_single_precision
    return (torch.from_numpy(unit(data.x)) @ torch.from_numpy(unit(data.public)).T).numpy()


def test_scores_that_depend_on_the_records_beside_them_are_found():
    event = Exponential(0.6, 1.0)
    with np.errstate(all="ignore"):
        assert not searched(lambda data: clipped_scores(data, in_single_precision), event).holds

    def on_the_grid(data):
        rows, public = (mechanisms.unit_rows(x) for x in (data.x, data.public))
        scores = np.rint((rows @ public.T).clip(0.3, 0.9) * 2**14) / 2**14
        low = np.rint(0.3 * 2**14) / 2**14
        return class_sums((scores - low).astype(float), data, float)[0]

    width = (np.rint(0.9 * 2**14) - np.rint(0.3 * 2**14)) / 2**14
    assert searched(on_the_grid, dataclasses.replace(event, sensitivity=width)).holds


def test_sums_in_single_precision_are_found():
    """A record of no gradient moved the probe's sum: its blocks shift, and what they round to."""
    rows = lambda data: torch.from_numpy(mechanisms.unit_rows(data.x) * np.float32(0.3))
    assert not searched(lambda data: rows(data).sum(0).numpy()[None].astype(float) / 0.3).holds
    assert searched(
        lambda data: class_sums(mechanisms.unit_rows(data.x), data, float).sum(axis=1)
    ).holds


def labels_by_shard(data, owner):
    """Each shard votes for the class it has most of, the first of equals."""
    votes = np.zeros(data.classes)
    for shard in range(SHARDS):
        own = np.bincount(data.y[owner == shard], minlength=data.classes)
        votes[own.argmax()] += 1
    return votes[None] / np.sqrt(2)


def test_shards_by_position_are_found():
    assert not searched(lambda data: labels_by_shard(data, np.arange(len(data.x)) % SHARDS)).holds
    by_content = lambda data: np.array([hash(row.tobytes()) % SHARDS for row in data.x])
    assert searched(lambda data: labels_by_shard(data, by_content(data))).holds


def test_a_step_divided_by_the_private_count_is_found():
    assert not searched(
        lambda data: class_sums(mechanisms.unit_rows(data.x), data, float) * 60 / len(data.x)
    ).holds


def test_the_neighbours_differ_in_one_record_or_in_their_order_alone():
    pairs = list(sensitivity.neighbours("add or remove one record"))
    assert len(pairs) > 60
    for pair in pairs:
        more, less = (
            sorted((row.tobytes(), int(y)) for row, y in zip(data.x, data.y, strict=True))
            for data in (pair.more, pair.less)
        )
        if pair.same:
            assert more == less
        else:
            assert len(more) == len(less) + 1 and not [r for r in less if r not in more]


def test_the_search_says_which_pair_it_was():
    found = searched(lambda data: data.x.sum(axis=0, dtype=float)[None])
    assert "huge" in found.neighbours and "class" in found.neighbours
