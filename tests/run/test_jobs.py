"""Jobs: shared between clients, stopped when the last client has left."""

import math
import threading
import time

from dpviz.experiments import jobs
from dpviz.experiments.jobs import Jobs, Work, results_in_memory
from dpviz.text import attackers_view as attackers
from dpviz.text import grid, maps, method_tiles
from dpviz.text import many_pictures as many
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


def test_equal_requests_share_a_job():
    all_jobs, gate = Jobs(), Gate()
    work = Work(gate)
    first, second = (all_jobs.ask(person, groups("x"), work) for person in "ab")
    gate.open.set()
    assert first is second and first.finished.wait(5) and len(gate.calls) == 1
    assert all_jobs.ask("c", groups("x"), work).complete and len(gate.calls) == 1


def test_other_work_on_the_same_groups_is_another_job():
    all_jobs, gate, other = Jobs(), Gate(), Gate()
    first, second = (
        all_jobs.ask("a", groups("x"), Work(gate)),
        all_jobs.ask("b", groups("x"), Work(other)),
    )
    gate.open.set()
    other.open.set()
    assert first.finished.wait(5) and second.finished.wait(5) and first is not second
    assert len(gate.calls) == len(other.calls) == 1


def test_job_goes_on_while_a_client_waits():
    all_jobs, gate = Jobs(), Gate()
    work = Work(gate)
    job = all_jobs.ask("a", groups("x", "y"), work)
    all_jobs.ask("b", groups("x", "y"), work)
    all_jobs.leave("a")
    gate.open.set()
    assert job.finished.wait(5) and job.complete and not job.errors


def test_job_stops_with_its_last_client_and_keeps_results():
    started = threading.Event()

    def half(group, progress):
        if group[0].method == "slow":
            started.set()
            endless(group, progress)
        return [group]

    all_jobs, work = Jobs(), Work(half)
    job = all_jobs.ask("a", groups("quick", "slow"), work)
    all_jobs.ask("b", groups("quick", "slow"), work)
    assert started.wait(5)
    all_jobs.leave("a")
    assert not job.finished.wait(0.1)
    all_jobs.leave("b")
    assert job.finished.wait(5) and not job.complete
    assert len(results_in_memory(groups("quick", "slow"), work).done) == 1


def test_unknown_client_may_leave():
    Jobs().leave("a")


def test_queued_job_may_be_left():
    all_jobs, work = Jobs(), Work(endless, max_running=1)
    first, second = all_jobs.ask("a", groups("x"), work), all_jobs.ask("b", groups("y"), work)
    all_jobs.leave("b")
    assert second.finished.wait(5) and not first.finished.is_set()
    all_jobs.leave("a")
    assert first.finished.wait(5)


def test_stop_on_a_page_leaves_the_job(monkeypatch):
    gate = Gate()
    work = Work(gate)
    monkeypatch.setattr(long_work.st, "session_state", {})
    stopped = long_work.JOBS.ask(long_work.client("page"), groups("x"), work)
    theirs = long_work.JOBS.ask("page:another", groups("x"), work)
    long_work._stop("page", stopped)
    gate.open.set()
    assert theirs.finished.wait(5) and theirs.complete
    assert long_work.st.session_state["page:stopped"] == tuple(groups("x"))


def test_new_request_stops_the_previous_one_and_keeps_its_results():
    started, ended = threading.Event(), threading.Event()

    def sweep(group, progress):
        if group[0].method == "slow":
            started.set()
            try:
                endless(group, progress)
            finally:
                ended.set()
        return [group]

    all_jobs, work = Jobs(), Work(sweep)
    job = all_jobs.ask("a", groups("quick", "slow"), work)
    assert started.wait(5)
    other = all_jobs.ask("a", groups("quick"), work)
    assert other.complete, "the quick part was kept"
    assert ended.wait(5) and job.finished.wait(5) and not job.complete
    assert len(results_in_memory(groups("quick", "slow"), work).done) == 1


def test_one_failing_group_leaves_the_others():
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


def test_a_stopped_job_is_not_joined():
    all_jobs, gate = Jobs(), Gate()
    work = Work(gate)
    first = all_jobs.ask("a", groups("x"), work)
    all_jobs.ask("a", groups("y"), work)
    second = all_jobs.ask("a", groups("x"), work)
    gate.open.set()
    assert (
        second is not first and second.finished.wait(5) and second.complete and not first.complete
    )


def test_job_stops_when_all_clients_disconnect(monkeypatch):
    monkeypatch.setattr(jobs, "MAX_ABSENCE", 0.05)
    connected, checks = {"a", "b"}, []
    all_jobs, work = (
        Jobs(lambda client: checks.append(client) or client in connected),
        Work(endless),
    )
    job = all_jobs.ask("a", groups("x"), work)
    all_jobs.ask("b", groups("x"), work)
    connected.remove("a")
    checks.clear()
    while len(checks) < 8:
        time.sleep(0.01)
    assert not job.finished.is_set(), "one still waits"
    connected.clear()
    assert job.finished.wait(5) and not job.complete


def test_job_waits_for_a_client_that_reconnects(monkeypatch):
    monkeypatch.setattr(jobs, "MAX_ABSENCE", 0.5)
    connected, absent = {"a"}, threading.Event()
    all_jobs = Jobs(lambda client: client in connected or absent.set())
    job = all_jobs.ask("a", groups("x"), Work(endless))
    connected.clear()
    assert absent.wait(5)
    connected.add("a")
    assert not job.finished.wait(0.7)
    all_jobs.leave("a")
    assert job.finished.wait(5)


def test_one_too_many_of_a_visitor_s_jobs_is_refused_and_others_proceed(monkeypatch):
    monkeypatch.setattr(jobs, "MAX_JOBS", 2)
    gate = Gate()
    all_jobs, work = Jobs(visitor=lambda person: person[0]), Work(gate, max_running=9)
    former = [all_jobs.ask(f"a{i}", groups(f"x{i}"), work) for i in range(2)]
    refused = all_jobs.ask("a2", groups("x2"), work)
    other = all_jobs.ask("b0", groups("x2"), work)
    instead = all_jobs.ask("a1", groups("y"), work)
    assert refused.finished.is_set() and refused.errors == {groups("x2")[0]: jobs.TOO_MANY}
    assert not any(job.errors for job in (*former, other, instead)) and former[1].stopped
    gate.open.set()
    assert other.finished.wait(5) and other.complete
    assert instead.finished.wait(5) and instead.complete


def test_queue_is_fair_between_visitors():
    """One visitor's third job does not come before another's first, whoever asked first."""
    gate, order = threading.Event(), []

    def work_on(group, progress):
        order.append(group[0].method)
        gate.wait(5)
        return [group]

    all_jobs, work = Jobs(visitor=lambda person: person[0]), Work(work_on, max_running=1)
    first = all_jobs.ask("a1", groups("a1"), work)
    waiting = [all_jobs.ask(name, groups(name), work) for name in ("a2", "a3", "b1")]
    while len(work.queue._waiting) < 3 or not order:
        time.sleep(0.001)
    work.queue._waiting.sort(key=lambda t: "b" in t.visitors())  # b asked last
    gate.set()
    assert all(job.finished.wait(5) for job in (first, *waiting))
    assert order[:2] == ["a1", "b1"] and set(order[2:]) == {"a2", "a3"}


def test_first_specs_come_before_the_rest_of_every_group():
    """Both groups have a spec at 1 and one at 2; those at 1 are asked first, and are there before
    any group is whole.
    """
    pair = [tuple(RunSpec("toy", None, m, Budget(b)) for b in (2.0, 1.0)) for m in ("x", "y")]
    proceed, calls = threading.Event(), []

    def run_together(specs, first, progress, on_results):
        calls.append((specs[:first], specs[first:]))
        on_results({spec: spec.method for spec in specs[:first]})
        proceed.wait(5)
        on_results({spec: spec.method for spec in specs[first:]})
        return True

    near = lambda spec: spec.budget.value - 1
    job = Jobs().ask("a", pair, Work(endless, run_together=run_together), near)
    assert job.first_ready.wait(5) and not job.finished.is_set() and not job.done
    assert [job.results_of(group) for group in pair] == [["x"], ["y"]]
    proceed.set()
    assert job.finished.wait(5) and job.done == {pair[0]: ["x", "x"], pair[1]: ["y", "y"]}
    assert calls == [((pair[0][1], pair[1][1]), (pair[0][0], pair[1][0]))]


def test_groups_run_one_by_one_if_running_together_fails():
    def run_together(specs, first, progress, on_results):
        raise DpvizError("one of them cannot be")

    def run_group(group, progress):
        if group[0].method == "bad":
            raise DpvizError("no")
        return [group[0].method]

    pair = groups("bad", "good")
    job = Jobs().ask("a", pair, Work(run_group, run_together=run_together), lambda spec: 0.0)
    assert job.finished.wait(5) and job.first_ready.is_set()
    assert job.done == {pair[1]: ["good"]} and job.errors == {pair[0]: "no"}


def test_first_group_is_ready_before_the_rest():
    proceed = threading.Event()

    def run_group(group, progress):
        if group[0].budget.value != 1:
            proceed.wait(5)
        return [group[0].method]

    first, rest = ((RunSpec("toy", None, "x", Budget(b)),) for b in (1.0, 2.0))
    work = Work(run_group, run_together=lambda *arguments: False)
    job = Jobs().ask("a", [first, rest], work, lambda spec: spec.budget.value - 1)
    assert job.first_ready.wait(5) and not job.finished.is_set() and job.done == {first: ["x"]}
    proceed.set()
    assert job.finished.wait(5) and job.complete


def test_memory_limit_counts_results_not_groups(monkeypatch):
    """400 groups of a large sweep fit in no memory."""
    monkeypatch.setattr(jobs, "MAX_RESULTS", 100)
    work, all_jobs = Work(lambda group, progress: list(range(40))), Jobs()
    for method in "abc":
        assert all_jobs.ask("a", groups(method), work).finished.wait(5)
    assert [results_in_memory(groups(method), work).complete for method in "abc"] == [
        False,
        True,
        True,
    ]


def test_work_stops_when_its_session_shows_another_page(monkeypatch):
    monkeypatch.setattr(long_work.st, "session_state", {})
    monkeypatch.setattr(long_work, "client", lambda key: f"visitor:{key}:session")
    monkeypatch.setattr(long_work, "JOBS", Jobs())
    work = Work(endless)
    ask = lambda person: long_work.JOBS.ask(person, groups("x" if "a" in person else "y"), work)
    long_work.begin("first")
    own = [ask(f"visitor:{key}:session") for key in ("a", "a-public")]
    other = ask("visitor:b:other")
    long_work.begin("first")
    assert not own[0].stopped
    long_work.begin("second")
    assert own[0] is own[1] and own[0].finished.wait(5) and own[0].stopped
    assert not other.stopped
    long_work.JOBS.leave("visitor:b:other")


def test_no_text_claims_that_work_goes_on_after_a_stop():
    """Where work was stopped, tiles and answers still show what is not computed."""
    texts = [method_tiles.PENDING, method_tiles.PENDING_NOTE, attackers.PANEL_NOTES["running"]]
    texts += [text.plain for text in (many.ANSWERS["computing"], many.ANSWERS["so_far"])]
    texts += [grid.ANSWERS["progress"].plain, maps.ANSWERS["running"].plain]
    assert not [words for words in texts if "omputing" in words]
