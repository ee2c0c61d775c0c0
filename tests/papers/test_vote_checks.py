"""Verdicts on the Prom-PATE paper: each can come out otherwise, and none speaks of prompts."""

import pytest

from dpviz.papers.checks import vote_theory as exact
from dpviz.papers.checks import votes
from dpviz.papers.model import CANNOT_TELL, DOES_NOT, HOLDS, NOT_TRIED, Ground, Verdict
from dpviz.stats import interval

GROUND = Ground("mnist5k")


@pytest.fixture
def points(monkeypatch):
    """``points(rule)``: the accuracy of each method's row at a budget is what a rule says."""

    def made(rule):
        found = lambda ground, row, budget=3.0: interval(
            [rule(row, budget) + s for s in (-0.01, -0.005, 0.0, 0.005, 0.01)]
        )
        monkeypatch.setattr(votes, "point", found)

    return made


@pytest.mark.parametrize(("gap", "outcome"), [(0.3, HOLDS), (0.1, CANNOT_TELL), (0.05, DOES_NOT)])
def test_by_far_is_by_ten_points(points, gap, outcome):
    points(lambda row, budget: 0.5 if row[0] == "pate" else 0.5 + gap)
    assert votes.transfer_above_scratch(GROUND).outcome == outcome


def test_more_teachers_are_better_at_every_step_or_not(points):
    points(lambda row, budget: 0.3 + row[1]["teachers"] / 1000)
    found = votes.more_teachers(GROUND)
    assert found.outcome == HOLDS and "(1, 1e-5)-DP" in found.because
    points(lambda row, budget: {100: 0.5, 200: 0.7, 500: 0.6}[row[1]["teachers"]])
    assert votes.more_teachers(GROUND).outcome == DOES_NOT


@pytest.mark.parametrize("outcome", [HOLDS, DOES_NOT])
def test_what_is_tried_without_prompts_says_nothing_of_them(outcome):
    found = votes.without_prompts(lambda ground: Verdict(outcome, "So."))(GROUND)
    assert found.outcome == NOT_TRIED and "without prompts" in found.because


@pytest.mark.parametrize(
    ("check", "budgets"),
    [(votes.beside_the_probe_at_1, (1.0, 2.0)), (votes.beside_the_probe_at_4, (4.0, 8.0))],
)
def test_budgets_are_those_of_the_tables(points, check, budgets):
    asked = set()
    points(lambda row, budget: asked.add(budget) or 0.5)
    check(GROUND)
    assert asked == set(budgets)


def test_students_of_a_kind_without_answers_are_not_compared(monkeypatch):
    class Marked:
        def __init__(self, level, answers):
            self.level, self.answered = level, (answers,)

    silent = set()

    def marks(ground, kind, sees):
        level = (0.5 if sees else 0.8) - 0.01
        return [Marked(level + d, int(kind not in silent)) for d in (0.0, 0.01, 0.02)]

    monkeypatch.setattr(votes, "_marks", marks)
    monkeypatch.setattr(votes, "_together", lambda some: interval([one.level for one in some]))
    assert votes.pretrained_students(GROUND).outcome == HOLDS
    silent.add("scratch")
    assert votes.pretrained_students(GROUND).outcome == CANNOT_TELL
    silent.update(votes.TEACH)
    assert votes.pretrained_students(GROUND).outcome == CANNOT_TELL


def test_gains_that_grow_with_classes_are_told_from_those_that_do_not():
    rising = {f"set {n}": (n, (n / 2,)) for n in range(2, 12)}
    falling = {name: (n, (-n / 2,)) for name, (n, _) in rising.items()}
    assert exact.gains_by_classes(rising).outcome == HOLDS
    assert exact.gains_by_classes(falling).outcome == DOES_NOT
    assert "τ = 0.24" in exact.gains_by_classes().because


def test_added_and_converted_costs_are_held_against_the_exact_ones(monkeypatch):
    assert exact.conversion_is_safe().outcome == HOLDS
    half = exact.privacy.zcdp_epsilon_simple
    monkeypatch.setattr(
        exact.privacy, "zcdp_epsilon_simple", lambda rho, delta: half(rho, delta) / 2
    )
    assert exact.conversion_is_safe().outcome == DOES_NOT


@pytest.mark.parametrize(
    ("times", "outcome"),
    [
        ((1.1, 1.2, 1.2), HOLDS),
        ((1.5, 1.6, 1.4), DOES_NOT),
        ((1.1, 1.5, 1.1), DOES_NOT),
        ((1.1, 1.295, 1.1), CANNOT_TELL),
    ],
)
def test_little_more_is_told_by_all_settings_or_not(monkeypatch, times, outcome):
    by_setting = dict(zip(votes.ENSEMBLES, times, strict=True))

    class Grown:
        def __init__(self, ratio):
            self.dependent, self.independent, self.sanitised = (1.0,), (2.0,), (ratio,)

    def growth(ground, count, by, seed):
        at = count, by.threshold, by.sigma1, by.sigma2
        return Grown(by_setting[at] + seed / 100)

    monkeypatch.setattr(votes, "_growth", growth)
    assert votes.sanitised_costs_little(GROUND).outcome == outcome


def test_printed_release_cost_does_not_hold():
    found = exact.release_cost_as_printed()
    assert found.outcome == DOES_NOT
    assert "0.779" in found.because and "3.00" in found.because
