"""What stands below the chart of the page "Sweeps": all sweeps, a new one, tables and files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from dpviz.formatting import literal
from dpviz.plots.settings import RecordsCurve
from dpviz.run import result_files, sweep_process
from dpviz.run.sweep_files import Status
from dpviz.stats import accuracy
from dpviz.types import DpvizError, Result, RunSpec
from dpviz.ui.frame import detail_level, page_parts, visitor
from dpviz.ui.sweeps import controls, side_by_side
from dpviz.ui.sweeps.answer import SIGNS, ago, rare, state
from dpviz.ui.sweeps.controls import BEGUN
from dpviz.ui.widgets import cards, charts, export
from dpviz.views import compared_settings, setting_maps
from dpviz.views.sweep_lines import SweepLines

Rows = list[dict[str, Any]]
SHOWN = 10
RECORDS = (
    "Every method at the budget looked at; 95 % intervals from noise seeds and test records"
    " together. Which records are kept is decided before the guarantee begins."
)
SEVERAL = (
    "Several values of a key stand in a list, and every combination is run: of `budgets`, `seeds`,"
    " settings of methods, `ir`, `records` (at most so many of a class), `unit` (`picture`,"
    " `person`) and `per_person` (at most so many of a person, where the data know persons)."
)
COMPARED = (
    "Other settings, and which records are kept, are those of the controls. Choosing by this"
    " picture is not paid for: it is made of test accuracies of private releases. An honest choice"
    " is the default, public data, or a share of the budget."
)
LINES = (
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


def by_records(shown: SweepLines, metric: str, key: str) -> None:
    """Accuracy over records a class, where the sweep has several numbers of them."""
    if len({r.spec.records for r in shown.few_and_many}) < 2:
        return
    points = {
        line: {n: accuracy(runs, metric) for n, runs in some.items()}
        for line, some in shown.by_records.items()
    }
    here = shown.results[0]
    chance = 1 / len(here.class_counts)
    chart = RecordsCurve.from_points(points, metric, here.spec.records, chance)
    st.header("What a few records a class give")
    charts.plot(chart, f"{key}-records")
    st.caption(RECORDS)


def compared(results: Sequence[Result], shown: SweepLines, metric: str, key: str) -> Rows:
    """Settings of which the sweep has several values: two on a map, one as lines over the budget,
    all of them as lines across an axis each; gives what is drawn as a table.
    """
    if not any(compared_settings.varied(results, method) for method in shown.titles):
        return []
    st.header("What else differs, compared")
    asked = controls.compared(results, shown)
    if asked is None:
        return []
    if isinstance(asked, RunSpec):
        return _all_at_once(results, shown, asked, metric, key)
    chart = asked.map(metric)
    plain = setting_maps.plain(chart, asked, rare(shown), "square" if asked.columns else "line")
    st.markdown(detail_level.at_level(setting_maps.precise(chart, asked), plain))
    if asked.columns:
        charts.plot(chart, f"{key}-compared")
    else:
        lines = asked.lines(metric)
        charts.plot(lines, f"{key}-compared", shown.budget)
    if not chart.fact:
        st.caption(COMPARED)
        side_by_side.ranked({chart.cell_text(cell): point for cell, point in chart.points.items()})
    return chart.table()


def _all_at_once(
    results: Sequence[Result], shown: SweepLines, spec: RunSpec, metric: str, key: str
) -> Rows:
    """Every setting of a method as a line across all that varies."""
    cards.private_view()
    chart = compared_settings.all_of(results, spec, shown.budget, metric)
    words = (
        compared_settings.all_precise(chart, spec, shown.budget),
        compared_settings.all_plain(chart, spec, rare(shown)),
    )
    st.markdown(detail_level.at_level(*words))
    charts.plot(chart, f"{key}-all")
    st.caption(LINES if chart.fact else f"{LINES} {COMPARED}")
    if not chart.fact:
        side_by_side.ranked({chart.setting_text(place): p for place, p in chart.first.items()})
    return chart.table()


def panel(sweeps: Sequence[Status]) -> None:
    """All sweeps with their progress; looked at anew every two seconds while one runs."""
    live = [s.key for s in sweeps if s.now == "running"]

    @st.fragment(run_every=2 if live else None)
    def rows() -> None:
        now = visible_sweeps()
        if live and not any(s.key in live and s.now == "running" for s in now):
            st.rerun()
        for status in now[:SHOWN]:
            _row(status)
        if len(now) > SHOWN:
            st.caption(f"and {len(now) - SHOWN} older ones, to be chosen under **Sweep**")

    with st.container(key="all-sweeps"):  # their progress is not this page's own
        rows()


def _row(status: Status) -> None:
    left, right = st.columns([3, 2], vertical_alignment="center")
    share = status.done / status.total if status.total else 0.0
    left.progress(share, f"{SIGNS[status.now]} {state(status)}")
    with right.container(horizontal=True, vertical_alignment="center"):
        where = literal(status.where)
        st.caption(f"begun {ago(status.started)} ago, on {where}", width="content")
        if sweep_process.may_end(status, visitor.is_own):
            running = status.now == "running"
            st.button(
                "Stop" if running else "Forget",
                key=f"{'stop' if running else 'forget'}-{status.key}",
                on_click=sweep_process.stop if running else sweep_process.forget,
                args=(status.key, visitor.is_own),
                help="What is done is kept." if running else "Its results stay in the store.",
            )
    if status.now == "running" and status.stage.startswith("Waiting"):
        st.caption(f"{literal(status.stage)}.")
    if status.now == "failed":
        page_parts.refusals([status.stage])


# -------------------------------------------------------------------------------------- a new sweep


def start_form(first: bool = False) -> None:
    """A fold to begin a sweep from pasted or uploaded TOML; open where it is the ``first``."""
    with st.expander("Begin a sweep here", expanded=first):
        st.caption(
            f"It runs in a process of its own, up to {sweep_process.MOST:,} cells, one sweep at a"
            " time, everybody in turn; larger ones start from a shell. Nobody else is told of it;"
            " whoever has its link can see it."
        )
        st.caption(SEVERAL)
        file = st.file_uploader("A TOML file", type="toml", key="sweep-file", max_upload_size=1)
        most = sweep_process.LETTERS
        typed = st.text_area("or its text", EXAMPLE, key="sweep-text", height=230, max_chars=most)
        if st.button("Begin", key="sweep-begin"):
            content = file.getvalue() if file else typed.encode()
            name = file.name if file else "pasted.toml"
            try:
                begun = sweep_process.begin(content, name, visitor.visitor_name())
                st.session_state[BEGUN] = begun
            except DpvizError as error:
                page_parts.refusals([str(error)])
                return
            st.rerun()


# --------------------------------------------------------------------------------- tables and files


def downloads(
    shown: SweepLines,
    results: Sequence[Result],
    status: Status,
    key: str,
    rows: Rows,
) -> None:
    """What is drawn as tables, all results, and the sweep with its command."""
    export.table([result_files.row(r) for r in shown.results], f"{key}-shown", "What is drawn")
    if rows:
        export.table(rows, f"{key}-compared", "What is compared")
    with st.container(horizontal=True):
        export.download("All results as CSV", result_files.as_csv(results), f"{key}.csv")
        export.download("The sweep as TOML", status.text, f"{key}.toml", "text/plain")
    st.code(command(key), language="bash")


def command(key: str) -> str:
    """The shell command of a sweep whose file is called ``key``."""
    return f"python -m dpviz sweep {key}.toml --out {key}.csv"
