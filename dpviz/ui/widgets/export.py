"""Tables with CSV files, settings as TOML, and commands that reproduce numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from dpviz.data import uploads
from dpviz.experiments import release_file, reproduce, result_files
from dpviz.lazy_imports import pandas as pd
from dpviz.text import export as text
from dpviz.text.template import render, render_text
from dpviz.types import Result, RunSpec
from dpviz.ui.frame import page_parts, public_demo
from dpviz.ui.live import session_cost
from dpviz.ui.widgets import method_check
from dpviz.views import column_titles, data_draws, settings_in_words
from dpviz.views.data_draws import DrawRuns
from dpviz.views.page_config import PageConfig

MAX_UNSCROLLED_ROWS = 5
"""Rows of a table that needs no scrolling."""


def fold(source: str = "command") -> Any:
    """Return the fold of tables and of ``source``, in the link; None while it is closed."""
    label = render(text.FOLD, source=source)
    folded = st.expander(label, key="table", bind="query-params")
    return folded if folded.open else None


def show(frame: pd.DataFrame) -> None:
    """Draw a table as high as its rows, up to a limit."""
    draw(frame, 240 if len(frame) > MAX_UNSCROLLED_ROWS else "content")


def draw(rows: pd.DataFrame | Sequence[Mapping[str, Any]], height: Any = "auto") -> None:
    """Draw a table with readable column titles; the names of its columns are those of the CSV."""
    frame = mark_private(pd.DataFrame(rows))
    titles: Mapping[str, Any] = column_titles.titles(map(str, frame.columns))
    st.dataframe(frame, hide_index=True, height=height, column_config=titles)


def mark_private(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the table with ``private_view`` before names of columns about the minority."""
    by_minority = page_parts.current_page().minority
    return frame.rename(columns=lambda name: result_files.private_column(str(name), by_minority))


def table(rows: pd.DataFrame | Sequence[Mapping[str, Any]], name: str, title: str) -> None:
    """Draw a table and its CSV, a file called ``name``."""
    frame = pd.DataFrame(rows)
    show(frame)
    csv(render_text(text.AS_CSV, title=title), frame, f"{name}.csv")


def csv(label: str, frame: pd.DataFrame, file: str) -> None:
    """Draw a button that downloads a table as CSV."""
    frame = mark_private(frame)
    rows = frame.astype(object).where(frame.notna(), "").to_dict("records")
    download(label, result_files.rows_as_csv(rows), file)


def download(label: str, content: Any, file: str, kind: str = "text/csv") -> None:
    """Draw a button that downloads a file; the page does not rerun."""
    st.download_button(label, content, file, kind, on_click="ignore", icon=":material/download:")


def code(content: str, language: str = "bash") -> None:
    """Show code with placeholders instead of the paths of uploads."""
    content = uploads.without_paths(content)
    st.code(content, language=language, wrap_lines=True)
    if uploads.PLACEHOLDER in content:
        st.caption(uploads.REPLACE)


def code_block(content: str, language: str = "bash") -> None:
    """Show code that reproduces simulated numbers."""
    code(content, language)
    st.caption(f":material/replay: {result_files.REPLAY}")


def block(
    view: PageConfig,
    results: Sequence[Result],
    at_now: Sequence[Result],
    name: str,
    draws: DrawRuns | None = None,
) -> None:
    """Draw table, downloads and commands.

    Args:
        name: of the files, without ending; draws: runs on all data draws, which are exported
            instead of the results.
    """
    if draws:
        results, at_now = draws.all_results, draws.at_budget(view.budget.value)
        view = data_draws.over_draws(view, draws)
    show(pd.DataFrame([result_files.row(r) for r in at_now]))
    with st.container(horizontal=True):
        download(text.CSV, result_files.as_csv(results), f"{name}.csv")
        download(text.TOML, settings_in_words.toml(view), f"{name}.toml", "text/plain")
    if at_now:
        spec = at_now[0].spec
        _draw_commands(spec, [r.spec for r in at_now if r.spec.method == spec.method])
        st.caption(render(text.ALL_RUNS, name=name))


def _draw_commands(spec: RunSpec, runs: Sequence[RunSpec]) -> None:
    """Draw the commands of one run and of all ``runs`` of its point, and a release of the same
    settings.
    """
    st.caption(render(text.FIRST_RUN, method=spec.method, seed=str(spec.seed)))
    code_block(reproduce.run_command(spec))
    if (draws := len({run.draw for run in runs})) > 1:
        seeds = len({run.seed for run in runs})
        st.caption(render(text.ALL_DRAWS, method=spec.method, draws=draws, seeds=seeds))
        code_block(reproduce.run_commands(runs))
    with st.popover(text.PYTHON, icon=":material/deployed_code:"):
        code_block(reproduce.python(spec), "python")
        _release(spec)


def _release(spec: RunSpec) -> None:
    """Show a button that draws a release, once the method's code has passed its checks."""
    if public_demo.closed("checks"):
        return
    if reason := release_file.refusal(spec):
        st.markdown(reason)
        return
    st.markdown(text.RELEASE)
    if (verdict := method_check.verdict(spec.method)) is None:
        return
    if reason := release_file.refusal(spec, verdict):
        st.markdown(reason)
        return
    download(
        text.DRAW_RELEASE,
        session_cost.releasing(spec, verdict),
        f"{spec.method}.npz",
        "application/zip",
    )
