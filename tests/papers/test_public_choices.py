"""Tries of K, public sets and the projection: alike and different are told, noise is not."""

import numpy as np
import pytest

from dpviz.papers.checks import public_choices as tries
from dpviz.papers.model import CANNOT_TELL, DOES_NOT, HOLDS, Ground
from dpviz.stats import interval

HERE = Ground("mnist5k")


def about(mean, spread=0.002):
    return interval([mean - spread, mean, mean + spread, mean])


def test_difference_within_noise_decides_nothing():
    low, high = about(0.1), about(0.9)
    assert tries._higher({1.0: (low, high), 2.0: (low, low)}, "a", "b").outcome == CANNOT_TELL
    assert tries._higher({1.0: (low, high)}, "few", "many").outcome == HOLDS
    assert tries._higher({1.0: (high, low)}, "few", "many").outcome == DOES_NOT


def test_similarity_is_within_margin_noise_is_undecided():
    pairs = {
        "alike": (about(0.90), about(0.91)),
        "apart": (about(0.90), about(0.80)),
        "noise": (about(0.90, 0.05), about(0.91, -0.05)),
    }
    assert [*tries.compare_likeness(pairs).signs.values()] == [1, -1, 0]
    # errors of 3 % and 4.5 %: less than 3 points apart, and by half
    assert tries.compare_likeness({"": (about(0.97), about(0.955))}).down
    assert tries.compare_likeness({"": (about(0.97), about(0.955))}, 0.03).up


@pytest.mark.parametrize(
    ("best", "grows", "ten"),
    [((1, 10), HOLDS, HOLDS), ((10, 1), DOES_NOT, DOES_NOT), ((5, 5), CANNOT_TELL, DOES_NOT)],
)
def test_best_k_decides(monkeypatch, best, grows, ten):
    place = dict(zip((tries.STRICT, tries.LOOSE), best, strict=True))
    outcomes = lambda ground, rho: {k: about(0.9 if k == place[rho] else 0.5) for k in tries.KS}
    monkeypatch.setattr(tries, "_bands", outcomes)
    assert tries.best_k_grows(HERE).outcome == grows
    assert tries.best_k_is_ten(HERE).outcome == ten
    assert tries.large_ks_on_par(HERE).outcome == (HOLDS if best[1] == 1 else DOES_NOT)


def test_equal_ks_give_no_verdict(monkeypatch):
    rng = np.random.default_rng(0)
    monkeypatch.setattr(
        tries, "_bands", lambda g, rho: {k: interval(rng.uniform(0, 1, 4)) for k in tries.KS}
    )
    assert tries.best_k_grows(HERE).outcome == CANNOT_TELL
    assert tries.best_k_is_ten(HERE).outcome == CANNOT_TELL


@pytest.mark.parametrize(
    ("mapped", "outcome"), [(0.5, HOLDS), (0.95, DOES_NOT), (0.9, CANNOT_TELL)]
)
def test_projection_differs_from_none(monkeypatch, mapped, outcome):
    def result(ground, settings):
        return {key: about(mapped if "trained" in key[0] else 0.9) for key in settings}

    monkeypatch.setattr(tries, "_accuracies", result)
    assert tries.projection_is_worse(HERE).outcome == outcome
    assert tries.none_reaches_plain(HERE).outcome == outcome
