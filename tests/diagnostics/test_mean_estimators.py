"""Five private means: noise of the lengths that theory says, where each wins, and the proof of the
friendly core with a twin that breaks it.
"""

import dataclasses
import math

import numpy as np
import pytest

from dpviz import mechanisms, privacy
from dpviz.diagnostics import mean_estimators as means
from dpviz.diagnostics.mean_estimators import ESTIMATORS, EXACT, PRIOR, Setting
from dpviz.methods.components import coinpress, friendly_core
from dpviz.text.dp_means import ESTIMATORS_PRIOR
from dpviz.types import DpvizError
from dpviz.views import dp_means_page
from tests.kit.toys import toy_data

SMALL = Setting(rho=0.5, n=60, d=9, centre=0.3, radius=1.0)


def test_estimators_spend_exactly_their_budget():
    for key, estimator in ESTIMATORS.items():
        promise = estimator.plan(SMALL).guarantee
        assert promise.rho == pytest.approx(SMALL.rho, rel=1e-6) and promise.rho <= SMALL.rho
        replaced = key in ("printed", "coinpress", "friendly")
        assert (promise.adjacency == privacy.REPLACE_IN_CLASS) == replaced
        assert ("n" in promise.public.split(", ")) == replaced


def test_one_record_moves_sum_within_claimed_sensitivity():
    far = np.full((1, SMALL.d), 2.0**11, np.float32)
    ball, side = means.ball(SMALL), means.box(SMALL)
    assert np.linalg.norm(mechanisms.contributions(far, ball)) <= 1 + 1e-9
    (event,) = ESTIMATORS["coordinates"].plan(SMALL).events.values()
    assert event.sensitivity == pytest.approx(side * math.sqrt(SMALL.d))
    quiet = dataclasses.replace(SMALL, rho=1e9)
    alone = ESTIMATORS["coordinates"].mean(far, quiet, ESTIMATORS["coordinates"].plan(quiet), [0])
    assert np.linalg.norm(alone) <= event.sensitivity * (1 + 1e-3)


def test_noise_has_theoretical_length():
    """800 squared standard normals: their mean is 1 within 0.2 but for once in 10^4 runs."""
    x = coinpress.on_grid(np.zeros((SMALL.n, 9), np.float32))
    for key in ("sum", "printed", "coordinates"):
        drawn = ESTIMATORS[key].mean(x, SMALL, ESTIMATORS[key].plan(SMALL), range(90))
        square = float((drawn**2).sum(axis=1).mean()) / means.noise_length(key, SMALL) ** 2
        assert square == pytest.approx(1, abs=0.2)
    assert means.noise_length("printed", SMALL) == pytest.approx(
        2 * means.noise_length("sum", SMALL)
    )


def test_sum_wins_with_good_prior_coinpress_with_loose():
    good = means.errors(Setting(), "rho", range(3))
    assert good["sum"][0.1].high < good["coinpress"][0.1].low < good["coordinates"][0.1].low
    loose = means.errors(Setting(radius=30.0), "radius", range(3))
    assert loose["coinpress"][30.0].high < loose["sum"][30.0].low
    assert good[EXACT][0.1].mean == pytest.approx(math.sqrt(128 / 500), rel=0.15)
    assert good[PRIOR][0.1].mean == pytest.approx(0.3 * math.sqrt(128))


def test_class_errors_use_own_mean_and_check_size():
    data = toy_data(per_class=40)
    draw = lambda at, seed: means.of_class(data, 1, at, seed)
    at = Setting(rho=1e6, n=30, d=data.x.shape[1], centre=0.1)
    found = means.errors(at, "n", range(2), draw)
    assert found[EXACT][30.0].mean == 0 and max(found["sum"]) <= 40
    assert found["sum"][30.0].mean < found[PRIOR][30.0].mean
    with pytest.raises(DpvizError, match="50 records .* got 40"):
        means.errors(dataclasses.replace(at, n=50), "rho", range(2), draw)


# ------------------------------------------------------------------------------------ friendly core


def plan_of(n, rho=50.0):
    return ESTIMATORS["friendly"].plan(Setting(rho=rho, n=n, d=2))


def neighbours(n=40):
    """A crowd in two places 1.9 apart; one of its records goes over to where nobody is."""
    x = np.zeros((n, 2), np.float32)
    x[n // 2 :, 0] = 1.9
    other = x.copy()
    other[0] = [-1.9, 0.0]
    return x, other


def test_one_record_moves_friend_counts_within_claim():
    x, other = neighbours()
    moved = friendly_core.friends(x, 1.0)[1:] - friendly_core.friends(other, 1.0)[1:]
    assert np.abs(moved).max() == 1 and np.linalg.norm(moved) <= math.sqrt(len(x) - 1)
    close = friendly_core.friends(np.zeros((7, 2), np.float32), 1.0)
    assert close.tolist() == [7] * 7


def spread(kept, x):
    """Largest distance between two of the records kept."""
    rows = x[kept]
    return max((float(np.linalg.norm(a - b)) for a in rows for b in rows), default=0.0)


def test_core_lies_within_two_radii_faulty_variant_fails():
    """A core breaks the proof with a chance of 1e-9; one that takes everyone breaks it here."""
    rng = np.random.default_rng(0)
    near = rng.uniform(-0.3, 0.3, (150, 2))
    x = np.concatenate([near, [[5.0, 5.0]] * 40]).astype(np.float32)
    sigma = plan_of(len(x)).gaussian("friends").sigma
    counts = friendly_core.friends(x, 1.0)
    kept = friendly_core.core(counts + sigma * rng.standard_normal(len(x)), sigma)
    assert kept[:150].any() and not kept[150:].any() and spread(kept, x) <= 2
    everyone = counts > 0
    assert spread(everyone, x) > 2


def test_core_mean_moves_no_further_than_noise_covers():
    for size in range(1, 40):
        others, own, instead = np.zeros((size, 2)), [2.0, 0.0], [-2.0, 0.0]
        with_it = np.vstack([others, own]).mean(axis=0)
        for neighbour in (others.mean(axis=0), np.vstack([others, instead]).mean(axis=0)):
            assert np.linalg.norm(with_it - neighbour) <= friendly_core.reach(1.0, size) + 1e-12


def test_too_small_core_returns_prior_center():
    x = coinpress.on_grid(np.full((30, 2), 5.0, np.float32))
    quiet, sizes = friendly_core.estimate(x, 1.0, plan_of(30, 0.1), range(3))
    assert not quiet.any() and not sizes.any()
    told, sizes = friendly_core.estimate(x, 1.0, plan_of(30, 1e4), range(3))
    assert (sizes == 30).all() and np.abs(told - 5).max() < 0.5


def test_sentences_name_best_and_report_prior_ties():
    found = means.errors(Setting(), "rho", range(3))
    titles = {key: one.title for key, one in ESTIMATORS.items()} | {PRIOR: "p", EXACT: "e"}
    said = dp_means_page.estimators_text(found, Setting(), 0.1, precise=True)
    assert "**The sum form** has the smallest L2 error" in said
    assert "n = 500" in dp_means_page.setting_text(Setting()).replace("\u00a0", " ")
    plain = dp_means_page.estimators_text(found, Setting(), 1e-4, precise=False)
    assert ESTIMATORS_PRIOR in plain and ESTIMATORS_PRIOR not in said
    rows = dp_means_page.estimator_rows(found, titles, 0.1)
    assert len(rows) == len(ESTIMATORS) + 2 and rows[0][0] == "Noisy sum"
