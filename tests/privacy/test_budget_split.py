"""Plans that split a total over releases: sums, files, refusals, several analysts."""

import dataclasses
import math
import random

import pytest

from dpviz import privacy
from dpviz.privacy import budget_split
from dpviz.privacy.budget_split import Share, combined_epsilon, from_toml, split, to_toml
from dpviz.types import Budget, DpvizError

PLAN = split(Budget(1.0), [Share("look", 1), Share("main", 2), Share("check")])


def overspent(plan):
    """Whether the releases of a plan spend more than its total."""
    spent = math.fsum(release.rho for release in plan.releases)
    return spent > plan.rho or plan.epsilon > privacy.zcdp_epsilon(plan.rho, plan.total.delta)


@pytest.mark.parametrize("axis", ["approx", "zcdp", "guess", "paper"])
def test_random_plans_spend_their_total_and_no_more(axis):
    rng = random.Random(axis)
    for _ in range(25):
        value = rng.uniform(51, 99) if axis == "guess" else 10 ** rng.uniform(-3, 1.5)
        shares = [Share(str(i), 10 ** rng.uniform(-2, 2)) for i in range(rng.randint(1, 12))]
        plan = split(Budget(value, axis, 10 ** rng.uniform(-9, -3)), shares)
        assert not overspent(plan)
        assert math.fsum(release.rho for release in plan.releases) > 0.998 * plan.rho
        if axis == "approx":
            assert plan.epsilon <= value
        for share, release in zip(shares, plan.releases, strict=True):
            assert float(f"{release.rho:.4g}") == release.rho  # what is printed can be spent
            each = plan.rho * share.weight / sum(one.weight for one in shares)
            assert 0.998 * each < release.rho <= each


def test_given_epsilons_are_kept_and_composed():
    rng = random.Random(7)
    for _ in range(25):
        given, delta = [10 ** rng.uniform(-2, 1) for _ in range(4)], 10 ** rng.uniform(-9, -3)
        plan = budget_split.of_epsilons([Share(str(e), e) for e in given], delta)
        for epsilon, release in zip(given, plan.releases, strict=True):
            assert 0.997 * epsilon < release.epsilon <= epsilon
        rho = math.fsum(privacy.allowed_rho(Budget(e, "approx", delta)) for e in given)
        assert 0.997 * privacy.zcdp_epsilon(rho, delta) < plan.epsilon
        assert plan.epsilon <= privacy.zcdp_epsilon(rho, delta)


def test_rounding_up_is_found():
    """Faulty variant: the rho of each release is rounded to the nearest, not down."""
    rng, found = random.Random(0), 0
    for _ in range(20):
        plan = split(Budget(1.0), [Share(str(i), 10 ** rng.uniform(-2, 2)) for i in range(4)])
        weights = math.fsum(share.weight for share in plan.shares)
        exact = [plan.rho * share.weight / weights for share in plan.shares]
        releases = [
            dataclasses.replace(release, rho=float(f"{rho:.4g}"))
            for release, rho in zip(plan.releases, exact, strict=True)
        ]
        found += overspent(dataclasses.replace(plan, releases=tuple(releases)))
    assert found > 0


def test_dividing_epsilon_wastes_most_of_the_total():
    plan = split(Budget(1.0), [Share(name) for name in "abc"])
    assert 3 * privacy.rho_for(Budget(1 / 3)) < 0.5 * plan.rho


def test_what_is_left_falls_to_rounding_alone():
    left = [release.left for release in PLAN.releases]
    spent = [release.spent for release in PLAN.releases]
    assert left == sorted(left, reverse=True) and 0 <= left[-1] < 0.002 * PLAN.rho
    assert spent == sorted(spent) and PLAN.epsilon < PLAN.added


def test_two_analysts_cost_more_than_each():
    together = combined_epsilon([PLAN, PLAN], 1e-5)
    spent = math.fsum(release.rho for release in PLAN.releases)
    assert together == pytest.approx(privacy.zcdp_epsilon(2 * spent, 1e-5), rel=1e-9)
    assert 1.0 < together < 2.0
    assert combined_epsilon([PLAN], 1e-5) == PLAN.epsilon


@pytest.mark.parametrize("name", ["main", 'with "quotes" and \\', "größer ✓"])
def test_file_gives_the_same_plan(name):
    plan = split(Budget(0.3, "zcdp", 1e-7), [Share(name, 3), Share("other")])
    assert from_toml(to_toml(plan)) == plan


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("total = ", "not TOML"),
        ("\x00", "not TOML"),
        ("a = " + "[" * 5000, "not TOML"),
        ("delta = 1e-5", "needs a total"),
        ("total = 1\nrelease = 3", "needs a total"),
        ("total = 1\nrelease = [3]", "needs a total"),
        ("total = 1", "1 to 100 releases"),
        ("total = 1\naxis = []\n[[release]]\nname = 'a'", "axis"),
        ("total = inf\n[[release]]\nname = 'a'", "finite"),
        ("total = nan\n[[release]]\nname = 'a'", "Budget"),
        ("total = 1\n[[release]]\nname = 3", "name"),
        ("total = 1\n[[release]]\nname = 'a'\nweight = -1", "Weight"),
        ("total = 1\n[[release]]\nname = 'a'\nweight = nan", "Weight"),
        ("total = 1\n[[release]]\nname = 'a'\ncost = 1", "no key 'cost'"),
        ("total = 1\nrun = 'x'\n[[release]]\nname = 'a'", "no key 'run'"),
        ("total = 1\n" + "[[release]]\nname = 'a'\n" * 2, "Two releases"),
        ("total = 1\n" + "".join(f"[[release]]\nname = '{i}'\n" for i in range(101)), "got 101"),
        ("total = 1\n[[release]]\nname = 'a'\nrho = 5.0", "rho = 5.0, but total and weight give"),
        ("total = 1\n[[release]]\nname = 'a'\nrho = 'x'", "rho = 'x', but total and weight give"),
        ("#" * 100_001, "at most"),
        ("total = 1\n[[release]]\nname = '" + "a" * 61 + "'", "60"),
    ],
)
def test_unusable_file_gives_one_sentence(content, message):
    with pytest.raises(DpvizError, match=message) as refused:
        from_toml(content)
    assert "\n" not in str(refused.value) and len(str(refused.value)) < 400


def test_weights_and_names_are_limited():
    assert budget_split.WEIGHTS == (1e-6, 1e6)
    with pytest.raises(DpvizError, match="printable"):
        Share("a\nb")
