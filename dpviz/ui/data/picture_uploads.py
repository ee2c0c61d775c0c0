"""Pictures of one's own on the page "Data": the upload, what was used of it, what was refused."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dpviz.data import limits, uploads
from dpviz.data.readers import class_lists, folders, picture_sets
from dpviz.formatting import literal, printable
from dpviz.lazy_imports import pandas as pd
from dpviz.machine import ownership
from dpviz.machine.files import write_atomic
from dpviz.run.embedding_work import PICTURE_WORK, SetContents, Task
from dpviz.types import DpvizError
from dpviz.ui.data.controls import KEY, choose_once
from dpviz.ui.frame import page_parts, visitor
from dpviz.ui.live import long_work
from dpviz.ui.widgets import cards, export, uploader
from dpviz.views import persons_in_words

MOST = 500
"""Refused files listed on the page; the CSV has all."""
RULES = f"""
- **A zip file** with one folder per class, or `train/<class>/` and `test/<class>/`. Without \
these two, about one image in
  {picture_sets.TEST_ONE_IN} is for the test, by a hash of its name alone.
- Or **a parquet file** as data set hubs write it, with a column of encoded images and a column \
`label`. About one row in
  {picture_sets.TEST_ONE_IN} is for the test, by a hash of its image alone.
- Your classes: a file `classes.txt` in the zip with one name per line. Without it the names are \
read from the images, and every guarantee says so.
- Whose they are, where you know it: `people.csv` with columns `image` and `person`, folders \
`<class>/<person>/`, or a column
  `person` in parquet; features (.npz) say it by an array `persons`. \
Nobody is then in training and in test, unless your folders say so. \
Of pictures that are used a number is kept for each person, no name.
- JPEG, PNG, WebP, BMP, GIF, TIFF or PPM; at most {limits.MEMBERS:,} files, \
{limits.UNPACKED >> 30} GiB unpacked,
  {limits.PICTURE_PIXELS // 10**6} megapixels and {limits.PICTURE_BYTES >> 20} MiB each. \
What cannot be used is left out and listed with its reason.
- Kept in this server's cache folder; whoever has the link can see results on it, and nobody else \
is told of it.
"""
SORTING = f"{KEY}:sorting"
UNCONFIRMED = f"{KEY}:unconfirmed"
CLASSES = (
    "No guarantee covers the list of classes. Confirm it from what you know, not from the images."
    " A class in the list may have no image."
)


def upload() -> None:
    """The upload with its table of used and refused."""
    st.header("Pictures of your own")
    st.markdown(RULES)
    st.file_uploader(
        "Pictures (.zip or .parquet)",
        type=["zip", "parquet"],
        key="pictures",
        on_change=_take,
        max_upload_size=limits.UPLOAD_MEGABYTES,
    )
    uploader.larger("python -m dpviz embed --dataset FOLDER --encoder ENCODER")
    uploader.refused()
    if (name := st.session_state.get(SORTING)) and uploads.exists(name):
        _sorted(name)
    uploader.all_mine()


def _take() -> None:
    file = st.session_state.get("pictures")
    if file is not None:
        st.session_state[SORTING] = uploader.store_upload(uploads.keep_unsorted, file)


def _sorted(name: str) -> None:
    members = long_work.run_one(f"{KEY}-sort", Task("sort", name), PICTURE_WORK)
    if members is None:
        return
    choose_once(name)
    classes = sorted({label for _, _, label in members.used})
    st.markdown(
        f"**{len(members.used):,} used, {len(members.refused):,} refused**; {len(classes)} classes:"
        f" {literal(', '.join(classes[:12]))}{' …' if len(classes) > 12 else ''}."
    )
    if members.images_per_person:
        cards.private_view()
    told = [
        persons_in_words.sentence(members.images_per_person, "pictures used"),
        *map(literal, members.notes),
    ]
    st.markdown(" ".join(told))
    refusals(members.refused)


def class_list(dataset: str, held: SetContents) -> None:
    """The list of classes of an upload, to be confirmed by its owner."""
    name = Path(dataset).stem
    if not uploads.is_upload(Path(dataset)) or not _owned(name):
        return
    with st.expander("List of classes"):
        st.caption(CLASSES)
        st.text_area("Classes, one per line", "\n".join(held.names), key=_classes_key(name))
        st.button("Confirm this list", on_click=_confirm, args=(name,), key=f"{KEY}-confirm")
        if sentence := st.session_state.pop(UNCONFIRMED, None):
            page_parts.refusals([sentence])


def _classes_key(name: str) -> str:
    return f"{KEY}-classes-{name}"


def _owned(name: str) -> bool:
    return any(visitor.is_own(who) for who in ownership.owners(name))


def _confirm(name: str) -> None:
    """Keep a list of classes beside the upload, if it has every class that images are of."""
    try:
        text = st.session_state[_classes_key(name)].encode(errors="replace")
        names = class_lists.parsed(text, "The list")
        folders.read(uploads.path(name), classes=names)
    except DpvizError as error:
        st.session_state[UNCONFIRMED] = str(error)
        return
    content = "\n".join(names).encode()
    write_atomic(uploads.classes(name), lambda file: file.write(content))


def refusals(refused: tuple[tuple[str, str], ...]) -> None:
    """Files left out with their reasons: how many of each, and a table."""
    if not refused:
        return
    frame = pd.DataFrame(refused, columns=["file", "reason"]).map(printable)
    st.dataframe(
        frame.groupby("reason").size().rename("files").sort_values(ascending=False).reset_index(),
        hide_index=True,
    )
    with st.expander(f"Each of the {len(frame):,} files left out"):
        st.dataframe(frame.head(MOST), hide_index=True)
        export.csv("All as CSV", frame, "refused.csv")
