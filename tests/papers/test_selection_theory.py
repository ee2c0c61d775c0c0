"""Tries of what is proved of likenesses and sets: with a slip put in, each comes out otherwise."""

import itertools

import numpy as np

from dpviz.papers.checks import selection_theory as tries
from dpviz.papers.model import DOES_NOT, HOLDS


def test_proofs_give_known_outcomes():
    assert tries.least_cancels().outcome == tries.sum_or_mean().outcome == HOLDS
    assert tries.mean_distance().outcome == HOLDS
    wrong = tries.sets_are_miscounted()
    assert wrong.outcome == DOES_NOT and "a loss of 3.35" in wrong.because
    sets, cost = tries.sets_move_alike(), tries.sets_cost()
    assert sets.outcome == HOLDS and "U moves by 1 Δ at most" in sets.because
    assert cost.outcome == HOLDS and "twice the necessary cost" in cost.because


def test_similarity_beyond_score_range_is_detected(monkeypatch):
    assert tries.likeness_is_bounded().outcome == HOLDS
    clipped = tries.clipped_scores
    monkeypatch.setattr(tries, "clipped_scores", lambda *args: clipped(*args[:2], 0.0, 2.0))
    assert tries.likeness_is_bounded().outcome == DOES_NOT
    assert tries.public_is_pure().outcome == DOES_NOT


def test_similarity_draw_nearly_reaches_its_bound():
    assert tries.public_is_pure().outcome == HOLDS
    assert 0.9 < tries.public_loss(1.0) <= 1 + tries.SLACK


def test_utility_moved_too_far_refutes_lemma(monkeypatch):
    worst = lambda u, members: float(2 * u[list(members)].min() - np.sort(u)[-len(members)])
    monkeypatch.setattr(tries, "set_utility", worst)
    assert tries.sets_move_alike().outcome == DOES_NOT


def test_set_utility_matches_equation_5():
    u = np.array([3.0, 1.0, 2.0])
    results = [tries.set_utility(u, items) for items in itertools.combinations(range(3), 2)]
    assert results == [-1.0, 0.0, -1.0]
