"""Order of jobs in the fair queue, without waiting."""

import random

import pytest

from dpviz.machine import fair_queue
from dpviz.machine.fair_queue import FairQueue
from dpviz.types import Cancelled


def enqueue(queue, *names):
    """Return tickets by name, in this order; the first letter is the visitor."""
    return {name: queue.enqueue(lambda visitor=name[0]: {visitor}) for name in names}


def order(queue, tickets):
    """Return names in the order of their slots, each ended before the next starts."""
    remaining, started = dict(tickets), []
    while remaining:
        [name] = [name for name, ticket in remaining.items() if queue.start(ticket)]
        started.append(name)
        queue.leave(remaining.pop(name))
    return started


def test_first_jobs_come_before_third_jobs():
    queue = FairQueue(1)
    tickets = enqueue(queue, "a1", "a2", "a3", "b1", "c1", "b2")
    assert order(queue, tickets) == ["a1", "b1", "c1", "a2", "b2", "a3"]


def test_a_repeated_request_does_not_overtake_another_visitor():
    queue = FairQueue(1)
    [running], waiting = enqueue(queue, "a1").values(), enqueue(queue, "b1", "b2")
    assert queue.start(running)
    queue.leave(running)
    repeated = enqueue(queue, "a2")
    assert order(queue, waiting | repeated) == ["b1", "a2", "b2"]


def test_a_visitor_without_a_slot_comes_first():
    queue = FairQueue(2)
    running = enqueue(queue, "a1", "b1")
    assert all(map(queue.start, running.values()))
    waiting = enqueue(queue, "a2", "c1")
    assert not any(map(queue.start, waiting.values()))
    queue.leave(running["b1"])
    assert not queue.start(waiting["a2"]) and queue.start(waiting["c1"])


def test_a_single_visitor_gets_every_slot():
    queue = FairQueue(2)
    tickets = enqueue(queue, "a1", "a2", "a3")
    assert [queue.start(ticket) for ticket in tickets.values()] == [True, True, False]


def test_a_visitor_who_joins_a_job_moves_it_forward():
    queue, joined = FairQueue(1), {"a"}
    tickets = enqueue(queue, "a1", "a2")
    tickets["a3"] = queue.enqueue(lambda: joined)
    assert queue.start(tickets["a1"])
    joined.add("b")
    assert queue.position(tickets["a3"]) == 0 and queue.position(tickets["a2"]) == 1
    joined.clear()  # all have left; it stays in the queue
    assert queue.position(tickets["a3"]) == 0


def test_waiting_jobs_report_their_position_and_may_leave():
    queue = FairQueue(0)
    [first] = enqueue(queue, "a1").values()
    stages = []

    def progress(stage, done, total):
        stages.append(stage)
        queue.leave(first)
        if len(stages) == 2:
            raise Cancelled

    with pytest.raises(Cancelled), queue.slot(progress, lambda: "b"):
        pytest.fail("there is no slot")
    assert stages == ["Waiting: 1 ahead of you", "Waiting: you are next"] and not queue._waiting


def test_the_last_of_several_jobs_is_preempted():
    queue, stages = FairQueue(2), []
    [first] = enqueue(queue, "a1").values()
    assert queue.start(first)
    newcomer = None

    def work(progress):
        nonlocal newcomer
        progress("begun", 0, 1)
        if newcomer is None:
            [other] = enqueue(queue, "a9").values()
            progress("one's own waits", 0, 1)
            queue.leave(other)
            [newcomer] = enqueue(queue, "b1").values()
            progress("another waits", 0, 1)
            pytest.fail("it went on")
        return "done"

    def progress(stage, done, total):
        stages.append(stage)
        if stage.startswith("Waiting") and queue.start(newcomer):
            queue.leave(newcomer)
            queue.leave(first)

    token = fair_queue.VISITORS.set(lambda: {"a"})
    try:
        assert queue.run(work, progress) == "done"
    finally:
        fair_queue.VISITORS.reset(token)
    assert stages[:3] == ["begun", "one's own waits", "another waits"] and stages[-1] == "begun"


def test_a_cancelled_job_does_not_restart():
    queue = FairQueue(1)

    def stop(*stage):
        raise Cancelled

    with pytest.raises(Cancelled):
        queue.run(lambda progress: progress("begun", 0, 1), stop)
    assert not queue._running and not queue._waiting


def test_a_cancelled_job_frees_its_slot():
    queue = FairQueue(1)
    with pytest.raises(Cancelled), queue.slot(lambda *stage: None):
        raise Cancelled
    assert order(queue, enqueue(queue, "a1")) == ["a1"] and not queue._last_start


def test_each_round_serves_every_waiting_visitor():
    rng = random.Random(0)
    for _ in range(50):
        queue = FairQueue(1)
        names = [f"{rng.choice('abcdef')}{i}" for i in range(rng.randint(1, 20))]
        started = order(queue, enqueue(queue, *names))
        rounds = [sum(s[0] == name[0] for s in started[:i]) for i, name in enumerate(started)]
        assert rounds == sorted(rounds)
