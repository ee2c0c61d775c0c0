"""Tab "Image map" of the Data page: map, table of the selected images, links to other pages."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import streamlit as st

from dpviz import data
from dpviz.diagnostics import image_map
from dpviz.diagnostics.image_map import ImageMap
from dpviz.formatting import printable
from dpviz.lazy_imports import pandas as pd
from dpviz.plots.kit import image_sheet
from dpviz.plots.kit.image_sheet import ImageSheet
from dpviz.text import image_map as text
from dpviz.text.template import render, render_text
from dpviz.types import Dataset, DpvizError
from dpviz.ui.data.controls import KEY, Request
from dpviz.ui.frame import page_parts
from dpviz.ui.widgets import cards, selected_images
from dpviz.ui.widgets import image_map as widget
from dpviz.views import row_ranges

#: Session keys of the map drawn last, and of a selection that was refused.
DRAWN_KEY, REFUSED_KEY = f"{KEY}:map", f"{KEY}:map-refused"


@dataclasses.dataclass(frozen=True, eq=False)
class DrawnMap:
    """A map with what its script takes. In one session: thumbnails of an upload are private."""

    fingerprint: str
    images: ImageMap
    script_data: dict[str, Any]


def draw(request: Request, embedded: bool) -> None:
    """Draw the tab."""
    cards.private_view()
    if not embedded:
        st.info(text.NO_FEATURES)
        return
    dataset = data.load(request.dataset, request.encoder, request.public)
    drawn = _drawn_map(dataset)
    images = drawn.images
    position = np.flatnonzero(np.isin(images.rows, selected_images.rows(request.dataset)))
    page_parts.refusals(filter(None, [st.session_state.pop(REFUSED_KEY, None)]))
    chosen = {"chosen": row_ranges.to_text(position)}
    widget.show(
        f"{KEY}-map", drawn.script_data | chosen, lambda sent: _select(sent, request, images)
    )
    captions = _captions(dataset, images, bool(drawn.script_data["sheet"]))
    st.caption(" ".join([*captions, text.HELP]))
    _table(dataset, images, position)


def _drawn_map(dataset: Dataset) -> DrawnMap:
    """Return the map of a data set, that of the last run if it is the same."""
    last = st.session_state.get(DRAWN_KEY)
    if isinstance(last, DrawnMap) and last.fingerprint == dataset.fingerprint:
        return last
    with st.spinner(text.DRAWING):
        images = image_map.image_map(dataset)
        sheet = _sheet(dataset, images)
    alt = render_text(text.ALT, images=len(images), classes=dataset.classes)
    names = list(map(printable, dataset.class_names))
    script_data = widget.script_data(alt, images.places, images.labels, images.rows, names, sheet)
    drawn = DrawnMap(dataset.fingerprint, images, script_data)
    st.session_state[DRAWN_KEY] = drawn
    return drawn


def _sheet(dataset: Dataset, images: ImageMap) -> ImageSheet | None:
    """Return the thumbnails; None, maybe with an error on the page, where there are none."""
    if dataset.thumbnails is None:
        return None
    side = image_sheet.side(len(images))
    try:
        thumbnails = image_map.shrunk_thumbnails(dataset.thumbnails, images.rows, side)
    except DpvizError as error:  # an upload may take too long to draw
        page_parts.refusals([str(error)])
        return None
    return ImageSheet.from_images(thumbnails)


def _select(sent: object, request: Request, images: ImageMap) -> None:
    """Keep what a lasso sent, from a callback; a trigger at rest is None."""
    if sent is None:
        return
    try:
        positions = row_ranges.from_text(sent, len(images))
    except DpvizError as error:
        st.session_state[REFUSED_KEY] = str(error)
        return
    selected_images.keep(request.dataset, images.rows[positions])


def _captions(dataset: Dataset, images: ImageMap, has_thumbnails: bool) -> list[str]:
    captions = [render(text.CAPTION, share=images.share)]
    if len(images) < images.number:
        captions.append(render(text.SAMPLE, shown=len(images), all=images.number))
    if not has_thumbnails:
        captions.append(text.NO_THUMBNAILS)
    if dataset.classes > widget.MAX_NAMED:
        captions.append(render(text.COLORS_REPEAT, classes=dataset.classes))
    return captions


def _table(dataset: Dataset, images: ImageMap, position: np.ndarray) -> None:
    """Draw the selected images, all without a selection, and the links."""
    if not len(position):
        st.markdown(render(text.NONE_SELECTED, shown=len(images)))
        _rows(dataset, images, np.arange(len(images)))
        return
    with st.container(horizontal=True, vertical_alignment="center", key=f"{KEY}-map-selected"):
        classes = _class_counts(dataset, images, position)
        st.markdown(
            render(text.SELECTED, selected=len(position), shown=len(images), classes=classes)
        )
        for page, label in text.OPEN.items():
            st.page_link(page, label=label, icon=":material/arrow_forward:")
        selected_images.clear_button(f"{KEY}-map-clear")
    _rows(dataset, images, position)
    st.caption(text.PRIVATE)


def _class_counts(dataset: Dataset, images: ImageMap, position: np.ndarray) -> list[str]:
    """Return each class of the selected images with its number of images, largest first."""
    counts = np.bincount(images.labels[position], minlength=dataset.classes)
    largest_first = np.argsort(-counts, kind="stable")[: np.count_nonzero(counts)]
    return [
        render_text(
            text.SELECTED_CLASS, name=printable(dataset.class_names[c]), number=int(counts[c])
        )
        for c in largest_first
    ]


def _rows(dataset: Dataset, images: ImageMap, position: np.ndarray) -> None:
    names = np.array([printable(name) for name in dataset.class_names], object)
    columns = {
        "row": images.rows[position],
        "class": names[images.labels[position]],
        "nearest": names[images.nearest[position]],
        "angle": images.angle[position].round(1),
    }
    if images.persons is not None:
        columns["person"] = images.persons[position]
    st.dataframe(
        pd.DataFrame({text.COLUMNS[name]: values for name, values in columns.items()}),
        hide_index=True,
        height=280,
    )
