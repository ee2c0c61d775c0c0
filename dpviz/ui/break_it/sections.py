"""Tabs of the Audit page: fault, error rates, accuracy, published bugs, one run, function."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from dpviz.audits import QUICK_RUNS, canaries, one_run
from dpviz.audits.faults.comparison import Pair
from dpviz.audits.one_run import COUNTS, OneRunAudit
from dpviz.audits.published_bugs import PUBLISHED_BUGS, PublishedBug
from dpviz.audits.trade_off_audit import INTERIM_COUNTS, LEARNING_RUNS, InterimResult
from dpviz.experiments.experiment import Progress
from dpviz.experiments.jobs import Group, Job, Work, no_private_runs, results_in_memory
from dpviz.lazy_imports import pandas as pd
from dpviz.machine.threads import one_numeric_thread
from dpviz.methods import METHODS
from dpviz.plots.audits import RATE_SCALES, BoundByCanaries
from dpviz.text import break_it as text
from dpviz.text.template import render, render_text
from dpviz.types import Budget
from dpviz.ui.break_it import answer
from dpviz.ui.break_it.answer import KEY, Outcome
from dpviz.ui.break_it.controls import BreakView, TimedResult
from dpviz.ui.frame import about_numbers, detail_level, page_parts
from dpviz.ui.live import long_work
from dpviz.ui.widgets import cards, charts, export
from dpviz.ui.widgets.choices import choice, segments, tabs
from dpviz.views import break_it_page

#: Key of the tabs, and of the published bug, in the link.
TABS_KEY, BUG_KEY = "closer", "wild"
#: Keys of the button that audits all published bugs, and of whether it was pressed.
ALL_BUGS, ALL_BUGS_ASKED = "all-bugs", "all-bugs:asked"


def draw(view: BreakView, outcome: Outcome | None, audit: Sequence[TimedResult] | None) -> None:
    """Draw the tabs and the open one.

    Args:
        outcome: accuracy or error with and without the fault, where it is known.
        audit: interim results; None before the reader's guess, which no tab may spoil.
    """
    is_answered = audit is not None
    keys = ["fault", "rates"] if audit else ["fault"] if view.wrong and is_answered else []
    keys += ["accuracy"] * (bool(audit) and isinstance(outcome, Pair))
    keys += ["wild", "run", "own", *(["table"] if audit else []), "about"]
    page_parts.current_page().view = view
    titles = {key: text.TABS[key] for key in keys}
    match tabs(titles, TABS_KEY, {"table": "table"} if audit else {}):
        case "fault":
            _fault(view, audit[-1] if audit else None)
        case "rates" if audit:
            _error_rates(view, audit[-1])
        case "accuracy" if isinstance(outcome, Pair):
            answer.draw_accuracy(outcome, view)
        case "wild":
            published_bugs()
        case "run":
            in_one_run(view)
        case "own":
            your_function()
        case "table" if audit:
            _tables(view, audit)
        case "about":
            about_numbers.draw(view)


# ------------------------------------------------------------------------------ fault and audit


def _fault(view: BreakView, last: TimedResult | None) -> None:
    """The claim, and what the faulty code does instead."""
    claim = last.claim if last else view.claim
    with cards.row("break"):
        with st.container(border=True, width=330, key="card-break-promise"):
            subject = view.subject
            colour = subject.line_style.colour
            title = render_text(text.CLAIM_CARD, method=subject.title)
            cards.guarantee_card(title, colour, claim, view.budget.axis)
            if last and last.result.broken:
                st.caption(text.BROKEN)
        if fault := view.wrong:
            with cards.titled(text.FAULT_TITLE, "stretch", "wrong"):
                cause = detail_level.at_level(fault.explanation, fault.wrong)
                st.markdown(render(text.CAUSE, cause=cause))
                if last and (fault.safe or fault.unseen):
                    st.markdown(fault.safe or fault.unseen)
                st.markdown(render(text.FIX, fix=fault.fix))
                st.caption(render(text.SOURCE, source=fault.source, link=fault.link))
    st.caption(render(text.SETTING, method=subject.title, claim=view.budget.value))


def _error_rates(view: BreakView, last: TimedResult) -> None:
    """The tests' error rates against the curve of the guarantee."""
    # faults of pure guarantees show in a corner of the linear axes
    pure = view.setting.plan.guarantee.notion == "pure"
    scale = segments(text.AXES, RATE_SCALES, "normal" if pure else "linear", "scale")
    st.markdown(f"**{text.RATES_TITLES['caught' if last.result.broken else 'kept']}**")
    charts.plot(answer.trade_off(last, scale), f"{KEY}-tests")
    st.caption(break_it_page.rates_caption(detail_level.precise()))
    st.caption(break_it_page.audit_notes(last.result, last.seconds, view.setting.difference))


def _tables(view: BreakView, audit: Sequence[TimedResult]) -> None:
    """Both charts as tables, and the command."""
    titles = text.TABLE_TITLES
    export.table(answer.progress(audit).table(), f"{KEY}-bounds", titles["bounds"])
    export.table(answer.trade_off(audit[-1], "linear").table(), f"{KEY}-tests", titles["tests"])
    export.code_block(answer.command(view))


# ------------------------------------------------------------------------------- published bugs


@dataclass(frozen=True)
class PublishedBugSpec:
    """One audit of re-implemented code; ``variant`` as in ``PublishedBug.sample``."""

    method: str
    variant: str


@dataclass(frozen=True, eq=False)
class AuditTrace:
    """All interim results of an audit, and its seconds."""

    results: tuple[InterimResult, ...]
    seconds: float


def published_bugs() -> None:
    """Draw the choice of a bug, its description, both audits, and the table of all bugs."""
    st.markdown(text.BUGS)
    titles = {key: bug.project for key, bug in PUBLISHED_BUGS.items()}
    chosen = choice(st.pills, text.BUG, titles, None, BUG_KEY, label_visibility="collapsed")
    if st.button(text.AUDIT_ALL, key=ALL_BUGS, help=text.AUDIT_ALL_HELP, type="primary"):
        st.session_state[ALL_BUGS_ASKED] = True
    if chosen:
        _bug_text(PUBLISHED_BUGS[chosen])
        _audited(PUBLISHED_BUGS[chosen])
    elif st.session_state.get(ALL_BUGS_ASKED):
        _audit_all()
    _table()
    st.caption(break_it_page.bugs_notes())


def _bug_text(bug: PublishedBug) -> None:
    place_text = f"[{bug.code}]({bug.address})" if bug.address else f"`{bug.code}`"
    links = "".join(f" · [{words}]({address})" for words, address in bug.links)
    with st.container(border=True, key="card-wild"):
        st.markdown(
            render(text.BUG_TITLE, project=bug.project, mistake=bug.mistake, since=bug.since)
        )
        st.markdown(f"{place_text}{links}")
        claim = render(text.BUG_CLAIM, claim=bug.claims)
        reason = render(text.BUG_REASON, explanation=bug.explanation)
        st.markdown(detail_level.at_level(f"{claim} {reason}", claim))
        st.markdown(render(text.FIX, fix=bug.fix))
        st.caption(render(text.BUG_DIFFERENCE, differs=bug.differs))


def _audited(bug: PublishedBug) -> None:
    """Both audits, and a narrow one where there is one, as far as they have come."""
    groups = {which: _group(bug, which) for which in _variants(bug)}
    sentence, status = st.empty(), st.empty()
    job = long_work.collect(f"{KEY}-{BUG_KEY}", [*groups.values()], status, work=AUDITS)
    page_parts.refusals(job.errors.values())
    seen = {which: job.done[group][0] for which, group in groups.items() if group in job.done}
    for column, (which, title) in zip(st.columns(2), text.BUG_SIDES.items(), strict=True):
        if which in seen:
            column.markdown(f"**{title}**")
            _charts(column, bug, which, seen[which].results)
    if all(which in seen for which in text.BUG_SIDES):
        wrong, fixed = (seen[which].results[-1] for which in text.BUG_SIDES)
        verdict = detail_level.at_level(*break_it_page.bug_verdict(bug, wrong, fixed))
        sentence.markdown(verdict)
        details = [break_it_page.bug_test(bug, wrong)]
        if "narrow" in seen:
            details.append(break_it_page.narrow_verdict(bug, seen["narrow"].results[-1]))
        st.markdown(" ".join(filter(None, details)))
        seconds = sum(trace.seconds for trace in seen.values())
        st.caption(break_it_page.bug_caption(bug, wrong, seconds))
    with st.expander(text.BUG_CODE):
        made = (inspect.getsource(make) for make in (bug.release, bug.fixed))
        st.code("\n\n".join(made), language="python")


def _charts(column: Any, bug: PublishedBug, which: str, results: tuple[InterimResult, ...]) -> None:
    timed = [TimedResult(result, bug.claim, 0.0) for result in results]
    with column:
        charts.plot(answer.progress(timed), f"wild-bounds-{which}")
        charts.plot(answer.trade_off(timed[-1], "linear"), f"wild-tests-{which}")


def _audit_all() -> None:
    """Audit every bug and its fix."""
    groups = [_group(bug, which) for bug in PUBLISHED_BUGS.values() for which in text.BUG_SIDES]
    job = long_work.collect(f"{KEY}-{ALL_BUGS}", groups, st.empty(), work=AUDITS)
    page_parts.refusals(job.errors.values())


def _table() -> None:
    audited = {}
    for key, bug in PUBLISHED_BUGS.items():
        groups = [_group(bug, which) for which in text.BUG_SIDES]
        done = results_in_memory(groups, AUDITS).done
        if len(done) == len(groups):
            audited[key] = tuple(done[group][0].results[-1] for group in groups)
    frame = pd.DataFrame(break_it_page.bug_rows(audited))
    st.table(frame.set_index(text.BUG_COLUMNS[0]))


def _variants(bug: PublishedBug) -> tuple[str, ...]:
    return (*text.BUG_SIDES, "narrow") if bug.narrow else tuple(text.BUG_SIDES)


def _group(bug: PublishedBug, which: str) -> Group:
    return (PublishedBugSpec(bug.key, which),)


def _audit(group: Group, progress: Progress) -> list[AuditTrace]:
    """Compute all interim results of one audit; ``progress`` may end it."""
    (spec,) = group
    bug, started = PUBLISHED_BUGS[spec.method], time.perf_counter()
    results = []
    with one_numeric_thread():
        for result in bug.watch(spec.variant):
            results.append(result)
            progress(
                f"{bug.project}: releases audited",
                result.runs + LEARNING_RUNS,
                INTERIM_COUNTS[-1] + LEARNING_RUNS,
            )
    return [AuditTrace(tuple(results), time.perf_counter() - started)]


AUDITS = Work(_audit, private_runs=no_private_runs)

# -------------------------------------------------------------------------------- one-run audit

PARTS = len(COUNTS) + 1


@dataclass(frozen=True)
class OneRunSpec:
    """One part of a one-run audit: a release with some canaries, or the many releases."""

    method: str
    budget: Budget
    noise_divisor: float
    part: int


def _together(
    specs: Group, first: int, progress: Progress, report: Callable[[Mapping[Any, Any]], None]
) -> bool:
    """Report the parts of one audit as they come; the many releases are the last."""
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
    """Draw the lower bound of a single release with canaries, beside that of many releases."""
    st.markdown(detail_level.at_level(text.ONE_RUN.fill(True), text.ONE_RUN.fill(False)))
    reason = canaries.why_not().get(view.method) if view.method in METHODS else text.NO_METHOD
    if reason:
        st.info(reason, icon=":material/block:")
        return
    less = float(segments(text.LESS_NOISE, text.ONE_RUN_NOISE, "1", "less"))
    group = tuple(OneRunSpec(view.method, view.budget, less, n) for n in range(PARTS))
    status, sentence, place = st.empty(), st.empty(), st.container()
    slot = charts.Slot(place, f"{KEY}-one-run")

    def draw(job: Job) -> None:
        """Draw the chart as far as it has come."""
        if finished := job.results_of(group):
            slot.plot(BoundByCanaries.from_audit(finished[-1], COUNTS))

    near = lambda spec: float(spec.part)
    job = long_work.collect(f"{KEY}-one-run", [group], status, draw, work=ONE_RUN, near=near)
    page_parts.refusals(job.errors.values())
    if not (finished := job.results_of(group)):
        return
    draw(job)
    audit: OneRunAudit = finished[-1]
    sentence.markdown(break_it_page.one_run_text(audit, view.subject.title))
    st.caption(f"{break_it_page.one_run_caption(audit)} {text.ONE_RUN_SOURCE}")
    export.code_block(
        f"python -m dpviz audit --one-run --method {view.method}"
        f" --budget {view.budget.value:g} --quick"
    )


def your_function() -> None:
    """Show how to audit a custom function: in a shell, never from a page."""
    st.markdown(text.CUSTOM)
    st.markdown(text.CUSTOM_EXAMPLE)
    st.code(break_it_page.FUNCTION, language="python")
    st.code(break_it_page.COMMAND, language="bash")
    st.caption(f"{text.CUSTOM_STATUS} {text.CUSTOM_LIMITS}")
