"""Tries of the proofs and estimators, each of which can also come out the other way."""

from dpviz.papers.checks import mean_estimation as means
from dpviz.papers.model import CANNOT_TELL, DOES_NOT, HOLDS
from dpviz.stats import interval


def test_proofs_come_out_as_they_are_known_to():
    assert means.gaussian_is_zcdp().outcome == HOLDS
    assert means.eighth_is_enough().outcome == HOLDS
    assert means.tail_holds().outcome == HOLDS
    wrong = means.sets_are_miscounted()
    assert wrong.outcome == DOES_NOT and "a loss of 3.35" in wrong.because
    assert means.no_double_cost().outcome == DOES_NOT


def test_clipping_wins_with_a_strong_prior_and_not_when_turned_round():
    assert means.clipping_wins().outcome == HOLDS
    turned = means._lower([("coinpress", "sum")], means.STRONG)
    assert turned.outcome == DOES_NOT and "Clearly lower in 0 of 3" in turned.because


def test_a_difference_within_noise_cannot_be_told():
    low, high = interval([0.1, 0.12, 0.11]), interval([0.9, 0.91, 0.92])
    pairs = {1.0: (low, high), 2.0: (low, low)}
    assert means._higher(pairs, "few", "many").outcome == CANNOT_TELL
    assert means._higher({1.0: (low, high)}, "few", "many").outcome == HOLDS
    assert means._higher({1.0: (high, low)}, "few", "many").outcome == DOES_NOT
