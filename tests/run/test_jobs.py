"""Long work is shared by all who ask for the same, and ends when the last of them has left."""

import math
import threading
import time

from dpviz.run import jobs
from dpviz.run.jobs import Jobs, Work, glance
from dpviz.types import Budget, DpvizError, RunSpec
from dpviz.ui.live import long_work


def groups(*methods):
    return [(RunSpec("toy", None, m, Budget(math.inf)),) for m in methods]


def endless(group, progress):
    """Goes on until it is stopped."""
    while True:
        progress("long", 0, 1)
        time.sleep(0.01)


class Gate:
    """Work that counts its calls and goes on once it is opened; a stop is answered then."""

    def __init__(self):
        self.open, self.calls = threading.Event(), []

    def __call__(self, group, progress):
        self.calls.append(group)
        self.open.wait(5)
        progress("", 0, 1)
        return [group]


def test_two_people_who_ask_for_the_same_share_a_job():
    door, gate = Jobs(), Gate()
    work = Work(gate)
    first, second = (door.ask(person, groups("x"), work) for person in "ab")
    gate.open.set()
    assert first is second and first.finished.wait(5) and len(gate.calls) == 1
    assert door.ask("c", groups("x"), work).complete and len(gate.calls) == 1


def test_the_same_groups_for_another_kind_of_work_are_another_job():
    door, gate, other = Jobs(), Gate(), Gate()
    first, second = door.ask("a", groups("x"), Work(gate)), door.ask("b", groups("x"), Work(other))
    gate.open.set()
    other.open.set()
    assert first.finished.wait(5) and second.finished.wait(5) and first is not second
    assert len(gate.calls) == len(other.calls) == 1


def test_who_leaves_takes_nothing_from_those_who_still_wait():
    door, gate = Jobs(), Gate()
    work = Work(gate)
    job = door.ask("a", groups("x", "y"), work)
    door.ask("b", groups("x", "y"), work)
    door.leave("a")
    gate.open.set()
    assert job.finished.wait(5) and job.complete and not job.errors


def test_when_the_last_has_left_the_job_ends_and_what_is_done_is_kept():
    started = threading.Event()

    def half(group, progress):
        if group[0].method == "slow":
            started.set()
            endless(group, progress)
        return [group]

    door, work = Jobs(), Work(half)
    job = door.ask("a", groups("quick", "slow"), work)
    door.ask("b", groups("quick", "slow"), work)
    assert started.wait(5)
    door.leave("a")
    assert not job.finished.wait(0.1)
    door.leave("b")
    assert job.finished.wait(5) and not job.complete
    assert len(glance(groups("quick", "slow"), work).done) == 1


def test_who_never_asked_may_leave():
    Jobs().leave("a")


def test_one_who_waits_for_a_turn_may_leave():
    door, work = Jobs(), Work(endless, at_once=1)
    first, second = door.ask("a", groups("x"), work), door.ask("b", groups("y"), work)
    door.leave("b")
    assert second.finished.wait(5) and not first.finished.is_set()
    door.leave("a")
    assert first.finished.wait(5)


def test_stop_on_a_page_is_leaving(monkeypatch):
    gate = Gate()
    work = Work(gate)
    monkeypatch.setattr(long_work.st, "session_state", {})
    mine = long_work.JOBS.ask(long_work._person("page"), groups("x"), work)
    theirs = long_work.JOBS.ask("page:another", groups("x"), work)
    long_work._stop("page", mine)
    gate.open.set()
    assert theirs.finished.wait(5) and theirs.complete
    assert long_work.st.session_state["page:stopped"] == tuple(groups("x"))


def test_a_new_wish_ends_the_former_and_keeps_what_is_done():
    started, ended = threading.Event(), threading.Event()

    def sweep(group, progress):
        if group[0].method == "slow":
            started.set()
            try:
                endless(group, progress)
            finally:
                ended.set()
        return [group]

    door, work = Jobs(), Work(sweep)
    job = door.ask("a", groups("quick", "slow"), work)
    assert started.wait(5)
    other = door.ask("a", groups("quick"), work)
    assert other.complete, "the quick part was kept"
    assert ended.wait(5) and job.finished.wait(5) and not job.complete
    assert len(glance(groups("quick", "slow"), work).done) == 1


def test_one_failing_method_does_not_take_the_others_along():
    def sweep(group, progress):
        if group[0].method == "bad":
            raise DpvizError("No; because.")
        if group[0].method == "bug":
            raise RuntimeError("secret")
        return [group]

    job = Jobs().ask("a", groups("bad", "bug", "good"), Work(sweep))
    assert job.finished.wait(5) and len(job.done) == 1
    assert "No; because." in job.errors.values() and not any(
        "secret" in e for e in job.errors.values()
    )


def test_a_wish_come_back_to_is_begun_anew_and_not_joined_on_its_way_out():
    door, gate = Jobs(), Gate()
    work = Work(gate)
    first = door.ask("a", groups("x"), work)
    door.ask("a", groups("y"), work)
    again = door.ask("a", groups("x"), work)
    gate.open.set()
    assert again is not first and again.finished.wait(5) and again.complete and not first.complete


def test_a_job_ends_when_all_who_asked_for_it_have_left(monkeypatch):
    monkeypatch.setattr(jobs, "AWAY", 0.05)
    there, looks = {"a", "b"}, []
    door, work = Jobs(lambda person: looks.append(person) or person in there), Work(endless)
    job = door.ask("a", groups("x"), work)
    door.ask("b", groups("x"), work)
    there.remove("a")
    looks.clear()
    while len(looks) < 8:
        time.sleep(0.01)
    assert not job.finished.is_set(), "one still waits"
    there.clear()
    assert job.finished.wait(5) and not job.complete


def test_who_comes_back_in_time_is_waited_for(monkeypatch):
    monkeypatch.setattr(jobs, "AWAY", 0.5)
    there, gone = {"a"}, threading.Event()
    door = Jobs(lambda person: person in there or gone.set())
    job = door.ask("a", groups("x"), Work(endless))
    there.clear()
    assert gone.wait(5)
    there.add("a")
    assert not job.finished.wait(0.7)
    door.leave("a")
    assert job.finished.wait(5)


def test_one_too_many_of_a_visitor_s_jobs_is_refused_and_others_go_on(monkeypatch):
    monkeypatch.setattr(jobs, "AT_ONCE", 2)
    gate = Gate()
    door, work = Jobs(visitor=lambda person: person[0]), Work(gate, at_once=9)
    kept = [door.ask(f"a{i}", groups(f"x{i}"), work) for i in range(2)]
    refused = door.ask("a2", groups("x2"), work)
    other = door.ask("b0", groups("x2"), work)
    instead = door.ask("a1", groups("y"), work)
    assert refused.finished.is_set() and refused.errors == {groups("x2")[0]: jobs.TOO_MANY}
    assert not any(job.errors for job in (*kept, other, instead)) and kept[1].stopped
    gate.open.set()
    assert other.finished.wait(5) and other.complete
    assert instead.finished.wait(5) and instead.complete


def test_jobs_have_their_turns_by_visitor():
    """One visitor's third job does not come before another's first, whoever asked first."""
    gate, order = threading.Event(), []

    def work_on(group, progress):
        order.append(group[0].method)
        gate.wait(5)
        return [group]

    door, work = Jobs(visitor=lambda person: person[0]), Work(work_on, at_once=1)
    first = door.ask("a1", groups("a1"), work)
    waiting = [door.ask(who, groups(who), work) for who in ("a2", "a3", "b1")]
    while len(work.turns._waiting) < 3 or not order:
        time.sleep(0.001)
    work.turns._waiting.sort(key=lambda t: "b" in t.people())  # b asked last
    gate.set()
    assert all(job.finished.wait(5) for job in (first, *waiting))
    assert order[:2] == ["a1", "b1"] and set(order[2:]) == {"a2", "a3"}


def test_what_is_looked_at_comes_before_the_rest_of_every_group():
    """Both groups have a spec at 1 and one at 2; those at 1 are asked first, and are there before
    any group is whole.
    """
    pair = [tuple(RunSpec("toy", None, m, Budget(b)) for b in (2.0, 1.0)) for m in ("x", "y")]
    go_on, asked = threading.Event(), []

    def together(specs, first, progress, found):
        asked.append((specs[:first], specs[first:]))
        found({spec: spec.method for spec in specs[:first]})
        go_on.wait(5)
        found({spec: spec.method for spec in specs[first:]})
        return True

    near = lambda spec: spec.budget.value - 1
    job = Jobs().ask("a", pair, Work(endless, together=together), near)
    assert job.ahead.wait(5) and not job.finished.is_set() and not job.done
    assert [job.there(group) for group in pair] == [["x"], ["y"]]
    go_on.set()
    assert job.finished.wait(5) and job.done == {pair[0]: ["x", "x"], pair[1]: ["y", "y"]}
    assert asked == [((pair[0][1], pair[1][1]), (pair[0][0], pair[1][0]))]


def test_what_cannot_be_done_together_is_done_by_groups():
    def together(specs, first, progress, found):
        raise DpvizError("one of them cannot be")

    def one(group, progress):
        if group[0].method == "bad":
            raise DpvizError("no")
        return [group[0].method]

    some = groups("bad", "good")
    job = Jobs().ask("a", some, Work(one, together=together), lambda spec: 0.0)
    assert job.finished.wait(5) and job.ahead.is_set()
    assert job.done == {some[1]: ["good"]} and job.errors == {some[0]: "no"}


def test_by_groups_too_the_answer_is_there_before_the_rest():
    go_on = threading.Event()

    def one(group, progress):
        if group[0].budget.value != 1:
            go_on.wait(5)
        return [group[0].method]

    now, rest = ((RunSpec("toy", None, "x", Budget(b)),) for b in (1.0, 2.0))
    work = Work(one, together=lambda *asked: False)
    job = Jobs().ask("a", [now, rest], work, lambda spec: spec.budget.value - 1)
    assert job.ahead.wait(5) and not job.finished.is_set() and job.done == {now: ["x"]}
    go_on.set()
    assert job.finished.wait(5) and job.complete


def test_results_in_memory_are_limited_by_their_number_not_by_groups(monkeypatch):
    """400 groups of a large sweep fit in no memory."""
    monkeypatch.setattr(jobs, "RESULTS", 100)
    work, door = Work(lambda group, progress: list(range(40))), Jobs()
    for method in "abc":
        assert door.ask("a", groups(method), work).finished.wait(5)
    assert [glance(groups(method), work).complete for method in "abc"] == [False, True, True]
