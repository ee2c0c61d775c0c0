"""Sections of the page "Sweeps": all sweeps, a new one, grids, tables and files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from dpviz.formatting import literal
from dpviz.lazy_imports import pandas as pd
from dpviz.plots.settings import RecordsCurve
from dpviz.run import result_files, sweep_process
from dpviz.run.sweep_files import LIST_FACTS, Status
from dpviz.stats import Interval, accuracy
from dpviz.types import DpvizError, Result, RunSpec
from dpviz.ui.frame import detail_level, page_parts, visitor
from dpviz.ui.sweeps import controls
from dpviz.ui.sweeps.answer import SIGNS, age_text, rare, state
from dpviz.ui.sweeps.controls import BEGUN_KEY
from dpviz.ui.widgets import cards, charts, export, panel_controls
from dpviz.views import maps_page, panels, panels_in_words, sweeps_page
from dpviz.views.sweeps_page import SweepLines, drawable

GRID_TEXT = (
    "Each method with the setting chosen beside the main chart; axes and marker are the same in all"
    " panels."
)


def grid(results: Sequence[Result], lines: SweepLines, metric: str, key: str) -> None:
    """Accuracy against the budget over one or two facts of which the sweep has several values."""
    titles = panels.varied(_matching_runs(results, lines))
    if not titles:
        return
    st.header("Side by side")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        across, down = panel_controls.orders(titles)
    kept = _matching_runs(results, lines, {across, down})
    chart = panels.of_results(drawable(kept), across, down, metric)
    sentences = (
        panels_in_words.precise(chart, lines.budget),
        panels_in_words.plain(chart, lines.budget),
    )
    st.markdown(detail_level.at_level(*sentences))
    charts.plot(chart, f"{key}-grid", lines.budget)
    st.caption(GRID_TEXT)
    rows = panels_in_words.ranks(chart, lines.budget)
    if any(len(ranking_rows) > 1 for ranking_rows in rows.values()):
        export.table(
            panels_in_words.table(rows, public=panels_in_words.public_alone(chart, lines.budget)),
            f"{key}-ahead",
            "Who is ahead",
        )
        st.caption(panels_in_words.text.LETTERS)


def _matching_runs(
    results: Sequence[Result], lines: SweepLines, free: set[str] | None = None
) -> list[Result]:
    """Runs with the settings that are shown; but for ``free`` facts (all where None) they are of
    the data that are shown as well.
    """
    settings = {(r.spec.method, r.spec.params) for r in lines.results}
    same = [r for r in results if (r.spec.method, r.spec.params) in settings]
    first = lines.results[0].spec
    free = {*LIST_FACTS} if free is None else free | ({"per_person"} if "unit" in free else set())
    fixed = [name for name in LIST_FACTS if name not in free]
    return [r for r in same if all(getattr(r.spec, f) == getattr(first, f) for f in fixed)]


def ranking(points: Mapping[str, Interval]) -> None:
    """The settings that are compared, by their words, from the highest, in groups that cannot be
    told apart.
    """
    if len(points) < 2:
        return
    rows = panels_in_words.ranked({"all": points})["all"]
    titles = {title: literal(title) for title in points}
    with st.expander("Ranking: which of them can be told apart"):
        st.dataframe(pd.DataFrame(panels_in_words.ranking_rows(rows, titles)), hide_index=True)
        st.caption(LETTERS_TEXT)


LETTERS_TEXT = (
    "Settings that share a letter cannot be told apart, those that share none can: all pairs"
    " together, seeds and test records taken into account (Holm, 5%)."
)


Rows = list[dict[str, Any]]
MAX_SHOWN = 10
RECORDS_TEXT = (
    "Every method at the budget looked at; 95% intervals from noise seeds and test records"
    " together. Which records are kept is decided before the guarantee begins."
)
SEVERAL_TEXT = (
    "Several values of a key stand in a list, and every combination is run: of `budgets`, `seeds`,"
    " settings of methods, `ir`, `records` (at most so many of a class), `unit` (`picture`,"
    " `person`) and `per_person` (at most so many of a person, where the data know persons)."
)
COMPARED_TEXT = (
    "Other settings, and which records are kept, are those of the controls. Choosing by this"
    " picture is not paid for: it is made of test accuracies of private releases. An honest choice"
    " is the default, public data, or a share of the budget."
)
LINES_TEXT = (
    "Each line is one setting: it crosses each axis at its value. The red one is that of the"
    " controls; lines are the stronger the more is right, by the kind chosen above."
)
EXAMPLE = """dataset = "mnist5k"
encoder = "glyphnet"
axis = "zcdp"
budgets = [0.1, 1, 10]
ir = [1, 50]
seeds = 5
[methods.dppl-mean]
[methods.dppl-public]
d_min = [1.2, 1.3]
"""


def visible_sweeps() -> list[Status]:
    """The sweeps that this visitor is told of."""
    link = st.query_params.get("sweep")
    return sweep_process.visible_to(visitor.is_own, link, visitor.my_uploads())


def by_records(lines: SweepLines, metric: str, key: str) -> None:
    """Accuracy over records a class, where the sweep has several numbers of them."""
    if len({r.spec.records for r in lines.all_counts}) < 2:
        return
    points = {
        line: {n: accuracy(runs, metric) for n, runs in results.items()}
        for line, results in lines.by_records.items()
    }
    result = lines.results[0]
    chance = 1 / len(result.class_counts)
    chart = RecordsCurve.from_points(points, metric, result.spec.records, chance)
    st.header("What a few records a class give")
    charts.plot(chart, f"{key}-records")
    st.caption(RECORDS_TEXT)


def compared(results: Sequence[Result], shown: SweepLines, metric: str, key: str) -> Rows:
    """Settings of which the sweep has several values: two on a map, one as lines over the budget,
    all of them as lines across an axis each; gives what is drawn as a table.
    """
    if not any(sweeps_page.varied_settings(results, method) for method in shown.titles):
        return []
    st.header("What else differs, compared")
    comparison = controls.compared(results, shown)
    if comparison is None:
        return []
    if isinstance(comparison, RunSpec):
        return _all_at_once(results, shown, comparison, metric, key)
    chart = comparison.map(metric)
    plain = maps_page.plain(
        chart, comparison, rare(shown), "square" if comparison.columns else "line"
    )
    st.markdown(detail_level.at_level(maps_page.precise(chart, comparison), plain))
    if comparison.columns:
        charts.plot(chart, f"{key}-compared")
    else:
        lines = comparison.lines(metric)
        charts.plot(lines, f"{key}-compared", shown.budget)
    if not chart.fact:
        st.caption(COMPARED_TEXT)
        ranking({chart.cell_text(cell): point for cell, point in chart.points.items()})
    return chart.table()


def _all_at_once(
    results: Sequence[Result], lines: SweepLines, spec: RunSpec, metric: str, key: str
) -> Rows:
    """Every setting of a method as a line across all that varies."""
    cards.private_view()
    chart = sweeps_page.parallel_chart(results, spec, lines.budget, metric)
    words = (
        sweeps_page.all_precise(chart, spec, lines.budget),
        sweeps_page.all_plain(chart, spec, rare(lines)),
    )
    st.markdown(detail_level.at_level(*words))
    charts.plot(chart, f"{key}-all")
    st.caption(LINES_TEXT if chart.fact else f"{LINES_TEXT} {COMPARED_TEXT}")
    if not chart.fact:
        ranking({chart.setting_text(place): p for place, p in chart.first.items()})
    return chart.table()


def panel(sweeps: Sequence[Status]) -> None:
    """All sweeps with their progress; looked at anew every two seconds while one runs."""
    live = [s.key for s in sweeps if s.current_state == "running"]

    @st.fragment(run_every=2 if live else None)
    def rows() -> None:
        now = visible_sweeps()
        if live and not any(s.key in live and s.current_state == "running" for s in now):
            st.rerun()
        for status in now[:MAX_SHOWN]:
            _row(status)
        if len(now) > MAX_SHOWN:
            st.caption(f"and {len(now) - MAX_SHOWN} older ones, to be chosen under **Sweep**")

    with st.container(key="all-sweeps"):  # their progress is not this page's own
        rows()


def _row(status: Status) -> None:
    left, right = st.columns([3, 2], vertical_alignment="center")
    share = status.done / status.total if status.total else 0.0
    left.progress(share, f"{SIGNS[status.current_state]} {state(status)}")
    with right.container(horizontal=True, vertical_alignment="center"):
        place_text = literal(status.where)
        st.caption(f"begun {age_text(status.started)} ago, on {place_text}", width="content")
        if sweep_process.may_end(status, visitor.is_own):
            running = status.current_state == "running"
            st.button(
                "Stop" if running else "Forget",
                key=f"{'stop' if running else 'forget'}-{status.key}",
                on_click=sweep_process.stop if running else sweep_process.forget,
                args=(status.key, visitor.is_own),
                help="What is done is kept." if running else "Its results stay in the store.",
            )
    if status.current_state == "running" and status.stage.startswith("Waiting"):
        st.caption(f"{literal(status.stage)}.")
    if status.current_state == "failed":
        page_parts.refusals([status.stage])


# -------------------------------------------------------------------------------------- a new sweep


def start_form(first: bool = False) -> None:
    """A fold to begin a sweep from pasted or uploaded TOML; open where it is the ``first``."""
    with st.expander("Begin a sweep here", expanded=first):
        st.caption(
            f"It runs in a process of its own, up to {sweep_process.MAX_CELLS:,} cells, one sweep"
            " at a"
            " time, everybody in turn; larger ones start from a shell. Nobody else is told of it;"
            " whoever has its link can see it."
        )
        st.caption(SEVERAL_TEXT)
        file = st.file_uploader("A TOML file", type="toml", key="sweep-file", max_upload_size=1)
        most = sweep_process.MAX_CHARACTERS
        typed = st.text_area("or its text", EXAMPLE, key="sweep-text", height=230, max_chars=most)
        if st.button("Begin", key="sweep-begin"):
            content = file.getvalue() if file else typed.encode()
            name = file.name if file else "pasted.toml"
            try:
                begun = sweep_process.begin(content, name, visitor.visitor_name())
                st.session_state[BEGUN_KEY] = begun
            except DpvizError as error:
                page_parts.refusals([str(error)])
                return
            st.rerun()


# --------------------------------------------------------------------------------- tables and files


def downloads(
    lines: SweepLines,
    results: Sequence[Result],
    status: Status,
    key: str,
    rows: Rows,
) -> None:
    """What is drawn as tables, all results, and the sweep with its command."""
    export.table([result_files.row(r) for r in lines.results], f"{key}-shown", "What is drawn")
    if rows:
        export.table(rows, f"{key}-compared", "What is compared")
    with st.container(horizontal=True):
        export.download("All results as CSV", result_files.as_csv(results), f"{key}.csv")
        export.download("The sweep as TOML", status.text, f"{key}.toml", "text/plain")
    st.code(command(key), language="bash")


def command(key: str) -> str:
    """The shell command of a sweep whose file is called ``key``."""
    return f"python -m dpviz sweep {key}.toml --out {key}.csv"
