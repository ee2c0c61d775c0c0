"""The Trade-off page as one chart: runs of a view, their curve, and the answer."""

from __future__ import annotations

from dataclasses import dataclass, field

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.caches import KeyedCache
from dpviz.experiments.jobs import Group, Job
from dpviz.methods import METHODS
from dpviz.plots.budget_curves import BudgetCurve
from dpviz.text import trade_off as text
from dpviz.types import Result, RunSpec
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.live import long_work, public_runs, refining, rerun_scheduling
from dpviz.ui.trade_off import outside_results
from dpviz.ui.widgets import (
    budget_control,
    charts,
    live_budget,
    shared_controls,
    tuned_control,
)
from dpviz.ui.widgets.live_budget import BudgetFrames
from dpviz.views import (
    deployments,
    equal_leakage,
    phrases,
    public_only,
    trade_off_page,
)
from dpviz.views.equal_leakage import EqualLeakage
from dpviz.views.page_as_shown import NOTHING
from dpviz.views.page_config import PageConfig
from dpviz.views.trade_off_page import Summary

KEY = "trade-off"
#: Curves of complete views, so that a move back computes no intervals again.
_curves: KeyedCache[BudgetCurve] = KeyedCache(__name__, 32)


@dataclass(frozen=True)
class Places:
    """Where the page shows answer, tiles, finding, refusals and progress."""

    answer: page_parts.OneAnswer
    tiles: DeltaGenerator
    finding: DeltaGenerator
    refusals: DeltaGenerator
    status: DeltaGenerator


@dataclass(frozen=True)
class ViewResults:
    """Results of a view, as far as they are computed.

    Attributes:
        job: that computes them; metric: a key of ``METRICS``; all_results: in the order of the
            groups; drawn_results: those that are drawn, in that order; noiseless: those of private
            methods without noise.
    """

    job: Job
    view: PageConfig
    metric: str
    all_results: list[Result] = field(default_factory=list, init=False)
    drawn_results: list[Result] = field(default_factory=list, init=False)
    noiseless: list[Result] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        for group in self.job.groups:
            self.all_results.extend(self.job.results_of(group))
        for result in self.all_results:
            if _is_noiseless(result.spec):
                self.noiseless.append(result)
            elif result.spec.method in self.view.methods:
                self.drawn_results.append(result)

    def curve(self) -> BudgetCurve:
        """Return the data of the chart."""
        if not self.job.complete:
            return outside_results.with_layer(self._own_curve())
        drawn, noiseless = len(self.drawn_results), len(self.noiseless)
        view = self.view
        if view.budget.value in view.stops:  # the same curve at each stop
            view = view.with_budget(view.stops[0])
        key = (view, self.metric, drawn, noiseless)
        return outside_results.with_layer(_curves.get_or_compute(key, self._own_curve))

    def _own_curve(self) -> BudgetCurve:
        job, titles = self.job, self.view.titles
        missing = {
            group[0].method
            for group in job.missing
            if not job.results_of(group) and not _is_noiseless(group[0])
        }
        waiting = [title for key, title in titles.items() if key in missing]
        return BudgetCurve.from_results(
            self.drawn_results, titles, self.metric, self.view.budget, waiting, self.noiseless
        )

    def rare_classes(self) -> tuple[str, ...]:
        """Return names of the smallest quarter of the classes; none where all have one size, or
        where each data draw has other ones.
        """
        for result in self.drawn_results:
            names = shared_controls.class_names(result.spec)
            return phrases.rare_class_names(names, result.class_counts, result.spec.draw)
        return ()

    def warn(self) -> None:
        """Draw a warning for each badly configured method, and the button that tunes all."""
        view, tuned = self.view, tuned_control.is_tuned()
        methods = trade_off_page.find_badly_configured(self.all_results, view.methods)
        for method in methods:
            st.warning(method.sentence(tuned), icon=":material/tune:")
        if methods and not tuned:
            tuned_control.button(view, view.methods, view.budget, "fair-warned")


@dataclass(frozen=True)
class ShownChart:
    """What the page shows.

    Attributes:
        requested: view that the controls give; results: of the same view, or of one with more
            runs; curve: data of the chart; equal: the comparison at equal leakage, where it is
            known; leakage: the same in a sentence; other_domain: a sentence on the other public
            set, or empty.
    """

    requested: PageConfig
    results: ViewResults
    curve: BudgetCurve
    equal: EqualLeakage | None
    leakage: str = ""
    other_domain: str = ""


def _is_noiseless(spec: RunSpec) -> bool:
    """Whether a run is a private method's without its noise."""
    return METHODS[spec.method].private and not spec.budget.private


def show(requested: PageConfig, metric: str, places: Places) -> ShownChart:
    """Draw the chart, the page's answer and its tiles.

    Args:
        requested: view that the controls give.
    """
    view = page_parts.current_page().view = refining.refined_view(requested)
    data = (view.dataset, view.encoder, view.public)
    main = charts.Slot(page_parts.picture(), KEY, data)

    def draw(job: Job) -> None:
        """Draw the chart as far as it goes, and the answer once all that it compares is there."""
        results = ViewResults(job, view, metric)
        curve = results.curve()
        if job.first_ready.is_set() and curve.lines:
            _draw_summary(places, view.budget.value, _summary(requested, results, curve))
        if long_work.worth_drawing(job):
            main.plot(curve, view.budget.value, detail_level.precise())

    view_groups = view.groups()
    late = [group for group in view_groups if group[0].method == public_only.KEY]
    groups = [group for group in view_groups if group not in late] + view.quiet()
    groups += trade_off_page.relative_runs(view)

    def begin() -> None:
        places.refusals.empty()
        if places.answer.pending():
            page_parts.empty_tiles(places.tiles)
            places.finding.empty()
            places.refusals.html(page_parts.HIDDEN_DETAILS)
        main.first(lambda: draw(long_work.blank(groups)))

    job = long_work.collect(KEY, groups, places.status, draw, begin, near=view.near)
    results = ViewResults(_with_public(job, late), view, metric)
    curve = results.curve()
    with places.refusals.container():
        page_parts.refusals(results.job.errors.values())
        results.warn()
    if not results.drawn_results:
        page_parts.answer(places.answer, NOTHING)
        page_parts.end()
    summary, budget = _summary(requested, results, curve), view.budget.value
    _draw_summary(places, budget, summary)
    equal = _equal(requested, results, places.status)

    def finding(at: float) -> str:
        known = equal if at == budget else None
        return summary.finding(at, detail_level.precise(), known)

    def subtitle(at: float) -> str:
        return summary.subtitle(at, detail_level.precise(), equal if at == budget else None)

    def tiles_html(at: float) -> str:
        return page_parts.tiles_html(summary.tiles(at, detail_level.precise()))

    chip = refining.preliminary(requested, view, results.drawn_results)
    places.answer.chip(chip or (text.ONE_DRAW if curve.draws == 1 else ""))
    page_parts.chart_title(finding(budget), places.finding, subtitle(budget))
    with main.place:
        titles = tuple(line.title for line in (*curve.lines, *curve.references))
        base = refining.drawn_curve(KEY, (requested, metric, titles), view, curve)
        first_budget, is_kept = live_budget.first_drawn(KEY, base, view.budget.value)
        chart = main.plot(base, first_budget, detail_level.precise())
        marks = deployments.on_axis(view.budget.axis)
        frames = BudgetFrames(
            KEY,
            curve.budgets,
            budget,
            precise=lambda at: summary.answer(at, True),
            plain=lambda at: summary.answer(at, False),
            tiles=tiles_html,
            finding=finding,
            subtitle=subtitle,
            marks=marks,
            unit=view.unit,
        )
        refined = None if base is curve else curve.figure(first_budget, detail_level.precise())
        brief = live_budget.follow(chart, frames, refined) and is_kept
    rerun_scheduling.flush_page(brief)
    leakage = summary.leakage_finding(budget, detail_level.precise(), equal)
    return ShownChart(requested, results, curve, equal, leakage, _other_domain_text(results))


def _with_public(job: Job, late: list[Group]) -> Job:
    """The job with public data alone, once that is there: to tune it may take a minute."""
    public = [long_work.late_results(f"{KEY}-public", group) for group in late if job.complete]
    if not public or not public[0]:
        return job
    results = dict(zip(late, public, strict=True)) | job.done
    merged = Job([*late, *job.groups], results)
    merged.finished.set()
    merged.first_ready.set()
    return merged


def _equal(
    requested: PageConfig, results: ViewResults, status: DeltaGenerator
) -> EqualLeakage | None:
    """Compare the private methods at equal leakage, once all of them have run at the budget. At a
    budget that is new to a refined view, first at the draws and seeds that the controls give.
    """
    view, metric = results.view, results.metric
    at_now = view.at_now(results.drawn_results)
    if not results.job.complete:
        return None
    groups = equal_leakage.groups(view, at_now)
    if not refining.recall(groups):
        at_now = requested.of_draws(at_now)
        groups = equal_leakage.groups(requested, at_now)
    raised = []
    if groups:
        job = long_work.collect(f"{KEY}-equal", groups, status)
        raised = ViewResults(job, view, metric).drawn_results
    equal = equal_leakage.info(at_now, raised, metric)
    if equal is not None:
        budget_control.remember_equal_guess(view.budget, equal.share)
    return equal


def _summary(requested: PageConfig, results: ViewResults, curve: BudgetCurve) -> Summary:
    view, drawn = results.view, results.drawn_results
    # each data draw has a minority of its own
    rare = results.rare_classes() if curve.draws == 1 else ()
    preliminary = bool(refining.preliminary(requested, view, drawn))
    return Summary(curve, view, rare, drawn, results.noiseless, preliminary)


def _draw_summary(places: Places, budget: float, summary: Summary) -> None:
    """Draw answer, tiles and finding at the chosen budget."""
    page_parts.answer(places.answer, summary.answer(budget, True), summary.answer(budget, False))
    precise = detail_level.precise()
    page_parts.tiles(summary.tiles(budget, precise), places.tiles)


def _other_domain_text(results: ViewResults) -> str:
    """DPPL-Public with the other public set, where it is drawn and computed."""
    if public_only.OTHER_METHOD not in results.view.methods or not results.job.complete:
        return ""
    texts = public_runs.other_domain_text(KEY, results.view, results.metric)
    return detail_level.at_level(*texts)
