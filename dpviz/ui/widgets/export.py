"""What leaves the page: the table, its CSV, the settings as TOML, and the command that gives a
number again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from dpviz.run import reproduce, result_files
from dpviz.run.release_file import release
from dpviz.types import Result, RunSpec
from dpviz.views import settings_in_words
from dpviz.views.view import View

FEW = 5
"""Rows of a table that needs no scrolling."""


def fold(of: str = "command") -> Any:
    """The fold of tables and of what gives the numbers again (``of``), in the link; None while it
    is closed.
    """
    folded = st.expander(f"Table, CSV and the {of} behind it", key="table", bind="query-params")
    return folded if folded.open else None


def show(frame: pd.DataFrame) -> None:
    """A table as high as its rows, but never so high that it fills the page."""
    st.dataframe(frame, hide_index=True, height=240 if len(frame) > FEW else "content")


def table(rows: pd.DataFrame | Sequence[Mapping[str, Any]], name: str, title: str) -> None:
    """A table and its CSV, a file called ``name``."""
    frame = pd.DataFrame(rows)
    show(frame)
    download(f"{title} as CSV", frame.to_csv(index=False), f"{name}.csv")


def download(label: str, content: Any, file: str, kind: str = "text/csv") -> None:
    """A button that gives a file; the page does not run for it."""
    st.download_button(label, content, file, kind, on_click="ignore", icon=":material/download:")


def block(view: View, results: Sequence[Result], at_now: Sequence[Result], name: str) -> None:
    """Table, downloads and the command, as every page shows them.

    Args:
        name: of the files, without ending.
    """
    show(pd.DataFrame([result_files.row(r) for r in at_now]))
    with st.container(horizontal=True):
        download("All runs as CSV", result_files.as_csv(results), f"{name}.csv")
        download("Settings as TOML", settings_in_words.toml(view), f"{name}.toml", "text/plain")
    if at_now:
        _again(at_now[0].spec)
        st.caption(
            f"and all of them, with the TOML file: `python -m dpviz sweep {name}.toml --out"
            f" {name}.csv`"
        )


def _again(spec: RunSpec) -> None:
    """One run again, from a shell or from Python, and its release as a file."""
    st.caption(
        f"The first row again ({spec.method}, seed {spec.seed}), from a shell in the project's"
        " folder:"
    )
    st.code(reproduce.run_command(spec), language="bash", wrap_lines=True)
    with st.popover(
        "The same from Python, and the release itself", icon=":material/deployed_code:"
    ):
        st.code(reproduce.python(spec), language="python", wrap_lines=True)
        st.markdown(
            "What this run releases, as an `.npz` with its card: weights, how they predict,"
            " guarantee, settings and versions."
        )
        download(
            "Release as .npz",
            lambda: release(spec),
            f"{spec.method}-seed-{spec.seed}.npz",
            "application/zip",
        )
