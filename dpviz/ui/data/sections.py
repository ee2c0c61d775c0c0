"""Sections of the page "Data": uploads of images, samples, tables and commands."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import numpy as np
import streamlit as st

from dpviz.data import DATASETS, limits, uploads
from dpviz.data.readers import class_lists, folders, picture_sets
from dpviz.data.source import Source
from dpviz.encoders import availability
from dpviz.formatting import literal, plain, printable
from dpviz.lazy_imports import pandas as pd
from dpviz.machine import ownership
from dpviz.machine.files import write_atomic
from dpviz.plots.by_class import PersonSizes
from dpviz.plots.kit.png import data_url, smoothed
from dpviz.run import reproduce
from dpviz.run.embedding_work import PICTURE_WORK, SetContents, Task
from dpviz.types import DpvizError
from dpviz.ui.data.controls import KEY, Request, choose_once
from dpviz.ui.frame import page_parts, visitor
from dpviz.ui.live import long_work
from dpviz.ui.widgets import cards, export, uploader
from dpviz.views import data_page

MAX_ROWS = 500
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
SORTING_KEY = f"{KEY}:sorting"
UNCONFIRMED_KEY = f"{KEY}:unconfirmed"
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
    if (name := st.session_state.get(SORTING_KEY)) and uploads.exists(name):
        _sorted(name)
    uploader.all_mine()


def _take() -> None:
    file = st.session_state.get("pictures")
    if file is not None:
        st.session_state[SORTING_KEY] = uploader.store_upload(uploads.keep_unsorted, file)


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
    texts = [
        data_page.persons_sentence(members.images_per_person, "pictures used"),
        *map(literal, members.notes),
    ]
    st.markdown(" ".join(texts))
    refusals(members.refused)


def class_list(dataset: str, contents: SetContents) -> None:
    """The list of classes of an upload, to be confirmed by its owner."""
    name = Path(dataset).stem
    if not uploads.is_upload(Path(dataset)) or not _owned(name):
        return
    with st.expander("List of classes"):
        st.caption(CLASSES)
        st.text_area("Classes, one per line", "\n".join(contents.names), key=_classes_key(name))
        st.button("Confirm this list", on_click=_confirm, args=(name,), key=f"{KEY}-confirm")
        if sentence := st.session_state.pop(UNCONFIRMED_KEY, None):
            page_parts.refusals([sentence])


def _classes_key(name: str) -> str:
    return f"{KEY}-classes-{name}"


def _owned(name: str) -> bool:
    return any(visitor.is_own(subject) for subject in ownership.owners(name))


def _confirm(name: str) -> None:
    """Keep a list of classes beside the upload, if it has every class that images are of."""
    try:
        text = st.session_state[_classes_key(name)].encode(errors="replace")
        names = class_lists.parsed(text, "The list")
        folders.read(uploads.path(name), classes=names)
    except DpvizError as error:
        st.session_state[UNCONFIRMED_KEY] = str(error)
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
        st.dataframe(frame.head(MAX_ROWS), hide_index=True)
        export.csv("All as CSV", frame, "refused.csv")


STYLE = """<style>
.dp-pics { display: grid; grid-template-columns: repeat(auto-fill, minmax(150px, 1fr)); \
gap: .7rem; font-size: .8rem; }
.dp-pics div.n { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; opacity: .8; }
.dp-pics img { width: 46px; height: 46px; margin-right: 4px; border-radius: 4px; }
</style>"""


def samples(contents: SetContents) -> str:
    """A few training pictures a class as HTML."""
    cells = []
    by_class = groupby(
        zip(contents.rows, contents.images, strict=True), key=lambda pair: pair[0][1]
    )
    for label, rows in by_class:
        name = plain(contents.names[label])
        images = "".join(
            _image(picture, f"training picture {row} of class {name}") for (row, _), picture in rows
        )
        cells.append(f'<div><div class="n" title="{name}">{name}</div>{images}</div>')
    return (
        f'{STYLE}<div class="dp-pics" role="group" aria-label="A few training pictures of the first'
        f' classes">{"".join(cells)}</div>'
    )


def _image(picture: np.ndarray, words: str) -> str:
    source, style = data_url(picture), smoothed(picture)
    return f'<img alt="{words}" title="{words}" style="{style}" src="{source}">'


def tables(request: Request, contents: SetContents | None) -> None:
    """All data sets, all encoders, the class counts, and the commands."""
    with st.expander("All data sets: where each stands and how to get it"):
        rows = [_line(row) for row in DATASETS.values()]
        st.dataframe(pd.DataFrame(rows), hide_index=True, height=420)
    with st.expander("All encoders"):
        st.dataframe(pd.DataFrame(availability.known_encoders()), hide_index=True)
        st.caption("Any other model of timm is `timm:NAME`, typed into the control.")
    if fold := export.fold():
        with fold:
            _counts(request, contents)


def _counts(request: Request, contents: SetContents | None) -> None:
    """The class counts, and the command that embeds."""
    if contents:
        counts = {
            "class": map(printable, contents.names),
            "train": contents.train,
            "test": contents.test,
        }
        export.table(pd.DataFrame(counts), KEY, "Class counts")
        if contents.person_sizes:
            sizes = PersonSizes.from_counts(contents.person_sizes).table()
            export.table(sizes, f"{KEY}-persons", "Pictures of each person")
    st.caption(
        "The same from a shell in the project's folder; it downloads what it must and goes on where"
        " it stopped:"
    )
    export.code(reproduce.embed_command(request.dataset, request.encoder, request.public))
    st.caption(
        "`python -m dpviz list datasets --json` tells where every set stands; `--dataset` also"
        " takes a folder, .zip or .parquet of pictures."
    )


def _line(row: Source) -> dict[str, object]:
    return {
        "key": row.key,
        "title": row.title,
        "stands": row.state_text,
        "use": " and ".join(row.roles),
        "classes": row.classes or None,
        "holds": row.size,
        "licence": row.terms,
        "checked with": row.checked,
        "source": row.source,
        "how to get it": row.get(),
        "checksum": ", ".join(archive.published for archive in row.archives),
    }
