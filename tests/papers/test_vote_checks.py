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

    def product(rule):
        result = lambda ground, row, budget=3.0: interval(
            [rule(row, budget) + s for s in (-0.01, -0.005, 0.0, 0.005, 0.01)]
        )
        monkeypatch.setattr(votes, "point", result)

    return product


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
def test_re_teacher_claims_are_untested_without_prompts(points, check):
    points(lambda row, budget: 0.3 + row[1].get("teachers", 0) / 1000)
    result = check(GROUND)
    assert result.outcome == NOT_TRIED and "says nothing about re-teachers" in result.because


@pytest.mark.parametrize("dataset", votes.PUBLIC)
def test_every_run_can_answer_one_query_per_class(dataset):
    text = votes._settings(Ground(dataset), (1.0,))
    teachers, answers = re.search(r"with (\d+) teachers .* up to (\d+) answered", text).groups()
    assert int(teachers) >= 100 and int(answers) >= 10


@pytest.mark.parametrize("outcome", [HOLDS, DOES_NOT])
def test_check_without_prompts_is_marked_untested(outcome):
    result = votes.without_prompts(lambda ground: Verdict(outcome, "So."))(GROUND)
    assert result.outcome == NOT_TRIED and "without prompts" in result.because


@pytest.mark.parametrize(
    ("check", "budgets"),
    [(votes.beside_the_probe_at_1, (1.0, 2.0)), (votes.beside_the_probe_at_4, (4.0, 8.0))],
)
def test_budgets_match_the_tables(points, check, budgets):
    requests = set()
    points(lambda row, budget: requests.add(budget) or 0.5)
    check(GROUND)
    assert requests == set(budgets)


def test_student_kinds_without_answers_are_not_compared(monkeypatch):
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


def test_gains_that_grow_with_classes_are_detected():
    rising = {f"set {n}": (2 + n // 2, (n / 2,)) for n in range(10)}
    falling = {name: (n, (-gain,)) for name, (n, (gain,)) in rising.items()}
    assert exact.gains_by_classes(rising).outcome == HOLDS
    assert exact.gains_by_classes(falling).outcome == DOES_NOT
    assert exact.gains_by_classes().outcome == CANNOT_TELL
    assert "p = 0.13, one-sided" in exact.gains_by_classes().because


def test_converted_costs_are_checked_against_exact_ones(monkeypatch):
    assert exact.conversion_is_safe().outcome == HOLDS
    half = exact.privacy.zcdp_epsilon_simple
    monkeypatch.setattr(
        exact.privacy, "zcdp_epsilon_simple", lambda rho, delta: half(rho, delta) / 2
    )
    assert exact.conversion_is_safe().outcome == DOES_NOT


def test_sanitized_epsilon_is_measured_without_verdict(monkeypatch):
    by_setting = dict(zip(votes.ENSEMBLES, (1.19, 1.69, 1.39), strict=True))

    class Grown:
        def __init__(self, ratio):
            self.dependent, self.independent, self.sanitised = (1.0,), (2.0,), (ratio,)

    def growth(ground, count, settings, seed):
        place = count, settings.threshold, settings.sigma1, settings.sigma2
        return Grown(by_setting[place] + seed / 100)

    monkeypatch.setattr(votes, "_growth", growth)
    result = votes.sanitised_costs(GROUND)
    assert result.outcome == NOT_TRIED and "states no limit" in result.because
    assert (
        "1.11 to 1.28 times" in result.because and "here it is 1.20 to 1.70 times" in result.because
    )


def test_vote_dependent_printed_epsilons_are_not_refuted():
    result = exact.printed_epsilons()
    assert result.outcome == CANNOT_TELL and "6 of 14 rows cost no more" in result.because


def test_proof_is_evaluated_under_both_readings():
    text = exact.answer_costs_twice().because
    assert "1/2.09 of the cost if it charges per answer, and 1/1.43" in text
    assert "prints 1.861" in text and "corrected cost is 1.868" in text


def test_premise_without_class_names_is_not_measured():
    with pytest.raises(DpvizError, match="not measured"):
        premises.measured("domain-gap", "clothes")
    met, says = premises.measured("domain-gap", "mnist5k")
    assert not met and "10 private classes" in says


def test_printed_release_cost_does_not_hold():
    result = exact.release_cost_as_printed()
    assert result.outcome == DOES_NOT
    assert "0.779" in result.because and "3.00" in result.because
