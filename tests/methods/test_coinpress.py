"""CoinPress: the schedule's values, its divergence, and the clip that the schedule promises."""

import dataclasses

import numpy as np
import pytest

from dpviz.diagnostics import coinpress_steps
from dpviz.methods.components import coinpress, prototypes
from dpviz.methods.dppl_mean import METHOD
from dpviz.types import Budget, DpvizError
from tests.kit.toys import toy_data


def plan(d: int, n: int, rho: float = 0.5):
    data = toy_data(per_class=2, d=4)
    return METHOD.plan(data.sizes, Budget(rho, "zcdp"), METHOD.check({"form": "coinpress"}))


def test_converging_run_has_known_values():
    steps = coinpress.schedule(64, 500, plan(64, 500))
    assert [s["gamma"] for s in steps] == pytest.approx([10.370429] * 3, abs=1e-6)
    assert [s["clip"] for s in steps] == pytest.approx([14.817078, 11.228566, 10.892251], abs=1e-5)
    assert [s["sd"] for s in steps] == pytest.approx([0.21204476, 0.13580796, 0.04833547], rel=1e-6)


def test_fifty_records_in_1280_dimensions_diverge():
    steps = coinpress.schedule(1280, 50, plan(1280, 50))
    assert [s["r_next"] for s in steps[:2]] == pytest.approx([294.66, 1378.49], abs=0.01)
    assert steps[2]["r"] > steps[1]["r"] > steps[0]["r"]


def test_noiseless_unclipped_estimate_is_the_mean():
    data = toy_data(d=8)
    quiet = METHOD.plan(data.sizes, Budget(float("inf")), METHOD.check({"form": "coinpress"}))
    fitted = METHOD.fit(data, [quiet], [0])
    unit = data.x / np.linalg.norm(data.x, axis=1, keepdims=True)
    means = np.stack([unit[data.y == c].mean(0) for c in range(data.classes)])
    assert fitted.trace["clipped"].max() == 0
    expected = means / np.linalg.norm(means, axis=1, keepdims=True)
    # a record's features are kept to 12 bits of the public set's spread
    assert fitted.releases[0][0].weights == pytest.approx(expected, abs=3e-5)


def test_coinpress_card_states_public_counts_and_replacement():
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


def test_printed_form_has_twice_the_sum_noise():
    forms = [
        METHOD.plan(toy_data().sizes, Budget(1.0), METHOD.check({"form": f}))
        for f in ("sum", "printed")
    ]
    noise = [next(iter(p.events.values())).sigma for p in forms]
    assert noise[1] == pytest.approx(2 * noise[0])


def test_pooling_bounds_norm_and_matches_pooled_scores():
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
def test_batch_cells_match_record_by_record_steps(monkeypatch, block):
    """All cells' clips at once, in blocks, against the step-by-step run of the page, whose offsets
    are explicit.
    """
    monkeypatch.setattr(prototypes, "BLOCK", block)
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
def test_cell_keeps_bits_in_any_batch_with_clipping(rho):
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


def far_and_near(seed=0):
    """Records of one class of which some lie far from all others, among public ones close by."""
    rng = np.random.default_rng(seed)
    data = toy_data(per_class=40, d=8)
    near = data.public[:1] + 0.05 * rng.normal(size=(60, 8))
    x = np.concatenate([data.x[data.y == 0], near]).astype(np.float32)
    x[::7] *= -1
    y = np.zeros(len(x), np.int64)
    public = (data.public[:1] + 0.1 * rng.normal(size=(200, 8))).astype(np.float32)
    mark = f"far and near {seed}"
    return dataclasses.replace(data, x=x, y=y, public_rows=public, fingerprint=mark)


def of(data, rows):
    part = dataclasses.replace(data, x=data.x[rows], y=data.y[rows])
    return coinpress.class_rows(part, 0, 1)


def single(rows, centres, radius):
    """The sums as products in float32, which round by what else is in them."""
    offset = rows.x - centres[0, 0].astype(np.float32)
    lengths = np.linalg.norm(offset, axis=1)
    factor = np.minimum(np.float32(radius.item()) / lengths, 1).astype(np.float32)
    return (factor @ offset + len(offset) * centres[0, 0].astype(np.float32))[None, None], None


@pytest.mark.parametrize("radius", [1.0, 6.0, 1e4])
@pytest.mark.parametrize("away", [0.0, 3.0, 1e5])
def test_clipped_sums_match_single_records_exactly(radius, away):
    """So one record replaced moves them by 2 radius at most, whichever others there are; sums in
    float32 are caught.
    """
    data, n = far_and_near(), 100
    centre = away * np.random.default_rng(1).uniform(-1, 1, (1, 1, 8))
    ball = np.full((1, 1, 1), radius)
    sums, outside = coinpress.clipped_sums(of(data, slice(None)), centre, ball)
    each = [coinpress.clipped_sums(of(data, [i]), centre, ball) for i in range(n)]
    assert np.array_equal(sums, np.sum([alone for alone, _ in each], axis=0))
    assert outside == sum(pulled for _, pulled in each)
    stands = coinpress.on_grid(centre)
    lengths = [np.linalg.norm((alone - stands)[0, 0]) for alone, _ in each]
    assert max(lengths) <= radius * (1 + 1e-12)
    assert (0 < outside < n) or radius != 6 or away > 3, "some are clipped and some are not"
    unsplit = single(of(data, slice(None)), centre, ball)[0]
    parts = np.sum([single(of(data, [i]), centre, ball)[0] for i in range(n)], axis=0)
    assert not outside or not np.array_equal(unsplit, parts)


def test_class_too_large_for_exact_sums_is_refused():
    sizes = dataclasses.replace(toy_data().sizes, counts=(coinpress.MAX_RECORDS + 1, 5, 5, 5))
    with pytest.raises(DpvizError, match="records"):
        METHOD.plan(sizes, Budget(1.0), METHOD.check({"form": "coinpress"}))
