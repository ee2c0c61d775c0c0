"""Sample images of a data set as HTML."""

from __future__ import annotations

from collections import Counter
from itertools import groupby

import numpy as np

from dpviz.experiments.embedding_work import SetContents
from dpviz.formatting import plain
from dpviz.plots.kit.png import data_url, smoothed
from dpviz.text import data as text
from dpviz.text.template import render_text

#: Pixels of a class in the row of all classes.
MAX_CELL = 140
STYLE = """<style>
.dp-pics { display: grid; grid-template-columns: repeat(auto-fill, minmax(150px, 1fr)); \
gap: .7rem; font-size: .8rem; }
.dp-pics div.n { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; opacity: .8; }
.dp-one { display: grid; gap: .7rem; \
grid-template-columns: repeat(auto-fit, minmax(min(84px, 17%), 1fr)); \
text-align: center; }
.dp-one img { width: 100%; aspect-ratio: 1; object-fit: cover; \
border-radius: 6px; display: block; }
.dp-one span { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; \
font-size: .875rem; font-weight: 600; }
.dp-pics img { width: 46px; height: 46px; margin-right: 4px; border-radius: 4px; }
</style>"""


def per_class(contents: SetContents) -> str:
    """Return a few training images per class as HTML."""
    cells = []
    by_class = groupby(
        zip(contents.rows, contents.images, strict=True), key=lambda pair: pair[0][1]
    )
    for label, rows in by_class:
        name = plain(contents.names[label])
        images = "".join(
            _image(picture, render_text(text.SAMPLE, row=str(row), name=name))
            for (row, _), picture in rows
        )
        cells.append(f'<div><div class="n" title="{name}">{name}</div>{images}</div>')
    return (
        f'{STYLE}<div class="dp-pics" role="group" aria-label="{text.SAMPLES}">'
        f"{''.join(cells)}</div>"
    )


def previewed(contents: SetContents) -> int:
    """Return the largest number of previewed images of a class."""
    return max(Counter(label for _, label in contents.rows).values(), default=0)


def one_per_class(contents: SetContents) -> str:
    """Return an image of each class as HTML: of its previewed ones, that nearest to their mean."""
    labels = np.array([label for _, label in contents.rows])
    cells = []
    for label in np.unique(labels):
        members = np.flatnonzero(labels == label)
        images = contents.images[members].reshape(len(members), -1).astype(float)
        distances = ((images - images.mean(axis=0)) ** 2).sum(axis=1)
        place = members[distances.argmin()]
        row, picture = contents.rows[place][0], contents.images[place]
        name = plain(contents.names[label])
        image = _image(picture, render_text(text.SAMPLE, row=str(row), name=name))
        cells.append(f'<div><span title="{name}">{name}</span>{image}</div>')
    return (
        f'{STYLE}<div class="dp-one" style="max-width: {MAX_CELL * len(cells)}px" role="group"'
        f' aria-label="{text.SAMPLES}">'
        f"{''.join(cells)}</div>"
    )


def _image(picture: np.ndarray, words: str) -> str:
    source, style = data_url(picture), smoothed(picture)
    return f'<img alt="{words}" title="{words}" style="{style}" src="{source}">'
