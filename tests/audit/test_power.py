"""How surely a quick audit catches an event whose noise is halved."""

import numpy as np
import pytest
from scipy import stats

from dpviz import privacy
from dpviz.audits import audited_methods, bounds, user_level
from dpviz.audits.all_audits import PERSON_RUNS_DIVISOR
from dpviz.audits.audited_methods import QUICK_RUNS, REPEATS
from dpviz.methods import METHODS
from dpviz.types import Gaussian

POWER = 0.999


def power(mu, runs):
    """Chance that ``runs`` runs of a Gaussian event of twice ``mu`` show more than ``mu``, where
    the score is learned well, as it is of few numbers.

    A quarter of the runs trains the score, a quarter of the others chooses the threshold, and the
    best one lies halfway: hits have the rate Phi(mu), false alarms Phi(-mu).
    """
    tried = runs - runs // 4
    counted = tried - int(tried * bounds.CHOOSE_SHARE)
    counts, miss = np.arange(counted + 1), (1 - bounds.CONFIDENCE) / 2
    low, high = bounds.interval(counts, counted, miss)
    shown = stats.norm.ppf(low)[:, None] - stats.norm.ppf(high)
    hits, alarms = (stats.binom.pmf(counts, counted, stats.norm.cdf(at)) for at in (mu, -mu))
    return float(hits @ (shown > mu) @ alarms)


def cases(key, persons):
    """Each case, its plan and the most runs that a quick audit makes of it."""
    method = METHODS[key]
    found = user_level.event_cases(method) if persons else method.event_cases()
    runs = QUICK_RUNS // PERSON_RUNS_DIVISOR if persons else QUICK_RUNS
    for case in found:
        plan = (
            user_level.of_person(method, case.without_record, case.budget, case.params)
            if persons
            else audited_methods.case_plan(method, case)
        )
        yield case, plan, REPEATS[-1] * int(runs * case.share)


@pytest.mark.parametrize("persons", [False, True], ids=["record", "person"])
@pytest.mark.parametrize("key", audited_methods.private_methods())
def test_halved_noise_is_caught_almost_surely(key, persons):
    weak = {}
    for case, plan, runs in cases(key, persons):
        for name in case.events:
            event = plan.draws[name]
            if isinstance(event, Gaussian):
                sure = power(privacy.event_mu(event), runs)
                if sure < POWER:
                    weak[name, runs] = privacy.event_mu(event), sure
    assert not weak


def test_too_few_runs_are_not_enough():
    assert power(2.0, 800) > POWER > power(2.0, 200)
