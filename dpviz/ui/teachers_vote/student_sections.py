"""Views of the PATE page on students: one setting at a time, and the tables of the paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from dpviz.diagnostics import vote_students
from dpviz.diagnostics.vote_students import PIXELS, Course, Marks
from dpviz.encoders import availability
from dpviz.experiments.jobs import Job, Work
from dpviz.experiments.session import NoisyVotes
from dpviz.methods.components import pixel_students, students
from dpviz.plots.teachers import Ensemble, EnsembleGrid, StudentCurve, StudentPoint
from dpviz.stats import Interval, band
from dpviz.text import teachers_vote as text
from dpviz.text.template import render, render_text
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.live import long_work, rerun_scheduling
from dpviz.ui.teachers_vote.answer import Vote
from dpviz.ui.teachers_vote.controls import KEY
from dpviz.ui.widgets import charts, export
from dpviz.ui.widgets.choices import choice, segments
from dpviz.views import teachers_vote_page
from dpviz.views.teachers_vote_page import Panels

Rows = list[dict[str, Any]]
SEEDS = 5
COURSES = Work(
    lambda group, progress: [
        long_work.POOL.call(vote_students.taught, course.material, course, progress=progress)
        for course in group
    ],
    private_runs=lambda marks: [
        NoisyVotes(
            marks.course.material,
            marks.course.poll.ensemble,
            marks.course.setting,
            marks.query_count,
            n,
        )
        for n in marks.course.seeds
    ],
)


def accuracy(vote: Vote) -> Interval | None:
    """Return the test accuracy of a student of the answers that the page shows; None while it is
    computed, and without answers.
    """
    if not vote.answers.answered.any():
        return None
    request = vote.request
    queries = min(request.queries, len(vote.ballot.votes.rows))
    course = Course(request.poll, request.setting, queries, seeds=(request.seed,))
    marks = long_work.late_results(f"{KEY}-student", (course,), work=COURSES)
    return band(marks[0].scores, "overall", noisy=False) if marks else None


def learned(vote: Vote) -> Rows:
    """Draw the student of the page's settings, and students with one setting varied."""
    now, words, status = _student_course(vote), st.empty(), st.empty()
    if now.sees == PIXELS:
        panels, names = {text.OWN_SETTING: {"now": now}}, {text.OWN_SETTING: "now"}
    else:
        panels, names = teachers_vote_page.one_at_a_time(now, len(vote.ballot.votes.rows))
    grid = charts.Slot(st.container(), f"{KEY}-learned")
    draw = lambda job: grid.plot(_grid(job, panels, names))
    job = _collect("learned", {"": {"now": now}} | panels, status, draw)
    draw(job)
    st.caption(_charts_caption(now))
    if (now,) in job.done:
        marks = job.done[now,][0]
        if detail_level.precise():
            words.markdown(_sentences(marks))
        else:
            page_parts.view_finding(_finding(marks), words)
    rerun_scheduling.flush_page(brief=True)
    drawn = _against_epsilon(vote, job, panels, now)
    with st.expander(text.PYTHON):
        export.code(vote_students.python(now), "python")
    return _grid(job, panels, names).table() + [
        row for row in drawn.table() if "paper" in row["setting varied"]
    ]


def _student_course(vote: Vote) -> Course:
    """Draw the controls of the student; return its course."""
    request, left, right = vote.request, *st.columns(2)
    encoder = request.poll.material.encoder
    sees = {"": text.SEES_SAME}
    if vote.ballot.data.thumbnails is not None:
        others = {key: title for key, title in availability.titles().items() if key != encoder}
        sees |= {PIXELS: text.SEES_PIXELS} | others
    with left:
        seen = choice(st.selectbox, text.SEES, sees, "", "sees", help=text.SEES_HELP)
    kinds = pixel_students.KINDS if seen == PIXELS else students.KINDS
    titles = {kind: text.LEARNS_TITLES[kind] for kind in kinds}
    with right:
        kind = choice(
            *(st.selectbox, text.LEARNS, titles, "supervised", "learns"), help=text.LEARNS_HELP
        )
    seeds = 1 if seen == PIXELS else SEEDS
    return Course(
        request.poll,
        request.setting,
        min(request.queries, len(vote.ballot.votes.rows)),
        kind,
        seen,
        tuple(range(request.seed, request.seed + seeds)),
    )


def _collect(
    key: str,
    panels: Mapping[str, Mapping[str, Course]],
    status: Any,
    draw: Callable[[Job], object],
) -> Job:
    """Return the job of all courses, in the order of the panels."""
    groups = list(dict.fromkeys((c,) for courses in panels.values() for c in courses.values()))
    job = long_work.collect(f"{KEY}-{key}", groups, status, draw, work=COURSES)
    page_parts.refusals(job.errors.values())
    return job


def _grid(job: Job, panels: Panels, names: Mapping[str, str] | None = None) -> EnsembleGrid:
    """Return the students that are trained."""
    cells = {
        title: [
            _cell(name, job.done[course,][0])
            for name, course in courses.items()
            if (course,) in job.done
        ]
        for title, courses in panels.items()
    }
    return EnsembleGrid.from_cells(cells, names)


def _cell(name: str, marks: Marks) -> Ensemble:
    answered = sum(marks.answered) / len(marks.answered) / marks.query_count
    right, student = marks.answers_right, marks.accuracy
    return Ensemble(name, answered, right, marks.epsilon, marks.query_count, student)


def _sentences(marks: Marks) -> str:
    """Return the accuracy of the page's own student, and its spread."""
    mean = sum(marks.answered) / len(marks.answered)
    first = render(
        text.STUDENT,
        answers=round(mean),
        accuracy=marks.accuracy,
        epsilon=marks.epsilon,
    )
    fields = {"queries": marks.query_count, "delta": marks.course.setting.delta}
    if len(marks.scores) < 2:
        return f"{first} {render(text.STUDENT_ONE_SEED, **fields)}"
    sd = round(100 * marks.accuracy.sd, 1)
    seeds = len(marks.scores)
    return f"{first} {render(text.STUDENT_SPREAD, sd=sd, seeds=seeds, **fields)}"


def _finding(marks: Marks) -> str:
    """Return the accuracy of the page's own student in plain words."""
    answers = round(sum(marks.answered) / len(marks.answered))
    return render(text.STUDENT_FINDING, accuracy=marks.accuracy, answers=answers)


def _charts_caption(now: Course) -> str:
    """Return how to read the small charts."""
    note = text.VARIED_NOTE
    if now.sees == PIXELS:
        note = render(text.PIXELS_NOTE, public=now.poll.material.public or text.PIXELS_PUBLIC)
    return f"{note} {_bars(len(now.seeds))} {text.STUDENT_NOTE.fill(detail_level.precise())}"


def _bars(seeds: int) -> str:
    return text.BARS_ONE if seeds == 1 else render(text.BARS, seeds=seeds)


def _against_epsilon(vote: Vote, job: Job, panels: Panels, now: Course) -> StudentCurve:
    """Draw the same students against epsilon, with results that papers print if chosen."""
    printed = st.toggle(text.PRINTED, key="printed", bind="query-params")
    cells = {
        title: [
            StudentPoint(name, marks.epsilon, marks.accuracy)
            for name, course in courses.items()
            if (course,) in job.done
            for marks in job.done[course,]
        ]
        for title, courses in panels.items()
    }
    own_marks = job.done.get((now,), [])
    here = StudentPoint("now", own_marks[0].epsilon, own_marks[0].accuracy) if own_marks else None
    rows = teachers_vote_page.RIVALS if printed else ()
    cells = {
        k: points
        for k, points in cells.items()
        if len({p.epsilon for p in points}) != 1 or k == text.OWN_SETTING
    }
    info = StudentCurve.from_lines(cells, here, rows, vote.ballot.data.classes)
    charts.plot(info, f"{KEY}-student-epsilon")
    if printed:
        st.caption(text.PRINTED_NOTE)
    return info


def tables(vote: Vote) -> Rows:
    """Draw the tables of the paper on this data, with their students."""
    ensembles = len(teachers_vote_page.RATIOS) + 1
    prompts = _toggle(
        text.TABLES_PROMPTS,
        "prompts",
        render_text(
            text.TABLES_PROMPTS_HELP, ensembles=ensembles, teachers=teachers_vote_page.PROMPTED
        ),
    )
    scratch = vote.ballot.data.thumbnails is not None and _toggle(
        text.TABLES_SCRATCH, "scratch", text.TABLES_SCRATCH_HELP
    )
    kind = segments(text.SCRATCH, text.SCRATCH_TITLES, "fixmatch", "a-to-f") if scratch else ""
    others = _toggle(text.TABLES_OTHERS, "others", text.TABLES_OTHERS_HELP)
    request = vote.request
    now = Course(
        request.poll,
        request.setting,
        min(request.queries, len(vote.ballot.votes.rows)),
        seeds=tuple(range(request.seed, request.seed + SEEDS)),
    )
    known = tuple(availability.titles()) if others and request.poll.material.encoder else ()
    head = vote.ballot.data.head is not None
    panels = teachers_vote_page.paper_tables(now, head, prompts, kind, known, others)
    status, slot = st.empty(), charts.Slot(st.container(), f"{KEY}-tables")
    draw = lambda job: slot.plot(_grid(job, panels))
    job = _collect("tables", panels, status, draw)
    draw(job)
    st.caption(_tables_caption(now, prompts, kind))
    return _grid(job, panels).table()


def _toggle(label: str, key: str, help_text: str) -> bool:
    return st.toggle(label, key=key, help=help_text, bind="query-params")


def _tables_caption(now: Course, prompts: bool, scratch: str) -> str:
    """Return what the rows share, and what they do not show."""
    sentences = [render(text.TABLES_NOTE, queries=now.queries)]
    if now.setting.tests:
        share = 100 * now.setting.threshold / now.poll.ensemble.teachers
        sentences.append(render(text.TABLES_THRESHOLD, share=share))
    sentences.append(_bars(SEEDS))
    if scratch:
        sentences.append(render(text.TABLES_LETTERS, training=text.SCRATCH_TITLES[scratch]))
    if prompts:
        teachers = teachers_vote_page.PROMPTED
        sentences.append(render(text.TABLES_PROMPTS_NOTE, teachers=teachers))
    return " ".join(sentences)
