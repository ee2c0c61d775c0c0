"""The lower half of "Who pays": histograms to click on, the band, the records in it, and the table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from dpviz.diagnostics import per_instance
from dpviz.plots import privacy_loss_by_class, privacy_loss_by_record, record_cards
from dpviz.plots.privacy_loss_by_record import BINS, Losses
from dpviz.plots.record_cards import Record
from dpviz.types import Dataset
from dpviz.ui.who_pays.controls import Asked, Side
from dpviz.ui.widgets import charts, export, text
from dpviz.ui.widgets.choices import choice
from dpviz.views.accuracy_sentence import named

KEY = "who-pays"
MOST = 24
"""Records shown as pictures."""
STEP = 100 / BINS
BAND = (0.0, 100.0)
ORDERS = {"dear": "costliest first", "cheap": "cheapest first"}


def histograms(found: Sequence[Side], shown: Sequence[Losses]) -> None:
    """One a method, the band shaded (its slider has been drawn by now); a click on a bar chooses
    its band.
    """
    ends = privacy_loss_by_record.ends(shown)
    low, high = st.session_state["band"]
    band = low / 100, high / 100
    for column, side, chart in zip(st.columns(len(shown)), found, shown, strict=True):
        with column:
            st.markdown(f"**{side.title}**")
            key = f"{KEY}-bars-{side.own.method}"
            st.plotly_chart(
                privacy_loss_by_record.histogram(chart, band, ends),
                width="stretch",
                key=key,
                on_select=lambda key=key, method=side.own.method: _clicked(key, method),
                selection_mode="points",
                config={"displaylogo": False, "displayModeBar": False},
                alt=privacy_loss_by_record.histogram_alt(chart),
            )


def _clicked(key: str, method: str) -> None:
    """A click on a bar moves the band there; a click beside all bars changes nothing."""
    points = st.session_state[key]["selection"]["points"]
    if points:
        place = int(points[0]["point_index"])
        st.session_state["band"] = (STEP * place, STEP * (place + 1))
        st.session_state["by"] = method


def chosen(found: Sequence[Side], asked: Asked) -> tuple[Side, np.ndarray]:
    """The controls of the selection; the method whose losses count, and the records, in the order
    asked for.
    """
    with st.container(horizontal=True, vertical_alignment="bottom"):
        low, high = st.slider(
            "Band, % of the promise",
            0.0,
            100.0,
            BAND,
            STEP,
            key="band",
            width=360,
            format="%g",
            help=BAND_HELP,
            bind="query-params",
        )
        titles = {side.own.method: side.title for side in found}
        by = choice(
            st.segmented_control,
            "By the losses of",
            titles,
            next(iter(titles)),
            "by",
            required=True,
        )
        order = choice(st.segmented_control, "Order", ORDERS, "dear", "order", required=True)
    side = next(side for side in found if side.own.method == by)
    shown = side.on(asked.scale)
    rows = per_instance.between(
        shown, low / 100 * shown.claim, math.inf if high == 100 else high / 100 * shown.claim
    )
    return side, rows if order == "dear" else rows[::-1]


BAND_HELP = (
    "Records whose loss lies in this part of what is promised to everyone. A click on a bar above"
    " sets it."
)


def show(found: Sequence[Side], asked: Asked, data: Dataset, rows: np.ndarray) -> None:
    """The first records as pictures, or as a table where there are none."""
    if not len(rows):
        st.info("No record lies in this band; widen it, or click on a bar.")
    elif data.thumbnails is None:
        st.dataframe(table(found, asked, data, rows[: 10 * MOST]), hide_index=True, height=320)
    else:
        some = rows[:MOST]
        pictures = data.thumbnails("train", found[0].own.rows[some])
        records = [
            _record(found, asked, data, int(i), picture)
            for i, picture in zip(some, pictures, strict=True)
        ]
        symbol = "ε′" if asked.scale == "eps" else "ρ′"
        st.html(
            record_cards.html(records, [(side.own.method, side.title) for side in found], symbol)
        )


def _record(
    found: Sequence[Side], asked: Asked, data: Dataset, i: int, picture: np.ndarray
) -> Record:
    losses = tuple(float(side.on(asked.scale).epsilon[i]) for side in found)
    right = tuple(bool(side.right[i]) for side in found)
    first = found[0].own
    return Record(
        int(first.rows[i]),
        picture,
        data.class_names[first.labels[i]],
        bool(first.minority[i]),
        losses,
        right,
    )


def words(found: Sequence[Side], side: Side, rows: np.ndarray, pictures: bool) -> str:
    """How many records lie in the band, and who is right about them."""
    total = len(side.own.labels)
    if not len(rows):
        return f"0 of {total:,} records."
    share = f"{100 * side.own.minority[rows].mean():.0f}\u00a0% of them of the minority"
    right = ", ".join(
        f"{named(s.title)} gets {100 * s.right[rows].mean():.0f}\u00a0% of them right"
        for s in found
    )
    more = f" The first {MOST} are shown." if pictures and len(rows) > MOST else ""
    return f"**{len(rows):,} of {total:,} records**, {share}; {right}.{more}"


def legend(found: Sequence[Side]) -> str:
    """What the signs on the cards mean."""
    titles = " and ".join(named(side.title) for side in found)
    return (
        f"Under each picture: its class, and its loss under {titles}, in the method's colour; ✓"
        " right, ✗ wrong about this training record."
    )


def by_class(found: Sequence[Side], asked: Asked, data: Dataset) -> None:
    """Losses of each class, both methods."""
    shown = [side.on(asked.scale) for side in found]
    spreads = [
        (s.own.method, s.title, p.claim, per_instance.summary(p, data.classes).class_quantiles)
        for s, p in zip(found, shown, strict=True)
    ]
    small = found[0].result.minority_classes
    chart = privacy_loss_by_class.info(
        "ε′" if asked.scale == "eps" else "ρ′", data.class_names, data.counts, small, spreads
    )
    charts.show(
        privacy_loss_by_class.figure(chart), privacy_loss_by_class.alt(chart), f"{KEY}-classes"
    )
    st.caption(
        "Largest class first, the minority shaded. Marker: the class's middle record; thick: the"
        " middle half; thin: the middle nine tenths. The line is what everyone is promised."
    )


def table(found: Sequence[Side], asked: Asked, data: Dataset, rows: np.ndarray) -> pd.DataFrame:
    """A row a record: its place in the full training set, class, losses, and who is right."""
    first = found[0].own
    columns: dict[str, Any] = {
        "record": first.rows[rows],
        "class": np.array(data.class_names, object)[first.labels[rows]],
        "minority": first.minority[rows],
    }
    for side in found:
        shown = side.on(asked.scale)
        columns |= {
            f"{side.title}: {shown.notion}": shown.epsilon[rows],
            f"{side.title}: right": side.right[rows],
        }
    return pd.DataFrame(columns)


def downloads(
    found: Sequence[Side], asked: Asked, data: Dataset, rows: np.ndarray, code: str
) -> None:
    """Table and CSV of the selected records, and Python that gives the losses again."""
    export.table(table(found, asked, data, rows), KEY, "These records")
    st.caption(
        "The file is as private as the records: no guarantee covers it. The losses of the first"
        " method again, in Python in the project's folder:"
    )
    st.code(code, language="python", wrap_lines=True)


def origin(found: Sequence[Side]) -> str:
    """Where the numbers come from."""
    seeds = found[0].result.spec.seed
    return f"Losses follow noise seed {seeds}. Runs: {text.origin([side.result for side in found])}"
