"""The public picture that stands for each class, and how like its records it is: a table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from dpviz.plots.kit.png import data_url, smoothed
from dpviz.plots.kit.style import ACCENT, ORANGE, WRONG, ink
from dpviz.plots.prototype_grid import limited


@dataclass(frozen=True, eq=False)
class ClassLike:
    """One class.

    Attributes:
        name, minority: of the class; named: whether public pictures bear its name, None where they
            bear none at all; picture: (h, w) or (h, w, 3) uint8, or None; called: what the public
            picture is labelled, or None.
        nearest: mean cosine between the picture and the class's records; among: between two of
            them, NaN where there is one.
    """

    name: str
    minority: bool
    named: bool | None
    picture: np.ndarray | None
    called: str | None
    nearest: float
    among: float


STYLE = f"""<style>
.cl {{ border-collapse: collapse; font-size: .85rem; }}
.cl th {{ font-weight: 400; opacity: .8; vertical-align: bottom; }}
.cl :is(th, td) {{ text-align: left; padding: .15rem .9rem .15rem 0; }}
.cl img {{ width: 46px; height: 46px; border-radius: 4px; vertical-align: middle; \
margin-right: .5rem; }}
.cl .m {{ color: {ink(ACCENT)}; text-decoration: underline; }}
.cl .no {{ color: {ink(WRONG)}; font-weight: 700; }}
.cl .b {{ display: inline-block; width: 80px; vertical-align: middle; margin-right: .5rem; }}
.cl .b i {{ display: block; height: .7em; background: {ORANGE}; border-radius: 2px; }}
.cl-box {{ overflow-x: auto; }}
@media (max-width: 640px) {{ .cl .b {{ display: none; }} \
.cl :is(th, td) {{ padding-right: .5rem; }} }}
</style>"""
HEADS = (
    "class",
    "public class of its name",
    "best public picture",
    "like its records",
    "two records like each other",
)


def html(rows: Sequence[ClassLike]) -> str:
    """The table, rows in the order given; of very many classes the first and the last."""
    head = "".join(f"<th>{words}</th>" for words in HEADS)
    body = "".join(f"<tr>{_cells(rows[k])}</tr>" for k in limited(range(len(rows))))
    return (
        f'{STYLE}<div class="cl-box" tabindex="0" role="group" aria-label="How like each class the'
        f' public picture is that stands for it"><table class="cl"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _cells(row: ClassLike) -> str:
    name = f'<span class="m">{escape(row.name)}</span>' if row.minority else escape(row.name)
    named = {True: "yes", False: '<span class="no">none</span>', None: "no names"}[row.named]
    called = escape(row.called or "")
    face = ""
    if row.picture is not None:
        words = f"Public picture labelled {called}" if called else "Public picture"
        style = smoothed(row.picture)
        face = f'<img alt="{words}" style="{style}" src="{data_url(row.picture)}">'
    cells = [name, named, f"{face}{called}", *map(_cosine, (row.nearest, row.among))]
    return "".join(f"<td>{cell}</td>" for cell in cells)


def _cosine(value: float) -> str:
    if math.isnan(value):
        return "one record"
    bar = f'<span class="b"><i style="width:{100 * min(max(value, 0), 1):.0f}%"></i></span>'
    return f"{bar}{value:.2f}"
