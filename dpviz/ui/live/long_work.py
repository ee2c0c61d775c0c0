"""Long work while it goes on: stages, progress, stop; partial results are drawn as they come, late
ones in another run of the page.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.experiments.jobs import Distance, Group, Job, Jobs, Work, results_in_memory
from dpviz.experiments.worker_processes import Pool
from dpviz.formatting import literal
from dpviz.text import controls as text
from dpviz.text.template import render_text
from dpviz.ui import streamlit_internals
from dpviz.ui.assets import asset
from dpviz.ui.frame import page_parts, visitor
from dpviz.ui.live import rerun_scheduling, session_cost
from dpviz.ui.live.remaining_time import RemainingTime
from dpviz.ui.widgets import charts

PROGRESS_DELAY = 0.35
"""Seconds without a word: what is done by then needs no progress bar."""
POLL_INTERVAL = 0.15
#: Key of the progress, which lies over the page, so that nothing moves when it comes and goes.
WORK = "work"
REDRAW_INTERVAL = 0.9
PAGE = "work:page"
"""Key of the page that this session shows."""
POOL = Pool()
IDLE_NICE = 19
IDLE_POOL = Pool(1, IDLE_NICE, uses_server=False)
"""One process of the lowest priority, for what nobody waits for."""
SWEEPS = Work(
    POOL.sweep,
    max_running=100,
    run_together=POOL.sweep_together,
    private_runs=lambda result: [result.spec],
    run_idle=IDLE_POOL.sweep,
)
"""Sweeps of this server; the pool says who is computed for."""


def client(key: str) -> str:
    """Return the client of ``Jobs`` that a page or a part of it is, in this tab of its visitor."""
    return f"{visitor.visitor_name()}:{key}:{streamlit_internals.session_id()}"


def visitor_of(name: str) -> str:
    """Return the visitor of a ``client``."""
    return name.partition(":")[0]


def session_of(name: str) -> str:
    """Return the session, a tab, of a ``client``; empty without one."""
    return name.rpartition(":")[2]


def is_connected(person: str) -> bool:
    """Whether the browser tab that asked is still open."""
    session = session_of(person)
    return (
        not session
        or not st.runtime.exists()
        or st.runtime.get_instance().is_active_session(session)
    )


#: Groups that the page of a thread waits for once it is drawn, with their keys.
_late = threading.local()
JOBS = Jobs(is_connected, visitor_of)


def collect(
    key: str,
    groups: Sequence[Group],
    status: DeltaGenerator,
    draw: Callable[[Job], object] = lambda job: None,
    begin: Callable[[], object] = lambda: None,
    work: Work = SWEEPS,
    near: Distance | None = None,
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
        job = JOBS.ask(client(key), groups, work, near)
        if not job.finished.is_set():
            with rerun_scheduling.give_way():
                if not (job.first_ready if near else job.finished).wait(PROGRESS_DELAY):
                    begin()
                if not job.finished.is_set():
                    _watch(key, job, status, lambda job: _draw_and_note(draw, job, work))
    session_cost.show_job(job, work)
    _note_collected(job, groups, work)
    return job


def _note_collected(job: Job, groups: Sequence[Group], work: Work) -> None:
    """Note that the page shows these groups completely, for ``collected``."""
    if work.run_idle and not job.missing:
        done = [(work, group) for group in groups if group in job.done]
        _late.collected = [*getattr(_late, "collected", []), *done]


def start_job(
    key: str, groups: Sequence[Group], work: Work = SWEEPS, patience: float = PROGRESS_DELAY
) -> Job:
    """The job of these groups, begun and given up to ``patience`` seconds; it may go on."""
    job = JOBS.ask(client(key), groups, work, None)
    if not job.finished.is_set():
        with rerun_scheduling.give_way():
            job.finished.wait(patience)
    session_cost.show_job(job, work)
    return job


def _draw_and_note(draw: Callable[[Job], object], job: Job, work: Work) -> None:
    """Draw a job that goes on; its results are noted even if the visitor leaves meanwhile."""
    try:
        draw(job)
    finally:
        session_cost.note(job, work)


def run_one(key: str, task: Any, work: Work, status: DeltaGenerator | None = None) -> Any:
    """What one task gives; None where it was stopped or refused, which then says why."""
    group = (task,)
    job = collect(key, [group], status or st.empty(), work=work)
    page_parts.refusals(job.errors.values())
    return job.done[group][0] if group in job.done else None


def results(
    key: str,
    groups_by_name: Mapping[Any, Group],
    draw: Callable[[charts.Slot, dict[Any, list]], object] = lambda slot, results: None,
) -> dict[Any, list]:
    """The results by name, as far as they are computed, and where they come from.

    Args:
        draw: a chart of some results into its slot, whenever there are more.
    """
    status, slot = st.empty(), charts.Slot(st.container(), key)
    results_by_name = lambda job: {
        name: job.done[group] for name, group in groups_by_name.items() if group in job.done
    }
    groups = list(dict.fromkeys(groups_by_name.values()))
    job = collect(key, groups, status, lambda job: draw(slot, results_by_name(job)))
    page_parts.refusals(job.errors.values())
    if results_by_name(job):
        draw(slot, results_by_name(job))
        st.caption(
            page_parts.origin([r for results in results_by_name(job).values() for r in results])
        )
    return results_by_name(job)


def begin(page: str) -> None:
    """Stop the work of the page that this session has left, and forget what an earlier run of this
    thread asked for.

    Args:
        page: address of the page that begins.
    """
    _late.pending, _late.collected, _late.stopped = [], [], []
    if st.session_state.get(PAGE, page) != page:
        session = session_of(client(""))
        JOBS.leave_all(lambda other: session_of(other) == session)
    st.session_state[PAGE] = page


def collected() -> list[tuple[Work, Group]]:
    """Return the groups that the page of this thread has shown completely, of work that can be done
    ahead; some more than once.
    """
    return getattr(_late, "collected", [])


def late_results(
    key: str, group: Group, patience: float = PROGRESS_DELAY, work: Work = SWEEPS
) -> list[Any]:
    """Return the results of a group; [] while they are computed, and where they were refused.

    Args:
        key: of the page and the part of it; only the last group asked for with it is computed;
            patience: seconds that the page waits for them before it goes on; work: of which kind.
    """
    if not group:
        return []
    if st.session_state.get(f"{key}:stopped") == (group,):
        _late.stopped = [*getattr(_late, "stopped", []), key]
        return []
    if rerun_scheduling.no_browser:
        return collect(key, [group], st.empty(), work=work).done.get(group, [])
    job = start_job(key, [group], work=work, patience=patience)
    if job.finished.is_set():
        _note_collected(job, [group], work)
    else:
        _late.pending = [*getattr(_late, "pending", []), (key, group, work)]
    return job.done.get(group, [])


def wait_for_late_results() -> None:
    """Once the page is drawn: wait for what it lacks, and draw it again."""
    pending, _late.pending = getattr(_late, "pending", []), []
    stopped, _late.stopped = getattr(_late, "stopped", []), []
    if stopped:
        _stop_note(text.STOPPED_LATE, *stopped)
    if not pending:
        return
    status = st.empty()
    for key, group, work in pending:
        collect(key, [group], status, work=work)
    st.rerun()


def _watch(key: str, job: Job, status: DeltaGenerator, draw: Callable[[Job], object]) -> None:
    ahead_drawn, drawn_mark = job.first_ready.is_set(), _progress_mark(job)
    if ahead_drawn:  # the answer, before any progress
        draw(job)
        if job.finished.is_set():
            return
    box = status.container(horizontal=True, vertical_alignment="center", key=f"{WORK}-{key}")
    box.html(f"<style>{asset('progress.css')}</style><i></i>")
    bar = box.empty()
    box.button(
        text.STOP,
        key=f"{key}:stop",
        on_click=_stop,
        args=(key, job),
        help=text.STOP_HELP,
    )
    remaining = RemainingTime()
    bar.progress(*_words(job, remaining))
    last_draw = last_progress = time.perf_counter()
    while True:
        (job.finished if ahead_drawn else job.first_ready).wait(POLL_INTERVAL)
        if job.finished.is_set():
            break
        # More often, a slow browser would draw nothing else.
        if time.perf_counter() - last_progress > REDRAW_INTERVAL:
            bar.progress(*_words(job, remaining))
            last_progress = time.perf_counter()
        if job.first_ready.is_set() and not ahead_drawn:
            ahead_drawn, drawn_mark = True, _progress_mark(job)
            draw(job)
            last_draw = time.perf_counter()
        elif (
            _progress_mark(job) > drawn_mark
            and time.perf_counter() - last_draw > REDRAW_INTERVAL
            and _seconds_left(job) > REDRAW_INTERVAL
        ):
            drawn_mark = _progress_mark(job)
            draw(job)
            last_draw = time.perf_counter()
    status.empty()


def _progress_mark(job: Job) -> int:
    """Grows whenever there is more to see."""
    return len(job.done) + len(job.partial)


def _words(job: Job, remaining: RemainingTime) -> tuple[float, str]:
    """Return the share and the text of the progress bar."""
    stage, done, total = job.stage
    counts = [f"{done:,} of {total:,}"] if total else []
    if len(job.groups) > 1 and not job.cells:
        part = min(len(job.done) + len(job.errors) + 1, len(job.groups))
        counts = [f"part {part} of {len(job.groups)}", *(f"{count} done" for count in counts)]
    count = f": {', '.join(counts)}" if counts else ""
    seconds = time.perf_counter() - job.started
    words = f"{literal(stage)}{count} · {seconds:.0f} s"
    if _is_preparing(job):
        return _stage_share(job), words
    share = _share(job)
    left = remaining.update(seconds, share)
    return min(1.0, share), words if left is None else f"{words}, about {left:.0f} s left"


def _stage_share(job: Job) -> float:
    _, done, total = job.stage
    return min(1.0, done / total) if total else 0.0


def _is_preparing(job: Job) -> bool:
    """Whether the stage counts something else than the runs: images to embed."""
    return bool(job.cells) and job.stage[2] != job.cells


def _share(job: Job) -> float:
    """Share of the whole work that is done; a group counts by its runs."""
    if _is_preparing(job):
        return 0.0
    if job.cells:
        return _stage_share(job)
    done = sum(len(group) for group in (*job.done, *job.errors))
    missing = job.missing  # another thread empties it
    current = len(missing[0]) * _stage_share(job) if missing else 0.0
    return (done + current) / sum(map(len, job.groups))


def worth_drawing(job: Job) -> bool:
    """Whether a part of the chart is: while nothing else is there to see, or when the work goes on
    for long. Else what is wanted first is told, and the chart drawn once, whole.
    """
    return not job.first_ready.is_set() or time.perf_counter() - job.started > REDRAW_INTERVAL


def _seconds_left(job: Job) -> float:
    """Seconds still to come, if the rest takes as long as what is done took."""
    share = _share(job)
    return (time.perf_counter() - job.started) * (1 - share) / share if share else math.inf


def _stop(key: str, job: Job) -> None:
    JOBS.leave(client(key))
    st.session_state[f"{key}:stopped"] = job.groups
    st.session_state[f"{key}:some"] = dict(job.partial)


def _go_on(*keys: str) -> None:
    for key in keys:
        for name in ("stopped", "some"):
            st.session_state.pop(f"{key}:{name}", None)


def _stop_note(words: str, *keys: str) -> None:
    """Draw what was computed before a stop, and the button that goes on."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.info(words, icon=":material/pause:")
        st.button(text.CONTINUE, key=f"{keys[0]}:go", on_click=_go_on, args=keys)


def _stopped(key: str, groups: Sequence[Group], work: Work, status: DeltaGenerator) -> Job:
    job = results_in_memory(groups, work)
    job.partial = st.session_state.get(f"{key}:some", {})
    case = "one" if len(job.groups) == 1 else "many"
    words = render_text(text.STOPPED[case], done=len(job.done), parts=len(job.groups))
    with status.container():
        _stop_note(words, key)
    return job


def blank(groups: Sequence[Group]) -> Job:
    """A job with nothing done yet, to draw the empty chart from."""
    return Job(groups)
