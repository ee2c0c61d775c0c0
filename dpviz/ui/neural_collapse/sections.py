"""Sections of "Neural collapse"; each draws its chart and returns its table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields

import streamlit as st

from dpviz.data import DATASETS, synthetic
from dpviz.diagnostics import collapse_measures, collapse_plane
from dpviz.formatting import listed, literal, minus, unbroken
from dpviz.plots.collapse import ClassPlane, ClassShift
from dpviz.run import experiment, reproduce, result_files
from dpviz.types import DataConfig, RunSpec, unit_rows
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.live import page_caches
from dpviz.ui.neural_collapse import against_dimension, changed_features, theory
from dpviz.ui.neural_collapse.answer import Features
from dpviz.ui.neural_collapse.changed_features import KEY, Rows, chosen
from dpviz.ui.neural_collapse.controls import CollapseView
from dpviz.ui.neural_collapse.theory import snippet
from dpviz.ui.widgets import cards, charts, export
from dpviz.ui.widgets.choices import choice
from dpviz.views import neural_collapse_page


def corners(kinds: Sequence[Features], view: CollapseView, metric: str) -> Rows:
    """The records of three classes in the plane of their means."""
    features = chosen(kinds)
    data = experiment.prepared(features.quiet[0].spec)
    if data.classes < 3:
        st.info("Three classes are drawn; this data has two. Choose other features above.")
        return []
    names = {str(c): literal(name) for c, name in enumerate(data.class_names)}
    first = tuple(str(c) for c in collapse_plane.first_three(data.counts))
    picked = choice(
        st.multiselect, "Three classes", names, first, f"three{data.classes}", max_selections=3
    )
    if len(picked) != 3:
        st.info(f"Choose {3 - len(picked)} more; three classes are drawn.")
        return []
    plane = collapse_plane.plane(data, tuple(sorted(int(c) for c in picked)))
    titles = [data.class_names[c] for c in plane.classes]
    chart = ClassPlane(tuple(titles), plane.points, plane.means, collapse_plane.CORNERS)
    cosines = listed([minus(f"{v:z.2f}") for v in plane.between])
    st.markdown(
        f"On {features.source.title} the means of these three classes, their common mean taken"
        f" off, have cosines **{cosines}**; in a perfect frame of three all are −0.50. The plane"
        f" shows **{100 * plane.within_share:.2g}%** of how records spread about their means:"
        " the rest lies in other dimensions, so classes look more collapsed than they are."
    )
    cards.private_view()
    charts.plot(chart, f"{KEY}-corners")
    st.caption(
        "Figure 1 of the paper for these features, at one moment: the paper draws a network while"
        f" it learns. Records have length 1; up to {collapse_plane.MAX_DRAWN_RECORDS} a class,"
        " evenly from"
        " their order, are laid at right angles onto the plane through the three means, their"
        " common mean at its middle, one scale for all so that the means have length 1 on average,"
        " turned so that the means lie nearest to a perfect frame's corners. Nothing is drawn at"
        " random."
    )
    _snippet(features, plane.classes)
    return chart.table()


def _snippet(kind: Features, classes: tuple[int, ...]) -> None:
    """What gives the cosines again, where features are as they came and all records are there."""
    spec = kind.quiet[0].spec
    known = spec.dataset in DATASETS or synthetic.is_synthetic(spec.dataset)
    as_it_came = DataConfig(spec.dataset, spec.encoder, public=spec.public)
    same = (
        getattr(spec, each.name) == getattr(as_it_came, each.name)
        for each in fields(DataConfig)
        if each.name not in ("unit", "per_person")
    )
    if known and all(same):
        snippet(
            "from dpviz.data import load\nfrom dpviz.diagnostics import collapse_plane\n"
            f"collapse_plane.plane(load({spec.dataset!r}, {spec.encoder!r}), {classes}).between"
        )


PAPER = "?data=etf&delta=0.0001&etf.beta=0.0"
CHART_TEXT = (
    "Left: β, how far a record of length 1 lies from its class's mean in its largest coordinate."
    " Middle: cosines between class means, the common mean taken off; the dotted line is a perfect"
    " frame. Right: test accuracy of the same linear probe. Synthetic features are generated,"
    f" nothing in them is real. [The paper's setting]({PAPER}): K = 10, n = 10,000, (1, 1e-4)-DP,"
    " β = 0."
)
MAX_NUMBERS = 3_000_000
"""Numbers in the largest data set that is trained on once more."""


def caption(view: CollapseView) -> None:
    """What the main chart shows."""
    cards.private_view()
    if view.without_persons:
        titles = "; ".join(literal(source.title) for source in view.without_persons)
        st.caption(
            "Left out, as nothing can be promised to persons with records that are nobody's:"
            f" {titles}."
        )
    page_parts.caption(detail_level.at_level(CHART_TEXT, neural_collapse_page.HOW_TO_READ))


@page_caches.cached_by_content(20, "Training without noise for NC3 and NC4 …")
def _trained(spec: RunSpec) -> tuple[float, float]:
    """NC3 and NC4."""
    data, rule = experiment.prepared(spec), experiment.release(spec)
    means, x = collapse_measures.measure(data).means, unit_rows(data.x)
    nc4 = collapse_measures.nc4(x, rule.predict(data.x), means)
    return collapse_measures.nc3(means, rule.weights), nc4


def classes(kinds: Sequence[Features], view: CollapseView, metric: str) -> Rows:
    """Shift by class and cosines between classes."""
    features = chosen(kinds)
    spec, m = features.quiet[0].spec, features.measures
    data = experiment.prepared(spec)
    chart = ClassShift.from_measures(data.class_names, m.cosines, m.beta, m.y)
    cards.private_view()
    third = "NC3 and NC4 left out, as training again would take long"
    if data.x.size <= MAX_NUMBERS:
        nc3, nc4 = _trained(spec)
        third = f"NC3 = **{nc3:.2g}**, NC4 = **{100 * nc4:.2g}%**"
    st.markdown(
        unbroken(
            f"{features.source.title}: NC1 = **{m.nc1:.2g}**, NC2: lengths vary by"
            f" **{100 * m.nc2:.0f}%** and cosines lie **{m.nc2_angle:.2f}** on average from"
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
    "step": ("One step, exactly", theory.step),
    "map": ("Where dimension matters", theory.shift_map),
    "needed": ("Records needed", theory.needed),
    "theorems": ("Theorems", theory.theorems),
    "corners": ("Three classes", corners),
}
WITHOUT_FEATURES = {"needed", "theorems"}
"""Looks worked out from formulas alone."""


def commands(kinds: Sequence[Features]) -> None:
    """All runs as CSV, and the first run on each kind of features from a shell."""
    results = [r for kind in kinds for r in (*kind.quiet, *kind.noisy)]
    export.download("All runs as CSV", result_files.as_csv(results), f"{KEY}.csv")
    st.caption(
        "The first seed on each kind of features again, from a shell in the project's folder:"
    )
    commands = "\n".join(reproduce.run_command(kind.noisy[0].spec) for kind in kinds if kind.noisy)
    export.code_block(commands)
