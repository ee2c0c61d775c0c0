"""Synthetic features around a tight frame, perturbations of test records, and feature
preparation.
"""

import dataclasses
import itertools
import json

import numpy as np
import pytest

from dpviz import data as data_package
from dpviz import methods
from dpviz.cli import main
from dpviz.data import perturbation, preparation, synthetic
from dpviz.experiments import experiment
from dpviz.types import Adversary, Budget, DpvizError, Release, RunSpec, unit_rows
from tests.kit.toys import toy_data

pytestmark = pytest.mark.slow

SMALL = "etf:classes=4,dim=12,n=160,beta=0.1"


@pytest.mark.parametrize(
    ("classes", "dim", "kind"),
    [(2, 2, "axes"), (10, 10, "random"), (10, 768, "random"), (7, 40, "axes")],
)
def test_frame_is_equiangular_and_tight(classes, dim, kind):
    corners = synthetic.frame(classes, dim, kind, 0)
    cosines = np.full((classes, classes), -1 / (classes - 1))
    np.fill_diagonal(cosines, 1)
    np.testing.assert_allclose(corners @ corners.T, cosines, atol=1e-12)
    tight = np.linalg.eigvalsh(corners.T @ corners)
    assert (
        tight[-(classes - 1) :] == pytest.approx(classes / (classes - 1))
        and np.abs(tight[: -(classes - 1)]).max(initial=0) < 1e-12
    )


def test_records_shift_by_beta_and_one_common_offset():
    d = synthetic.make("etf:classes=5,dim=30,n=300,beta=0.2,offset=0.05")
    ideal = synthetic.make("etf:classes=5,dim=30,n=300,beta=0,offset=0")
    deviation = synthetic.make("etf:classes=5,dim=30,n=300,beta=0,offset=0.05")
    assert (
        np.abs(d.x - deviation.x) == pytest.approx(0.2, abs=1e-6)
        and len(np.unique(np.sign(d.x - deviation.x), axis=0)) > 200
    )
    for part in ("x", "x_test", "x_public"):
        shifted = getattr(deviation, part) - getattr(ideal, part)
        assert (
            np.abs(shifted) == pytest.approx(0.05, abs=1e-6)
            and np.ptp(shifted, axis=0).max() < 1e-6
        )


def test_same_name_gives_same_bits_other_draw_differs():
    first, again = synthetic.make(SMALL), synthetic.make("etf: n=160, dim=12 ,classes=4,beta=0.10")
    assert (
        first.fingerprint == again.fingerprint == synthetic.canonical(SMALL)
        and first.key == first.fingerprint
    )
    assert all(
        np.array_equal(getattr(first, f), getattr(again, f))
        for f in ("x", "y", "x_test", "y_test", "x_public", "y_public")
    )
    second = synthetic.make(f"{SMALL},seed=1")
    assert not np.array_equal(first.x, second.x) and second.fingerprint != first.fingerprint
    with pytest.raises(ValueError, match="read-only"):
        first.x[0] = 0


def test_class_sizes_follow_imbalance():
    d = synthetic.make("etf:classes=4,dim=12,n=1000,alpha=0.2")
    assert (
        d.counts == (100, 100, 400, 400)
        and d.sizes.public == 2000
        and np.ptp(np.bincount(d.y_test)) == 0
    )
    assert synthetic.make("etf:classes=5,dim=12,n=1000").counts == (200,) * 5
    assert sum(synthetic.counts(7, 100, 0.01)) == 100 and synthetic.counts(7, 100, 0.01).min() >= 1
    assert synthetic.counts(2, 10, 0.3).tolist() == [3, 7]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("etf:dim=5", "dim must be at least 10"),
        ("etf:classes=1", "between 2 and 100"),
        ("etf:beta=2", "and 1"),
        ("etf:beta=nan", "beta"),
        ("etf:n=5", "one record per class"),
        ("etf:n=100000,dim=8000", "at most 25,000,000"),
        ("etf:colour=red", "colour=red"),
        ("etf:beta", "name=value"),
        ("etf:beta=0,beta=0.1", "once"),
        ("etf:test=evil", "must be one of none"),
        ("etf:n=10.5", "whole number"),
    ],
)
def test_invalid_names_are_refused_with_message(name, words):
    with pytest.raises(DpvizError, match=words) as refusal:
        data_package.load(name, None)
    assert str(refusal.value).endswith(".")


def test_synthetic_set_works_like_any_data_set(capsys):
    assert data_package.load(SMALL, None) is data_package.load(f"{SMALL},test=none", None)
    assert (
        data_package.public_choices(SMALL) == ("same-frame",)
        and data_package.default_public("x.npz") is None
    )
    with pytest.raises(DpvizError, match="Leave encoder and public empty"):
        data_package.load(SMALL, "glyphnet")
    assert main(["list", "datasets", "--json"]) == 0
    assert any(
        row["key"] == "etf" and "Synthetic" in row["title"]
        for row in json.loads(capsys.readouterr().out)
    )
    assert (
        main(
            [
                "run",
                "--dataset",
                SMALL,
                "--method",
                "noisy-gd",
                "--budget",
                "1",
                "--ir",
                "4",
                "--features",
                "pca=3",
                "--json",
            ]
        )
        == 0
    )
    out = json.loads(capsys.readouterr().out)
    assert (
        out["dataset"] == synthetic.canonical(SMALL)
        and out["public"] == "same-frame"
        and out["features"] == "pca=3"
    )
    assert (
        "3 principal directions" in out["guarantee"]["public"]
        and "synthetic" in out["guarantee"]["unit"]
    )


@pytest.mark.parametrize(
    "key", sorted(set(methods.METHODS) - {"prom-pate"})
)  # it needs an encoder's own scores
def test_every_method_runs_on_synthetic_set(key):
    result = experiment.run(
        RunSpec("etf:classes=3,dim=9,n=300,beta=0.05", None, key, Budget(10.0), ir=2.0)
    )
    assert result.scores.balanced > 0.6 and sorted(result.class_counts) == [50, 71, 100]


# ------------------------------------------------------------------------------------ perturbations


def rule(seed, classes=3, d=6, bias=0.0):
    rng = np.random.default_rng(seed)
    return Release(
        rng.normal(size=(classes, d)).astype(np.float32),
        (bias * rng.normal(size=classes)).astype(np.float32),
    )


@pytest.mark.parametrize("seed", range(5))
def test_adversary_finds_worst_corner_of_cube(seed):
    rng, release = np.random.default_rng(seed), rule(seed)
    x = rng.normal(size=(60, 6)).astype(np.float32)
    y = release.predict(x)
    y[:5] = (y[:5] + 1) % 3
    corners = np.array(list(itertools.product((-1, 1), repeat=6)), np.float32)
    brute = np.all([release.predict(x + 0.4 * c) == y for c in corners], axis=0)
    result = perturbation.survives(release, x, y, Adversary(np.full(60, 0.4)))
    assert np.array_equal(result, brute) and 0 < result.sum() < 55 and not result[:5].any()


def test_adversary_acts_before_public_projection():
    rng, release = np.random.default_rng(3), rule(3, d=2)
    basis = np.linalg.qr(rng.normal(size=(6, 2)))[0].T.astype(np.float32)
    x = rng.normal(size=(60, 6)).astype(np.float32)
    y = release.predict(x @ basis.T)
    corners = np.array(list(itertools.product((-1, 1), repeat=6)), np.float32)
    brute = np.all([release.predict((x + 0.3 * c) @ basis.T) == y for c in corners], axis=0)
    assert np.array_equal(
        perturbation.survives(release, x @ basis.T, y, Adversary(np.full(60, 0.3), basis)), brute
    )


@pytest.mark.parametrize("bias", [0.3, 1.0])
def test_attack_with_bias_is_achieved_by_a_corner(bias):
    """What the attack claims to break, a corner does break."""
    rng, release = np.random.default_rng(1), rule(1, bias=bias)
    x = rng.normal(size=(60, 6)).astype(np.float32)
    y = release.predict(x)
    corners = np.array(list(itertools.product((-1, 1), repeat=6)), np.float32)
    brute = np.all([release.predict(x + 0.3 * c) == y for c in corners], axis=0)
    assert not (brute & ~perturbation.survives(release, x, y, Adversary(np.full(60, 0.3)))).any()


SETTINGS = [
    (f"etf:classes={k},dim={p},n=400,beta={beta},offset={offset},frame={frame}", size)
    for k, p in ((2, 20), (5, 60))
    for beta, offset in ((0.0, 0.0), (0.15, 0.1))
    for frame in ("axes", "random")
    for size in (0.02, 0.3)
]


@pytest.mark.parametrize("key", ["noisy-gd", "dppl-mean", "dp-ls", "logistic"])
@pytest.mark.parametrize("budget", [0.05, 2.0])
def test_adversarial_accuracy_is_at_most_random_accuracy(key, budget):
    """After a few steps as after many: the tests are of a head, however it was found."""
    worse, params = 0, (("steps", 20),) if key == "noisy-gd" else ()
    for name, size in SETTINGS:
        score = {
            kind: (
                experiment.run(
                    RunSpec(
                        f"{name},test={kind},size={size}", None, key, Budget(budget), params=params
                    )
                ).scores.balanced
            )
            for kind in ("stochastic", "offset", "adversarial")
        }
        assert score["adversarial"] <= min(score["stochastic"], score["offset"]), name
        worse += score["adversarial"] < score["stochastic"]
    assert worse >= 4, "and it is not merely equal"


# -------------------------------------------------------------------------------------- preparation


def test_preparation_has_one_canonical_form():
    assert preparation.canonical("") == "" == preparation.canonical("pca=0,centre=no,size=0.3")
    assert preparation.canonical(" pca=9, centre=yes") == "centre=yes,pca=9"
    for bad in ("pca=-1", "pca=2.5", "centre=maybe", "noise=1", "shift=3"):
        with pytest.raises(DpvizError, match=r"\.$"):
            preparation.canonical(bad)


def test_centering_and_public_pca_match_scikit_learn():
    from sklearn.decomposition import PCA

    d = toy_data()
    product = preparation.prepare(d, "centre=yes,pca=3")
    theirs = PCA(3, svd_solver="full").fit(unit_rows(d.x_public))
    for part in ("x", "x_test", "x_public"):
        expected = theirs.transform(unit_rows(getattr(d, part)))
        np.testing.assert_allclose(np.abs(getattr(product, part)), np.abs(expected), atol=1e-5)
    assert product.fingerprint != d.fingerprint and product.x.dtype == np.float32


@pytest.mark.parametrize("features", ["centre=yes", "pca=4", "dim=30,shift=0.1,centre=yes,pca=4"])
def test_private_records_do_not_affect_preparation_of_others(features):
    d = toy_data()
    second = dataclasses.replace(
        d, x=np.concatenate([d.x[:-1], -9 * d.x[-1:]]), fingerprint="other"
    )
    first, pair = (preparation.prepare(data, features) for data in (d, second))
    assert np.array_equal(first.x[:-1], pair.x[:-1]) and not np.array_equal(first.x[-1], pair.x[-1])
    assert np.array_equal(first.x_test, pair.x_test) and np.array_equal(
        first.x_public, pair.x_public
    )


def test_coordinates_are_copied_or_subsampled():
    assert preparation.coordinates(4, 8).tolist() == [0, 1, 2, 3] * 2
    items = preparation.coordinates(10, 25)
    assert (
        len(items) == 25
        and np.bincount(items).max() == 3
        and (np.diff(preparation.coordinates(10, 4)) > 0).all()
    )
    product = preparation.prepare(toy_data(), "dim=24")
    assert product.x.shape[1] == 24 and np.linalg.norm(product.x, axis=1) == pytest.approx(
        1, abs=1e-5
    )


def test_impossible_preparation_is_refused_with_message():
    d = toy_data()
    with pytest.raises(DpvizError, match="must be at most 12"):
        preparation.prepare(d, "pca=13")
    with pytest.raises(DpvizError, match="has none. Add X_public"):
        preparation.prepare(dataclasses.replace(d, public_rows=None, y_public=None), "centre=yes")


def test_cards_list_public_inputs_of_preparation():
    spec = RunSpec(SMALL, None, "dppl-mean", Budget(1.0), features="centre=yes,pca=3")
    plain, prepared = (
        experiment.planned(dataclasses.replace(spec, features=f)) for f in ("", spec.features)
    )
    extra = "; the mean feature of the public set and the 3 principal directions of the public set"
    assert prepared.guarantee.public.replace(extra, "") == plain.guarantee.public
    assert extra in prepared.guarantee.public and extra not in plain.guarantee.public
    assert (
        experiment.prepared(spec).x.shape[1] == 3 and prepared.guarantee.rho == plain.guarantee.rho
    )
    assert spec.digest != dataclasses.replace(spec, features="").digest


def test_adversarial_reach_is_preserved_by_preparation():
    name = "etf:classes=4,dim=20,n=400,beta=0.1,test=adversarial,size=0.1"
    d = synthetic.make(name)
    product = preparation.prepare(d, "pca=20")
    release = rule(0, 4, 20)
    rotated = dataclasses.replace(
        release, weights=(release.weights @ product.adversary.basis.T).astype(np.float32)
    )
    initial = perturbation.survives(release, d.x_test, d.y_test, d.adversary)
    assert np.array_equal(
        perturbation.survives(rotated, product.x_test, d.y_test, product.adversary), initial
    )
