"""The search for what one record moves finds the faults it is there for, and nothing where there is
none. The flawed queries are those of version 0.2.0.
"""

import dataclasses
from collections import Counter

import numpy as np
import pytest
import torch

from dpviz import audits, mechanisms, privacy
from dpviz.audits import method_checks, sensitivity
from dpviz.data import record_hashes
from dpviz.methods import adamix
from dpviz.methods.components import public_sets
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


def test_non_unit_rows_are_detected():
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


def test_scores_that_depend_on_other_records_are_detected():
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


def test_single_precision_sums_are_detected():
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


def test_position_based_shards_are_detected():
    assert not searched(lambda data: labels_by_shard(data, np.arange(len(data.x)) % SHARDS)).holds
    by_content = lambda data: np.array([hash(row.tobytes()) % SHARDS for row in data.x])
    assert searched(lambda data: labels_by_shard(data, by_content(data))).holds


def test_step_divided_by_private_count_is_detected():
    assert not searched(
        lambda data: class_sums(mechanisms.unit_rows(data.x), data, float) * 60 / len(data.x)
    ).holds


def test_neighbors_differ_in_one_record_or_order():
    pairs = list(sensitivity.neighbours("add or remove one record"))
    assert len(pairs) > 60
    for pair in pairs:
        more, less = (
            sorted((row.tobytes(), int(y)) for row, y in zip(data.x, data.y, strict=True))
            for data in (pair.with_record, pair.without_record)
        )
        if pair.same:
            assert more == less
        else:
            assert len(more) == len(less) + 1 and not [r for r in less if r not in more]


def redrawn_by_position(data, shots, draw):
    """A faulty variant: private shots drawn by position, as public ones may be."""
    return public_sets.draw_shots(data, shots, draw)


def chosen_by_rank(data, shots, draw):
    """A faulty variant: the smallest hashes of each class, so that one leaves for another."""
    there, y = data.labelled_rows
    rows = data.public[there]
    order = np.argsort(record_hashes.marks(rows, y), kind="stable")
    own = np.concatenate([order[y[order] == c][:shots] for c in range(data.classes)])
    return public_sets.Shots(rows[own].astype(float), y[own], data.classes)


@pytest.mark.parametrize("rule", [redrawn_by_position, chosen_by_rank])
def test_search_finds_private_shots_that_depend_on_others(rule, monkeypatch):
    """With as few pairs as certificates are made with; that the right variant holds on all pairs is
    in the contract.
    """
    monkeypatch.setattr(adamix, "private_shots", rule)
    with np.errstate(all="ignore"):
        found = [
            moved
            for moved in sensitivity.search(adamix.METHOD, method_checks.PAIRS)
            if not moved.holds
        ]
    assert found and all(moved.params["public_use"] == "private" for moved in found)
    assert max(moved.moved for moved in found) > 1.4
    assert all("public" in moved.neighbours for moved in found)


def test_event_audit_catches_private_shots_drawn_by_position(monkeypatch):
    case = adamix.METHOD.event_cases()[-1]
    assert len(case.with_record.public) == len(case.without_record.public) + 1
    assert np.array_equal(case.with_record.x, case.without_record.x)
    method = dataclasses.replace(adamix.METHOD, event_cases=lambda: [case])
    for row in audits.of_events(method, audits.QUICK_RUNS):
        assert 0 < row.audited <= row.claimed
    monkeypatch.setattr(adamix, "private_shots", redrawn_by_position)
    for row in audits.of_events(method, audits.QUICK_RUNS):
        assert row.audited > row.claimed


def test_public_neighbors_differ_in_one_public_record():
    pairs = list(sensitivity.public_neighbours(privacy.ADD_REMOVE))
    assert len(pairs) > 60 and any(pair.same for pair in pairs)
    for pair in pairs:
        assert np.array_equal(pair.with_record.x, pair.without_record.x)
        more, less = (
            Counter((row.tobytes(), int(y)) for row, y in zip(d.public, d.y_public, strict=True))
            for d in (pair.with_record, pair.without_record)
        )
        assert (more - less).total() == (not pair.same) and not less - more
        assert pair.same or pair.with_record.fingerprint != pair.without_record.fingerprint


def test_search_names_the_worst_pair():
    found = searched(lambda data: data.x.sum(axis=0, dtype=float)[None])
    assert "huge" in found.neighbours and "class" in found.neighbours
