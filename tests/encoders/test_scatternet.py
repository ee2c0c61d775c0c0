"""ScatterNet: its sizes, and features that depend on one picture alone, to the last bit."""

import dataclasses

import numpy as np
import pytest

from dpviz.encoders import ENCODERS, get, scatternet
from dpviz.encoders.embedding import embed, network
from dpviz.methods import dp_ls
from dpviz.types import Budget, DpvizError, Sizes

GREY, COLOUR = ENCODERS["scatter"], ENCODERS["scatter-colour"]


def pictures(n, *shape):
    return np.random.default_rng(1).integers(0, 256, (n, *shape), np.uint8)


@pytest.mark.parametrize("row, wanted", [(GREY, 81 * 7 * 7), (COLOUR, 3 * 81 * 8 * 8)])
def test_it_gives_as_many_numbers_as_the_paper_has(row, wanted):
    assert row.dim == wanted
    for shape in ((28, 28), (32, 32, 3), (144, 100, 3)):
        found = embed(pictures(2, *shape), row)
        assert found.shape == (2, wanted) and np.isfinite(found).all()


@pytest.mark.parametrize("row, n", [(GREY, 150), (COLOUR, 70)], ids=lambda v: getattr(v, "key", ""))
def test_no_bit_of_a_pictures_features_depends_on_the_others_or_on_its_place(row, n):
    there = pictures(n, row.size, row.size)
    whole = embed(there, row)
    assert np.array_equal(embed(np.delete(there, 3, 0), row), np.delete(whole, 3, 0))
    assert np.array_equal(embed(there[::-1], row), whole[::-1])
    for batch in (1, 7):
        assert np.array_equal(embed(there[:21], row, batch=batch), whole[:21])


def test_each_group_of_channels_of_each_picture_is_normalised():
    for row, groups in ((GREY, 27), (COLOUR, 81)):
        found = embed(pictures(3, row.size, row.size), row).reshape(3, groups, -1)
        np.testing.assert_allclose(found.mean(2), 0, atol=1e-5)
        assert found.std(2).max() <= 1.001 and found[:, 0].std() > 0.99


def test_it_has_nothing_to_learn_and_says_so():
    assert not list(network(GREY).parameters()) and GREY.weights() is None
    assert GREY.trained_on.startswith("nothing") and "nothing of it needs" in GREY.trained_on
    assert GREY.head is None and GREY.texts is None
    assert GREY.unlearned and get("timm:test_resnet@random").unlearned
    assert not any(ENCODERS[key].unlearned for key in ("glyphnet", "lite0"))


def test_what_kymatio_misses_is_put_back_with_its_own_order_of_arguments():
    from scipy import special

    scatternet.prepare_kymatio()
    wanted = -0.5 * np.sqrt(3 / (2 * np.pi)) * np.exp(0.3j) * np.sin(1.1)
    assert special.sph_harm(1, 1, 0.3, 1.1) == pytest.approx(wanted)


def test_a_black_picture_has_features_too():
    assert np.isfinite(embed(np.zeros((1, 28, 28), np.uint8), GREY)).all()


def test_features_too_wide_for_a_square_matrix_are_refused_in_a_sentence():
    sizes = Sizes(100, COLOUR.dim, (50, 50))
    with pytest.raises(DpvizError, match="15,552 dimensions; use it on at most 8,192"):
        dp_ls.METHOD.plan(sizes, Budget(1.0), dp_ls.METHOD.check({}))
    dp_ls.METHOD.plan(dataclasses.replace(sizes, d=128), Budget(1.0), dp_ls.METHOD.check({}))
