"""The released count: drawn once, of a sum that one person's answer moves by one at most."""

import itertools
import random

import pytest

from dpviz.classroom import Choice, LiveClasses, Private
from dpviz.classroom.releases import release, released
from dpviz.types import DpvizError

TRUE = Private("Did you ever?", "server", 1.0)


def answered(answers, tries=1):
    """A room whose phones sent these, each as often as ``tries``, and some of it late or wrong."""
    room = LiveClasses().open("teacher")
    asked = room.ask(TRUE)
    for answer in answers:
        seat = room.join()
        for _ in range(tries):
            try:
                room.answer(seat, asked, answer)
            except DpvizError:
                continue
    room.close()
    return room


def test_a_replaced_answer_moves_the_count_by_one_at_most_however_often_it_is_sent():
    """All rooms of five, and all that their neighbours may say; orders as well."""
    for answers in itertools.product(("yes", "no"), repeat=5):
        count = answered(answers, 3).private_yes_count()
        for who in range(5):
            other = list(answers)
            other[who] = "no" if other[who] == "yes" else "yes"
            random.Random(who).shuffle(other)
            assert abs(answered(other, 3).private_yes_count() - count) == 1


def test_a_count_of_what_was_sent_would_be_moved_further():
    """The twin: had each try counted, one person would move it by three."""
    sent = lambda answers, tries: tries * answers.count("yes")
    assert abs(sent(["yes", "no"], 3) - sent(["no", "no"], 3)) > 1


def test_who_asks_again_is_told_the_same_number_and_the_true_one_is_forgotten():
    room = answered(["yes"] * 40 + ["no"] * 60)
    assert released(room) is None
    first = release(room)
    assert {release(room) for _ in range(20)} == {first} == {released(room)}
    assert set(room._answers.values()) == {None}
    room.reveal()
    assert release(room) == first
    room.ask(TRUE)
    assert released(room) is None, "another question has an answer of its own"


def test_the_number_is_a_noisy_one():
    """0 of 100 rooms off by anything would come less than once in 10^33 times at this epsilon."""
    found = [release(answered(["yes", "no"])) for _ in range(100)]
    assert len(set(found)) > 2


def test_nothing_is_told_of_what_still_goes_on_or_was_not_asked_so():
    room = LiveClasses().open("teacher")
    with pytest.raises(DpvizError, match="ask"):
        release(room)
    room.ask(Choice("Which?", ("this", "that")))
    with pytest.raises(DpvizError, match="private question"):
        release(room)
    room.ask(TRUE)
    with pytest.raises(DpvizError, match="still come in"):
        release(room)
    room.ask(Private("Did you ever?", "coin", 1.0))
    room.close()
    with pytest.raises(DpvizError, match="No true answers"):
        release(room)
