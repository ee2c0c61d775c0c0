"""Verdicts on the Prom-PATE paper: each can come out otherwise, and none speaks of prompts."""

import re

import pytest

from dpviz.papers.checks import premises, votes
from dpviz.papers.checks import vote_theory as exact
from dpviz.papers.model import CANNOT_TELL, DOES_NOT, HOLDS, NOT_TRIED, Ground, Verdict
from dpviz.stats import interval
from dpviz.types import DpvizError

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


@pytest.mark.parametrize(("gap", "outcome"), [(0.1, HOLDS), (0.0, CANNOT_TELL), (-0.1, DOES_NOT)])
def test_teachers_are_compared_in_both_directions(points, gap, outcome):
    points(lambda row, budget: 0.5 if row[0] == "pate" else 0.5 + gap)
    assert votes.transfer_above_scratch(GROUND).outcome == outcome


@pytest.mark.parametrize(
    "check",
    [
        votes.mapping_beside_linear,
        votes.mapping_above_scratch,
        votes.more_teachers,
        votes.one_layer,
    ],
)
def test_claims_about_re_teachers_are_not_tried_without_prompts(points, check):
    points(lambda row, budget: 0.3 + row[1].get("teachers", 0) / 1000)
    found = check(GROUND)
    assert found.outcome == NOT_TRIED and "says nothing of re-teachers" in found.because


@pytest.mark.parametrize("dataset", votes.PUBLIC)
def test_every_run_pays_for_as_many_answers_as_classes(dataset):
    said = votes._settings(Ground(dataset), (1.0,))
    teachers, answers = re.search(r"with (\d+) teachers .* up to (\d+) answered", said).groups()
    assert int(teachers) >= 100 and int(answers) >= 10


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
    monkeypatch.setattr(votes, "_pooled", lambda marks: interval([mark.level for mark in marks]))
    assert votes.pretrained_students(GROUND).outcome == HOLDS
    silent.add("scratch")
    assert votes.pretrained_students(GROUND).outcome == CANNOT_TELL
    silent.update(votes.TEACH)
    assert votes.pretrained_students(GROUND).outcome == CANNOT_TELL


def test_gains_that_grow_with_classes_are_told_from_those_that_do_not():
    rising = {f"set {n}": (2 + n // 2, (n / 2,)) for n in range(10)}
    falling = {name: (n, (-gain,)) for name, (n, (gain,)) in rising.items()}
    assert exact.gains_by_classes(rising).outcome == HOLDS
    assert exact.gains_by_classes(falling).outcome == DOES_NOT
    assert exact.gains_by_classes().outcome == CANNOT_TELL
    assert "p = 0.13, one-sided" in exact.gains_by_classes().because


def test_added_and_converted_costs_are_held_against_the_exact_ones(monkeypatch):
    assert exact.conversion_is_safe().outcome == HOLDS
    half = exact.privacy.zcdp_epsilon_simple
    monkeypatch.setattr(
        exact.privacy, "zcdp_epsilon_simple", lambda rho, delta: half(rho, delta) / 2
    )
    assert exact.conversion_is_safe().outcome == DOES_NOT


def test_sanitised_epsilon_is_a_measurement_without_a_verdict(monkeypatch):
    by_setting = dict(zip(votes.ENSEMBLES, (1.19, 1.69, 1.39), strict=True))

    class Grown:
        def __init__(self, ratio):
            self.dependent, self.independent, self.sanitised = (1.0,), (2.0,), (ratio,)

    def growth(ground, count, by, seed):
        at = count, by.threshold, by.sigma1, by.sigma2
        return Grown(by_setting[at] + seed / 100)

    monkeypatch.setattr(votes, "_growth", growth)
    found = votes.sanitised_costs(GROUND)
    assert found.outcome == NOT_TRIED and "states no limit" in found.because
    assert (
        "1.11 to 1.28 times" in found.because and "here it is 1.20 to 1.70 times" in found.because
    )


def test_printed_epsilons_that_depend_on_votes_are_not_refuted():
    found = exact.printed_epsilons()
    assert found.outcome == CANNOT_TELL and "6 of 14 rows cost no more" in found.because


def test_proof_is_charged_by_both_readings():
    said = exact.answer_costs_twice().because
    assert "1/2.09 of the cost if it charges per answer, and 1/1.43" in said
    assert "prints 1.861" in said and "corrected cost is 1.868" in said


def test_premise_without_class_names_is_not_measured():
    with pytest.raises(DpvizError, match="not measured"):
        premises.measured("domain-gap", "clothes")
    met, says = premises.measured("domain-gap", "mnist5k")
    assert not met and "10 private classes" in says


def test_printed_release_cost_does_not_hold():
    found = exact.release_cost_as_printed()
    assert found.outcome == DOES_NOT
    assert "0.779" in found.because and "3.00" in found.because
