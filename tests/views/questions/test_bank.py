"""The twelve questions: parallel forms, and each number in them as dpviz computes it."""

import itertools
import math
import re

import numpy as np
import pytest
from scipy import special

from dpviz.diagnostics.attack_bound import odds, success_bound
from dpviz.privacy import ADD_REMOVE
from dpviz.privacy.compose import guarantee, scaled_event
from dpviz.privacy.composition import composed_epsilon
from dpviz.types import Exponential, Guarantee
from dpviz.views.questions import FORMS, LETTERS, NEAR, QUESTIONS, DrawnCurve


def pure(epsilon):
    return Guarantee("pure", epsilon, 0.0, ADD_REMOVE, "", epsilon, epsilon**2 / 8, "a source")


def epsilon_in(option):
    return float(option.partition("ε = ")[2])


def test_twelve_ideas_have_two_forms_of_one_kind():
    assert len(QUESTIONS) == 12
    assert all(type(q.a) is type(q.b) and q.a.text != q.b.text for q in QUESTIONS.values())
    assert sum(isinstance(q.a, DrawnCurve) for q in QUESTIONS.values()) == 2
    assert {q.transfer for q in QUESTIONS.values()} == {True, False}


@pytest.mark.parametrize("form", FORMS)
def test_guess_accuracy_matches_the_bound(form):
    drawn = QUESTIONS["epsilon"].form(form)
    for epsilon, true in zip(drawn.at, drawn.truth, strict=True):
        assert 100 * success_bound(pure(float(epsilon))) == pytest.approx(true, abs=0.06)


@pytest.mark.parametrize(("form", "own"), [("A", 1 / 2), ("B", 2 / 3)])
def test_randomized_answers_have_stated_yes_rate(form, own):
    drawn = QUESTIONS["promise"].form(form)
    assert drawn.truth == pytest.approx([own * float(t) + (1 - own) * 50 for t in drawn.at])


@pytest.mark.parametrize("form", FORMS)
def test_misconceptions_are_far_from_the_truth(form):
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
def test_several_releases_cost_their_sum(form, parts):
    asked = QUESTIONS["composition"].form(form)
    total = epsilon_in(asked.solution)
    assert total == sum(parts) and all(epsilon_in(o) > max(parts) for o in asked.options)
    # by the exact composition, at a delta that is next to nothing
    least = composed_epsilon([Exponential(1.0, epsilon) for epsilon in parts], 1e-12)
    assert max(parts) < 0.99 * total < least <= total + 1e-3


@pytest.mark.parametrize(
    ("form", "each", "records", "person"), [("A", 0.3, 9, 2), ("B", 0.6, 4, 1.5)]
)
def test_user_cost_is_multiple_of_record_cost(form, each, records, person):
    event = scaled_event(Exponential(1.0, each), records)
    given = guarantee({"e": event}, 1e-9, adjacency=ADD_REMOVE, public="", source="")
    per_record, per_person = QUESTIONS["person"].form(form).solution.split("; ")
    assert given.value == pytest.approx(epsilon_in(per_record))
    assert epsilon_in(per_person) == person


@pytest.mark.parametrize(("form", "prior"), [("A", 0.75), ("B", 0.6)])
def test_belief_changes_by_guarantee_limit(form, prior):
    asked = QUESTIONS["sure"].form(form)
    assert asked.solution == f"{100 * odds(pure(1), prior).posterior:.0f}%"
    assert all(100 * prior < float(option[:2]) < 100 for option in asked.options)


@pytest.mark.parametrize("form", FORMS)
def test_most_stable_vote_has_widest_margin(form):
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
def test_correct_limit_minimizes_total_harm(form, values, share):
    asked = QUESTIONS["clipping"].form(form)
    limits = [int(option.split()[0].replace(",", "")) for option in asked.options]
    harm = [np.mean(values) - np.minimum(values, limit).mean() + share * limit for limit in limits]
    assert harm.index(min(harm)) == asked.right and 2 * min(harm) < sorted(harm)[1]


def test_only_letters_are_valid_answers():
    choice = QUESTIONS["tuning"].a
    assert [choice.is_right(letter) for letter in LETTERS].count(True) == 1
    assert choice.is_right("") is None and choice.is_right("ab") is None
