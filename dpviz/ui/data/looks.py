"""The parts of the page "Data" below the chart: sample pictures, uploads, tables."""

from __future__ import annotations

import shlex
from base64 import b64encode
from itertools import groupby

import pandas as pd
import streamlit as st

from dpviz.data import DATASETS
from dpviz.data.readers import picture_files, picture_sets, uploaded_pictures
from dpviz.data.source import STATES
from dpviz.encoders import ENCODERS
from dpviz.plots.prototype_grid import png
from dpviz.ui.data.controls import KEY, Asked
from dpviz.ui.data.work import Seen, Task, board
from dpviz.ui.live import long_work
from dpviz.ui.widgets import export, text, uploads

STYLE = """<style>
.dp-pics { display: grid; grid-template-columns: repeat(auto-fill, minmax(150px, 1fr)); gap: .7rem; font-size: .8rem; }
.dp-pics div.n { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; opacity: .8; }
.dp-pics img { width: 46px; height: 46px; margin-right: 4px; border-radius: 4px; image-rendering: pixelated; }
</style>"""
MOST = 500
"""Refused files listed on the page; the CSV has all."""
RULES = f"""
- **A zip file** with one folder a class, or `train/<class>/` and `test/<class>/`. Without these two, about one picture in
  {picture_sets.ONE_IN} of each class is a test picture, chosen by a hash of its name, so that no picture's place depends on another's.
- Or **a parquet file** as data set hubs write it: a column of encoded pictures and a column `label`; about one row in
  {picture_sets.ONE_IN} is a test picture, by a hash of its number.
- JPEG, PNG, WebP, BMP, GIF, TIFF or PPM; at most {uploaded_pictures.MAX_MEMBERS:,} files, {uploaded_pictures.MAX_UNPACKED >> 30} GiB unpacked,
  {picture_files.MAX_PIXELS // 10**6} megapixels and {picture_files.MAX_BYTES >> 20} MiB each. What cannot be used is left out and listed with its reason.
- Kept in this server's cache folder; whoever has the link can see results on it.
"""


def samples(held: Seen) -> str:
    """A few training pictures a class as HTML."""
    cells = []
    for label, rows in groupby(
        zip(held.rows, held.shown, strict=True), key=lambda pair: pair[0][1]
    ):
        name = text.plain(held.names[label])
        images = "".join(
            _image(picture, f"training picture {row} of class {held.names[label]}")
            for (row, _), picture in rows
        )
        cells.append(f'<div><div class="n" title="{name}">{name}</div>{images}</div>')
    return (
        f'{STYLE}<div class="dp-pics" role="group" aria-label="A few training pictures of the first'
        f' classes">{"".join(cells)}</div>'
    )


def _image(picture, words: str) -> str:
    return (
        f'<img alt="{text.plain(words)}" title="{text.plain(words)}"'
        f' src="data:image/png;base64,{b64encode(png(picture)).decode()}">'
    )


# ------------------------------------------------------------------------------------------ uploads


def upload() -> None:
    """The upload of pictures with its table of used and refused."""
    st.header("Pictures of your own")
    st.markdown(RULES)

    def take() -> None:
        file = st.session_state.get("pictures")
        if file is not None:
            st.session_state[f"{KEY}:sorting"] = uploads.keep_unsorted(file.getvalue())

    st.file_uploader(
        "Pictures (.zip or .parquet)",
        type=["zip", "parquet"],
        key="pictures",
        on_change=take,
        max_upload_size=uploads.MEGABYTES,
    )
    name = st.session_state.get(f"{KEY}:sorting")
    if name:
        _sorted(name)


def _sorted(name: str) -> None:
    group = (Task("sort", name),)
    status = st.empty()
    job = long_work.collect(f"{KEY}-sort", [group], status, lambda job: None, on=board())
    text.refusals(job.errors.values())
    if group not in job.done:
        return
    found = job.done[group][0]
    uploads.mine(name)
    classes = sorted({label for _, _, label in found.used})
    st.markdown(
        f"**{len(found.used):,} used, {len(found.refused):,} refused**; {len(classes)} classes:"
        f" {text.literal(', '.join(classes[:12]))}{' …' if len(classes) > 12 else ''}."
    )
    st.button(
        "Choose this upload as the data set",
        on_click=_choose(name),
        icon=":material/check:",
        key=f"{KEY}-choose",
    )
    refusals(found.refused)


def _choose(name: str):
    def choose() -> None:
        st.session_state["data"] = name

    return choose


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
        st.download_button(
            "All as CSV",
            frame.to_csv(index=False),
            "refused.csv",
            "text/csv",
            on_click="ignore",
            icon=":material/download:",
        )


def printable(name: str) -> str:
    """A stranger's file name with signs that do not print written out."""
    return name if name.isprintable() else ascii(name)[1:-1]


# ------------------------------------------------------------------------------------------- tables


def tables(asked: Asked, held: Seen | None) -> None:
    """All data sets, all encoders, the class counts, and the commands."""
    with st.expander("All data sets: where each stands and how to get it"):
        rows = [_line(row) for row in DATASETS.values()]
        st.dataframe(pd.DataFrame(rows), hide_index=True, height=420)
    with st.expander("All encoders"):
        fields = ("key", "title", "dim", "size", "trained_on", "licence", "source")
        st.dataframe(
            pd.DataFrame([{f: getattr(row, f) for f in fields} for row in ENCODERS.values()]),
            hide_index=True,
        )
    _counts(asked, held)


def _counts(asked: Asked, held: Seen | None) -> None:
    """The class counts, and the command that embeds."""
    fold = export.fold()
    if fold is None:
        return
    with fold:
        if held:
            export.table(
                pd.DataFrame(
                    {"class": map(printable, held.names), "train": held.train, "test": held.test}
                ),
                KEY,
                "Class counts",
            )
        st.caption(
            "The same from a shell in the project's folder; it downloads what it must and goes on"
            " where it stopped:"
        )
        words = [
            "python",
            "-m",
            "dpviz",
            "embed",
            "--dataset",
            asked.dataset,
            "--encoder",
            asked.encoder,
            "--public",
            asked.public,
        ]
        st.code(shlex.join(words), language="bash", wrap_lines=True)
        st.caption(
            "`python -m dpviz list datasets --json` tells where every set stands; `--dataset` also"
            " takes a folder, .zip or .parquet of pictures."
        )


def _line(row) -> dict[str, object]:
    use = " and ".join(row.roles)
    line = {
        "key": row.key,
        "title": row.title,
        "stands": ": ".join(filter(None, (STATES[row.state], row.where()))),
        "use": use,
        "classes": row.classes or None,
        "holds": row.size,
    }
    sums = ", ".join(archive.md5 for archive in row.archives)
    return line | {
        "licence": row.terms,
        "checked with": row.checked,
        "source": row.source,
        "how to get it": row.get(),
        "md5": sums,
    }
