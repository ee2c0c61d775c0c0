"""Audits in one run: they stay under the claim, and catch a twin with too little noise.

Each bound is wrong with chance SIGNIFICANCE = 0.05. A method fails where over 4 of 20 tries are,
which happens to one that is sound in at most 0.3% of reseedings; the seeds are fixed.
"""

import dataclasses

import numpy as np
import pytest

from dpviz import audits, methods
from dpviz.audits import canaries, one_run
from dpviz.audits.canaries import DESIGNS
from dpviz.types import Budget, Cancelled, DpvizError

TRIES, WRONG = 20, 4
COUNT, SMALL = 150, Budget(1.0)
TWIN = 32.0
QUICK = {"counts": (10, 30), "runs": 200}


def over(key, noise_divisor=1.0):
    """In how many tries what one release shows is above the claim."""
    method = methods.get(key)
    params = canaries.settings(method)[1]
    found = one_run.begin(method, params, SMALL, COUNT, noise_divisor)
    points = [
        one_run.point(method, params, SMALL, COUNT, seed, noise_divisor) for seed in range(TRIES)
    ]
    one_each = [dataclasses.replace(found, points=(point,)) for point in points]
    return sum(one.caught for one in one_each)


@pytest.mark.parametrize("key", DESIGNS)
def test_one_run_within_claim_and_faulty_variant_caught(key):
    assert over(key) <= WRONG
    assert over(key, TWIN) >= TRIES - WRONG


def test_every_private_method_has_canaries_or_a_reason():
    assert set(DESIGNS) | set(canaries.why_not()) == set(audits.private_methods())
    assert not set(DESIGNS) & set(canaries.why_not())
    assert set(canaries.NO_DESIGN_REASONS) == set(canaries.why_not()), (
        "a reason for a method that has none"
    )
    for sentence in canaries.why_not().values():
        assert sentence.endswith(".") and 30 < len(sentence) < 250


@pytest.mark.parametrize("key", DESIGNS)
def test_data_hold_included_canaries_and_all_are_scored(key):
    made = DESIGNS[key].make(9)
    none, every = (made.data(np.full(9, there)) for there in (False, True))
    assert len(every.x) - len(none.x) == 9 and every.fingerprint != none.fingerprint
    one = np.arange(9) == 4
    first = {row.tobytes() for row in made.data(~one).x}
    assert len(made.data(one).x) == len(none.x) + 1 and first
    (scores, outside), _ = one_run.released(
        methods.get(key), canaries.settings(methods.get(key))[1], SMALL, 9, 0, 1.0
    )
    assert len(scores) + len(outside) == 9


def test_included_canary_scores_higher_with_little_noise():
    for key in ("dppl-mean", "dppl-public", "noisy-gd", "adamix"):
        method = methods.get(key)
        (inside, outside), _ = one_run.released(
            method, canaries.settings(method)[1], SMALL, 30, 1, 1e4
        )
        assert inside.mean() > outside.mean() + 0.3 * (outside.std() + inside.std())


def test_points_arrive_in_order_before_many_runs():
    heard = []
    found = list(one_run.audit("dppl-mean", **QUICK, progress=lambda *told: heard.append(told)))
    assert [(len(one.points), one.many is None) for one in found] == [
        (1, True),
        (2, True),
        (2, False),
    ]
    last = found[-1]
    assert [point.canaries for point in last.points] == [10, 30]
    assert last.claimed == pytest.approx(8, rel=1e-3) and last.delta == 1e-5
    assert last.many.runs == 200 and 0 < last.many.epsilon <= last.claimed and not last.caught
    assert last.many.seconds > 0 and all(point.seconds > 0 for point in last.points)
    assert all(total == 4 and done < total for _, done, total in heard)
    assert {what for what, *_ in heard} == {"10 canaries", "30 canaries", "many runs"}


def test_many_runs_match_audit_of_the_method():
    """The same seeds, settings and neighbours give the same bound."""
    (own,) = audits.of_method(methods.get("noisy-gd"), 300)
    case, params = canaries.settings(methods.get("noisy-gd"))
    assert params == methods.get("noisy-gd").check(own.params)
    assert one_run.many_runs(methods.get("noisy-gd"), case, 300).epsilon == own.audited


def test_faulty_variant_is_caught_by_both_audits():
    *_, found = one_run.audit("dppl-mean", SMALL, (100,), 400, noise_divisor=32)
    assert found.epsilon_bound > found.claimed < found.many.epsilon and found.caught
    *_, pure = one_run.audit("dppl-public", SMALL, (100,), 400, noise_divisor=32)
    assert pure.delta == 0 and pure.points[0].gdp is None and pure.caught


def test_zcdp_guarantee_is_audited_at_its_epsilon():
    *_, found = one_run.audit("objective", SMALL, (10,), 400)
    assert found.notion == "approx" and found.claimed == pytest.approx(1, rel=1e-3)
    assert found.points[0].gdp is None and found.many.epsilon <= found.claimed


def test_cancel_stops_the_audit():
    def stop(what, done, total):
        if done == 1:
            raise Cancelled

    steps = one_run.audit("dppl-mean", **QUICK, progress=stop)
    assert len(next(steps).points) == 1
    with pytest.raises(Cancelled):
        next(steps)


@pytest.mark.parametrize(
    "given, words",
    [
        ({"key": "pate"}, "No audit in one run of pate. A canary changes one vote"),
        ({"key": "class-mean"}, "The method is not private"),
        ({"key": "nothing"}, "Unknown method"),
        ({"key": "dppl-mean", "budget": Budget(float("inf"))}, "finite budget"),
        ({"key": "dppl-mean", "counts": (1,)}, "Canary counts must be between 2 and"),
        ({"key": "dp-fc", "counts": (3000,)}, "between 2 and 300"),
        ({"key": "dppl-mean", "noise_divisor": 0.5}, "Noise divisor must be"),
    ],
)
def test_invalid_audit_request_is_refused_with_message(given, words):
    with pytest.raises(DpvizError, match=words):
        next(one_run.audit(**given))
