"""Which records of a person are kept depends on that person alone."""

import dataclasses
import hashlib

import numpy as np
import pytest

from dpviz.data import persons, preparation
from dpviz.methods.components import ensembles
from dpviz.types import DpvizError
from tests.kit.toys import toy_data


def crowd(group=(1, 2, 5, 12, 140)):
    """Toy data of persons with so many records each, in mixed order."""
    data = toy_data()
    owners = np.repeat(np.arange(len(group)), group)
    return dataclasses.replace(data, persons=np.random.default_rng(0).permutation(owners))


def kept(data, bound):
    result = persons.bounded(data, bound)
    return {tuple(row) for row in np.c_[result.persons, result.rows].tolist()}


def test_each_user_keeps_bounded_records_independently():
    data = crowd()
    assert persons.most_records(data) == 140
    for bound in (1, 3, 200):
        result = kept(data, bound)
        counts = np.bincount([person for person, _ in result])
        assert counts.tolist() == [min(n, bound) for n in (1, 2, 5, 12, 140)]
        reduced = data.of_records(data.persons != 3, "without")
        reduced = dataclasses.replace(reduced, rows=np.flatnonzero(data.persons != 3))
        assert kept(reduced, bound) == {row for row in result if row[0] != 3}
        order = np.random.default_rng(1).permutation(len(data.x))
        assert kept(data.of_records(order, "other order"), bound) == result


def test_unbounded_keeps_all_and_fingerprint_includes_users():
    data = crowd()
    whole = persons.bounded(data, 0)
    assert np.array_equal(whole.x, data.x)
    second = persons.bounded(dataclasses.replace(data, persons=data.persons[::-1].copy()), 0)
    assert len({data.fingerprint, whole.fingerprint, second.fingerprint}) == 3


def test_data_without_users_are_refused_with_message():
    for ask in (persons.most_records, lambda data: persons.bounded(data, 0)):
        with pytest.raises(DpvizError, match="does not name the person .*picture"):
            ask(toy_data())


def test_kept_records_and_shards_match_published_hashes():
    """As published: other hashes would move every measured number of a promise to persons."""
    x = np.arange(-800.0, 800.0).reshape(160, 10).astype(np.float32) / 7
    data = dataclasses.replace(crowd(), x=x, y=np.arange(160) % 4)
    half = dataclasses.replace(data, x=x.astype(np.float16))
    assert persons.bounded(data, 1).rows.tolist() == [26, 42, 59, 105, 117]
    results = [persons.bounded(data, 3).rows, persons.bounded(half, 3).rows]
    results += [ensembles.shards(data, 7, 0), ensembles.shards_of_persons(data, 7, 0)]
    assert [hashlib.sha256(rows.tobytes()).hexdigest()[:16] for rows in results] == [
        "f1209608b34f6c8a",
        "61ee4cbf718084dc",
        "c35e7b2fcb39df47",
        "5676612fa05ba673",
    ]


@pytest.mark.parametrize("features", ["centre=yes,pca=3", "shift=0.3", "dim=7"])
def test_other_users_do_not_affect_prepared_records(features):
    data = crowd()
    reduced = data.of_records(data.persons != 4, "without")
    first, second = (persons.bounded(preparation.prepare(d, features), 3) for d in (data, reduced))
    rest = first.persons != 4
    assert len(second.x) == rest.sum() == 9
    assert np.array_equal(first.x[rest], second.x) and np.array_equal(first.y[rest], second.y)
