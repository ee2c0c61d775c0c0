"""CoinPress: the schedule's values, its divergence, and the clip that the schedule promises."""

import dataclasses

import numpy as np
import pytest

from dpviz.diagnostics import coinpress_steps
from dpviz.methods.dppl_mean import METHOD
from dpviz.methods.parts import coinpress, row_blocks
from dpviz.types import Budget
from tests.kit.toys import toy_data


def plan(d: int, n: int, rho: float = 0.5):
    data = toy_data(per_class=2, d=4)
    return METHOD.plan(data.sizes, Budget(rho, "zcdp"), METHOD.check({"form": "coinpress"}))


def test_values_of_a_run_that_converges():
    steps = coinpress.schedule(64, 500, plan(64, 500))
    assert [s["gamma"] for s in steps] == pytest.approx([10.370429] * 3, abs=1e-6)
    assert [s["clip"] for s in steps] == pytest.approx([14.817078, 11.228566, 10.892251], abs=1e-5)
    assert [s["sd"] for s in steps] == pytest.approx([0.21204476, 0.13580796, 0.04833547], rel=1e-6)


def test_fifty_records_in_1280_dimensions_diverge():
    steps = coinpress.schedule(1280, 50, plan(1280, 50))
    assert [s["r_next"] for s in steps[:2]] == pytest.approx([294.66, 1378.49], abs=0.01)
    assert steps[2]["r"] > steps[1]["r"] > steps[0]["r"]


def test_without_noise_it_is_the_mean_where_nothing_is_clipped():
    data = toy_data(d=8)
    quiet = METHOD.plan(data.sizes, Budget(float("inf")), METHOD.check({"form": "coinpress"}))
    fitted = METHOD.fit(data, [quiet], [0])
    unit = data.x / np.linalg.norm(data.x, axis=1, keepdims=True)
    means = np.stack([unit[data.y == c].mean(0) for c in range(data.classes)])
    assert fitted.trace["clipped"].max() == 0
    expected = means / np.linalg.norm(means, axis=1, keepdims=True)
    # a record's features are kept to 12 bits of the public set's spread
    assert fitted.releases[0][0].weights == pytest.approx(expected, abs=3e-5)


def test_its_card_says_that_class_counts_are_public_and_records_are_replaced():
    card = plan(4, 2).guarantee
    assert "class counts" in card.public and card.adjacency == "replace one record within its class"
    printed = METHOD.plan(
        toy_data().sizes, Budget(1.0), METHOD.check({"form": "printed"})
    ).guarantee
    assert "class counts" in printed.public and printed.adjacency == card.adjacency
    assert (
        METHOD.plan(toy_data().sizes, Budget(1.0), METHOD.check({})).guarantee.adjacency
        == "add or remove one record"
    )


def test_the_printed_form_has_twice_the_noise_of_the_sum_form():
    forms = [
        METHOD.plan(toy_data().sizes, Budget(1.0), METHOD.check({"form": f}))
        for f in ("sum", "printed")
    ]
    noise = [next(iter(p.events.values())).sigma for p in forms]
    assert noise[1] == pytest.approx(2 * noise[0])


def test_pooling_bounds_the_norm_and_scores_as_pooled_features_do():
    data = toy_data(d=10)
    plans = [
        METHOD.plan(data.sizes, Budget(float("inf")), METHOD.check({"k_pool": k})) for k in (1, 3)
    ]
    assert next(iter(plans[1].events.values())).sensitivity == pytest.approx(1 / 3**0.5)
    release = METHOD.fit(data, [plans[1]], [0]).releases[0][0]
    unit = lambda a: a / np.linalg.norm(a, axis=1, keepdims=True)
    pooled = lambda a: unit(a)[:, :9].reshape(len(a), 3, 3).mean(2)
    means = unit(np.stack([pooled(data.x)[data.y == c].mean(0) for c in range(data.classes)]))
    assert np.array_equal(
        release.predict(data.x_test), np.argmax(pooled(data.x_test) @ means.T, axis=1)
    )


@pytest.mark.parametrize("block", [7, 2**18])
def test_every_cell_of_a_batch_is_the_walk_record_by_record(monkeypatch, block):
    """All cells' clips at once, in blocks, against the step-by-step run of the page, whose offsets
    are explicit.
    """
    monkeypatch.setattr(row_blocks, "BLOCK", block)
    data = toy_data(d=8)
    plans = [
        METHOD.plan(data.sizes, Budget(rho, "zcdp"), METHOD.check({"form": "coinpress"}))
        for rho in (0.05, 2.0)
    ]
    trace = METHOD.fit(data, plans, [3, 4]).trace
    x = coinpress_steps.standardised(data, 1)
    for i, planned in enumerate(plans):
        for j, seed in enumerate((3, 4)):
            for c, n in enumerate(data.counts):
                run = coinpress_steps.schedule(8, n, planned)
                moments = coinpress_steps.walk(
                    x[data.y == c], run, coinpress_steps.noise(data, 8, seed)[:, c]
                )
                assert trace["norms"][i, j, c] == pytest.approx([m.norm for m in moments], rel=1e-4)
                assert trace["clipped"][i, j, c] == pytest.approx(
                    [m.clipped for m in moments], abs=1e-6
                )


@pytest.mark.parametrize("rho", [0.5, 50.0])
def test_a_cell_keeps_its_bits_in_any_batch_where_records_are_clipped(rho):
    """At the size of real features, where products of other shapes end in other bits; some records
    lie far out.
    """
    data = toy_data(per_class=150, d=128)
    x = np.where(np.arange(len(data.x))[:, None] % 10 == 0, -data.x, data.x)
    data = dataclasses.replace(data, x=x, fingerprint="far out")
    plans = [
        METHOD.plan(data.sizes, Budget(b, "zcdp"), METHOD.check({"form": "coinpress"}))
        for b in (rho / 10, rho, 10 * rho)
    ]
    whole = METHOD.fit(data, plans, list(range(10)))
    assert whole.trace["clipped"][1].min() > 0
    for picked, seeds in (([0], [0]), ([1], [7]), ([2], [9]), ([0, 1], [3, 4, 5])):
        some = METHOD.fit(data, [plans[i] for i in picked], seeds)
        for i, row in zip(picked, some.releases, strict=True):
            for seed, release in zip(seeds, row, strict=True):
                assert np.array_equal(release.weights, whole.releases[i][seed].weights)
