"""Pictures of one's own on the page "Data": the upload, what was used of it, what was refused."""

from __future__ import annotations

import streamlit as st

from dpviz.data import limits, uploads
from dpviz.data.readers import division
from dpviz.lazy_imports import pandas as pd
from dpviz.run.embedding_work import PICTURE_WORK, Task
from dpviz.ui.data.controls import KEY, choose_once
from dpviz.ui.live import long_work
from dpviz.ui.widgets import cards, export, uploader
from dpviz.views import persons_in_words
from dpviz.words import literal, printable

MOST = 500
"""Refused files listed on the page; the CSV has all."""
RULES = f"""
- **A zip file** with one folder a class, or `train/<class>/` and `test/<class>/`. Without these \
two, about one picture in
  {division.ONE_IN} of each class is a test picture, chosen by a hash of its name, so that no \
picture's place depends on another's, unless a class would be in one part alone.
- Or **a parquet file** as data set hubs write it: a column of encoded pictures and a column \
`label`; about one row in
  {division.ONE_IN} is a test picture, by a hash of its number.
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
    if (name := st.session_state.get(SORTING)) and uploads.there(name):
        _sorted(name)
    uploader.all_mine()


def _take() -> None:
    file = st.session_state.get("pictures")
    if file is not None:
        st.session_state[SORTING] = uploader.kept(uploads.keep_unsorted, file)


def _sorted(name: str) -> None:
    members = long_work.one(f"{KEY}-sort", Task("sort", name), PICTURE_WORK)
    if members is None:
        return
    choose_once(name)
    classes = sorted({label for _, _, label in members.used})
    st.markdown(
        f"**{len(members.used):,} used, {len(members.refused):,} refused**; {len(classes)} classes:"
        f" {literal(', '.join(classes[:12]))}{' …' if len(classes) > 12 else ''}."
    )
    if members.sent:
        cards.private_view()
    told = [persons_in_words.sentence(members.sent, "pictures used"), *map(literal, members.notes)]
    st.markdown(" ".join(told))
    refusals(members.refused)


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
