"""Results that reach a page enter the session ledger, whatever became of the work."""

import importlib
from pathlib import Path
from types import SimpleNamespace

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from dpviz.caches import KeyedCache
from dpviz.diagnostics.pate_votes import Poll
from dpviz.diagnostics.vote_students import Course, Marks
from dpviz.experiments.jobs import Job, Work, no_private_runs
from dpviz.methods.components.teachers import Ensemble
from dpviz.privacy import vote_costs
from dpviz.privacy.vote_ledger import Setting
from dpviz.text import session as session_text
from dpviz.types import Budget, DataConfig, RunSpec
from dpviz.ui.frame import visitor
from dpviz.ui.live import long_work, session_cost
from dpviz.ui.teachers_vote import student_sections

ROOT = Path(__file__).resolve().parents[2]


def run(seed):
    """A result of a private run."""
    spec = RunSpec("own", None, method="dppl-mean", budget=Budget(1.0), seed=seed)
    return SimpleNamespace(spec=spec)


@pytest.fixture
def seen(monkeypatch):
    """The session's ledger, without a page."""
    monkeypatch.setattr(st, "session_state", {})
    monkeypatch.setattr(long_work, "client", lambda key: key)
    monkeypatch.setattr(long_work, "POLL_INTERVAL", 0.01)
    return session_cost._ledger()


GROUPS = [(run(seed).spec,) for seed in range(2)]
SWEEP = Work(
    lambda group, progress: [SimpleNamespace(spec=spec) for spec in group],
    private_runs=lambda result: [result.spec],
)


def seeds(seen):
    return [spec.seed for spec in seen.runs]


def test_stopped_work_enters_the_ledger(seen):
    done = Work(SWEEP.run_group, private_runs=SWEEP.private_runs)
    done.results.put(GROUPS[0], [run(0)])
    st.session_state["page:stopped"] = tuple(GROUPS)
    st.session_state["page:some"] = {GROUPS[1][0]: run(1)}
    long_work.collect("page", GROUPS, st.empty(), work=done)
    assert seeds(seen) == [0, 1]


def test_runs_drawn_before_leaving_enter_the_ledger(seen, monkeypatch):
    job = Job(GROUPS, {GROUPS[0]: [run(0)]})
    job.partial[GROUPS[1][0]] = run(1)
    job.first_ready.set()
    monkeypatch.setattr(long_work.JOBS, "ask", lambda *asked: job)

    def draw(shown):
        assert shown is job
        raise InterruptedError("the visitor left")

    with pytest.raises(InterruptedError):
        long_work.collect("page", GROUPS, st.empty(), draw, work=SWEEP, near=lambda spec: 0.0)
    assert seeds(seen) == [0, 1]


def test_finished_work_enters_the_ledger(seen):
    long_work.collect("page", GROUPS, st.empty(), work=SWEEP)
    assert seeds(seen) == [0, 1] and not seen.unknown


def students(group, progress):
    """Marks of students, without teachers."""
    return [Marks(course, (), (), (), course.queries, 1.0, 0.0) for course in group]


def test_students_enter_the_ledger_as_noisy_votes(seen):
    by = Setting(6.0, 4.0, 3.0, 1e-5)
    course = Course(Poll(DataConfig("own", None), Ensemble("linear", 10)), by, 30, seeds=(0, 1))
    work = Work(students, private_runs=student_sections.COURSES.private_runs)
    long_work.collect("page", [(course,)], st.empty(), work=work)
    assert [votes.seed for votes in seen.votes] == [0, 1] and not seen.is_empty
    found = session_cost.priced(seen, 1e-5)
    twice = vote_costs.data_independent(60, 60, 4.0, 3.0, 1e-5).epsilon_delta
    assert found.epsilon == pytest.approx(twice, rel=1e-3)


FOLD = """
from dpviz.ui.live import session_cost
session_cost.draw_fold()
"""


def opened(who):
    """A page of a visitor that was just loaded, with the ledger open."""
    at = AppTest.from_string(FOLD)
    at.session_state[visitor.VISITOR] = who
    at.session_state[session_cost.FOLD] = True
    at.run()
    assert not at.exception
    return at


def said(at):
    return at.caption[-1].value


@pytest.fixture
def ledgers(monkeypatch):
    """The ledgers of a new server."""
    few = KeyedCache(__name__, 2, 100, lambda seen: seen.size)
    monkeypatch.setattr(session_cost, "_ledgers", few)
    return few


def test_reload_keeps_ledger_until_visitor_starts_over(ledgers):
    first = opened("a")
    assert session_text.NOTHING in said(first) and not first.button
    ledgers.get("a").unknown = True
    ledgers.get("a").cap = 2.0
    again = opened("a")
    assert said(again).startswith(session_text.NO_COST)
    assert again.number_input[0].value == 2.0 and again.number_input[0].disabled
    assert session_text.NOTHING in said(opened("b"))
    assert again.button[0].help == session_text.START_OVER_HELP
    again.button[0].click().run()
    assert session_text.NOTHING in said(again)
    assert session_text.NOTHING in said(first.run()), "all tabs share it"


def test_open_page_keeps_ledger_evicted_by_server(ledgers):
    at = opened("a")
    ledgers.get("a").unknown = True
    for other in "bc":
        opened(other)
    assert ledgers.get("a") is None
    assert said(at.run()).startswith(session_text.NO_COST)
    assert session_text.NOTHING in said(opened("d"))


@pytest.mark.parametrize("private_runs", [None, lambda result: [result]])
def test_result_of_unknown_kind_has_no_bound(seen, private_runs):
    work = Work(SWEEP.run_group, private_runs=private_runs)
    long_work.collect("page", GROUPS, st.empty(), work=work)
    assert not seen.is_empty
    assert session_cost.cost_text(seen, 1e-5).startswith(session_text.NO_COST)


def test_private_views_alone_leave_the_ledger_empty(seen):
    work = Work(SWEEP.run_group, private_runs=no_private_runs)
    long_work.collect("page", GROUPS, st.empty(), work=work)
    assert seen.is_empty


WITHOUT_COST = {"ACCURACIES", "FILES"}


def test_only_known_work_kinds_lack_a_cost():
    """Every other kind of work states which private runs its results show."""
    files = [file for file in (ROOT / "dpviz").rglob("*.py") if "Work(" in file.read_text()]
    names = [".".join(file.relative_to(ROOT).with_suffix("").parts) for file in files]
    loaded = map(importlib.import_module, names)
    kinds = {
        name: work
        for module in loaded
        for name, work in vars(module).items()
        if isinstance(work, Work)
    }
    assert kinds.keys() > {"SWEEPS", "COURSES", "STUDIES", "PICTURE_WORK"}
    unknown = {name for name, work in kinds.items() if work.private_runs is None}
    assert unknown == WITHOUT_COST
