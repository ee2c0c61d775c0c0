"""The pictures that stand for the classes: seeds by classes, or classes by budgets, as one compact
HTML grid.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from dpviz.formatting import share
from dpviz.plots.kit.png import data_url, smoothed
from dpviz.plots.kit.style import ACCENT, FAINT, ORANGE, RIGHT, WRONG, ink

MOST = 20
"""Classes drawn; more would not be looked at."""
LETTER, PHONE = 7, 300
"""Pixels of a letter of a class's name on a narrow screen, and of the room there."""


@dataclass(frozen=True, eq=False)
class Tile:
    """One chosen public picture.

    Attributes:
        row: in the public set; picture: (h, w) or (h, w, 3) uint8, or None; name: of its public
            label, or None.
        own: it bears the name of its class; accuracy: of the class it stands for, with this draw.
        probability: with which it was chosen, or None.
    """

    row: int
    picture: np.ndarray | None
    name: str | None
    own: bool
    accuracy: float
    probability: float | None = None

    @property
    def failed(self) -> bool:
        """Fewer than half of the class's test records are right."""
        return self.accuracy < 0.5


@dataclass(frozen=True, eq=False)
class Grid:
    """Rows of tiles with a head above each column and beside each row; ``marked`` columns are set
    off.
    """

    heads: tuple[str, ...]
    sides: tuple[str, ...]
    tiles: tuple[tuple[Tile, ...], ...]
    marked: tuple[bool, ...] = ()


def chance(p: float) -> str:
    """A probability in few signs: 97 %, 4 %, 2e-5."""
    if p >= 0.995 or p == 0:
        return "> 99 %" if p else "0"
    return f"{100 * p:.2g} %" if p >= 0.001 else f"{p:.0e}".replace("e-0", "e-")


STYLE = f"""<style>
.pg {{ display: grid; gap: 6px; overflow-x: auto; align-items: start; font-size: .74rem; \
line-height: 1.2; }}
.pg .h {{ text-align: center; font-weight: 600; font-size: .95rem; overflow: hidden; \
text-overflow: ellipsis; padding-bottom: 3px; }}
.pg .s {{ align-self: center; opacity: .8; text-align: right; padding-right: 2px; \
white-space: nowrap; }}
.pg .m {{ color: {ink(ACCENT)}; text-decoration: underline; text-decoration-thickness: 2px; \
text-underline-offset: 3px; }}
.pg .t {{ text-align: center; min-width: 0; container-type: inline-size; }}
.pg .f, .pg .n {{ width: 100%; aspect-ratio: 1; display: block; border-radius: 3px; }}
.pg .f {{ background-position: center; background-size: contain; background-repeat: no-repeat; }}
.frames > div {{ display: none; }} .frames > .on {{ display: block; }} .frames p {{ \
margin: 0 0 .4rem; }}
.pg .n {{ background: {FAINT}; display: grid; place-items: center; }}
.pg .bad .f, .pg .bad .n {{ opacity: .5; outline: 2px solid {WRONG}; outline-offset: -2px; }}
.pg .bar {{ height: 4px; background: {FAINT}; border-radius: 2px; margin: 3px 0 2px; }}
.pg .bar i {{ display: block; height: 100%; background: {ORANGE}; border-radius: 2px; }}
.pg .ok {{ color: {ink(RIGHT)}; font-weight: 700; }} .pg .no {{ color: {ink(WRONG)}; \
font-weight: 700; }}
.pg .p {{ opacity: .8; white-space: nowrap; }}
@container (max-width: 50px) {{ .pg .p {{ display: none; }} }}
.pg.small {{ gap: 3px; }} .pg.small .h {{ font-size: .74rem; }}
.pg-more {{ display: none; opacity: .8; text-align: right; }}
@media (max-width: 640px) {{ .pg {{ gap: 3px; font-size: .6rem; }} .pg .p {{ display: none; }} \
.pg.long .h {{ font-size: .75rem; }} .pg.long .p {{ display: block; }} .pg-more {{ \
display: block; font-size: .75rem; }} .pg.small .h {{ font-size: .55rem; }} \
.pg .s {{ font-size: .6rem; }} }}
</style>"""


def html(grid: Grid, words: str, small: bool = False) -> str:
    """The grid; ``words`` say what it is for those who cannot see it.

    Args:
        small: pictures alone, without text below them.
    """
    return f"{STYLE}{_pictures([grid])}{_body(grid, words, small)}"


def _body(grid: Grid, words: str, small: bool) -> str:
    least, most = (20, 58) if small else (30, 84)
    wide = LETTER * max(map(len, grid.heads), default=0)
    long = not small and wide > least  # names stay legible where it is narrow: the grid scrolls
    least = min(most, wide) if long else least
    columns = (
        f"grid-template-columns: max-content repeat({len(grid.heads)},"
        f" minmax({least}px, var(--most, {most}px))); --rows: {len(grid.sides)};"
    )
    marks = grid.marked or (False,) * len(grid.heads)
    cells = ["<div></div>", *(_head(h, m) for h, m in zip(grid.heads, marks, strict=True))]
    for side, row in zip(grid.sides, grid.tiles, strict=True):
        cells.append(f'<div class="s">{escape(side)}</div>')
        cells += [
            _tile(tile, f"{side}, {head}" if side else head, small)
            for tile, head in zip(row, grid.heads, strict=True)
        ]
    size = " small" if small else " long" if long else ""
    hidden = long and len(grid.heads) * least > PHONE
    more = f'<div class="pg-more">{len(grid.heads)} columns: swipe for the rest →</div>'
    return (
        f'{more if hidden else ""}<div class="pg{size}" style="{columns}" tabindex="0" role="group"'
        f' aria-label="{escape(words)}">{"".join(cells)}</div>'
    )


def frames(grids: Sequence[tuple[str, str, Grid]], now: int, words: str) -> str:
    """Several grids of which one is shown, the others a class name ("on") away; each picture is
    told once.

    Args:
        grids: name, a line above it, and grid; now: place of the one that is shown.
    """
    pages = []
    for place, (name, line, grid) in enumerate(grids):
        shown = ' class="on"' if place == now else ""
        pages.append(
            f"<div{shown}"
            f' data-name="{escape(name)}"><p>{escape(line)}</p>{_body(grid, words, False)}</div>'
        )
    return (
        f"{STYLE}{_pictures([grid for _, _, grid in grids])}<div"
        f' class="frames">{"".join(pages)}</div>'
    )


def _pictures(grids: Sequence[Grid]) -> str:
    """Each distinct picture once, as the background of a class of its own."""
    tiles = {
        _class(tile.picture): tile.picture
        for grid in grids
        for row in grid.tiles
        for tile in row
        if tile.picture is not None
    }
    rules = [
        f".pg .{name} {{ background-image: url({data_url(picture)}); {smoothed(picture)} }}"
        for name, picture in tiles.items()
    ]
    return f"<style>{' '.join(rules)}</style>" if rules else ""


def _class(picture: np.ndarray) -> str:
    return f"p{zlib.crc32(picture.tobytes()):08x}{picture.shape[0]}"


def underline(column: int) -> str:
    """Style that sets off a column's head in the small grid: the grid itself stays as it is when
    the column moves.
    """
    mark = "text-decoration: underline; text-decoration-thickness: 2px; text-underline-offset: 3px"
    return (
        f"<style>.pg.small .h:nth-child({column + 2}) {{ color: {ink(ACCENT)}; {mark}; }}</style>"
    )


def _head(text: str, marked: bool) -> str:
    return f'<div class="h{" m" if marked else ""}" title="{escape(text)}">{escape(text)}</div>'


def _tile(tile: Tile, place: str, small: bool) -> str:
    called = f", labelled {tile.name}" if tile.name is not None else ""
    words = escape(
        f"{place}: public picture {tile.row}{called}; {share(tile.accuracy)} of its class right"
    )
    bad = " bad" if tile.failed else ""
    return (
        f'<div class="t{bad}"'
        f' title="{words}">{_face(tile, words)}{"" if small else _caption(tile)}</div>'
    )


def _face(tile: Tile, words: str) -> str:
    if tile.picture is None:
        return f'<div class="n">{escape(tile.name or str(tile.row))}</div>'
    return f'<div class="f {_class(tile.picture)}" role="img" aria-label="{words}"></div>'


def _caption(tile: Tile) -> str:
    name = escape(tile.name) if tile.name is not None else f"#{tile.row}"
    mark = ' <span class="ok">✓</span>' if tile.own else ""
    mark += ' <span class="no">✗</span>' if tile.failed else ""
    wide = 0.0 if math.isnan(tile.accuracy) else 100 * tile.accuracy
    bar = f'<div class="bar"><i style="width:{wide:.0f}%"></i></div>'
    odds = "" if tile.probability is None else f'<div class="p">p {chance(tile.probability)}</div>'
    return f"{bar}<div>{name}{mark}</div><div>{share(tile.accuracy)}</div>{odds}"


def limited(order: Sequence[int]) -> list[int]:
    """The classes that are drawn, of those in ``order``: the first and the last ones."""
    order = list(order)
    return order if len(order) <= MOST else order[: MOST // 2] + order[-MOST // 2 :]
