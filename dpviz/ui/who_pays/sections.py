"""Closer looks of "Who pays": histograms to click on, the records of a band, classes, downloads."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from dpviz.diagnostics import per_instance
from dpviz.diagnostics.per_instance import MeasuredRun, PerInstance
from dpviz.lazy_imports import pandas as pd
from dpviz.plots.losses import ClassLoss, Losses, histogram_ends
from dpviz.plots.record_cards import RecordCard, record_cards_html
from dpviz.types import Dataset
from dpviz.ui.frame import page_parts
from dpviz.ui.who_pays.controls import LossView, clicked
from dpviz.ui.widgets import charts, export
from dpviz.views.phrases import title_in_sentence

KEY = "who-pays"
MAX_CARDS = 24
"""Records, or people, shown as pictures; FEW: pictures of a person that are shown."""
MAX_PICTURES = 4


def histograms(runs: Sequence[MeasuredRun], loss_charts: Sequence[Losses]) -> None:
    """One a method, the band shaded (its slider has been drawn by now); a click on a bar chooses
    its band.
    """
    ends = histogram_ends(loss_charts)
    low, high = st.session_state["band"]
    for column, run, chart in zip(st.columns(len(loss_charts)), runs, loss_charts, strict=True):
        with column:
            st.markdown(f"**{run.title}**")
            key = f"{KEY}-bars-{run.method}"
            charts.clickable(
                chart.histogram((low / 100, high / 100), ends),
                chart.histogram_alt(),
                key,
                partial(clicked, key, run.method),
            )


def show(runs: Sequence[MeasuredRun], view: LossView, data: Dataset, rows: np.ndarray) -> None:
    """The first records as pictures, or as a table where there are none."""
    if not len(rows):
        st.info(f"No {view.unit_name} lies in this band; widen it, or click on a bar.")
    elif data.thumbnails is None:
        frame = export.mark_private(table(runs, view, data, rows[: 10 * MAX_CARDS]))
        st.dataframe(frame, hide_index=True, height=320)
    else:
        first = runs[0].losses
        record_rows = [np.flatnonzero(first.owners == i)[:MAX_PICTURES] for i in rows[:MAX_CARDS]]
        pictures = data.thumbnails("train", first.rows[np.concatenate(record_rows)])
        starts = np.cumsum([len(own) for own in record_rows])[:-1]
        records = [
            _record(runs, view, data, int(i), tuple(own))
            for i, own in zip(rows[:MAX_CARDS], np.split(pictures, starts), strict=True)
        ]
        st.html(record_cards_html(records, [(run.method, run.title) for run in runs], view.symbol))


def _record(
    runs: Sequence[MeasuredRun],
    view: LossView,
    data: Dataset,
    i: int,
    pictures: tuple[np.ndarray, ...],
) -> RecordCard:
    first = runs[0].losses
    spent = tuple(float(view.losses(run).epsilon[i]) for run in runs)
    minority = bool(first.minority[i])
    if first.persons is None:
        subject, name = f"record {first.rows[i]}", data.class_names[first.labels[i]]
        right = tuple(bool(run.right[i]) for run in runs)
        return RecordCard(subject, pictures, name, minority, spent, right)
    name = f"{first.kept_counts[i]:,} of {first.record_counts[i]:,} pictures"
    shares = tuple(float(first.share(run.right)[i]) for run in runs)
    return RecordCard(f"person {first.persons[i]}", pictures, name, minority, spent, shares)


def words(
    runs: Sequence[MeasuredRun], by: MeasuredRun, rows: np.ndarray, view: LossView, pictures: bool
) -> str:
    """How many records or people lie in the band, and who is right about them."""
    total = len(by.losses.epsilon)
    if not len(rows):
        return f"0 of {total:,} {view.units_name}."
    share = f"{100 * by.losses.minority[rows].mean():.0f}% of them of the minority"
    them = "them" if by.losses.persons is None else "each one's pictures"
    right = ", ".join(
        f"{title_in_sentence(run.title)} gets"
        f" {100 * by.losses.share(run.right)[rows].mean():.0f}% of {them} right"
        for run in runs
    )
    addition = f" The first {MAX_CARDS} are shown." if pictures and len(rows) > MAX_CARDS else ""
    return f"**{len(rows):,} of {total:,} {view.units_name}**, {share}; {right}.{addition}"


def legend(runs: Sequence[MeasuredRun], view: LossView, pictures: bool) -> str:
    """What the signs on the cards mean, and who counts in the minority."""
    titles = " and ".join(title_in_sentence(run.title) for run in runs)
    if view.unit == "person":
        noun = "pictures" if pictures else "records"
        drawn = (
            f"Of each person the first {MAX_PICTURES} pictures; under them how many were kept of"
            " how many,"
            f" the person's loss under {titles}, in the method's colour, and which share of the"
            " kept ones each run gets right. "
        )
        return (
            f"{drawn if pictures else ''}A person counts in the minority where at least half of"
            f" the {noun} that were kept are of minority classes, and in every class with one."
        )
    return (
        f"Under each picture: its class, and its loss under {titles}, in the method's colour; ✓"
        " right, ✗ wrong about this training record."
    )


def by_class(runs: Sequence[MeasuredRun], view: LossView, data: Dataset) -> None:
    """Losses of each class, or of the people who sent some of it, both methods."""
    first = runs[0].losses
    counts = [int(first.in_class(c).sum()) for c in range(data.classes)]
    shown = [(run, view.losses(run)) for run in runs]
    spreads = [
        (run.method, run.title, p.claim, per_instance.summary(p, data.classes).class_quantiles)
        for run, p in shown
    ]
    minority = runs[0].result.minority_classes
    chart = ClassLoss.from_quantiles(
        view.symbol, data.class_names, counts, minority, spreads, view.unit_name
    )
    charts.plot(chart, f"{KEY}-classes")
    st.caption(
        f"Largest class first, the minority shaded. Marker: the class's middle {view.unit_name};"
        " thick:"
        " the middle half; thin: the middle nine tenths. The line is what everyone is promised."
    )


def table(
    runs: Sequence[MeasuredRun], view: LossView, data: Dataset, rows: np.ndarray
) -> pd.DataFrame:
    """A row a record: its place in the full training set, class, losses, and who is right. Or a
    row a person: how many records were sent and kept, of which classes, and the share that is
    right.
    """
    first = runs[0].losses
    alone = first.persons is None
    columns = _of_records(first, data, rows) if alone else _of_persons(first, data, rows)
    columns["minority"] = first.minority[rows]
    for run in runs:
        losses = view.losses(run)
        columns[f"{run.title}: {losses.notion}"] = losses.epsilon[rows]
        columns[f"{run.title}: right"] = (run.right if alone else first.share(run.right))[rows]
    return pd.DataFrame(columns)


def _of_records(first: PerInstance, data: Dataset, rows: np.ndarray) -> dict[str, Any]:
    names = np.array(data.class_names, object)
    return {"record": first.rows[rows], "class": names[first.labels[rows]]}


def _of_persons(first: PerInstance, data: Dataset, rows: np.ndarray) -> dict[str, Any]:
    assert first.persons is not None
    counted = np.zeros((len(first.epsilon), data.classes), np.int64)
    np.add.at(counted, (first.owners, first.labels), 1)
    classes = [
        ", ".join(f"{data.class_names[c]} {k}" for c, k in enumerate(row) if k)
        for row in counted[rows]
    ]
    named = {"person": first.persons, "sent": first.record_counts, "kept": first.kept_counts}
    return {name: values[rows] for name, values in named.items()} | {"classes": classes}


def downloads(table: pd.DataFrame, code: str) -> None:
    """Table and CSV of the selected records, and Python that gives the losses again."""
    export.table(table, KEY, "These rows")
    st.caption(
        "The file is as private as the records: no guarantee covers it. The losses of the first"
        " method again, in Python in the project's folder:"
    )
    export.code_block(code, "python")


def origin(runs: Sequence[MeasuredRun]) -> str:
    """Where the numbers come from."""
    results = [run.result for run in runs]
    return f"Losses follow noise seed {results[0].spec.seed}. Runs: {page_parts.origin(results)}"
