"""The Trade-off page as a grid: the same chart for several settings side by side."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.experiments import embedding_work, reproduce, result_files
from dpviz.experiments.jobs import Group, Job
from dpviz.formatting import bands, literal
from dpviz.methods import METHODS
from dpviz.plots.budget_curves import Panels
from dpviz.text import grid as text
from dpviz.types import Result
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.live import long_work, rerun_scheduling
from dpviz.ui.widgets import cards, charts, export, live_budget
from dpviz.ui.widgets.live_budget import BudgetFrames
from dpviz.views import panels, panels_in_words
from dpviz.views.panels import GridRequest, PanelState
from dpviz.views.panels_in_words import GridProgress

KEY = "trade-off-grid"


def panel_states(job: Job, request: GridRequest) -> list[PanelState]:
    """What there is of each panel."""
    missing = set(job.missing)
    return [_panel_state(job, groups, missing) for groups in request.groups]


def _panel_state(job: Job, groups: tuple[Group, ...], missing: set[Group]) -> PanelState:
    results = [result for group in groups for result in job.results_of(group)]
    waiting = dict.fromkeys(METHODS[group[0].method].title for group in groups if group in missing)
    errors = [job.errors[group] for group in groups if group in job.errors]
    return PanelState(results, tuple(waiting), errors[0] if errors else "")


def show(
    request: GridRequest, metric: str, answer: page_parts.OneAnswer, status: DeltaGenerator
) -> tuple[Panels, list[PanelState]]:
    """Draw the grid and give the page's answer; the chart, and what is there of each panel.

    Args:
        answer: place of the answer; status: of the progress.
    """
    main, budget = charts.Slot(page_parts.picture(), KEY), request.view.budget.value
    chart = lambda job: panels.chart_of(request, panel_states(job, request), metric)

    def draw(job: Job) -> None:
        panels_drawn = chart(job)
        _answer(answer, job, panels_drawn, request)
        if long_work.worth_drawing(job):
            main.plot(panels_drawn, budget)

    groups = panels.all_runs(request.groups)

    def begin() -> None:
        blank = long_work.blank(groups)
        nothing = chart(blank)
        _answer(answer, blank, nothing, request)
        main.first(lambda: main.plot(nothing, budget))

    job = long_work.collect(KEY, groups, status, draw, begin)
    whole = chart(job)
    _answer(answer, job, whole, request)
    with main.place:
        first_budget, is_kept = live_budget.first_drawn(KEY, whole, budget)
        frames = BudgetFrames(
            KEY,
            whole.budgets,
            budget,
            precise=lambda budget: panels_in_words.precise(whole, budget),
            plain=lambda budget: panels_in_words.plain(whole, budget),
        )
        brief = live_budget.follow(main.plot(whole, first_budget), frames) and is_kept
    rerun_scheduling.flush_page(brief)
    return whole, panel_states(job, request)


def _answer(answer: page_parts.OneAnswer, job: Job, chart: Panels, request: GridRequest) -> None:
    """What the grid says; until it is done, or where it was stopped before any line was, what is
    being made.
    """
    budget = request.view.budget.value
    if job.missing and not (job.finished.is_set() and chart.curves):
        coming = _coming(job, request)
        words = panels_in_words.progress_precise(coming), panels_in_words.progress_plain(coming)
        page_parts.answer(answer, *words)
        return
    if not chart.curves:
        page_parts.answer(answer, text.EMPTY)
        return
    words = (
        panels_in_words.precise(chart, budget),
        panels_in_words.plain(chart, budget),
    )
    page_parts.answer(answer, *words)


def _coming(job: Job, request: GridRequest) -> GridProgress:
    missing, drawn_panels = set(job.missing), [groups for groups in request.groups if groups]
    return GridProgress(
        len(drawn_panels),
        sum(missing.isdisjoint(groups) for groups in drawn_panels),
        len({spec for group in job.groups for spec in group}),
        len(request.view.stops),
        request.view.seeds,
        embedding_work.remaining(group[0] for group in missing),
    )


def draw_details(request: GridRequest, chart: Panels, states: list[PanelState]) -> None:
    """Draw all below the grid: its caption, what each method promises, who is ahead in each
    panel, tables and commands.
    """
    view, results = request.view, [result for state in states for result in state.results]
    page_parts.caption(
        f"{bands(view.seeds, detail_level.precise(), draws=view.draws)} {text.CAPTION}"
    )
    for reason in dict.fromkeys(panel.reason for panel in chart.panels if panel.reason):
        st.caption(f":material/info: {literal(reason)}")
    if not results:
        return
    cards.private_view()
    budget, is_precise = view.budget.value, detail_level.precise()
    st.caption(panels_in_words.public_text(chart, budget, is_precise))
    st.caption(page_parts.origin(results))
    ranking(chart, view.budget.value)
    st.subheader(text.HEADINGS["guarantees"])
    marked = (state for state, panel in zip(states, chart.panels, strict=True) if panel.is_current)
    first_results = view.of_first_draw(next(marked, states[0]).results or results)
    cards.guarantees(view.at_now(first_results), view.titles)
    if fold := export.fold():
        with fold:
            _files(request, results, chart)


def ranking(chart: Panels, budget: float) -> None:
    """Who is ahead in each panel, where it has several methods."""
    rows = panels_in_words.ranks(chart, budget)
    if any(len(methods) > 1 for methods in rows.values()):
        st.subheader(text.HEADINGS["ranking"])
        public = panels_in_words.public_alone(chart, budget)
        export.draw(panels_in_words.table(rows, public=public))
        st.caption(text.LETTERS)


def _files(request: GridRequest, results: list[Result], chart: Panels) -> None:
    """All points as a table, all runs, and the sweeps that give them again."""
    export.table(chart.table(), KEY, text.TABLE)
    texts = panels.tomls(request)
    with st.container(horizontal=True):
        export.download("All runs as CSV", result_files.as_csv(results), f"{KEY}-runs.csv")
        for name, content in texts.items():
            export.download(f"Settings as TOML: {name}", content, f"{name}.toml", "text/plain")
    for name in texts:
        export.code_block(f"python -m dpviz sweep {name}.toml --out {name}.csv")
    private = [result for result in results if result.spec.budget.private]
    if private:
        st.caption(text.COMMAND)
        export.code_block(reproduce.run_command(private[0].spec))
