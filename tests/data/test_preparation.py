"""Feature preparation: what is done to a record, to the bit."""

import numpy as np
import pytest

from dpviz.data import perturbation, preparation, synthetic
from dpviz.types import DpvizError


def test_preparation_of_record_depends_only_on_that_record():
    x = np.random.default_rng(3).normal(size=(601, 128)).astype(np.float32)
    basis = preparation.directions(x[:200], 2)
    for change in (
        perturbation.own_signs,
        perturbation.own_normals,
        lambda rows: preparation.turned(rows, basis[:1]),
    ):
        whole = change(x)
        for gone in (0, 3, 300):
            assert np.array_equal(change(np.delete(x, gone, 0)), np.delete(whole, gone, 0))
    assert np.allclose(preparation.turned(x, basis), x @ basis.T, atol=1e-4)
    assert np.array_equal(preparation.turned(np.zeros((2, 128), np.float32), basis), [[0, 0]] * 2)
    signs = perturbation.own_signs(x)
    assert set(np.unique(signs)) == {-1.0, 1.0} and abs(signs.mean()) < 0.02


def test_perturbation_affects_only_named_split():
    unmoved = synthetic.make("etf:dim=12,n=200,beta=0")
    for kind in ("stochastic", "gaussian", "offset"):
        for part in ("test", "training", "both"):
            text = f"etf:dim=12,n=200,beta=0,test={kind},size=0.2,where={part}"
            shifted = synthetic.make(text)
            gap = [
                getattr(shifted, name) - getattr(unmoved, name)
                for name in ("x", "x_test", "x_public")
            ]
            outcomes = [bool(np.abs(settings).max() > 0) for settings in gap]
            assert outcomes == [part != "test", part != "training", part == "both"]
            for settings in gap:
                spread = np.sqrt((settings**2).mean())
                assert spread == pytest.approx(0.2, rel=0.1) or not settings.any()
    with pytest.raises(DpvizError, match="adversary"):
        synthetic.make("etf:dim=12,n=200,test=adversarial,where=both")


def test_public_class_means_span_class_subspace():
    product = preparation.prepare(synthetic.make("etf:dim=50,n=400,beta=0.1"), "means=yes")
    assert product.x.shape == (400, 10)
    inside = (
        product.x - np.stack([product.x[product.y == c].mean(axis=0) for c in range(10)])[product.y]
    )
    assert np.linalg.norm(inside, axis=1).mean() < 0.7 * 0.1 * np.sqrt(50)
