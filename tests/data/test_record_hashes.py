"""Hashes of records: the numbers decide, not the type that holds them."""

import dataclasses

import numpy as np

from dpviz.data import persons, perturbation, record_hashes
from dpviz.methods.components import ensembles
from tests.kit.toys import toy_data


def stored_both_ways():
    """The toy data with rounded features, in float16 as wide sets have them and in float32."""
    toy = toy_data()
    half = dataclasses.replace(toy, x=toy.x.astype(np.float16), fingerprint="half")
    return half, dataclasses.replace(toy, x=half.x.astype(np.float32), fingerprint="whole")


def test_hash_is_independent_of_number_type():
    half, whole = stored_both_ways()
    assert np.array_equal(half.x, whole.x)
    for sample in (
        lambda data: record_hashes.marks(data.x, data.y),
        lambda data: ensembles.shards(data, 7, 0),
        lambda data: perturbation.own_signs(data.x),
        lambda data: perturbation.own_normals(data.x),
    ):
        assert np.array_equal(sample(half), sample(whole))
    owners = np.arange(len(half.x)) // 8
    remaining = [
        persons.bounded(dataclasses.replace(data, persons=owners), 3).rows for data in (half, whole)
    ]
    assert np.array_equal(*remaining)


def test_negative_zero_equals_zero_and_integers_are_hashed():
    y = np.zeros(1, np.int64)
    for kind in (np.float16, np.float32):
        rows = [np.array([[number, 1]], kind) for number in (0.0, -0.0)]
        assert record_hashes.marks(rows[0], y) == record_hashes.marks(rows[1], y)
    assert len(record_hashes.marks(np.zeros((3, 2, 2), np.uint8), np.arange(3))) == 3
