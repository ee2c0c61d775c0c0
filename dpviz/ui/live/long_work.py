"""Long work while it goes on: stages, progress, stop; partial results are drawn as they come."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from dpviz.formatting import literal
from dpviz.run.jobs import Group, Job, Jobs, Near, Work, glance
from dpviz.run.worker_processes import Pool
from dpviz.ui import streamlit_internals
from dpviz.ui.frame import page_parts, visitor
from dpviz.ui.live import rerun_scheduling, session_cost
from dpviz.ui.widgets import charts

QUICK = 0.35
"""Seconds without a word: what is done by then needs no progress bar."""
BEAT = 0.15
REDRAW = 0.9
SURE, SURELY = 5.0, 0.1
"""Seconds, and share of the work, after which the time left is told."""
POOL = Pool()
SWEEPS = Work(
    POOL.sweep,
    max_running=100,
    run_together=POOL.sweep_together,
    private_runs=lambda result: [result.spec],
)
"""Sweeps of this server; the pool says who is computed for."""


def is_connected(person: str) -> bool:
    """Whether the browser tab that asked is still open."""
    session = person.rpartition(":")[2]
    return (
        not session
        or not st.runtime.exists()
        or st.runtime.get_instance().is_active_session(session)
    )


JOBS = Jobs(is_connected, lambda person: person.partition(":")[0])


def collect(
    key: str,
    groups: Sequence[Group],
    status: Any,
    draw: Callable[[Job], object] = lambda job: None,
    begin: Callable[[], object] = lambda: None,
    work: Work = SWEEPS,
    near: Near | None = None,
) -> Job:
    """The job of these groups, finished or stopped.

    Args:
        key: of the page; one page and person have one job.
        groups: specs, a group a line of the chart.
        status: container for progress; empty when done.
        draw: called with the job whenever there is more to see, not too often.
        begin: called once if there is nothing to see yet.
        work: of which kind.
        near: which specs are wanted first: as soon as those are there, they are drawn.
    """
    if st.session_state.get(f"{key}:stopped") == tuple(groups):
        job = _stopped(key, groups, work, status)
    else:
        job = JOBS.ask(_person(key), groups, work, near)
        if not job.finished.is_set():
            with rerun_scheduling.aside():
                if not (job.first_ready if near else job.finished).wait(QUICK):
                    begin()
                if not job.finished.is_set():
                    _watch(key, job, status, lambda job: _draw_and_note(draw, job, work))
    session_cost.saw(job, work)
    return job


def start_job(key: str, groups: Sequence[Group], work: Work = SWEEPS) -> Job:
    """The job of these groups, begun and given up to ``QUICK`` seconds; it may go on."""
    job = JOBS.ask(_person(key), groups, work, None)
    if not job.finished.is_set():
        with rerun_scheduling.aside():
            job.finished.wait(QUICK)
    session_cost.saw(job, work)
    return job


def _draw_and_note(draw: Callable[[Job], object], job: Job, work: Work) -> None:
    """Draw a job that goes on; its results are noted even if the visitor leaves meanwhile."""
    try:
        draw(job)
    finally:
        session_cost.note(job, work)


def run_one(key: str, task: Any, work: Work, status: Any = None) -> Any:
    """What one task gives; None where it was stopped or refused, which then says why."""
    group = (task,)
    job = collect(key, [group], status or st.empty(), work=work)
    page_parts.refusals(job.errors.values())
    return job.done[group][0] if group in job.done else None


def results(
    key: str,
    wanted: Mapping[Any, Group],
    draw: Callable[[charts.Slot, dict[Any, list]], object] = lambda slot, results: None,
) -> dict[Any, list]:
    """The results by the keys of ``wanted``, as far as they are there, and where they come from.

    Args:
        draw: a chart of some results into its slot, whenever there are more.
    """
    status, slot = st.empty(), charts.Slot(st.container(), key)
    done = lambda job: {
        name: job.done[group] for name, group in wanted.items() if group in job.done
    }
    groups = list(dict.fromkeys(wanted.values()))
    job = collect(key, groups, status, lambda job: draw(slot, done(job)))
    page_parts.refusals(job.errors.values())
    if done(job):
        draw(slot, done(job))
        st.caption(page_parts.origin([r for some in done(job).values() for r in some]))
    return done(job)


def _person(key: str) -> str:
    """A page in a tab of a visitor."""
    return f"{visitor.visitor_name()}:{key}:{streamlit_internals.session_id()}"


def _watch(key: str, job: Job, status: Any, draw: Callable[[Job], object]) -> None:
    box = status.container(horizontal=True, vertical_alignment="center")
    bar = box.empty()
    box.button(
        "Stop",
        key=f"{key}:stop",
        on_click=_stop,
        args=(key, job),
        help="What is done so far is kept.",
    )
    bar.progress(*_words(job))
    seen, drawn = _progress_mark(job), time.perf_counter()
    told, said = False, drawn
    while True:
        (job.finished if told else job.first_ready).wait(BEAT)
        if job.finished.is_set():
            break
        if time.perf_counter() - said > REDRAW:  # oftener, and a slow browser draws nothing else
            bar.progress(*_words(job))
            said = time.perf_counter()
        if job.first_ready.is_set() and not told:
            told, seen = True, _progress_mark(job)
            draw(job)
            drawn = time.perf_counter()
        elif (
            _progress_mark(job) > seen
            and time.perf_counter() - drawn > REDRAW
            and _seconds_left(job) > REDRAW
        ):
            seen = _progress_mark(job)
            draw(job)
            drawn = time.perf_counter()
    status.empty()


def _progress_mark(job: Job) -> int:
    """Grows whenever there is more to see."""
    return len(job.done) + len(job.partial)


def _words(job: Job) -> tuple[float, str]:
    what, done, total = job.stage
    count = f": {done:,} of {total:,}" if total else ""
    if len(job.groups) > 1 and not job.cells:
        part = min(len(job.done) + len(job.errors) + 1, len(job.groups))
        count += f" in part {part} of {len(job.groups)}"
    seconds = time.perf_counter() - job.started
    sure = done and seconds > SURE and SURELY < _share(job) < 1
    left = f", about {_seconds_left(job):.0f} s left" if sure else ""
    return min(1.0, _share(job)), f"{literal(what)}{count} · {seconds:.0f} s{left}"


def _share(job: Job) -> float:
    """Of the whole work, what is done."""
    _, done, total = job.stage
    part = done / total if total else 0.0
    if total and total == job.cells:
        return part
    return (len(job.done) + len(job.errors) + part) / len(job.groups)


def worth_drawing(job: Job) -> bool:
    """Whether a part of the chart is: while nothing else is there to see, or when the work goes on
    for long. Else what is wanted first is told, and the chart drawn once, whole.
    """
    return not job.first_ready.is_set() or time.perf_counter() - job.started > REDRAW


def _seconds_left(job: Job) -> float:
    """Seconds still to come, if the rest takes as long as what is done took."""
    share = _share(job)
    return (time.perf_counter() - job.started) * (1 - share) / share if share else math.inf


def _stop(key: str, job: Job) -> None:
    JOBS.leave(_person(key))
    st.session_state[f"{key}:stopped"] = job.groups
    st.session_state[f"{key}:some"] = dict(job.partial)


def _go_on(key: str) -> None:
    for what in ("stopped", "some"):
        st.session_state.pop(f"{key}:{what}", None)


def _stopped(key: str, groups: Sequence[Group], work: Work, status: Any) -> Job:
    job = glance(groups, work)
    job.partial = st.session_state.get(f"{key}:some", {})
    with status.container(horizontal=True, vertical_alignment="center"):
        st.info(
            "Stopped: what was there is drawn."
            if len(job.groups) == 1
            else f"Stopped: {len(job.done)} of {len(job.groups)} parts are done and drawn.",
            icon=":material/pause:",
        )
        st.button("Go on", key=f"{key}:go", on_click=_go_on, args=(key,))
    return job


def blank(groups: Sequence[Group]) -> Job:
    """A job with nothing done yet, to draw the empty chart from."""
    return Job(groups)
