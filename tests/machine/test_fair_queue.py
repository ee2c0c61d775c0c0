"""The order in which turns are given, without waiting: tickets ask, are looked at, and leave."""

import random

import pytest

from dpviz.machine import fair_queue
from dpviz.machine.fair_queue import FairTurns
from dpviz.types import Cancelled


def asked(turns, *names):
    """Tickets by name, in this order; the first letter says whose they are."""
    return {name: turns.ask(lambda who=name[0]: {who}) for name in names}


def order(turns, tickets):
    """Names in the order of their turns, each ended before the next is given."""
    left, given = dict(tickets), []
    while left:
        [name] = [name for name, ticket in left.items() if turns.taken(ticket)]
        given.append(name)
        turns.leave(left.pop(name))
    return given


def test_nobody_s_third_comes_before_another_s_first():
    turns = FairTurns(1)
    tickets = asked(turns, "a1", "a2", "a3", "b1", "c1", "b2")
    assert order(turns, tickets) == ["a1", "b1", "c1", "a2", "b2", "a3"]


def test_whoever_asks_again_at_once_does_not_keep_another_waiting():
    turns = FairTurns(1)
    [first], waiting = asked(turns, "a1").values(), asked(turns, "b1", "b2")
    assert turns.taken(first)
    turns.leave(first)
    again = asked(turns, "a2")
    assert order(turns, waiting | again) == ["b1", "a2", "b2"]


def test_who_has_a_turn_waits_for_who_has_none():
    turns = FairTurns(2)
    had = asked(turns, "a1", "b1")
    assert all(map(turns.taken, had.values()))
    waiting = asked(turns, "a2", "c1")
    assert not any(map(turns.taken, waiting.values()))
    turns.leave(had["b1"])
    assert not turns.taken(waiting["a2"]) and turns.taken(waiting["c1"])


def test_one_alone_has_every_turn():
    turns = FairTurns(2)
    tickets = asked(turns, "a1", "a2", "a3")
    assert [turns.taken(ticket) for ticket in tickets.values()] == [True, True, False]


def test_who_joins_another_s_job_brings_it_forward():
    turns, joined = FairTurns(1), {"a"}
    tickets = asked(turns, "a1", "a2")
    tickets["a3"] = turns.ask(lambda: joined)
    assert turns.taken(tickets["a1"])
    joined.add("b")
    assert turns.ahead(tickets["a3"]) == 0 and turns.ahead(tickets["a2"]) == 1
    joined.clear()  # all have left: it still has its place among nobody's
    assert turns.ahead(tickets["a3"]) == 0


def test_those_who_wait_are_told_their_place_and_may_leave():
    turns = FairTurns(0)
    [first] = asked(turns, "a1").values()
    told = []

    def progress(what, done, total):
        told.append(what)
        turns.leave(first)
        if len(told) == 2:
            raise Cancelled

    with pytest.raises(Cancelled), turns.turn(progress, lambda: "b"):
        pytest.fail("there is no turn to have")
    assert told == ["Waiting: 1 before you", "Waiting: you are next"] and not turns._waiting


def test_who_has_several_turns_gives_the_last_back_to_one_who_has_none():
    turns, ends = FairTurns(2), []
    [first] = asked(turns, "a1").values()
    assert turns.taken(first)
    newcomer = None

    def work(progress):
        nonlocal newcomer
        progress("begun", 0, 1)
        if newcomer is None:
            [mine] = asked(turns, "a9").values()
            progress("one's own waits", 0, 1)
            turns.leave(mine)
            [newcomer] = asked(turns, "b1").values()
            progress("another waits", 0, 1)
            pytest.fail("it went on")
        return "done"

    def told(what, done, total):
        ends.append(what)
        if what.startswith("Waiting") and turns.taken(newcomer):
            turns.leave(newcomer)
            turns.leave(first)

    token = fair_queue.WHOSE.set(lambda: {"a"})
    try:
        assert turns.had(work, told) == "done"
    finally:
        fair_queue.WHOSE.reset(token)
    assert ends[:3] == ["begun", "one's own waits", "another waits"] and ends[-1] == "begun"


def test_a_stop_is_no_turn_given_back():
    turns = FairTurns(1)

    def stop(*stage):
        raise Cancelled

    with pytest.raises(Cancelled):
        turns.had(lambda progress: progress("begun", 0, 1), stop)
    assert not turns._had and not turns._waiting


def test_a_turn_is_given_back_by_one_who_breaks_off():
    turns = FairTurns(1)
    with pytest.raises(Cancelled), turns.turn(lambda *stage: None):
        raise Cancelled
    assert order(turns, asked(turns, "a1")) == ["a1"] and not turns._last


def test_in_any_crowd_each_round_serves_everybody_who_waits():
    rng = random.Random(0)
    for _ in range(50):
        turns = FairTurns(1)
        names = [f"{rng.choice('abcdef')}{i}" for i in range(rng.randint(1, 20))]
        given = order(turns, asked(turns, *names))
        rounds = [sum(g[0] == name[0] for g in given[:i]) for i, name in enumerate(given)]
        assert rounds == sorted(rounds)
