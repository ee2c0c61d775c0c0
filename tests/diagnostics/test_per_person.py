"""The loss of each person: what really removing the person moves, and never above the claim."""

import dataclasses

import numpy as np
import pytest

from dpviz import data as data_package
from dpviz import methods
from dpviz.diagnostics import per_instance, per_person
from dpviz.methods import METHODS, dppl_public, noisy_gd
from dpviz.methods.components.privacy_unit import PrivacyUnits
from dpviz.methods.components.public_scores import clipped_sums
from dpviz.types import Budget, RunSpec
from tests.kit.toys import toy_data

KEYS = [key for key, method in METHODS.items() if method.losses]
SETTINGS = {"dppl-publick": {"k": 1}, "adamix": {"max_steps": 10}}
SETTINGS |= {key: {"steps": 10} for key in ("noisy-gd", "global-adapt", "auto-clip", "dpsgd-f")}
CLIPPED = "noisy-gd, clipped"
K = 5
BUDGET = Budget(3.0)


def crowd(most=K):
    """Persons with one record to ``most`` in several classes; one person's are all alike."""
    data = toy_data(per_class=15, public=60)
    order = np.random.default_rng(0).permutation(len(data.y))
    sizes = np.resize(np.arange(1, most + 1), len(order))
    whose = np.empty(len(order), np.int64)
    whose[order] = np.repeat(np.arange(len(sizes)), sizes)[: len(order)]
    x, y, own = data.x.copy(), data.y.copy(), whose == most - 1
    x[own], y[own] = x[own][0], y[own][0]
    return dataclasses.replace(data, x=x, y=y, persons=7 * whose, fingerprint=f"crowd {most}")


CROWD = crowd()


def plan_of(key, data=CROWD, budget=BUDGET, most=K, **params):
    params = {"person": "clip"} | params if key == CLIPPED else params
    key = "noisy-gd" if key == CLIPPED else key
    method = METHODS[key]
    settings = method.check(SETTINGS.get(key, {}) | params)
    if not most:
        return method.plan(data.sizes, budget, settings)
    return methods.plan_for_persons(method, data.sizes, budget, settings, most)


@pytest.mark.parametrize("budget", [Budget(0.3), Budget(4.0, "paper")], ids=str)
@pytest.mark.parametrize("key", [*KEYS, CLIPPED])
def test_user_loss_within_claim_record_noise_exceeds_it(key, budget):
    plan = plan_of(key, budget=budget)
    found = per_instance.measure(CROWD, plan, 3)
    people = len(np.unique(CROWD.persons))
    assert found.epsilon.shape == found.rho.shape == found.minority.shape == (people,)
    assert np.all(found.epsilon > 0) and found.epsilon.max() <= found.claim * (1 + 1e-9)
    assert np.all(found.rho > 0) and found.rho.max() <= found.rho_claim * (1 + 1e-9)
    of_record = plan_of("noisy-gd" if key == CLIPPED else key, budget=budget, most=0)
    twin = dataclasses.replace(of_record, records_per_person=K, record_sensitivity_ratio=1 / K)
    assert per_instance.measure(CROWD, twin, 3).rho.max() > 1.2 * of_record.guarantee.rho


@pytest.mark.parametrize("key", [*KEYS, CLIPPED])
def test_single_record_users_have_record_level_losses(key):
    data = dataclasses.replace(CROWD, persons=np.random.default_rng(1).permutation(len(CROWD.y)))
    found = per_instance.measure(data, plan_of(key, data, most=1), 3)
    own = per_instance.measure(
        data, plan_of("noisy-gd" if key == CLIPPED else key, data, most=0), 3
    )
    assert found.claim == own.claim
    assert np.array_equal(found.epsilon[found.owners], own.epsilon)
    assert np.array_equal(found.rho[found.owners], own.rho)
    assert np.array_equal(found.minority[found.owners], own.minority)


# ---------------------------------------------------------------- against really removing somebody


def without(person):
    return CROWD.of_records(CROWD.persons != person, f"without {person}")


def removed(value, sigma, people=None):
    """rho of each person, or the first, of a Gaussian release: how far it moves without them."""
    whole = value(CROWD)
    return np.array(
        [
            np.sum((whole - value(without(person))) ** 2) / sigma**2 / 2
            for person in np.unique(CROWD.persons)[:people]
        ]
    )


FEW = 6
"""Persons who are removed one after another; the fifth has five alike records."""
FIRST_STEP = {
    "dppl-mean": {"clip": 0.8},
    "dp-ls": {"clip": 0.5},
    "dp-fc": {"steps": 1},
    "dp-newton": {"steps": 1},
    "noisy-gd": {"steps": 1, "clip": 0.6},
    CLIPPED: {"steps": 1, "clip": 0.6},
    "global-adapt": {"steps": 1, "clip": 0.1, "bound": 0.5},
    "auto-clip": {"steps": 1, "gamma": 1.0},
    "adamix": {"init": "none", "rank": 0, "max_steps": 1},
}


@pytest.mark.parametrize("key", FIRST_STEP)
def test_user_loss_matches_release_shift_on_removal(key):
    """Every Gaussian release of the first step, at the head that training starts from."""
    plan = plan_of(key, **FIRST_STEP[key])
    queries = METHODS[plan.method].queries(plan)
    head = np.zeros((CROWD.classes, CROWD.x.shape[1]), np.float32)
    given = {"global-adapt": (head, 0.5)}.get(key, head)
    rho = np.zeros(FEW)
    for name, query in queries.items():
        before = (
            given
            if len(query.earlier_releases(CROWD, plan, np.random.default_rng(0))) > 1
            else None
        )

        def value(data, query=query, before=before):
            return query.value(data, plan, before) * query.scale(plan)

        rho += removed(value, plan.gaussian(name).sigma, FEW)
    found = per_instance.measure(CROWD, plan, 0)
    assert found.rho[:FEW] == pytest.approx(rho, rel=2e-3)
    alone = PrivacyUnits.from_dataset(CROWD, plan)
    most = np.zeros(alone.count)
    twin = dataclasses.replace(
        plan, records_per_person=0, params={**plan.params, "person": "group"}
    )
    single = per_instance.measure(CROWD, twin, 0).rho
    np.maximum.at(most, alone.of_record, single)
    if key != CLIPPED:
        assert np.max(rho / most[:FEW]) > 2, "the dearest of the person's records is not enough"


@pytest.mark.parametrize("epsilon", [0.5, 4.0, 40.0])
def test_choice_loss_matches_joint_odds_shift_of_classes(epsilon):
    plan = plan_of("dppl-public", budget=Budget(epsilon), d_min=1.5, d_max=1.95)
    expected = [odds_moved(CROWD, plan, person) for person in np.unique(CROWD.persons)]
    found = per_instance.measure(CROWD, plan, 0)
    assert np.all(found.epsilon >= np.minimum(expected, found.claim) * (1 - 1e-6))
    assert found.epsilon == pytest.approx(np.array(expected), rel=1e-3)


@pytest.mark.parametrize("epsilon", [240.0, 600.0])
def test_extreme_odds_of_one_class_hide_no_other(epsilon, monkeypatch):
    """The person takes the odds of a from one picture to its neighbour, and all of b's favour."""
    data = between_neighbours()
    plan = plan_of("dppl-public", data, Budget(epsilon), most=10, d_min=0.0, d_max=2.0)
    person = int(data.persons[-1])
    expected = odds_moved(data, plan, person)
    found = per_instance.measure(data, plan, 0)
    assert found.epsilon[found.persons == person] == pytest.approx([expected], rel=1e-4)
    assert found.epsilon[found.persons == person] >= expected * (1 - 1e-6)
    monkeypatch.setattr(dppl_public, "SMALLEST_NORMAL", 0.0)
    cut = per_instance.measure(data, plan, 0)
    assert cut.epsilon[found.persons == person] < 0.95 * expected


def between_neighbours():
    """Pictures v, u near v, w, and opposites; the last person has five records u in class a and
    five -w in b.
    """
    own, others, towards = 5, 30, 0.8
    v, side, w = np.eye(3, 12, dtype=np.float32)
    u = np.float32(towards) * v + np.float32((1 - towards**2) ** 0.5) * side
    public = np.repeat(np.stack([v, u, -u, w, -w]), 300, axis=0)  # two tiles
    x = np.concatenate(
        [
            np.repeat(row[None], n, axis=0)
            for row, n in zip((v, w, u, -w), (others, others, own, own), strict=True)
        ]
    )
    y = np.repeat([0, 1, 0, 1], [others, others, own, own])
    persons = np.append(np.arange(2 * others), np.full(2 * own, 2 * others))
    toy = toy_data(classes=2)
    return dataclasses.replace(
        toy,
        x=x,
        y=y,
        persons=persons,
        public_rows=public,
        y_public=np.zeros(len(public), np.int64),
        fingerprint="between neighbours",
    )


def odds_moved(data, plan, person):
    """How far all that is the person's moves the odds: each class chooses on its own, so the worst
    outcome is the worst choice of each.
    """
    event, ends = plan.exponential("selection"), (plan.params["d_min"], plan.params["d_max"])

    def log_odds(data):
        sums = clipped_sums(data.x, data.y, data.classes, data.public, *ends)
        logits = event.epsilon / event.sensitivity * sums
        return logits - np.logaddexp.reduce(logits, axis=1, keepdims=True)

    moved = log_odds(data) - log_odds(data.of_records(data.persons != person, f"not {person}"))
    return max(moved.max(axis=1).sum(), -moved.min(axis=1).sum())


def test_many_record_user_loss_matches_release_shift():
    rng, many = np.random.default_rng(2), 150
    data = dataclasses.replace(
        CROWD,
        x=np.concatenate([CROWD.x, rng.normal(size=(many, CROWD.x.shape[1])).astype(np.float32)]),
        y=np.append(CROWD.y, np.resize([0, 0, 1], many)),
        persons=np.append(CROWD.persons, np.full(many, CROWD.persons.max() + 1)),
        fingerprint="many of one",
    )
    plan = plan_of(CLIPPED, data, most=many, steps=1, clip=0.6, count="public")
    query, head = noisy_gd.queries(plan)["gradients"], np.zeros((CROWD.classes, CROWD.x.shape[1]))
    rest = data.of_records(data.persons != data.persons[-1], "the others")
    whole, less = (query.value(part, plan, head) * query.scale(plan) for part in (data, rest))
    rho = np.sum((whole - less) ** 2) / plan.gaussian("gradients").sigma ** 2 / 2
    assert any(group.slack for group in noisy_gd.Crowd.from_dataset(data).groups)
    assert per_instance.measure(data, plan, 0).rho[-1] == pytest.approx(rho, rel=1e-6)
    twin = dataclasses.replace(plan, params={**plan.params, "person": "group"})
    assert per_instance.measure(data, twin, 0).rho[-1] > 2 * rho, "each record clipped alone"


def test_later_steps_sum_clipped_gradients_of_user():
    plan = plan_of("noisy-gd", steps=3, clip=0.2, count="public")
    heads, rho = [np.zeros((CROWD.classes, CROWD.x.shape[1]), np.float32)], 0.0
    for steps in (1, 2):
        event = dataclasses.replace(plan.gaussian("gradients"), times=steps)
        shorter = dataclasses.replace(plan, events={"gradients": event})
        heads.append(METHODS["noisy-gd"].fit(CROWD, [shorter], [5]).releases[0][0].weights)
    query = noisy_gd.queries(plan)["gradients"]
    for head in heads:
        rho = rho + removed(
            lambda data, head=head: query.value(data, plan, head) * 0.2,
            plan.gaussian("gradients").sigma,
            people=FEW,
        )
    assert per_instance.measure(CROWD, plan, 5).rho[:FEW] == pytest.approx(rho, rel=1e-6)


def test_user_shares_match_minority_and_correct_answers():
    found = per_instance.measure(CROWD, plan_of("dppl-mean"), 0)
    assert found.persons.tolist() == np.unique(CROWD.persons).tolist()
    small = np.bincount(CROWD.y).argmin()
    for i, person in enumerate(found.persons):
        mine = CROWD.persons == person
        assert found.kept_counts[i] == found.record_counts[i] == mine.sum()
        assert found.minority[i] == (np.mean(CROWD.y[mine] == small) >= 0.5)
        assert found.in_class(0)[i] == (0 in CROWD.y[mine])
        assert found.share(CROWD.y < 2)[i] == pytest.approx(np.mean(CROWD.y[mine] < 2))


# ------------------------------------------------------------------- many records, and few


@pytest.mark.parametrize("method", ["dppl-mean", "dppl-public", "noisy-gd"])
def test_record_level_guarantee_bounds_no_user(method, monkeypatch):
    monkeypatch.setattr(data_package, "load", lambda *a, **k: CROWD)
    params = (("person", "clip"),) if method == "noisy-gd" else ()
    to_record = RunSpec("toy", None, method, Budget(1.0), params=params)
    to_person = dataclasses.replace(to_record, unit="person", per_person=2)
    before, after = (per_person.paid(s, lambda *_: None) for s in (to_record, to_person))
    assert before.losses.claim == pytest.approx(after.losses.claim, rel=1e-6)
    assert before.losses.epsilon.max() > 1.5 * before.losses.claim, "many alike records"
    assert after.losses.epsilon.max() <= after.losses.claim
    alone = before.losses.record_counts == 1
    assert before.losses.epsilon[alone].max() <= before.losses.claim
    own = per_instance.losses_of(to_record).epsilon
    whose = before.losses.owners
    assert np.array_equal(
        before.losses.epsilon[alone],
        own[np.isin(whose, np.flatnonzero(alone))][
            np.argsort(whose[np.isin(whose, np.flatnonzero(alone))])
        ],
    )
    groups = per_person.by_number(before)
    assert [g.name for g in groups] == ["1", "2–4", "5–9"]
    assert sum(g.people for g in groups) == len(before.right) == len(after.right)
    assert groups[0].right == pytest.approx(before.right[alone].mean())
    assert set(after.losses.kept_counts) == {1, 2} and set(after.losses.record_counts) > {1, 2}
