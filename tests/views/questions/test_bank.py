"""The twelve questions: parallel forms, and each number in them as dpviz computes it."""

import itertools
import math
import re

import numpy as np
import pytest
from scipy import special

from dpviz.diagnostics.attack_bound import most_right, odds
from dpviz.privacy import ADD_REMOVE
from dpviz.privacy.compose import guarantee, scaled_event
from dpviz.privacy.composition import composed_epsilon
from dpviz.types import Exponential, Guarantee
from dpviz.views.questions import QUESTIONS
from dpviz.views.questions.model import FORMS, LETTERS, NEAR, DrawnCurve


def pure(epsilon):
    return Guarantee("pure", epsilon, 0.0, ADD_REMOVE, "", epsilon, epsilon**2 / 8, "a source")


def epsilon_in(option):
    return float(option.partition("ε = ")[2])


def test_twelve_ideas_each_in_two_forms_of_one_kind():
    assert len(QUESTIONS) == 12
    assert all(type(q.a) is type(q.b) and q.a.text != q.b.text for q in QUESTIONS.values())
    assert sum(isinstance(q.a, DrawnCurve) for q in QUESTIONS.values()) == 2
    assert {q.transfer for q in QUESTIONS.values()} == {True, False}


@pytest.mark.parametrize("form", FORMS)
def test_a_guesser_is_right_as_often_as_the_bound_says(form):
    drawn = QUESTIONS["epsilon"].form(form)
    for epsilon, true in zip(drawn.at, drawn.truth, strict=True):
        assert 100 * most_right(pure(float(epsilon))) == pytest.approx(true, abs=0.06)


@pytest.mark.parametrize(("form", "own"), [("A", 1 / 2), ("B", 2 / 3)])
def test_answers_made_random_are_yes_as_often_as_they_must_be(form, own):
    drawn = QUESTIONS["promise"].form(form)
    assert drawn.truth == pytest.approx([own * float(t) + (1 - own) * 50 for t in drawn.at])


@pytest.mark.parametrize("form", FORMS)
def test_the_misconceptions_are_drawn_too_far_from_the_truth(form):
    truth = QUESTIONS["promise"].form(form)
    assert truth.is_right("0 25 50 75 100") is False, "what is true is what is said"
    bound = QUESTIONS["epsilon"].form(form)
    assert bound.is_right("50 62 75 87 100") is False, "protection fades evenly"
    assert bound.is_right("50 70 85 95 100") is False, "nor is it nearly even"
    steps = {float(b) - float(a) for a, b in itertools.pairwise(bound.at)}
    assert len(steps) == 1, "the axis is even"
    for drawn in (truth, bound):
        assert drawn.is_right(" ".join(f"{value:.0f}" for value in drawn.truth))
        off = [round(value) for value in drawn.truth]
        off[2] -= NEAR + 1
        assert drawn.is_right(" ".join(map(str, off))) is False
        assert drawn.is_right("50 50") is None and drawn.is_right("1 2 3 4 101") is None


@pytest.mark.parametrize(("form", "parts"), [("A", (1, 2)), ("B", (0.5, 0.5, 1))])
def test_several_releases_cost_their_sum_and_no_less_at_the_worst(form, parts):
    asked = QUESTIONS["composition"].form(form)
    total = epsilon_in(asked.solution)
    assert total == sum(parts) and all(epsilon_in(o) > max(parts) for o in asked.options)
    # by the exact composition, at a delta that is next to nothing
    least = composed_epsilon([Exponential(1.0, epsilon) for epsilon in parts], 1e-12)
    assert max(parts) < 0.99 * total < least <= total + 1e-3


@pytest.mark.parametrize(
    ("form", "each", "records", "person"), [("A", 0.3, 9, 2), ("B", 0.6, 4, 1.5)]
)
def test_a_person_costs_as_many_times_what_a_record_does(form, each, records, person):
    event = scaled_event(Exponential(1.0, each), records)
    given = guarantee({"e": event}, 1e-9, adjacency=ADD_REMOVE, public="", source="")
    per_record, per_person = QUESTIONS["person"].form(form).solution.split("; ")
    assert given.value == pytest.approx(epsilon_in(per_record))
    assert epsilon_in(per_person) == person


@pytest.mark.parametrize(("form", "prior"), [("A", 0.75), ("B", 0.6)])
def test_a_belief_moves_as_far_as_the_promise_lets_it(form, prior):
    asked = QUESTIONS["sure"].form(form)
    assert asked.solution == f"{100 * odds(pure(1), prior).posterior:.0f}%"
    assert all(100 * prior < float(option[:2]) < 100 for option in asked.options)


@pytest.mark.parametrize("form", FORMS)
def test_the_vote_that_changes_least_is_the_one_with_the_widest_lead(form):
    asked = QUESTIONS["teachers"].form(form)
    votes = [[int(word) for word in re.findall(r"\d+", option)[1:]] for option in asked.options]
    spread = 10 * math.sqrt(2)  # of the difference of two counts
    one = [
        special.ndtr((won - lost) / spread) - special.ndtr((won - lost - 2) / spread)
        for won, lost in votes
    ]
    assert one.index(min(one)) == asked.right and 4 * min(one) < sorted(one)[1]


@pytest.mark.parametrize(
    ("form", "values", "share"),
    [
        ("A", [45] * 95 + [180] * 5, 1 / 10),
        ("B", [4_000] * 97 + [20_000] * 3, 1 / 20),
    ],
)
def test_the_right_limit_is_the_one_whose_two_harms_are_least(form, values, share):
    asked = QUESTIONS["clipping"].form(form)
    limits = [int(option.split()[0].replace(",", "")) for option in asked.options]
    harm = [np.mean(values) - np.minimum(values, limit).mean() + share * limit for limit in limits]
    assert harm.index(min(harm)) == asked.right and 2 * min(harm) < sorted(harm)[1]


def test_letters_are_answers_and_nothing_else_is():
    choice = QUESTIONS["tuning"].a
    assert [choice.is_right(letter) for letter in LETTERS].count(True) == 1
    assert choice.is_right("") is None and choice.is_right("ab") is None
