"""Run table of a sweep: columns, filter, best per group, tags, two rows compared, CSV."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import streamlit as st

from dpviz.experiments.result_files import PRIVATE
from dpviz.lazy_imports import pandas as pd
from dpviz.text import run_table as text
from dpviz.text.template import render
from dpviz.ui.sweeps.answer import SweepChart
from dpviz.ui.widgets import export
from dpviz.ui.widgets.choices import choice
from dpviz.views import column_titles, run_table
from dpviz.views.run_table import Row, RunTable

#: Session keys: tags by key of a row, and columns that a reader sees at first.
TAGS, COLUMNS = "sweeps:tags", "sweeps:columns"
MAX_TAG_CHARACTERS = 40
#: Pixels of the table.
HEIGHT = 320


def draw(shown: SweepChart, key: str) -> None:
    """Draw controls, table, tags, comparison and CSV."""
    tags = st.session_state.setdefault(TAGS, {})
    table = RunTable.from_results(shown.opened.results, shown.metric, dict(tags))
    columns, chosen, groups = _controls(table)
    rows, sizes = table.filtered(chosen), None
    if groups:
        sizes = table.best(rows, groups)
        rows = list(sizes)
    if not rows:
        st.caption(text.NO_ROWS)
        return
    cells = table.cells(rows, columns, sizes)
    selected = _select(table, rows, cells, key)
    case = "all" if len(rows) == len(table.rows) else "some"
    captions = [render(text.CAPTIONS[case], rows=len(rows), total=len(table.rows))]
    if groups:
        captions.append(text.CAPTIONS["best"])
    st.caption(" ".join(captions))
    _actions(selected)
    if len(selected) == 2:
        _difference(*selected)
    export.csv(text.CSV_LABEL, pd.DataFrame(cells), f"{key}-rows.csv")


def _controls(table: RunTable) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Draw the choices of columns, of rows and of groups."""
    # the table's own toolbar covers the right end of this row
    first_place, middle, right = st.columns([1, 2, 2], vertical_alignment="bottom")
    with middle:
        chosen = choice(
            st.multiselect, text.FILTERS, table.filters, (), "rf", placeholder=text.ALL_ROWS
        )
    with right:
        groups = choice(
            *(st.multiselect, text.BEST_PER, table.categories, (), "rg"),
            help=text.BEST_PER_HELP,
            placeholder=text.NO_GROUPS,
        )
    if st.session_state.get(COLUMNS) != (first := table.first_columns):  # another sweep
        st.session_state[COLUMNS] = first
        st.session_state.pop("rc", None)
    with first_place.popover(text.SHOWN_COLUMNS, icon=":material/view_column:", width="stretch"):
        columns = choice(st.multiselect, text.SHOWN_COLUMNS, table.columns, first, "rc")
    return columns or first, chosen, groups


def _select(table: RunTable, rows: Sequence[Row], cells: Sequence[dict], key: str) -> list[Row]:
    """Draw the table; return the selected rows, in its order."""
    frame = pd.DataFrame(cells)
    frame.insert(0, text.OPEN, [table.link(row) for row in rows])
    titles = {name: column_titles.title(name) for name in frame.columns if PRIVATE in name}
    link = st.column_config.LinkColumn(text.OPEN, display_text=text.OPEN_LABEL, width="small")
    # a selection belongs to these rows alone
    name = hashlib.sha256("".join(row.key for row in rows).encode()).hexdigest()[:16]
    event = st.dataframe(
        frame,
        hide_index=True,
        height=HEIGHT if len(rows) > export.MAX_UNSCROLLED_ROWS else "content",
        column_config=titles | {text.OPEN: link},
        on_select="rerun",
        selection_mode="multi-row",
        key=f"{key}-rows-{name}",
    )
    return [rows[place] for place in sorted(event.selection.rows) if place < len(rows)]


def _actions(selected: Sequence[Row]) -> None:
    """Draw the tag of the selected rows."""
    if not selected:
        st.caption(text.SELECT)
        return
    with (
        st.form("sweeps-tag", border=False),
        st.container(horizontal=True, vertical_alignment="bottom"),
    ):
        tag = st.text_input(
            text.TAG, key="sweeps-tag-text", max_chars=MAX_TAG_CHARACTERS, help=text.TAG_HELP
        )
        if st.form_submit_button(text.SET_TAG):
            set_tag(selected, tag.strip())
            st.rerun()


def set_tag(rows: Sequence[Row], tag: str) -> None:
    """Tag rows for this session; an empty tag removes the tag."""
    tags = st.session_state.setdefault(TAGS, {})
    for row in rows:
        tags.pop(row.key, None)
        if tag:
            tags[row.key] = tag


def _difference(first: Row, second: Row) -> None:
    """Draw settings and scores that differ between two rows."""
    st.markdown(f"**{text.DIFFERENCE_TITLE}**")
    export.draw(run_table.changed_settings(first, second), "content")
    export.draw(run_table.changed_scores(first, second), "content")
    first_side, second_side = map(run_table.side, (first, second))
    st.caption(render(text.DIFFERENCE_CAPTION, first=first_side, second=second_side))
