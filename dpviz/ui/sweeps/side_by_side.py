"""A sweep as a grid of small charts, and the settings of one method from the highest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from dpviz.formatting import literal
from dpviz.lazy_imports import pandas as pd
from dpviz.run.sweep_files import SWEPT
from dpviz.stats import Interval
from dpviz.types import Result
from dpviz.ui.frame import detail_level
from dpviz.ui.widgets import charts, export, panel_controls
from dpviz.views import panels, panels_in_words, ranking
from dpviz.views.sweep_lines import SweepLines, drawable

SAME = (
    "Each method with the setting chosen beside the main chart; axes and marker are the same in all"
    " panels."
)


def grid(results: Sequence[Result], shown: SweepLines, metric: str, key: str) -> None:
    """Accuracy against the budget over one or two facts of which the sweep has several values."""
    titles = panels.varied(_matching_runs(results, shown))
    if not titles:
        return
    st.header("Side by side")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        across, down = panel_controls.orders(titles)
    kept = _matching_runs(results, shown, {across, down})
    chart = panels.of_results(drawable(kept), across, down, metric)
    said = (
        panels_in_words.precise(chart, shown.budget, ""),
        panels_in_words.plain(chart, shown.budget),
    )
    st.markdown(detail_level.at_level(*said))
    charts.plot(chart, f"{key}-grid", shown.budget)
    st.caption(SAME)
    rows = panels_in_words.ranks(chart, shown.budget)
    if any(len(some) > 1 for some in rows.values()):
        export.table(
            panels_in_words.table(rows, public=panels_in_words.public_alone(chart, shown.budget)),
            f"{key}-ahead",
            "Who is ahead",
        )
        st.caption(panels_in_words.LETTERS_TEXT)


def _matching_runs(
    results: Sequence[Result], shown: SweepLines, free: set[str] | None = None
) -> list[Result]:
    """Runs with the settings that are shown; but for ``free`` facts (all where None) they are of
    the data that are shown as well.
    """
    settings = {(r.spec.method, r.spec.params) for r in shown.results}
    same = [r for r in results if (r.spec.method, r.spec.params) in settings]
    first = shown.results[0].spec
    free = {*SWEPT} if free is None else free | ({"per_person"} if "unit" in free else set())
    fixed = [name for name in SWEPT if name not in free]
    return [r for r in same if all(getattr(r.spec, f) == getattr(first, f) for f in fixed)]


def ranked(points: Mapping[str, Interval]) -> None:
    """The settings that are compared, by their words, from the highest, in groups that cannot be
    told apart.
    """
    if len(points) < 2:
        return
    rows = ranking.ranked({"all": points})["all"]
    titles = {title: literal(title) for title in points}
    with st.expander("Ranking: which of them can be told apart"):
        st.dataframe(pd.DataFrame(panels_in_words.ranking_rows(rows, titles)), hide_index=True)
        st.caption(LETTERS)


LETTERS = (
    "Settings that share a letter cannot be told apart, those that share none can: all pairs"
    " together, seeds and test records taken into account (Holm, 5 %)."
)
