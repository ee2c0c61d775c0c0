"""How options are worded tells nothing: who knows none of the ideas is left to guess."""

import re
from collections import Counter
from dataclasses import replace

import pytest

from dpviz.views.questions import FORMS, QUESTIONS, QUIZ, Choice

EACH = [
    (q.key, form) for q in QUESTIONS.values() for form in FORMS if isinstance(q.form(form), Choice)
]
CHOICES = {(key, form): QUESTIONS[key].form(form) for key, form in EACH}
LONGER = 4
"""Characters by which the right option may be the longest, or the shortest."""
REASONS = (": ", "; ", ", but ", ", and ", ", since ", ", as ", " because ")
STRAW = re.compile(r"\b(nothing|none at all|free|never|always|nobody|everybody|100 in 100)\b", re.I)


def numbers(text):
    return set(re.findall(r"\d+(?:[.,]\d+)*", text))


def gives_away(choice):
    """What tells the right option from the others without knowing anything."""
    others = [option for option in choice.options if option != choice.solution]
    lengths = [len(option) for option in others]
    faults = []
    if len(others) < 3:
        faults.append("two options are the same")
    if len(choice.solution) > max(lengths) + LONGER:
        faults.append("the right one is the longest")
    if len(choice.solution) < min(lengths) - LONGER:
        faults.append("the right one is the shortest")
    if max(map(len, choice.options)) > 1.6 * min(map(len, choice.options)) + LONGER:
        faults.append("lengths differ")
    if len({tuple(mark in option for mark in REASONS) for option in choice.options}) > 1:
        faults.append("some give a reason, others none")
    if any(STRAW.search(option) for option in choice.options):
        faults.append("a man of straw")
    told = numbers(choice.text)
    if not told & numbers(choice.solution) and any(told & numbers(option) for option in others):
        faults.append("wrong ones repeat numbers of the question")
    return faults


@pytest.mark.parametrize("place", EACH, ids=":".join)
def test_no_option_is_conspicuous(place):
    assert not gives_away(CHOICES[place])


@pytest.mark.parametrize("key", QUIZ)
def test_no_option_of_the_quiz_is_conspicuous(key):
    assert not gives_away(QUIZ[key])


def test_quiz_has_four_questions_with_different_right_places():
    assert len(QUIZ) == 4 and set(QUIZ) <= set(QUESTIONS)
    assert max(Counter(choice.right for choice in QUIZ.values()).values()) <= 2


FAULTY = {
    "the right one is the longest": (
        "ε = 1 holds",
        "ε = 1 fails",
        "ε = 1 is",
        "It is more than ε = 1",
    ),
    "the right one is the shortest": ("The city's", "The village's", "Both of them", "Half"),
    "some give a reason, others none": ("19 to 1 1", "10 to 10", "All: alike", "11 to 9 9"),
    "a man of straw": ("It is free", "It is dear", "It is good", "It is poor"),
    "wrong ones repeat numbers of the question": (
        "74 in all",
        "90 in all",
        "97 in all",
        "96 in 99",
    ),
}


@pytest.mark.parametrize("fault", FAULTY)
def test_each_conspicuous_fault_is_detected(fault):
    choice = Choice(
        "Someone is 90 sure, who was undecided and could move to 74.", FAULTY[fault], 3, ""
    )
    assert fault in gives_away(choice)


def overlap(choice):
    """How many words each option shares with the others: who has to guess takes the most."""
    said = [Counter(re.findall(r"[\w.]+", option.lower())) for option in choice.options]
    return [sum((one & other).total() for other in said if other is not one) for one in said]


@pytest.mark.parametrize("form", FORMS)
def test_position_middle_and_majority_do_not_reveal_answer(form):
    choices = [CHOICES[place] for place in EACH if place[1] == form]
    assert max(Counter(choice.right for choice in choices).values()) <= 3
    shares = [(overlap(choice), choice.right) for choice in choices]
    assert sum(all(of[at] > n for i, n in enumerate(of) if i != at) for of, at in shares) <= 2
    for extreme in (min, max):
        own = [len(c.solution) == extreme(map(len, c.options)) for c in choices]
        alone = [len({len(o) for o in c.options}) > 1 for c in choices]
        assert sum(a and b for a, b in zip(own, alone, strict=True)) <= len(choices) / 2


def test_majority_wording_is_detected():
    choice = Choice("", ("rare, less", "rare, alike", "common, alike", "rare, more"), 1, "")
    assert overlap(choice)[1] == max(overlap(choice))
    assert overlap(replace(choice, options=("a b", "a c", "d b", "d c"))) == [2, 2, 2, 2]
