"""Three classes around the corners of a perfect frame (Figure 1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields

import streamlit as st

from dpviz.data import DATASETS, synthetic
from dpviz.diagnostics import collapse_plane
from dpviz.formatting import listed, literal, minus
from dpviz.plots.collapse import ClassPlane
from dpviz.run import experiment
from dpviz.types import DataConfig
from dpviz.ui.neural_collapse.answer import Features
from dpviz.ui.neural_collapse.changed_features import KEY, Rows, chosen
from dpviz.ui.neural_collapse.controls import CollapseView
from dpviz.ui.neural_collapse.theory import snippet
from dpviz.ui.widgets import cards, charts
from dpviz.ui.widgets.choices import choice


def corners(every: Sequence[Features], view: CollapseView, metric: str) -> Rows:
    """The records of three classes in the plane of their means."""
    one = chosen(every)
    data = experiment.prepared(one.quiet[0].spec)
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
    found = collapse_plane.plane(data, tuple(sorted(int(c) for c in picked)))
    titles = [data.class_names[c] for c in found.classes]
    chart = ClassPlane(tuple(titles), found.points, found.means, collapse_plane.CORNERS)
    cosines = listed([minus(f"{v:z.2f}") for v in found.between])
    st.markdown(
        f"On {one.source.title} the means of these three classes, their common mean taken off, have"
        f" cosines **{cosines}**; in a perfect frame of three all are −0.50. The plane"
        f" shows **{100 * found.within:.2g} %** of how records spread about their means: the rest"
        " lies in other dimensions, so classes look more collapsed than they are."
    )
    cards.private_view()
    charts.plot(chart, f"{KEY}-corners")
    st.caption(
        "Figure 1 of the paper for these features, at one moment: the paper draws a network while"
        f" it learns. Records have length 1; up to {collapse_plane.SHOWN} a class, evenly from"
        " their order, are laid at right angles onto the plane through the three means, their"
        " common mean at its middle, one scale for all so that the means have length 1 on average,"
        " turned so that the means lie nearest to a perfect frame's corners. Nothing is drawn at"
        " random."
    )
    _snippet(one, found.classes)
    return chart.table()


def _snippet(one: Features, classes: tuple[int, ...]) -> None:
    """What gives the cosines again, where features are as they came and all records are there."""
    spec = one.quiet[0].spec
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
