"""External results on the Trade-off page: upload, marked layer, table, removal, download."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from dpviz.experiments import outside_results
from dpviz.experiments.outside_results import OutsideFile
from dpviz.formatting import literal
from dpviz.plots.budget_curves import BudgetCurve
from dpviz.text import outside_layer as layer_text
from dpviz.text.template import render
from dpviz.types import Result
from dpviz.ui.frame import page_parts, public_demo
from dpviz.ui.widgets import export, uploader
from dpviz.views import outside_layer
from dpviz.views.outside_layer import Layer

FILE, REFUSAL, UPLOAD_COUNT = "outside:file", "outside:refused", "outside:turn"
"""Keys of the session: results, why a file was refused, and how often the upload was emptied."""
FOLD = "External results"
HELP = (
    "A CSV file with the columns method, notion, budget, delta, seed and accuracy. Optional"
    " columns: balanced, minority, source. The notion is pure, approx, zcdp or gdp. Accuracies are"
    " shares from 0 to 1. At most {rows:,} results."
)
SESSION_NOTE = "The results stay in this browser session. Links to this page do not include them."
REMOVE = "Remove {file}"


def _file() -> OutsideFile | None:
    return st.session_state.get(FILE)


def _layer(file: OutsideFile, curve: BudgetCurve) -> Layer:
    return outside_layer.layer(file, curve.metric, curve.budget)


def with_layer(curve: BudgetCurve) -> BudgetCurve:
    """The curve with the layer of the uploaded file, if there is one."""
    file = _file()
    return replace(curve, outside=_layer(file, curve).rows) if file else curve


def draw_layer(curve: BudgetCurve, results: Sequence[Result]) -> None:
    """Draw the layer's caption and its removal, upload, table and download."""
    if file := _file():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(render(layer_text.CAPTION, file=file.name))
            label = REMOVE.format(file=literal(file.name))
            st.button(label, key="outside-remove", icon=":material/close:", on_click=_remove)
        for sentence in _layer(file, curve).left_out:
            st.caption(literal(sentence))
    _draw_upload(curve, results)


def _draw_upload(curve: BudgetCurve, results: Sequence[Result]) -> None:
    if not public_demo.closed("uploads"):
        _draw_chooser()
    if (file := _file()) and (rows := _layer(file, curve).table):
        export.table(rows, "results-from-elsewhere", FOLD)
    content = outside_results.as_csv(outside_results.exported(results))
    export.download("Results of this page as CSV", content, "results.csv")


def _draw_chooser() -> None:
    key = f"outside-upload-{st.session_state.get(UPLOAD_COUNT, 0)}"
    text = HELP.format(rows=outside_results.MAX_ROWS)
    limit = outside_results.MAX_BYTES >> 20
    st.file_uploader(
        "Results (.csv)",
        type="csv",
        key=key,
        on_change=_take,
        args=(key,),
        max_upload_size=limit,
        help=text,
    )
    st.caption(SESSION_NOTE)
    if reason := st.session_state.get(REFUSAL):
        page_parts.refusals([reason])


def _take(key: str) -> None:
    """Read the uploaded file; an emptied upload removes the layer."""
    uploader.read(key, outside_results.parsed, FILE, REFUSAL)


def _remove() -> None:
    st.session_state.pop(FILE, None)
    st.session_state.pop(REFUSAL, None)
    st.session_state[UPLOAD_COUNT] = st.session_state.get(UPLOAD_COUNT, 0) + 1
