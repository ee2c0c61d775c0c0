"""The page Trade-off as one chart: all methods at once, and what stands below."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import streamlit as st

from dpviz.plots.budget_curves import BudgetCurve
from dpviz.run.jobs import Group, Job
from dpviz.types import Result
from dpviz.ui.frame import detail_level, page_parts, pinned
from dpviz.ui.live import (
    late_results,
    long_work,
    public_runs,
    refined_chart,
    refining,
    rerun_scheduling,
)
from dpviz.ui.trade_off import answer, outside_results, sections
from dpviz.ui.widgets import budget_control, cards, charts, export, live_budget, shared_controls
from dpviz.views import (
    badly_configured,
    deployments,
    equal_leakage,
    public_only,
    trade_off_answer,
)
from dpviz.views.equal_leakage import EqualLeakage
from dpviz.views.page_as_shown import NOTHING
from dpviz.views.page_config import PageConfig

KEY = "trade-off"

Say = Callable[[float], str]
"""The answer at a budget."""


def show(
    asked: PageConfig,
    view: PageConfig,
    metric: str,
    said: Any,
    refused: Any,
    picture: Any,
    status: Any,
) -> tuple[BudgetCurve, Job, EqualLeakage | None]:
    """Draw the chart and give the page's answer; the chart's data, what there is of its runs, and
    the comparison at equal leakage.

    Args:
        asked: what the controls give; view: the same, or at more seeds; said: place of the answer;
            refused: of refusals and warnings, an ``st.empty``; picture: of the chart; status: of
            the progress.
    """
    main = charts.Slot(picture, KEY)

    def draw(job: Job) -> None:
        """The chart as far as it goes, and the answer once all that it compares is there."""
        some = outside_results.on(answer.curve(job, view, metric))
        if job.first_ready.is_set() and some.lines:
            _answer(said, some, view, job)
        if long_work.worth_drawing(job):
            main.plot(some, view.budget.value)

    wanted = view.groups()
    late = [group for group in wanted if group[0].method == public_only.KEY]
    groups = [group for group in wanted if group not in late] + view.quiet()
    groups += badly_configured.groups(view)

    def begin() -> None:
        refused.empty()
        said.pending()
        main.first(lambda: draw(long_work.blank(groups)))

    job = long_work.collect(
        *(KEY, groups, status, draw),
        begin=begin,
        near=view.near,
    )
    job = _with_public(job, late)
    curve = outside_results.on(answer.curve(job, view, metric))
    with refused.container():
        page_parts.refusals(job.errors.values())
        answer.warn(job, view)
    if not answer.results(job, view):
        page_parts.answer(said, NOTHING)
        page_parts.end()
    _answer(said, curve, view, job)
    equal = _equal(asked, view, metric, job, status)
    _answer(said, curve, view, job, equal, metric)
    say, say_plainly = _answers(curve, view, job, equal, metric)
    with main.place:
        drawn = tuple(line.title for line in (*curve.lines, *curve.references))
        base = refined_chart.base(KEY, (asked, metric, drawn), view, curve)
        stands = live_budget.show(
            KEY,
            base,
            curve.budgets,
            view.budget.value,
            lambda budget: main.plot(base, budget),
            say,
            refined=None if base is curve else partial(BudgetCurve.figure, curve),
            plain=say_plainly,
            marks=deployments.on_axis(view.budget.axis),
        )
    rerun_scheduling.flush_page(stands)
    return curve, job, equal


def _with_public(job: Job, late: list[Group]) -> Job:
    """The job with public data alone, once that is there: to tune it may take a minute."""
    found = [late_results.results(f"{KEY}-public", group) for group in late if job.complete]
    if not found or not found[0]:
        return job
    done = dict(zip(late, found, strict=True)) | job.done
    both = Job([*late, *job.groups], done)
    both.finished.set()
    both.first_ready.set()
    return both


def _equal(
    asked: PageConfig, view: PageConfig, metric: str, job: Job, status: Any
) -> EqualLeakage | None:
    """Compare the private methods at equal leakage, once all of them have run at the budget. At a
    budget that is new to a refined view, first at the seeds that were asked for.
    """
    at_now = view.of_first_draw(view.at_now(answer.results(job, view)))
    if not job.complete:
        return None
    groups = equal_leakage.groups(view, at_now)
    if not refining.at_hand(groups):
        groups = equal_leakage.groups(asked, at_now)
    raised = []
    if groups:
        raised = answer.results(long_work.collect(f"{KEY}-equal", groups, status), view)
    equal = equal_leakage.info(at_now, raised, metric)
    if equal is not None:
        budget_control.compared_at(view.budget, equal.share)
    return equal


def _answers(
    curve: BudgetCurve,
    view: PageConfig,
    job: Job,
    equal: EqualLeakage | None = None,
    metric: str = "",
) -> tuple[Say, Say]:
    """The answer at any budget, precise and plain.

    Args:
        equal: holds at the budget looked at; metric: tells the accuracy with public images of the
            other domain as well, at that budget.
    """
    rare = answer.rare(job, view) if curve.draws == 1 else ()  # each draw has a minority of its own
    here = lambda budget: equal if budget == view.budget.value else None
    said = trade_off_answer.precise, trade_off_answer.plain
    more = _elsewhere(view, metric) if metric and job.complete else ("", "")

    def at(level: int, budget: float) -> str:
        words = said[level](curve, view, budget, rare, here(budget))
        return f"{words} {more[level] if budget == view.budget.value else ''}".strip()

    return partial(at, 0), partial(at, 1)


def _elsewhere(view: PageConfig, metric: str) -> tuple[str, str]:
    """DPPL-Public with the other public set, where it is drawn: precise and plain."""
    drawn = public_only.OTHER_METHOD in view.methods
    return public_runs.other_domain_text(KEY, view, metric) if drawn else ("", "")


def _answer(
    said: Any,
    curve: BudgetCurve,
    view: PageConfig,
    job: Job,
    equal: EqualLeakage | None = None,
    metric: str = "",
) -> None:
    voices = _answers(curve, view, job, equal, metric)
    page_parts.answer(said, *(say(view.budget.value) for say in voices))


def _all_groups(now: Sequence[Result], view: PageConfig) -> list[Group]:
    """All runs of the page at a view; ``now``: runs of each private method at the budget."""
    return view.groups() + view.quiet() + equal_leakage.groups(view, now)


def draw_details(
    asked: PageConfig,
    view: PageConfig,
    metric: str,
    curve: BudgetCurve,
    job: Job,
    equal: EqualLeakage | None,
) -> None:
    """What stands below the chart: its caption, what each method promises, who is in the data,
    tables and commands.
    """
    results, quiet = answer.results(job, view), answer.quiet(job)
    page_parts.caption(curve.caption(detail_level.precise()))
    one_of_each = [run for run in view.at_now(results) if run.spec.seed == view.first_seed]
    groups = partial(_all_groups, view.of_first_draw(one_of_each))
    refining.draw_caption(asked, view, results, groups, job.complete)
    if curve.quiet or curve.references:
        cards.private_view()
    outside_results.draw_layer(curve, results)
    st.caption(page_parts.origin(results + quiet))
    sections.to_maps(view)
    here = view.of_first_draw(results) or results
    now, first = view.at_now(results), view.at_now(here)
    pinned.show(KEY, view, now + [r for r in results if not r.spec.budget.private], metric)

    names = shared_controls.class_names(results[0].spec)
    st.header("What each method promises here")
    answer.cards_row(curve, view, here, names, equal)
    st.header("Who is in the data, and who is right")
    sections.class_by_class(KEY, here, view, names)
    sections.ranked(curve, view.budget.value, equal)
    sections.backwards(curve, view, answer.guarantees(here))
    sections.to_persons(view)
    if fold := export.fold():
        with fold:
            export.block(view, results + quiet, first, KEY)
