"""Randomised response: its epsilon is what its coins give, and an audit catches a biased coin."""

import math

import numpy as np
import pytest

from dpviz import privacy
from dpviz.audits.bounds import epsilon_bound
from dpviz.mechanisms import SYSTEM, randomised_response
from dpviz.types import DpvizError

RUNS = 40_000
HONESTIES = (0.1, 0.5, 0.8)


def test_epsilon_inverts_honesty_fair_coins_give_ln_3():
    assert privacy.response_epsilon(0.5) == pytest.approx(math.log(3))
    for honesty in HONESTIES:
        epsilon = privacy.response_epsilon(honesty)
        assert privacy.response_honesty(epsilon) == pytest.approx(honesty, rel=1e-12)
    assert privacy.response_epsilon(0) == 0 and privacy.response_epsilon(1) == math.inf
    with pytest.raises(DpvizError):
        privacy.response_epsilon(1.1)


def test_posterior_belief_scales_odds_by_e_epsilon():
    assert privacy.belief_bound(0.5, math.log(3)) == pytest.approx(0.75)
    assert privacy.belief_bound(0.9, math.log(3)) == pytest.approx(27 / 28)
    assert [privacy.belief_bound(p, 0) for p in (0, 0.3, 1)] == pytest.approx([0, 0.3, 1])
    assert privacy.belief_bound(0.1, math.inf) == 1


def shown(honesty, seed):
    """Epsilon that recorded answers of two neighbours show, wrongly too much 1 time in 1,000."""
    yes, no = (
        randomised_response(np.full(RUNS, answer), honesty, seed, str(answer))
        for answer in (True, False)
    )
    return epsilon_bound(int(yes.sum()), int(no.sum()), RUNS)


@pytest.mark.parametrize("honesty", HONESTIES)
def test_recorded_answers_stay_within_claim_biased_coin_exceeds(honesty):
    """False alarms: 1 in 1,000 a setting, with this seed none."""
    claim = privacy.response_epsilon(honesty)
    assert 0.6 * claim < shown(honesty, 3) <= claim
    assert shown(1.3 * honesty if honesty < 0.7 else 0.95, 3) > claim


def test_simulated_coins_are_coupled_device_coins_are_fresh():
    answers = np.arange(2000) % 3 == 0
    some, more = (randomised_response(answers, honesty, 0) for honesty in (0.4, 0.6))
    moved = some != more
    assert moved.any() and np.array_equal(more[moved], answers[moved])
    assert np.array_equal(randomised_response(answers, 1.0, 0), answers)
    ones = [randomised_response(answers, 0.4, SYSTEM) for _ in range(2)]
    assert not np.array_equal(*ones)
