"""Closer looks of "Who pays": histograms to click on, the records of a band, classes, downloads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st

from dpviz.diagnostics import per_instance
from dpviz.diagnostics.per_instance import MeasuredRun
from dpviz.lazy_imports import pandas as pd
from dpviz.plots import privacy_loss_by_class, privacy_loss_by_record, record_cards
from dpviz.plots.privacy_loss_by_record import Losses
from dpviz.plots.record_cards import Record
from dpviz.types import Dataset
from dpviz.ui.frame import page_parts
from dpviz.ui.who_pays.controls import LossView, clicked
from dpviz.ui.widgets import charts, export
from dpviz.views.accuracy_sentence import named

KEY = "who-pays"
MOST = 24
"""Records shown as pictures."""


def histograms(runs: Sequence[MeasuredRun], shown: Sequence[Losses]) -> None:
    """One a method, the band shaded (its slider has been drawn by now); a click on a bar chooses
    its band.
    """
    ends = privacy_loss_by_record.ends(shown)
    low, high = st.session_state["band"]
    for column, run, chart in zip(st.columns(len(shown)), runs, shown, strict=True):
        with column:
            st.markdown(f"**{run.title}**")
            key = f"{KEY}-bars-{run.method}"
            charts.clickable(
                privacy_loss_by_record.histogram(chart, (low / 100, high / 100), ends),
                privacy_loss_by_record.histogram_alt(chart),
                key,
                lambda key=key, method=run.method: clicked(key, method),
            )


def show(runs: Sequence[MeasuredRun], view: LossView, data: Dataset, rows: np.ndarray) -> None:
    """The first records as pictures, or as a table where there are none."""
    if not len(rows):
        st.info("No record lies in this band; widen it, or click on a bar.")
    elif data.thumbnails is None:
        st.dataframe(table(runs, view, data, rows[: 10 * MOST]), hide_index=True, height=320)
    else:
        pictures = data.thumbnails("train", runs[0].losses.rows[rows[:MOST]])
        records = [
            _record(runs, view, data, int(i), picture)
            for i, picture in zip(rows[:MOST], pictures, strict=True)
        ]
        st.html(record_cards.html(records, [(run.method, run.title) for run in runs], view.symbol))


def _record(
    runs: Sequence[MeasuredRun], view: LossView, data: Dataset, i: int, picture: np.ndarray
) -> Record:
    first = runs[0].losses
    return Record(
        int(first.rows[i]),
        picture,
        data.class_names[first.labels[i]],
        bool(first.minority[i]),
        tuple(float(view.losses(run).epsilon[i]) for run in runs),
        tuple(bool(run.right[i]) for run in runs),
    )


def words(runs: Sequence[MeasuredRun], by: MeasuredRun, rows: np.ndarray, pictures: bool) -> str:
    """How many records lie in the band, and who is right about them."""
    total = len(by.losses.labels)
    if not len(rows):
        return f"0 of {total:,} records."
    share = f"{100 * by.losses.minority[rows].mean():.0f}\u00a0% of them of the minority"
    right = ", ".join(
        f"{named(run.title)} gets {100 * run.right[rows].mean():.0f}\u00a0% of them right"
        for run in runs
    )
    more = f" The first {MOST} are shown." if pictures and len(rows) > MOST else ""
    return f"**{len(rows):,} of {total:,} records**, {share}; {right}.{more}"


def legend(runs: Sequence[MeasuredRun]) -> str:
    """What the signs on the cards mean."""
    titles = " and ".join(named(run.title) for run in runs)
    return (
        f"Under each picture: its class, and its loss under {titles}, in the method's colour; ✓"
        " right, ✗ wrong about this training record."
    )


def by_class(runs: Sequence[MeasuredRun], view: LossView, data: Dataset) -> None:
    """Losses of each class, both methods."""
    shown = [(run, view.losses(run)) for run in runs]
    spreads = [
        (run.method, run.title, p.claim, per_instance.summary(p, data.classes).class_quantiles)
        for run, p in shown
    ]
    minority = runs[0].result.minority_classes
    chart = privacy_loss_by_class.info(
        view.symbol, data.class_names, data.counts, minority, spreads
    )
    charts.plot(privacy_loss_by_class, chart, f"{KEY}-classes")
    st.caption(
        "Largest class first, the minority shaded. Marker: the class's middle record; thick: the"
        " middle half; thin: the middle nine tenths. The line is what everyone is promised."
    )


def table(
    runs: Sequence[MeasuredRun], view: LossView, data: Dataset, rows: np.ndarray
) -> pd.DataFrame:
    """A row a record: its place in the full training set, class, losses, and who is right."""
    first = runs[0].losses
    columns: dict[str, Any] = {
        "record": first.rows[rows],
        "class": np.array(data.class_names, object)[first.labels[rows]],
        "minority": first.minority[rows],
    }
    for run in runs:
        losses = view.losses(run)
        columns[f"{run.title}: {losses.notion}"] = losses.epsilon[rows]
        columns[f"{run.title}: right"] = run.right[rows]
    return pd.DataFrame(columns)


def downloads(table: pd.DataFrame, code: str) -> None:
    """Table and CSV of the selected records, and Python that gives the losses again."""
    export.table(table, KEY, "These records")
    st.caption(
        "The file is as private as the records: no guarantee covers it. The losses of the first"
        " method again, in Python in the project's folder:"
    )
    export.again(code, "python")


def origin(runs: Sequence[MeasuredRun]) -> str:
    """Where the numbers come from."""
    results = [run.result for run in runs]
    return f"Losses follow noise seed {results[0].spec.seed}. Runs: {page_parts.origin(results)}"
