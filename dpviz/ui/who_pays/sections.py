"""Tabs of the Per-record loss page: images by loss, classes, downloads."""

from __future__ import annotations

import math
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
from dpviz.text import method_tiles
from dpviz.text import who_pays as text
from dpviz.text.template import render
from dpviz.types import Dataset
from dpviz.ui.frame import page_parts
from dpviz.ui.who_pays.controls import LossView, band, clicked
from dpviz.ui.widgets import charts, export
from dpviz.views.who_pays_page import ChosenGroups

KEY = "who-pays"
#: Images, or people, shown as cards.
MAX_CARDS = 24
#: Images of a person that are shown.
MAX_PICTURES = 4


def by_loss(
    runs: Sequence[MeasuredRun],
    view: LossView,
    data: Dataset,
    loss_charts: Sequence[Losses],
    groups: ChosenGroups,
) -> None:
    """Draw the histograms, the choice of a band, and the images in it, of all or of the group."""
    bars = st.container()
    by, rows = band(runs, view, groups)
    with bars:
        histograms(runs, loss_charts)
    st.markdown(in_band(runs, by, rows, view, groups, data.thumbnails is not None))
    show(runs, view, data, rows)
    st.caption(legend(view, data.thumbnails is not None))
    with st.expander(method_tiles.SECTION_TABLE):
        downloads(table(runs, view, data, rows))


def histograms(runs: Sequence[MeasuredRun], loss_charts: Sequence[Losses]) -> None:
    """Draw a histogram per method, the band shaded. A click on a bar chooses its band.

    The slider of the band must exist by now.
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
    """Draw the first records as images, or as a table where there are no images."""
    if not len(rows):
        return
    if data.thumbnails is None:
        export.draw(table(runs, view, data, rows[: 10 * MAX_CARDS]), 320)
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
    name = f"{first.kept_counts[i]:,} of {first.record_counts[i]:,} images"
    shares = tuple(float(first.share(run.right)[i]) for run in runs)
    return RecordCard(f"person {first.persons[i]}", pictures, name, minority, spent, shares)


def in_band(
    runs: Sequence[MeasuredRun],
    by: MeasuredRun,
    rows: np.ndarray,
    view: LossView,
    groups: ChosenGroups,
    pictures: bool,
) -> str:
    """Return how many records or people are in the band, and how many are classified correctly, in
    Markdown.
    """
    of_whom = "_group" if groups.is_own else "_person" if view.unit == "person" else ""
    case = ("some" if len(rows) else "none") + of_whom
    rare = float(by.losses.minority[rows].mean()) if len(rows) else 0.0
    total = int(groups.first.sum()) if groups.is_own else len(by.losses.epsilon)
    counted = {"number": len(rows), "all": total, "rare": rare, "group": groups.names[0]}
    sentences = [render(text.IMAGES_IN_BAND[case], **counted)]
    if len(rows):
        sentences += [
            render(
                text.BAND_RIGHT,
                method=run.title,
                right=float(by.losses.share(run.right)[rows].mean()),
            )
            for run in runs
        ]
    if pictures and len(rows) > MAX_CARDS:
        sentences.append(render(text.BAND_FIRST, number=MAX_CARDS))
    return " ".join(sentences)


def legend(view: LossView, pictures: bool) -> str:
    """Return what the signs on the cards mean, in Markdown."""
    if view.unit != "person":
        return text.CARDS_LEGEND if pictures else ""
    drawn = render(text.CARDS_LEGEND_PERSON, pictures=MAX_PICTURES)
    return f"{drawn} {text.PERSON_GROUPS}" if pictures else text.PERSON_GROUPS


def by_class(runs: Sequence[MeasuredRun], view: LossView, data: Dataset) -> None:
    """Draw the losses by class, or of the people with images of a class."""
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
    st.caption(text.CLASSES_CAPTION)


def table(
    runs: Sequence[MeasuredRun], view: LossView, data: Dataset, rows: np.ndarray
) -> pd.DataFrame:
    """Return a row per record: position in the full training set, class, losses, correctness. Or a
    row per person: records sent and kept, their classes, and the share that is correct.
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


def downloads(rows: pd.DataFrame) -> None:
    """Draw table and CSV of the selected records."""
    export.table(rows, KEY, text.TABLE_TITLE)
    st.caption(text.TABLE_PRIVATE)


def all_losses(runs: Sequence[MeasuredRun], view: LossView, data: Dataset, code: str) -> None:
    """Draw the table of all losses, and Python code for those of the first method."""
    rows = per_instance.between(view.losses(runs[0]), 0.0, math.inf)
    downloads(table(runs, view, data, rows))
    st.caption(text.CODE_CAPTION)
    export.code_block(code, "python")


def origin(runs: Sequence[MeasuredRun]) -> str:
    """Return how the numbers were computed, in Markdown."""
    results = [run.result for run in runs]
    seed = str(results[0].spec.seed)
    return render(text.ORIGIN, seed=seed, runs=page_parts.origin(results))
