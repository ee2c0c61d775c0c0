"""What leaves the page: the table, its CSV, the settings as TOML, and the command that gives a
number again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from dpviz.data import uploads
from dpviz.lazy_imports import pandas as pd
from dpviz.run import release_file, reproduce, result_files
from dpviz.types import Result, RunSpec
from dpviz.ui.frame import page_parts
from dpviz.ui.live import session_cost
from dpviz.ui.widgets import method_check
from dpviz.views import settings_in_words
from dpviz.views.page_config import PageConfig

MAX_UNSCROLLED_ROWS = 5
"""Rows of a table that needs no scrolling."""


def fold(source: str = "command") -> Any:
    """The fold of tables and of what gives the numbers again (``source``), in the link; None while
    it is closed.
    """
    folded = st.expander(f"Table, CSV and the {source} behind it", key="table", bind="query-params")
    return folded if folded.open else None


def show(frame: pd.DataFrame) -> None:
    """A table as high as its rows, but never so high that it fills the page."""
    st.dataframe(
        mark_private(frame),
        hide_index=True,
        height=240 if len(frame) > MAX_UNSCROLLED_ROWS else "content",
    )


def mark_private(frame: pd.DataFrame) -> pd.DataFrame:
    """The same table with ``private_view`` before the names of columns about the minority."""
    by_minority = page_parts.current_page().minority
    return frame.rename(columns=lambda name: result_files.private_column(str(name), by_minority))


def table(rows: pd.DataFrame | Sequence[Mapping[str, Any]], name: str, title: str) -> None:
    """A table and its CSV, a file called ``name``."""
    frame = pd.DataFrame(rows)
    show(frame)
    csv(f"{title} as CSV", frame, f"{name}.csv")


def csv(label: str, frame: pd.DataFrame, file: str) -> None:
    """A button that gives a table as CSV."""
    frame = mark_private(frame)
    rows = frame.astype(object).where(frame.notna(), "").to_dict("records")
    download(label, result_files.rows_as_csv(rows), file)


def download(label: str, content: Any, file: str, kind: str = "text/csv") -> None:
    """A button that gives a file; the page does not run for it."""
    st.download_button(label, content, file, kind, on_click="ignore", icon=":material/download:")


def code(text: str, language: str = "bash") -> None:
    """Show code with placeholders instead of the paths of uploads."""
    text = uploads.without_paths(text)
    st.code(text, language=language, wrap_lines=True)
    if uploads.PLACEHOLDER in text:
        st.caption(uploads.REPLACE)


def code_block(text: str, language: str = "bash") -> None:
    """Show code that reproduces simulated numbers."""
    code(text, language)
    st.caption(f":material/replay: {result_files.REPLAY}")


def block(view: PageConfig, results: Sequence[Result], at_now: Sequence[Result], name: str) -> None:
    """Table, downloads and the command, as every page shows them.

    Args:
        name: of the files, without ending.
    """
    show(pd.DataFrame([result_files.row(r) for r in at_now]))
    with st.container(horizontal=True):
        download("All runs as CSV", result_files.as_csv(results), f"{name}.csv")
        download("Settings as TOML", settings_in_words.toml(view), f"{name}.toml", "text/plain")
    if at_now:
        _draw_commands(at_now[0].spec)
        st.caption(
            f"and all of them, with the TOML file: `python -m dpviz sweep {name}.toml --out"
            f" {name}.csv`"
        )


def _draw_commands(spec: RunSpec) -> None:
    """One run again, from a shell or from Python; and a release of the same settings."""
    st.caption(
        f"The first row again ({spec.method}, seed {spec.seed}), from a shell in the project's"
        " folder:"
    )
    code_block(reproduce.run_command(spec))
    with st.popover("The same from Python, and a release", icon=":material/deployed_code:"):
        code_block(reproduce.python(spec), "python")
        _release(spec)


RELEASE = (
    "This page shows a simulation with a fixed seed. Each click on the button draws a **release**"
    " with noise from this machine's entropy and spends the budget again. The server keeps no copy."
    " The file holds the weights and a card of what is proved and assumed."
)


def _release(spec: RunSpec) -> None:
    """Show a button that draws a release, once the method's code has passed its checks."""
    if reason := release_file.refusal(spec):
        st.markdown(reason)
        return
    st.markdown(RELEASE)
    if (verdict := method_check.verdict(spec.method)) is None:
        return
    if reason := release_file.refusal(spec, verdict):
        st.markdown(reason)
        return
    download(
        "Draw a release, as .npz",
        session_cost.releasing(spec, verdict),
        f"{spec.method}.npz",
        "application/zip",
    )
