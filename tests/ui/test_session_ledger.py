"""Results that reach a page enter the session ledger, whatever became of the work."""

from types import SimpleNamespace

import pytest
import streamlit as st

from dpviz.run.jobs import Job, Work
from dpviz.types import Budget, RunSpec
from dpviz.ui.live import long_work, price_of_looking


def run(seed):
    """A result of a private run."""
    spec = RunSpec("own", None, method="dppl-mean", budget=Budget(1.0), seed=seed)
    return SimpleNamespace(spec=spec)


@pytest.fixture
def seen(monkeypatch):
    """The session's ledger, without a page."""
    monkeypatch.setattr(st, "session_state", {})
    monkeypatch.setattr(long_work, "_person", lambda key: key)
    monkeypatch.setattr(long_work, "BEAT", 0.01)
    return price_of_looking._seen()


GROUPS = [(run(seed).spec,) for seed in range(2)]
SWEEP = Work(lambda group, progress: [SimpleNamespace(spec=spec) for spec in group])


def seeds(seen):
    return [spec.seed for spec in seen.runs]


def test_stopped_work_enters_the_ledger(seen):
    done = Work(SWEEP.do)
    done.results.put(GROUPS[0], [run(0)])
    st.session_state["page:stopped"] = tuple(GROUPS)
    st.session_state["page:some"] = {GROUPS[1][0]: run(1)}
    long_work.collect("page", GROUPS, st.empty(), work=done)
    assert seeds(seen) == [0, 1]


def test_runs_drawn_before_leaving_enter_the_ledger(seen, monkeypatch):
    job = Job(GROUPS, {GROUPS[0]: [run(0)]})
    job.some[GROUPS[1][0]] = run(1)
    job.ahead.set()
    monkeypatch.setattr(long_work.JOBS, "ask", lambda *asked: job)

    def draw(shown):
        assert shown is job
        raise InterruptedError("the visitor left")

    with pytest.raises(InterruptedError):
        long_work.collect("page", GROUPS, st.empty(), draw, work=SWEEP, near=lambda spec: 0.0)
    assert seeds(seen) == [0, 1]


def test_finished_work_enters_the_ledger(seen):
    long_work.collect("page", GROUPS, st.empty(), work=Work(SWEEP.do))
    assert seeds(seen) == [0, 1]
