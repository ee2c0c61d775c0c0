"""The contract of ``contract.CHECKS`` over every method, a newcomer's method, and methods that
break it.
"""

import dataclasses
import re

import numpy as np
import pytest

from dpviz import privacy
from dpviz.methods import METHODS
from dpviz.types import Fit, Gaussian, Plan, Query
from tests.kit import toy_method
from tests.kit.contract import AUDITS, CHECKS


@pytest.mark.parametrize(
    "check", [check for check in CHECKS if check not in AUDITS], ids=lambda check: check.__name__
)
@pytest.mark.parametrize("key", list(METHODS))
def test_every_method_meets_the_contract(key, check, toy):
    assert METHODS[key].key == key
    check(METHODS[key], toy)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_toy_method_meets_the_contract(check, toy, monkeypatch):
    monkeypatch.setitem(METHODS, "toy", toy_method.METHOD)
    check(METHODS["toy"], toy)


# ---------------------------------------------------------- faulty variants that must be caught


def overspends(sizes, budget, params):
    good = toy_method.plan(sizes, budget, params)
    event = dataclasses.replace(good.events["sum"], sigma=good.events["sum"].sigma / 2)
    return dataclasses.replace(good, events={"sum": event})


def reads_counts(sizes, budget, params):
    good = toy_method.plan(sizes, budget, params)
    event = Gaussian(1.0, good.events["sum"].sigma * (1 + max(sizes.counts) / 1e6))
    return privacy.make_plan("toy", params, budget, {"sum": event}, source="this test")


def ignores_the_budget(sizes, budget, params):
    return Plan(
        "toy", params, {"sum": Gaussian(1.0, 1e3)}, toy_method.plan(sizes, budget, params).guarantee
    )


def changes_its_input(data, plans, seeds):
    fitted = toy_method.fit(data, plans, seeds)
    data.x[0] += 1
    return fitted


def one_stream_for_the_batch(data, plans, seeds):
    fitted = toy_method.fit(data, plans, [seeds[0]])
    return Fit([[row[0]] * len(seeds) for row in fitted.releases])


def noise_by_place(data, plans, seeds):
    return toy_method.fit(data, plans, list(range(len(seeds))))


def half_the_loss(data, plan, seed):
    epsilon, rho = toy_method.losses(data, plan, seed)
    return epsilon / 2.1, rho


def twice_the_loss(data, plan, seed):
    epsilon, rho = toy_method.losses(data, plan, seed)
    return epsilon * 2, rho


def no_faulty_variant():
    return [dataclasses.replace(toy_method.case(), faulty_variant=lambda plan: plan)]


def sums_of_rows_as_they_come(plan):
    return {"sum": Query(lambda data, *_: data.x.sum(axis=0, dtype=float)[None])}


def divides_by_the_private_count(data, plans, seeds):
    fitted = toy_method.fit(data, plans, seeds)
    return Fit(
        [
            [dataclasses.replace(r, weights=r.weights / np.float32(len(data.x))) for r in row]
            for row in fitted.releases
        ]
    )


def draws_a_seed_of_its_own(data, plans, seeds):
    return toy_method.fit(data, plans, [7 if seed == "system" else seed for seed in seeds])


def moves_nothing():
    case = toy_method.event_case()
    return [dataclasses.replace(case, with_record=case.without_record)]


SEARCH = "every_draw_has_a_query_and_no_record_moves_it_too_far"
SEALED = "what_follows_the_noise_reads_no_record"
COVERED = "every_draw_is_audited"
EVENTS = "the_audit_of_each_event_catches_its_faulty_variants"
SYSTEM = "a_release_takes_its_noise_from_the_system"
LOSSES = "the_loss_of_each_record_is_known_or_it_is_said_why_not"
AUDIT = "the_audit_stays_under_the_claim_and_catches_the_faulty_variant"


@pytest.mark.parametrize(
    "change, caught_by",
    [
        ({"plan": overspends}, "cost_stays_within_the_budget"),
        ({"plan": ignores_the_budget}, "noise_falls_as_the_budget_grows"),
        ({"plan": ignores_the_budget}, "without_noise_every_seed_is_the_same_and_right"),
        ({"plan": reads_counts}, "plan_sees_only_what_the_card_calls_public"),
        ({"fit": changes_its_input}, "fit_leaves_its_input_alone"),
        ({"fit": one_stream_for_the_batch}, "same_seed_same_bits_other_seed_other_noise"),
        ({"fit": noise_by_place}, "a_cell_does_not_depend_on_its_batch"),
        ({"line_style": None}, "it_looks_like_no_other_method"),
        ({"line_style": METHODS["noisy-gd"].line_style}, "it_looks_like_no_other_method"),
        ({"losses": None}, LOSSES),
        ({"losses": None, "why_no_losses": lambda params: "because"}, LOSSES),
        ({"losses": half_the_loss}, LOSSES),
        ({"losses": twice_the_loss}, LOSSES),
        ({"cases": None}, AUDIT),
        ({"cases": list}, AUDIT),
        ({"cases": no_faulty_variant}, AUDIT),
        ({"queries": None}, SEARCH),
        ({"queries": lambda plan: {}}, SEARCH),
        ({"queries": sums_of_rows_as_they_come}, SEARCH),
        ({"fit": divides_by_the_private_count}, SEALED),
        ({"event_cases": list}, COVERED),
        ({"event_cases": moves_nothing}, EVENTS),
        ({"fit": draws_a_seed_of_its_own}, SYSTEM),
    ],
)
def test_broken_method_fails_the_contract(change, caught_by, toy):
    broken = dataclasses.replace(toy_method.METHOD, **change)
    check = next(c for c in CHECKS if c.__name__ == caught_by)
    check(toy_method.METHOD, toy)
    with pytest.raises((AssertionError, ValueError)) as failure:
        check(broken, toy)
    message = str(failure.value)
    assert isinstance(failure.value, ValueError) or re.match("toy:? .{10}", message), message


def test_noiseless_dppl_mean_is_the_class_mean(toy):
    from tests.kit.contract import NO_PRIVACY, _plan

    private, reference = METHODS["dppl-mean"], METHODS["class-mean"]
    one = private.fit(toy, [_plan(private, toy, NO_PRIVACY)], [0]).releases[0][0]
    other = reference.fit(toy, [_plan(reference, toy, NO_PRIVACY)], [0]).releases[0][0]
    assert one.weights == pytest.approx(other.weights, abs=1e-6)


def test_publick_with_one_prototype_equals_dppl_public(toy):
    from tests.kit.contract import BUDGETS

    single, several = METHODS["dppl-public"], METHODS["dppl-publick"]
    for budget in BUDGETS:
        plans = (
            single.plan(toy.sizes, budget, single.check({})),
            several.plan(toy.sizes, budget, several.check({"k": 1})),
        )
        one = single.fit(toy, [plans[0]], [0, 1, 2]).releases[0]
        other = several.fit(toy, [plans[1]], [0, 1, 2]).releases[0]
        for a, b in zip(one, other, strict=True):
            assert np.array_equal(a.chosen, b.chosen) and np.array_equal(a.weights, b.weights)
