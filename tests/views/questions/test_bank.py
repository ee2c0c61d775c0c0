"""The twelve questions: parallel forms, and each number in them as dpviz computes it."""

import math
from collections import Counter

import pytest

from dpviz.diagnostics.attack_bound import most_right, odds
from dpviz.privacy import ADD_REMOVE
from dpviz.privacy.compose import guarantee, moved
from dpviz.privacy.composition import composed_epsilon
from dpviz.types import Exponential, Guarantee
from dpviz.views.questions import QUESTIONS
from dpviz.views.questions.model import FORMS, LETTERS, NEAR, Choice, Drawn

BY_KEY = {question.key: question for question in QUESTIONS}


def pure(epsilon):
    return Guarantee("pure", epsilon, 0.0, ADD_REMOVE, "", epsilon, epsilon**2 / 8, "a source")


def epsilon_in(option):
    return float(option.partition(":")[0].removeprefix("ε = "))


def test_twelve_ideas_each_in_two_forms_of_one_kind():
    assert len(BY_KEY) == len(QUESTIONS) == 12
    assert all(type(q.a) is type(q.b) and q.a.text != q.b.text for q in QUESTIONS)
    assert sum(isinstance(q.a, Drawn) for q in QUESTIONS) == 2
    assert {q.transfer for q in QUESTIONS} == {True, False}


def test_where_the_right_option_stands_tells_nothing():
    for form in FORMS:
        choices = [q.form(form) for q in QUESTIONS if isinstance(q.form(form), Choice)]
        assert all(len(set(c.options)) == 4 for c in choices)
        assert max(Counter(c.right for c in choices).values()) <= 4
        # nor is it always the longest
        longest = sum(max(c.options, key=len) == c.solution for c in choices)
        assert longest <= len(choices) / 2
        # nor the one that is short because it needs no excuse
        shortest = sum(len(c.solution) < min(_others(c)) for c in choices)
        assert shortest <= len(choices) / 4, form


def _others(choice):
    """How long the wrong options are."""
    return [len(option) for option in choice.options if option != choice.solution]


@pytest.mark.parametrize("form", FORMS)
def test_a_guesser_is_right_as_often_as_the_bound_says(form):
    drawn = BY_KEY["epsilon"].form(form)
    for epsilon, true in zip(drawn.at, drawn.truth, strict=True):
        assert 100 * most_right(pure(float(epsilon))) == pytest.approx(true, abs=0.06)


@pytest.mark.parametrize(("form", "own"), [("A", 1 / 2), ("B", 2 / 3)])
def test_answers_made_random_are_yes_as_often_as_they_must_be(form, own):
    drawn = BY_KEY["promise"].form(form)
    assert drawn.truth == pytest.approx([own * float(t) + (1 - own) * 50 for t in drawn.at])


@pytest.mark.parametrize("form", FORMS)
def test_the_misconceptions_are_drawn_too_far_from_the_truth(form):
    truth = BY_KEY["promise"].form(form)
    assert truth.is_right("0 25 50 75 100") is False, "what is true is what is said"
    bound = BY_KEY["epsilon"].form(form)
    assert bound.is_right("50 62 75 87 100") is False, "protection fades evenly"
    for drawn in (truth, bound):
        assert drawn.is_right(" ".join(f"{value:.0f}" for value in drawn.truth))
        off = [round(value) for value in drawn.truth]
        off[2] -= NEAR + 1
        assert drawn.is_right(" ".join(map(str, off))) is False
        assert drawn.is_right("50 50") is None and drawn.is_right("1 2 3 4 101") is None


@pytest.mark.parametrize(("form", "parts"), [("A", (1, 1)), ("B", (0.5, 0.5, 1))])
def test_several_releases_cost_their_sum_and_no_less_at_the_worst(form, parts):
    asked = BY_KEY["composition"].form(form)
    total = epsilon_in(asked.solution)
    assert total == sum(parts)
    # by the exact composition, at a delta that is next to nothing
    least = composed_epsilon([Exponential(1.0, epsilon) for epsilon in parts], 1e-12)
    assert max(parts) < 0.99 * total < least <= total + 1e-3


@pytest.mark.parametrize(("form", "each", "records"), [("A", 0.3, 9), ("B", 0.6, 4)])
def test_a_person_costs_as_many_times_what_a_record_does(form, each, records):
    event = moved(Exponential(1.0, each), records)
    given = guarantee({"e": event}, 1e-9, adjacency=ADD_REMOVE, public="", source="")
    assert given.value == pytest.approx(epsilon_in(BY_KEY["person"].form(form).solution))


@pytest.mark.parametrize(("form", "epsilon", "prior"), [("A", 1, 0.9), ("B", 0.5, 0.8)])
def test_a_belief_moves_as_far_as_the_promise_lets_it(form, epsilon, prior):
    asked = BY_KEY["sure"].form(form)
    moved_to = 100 * odds(pure(epsilon), prior).posterior
    assert asked.solution == f"{moved_to:.0f} in 100"
    undecided = math.ceil(100 * odds(pure(epsilon), 0.5).posterior)  # a limit, rounded up
    assert f"could move to {undecided} at most" in asked.text
    told = [o for o in asked.options if o.startswith(f"{undecided} in 100")]
    assert len(told) == 1 and told[0] != asked.solution, "the published misconception"


def test_letters_are_answers_and_nothing_else_is():
    choice = BY_KEY["tuning"].a
    assert [choice.is_right(letter) for letter in LETTERS].count(True) == 1
    assert choice.is_right("") is None and choice.is_right("ab") is None
