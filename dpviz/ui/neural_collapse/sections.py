"""The closer looks of "Neural collapse"; each draws its chart, says what it shows, and returns its
table.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dpviz.diagnostics import collapse_measures
from dpviz.formatting import literal, minus, unbroken
from dpviz.plots.collapse import ClassShift
from dpviz.run import experiment, reproduce, result_files
from dpviz.types import RunSpec, unit_rows
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.live import page_caches
from dpviz.ui.neural_collapse import (
    against_dimension,
    changed_features,
    corners,
    one_step,
    theorems,
    theory,
)
from dpviz.ui.neural_collapse.answer import Features
from dpviz.ui.neural_collapse.changed_features import KEY, Rows, chosen
from dpviz.ui.neural_collapse.controls import CollapseView
from dpviz.ui.widgets import cards, charts, export
from dpviz.views import collapse_in_plain_words

PAPER = "?data=etf&delta=0.0001&etf.beta=0.0"
SHOWS = (
    "Left: β, how far a record of length 1 lies from its class's mean in its largest coordinate."
    " Middle: cosines between class means, the common mean taken off; the dotted line is a perfect"
    " frame. Right: test accuracy of the same linear probe. Synthetic features are generated,"
    f" nothing in them is real. [The paper's setting]({PAPER}): K = 10, n = 10,000, (1, 1e-4)-DP,"
    " β = 0."
)
WATCHED = 3_000_000
"""Numbers in the largest data set that is trained on once more."""


def caption(view: CollapseView) -> None:
    """What the main chart shows."""
    cards.private_view()
    if view.nobodys:
        titles = "; ".join(literal(one.title) for one in view.nobodys)
        st.caption(
            "Left out, as nothing can be promised to persons with records that are nobody's:"
            f" {titles}."
        )
    page_parts.caption(detail_level.at_level(SHOWS, collapse_in_plain_words.HOW_TO_READ))


@page_caches.of_content(20, "Training without noise for NC3 and NC4 …")
def _trained(spec: RunSpec) -> tuple[float, float]:
    """NC3 and NC4."""
    data, rule = experiment.prepared(spec), experiment.release(spec)
    means, x = collapse_measures.measure(data).means, unit_rows(data.x)
    nc4 = collapse_measures.nc4(x, rule.predict(data.x), means)
    return collapse_measures.nc3(means, rule.weights), nc4


def classes(every: Sequence[Features], view: CollapseView, metric: str) -> Rows:
    """Shift by class and cosines between classes."""
    one = chosen(every)
    spec, m = one.quiet[0].spec, one.measures
    data = experiment.prepared(spec)
    chart = ClassShift.from_measures(data.class_names, m.cosines, m.beta, m.y)
    cards.private_view()
    third = "NC3 and NC4 left out, as training again would take long"
    if data.x.size <= WATCHED:
        nc3, nc4 = _trained(spec)
        third = f"NC3 = **{nc3:.2g}**, NC4 = **{100 * nc4:.2g} %**"
    st.markdown(
        unbroken(
            f"{one.source.title}: NC1 = **{m.nc1:.2g}**, NC2: lengths vary by **{100 * m.nc2:.0f}"
            f" %** and cosines lie **{m.nc2_angle:.2f}** on average from"
            f" {minus(f'{m.corner:.2f}')}, a perfect frame's; {third}. All are 0 in a"
            " perfect collapse."
        )
    )
    left, right = st.columns(2)
    with left:
        figure, alt = chart.shift_figure(), chart.shift_alt()
        charts.show(figure, alt, f"{KEY}-shift")
    with right:
        charts.plot(chart, f"{KEY}-cosines")
    st.caption(
        "Left: shift β by class, middle half and middle nine tenths of its records (Figure 2 of the"
        " paper). Right: cosines of class means after the common mean is taken off; the paper reads"
        " them before and against +1/(K−1), a perfect frame has −1/(K−1). NC3: distance of class"
        " means and noiseless rule, both centred and scaled to 1. NC4: private training records to"
        " which that rule gives another class than the nearest class mean does."
    )
    return chart.table()


SECTIONS = {
    "class": ("Class by class", classes),
    "dim": ("Dimension", changed_features.dimension),
    "moved": ("Who is moved", against_dimension.perturbed_errors),
    "imbalanced": ("Imbalance by dimension", against_dimension.imbalanced),
    "kept": ("Directions by dimension", against_dimension.projected_errors),
    "pca": ("Public PCA", changed_features.pca),
    "skew": ("Imbalance and offset", changed_features.skew),
    "step": ("One step, exactly", one_step.step),
    "map": ("Where dimension matters", theory.shift_map),
    "needed": ("Records needed", theory.needed),
    "theorems": ("Theorems", theorems.theorems),
    "corners": ("Three classes", corners.corners),
}
WITHOUT_FEATURES = {"needed", "theorems"}
"""Looks worked out from formulas alone."""


def commands(every: Sequence[Features]) -> None:
    """All runs as CSV, and the first run on each kind of features from a shell."""
    results = [r for one in every for r in (*one.quiet, *one.noisy)]
    export.download("All runs as CSV", result_files.as_csv(results), f"{KEY}.csv")
    st.caption(
        "The first seed on each kind of features again, from a shell in the project's folder:"
    )
    commands = "\n".join(reproduce.run_command(one.noisy[0].spec) for one in every if one.noisy)
    export.code_block(commands)
