"""Feature preparation: what is done to a record, to the bit."""

import numpy as np

from dpviz.data import preparation


def test_what_is_done_to_a_record_follows_from_that_record_alone():
    x = np.random.default_rng(3).normal(size=(601, 128)).astype(np.float32)
    basis = preparation.directions(x[:200], 2)
    for change in (preparation.own_signs, lambda rows: preparation.turned(rows, basis[:1])):
        whole = change(x)
        for gone in (0, 3, 300):
            assert np.array_equal(change(np.delete(x, gone, 0)), np.delete(whole, gone, 0))
    assert np.allclose(preparation.turned(x, basis), x @ basis.T, atol=1e-4)
    assert np.array_equal(preparation.turned(np.zeros((2, 128), np.float32), basis), [[0, 0]] * 2)
    signs = preparation.own_signs(x)
    assert set(np.unique(signs)) == {-1.0, 1.0} and abs(signs.mean()) < 0.02
