"""What stands below the chart of the page "Data": sample pictures, tables and the command."""

from __future__ import annotations

from itertools import groupby

import numpy as np
import streamlit as st

from dpviz.data import DATASETS
from dpviz.data.source import Source
from dpviz.encoders import availability
from dpviz.formatting import plain, printable
from dpviz.lazy_imports import pandas as pd
from dpviz.plots.by_class import PersonSizes
from dpviz.plots.kit.png import data_url, smoothed
from dpviz.run import reproduce
from dpviz.run.embedding_work import SetContents
from dpviz.ui.data.controls import KEY, Request
from dpviz.ui.widgets import export

STYLE = """<style>
.dp-pics { display: grid; grid-template-columns: repeat(auto-fill, minmax(150px, 1fr)); \
gap: .7rem; font-size: .8rem; }
.dp-pics div.n { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; opacity: .8; }
.dp-pics img { width: 46px; height: 46px; margin-right: 4px; border-radius: 4px; }
</style>"""


def samples(held: SetContents) -> str:
    """A few training pictures a class as HTML."""
    cells = []
    by_class = groupby(zip(held.rows, held.shown, strict=True), key=lambda pair: pair[0][1])
    for label, rows in by_class:
        name = plain(held.names[label])
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


def tables(request: Request, held: SetContents | None) -> None:
    """All data sets, all encoders, the class counts, and the commands."""
    with st.expander("All data sets: where each stands and how to get it"):
        rows = [_line(row) for row in DATASETS.values()]
        st.dataframe(pd.DataFrame(rows), hide_index=True, height=420)
    with st.expander("All encoders"):
        st.dataframe(pd.DataFrame(availability.known_encoders()), hide_index=True)
        st.caption("Any other model of timm is `timm:NAME`, typed into the control.")
    if fold := export.fold():
        with fold:
            _counts(request, held)


def _counts(request: Request, held: SetContents | None) -> None:
    """The class counts, and the command that embeds."""
    if held:
        counts = {"class": map(printable, held.names), "train": held.train, "test": held.test}
        export.table(pd.DataFrame(counts), KEY, "Class counts")
        if held.sent:
            sizes = PersonSizes.from_counts(held.sent).table()
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
