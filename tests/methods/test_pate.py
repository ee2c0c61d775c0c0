"""PATE's plan, its answers and its students."""

import dataclasses
import math
from itertools import product

import numpy as np
import pytest
import torch

from dpviz import data as data_package
from dpviz import privacy
from dpviz.methods import METHODS, pate
from dpviz.methods.components import students, teachers
from dpviz.types import Budget, DpvizError, Gaussian, unit_rows
from tests.kit import noisy_votes
from tests.kit.toys import toy_data


def planned(toy, epsilon=1.0, key="transfer-pate", **params):
    return METHODS[key].plan(toy.sizes, Budget(epsilon), METHODS[key].check(params))


def test_plan_covers_every_possible_test_and_answer(toy):
    plan = planned(toy, teachers=250)
    tests, answers = plan.events["tests"], plan.events["answers"]
    assert (tests.sensitivity, answers.sensitivity) == (
        1.0,
        math.sqrt(2),
    ) and tests.times == 2 * answers.times
    mu = math.sqrt(tests.times / tests.sigma**2 + 2 * answers.times / answers.sigma**2)
    assert mu == pytest.approx(privacy.gdp_mu(1.0, 1e-5), rel=1e-6)
    assert "tests" not in planned(toy, check="none").events


def test_no_seed_exceeds_planned_tests_or_answers():
    toy = toy_data()
    votes = teachers.votes(toy, "linear", 100)
    for epsilon in (0.1, 1.0, 10.0):
        plan = planned(toy, epsilon)
        for seed in range(20):
            asked, labels = pate.answer(plan, votes, seed)
            assert (
                asked.sum() <= plan.events["tests"].times
                and (labels >= 0).sum() <= plan.events["answers"].times
            )
            assert not (labels[~asked] >= 0).any()


def test_uncapped_answers_exceed_the_plan():
    """Negative control: without the cap, many votes above the threshold give more answers than
    were paid for.
    """
    plan, high = planned(toy_data(), 1.0), np.full((200, 4), [90, 4, 3, 3])
    _, labels = noisy_votes.answers(high, 60, 1.0, 1.0)
    assert (labels >= 0).sum() > plan.events["answers"].times


def test_default_target_costs_ledger_amount():
    """100 tests at sigma 40 and 57 answers at sigma 20: the quick try's 2.40."""
    events = {"tests": Gaussian(1.0, 40.0, 100), "answers": Gaussian(math.sqrt(2), 20.0, 57)}
    assert privacy.guarantee(
        events, 1e-5, adjacency="", public="", source=""
    ).epsilon_delta == pytest.approx(2.40, abs=0.03)


def test_default_data_reach_quick_start_accuracy():
    """100 linear teachers, T = 80, sigma = (40, 20): to beat are 57 of 100 answered, 96.5% right,
    student 92%; ten fixed seeds.

    Over draws of seeds the mean of ten students has a standard error of 0.3 points, and two draws
    of shards lie two points above the target.
    """
    digits = data_package.load("mnist5k", "glyphnet", "held-aside")
    votes = teachers.votes(digits, "linear", 100)
    assert votes.right.mean() > 0.84 and votes.sizes.mean() == 38
    x, found = unit_rows(digits.x_public[votes.rows]), {20.0: [], 400.0: []}
    for sigma2, seed in product(found, range(10)):
        _, labels = noisy_votes.answers(votes.counts[:100], 80, 40.0, sigma2, seed)
        known = labels >= 0
        head = students.student(
            "supervised",
            x,
            np.pad(labels, (0, 100), constant_values=-1),
            np.zeros((10, 128), np.float32),
        )
        right = np.mean((unit_rows(digits.x_test) @ head.T).argmax(1) == digits.y_test)
        found[sigma2].append(
            (known.sum(), np.mean(labels[known] == votes.truth[:100][known]), right)
        )
    answered, share, student = np.mean(found[20.0], axis=0)
    assert 50 <= answered <= 75 and share > 0.965 and student > 0.92
    assert np.mean(found[400.0], axis=0)[2] < 0.6, (
        "the negative control: noise that drowns the votes is seen"
    )


@pytest.mark.parametrize(
    "key, params, says",
    [("prom-pate", {"prompt": "frame"}, "need images"), ("prom-pate", {}, "class scores")],
)
def test_missing_teacher_input_is_refused_before_fitting(key, params, says, toy):
    bare = dataclasses.replace(toy, head=None) if not params else toy
    with pytest.raises(DpvizError, match=says):
        METHODS[key].plan(bare.sizes, Budget(1.0), METHODS[key].check(params))


# ----------------------------------------------------------------------------------------- students


@pytest.mark.parametrize("kind", students.KINDS)
def test_students_learn_from_few_answers_and_are_reproducible(kind, toy):
    x, labels = unit_rows(toy.x_public), np.full(len(toy.y_public), -1)
    labels[::12] = toy.y_public[::12]
    start = np.zeros((4, 12), np.float32)
    head = students.student(kind, x, labels, start)
    assert np.array_equal(head, students.student(kind, x, labels, start))
    assert np.mean((unit_rows(toy.x_test) @ head.T).argmax(1) == toy.y_test) > 0.9


def test_student_without_answers_equals_its_start(toy):
    start = np.arange(48, dtype=np.float32).reshape(4, 12)
    unanswered = np.full(len(toy.x_public), -1)
    for kind in students.KINDS:
        assert np.array_equal(
            students.student(kind, unit_rows(toy.x_public), unanswered, start), start
        )


def test_fixmatch_counts_only_confident_weak_views():
    p = torch.tensor([[0.96, 0.04], [0.94, 0.06]])
    strong = torch.tensor([[0.0, 0.0], [0.0, 5.0]])
    assert float(students._fixed(p, strong)) == pytest.approx(math.log(2) / 2)


def test_freematch_follows_the_student_by_moving_averages():
    judge = students._Free(2)
    judge(torch.tensor([[0.9, 0.1], [0.7, 0.3]]), torch.zeros(2, 2))
    assert judge.threshold == pytest.approx(0.999 * 0.5 + 0.001 * 0.8)
    assert judge.mean.tolist() == pytest.approx(
        [0.999 * 0.5 + 0.001 * 0.8, 0.999 * 0.5 + 0.001 * 0.2]
    )
    assert judge.share.tolist() == pytest.approx([0.999 * 0.5 + 0.001, 0.999 * 0.5])
