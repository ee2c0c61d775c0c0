"""Sections of the page "Break it": one run, a custom function, published bugs."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from dpviz.audit import QUICK_RUNS, canaries, one_run
from dpviz.audit.one_run import COUNTS, OneRunAudit
from dpviz.audit.published_bugs import PUBLISHED_BUGS, PublishedBug
from dpviz.audit.trade_off_audit import (
    INTERIM_COUNTS,
    LEARNING_RUNS,
    InterimResult,
    allowed_misses,
    claimed,
)
from dpviz.lazy_imports import pandas as pd
from dpviz.machine.threads import one_numeric_thread
from dpviz.methods import METHODS
from dpviz.plots.audits import RATE_GRID, AuditProgress, AuditStep, BoundByCanaries, TradeOff
from dpviz.run.experiment import Progress
from dpviz.run.jobs import Group, Job, Work, no_private_runs, results_in_memory
from dpviz.types import Budget
from dpviz.ui.break_it.controls import BreakView
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.live import long_work
from dpviz.ui.widgets import charts, export
from dpviz.ui.widgets.choices import choice, segments
from dpviz.views import break_it_page

KEY = "wild"
SIDES = {"release": "With the mistake", "mended": "Mended"}
"""Which of a mistake's functions are charted, and how that is headed."""


@dataclass(frozen=True)
class PublishedBugSpec:
    """One audit of the code made again: ``which`` is as ``Found.sample`` has it."""

    method: str
    variant: str


@dataclass(frozen=True, eq=False)
class AuditTrace:
    """All looks at an audit, and the seconds that it took."""

    results: tuple[InterimResult, ...]
    seconds: float


def published_bugs(view: Any = None) -> None:
    """The choice of a mistake, what is told of it, both audits, and the table of all."""
    st.markdown(break_it_page.BUGS_INTRO)
    titles = {key: bug.project for key, bug in PUBLISHED_BUGS.items()}
    chosen = choice(st.pills, "Which one?", titles, None, KEY)
    if chosen:
        _bug_text(PUBLISHED_BUGS[chosen])
        _audited(PUBLISHED_BUGS[chosen])
    _table()
    st.caption(break_it_page.FINE_PRINT)


def _bug_text(bug: PublishedBug) -> None:
    place_text = f"[{bug.code}]({bug.address})" if bug.address else f"`{bug.code}`"
    links = "".join(f" · [{words}]({address})" for words, address in bug.links)
    with st.container(border=True, key="card-wild"):
        st.markdown(f"**{bug.project}.** {bug.mistake} {bug.since}")
        st.markdown(f"{place_text}{links}")
        precisely = f"**Promised.** {bug.claims} **Why it does not follow.** {bug.explanation}"
        st.markdown(detail_level.at_level(precisely, f"**Promised.** {bug.claims}"))
        st.markdown(f"**What puts it right.** {bug.fix}")
        st.caption(f"Made again: {bug.differs}")


def _audited(bug: PublishedBug) -> None:
    """Both audits, and one that looks too narrowly where there is one, as far as they have come."""
    groups = {which: _group(bug, which) for which in _variants(bug)}
    sentence, status = st.empty(), st.empty()
    job = long_work.collect(f"break-it-{KEY}", [*groups.values()], status, work=AUDITS)
    page_parts.refusals(job.errors.values())
    seen = {which: job.done[group][0] for which, group in groups.items() if group in job.done}
    for column, (which, title) in zip(st.columns(2), SIDES.items(), strict=True):
        if which in seen:
            column.markdown(f"**{title}**")
            _charts(column, bug, which, seen[which].results)
    if all(which in seen for which in SIDES):
        wrong, mended = (seen[which].results[-1] for which in SIDES)
        sentence.markdown(detail_level.at_level(*break_it_page.bug_verdict(bug, wrong, mended)))
        if "narrow" in seen:
            st.markdown(break_it_page.narrow_verdict(bug, seen["narrow"].results[-1]))
        seconds = sum(trace.seconds for trace in seen.values())
        st.caption(break_it_page.bug_caption(bug, wrong, seconds))
    with st.expander("The code made again, and mended"):
        made = (inspect.getsource(make) for make in (bug.release, bug.fixed))
        st.code("\n\n".join(made), language="python")


def _charts(column: Any, bug: PublishedBug, which: str, results: tuple[InterimResult, ...]) -> None:
    steps = [
        AuditStep(result.runs, result.shown, result.likely, result.at_most, result.broken)
        for result in results
    ]
    last, limit = results[-1], claimed(bug.claim)
    tests = TradeOff(
        last.alarms,
        last.misses,
        last.alarms_within,
        last.misses_within,
        allowed_misses(bug.claim, RATE_GRID),
        allowed_misses(bug.claim, last.alarms_within[:, 1]),
        last.breaks,
    )
    with column:
        bounds = AuditProgress(tuple(steps), limit, INTERIM_COUNTS[-1])
        charts.plot(bounds, f"wild-bounds-{which}")
        charts.plot(tests, f"wild-tests-{which}")


def _table() -> None:
    audited = {}
    for key, bug in PUBLISHED_BUGS.items():
        groups = [_group(bug, which) for which in SIDES]
        done = results_in_memory(groups, AUDITS).done
        if len(done) == len(groups):
            audited[key] = tuple(done[group][0].results[-1] for group in groups)
    st.table(pd.DataFrame(break_it_page.bug_rows(audited)).set_index("project"))


def _variants(bug: PublishedBug) -> tuple[str, ...]:
    return (*SIDES, "narrow") if bug.narrow else tuple(SIDES)


def _group(bug: PublishedBug, which: str) -> Group:
    return (PublishedBugSpec(bug.key, which),)


def _audit(group: Group, progress: Progress) -> list[AuditTrace]:
    """All looks at one audit; what is told may end it."""
    (spec,) = group
    bug, started = PUBLISHED_BUGS[spec.method], time.perf_counter()
    styles = []
    with one_numeric_thread():
        for result in bug.watch(spec.variant):
            styles.append(result)
            progress(
                f"{bug.project}: releases audited",
                result.runs + LEARNING_RUNS,
                INTERIM_COUNTS[-1] + LEARNING_RUNS,
            )
    return [AuditTrace(tuple(styles), time.perf_counter() - started)]


AUDITS = Work(_audit, private_runs=no_private_runs)


NOISE_TITLES = {"1": "as promised", "4": "a quarter of it"}
PARTS = len(COUNTS) + 1


@dataclass(frozen=True)
class OneRunSpec:
    """One part of an audit in one run: a release with so many canaries, or the many runs."""

    method: str
    budget: Budget
    noise_divisor: float
    part: int


def _together(
    specs: Group, first: int, progress: Progress, report: Callable[[Mapping[Any, Any]], None]
) -> bool:
    """The releases of one audit, each told as it comes; the many runs are the last."""
    audit_spec, reported = specs[0], 0
    runs = one_run.audit(
        audit_spec.method,
        audit_spec.budget,
        runs=QUICK_RUNS,
        noise_divisor=audit_spec.noise_divisor,
        progress=progress,
    )
    for spec, last in zip(specs, runs, strict=False):
        report({spec: last})
        reported += 1
    report(dict.fromkeys(specs[reported:], last))
    return True


def _whole(group: Group, progress: Progress) -> list:
    results: dict[Any, Any] = {}
    _together(group, 1, progress, results.update)
    return [results[spec] for spec in group]


ONE_RUN = Work(_whole, run_together=_together, private_runs=no_private_runs)


def in_one_run(view: BreakView) -> None:
    """What a single release tells of many made-up records, beside many releases."""
    st.markdown(detail_level.at_level(break_it_page.ONE_RUN_PRECISE, break_it_page.ONE_RUN_PLAIN))
    if view.method not in METHODS:
        st.info(break_it_page.NO_METHOD, icon=":material/block:")
        return
    if reason := canaries.why_not().get(view.method):
        st.info(reason, icon=":material/block:")
        return
    less = float(segments("Noise", NOISE_TITLES, "1", "less"))
    group = tuple(OneRunSpec(view.method, view.budget, less, n) for n in range(PARTS))
    status, sentence, place = st.empty(), st.empty(), st.container()
    slot = charts.Slot(place, "break-it-one-run")

    def draw(job: Job) -> None:
        """The chart as far as it goes."""
        if finished := job.results_of(group):
            slot.plot(BoundByCanaries.from_audit(finished[-1], COUNTS))

    near = lambda spec: float(spec.part)
    job = long_work.collect("break-it-one-run", [group], status, draw, work=ONE_RUN, near=near)
    page_parts.refusals(job.errors.values())
    if not (finished := job.results_of(group)):
        return
    draw(job)
    audit: OneRunAudit = finished[-1]
    sentence.markdown(break_it_page.one_run_text(audit, view.subject.title))
    st.caption(break_it_page.one_run_caption(audit))
    export.code_block(
        f"python -m dpviz audit --one-run --method {view.method}"
        f" --budget {view.budget.value:g} --quick"
    )


def your_own(view: BreakView) -> None:
    """How to audit a function that is not of this project: in a shell, never from a page."""
    st.markdown(break_it_page.CUSTOM_AUDIT)
    st.code(break_it_page.FUNCTION, language="python")
    st.code(break_it_page.COMMAND, language="bash")
    st.caption(break_it_page.LIMITS)


SECTIONS = {
    "wild": ("Seen in the wild", published_bugs),
    "run": ("In one run", in_one_run),
    "own": ("Your own function", your_own),
}
"""The first costs nothing until something is chosen in it."""
