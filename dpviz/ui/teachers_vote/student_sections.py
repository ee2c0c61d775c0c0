"""The closer looks of the page "Teachers vote" at what a student learns from the votes: one setting
at a time, and the paper's tables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from dpviz.diagnostics import vote_students
from dpviz.diagnostics.vote_students import PIXELS, Course, Marks
from dpviz.encoders import availability
from dpviz.formatting import number, percent
from dpviz.methods.components import pixel_students, students
from dpviz.plots.teachers import Ensemble, EnsembleGrid, StudentCurve, StudentPoint
from dpviz.run.jobs import Job, Work
from dpviz.run.session import NoisyVotes
from dpviz.ui.frame import page_parts
from dpviz.ui.live import long_work, rerun_scheduling
from dpviz.ui.teachers_vote.answer import Vote
from dpviz.ui.teachers_vote.controls import KEY
from dpviz.ui.widgets import charts, export
from dpviz.ui.widgets.choices import choice, segments
from dpviz.views import teachers_vote_page
from dpviz.views.teachers_vote_page import Panels

Rows = list[dict[str, Any]]
SEEDS = 5
OWN_SETTING = "This setting"
TITLES = {
    "supervised": "from the answers alone",
    "fixmatch": "FixMatch: from the unanswered as well",
    "freematch": "FreeMatch: the same, thresholds follow",
}
SCRATCH = {"fixmatch": "by FixMatch, as printed", "supervised": TITLES["supervised"]}
"""How the students of Table 3 learn."""
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


def learned(vote: Vote) -> Rows:
    """The student of the page's own settings, and of those beside them, one moved at a time."""
    now, words, status = _student_course(vote), st.empty(), st.empty()
    if now.sees == PIXELS:
        panels, names = {OWN_SETTING: {"now": now}}, {OWN_SETTING: "now"}
    else:
        panels, names = teachers_vote_page.one_at_a_time(now, len(vote.ballot.votes.rows))
    grid = charts.Slot(st.container(), f"{KEY}-learned")
    draw = lambda job: grid.plot(_grid(job, panels, names))
    job = _collect("learned", {"": {"now": now}} | panels, status, draw)
    draw(job)
    st.caption(_charts_text(now))
    if (now,) in job.done:
        words.markdown(_sentence(job.done[now,][0]))
    rerun_scheduling.flush_page(brief=True)
    drawn = _against_epsilon(vote, job, panels, now)
    with st.expander("The same student in Python"):
        export.code(vote_students.python(now), "python")
    return _grid(job, panels, names).table() + [
        row for row in drawn.table() if "paper" in row["what varies"]
    ]


def _student_course(vote: Vote) -> Course:
    """The student that the controls ask for, of the page's teachers and noise."""
    request, left, right = vote.request, *st.columns(2)
    encoder = request.poll.material.encoder
    sees = {"": "the teachers' features"}
    if vote.ballot.data.thumbnails is not None:
        others = {key: title for key, title in availability.titles().items() if key != encoder}
        sees |= {PIXELS: "nothing but pixels: from scratch"} | others
    with left:
        seen = choice(st.selectbox, "The student sees", sees, "", "sees", help=_SEES_HELP)
    kinds = pixel_students.KINDS if seen == PIXELS else students.KINDS
    with right:
        titles = {kind: TITLES[kind] for kind in kinds}
        kind = choice(st.selectbox, "It learns", titles, "supervised", "learns", help=_LEARNS_HELP)
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
    """All courses, the job's own order that of the panels."""
    groups = list(dict.fromkeys((c,) for courses in panels.values() for c in courses.values()))
    job = long_work.collect(f"{KEY}-{key}", groups, status, draw, work=COURSES)
    page_parts.refusals(job.errors.values())
    return job


def _grid(job: Job, panels: Panels, names: Mapping[str, str] | None = None) -> EnsembleGrid:
    """The students that are done."""
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


def _sentence(marks: Marks) -> str:
    """What the page's own student can."""
    course, mean = marks.course, sum(marks.answered) / len(marks.answered)
    answers_text = f"{mean:.0f}" if len(marks.answered) == 1 else f"about {mean:.0f}"
    difference = f", sd {100 * marks.accuracy.sd:.1f} points over {len(marks.scores)} noise seeds"
    return (
        f"A student taught by **{answers_text} answers** to {marks.query_count} queries gets"
        f" **{percent(marks.accuracy)}** of the test records right"
        f"{difference if len(marks.scores) > 1 else ', with one noise seed'}, for"
        f" **ε = {number(marks.epsilon)}** at δ = {number(course.setting.delta)} whatever the"
        " votes."
    )


def _charts_text(now: Course) -> str:
    """What the small charts show."""
    seen = (
        f"It learns on the CPU from {now.poll.material.public or 'the public set'}'s pictures by"
        " FixMatch's views: half a minute or so a setting, so this one alone is shown. "
        if now.sees == PIXELS
        else "One setting moves in each chart, the others stay; the ring is the page's own. "
    )
    return (
        f"{seen}{_bars(len(now.seeds))} ε counts every query as answered, so T alone does"
        " not move it; each point would be a release of its own. Where the number of teachers"
        " moves, σ₁ and σ₂ stay the same in votes, and so does ε. A student sees public records"
        " and released answers only, and none of the test records is among them."
    )


def _bars(seeds: int) -> str:
    """What the bars span."""
    if seeds == 1:
        return "One noise seed, so there are no bars."
    return f"Bars are 95% intervals, by {seeds} noise seeds and the test records together."


def _against_epsilon(vote: Vote, job: Job, panels: Panels, now: Course) -> StudentCurve:
    """The same students against epsilon, with what papers print where that is asked for."""
    printed = st.toggle(
        "Figures that the Prom-PATE paper prints (CIFAR-10, CIFAR-100, Blood-MNIST)",
        key="printed",
        bind="query-params",
    )
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
        if len({p.epsilon for p in points}) != 1 or k == OWN_SETTING
    }
    info = StudentCurve.from_lines(cells, here, rows, vote.ballot.data.classes)
    charts.plot(info, f"{KEY}-student-epsilon")
    if printed:
        st.caption(
            "Hollow grey marks are **from the paper** (Li et al. 2023, Tables 4, 5 and 21, some of"
            " them there from others' papers): other data, encoders and ways to count ε, mostly the"
            " data-dependent one, which may not be released. Nothing here can be held against them."
        )
    return info


def tables(vote: Vote) -> Rows:
    """The paper's tables on this data, with their students."""
    prompts = st.toggle(
        f"Visual prompts (Tables 9, 11): {len(teachers_vote_page.RATIOS) + 1} ensembles of"
        f" {teachers_vote_page.PROMPTED} teachers, minutes on a processor",
        key="prompts",
        bind="query-params",
    )
    scratch = vote.ballot.data.thumbnails is not None and st.toggle(
        "Students from scratch on pixels (Tables 2, 3): three, a minute or so",
        key="scratch",
        bind="query-params",
    )
    kind = segments("They learn", SCRATCH, "fixmatch", "a-to-f") if scratch else ""
    others = st.toggle(
        "Other source models and data sets (Tables 5, 7, 13–20): those at hand, minutes at first",
        key="others",
        bind="query-params",
    )
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
    st.caption(_about_tables(now, prompts, kind))
    return _grid(job, panels).table()


def _about_tables(now: Course, prompts: bool, scratch: str) -> str:
    """What the rows share, and what cannot be read from them."""
    size = now.poll.ensemble.teachers
    text = (
        f"All rows but the prompts' have T at {number(100 * now.setting.threshold / size)}% of the"
        if now.setting.tests
        else "All rows but the prompts' have the"
    )
    text += (
        f"{' teachers and the' if now.setting.tests else ''} same noise in votes, so they promise"
    )
    text += f" the same; {now.queries} queries, where there are so many. {_bars(SEEDS)}"
    if scratch:
        text += (
            " Table 3: teachers map labels (A, B; the paper's also draw prompts), are linear (C, D)"
            " or learn from scratch (E, F); students see features (A, C, E) or pixels (B, D, F),"
            f" {SCRATCH[scratch]}, with one noise seed."
        )
    if prompts:
        text += (
            f" Prompts, ratio and mask: {teachers_vote_page.PROMPTED} teachers each and noise"
            " scaled to them, too few for privacy to mean much: look at the answers, not at ε."
        )
    return text


_SEES_HELP = (
    "The student may look through another encoder than its teachers, or learn from pixels alone:"
    " pictures are then shifted, mirrored and distorted as FixMatch does."
)
_LEARNS_HELP = (
    "FixMatch and FreeMatch also learn from public records that were not answered. On features,"
    " weak and strong views are noise; on pixels they are those of the paper."
)
