"""The released count: drawn once, of a sum that one person's answer moves by one at most."""

import itertools
import random

import pytest

from dpviz.classroom import Choice, LiveClasses, Private
from dpviz.types import DpvizError

TRUE = Private("Did you ever?", "server", 1.0)


def answered(answers, tries=1):
    """A room whose phones sent these, each as often as ``tries``, and some of it late or wrong."""
    live_class = LiveClasses().open("teacher")
    asked = live_class.ask(TRUE)
    for answer in answers:
        seat = live_class.join()
        for _ in range(tries):
            try:
                live_class.answer(seat, asked, answer)
            except DpvizError:
                continue
    live_class.close()
    return live_class


def test_replaced_answer_moves_the_count_by_at_most_one():
    """All rooms of five, and all that their neighbours may say; orders as well."""
    for answers in itertools.product(("yes", "no"), repeat=5):
        count = answered(answers, 3).private_yes_count()
        for who in range(5):
            other = list(answers)
            other[who] = "no" if other[who] == "yes" else "yes"
            random.Random(who).shuffle(other)
            assert abs(answered(other, 3).private_yes_count() - count) == 1


def test_counting_attempts_would_move_further():
    """The twin: had each try counted, one person would move it by three."""
    sent = lambda answers, tries: tries * answers.count("yes")
    assert abs(sent(["yes", "no"], 3) - sent(["no", "no"], 3)) > 1


def test_count_is_released_once_and_answers_are_deleted():
    live_class = answered(["yes"] * 40 + ["no"] * 60)
    assert live_class.released_count is None
    first = live_class.release_yes_count()
    assert (
        {live_class.release_yes_count() for _ in range(20)}
        == {first}
        == {live_class.released_count}
    )
    assert set(live_class._answers.values()) == {None}
    live_class.reveal()
    assert live_class.release_yes_count() == first
    live_class.ask(TRUE)
    assert live_class.released_count is None, "another question has an answer of its own"


def test_released_count_is_noisy():
    """0 of 100 rooms off by anything would come less than once in 10^33 times at this epsilon."""
    found = [answered(["yes", "no"]).release_yes_count() for _ in range(100)]
    assert len(set(found)) > 2


def test_release_needs_a_closed_private_question():
    live_class = LiveClasses().open("teacher")
    with pytest.raises(DpvizError, match="no private question|no question"):
        live_class.release_yes_count()
    live_class.ask(Choice("Which?", ("this", "that")))
    with pytest.raises(DpvizError, match="private question"):
        live_class.release_yes_count()
    live_class.ask(TRUE)
    with pytest.raises(DpvizError, match="is still open"):
        live_class.release_yes_count()
    live_class.ask(Private("Did you ever?", "coin", 1.0))
    live_class.close()
    with pytest.raises(DpvizError, match="no true answers"):
        live_class.release_yes_count()
