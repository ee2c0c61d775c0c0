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
def test_scatternet_has_paper_feature_count(row, wanted):
    assert row.dim == wanted
    for shape in ((28, 28), (32, 32, 3), (144, 100, 3)):
        result = embed(pictures(2, *shape), row)
        assert result.shape == (2, wanted) and np.isfinite(result).all()


@pytest.mark.parametrize("row, n", [(GREY, 150), (COLOUR, 70)], ids=lambda v: getattr(v, "key", ""))
def test_image_features_are_independent_of_batch_and_position(row, n):
    reference = pictures(n, row.size, row.size)
    whole = embed(reference, row)
    assert np.array_equal(embed(np.delete(reference, 3, 0), row), np.delete(whole, 3, 0))
    assert np.array_equal(embed(reference[::-1], row), whole[::-1])
    for batch in (1, 7):
        assert np.array_equal(embed(reference[:21], row, batch=batch), whole[:21])


def test_each_channel_group_per_image_is_normalized():
    for row, groups in ((GREY, 27), (COLOUR, 81)):
        result = embed(pictures(3, row.size, row.size), row).reshape(3, groups, -1)
        np.testing.assert_allclose(result.mean(2), 0, atol=1e-5)
        assert result.std(2).max() <= 1.001 and result[:, 0].std() > 0.99


def test_scatternet_states_no_learned_parameters():
    assert not list(network(GREY).parameters()) and GREY.weights() is None
    assert GREY.trained_on.startswith("nothing") and "no public training data" in GREY.trained_on
    assert GREY.head is None and GREY.texts is None
    assert GREY.unlearned and get("timm:test_resnet@random").unlearned
    assert not any(ENCODERS[key].unlearned for key in ("glyphnet", "lite0"))


def test_kymatio_shim_restores_function_with_own_argument_order():
    from scipy import special

    scatternet.prepare_kymatio()
    wanted = -0.5 * np.sqrt(3 / (2 * np.pi)) * np.exp(0.3j) * np.sin(1.1)
    assert special.sph_harm(1, 1, 0.3, 1.1) == pytest.approx(wanted)


def test_black_image_has_finite_features():
    assert np.isfinite(embed(np.zeros((1, 28, 28), np.uint8), GREY)).all()


def test_too_wide_features_are_refused_with_message():
    sizes = Sizes(100, COLOUR.dim, (50, 50))
    with pytest.raises(DpvizError, match="at most 8,192 dimensions, got 15,552"):
        dp_ls.METHOD.plan(sizes, Budget(1.0), dp_ls.METHOD.check({}))
    dp_ls.METHOD.plan(dataclasses.replace(sizes, d=128), Budget(1.0), dp_ls.METHOD.check({}))
