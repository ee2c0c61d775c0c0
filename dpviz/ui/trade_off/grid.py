"""The page Trade-off as a grid: the same chart for several settings side by side."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dpviz.formatting import bands, literal
from dpviz.lazy_imports import pandas as pd
from dpviz.methods import METHODS
from dpviz.plots.budget_curves import Panels
from dpviz.run import embedding_work, reproduce, result_files
from dpviz.run.jobs import Group, Job
from dpviz.types import Result
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.live import long_work, rerun_scheduling
from dpviz.ui.widgets import cards, charts, export, live_budget
from dpviz.views import panels, panels_in_words
from dpviz.views.panels import GridRequest, PanelState
from dpviz.views.panels_in_words import Coming

KEY = "trade-off-grid"
GONE = "Every panel of this grid lacks something; each says what."
SAME = "Axes and marker are the same in all panels; dotted across: guessing; ◆: your settings."


def panel_states(job: Job, asked: GridRequest) -> list[PanelState]:
    """What there is of each panel."""
    missing = set(job.missing)
    return [_panel_state(job, groups, missing) for groups in asked.groups]


def _panel_state(job: Job, groups: tuple[Group, ...], missing: set[Group]) -> PanelState:
    results = [result for group in groups for result in job.results_of(group)]
    waiting = dict.fromkeys(METHODS[group[0].method].title for group in groups if group in missing)
    errors = [job.errors[group] for group in groups if group in job.errors]
    return PanelState(results, tuple(waiting), errors[0] if errors else "")


def show(
    asked: GridRequest, metric: str, said: Any, picture: Any, status: Any
) -> tuple[Panels, list[PanelState]]:
    """Draw the grid and give the page's answer; the chart, and what is there of each panel.

    Args:
        said: place of the answer; picture: of the chart; status: of the progress.
    """
    main, now = charts.Slot(picture, KEY), asked.view.budget.value
    chart = lambda job: panels.chart_of(asked, panel_states(job, asked), metric)

    def draw(job: Job) -> None:
        some = chart(job)
        _answer(said, job, some, asked)
        if long_work.worth_drawing(job):
            main.plot(some, now)

    groups = panels.all_runs(asked.groups)

    def begin() -> None:
        blank = long_work.blank(groups)
        nothing = chart(blank)
        _answer(said, blank, nothing, asked)
        main.first(lambda: main.plot(nothing, now))

    job = long_work.collect(KEY, groups, status, draw, begin)
    whole = chart(job)
    _answer(said, job, whole, asked)
    with main.place:
        stands = live_budget.show(
            KEY,
            whole,
            whole.budgets,
            now,
            lambda budget: main.plot(whole, budget),
            lambda budget: panels_in_words.precise(whole, budget, asked.same()),
            plain=lambda budget: panels_in_words.plain(whole, budget),
        )
    rerun_scheduling.flush_page(stands)
    return whole, panel_states(job, asked)


def _answer(said: Any, job: Job, chart: Panels, asked: GridRequest) -> None:
    """What the grid says; until it is done, or where it was stopped before any line was, what is
    being made.
    """
    now = asked.view.budget.value
    if job.missing and not (job.finished.is_set() and chart.curves):
        some = _coming(job, asked)
        words = panels_in_words.coming(some), panels_in_words.coming_plainly(some)
        page_parts.answer(said, *words)
        return
    if not chart.curves:
        page_parts.answer(said, GONE)
        return
    words = panels_in_words.precise(chart, now, asked.same()), panels_in_words.plain(chart, now)
    page_parts.answer(said, *words)


def _coming(job: Job, asked: GridRequest) -> Coming:
    missing, made = set(job.missing), [groups for groups in asked.groups if groups]
    return Coming(
        len(made),
        sum(missing.isdisjoint(groups) for groups in made),
        len({spec for group in job.groups for spec in group}),
        len(asked.view.stops),
        asked.view.seeds,
        embedding_work.remaining(group[0] for group in missing),
    )


def draw_details(asked: GridRequest, chart: Panels, some: list[PanelState]) -> None:
    """What stands below the grid: its caption, what each method promises, who is ahead in each
    panel, tables and commands.
    """
    view, results = asked.view, [result for one in some for result in one.results]
    page_parts.caption(f"{bands(view.seeds, detail_level.precise(), draws=view.draws)} {SAME}")
    for why in dict.fromkeys(panel.reason for panel in chart.panels if panel.reason):
        st.caption(f":material/info: {literal(why)}")
    if not results:
        return
    cards.private_view()
    st.caption(page_parts.origin(results))
    ranking(chart, view.budget.value)
    st.header("What each method promises here")
    here = next(
        (one for one, panel in zip(some, chart.panels, strict=True) if panel.is_current), some[0]
    )
    first = view.of_first_draw(here.results or results)
    cards.guarantees(view.at_now(first), view.titles)
    if fold := export.fold():
        with fold:
            _files(asked, results, chart)


def ranking(chart: Panels, now: float) -> None:
    """Who is ahead in each panel, where it has several methods."""
    rows = panels_in_words.ranks(chart, now)
    if any(len(some) > 1 for some in rows.values()):
        st.header("Who is ahead, panel by panel")
        public = panels_in_words.public_alone(chart, now)
        st.dataframe(pd.DataFrame(panels_in_words.table(rows, public=public)), hide_index=True)
        st.caption(panels_in_words.LETTERS_TEXT)


def _files(asked: GridRequest, results: list[Result], chart: Panels) -> None:
    """All points as a table, all runs, and the sweeps that give them again."""
    export.table(chart.table(), KEY, "What is drawn")
    texts = panels.tomls(asked)
    with st.container(horizontal=True):
        export.download("All runs as CSV", result_files.as_csv(results), f"{KEY}-runs.csv")
        for name, text in texts.items():
            export.download(f"Settings as TOML: {name}", text, f"{name}.toml", "text/plain")
    for name in texts:
        export.code_block(f"python -m dpviz sweep {name}.toml --out {name}.csv")
    private = [result for result in results if result.spec.budget.private]
    if private:
        st.caption("The first run again, from a shell in the project's folder:")
        export.code_block(reproduce.run_command(private[0].spec))
