"""The closer look "Seen in the wild" of the page "Break it": mistakes in public codes, each made
again and audited when it is chosen, beside its mended twin.
"""

from __future__ import annotations

import inspect
import time
from dataclasses import dataclass
from typing import Any

import streamlit as st

from dpviz.audit.published_bugs import PUBLISHED_BUGS, PublishedBug
from dpviz.audit.trade_off_audit import (
    INTERIM_COUNTS,
    LEARN,
    InterimResult,
    allowed_misses,
    claimed,
)
from dpviz.lazy_imports import pandas as pd
from dpviz.machine.threads import one_numeric_thread
from dpviz.plots.audits import RATE_GRID, AuditProgress, AuditStep, TradeOff
from dpviz.run.experiment import Progress
from dpviz.run.jobs import Group, Work, glance, no_private_runs
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.live import long_work
from dpviz.ui.widgets import charts
from dpviz.ui.widgets.choices import choice
from dpviz.views import published_bugs_in_words

KEY = "wild"
SIDES = {"release": "With the mistake", "mended": "Mended"}
"""Which of a mistake's functions are charted, and how that is headed."""


@dataclass(frozen=True)
class PublishedBugSpec:
    """One audit of the code made again: ``which`` is as ``Found.sample`` has it."""

    method: str
    which: str


@dataclass(frozen=True, eq=False)
class Watched:
    """All looks at an audit, and the seconds that it took."""

    looks: tuple[InterimResult, ...]
    seconds: float


def section(view: Any = None) -> None:
    """The choice of a mistake, what is told of it, both audits, and the table of all."""
    st.markdown(published_bugs_in_words.ABOUT)
    titles = {key: found.project for key, found in PUBLISHED_BUGS.items()}
    chosen = choice(st.pills, "Which one?", titles, None, KEY)
    if chosen:
        _bug_text(PUBLISHED_BUGS[chosen])
        _audited(PUBLISHED_BUGS[chosen])
    _table()
    st.caption(published_bugs_in_words.FINE_PRINT)


def _bug_text(found: PublishedBug) -> None:
    where = f"[{found.code}]({found.address})" if found.address else f"`{found.code}`"
    links = "".join(f" · [{words}]({address})" for words, address in found.links)
    with st.container(border=True, key="card-wild"):
        st.markdown(f"**{found.project}.** {found.mistake} {found.since}")
        st.markdown(f"{where}{links}")
        precisely = f"**Promised.** {found.claims} **Why it does not follow.** {found.precisely}"
        st.markdown(detail_level.at_level(precisely, f"**Promised.** {found.claims}"))
        st.markdown(f"**What puts it right.** {found.mend}")
        st.caption(f"Made again: {found.differs}")


def _audited(found: PublishedBug) -> None:
    """Both audits, and one that looks too narrowly where there is one, as far as they have come."""
    groups = {which: _group(found, which) for which in _kinds(found)}
    sentence, status = st.empty(), st.empty()
    job = long_work.collect(f"break-it-{KEY}", [*groups.values()], status, work=AUDITS)
    page_parts.refusals(job.errors.values())
    seen = {which: job.done[group][0] for which, group in groups.items() if group in job.done}
    for column, (which, title) in zip(st.columns(2), SIDES.items(), strict=True):
        if which in seen:
            column.markdown(f"**{title}**")
            _charts(column, found, which, seen[which].looks)
    if all(which in seen for which in SIDES):
        wrong, mended = (seen[which].looks[-1] for which in SIDES)
        sentence.markdown(
            detail_level.at_level(*published_bugs_in_words.verdict(found, wrong, mended))
        )
        if "narrow" in seen:
            st.markdown(published_bugs_in_words.narrowly(found, seen["narrow"].looks[-1]))
        seconds = sum(one.seconds for one in seen.values())
        st.caption(published_bugs_in_words.caption(found, wrong, seconds))
    with st.expander("The code made again, and mended"):
        made = (inspect.getsource(make) for make in (found.release, found.mended))
        st.code("\n\n".join(made), language="python")


def _charts(column: Any, found: PublishedBug, which: str, looks: tuple[InterimResult, ...]) -> None:
    steps = [AuditStep(one.runs, one.shown, one.likely, one.at_most, one.broken) for one in looks]
    last, promised = looks[-1], claimed(found.claim)
    tests = TradeOff(
        last.alarms,
        last.misses,
        last.alarms_within,
        last.misses_within,
        allowed_misses(found.claim, RATE_GRID),
        allowed_misses(found.claim, last.alarms_within[:, 1]),
        last.breaks,
    )
    with column:
        bounds = AuditProgress(tuple(steps), promised, INTERIM_COUNTS[-1])
        charts.plot(bounds, f"wild-bounds-{which}")
        charts.plot(tests, f"wild-tests-{which}")


def _table() -> None:
    audited = {}
    for key, found in PUBLISHED_BUGS.items():
        groups = [_group(found, which) for which in SIDES]
        done = glance(groups, AUDITS).done
        if len(done) == len(groups):
            audited[key] = tuple(done[group][0].looks[-1] for group in groups)
    st.table(pd.DataFrame(published_bugs_in_words.rows(audited)).set_index("project"))


def _kinds(found: PublishedBug) -> tuple[str, ...]:
    return (*SIDES, "narrow") if found.narrow else tuple(SIDES)


def _group(found: PublishedBug, which: str) -> Group:
    return (PublishedBugSpec(found.key, which),)


def _audit(group: Group, progress: Progress) -> list[Watched]:
    """All looks at one audit; what is told may end it."""
    (asked,) = group
    found, started = PUBLISHED_BUGS[asked.method], time.perf_counter()
    looks = []
    with one_numeric_thread():
        for seen in found.watch(asked.which):
            looks.append(seen)
            progress(
                f"{found.project}: releases audited", seen.runs + LEARN, INTERIM_COUNTS[-1] + LEARN
            )
    return [Watched(tuple(looks), time.perf_counter() - started)]


AUDITS = Work(_audit, private_runs=no_private_runs)
