"""Which records of a person are kept depends on that person alone."""

import dataclasses

import numpy as np
import pytest

from dpviz.data import persons
from dpviz.types import DpvizError
from tests.kit.toys import toy_data


def crowd(each=(1, 2, 5, 12, 140)):
    """Toy data of persons with so many records each, in mixed order."""
    data = toy_data()
    whose = np.repeat(np.arange(len(each)), each)
    return dataclasses.replace(data, persons=np.random.default_rng(0).permutation(whose))


def kept(data, bound):
    found = persons.bounded(data, bound)
    return {tuple(row) for row in np.c_[found.persons, found.rows].tolist()}


def test_each_person_keeps_so_many_and_nobody_else_matters():
    data = crowd()
    assert persons.most(data) == 140
    for bound in (1, 3, 200):
        found = kept(data, bound)
        counts = np.bincount([person for person, _ in found])
        assert counts.tolist() == [min(n, bound) for n in (1, 2, 5, 12, 140)]
        without = data.of_records(data.persons != 3, "without")
        without = dataclasses.replace(without, rows=np.flatnonzero(data.persons != 3))
        assert kept(without, bound) == {row for row in found if row[0] != 3}
        order = np.random.default_rng(1).permutation(len(data.x))
        assert kept(data.of_records(order, "other order"), bound) == found


def test_all_are_kept_where_no_bound_is_asked_and_whose_they_are_is_in_the_fingerprint():
    data = crowd()
    whole = persons.bounded(data, 0)
    assert np.array_equal(whole.x, data.x)
    other = persons.bounded(dataclasses.replace(data, persons=data.persons[::-1].copy()), 0)
    assert len({data.fingerprint, whole.fingerprint, other.fingerprint}) == 3


def test_data_that_do_not_say_whose_they_are_are_refused_in_a_sentence():
    for ask in (persons.most, lambda data: persons.bounded(data, 0)):
        with pytest.raises(DpvizError, match="does not say whose .*picture"):
            ask(toy_data())
