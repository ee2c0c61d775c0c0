"""Promises to persons: neighbours differ by a whole person; twins that have the noise for a record,
or bound nobody, are caught.
"""

import dataclasses

import numpy as np
import pytest

from dpviz.audit import private_methods, sensitivity, whole_persons
from dpviz.data import persons
from dpviz.methods import METHODS, pate
from dpviz.methods.parts import electorates, ensembles, teachers

RUNS = 600
SEARCHED = [key for key in private_methods() if key not in pate.ENSEMBLES]


@pytest.mark.parametrize("key", [*SEARCHED, "transfer-pate"])
def test_no_person_moves_a_draw_too_far_and_noise_for_a_record_is_too_little(key):
    found = whole_persons.search(METHODS[key])
    assert found and all(moved.holds for moved in found)
    assert all(worst.moved > 0 for worst in sensitivity.worst(found))
    twins = whole_persons.search(METHODS[key], whole_persons.of_record)
    assert {moved.event for moved in twins if not moved.holds}


@pytest.mark.slow
@pytest.mark.parametrize("key", private_methods())
def test_releases_stay_under_a_promise_to_persons_and_the_twin_is_caught(key):
    case = whole_persons.cases(METHODS[key])[-1]
    row = whole_persons.audited(METHODS[key], case, RUNS)
    assert row.holds and row.twin_caught, row


def one_with_many(pair, times=3):
    """The pair with that person's records several times over."""
    mine = np.flatnonzero(pair.more.persons == pair.more.persons.max())
    rows = np.r_[np.arange(len(pair.more.x)), np.repeat(mine, times - 1)]
    more = pair.more.of_records(rows, "many")
    return dataclasses.replace(pair, more=sensitivity.marked(more))


def of_pairs(method, bound):
    """What moves each draw where one person has three times as many records as may be in."""
    found = []
    for pair in map(one_with_many, whole_persons.neighbours(replaces=False)):
        plan = whole_persons.of_person(method, pair.less, sensitivity.BUDGET, {})
        pair = dataclasses.replace(pair, more=bound(pair.more), less=bound(pair.less))
        found += sensitivity.of_pair(method, plan, {}, pair)
    return found


@pytest.mark.parametrize("key", ["dppl-mean", "dppl-public", "noisy-gd"])
def test_a_twin_that_bounds_nobody_is_caught(key):
    bound = lambda data: sensitivity.marked(persons.bounded(data, whole_persons.RECORDS))
    assert all(moved.holds for moved in of_pairs(METHODS[key], bound))
    assert not all(moved.holds for moved in of_pairs(METHODS[key], lambda data: data))


def test_a_person_is_heard_through_one_teacher_alone():
    (case,) = METHODS["transfer-pate"].person_cases()
    asked = pate.ENSEMBLES["transfer-pate"](METHODS["transfer-pate"].check(case.params))
    more, less = (
        teachers.counted(data, dataclasses.replace(asked, by_person=True)).counts
        for data in (case.more, case.less)
    )
    assert np.array_equal(np.abs(more - less), np.ones_like(more))
    alone = teachers.counted(case.more, asked).counts
    assert np.array_equal(np.abs(alone - less), np.full_like(more, len(electorates.TURNABLE)))


def test_persons_are_numbered_in_any_way():
    """Neighbours may be numbered anew: no teacher and no bound depends on that."""
    (pair, *_) = whole_persons.neighbours(replaces=False)
    other = dataclasses.replace(pair.more, persons=1000 - 7 * pair.more.persons)
    for bound in (1, 2):
        one, two = (persons.bounded(data, bound) for data in (pair.more, other))
        assert np.array_equal(one.x, two.x) and np.array_equal(one.y, two.y)
    shards = [ensembles.shards_of_persons(data, 5, 3) for data in (pair.more, other)]
    assert np.array_equal(*shards)
