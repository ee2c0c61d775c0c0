"""Closer looks of the page "Break it": an audit in one run, one of a function of one's own, and
what was seen in the wild.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from dpviz.audit import QUICK_RUNS, canaries, one_run
from dpviz.audit.one_run import COUNTS, OneRunAudit
from dpviz.methods import METHODS
from dpviz.plots.audits import BoundByCanaries
from dpviz.run.experiment import Progress
from dpviz.run.jobs import Group, Job, Work, no_private_runs
from dpviz.types import Budget
from dpviz.ui.break_it import published_bugs_section
from dpviz.ui.break_it.controls import BreakView
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.live import long_work
from dpviz.ui.widgets import charts, export
from dpviz.ui.widgets.choices import segments
from dpviz.views import other_audits

NOISE = {"1": "as promised", "4": "a quarter of it"}
PARTS = len(COUNTS) + 1


@dataclass(frozen=True)
class OneRunSpec:
    """One part of an audit in one run: a release with so many canaries, or the many runs."""

    method: str
    budget: Budget
    less: float
    part: int


def _together(
    specs: Group, first: int, progress: Progress, found: Callable[[Mapping[Any, Any]], None]
) -> bool:
    """The releases of one audit, each told as it comes; the many runs are the last."""
    asked, told = specs[0], 0
    runs = one_run.audit(
        asked.method, asked.budget, runs=QUICK_RUNS, noise_divisor=asked.less, progress=progress
    )
    for spec, last in zip(specs, runs, strict=False):
        found({spec: last})
        told += 1
    found(dict.fromkeys(specs[told:], last))
    return True


def _whole(group: Group, progress: Progress) -> list:
    results: dict[Any, Any] = {}
    _together(group, 1, progress, results.update)
    return [results[spec] for spec in group]


ONE_RUN = Work(_whole, run_together=_together, private_runs=no_private_runs)


def in_one_run(view: BreakView) -> None:
    """What a single release tells of many made-up records, beside many releases."""
    st.markdown(detail_level.at_level(other_audits.PRECISELY, other_audits.PLAINLY))
    if view.method not in METHODS:
        st.info(other_audits.NO_METHOD, icon=":material/block:")
        return
    if why := canaries.why_not().get(view.method):
        st.info(why, icon=":material/block:")
        return
    less = float(segments("Noise", NOISE, "1", "less"))
    group = tuple(OneRunSpec(view.method, view.budget, less, n) for n in range(PARTS))
    status, sentence, place = st.empty(), st.empty(), st.container()
    slot = charts.Slot(place, "break-it-one-run")

    def draw(job: Job) -> None:
        """The chart as far as it goes."""
        if there := job.results_of(group):
            slot.plot(BoundByCanaries.from_audit(there[-1], COUNTS))

    near = lambda spec: float(spec.part)
    job = long_work.collect("break-it-one-run", [group], status, draw, work=ONE_RUN, near=near)
    page_parts.refusals(job.errors.values())
    if not (there := job.results_of(group)):
        return
    draw(job)
    found: OneRunAudit = there[-1]
    sentence.markdown(other_audits.one_run(found, view.subject.title))
    st.caption(other_audits.caption(found))
    export.code_block(
        f"python -m dpviz audit --one-run --method {view.method}"
        f" --budget {view.budget.value:g} --quick"
    )


def your_own(view: BreakView) -> None:
    """How to audit a function that is not of this project: in a shell, never from a page."""
    st.markdown(other_audits.YOUR_OWN)
    st.code(other_audits.FUNCTION, language="python")
    st.code(other_audits.COMMAND, language="bash")
    st.caption(other_audits.LIMITS)


SECTIONS = {
    "wild": ("Seen in the wild", published_bugs_section.section),
    "run": ("In one run", in_one_run),
    "own": ("Your own function", your_own),
}
"""The first costs nothing until something is chosen in it."""
