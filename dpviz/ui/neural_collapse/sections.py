"""Views of the Neural collapse page; each draws its chart and returns its table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields

import streamlit as st

from dpviz.data import DATASETS, synthetic
from dpviz.diagnostics import collapse_measures, collapse_plane
from dpviz.experiments import experiment, reproduce, result_files
from dpviz.formatting import listed, literal, minus, rounded, unbroken
from dpviz.plots.collapse import ClassPlane, ClassShift
from dpviz.text import neural_collapse as text
from dpviz.text.template import render
from dpviz.types import DataConfig, RunSpec, unit_rows
from dpviz.ui.frame import about_numbers, detail_level, page_parts
from dpviz.ui.live import page_caches
from dpviz.ui.neural_collapse import against_dimension, changed_features, theory
from dpviz.ui.neural_collapse.answer import Features, cards_row, rows
from dpviz.ui.neural_collapse.changed_features import KEY, Rows, chosen
from dpviz.ui.neural_collapse.controls import CollapseView
from dpviz.ui.neural_collapse.theory import snippet
from dpviz.ui.widgets import cards, charts, export, section_tabs
from dpviz.ui.widgets.choices import choice
from dpviz.views import neural_collapse_page


def corners(kinds: Sequence[Features], view: CollapseView, metric: str) -> Rows:
    """Draw the records of three classes in the plane of their means."""
    features = chosen(kinds)
    data = experiment.prepared(features.quiet[0].spec)
    if data.classes < 3:
        st.info(render(text.CORNERS_FEW, classes=data.classes))
        return []
    names = {str(c): literal(name) for c, name in enumerate(data.class_names)}
    first = tuple(str(c) for c in collapse_plane.first_three(data.counts))
    picked = choice(
        *(st.multiselect, text.CORNERS_LABEL, names, first, f"three{data.classes}"),
        max_selections=3,
    )
    if len(picked) != 3:
        st.info(render(text.CORNERS_CHOOSE, missing=3 - len(picked)))
        return []
    plane = collapse_plane.plane(data, tuple(sorted(int(c) for c in picked)))
    titles = [data.class_names[c] for c in plane.classes]
    chart = ClassPlane(tuple(titles), plane.points, plane.means, collapse_plane.CORNERS)
    cosines = listed([minus(f"{v:z.2f}") for v in plane.between])
    share = float(plane.within_share)
    title = features.source.title
    st.markdown(render(text.CORNERS, title=title, cosines=cosines, share=share))
    cards.private_view()
    charts.plot(chart, f"{KEY}-corners")
    st.caption(render(text.CORNERS_CAPTION, most=collapse_plane.MAX_DRAWN_RECORDS))
    _snippet(features, plane.classes)
    return chart.table()


def _snippet(kind: Features, classes: tuple[int, ...]) -> None:
    """Draw code for the cosines, where features are unchanged and all records are used."""
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


#: Numbers in the largest data set that is trained on once more.
MAX_NUMBERS = 3_000_000


def caption(view: CollapseView, kinds: Sequence[Features]) -> None:
    """Draw how to read the main chart."""
    cards.private_view()
    if view.without_persons:
        titles = [source.title for source in view.without_persons]
        st.caption(render(text.LEFT_OUT, titles=titles))
    noises = [kind.noise for kind in kinds]
    words = [text.CAPTION.fill(detail_level.precise())]
    if neural_collapse_page.alike(noises):
        words.insert(0, text.EQUAL_NOISE)
    page_parts.caption(" ".join(words))


@page_caches.cached_by_content(20, text.NC3_RUNNING)
def _trained(spec: RunSpec) -> tuple[float, float]:
    """Return NC3 and NC4."""
    data, rule = experiment.prepared(spec), experiment.release(spec)
    means, x = collapse_measures.measure(data).means, unit_rows(data.x)
    nc4 = collapse_measures.nc4(x, rule.predict(data.x), means)
    return collapse_measures.nc3(means, rule.weights), nc4


def classes(kinds: Sequence[Features], view: CollapseView, metric: str) -> Rows:
    """Draw the shift by class and the cosines between classes."""
    features = chosen(kinds)
    spec, m = features.quiet[0].spec, features.measures
    data = experiment.prepared(spec)
    chart = ClassShift.from_measures(data.class_names, m.cosines, m.beta, m.y)
    cards.private_view()
    short = lambda value: float(rounded(value, 2))
    third = text.CLASSES_NO_NC3
    if data.x.size <= MAX_NUMBERS:
        nc3, nc4 = _trained(spec)
        third = render(text.CLASSES_NC3, nc3=short(nc3), nc4=nc4)
    measures = render(
        text.CLASSES,
        title=features.source.title,
        nc1=short(m.nc1),
        lengths=m.nc2,
        angle=short(m.nc2_angle),
        ideal=minus(f"{m.corner:.2f}"),
    )
    st.markdown(unbroken(f"{measures} {third}"))
    left, right = st.columns(2)
    with left:
        figure, alt = chart.shift_figure(), chart.shift_alt()
        charts.show(figure, alt, f"{KEY}-shift")
    with right:
        charts.plot(chart, f"{KEY}-cosines")
    st.caption(text.CLASSES_CAPTION)
    return chart.table()


#: What draws each view, by its key in the link.
SECTIONS: Mapping[str, Callable[[Sequence[Features], CollapseView, str], Rows]] = {
    "class": classes,
    "dim": changed_features.dimension,
    "moved": against_dimension.perturbed_errors,
    "imbalanced": against_dimension.imbalanced,
    "kept": against_dimension.projected_errors,
    "pca": changed_features.pca,
    "skew": changed_features.skew,
    "step": theory.step,
    "map": theory.shift_map,
    "needed": theory.needed,
    "theorems": theory.theorems,
    "corners": corners,
}
#: Views computed from formulas alone.
WITHOUT_FEATURES = {"needed", "theorems"}
#: Views of each tab.
GROUPS = {
    "classes": ("class", "corners"),
    "dimension": ("dim", "moved", "kept", "pca"),
    "imbalance": ("skew", "imbalanced"),
    "theory": ("step", "map", "needed", "theorems"),
}
#: Title and views of each tab.
TABS = {
    key: (title, {view: text.VIEWS[view] for view in GROUPS.get(key, ())} or {key: title})
    for key, title in text.TABS.items()
}


def details(kinds: Sequence[Features], view: CollapseView, metric: str) -> None:
    """Draw the tabs below the main chart, the open one alone."""
    page_parts.current_page().view = view
    match section_tabs.open_view(TABS, "look", text.VIEW):
        case "cards":
            cards_row(kinds, metric)
            st.caption(render(text.PAPER_SETTING, link=text.PAPER_LINK))
        case section_tabs.TABLE:
            shifts = rows(kinds, metric).table()
            export.table(shifts, f"{KEY}-features", text.TABLE_CHART)
            commands(kinds)
        case section_tabs.ABOUT:
            about_numbers.draw(view)
        case chosen_view:
            table = SECTIONS[chosen_view](kinds, view, metric)
            section_tabs.table_fold(table, f"{KEY}-look", text.TABLE_VIEW)


def commands(kinds: Sequence[Features]) -> None:
    """Draw all runs as CSV, and the command of the first run on each kind of features."""
    results = [r for kind in kinds for r in (*kind.quiet, *kind.noisy)]
    export.download(text.TABLE_RUNS, result_files.as_csv(results), f"{KEY}.csv")
    st.caption(text.TABLE_COMMANDS)
    lines = [reproduce.run_command(kind.noisy[0].spec) for kind in kinds if kind.noisy]
    export.code_block("\n".join(lines))
