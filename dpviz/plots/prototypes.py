"""What DPPL-Public chooses: pictures as HTML, scores, odds, and the map of score ranges."""

from __future__ import annotations

import math
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.formatting import METRIC_WORDS, share
from dpviz.plots.kit.drawing import (
    FIXED,
    TITLE_GAP,
    bar_trace,
    hover,
    make_axis,
    make_figure,
    note,
    scatter,
    stroke,
    vertical_line,
)
from dpviz.plots.kit.png import data_url, smoothed
from dpviz.plots.kit.style import ACCENT, FAINT, GREY, ORANGE, RIGHT, SHADES, SMALL_FONT, WRONG, ink
from dpviz.text.charts import (
    ALTS,
    AXES,
    CHOICE_HEADS,
    LABELS,
    ONE_IMAGE,
    OWN_CHOICE_HEAD,
    SAME_NAME,
    SIMILARITY_HEADS,
)
from dpviz.text.template import render_text

#: Classes drawn; more would not be looked at.
MAX_DRAWN_CLASSES = 20
#: Pixels of a letter of a class's name on a narrow screen, and of the room there.
LETTER_WIDTH, PHONE_WIDTH = 7, 300
#: Columns of a grid of one row that a phone shows in several rows.
FOLDED_COLUMNS = 5


@dataclass(frozen=True, eq=False)
class Tile:
    """One chosen public picture.

    Attributes:
        row: in the public set; picture: (h, w) or (h, w, 3) uint8, or None; name: of its public
            label, or None; label: the same without its kind, shown below the image.
        own: it bears the name of its class; accuracy: of the class it stands for, with this draw.
        probability: with which it was chosen, or None.
        alike: it shows another class and still represents its class well.
    """

    row: int
    picture: np.ndarray | None
    name: str | None
    own: bool
    accuracy: float
    probability: float | None = None
    alike: bool = False
    label: str | None = None

    @property
    def failed(self) -> bool:
        """Fewer than half of the class's test records are right."""
        return self.accuracy < 0.5

    @property
    def wrong(self) -> bool:
        """It shows another class, or an unknown one, and represents its class badly."""
        return self.failed and not self.own


@dataclass(frozen=True, eq=False)
class PrototypeGrid:
    """Rows of tiles with a head above each column and beside each row.

    Attributes:
        marked: columns that are set off; groups: names below the columns that are not and those
            that are, drawn where the latter are the last ones.
        corner: above the heads of rows; second: a second row of heads, its own head first.
        checks: images that show their class have a check mark.
    """

    heads: tuple[str, ...]
    sides: tuple[str, ...]
    tiles: tuple[tuple[Tile, ...], ...]
    marked: tuple[bool, ...] = ()
    groups: tuple[str, str] | None = None
    corner: str = ""
    second: tuple[str, ...] = ()
    checks: bool = True

    def html(self, words: str, small: bool = False) -> str:
        """The grid; ``words`` say what it is for those who cannot see it.

        Args:
            small: pictures alone, without text below them.
        """
        return f"{GRID_STYLE}{_picture_rules([self])}{self._body(words, small)}"

    def _body(self, words: str, small: bool) -> str:
        low, high = (20, 84) if small else (30, 84)
        wide = LETTER_WIDTH * max(map(len, self.heads), default=0)
        long = not small and wide > low  # names stay legible where it is narrow: the grid scrolls
        low = min(high, wide) if long else low
        fills = len(self.heads) > 7
        most = "1fr" if fills else f"{high}px"
        columns = (
            f"grid-template-columns: max-content repeat({len(self.heads)}, minmax({low}px,"
            f" var(--most, {most}))); --rows: {len(self.sides)};"
        )
        marks = self.marked or (False,) * len(self.heads)
        is_folded = fills and not small and len(self.sides) == 1
        places = [_folded_place(k) if is_folded else "" for k in range(len(self.heads))]
        cells = [
            f'<div class="h c">{escape(self.corner)}</div>',
            *map(_column_head, self.heads, marks, places),
        ]
        cells += [f'<div class="v">{escape(words)}</div>' for words in self.second]
        for side, row in zip(self.sides, self.tiles, strict=True):
            cells.append(f'<div class="s">{escape(side)}</div>')
            cells += [
                self._tile(tile, side, head, place, small)
                for tile, head, place in zip(row, self.heads, places, strict=True)
            ]
        cells += self._group_names()
        if is_folded:
            cells += self._folded_group_names()
        size = " small" if small else " long" if long else ""
        size += " folded" if is_folded else ""
        hidden = long and not is_folded and len(self.heads) * low > PHONE_WIDTH
        swipe = render_text(LABELS["more_columns"], columns=len(self.heads))
        scroll_note = f'<div class="pg-more">{swipe}</div>'
        return (
            f'{scroll_note if hidden else ""}<div class="pg{size}" style="{columns}" tabindex="0"'
            f' role="group" aria-label="{escape(words)}">{"".join(cells)}</div>'
        )

    def _tile(self, tile: Tile, side: str, head: str, place: str, small: bool) -> str:
        fields = {"place": f"{side}, {head}" if side else head, "row": str(tile.row)}
        fields |= {"accuracy": share(tile.accuracy)}
        words = escape(
            render_text(ALTS["tile"], **fields)
            if tile.name is None
            else render_text(ALTS["tile_labeled"], **fields, name=tile.name)
        )
        kinds = (" bad" if tile.wrong else " alike" if tile.alike else "") + (
            " low" if tile.failed else ""
        )
        caption = "" if small else _tile_caption(tile, head, self.checks)
        face = _tile_face(tile, words)
        return f'<div class="t{kinds}" title="{words}"{place}>{face}{caption}</div>'

    @property
    def _group_sizes(self) -> tuple[int, int]:
        """Columns that are not set off, and columns that are; 0 unless the latter are the last."""
        few = sum(self.marked)
        many = len(self.marked) - few
        is_split = self.groups and few and many and not any(self.marked[:many])
        return (many, few) if is_split else (0, 0)

    def _group_names(self) -> list[str]:
        """Lines below the columns with their names; none unless the last columns are set off."""
        if not (self.groups and any(self._group_sizes)):
            return []
        spans = zip(("g", "g few"), self._group_sizes, self.groups, strict=True)
        return [
            '<div class="g0"></div>',
            *(
                f'<div class="{kind}" style="grid-column: span {span}">{escape(name)}</div>'
                for kind, span, name in spans
            ),
        ]

    def _folded_group_names(self) -> list[str]:
        """The same below each row of a grid that a phone shows in several rows."""
        if not (self.groups and any(self._group_sizes)):
            return []
        many, few = self._group_sizes
        parts = []
        for first in range(0, many + few, FOLDED_COLUMNS):
            last = min(first + FOLDED_COLUMNS, many + few)
            row = f"grid-row: {first // FOLDED_COLUMNS * 3 + 3}; grid-column:"
            split = min(max(many, first), last)
            for kind, start, end, name in (
                ("", first, split, self.groups[0]),
                (" few", split, last, self.groups[1]),
            ):
                if start < end:
                    style = f"{row} {start - first + 1} / {end - first + 1}"
                    parts.append(f'<div class="g gf{kind}" style="{style}">{escape(name)}</div>')
        return parts


def _folded_place(column: int) -> str:
    """Where a phone has a column of a folded grid, as an attribute."""
    row, place = divmod(column, FOLDED_COLUMNS)
    return f' style="--c: {place + 1}; --r: {3 * row + 1}"'


def chance_text(p: float) -> str:
    """A probability in few signs: 97%, 4%, 2e-5."""
    if p >= 0.995 or p == 0:
        return "> 99%" if p else "0"
    return f"{100 * p:.2g}%" if p >= 0.001 else f"{p:.0e}".replace("e-0", "e-")


GRID_STYLE = f"""<style>
.pg {{ display: grid; gap: 6px; overflow-x: auto; align-items: start; font-size: .75rem; \
line-height: 1.2; }}
.pg .h {{ text-align: center; font-weight: 600; font-size: .95rem; overflow: hidden; \
text-overflow: ellipsis; padding-bottom: 3px; }}
.pg .s {{ align-self: center; opacity: .8; text-align: right; padding-right: 2px; \
white-space: nowrap; }}
.pg .m {{ color: {ink(ACCENT)}; text-decoration: underline; text-decoration-thickness: 2px; \
text-underline-offset: 3px; }}
.pg .v {{ text-align: center; opacity: .8; padding-bottom: 2px; }}
.pg .c, .pg .v:nth-child(1) {{ text-align: right; }}
.pg .g {{ border-top: 3px solid {GREY}; text-align: center; padding-top: 3px; margin-top: 2px; \
white-space: nowrap; }}
.pg .g.few {{ border-color: {ACCENT}; font-weight: 600; }}
.pg-key {{ display: flex; flex-wrap: wrap; gap: .3rem 1.4rem; font-size: .85rem; }}
.pg-key > span {{ display: inline-flex; align-items: center; gap: .4rem; }}
.pg-key i {{ width: 16px; height: 16px; border-radius: 3px; background: {GREY}; flex: none; }}
.pg-key .accuracy i {{ height: 4px; }} .pg-key .accuracy i + i {{ background: {WRONG}; \
margin-left: -.2rem; }}
.pg-key .alike i {{ outline: 2px dashed {ORANGE}; outline-offset: -2px; background: {FAINT}; }}
.pg-key .wrong i {{ outline: 2px solid {WRONG}; outline-offset: -2px; opacity: .5; }}
.pg-key b {{ color: {ink(GREY)}; }} .pg-key .alike b {{ color: {ink(ORANGE)}; }}
.pg-key .right b {{ color: {ink(RIGHT)}; }} .pg-key .wrong b {{ color: {ink(WRONG)}; }}
.pg .t {{ text-align: center; min-width: 0; container-type: inline-size; }}
.pg .f, .pg .n {{ width: 100%; aspect-ratio: 1; display: block; border-radius: 3px; }}
.pg .f {{ background-position: center; background-size: contain; background-repeat: no-repeat; }}
.frames > div {{ display: none; }} .frames > .on {{ display: block; }}
.pg .n {{ background: {FAINT}; display: grid; place-items: center; }}
.pg .bad .f, .pg .bad .n {{ outline: 2px solid {WRONG}; outline-offset: -2px; }}
.pg .alike .f, .pg .alike .n {{ outline: 2px dashed {ORANGE}; outline-offset: -2px; }}
.pg .like {{ color: {ink(ORANGE)}; font-weight: 700; }}
.pg .low .f {{ opacity: .5; }}
.pg .bar {{ height: 4px; background: {FAINT}; border-radius: 2px; margin: 3px 0 2px; }}
.pg .bar i {{ display: block; height: 100%; background: {GREY}; border-radius: 2px; }}
.pg .low .bar i {{ background: {WRONG}; }}
.pg .gf {{ display: none; }}
.pg .ok {{ color: {ink(RIGHT)}; font-weight: 700; }} .pg .no {{ color: {ink(WRONG)}; \
font-weight: 700; }}
.pg :is(.ok, .no, .like) {{ margin-right: .25em; }}
.pg .p {{ opacity: .8; white-space: nowrap; }}
@container (max-width: 50px) {{ .pg .p {{ display: none; }} }}
.pg.small {{ gap: 3px; }} .pg.small .h {{ font-size: .75rem; }}
.pg-more {{ display: none; opacity: .8; text-align: right; }}
@media (max-width: 640px) {{ .pg {{ gap: 3px; letter-spacing: -.04em; }} \
.pg .p {{ display: none; }} \
.pg.long .h {{ font-size: .75rem; }} .pg.long .p {{ display: block; }} .pg-more {{ \
display: block; font-size: .75rem; }} .pg.small .h {{ letter-spacing: -.06em; }} \
.pg.folded {{ grid-template-columns: repeat({FOLDED_COLUMNS}, minmax(0, 1fr)) !important; \
gap: 3px 5px; }} \
.pg.folded :is(.h, .t) {{ grid-column: var(--c); grid-row: var(--r); }} \
.pg.folded .t {{ grid-row: calc(var(--r) + 1); }} \
.pg.folded :is(.c, .s, .g0, .g:not(.gf)) {{ display: none; }} \
.pg.folded .gf {{ display: block; margin-bottom: 4px; }} .pg-key {{ gap: .15rem 1rem; }} }}
</style>"""


#: Swatches and signs of a legend's entries.
KEY_SIGNS = {
    "accuracy": "<i></i><i></i>",
    "right": "<b>✓</b>",
    "alike": "<i></i><b>≈</b>",
    "wrong": "<i></i><b>✗</b>",
    "odds": "<b>p</b>",
}


def grid_legend(entries: Sequence[tuple[str, str]]) -> str:
    """A legend below a grid; ``entries``: a key of ``KEY_SIGNS``, and its meaning."""
    spans = (
        f'<span class="{sign}">{KEY_SIGNS[sign]}{escape(words)}</span>' for sign, words in entries
    )
    return f'<div class="pg-key">{"".join(spans)}</div>'


def grid_frames(grids: Sequence[tuple[str, PrototypeGrid]], current: int, words: str) -> str:
    """Several grids of which one is shown, the others a class name ("on") away; each picture is
    told once.

    Args:
        grids: name and grid; current: place of the one that is shown.
    """
    pages = []
    for place, (name, grid) in enumerate(grids):
        css_class = ' class="on"' if place == current else ""
        pages.append(f'<div{css_class} data-name="{escape(name)}">{grid._body(words, False)}</div>')
    return (
        f"{GRID_STYLE}{_picture_rules([grid for _, grid in grids])}<div"
        f' class="frames">{"".join(pages)}</div>'
    )


def _picture_rules(grids: Sequence[PrototypeGrid]) -> str:
    """Each distinct picture once, as the background of a class of its own."""
    tiles = {
        _css_class(tile.picture): tile.picture
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


def _css_class(picture: np.ndarray) -> str:
    return f"p{zlib.crc32(picture.tobytes()):08x}{picture.shape[0]}"


def column_style(column: int, columns: int) -> str:
    """Style that sets off a column's head in the small grid: the grid itself stays as it is when
    the column moves.

    A phone shows every second column, this one among them, and the last.
    """
    mark = "text-decoration: underline; text-decoration-thickness: 2px; text-underline-offset: 3px"
    hidden = [k for k in range(columns - 1) if (k - column) % 2]
    cells = ", ".join(f":nth-child({columns + 1}n + {k + 2})" for k in hidden)
    grid = f"grid-template-columns: max-content repeat({columns - len(hidden)}, 1fr) !important"
    phone = f".pg.small {{ {grid} }} .pg.small > :is({cells}) {{ display: none }}"
    return (
        f"<style>.pg.small .h:nth-child({column + 2}) {{ color: {ink(ACCENT)}; {mark}; }}"
        f" @media (max-width: 640px) {{ {phone} }}</style>"
    )


def _column_head(text: str, marked: bool, place: str = "") -> str:
    kind = "h m" if marked else "h"
    return f'<div class="{kind}" title="{escape(text)}"{place}>{escape(text)}</div>'


def _tile_face(tile: Tile, words: str) -> str:
    if tile.picture is None:
        return f'<div class="n">{escape(tile.name or str(tile.row))}</div>'
    return f'<div class="f {_css_class(tile.picture)}" role="img" aria-label="{words}"></div>'


def _tile_caption(tile: Tile, head: str, checks: bool) -> str:
    """The accuracy, then marks and the label where it is not that of the column."""
    name = tile.label or tile.name or f"#{tile.row}"
    mark = '<span class="ok">✓</span>' if tile.own and checks else ""
    mark += '<span class="no">✗</span>' if tile.wrong else ""
    mark += '<span class="like">≈</span>' if tile.alike else ""
    line = mark if name == head else f"{mark}{escape(name)}"
    label = f"<div>{line}</div>" if line else ""
    wide = 0.0 if math.isnan(tile.accuracy) else 100 * tile.accuracy
    bar = f'<div class="bar"><i style="width:{wide:.0f}%"></i></div>'
    odds = (
        ""
        if tile.probability is None
        else f'<div class="p">p {chance_text(tile.probability)}</div>'
    )
    return f"{bar}<div>{share(tile.accuracy)}</div>{label}{odds}"


def drawn_classes(order: Sequence[int]) -> list[int]:
    """The classes that are drawn, of those in ``order``: the first and the last ones."""
    order = list(order)
    return (
        order
        if len(order) <= MAX_DRAWN_CLASSES
        else order[: MAX_DRAWN_CLASSES // 2] + order[-MAX_DRAWN_CLASSES // 2 :]
    )


@dataclass(frozen=True)
class ClassChoice:
    """One class.

    Attributes:
        name, records, minority: of the class; below, inside, above: shares of its scores;
            candidates: among as good as how many pictures it chooses; best: probability of its best
            picture; own: of a picture that bears its name, None where none could.
    """

    name: str
    records: int
    minority: bool
    below: float
    inside: float
    above: float
    candidates: float
    best: float
    own: float | None


CHOICES_STYLE = f"""<style>
.cc {{ width: 100%; border-collapse: collapse; font-size: .85rem; }}
.cc th {{ font-weight: 400; opacity: .8; text-align: right; vertical-align: bottom; }} .cc td {{ \
text-align: right; padding: .12rem 0 .12rem .8rem; white-space: nowrap; }}
.cc td:first-child, .cc th:first-child {{ text-align: left; padding-left: 0; }} .cc .m {{ \
color: {ink(ACCENT)}; text-decoration: underline; }}
.cc .b {{ display: flex; height: .8em; min-width: 70px; border-radius: 2px; overflow: hidden; }} \
.cc .b i {{ display: block; height: 100%; }}
.cc-box {{ overflow-x: auto; }}
@media (max-width: 640px) {{ .cc :is(th, td):nth-child(3) {{ display: none; }} }}
</style>"""


def choices_html(rows: Sequence[ClassChoice]) -> str:
    """The table, rows in the order given; of very many classes the first and the last."""
    has_own = any(row.own is not None for row in rows)
    heads = [*CHOICE_HEADS, OWN_CHOICE_HEAD] if has_own else CHOICE_HEADS
    drawn_rows = [rows[k] for k in drawn_classes(range(len(rows)))]
    head = "".join(f"<th>{words}</th>" for words in heads)
    body = "".join(f"<tr>{_choice_cells(row, has_own)}</tr>" for row in drawn_rows)
    return (
        f'{CHOICES_STYLE}<div class="cc-box" tabindex="0" role="group"'
        f' aria-label="{ALTS["selection"]}"><table class="cc">'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _choice_cells(row: ClassChoice, has_own: bool) -> str:
    parts = zip((row.below, row.inside, row.above), (GREY, ORANGE, ACCENT), strict=True)
    bar = "".join(
        f'<i style="width:{100 * share:.2f}%;background:{colour}"></i>' for share, colour in parts
    )
    name = f'<span class="m">{escape(row.name)}</span>' if row.minority else escape(row.name)
    cells = [
        name,
        f"{row.records:,}",
        f'<div class="b">{bar}</div>',
        _share_text(row.below),
        _share_text(row.inside),
        _share_text(row.above),
    ]
    cells += [f"{row.candidates:,.0f}", chance_text(row.best)]
    cells += [chance_text(row.own or 0.0)] * has_own
    return "".join(f"<td>{cell}</td>" for cell in cells)


def _share_text(value: float) -> str:
    return "0" if value == 0 else f"{100 * value:.1f}%" if value >= 0.0005 else "< 0.1%"


@dataclass(frozen=True, eq=False)
class ClassSimilarity:
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


SIMILARITY_STYLE = f"""<style>
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


def similarity_html(rows: Sequence[ClassSimilarity]) -> str:
    """The table, rows in the order given; of very many classes the first and the last."""
    head = "".join(f"<th>{words}</th>" for words in SIMILARITY_HEADS)
    body = "".join(
        f"<tr>{_similarity_cells(rows[k])}</tr>" for k in drawn_classes(range(len(rows)))
    )
    return (
        f'{SIMILARITY_STYLE}<div class="cl-box" tabindex="0" role="group"'
        f' aria-label="{ALTS["similarity"]}"><table class="cl">'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _similarity_cells(row: ClassSimilarity) -> str:
    name = f'<span class="m">{escape(row.name)}</span>' if row.minority else escape(row.name)
    named = SAME_NAME[row.named]
    if row.named is False:
        named = f'<span class="no">{named}</span>'
    called = escape(row.called or "")
    face = ""
    if row.picture is not None:
        words = f"{SIMILARITY_HEADS[2]}: {called}" if called else SIMILARITY_HEADS[2]
        style = smoothed(row.picture)
        face = f'<img alt="{words}" style="{style}" src="{data_url(row.picture)}">'
    cells = [name, named, f"{face}{called}", *map(_cosine_cell, (row.nearest, row.among))]
    return "".join(f"<td>{cell}</td>" for cell in cells)


def _cosine_cell(value: float) -> str:
    if math.isnan(value):
        return ONE_IMAGE
    bar = f'<span class="b"><i style="width:{100 * min(max(value, 0), 1):.0f}%"></i></span>'
    return f"{bar}{value:.2f}"


#: Bars over [0, 2].
SCORE_BINS = 100


@dataclass(frozen=True, eq=False)
class ScoreHistogram:
    """Bars and window.

    Attributes:
        middles: (B,) of the bars; shares: (B,) of all pairs of a record and a public picture.
        d_min, d_max: the window; share_below, inside, share_above: shares of the pairs there.
    """

    middles: np.ndarray
    shares: np.ndarray
    d_min: float
    d_max: float
    share_below: float
    inside: float
    share_above: float

    @classmethod
    def from_counts(
        cls, counts: np.ndarray, window: Sequence[float], shares: Sequence[float]
    ) -> ScoreHistogram:
        """The chart's data.

        Args:
            counts: (bins,) pairs a bin over [0, 2], a multiple of ``SCORE_BINS`` bins; shares:
            shares
            below,
                inside, above.
        """
        bars = counts.reshape(SCORE_BINS, -1).sum(axis=1)
        middles = (np.arange(SCORE_BINS) + 0.5) * 2 / SCORE_BINS
        return cls(middles, bars / max(1, bars.sum()), *window, *map(float, shares))

    def alt(self) -> str:
        return ALTS["scores"]

    def figure(self) -> go.Figure:
        """Bars inside the window in colour, the rest grey."""
        inside = (self.middles > self.d_min) & (self.middles < self.d_max)
        colours = [ORANGE if is_inside else GREY for is_inside in inside]
        bars = bar_trace(
            self.middles.tolist(),
            self.shares.tolist(),
            marker={"color": colours, "line": {"width": 0}},
            showlegend=False,
            **hover("score %{x:.2f}: %{y:.2%} of pairs"),
        )
        right = "left" if self.d_max < 1.6 else "right"
        top = float(self.shares.max()) * 1.25
        x = {"range": [0, 2.2], "tickvals": [0, 0.5, 1, 1.5, 2]}
        return make_figure(
            [bars],
            300,
            {"t": 26},
            bargap=0,
            xaxis=make_axis(AXES["score"], TITLE_GAP, grid=False, **x),
            yaxis=make_axis(AXES["pairs"], range=[0, top], tickformat=".0%"),
            shapes=[vertical_line(self.d_min), vertical_line(self.d_max)],
            annotations=[
                note(f"d_min {self.d_min:g}", self.d_min, 1.0, "right bottom", yref="paper"),
                note(f"d_max {self.d_max:g}", self.d_max, 1.0, f"{right} bottom", yref="paper"),
            ],
        )


#: Smallest probability drawn.
MIN_PROBABILITY = 1e-8


@dataclass(frozen=True, eq=False)
class SelectionOdds:
    """Lines in drawing order.

    Attributes:
        ranks: (R,); curves: (C, R) probabilities; names, minority: of the classes; candidates: (C,)
            effective number of pictures; public: m.
    """

    ranks: np.ndarray
    curves: np.ndarray
    names: tuple[str, ...]
    minority: tuple[bool, ...]
    candidates: np.ndarray
    public: int

    @classmethod
    def from_curves(
        cls,
        ranks: np.ndarray,
        curves: np.ndarray,
        candidates: np.ndarray,
        public: int,
        names: Sequence[str],
        minority: Sequence[int],
        order: Sequence[int],
    ) -> SelectionOdds:
        """The chart's data; ``order`` lists the classes in drawing order, ``minority`` those that
        count as small.
        """
        order = list(order)
        marks = tuple(c in minority for c in order)
        return cls(
            ranks, curves[order], tuple(names[c] for c in order), marks, candidates[order], public
        )

    def alt(self) -> str:
        return render_text(ALTS["probability"], images=self.public, classes=len(self.names))

    def figure(self) -> go.Figure:
        """Log-log lines, the minority in the accent, the even lottery dotted."""
        last = sorted(range(len(self.names)), key=lambda k: self.minority[k])
        even = scatter([1, self.public], [1 / self.public] * 2, name=LABELS["ideal"])
        even |= {"line": stroke(GREY, 1.5, "dot"), "hoverinfo": "skip"}
        powers = [10**k for k in range(9) if 10**k <= self.public]
        x = {"type": "log", "range": [-0.1, float(np.log10(self.public)) + 0.1]}
        x |= {"tickvals": powers, "ticktext": [f"{p:,}" for p in powers]}
        y = {"type": "log", "range": [float(np.log10(MIN_PROBABILITY)), 0.15]}
        y |= {"tickvals": [10.0**-k for k in (0, 2, 4, 6, 8)]}
        y |= {"ticktext": ["1", "0.01", "1e-4", "1e-6", "1e-8"]}
        return make_figure(
            [*(self._line(k) for k in last), even],
            300,
            {"t": 26},
            legend={"y": 1, "yanchor": "bottom"},
            xaxis=make_axis(AXES["rank"], TITLE_GAP, **x),
            yaxis=make_axis(AXES["probability"], **y),
        )

    def _line(self, k: int) -> dict[str, Any]:
        small, curve = self.minority[k], self.curves[k]
        seen = curve >= MIN_PROBABILITY / 10
        text = escape(f"class {self.names[k]}: {self.candidates[k]:,.0f} effective candidates")
        return scatter(
            self.ranks[seen].tolist(),
            curve[seen].tolist(),
            name=LABELS["rare_classes" if small else "other_classes"],
            showlegend=k == self.minority.index(small),
            line=stroke(ACCENT, 2, "dash") if small else stroke(ORANGE, 1.4, "solid"),
            **hover(f"{text}<br>rank %{{x:,}}: %{{y:.2g}}"),
        )


Window = tuple[float, float]


@dataclass(frozen=True, eq=False)
class WindowMap:
    """Cells and marks.

    Attributes:
        lows, highs: values of d_min and d_max; accuracy: (lows, highs), NaN where not there (yet).
        current, default: windows as (d_min, d_max); best: the best cell, None while nothing is
            there.
    """

    lows: tuple[float, ...]
    highs: tuple[float, ...]
    accuracy: np.ndarray
    metric: str
    current: Window
    default: Window
    best: Window | None

    @property
    def windows(self) -> list[Window]:
        """The windows that are there, row by row."""
        windows = [(low, high) for low in self.lows for high in self.highs]
        return [window for window in windows if self.accuracy_at(window) is not None]

    def accuracy_at(self, window: Window) -> float | None:
        """Accuracy of a window that is a cell."""
        if window[0] not in self.lows or window[1] not in self.highs:
            return None
        value = float(self.accuracy[self.lows.index(window[0]), self.highs.index(window[1])])
        return None if np.isnan(value) else value

    @classmethod
    def from_accuracy(
        cls,
        lows: Sequence[float],
        highs: Sequence[float],
        accuracy: np.ndarray,
        metric: str,
        current: Window,
        default: Window,
    ) -> WindowMap:
        best = None
        if not np.isnan(accuracy).all():
            i, j = divmod(int(np.nanargmax(accuracy)), accuracy.shape[1])
            best = (lows[i], highs[j])
        return cls(tuple(lows), tuple(highs), accuracy, metric, current, default, best)

    def alt(self) -> str:
        low, high = (f"{row[0]:g} to {row[-1]:g}" for row in (self.lows, self.highs))
        metric = METRIC_WORDS[self.metric]
        return render_text(ALTS["accuracy_window"], metric=metric, low=low, high=high)

    def figure(self) -> go.Figure:
        """Cells with their percentage, in shades on which the page's own letters can be read."""
        marks = [
            _window_mark(self.default, LABELS["default"], "square-open", 24, GREY),
            _window_mark(self.current, LABELS["current"], "circle-open", 20, WRONG),
        ]
        marks += (
            [_window_mark(self.best, LABELS["best_cell"], "star-open", 24, ACCENT)]
            if self.best
            else []
        )
        legend = {"y": 1.01, "yanchor": "bottom", "bgcolor": "rgba(128,136,150,.25)"}
        return make_figure(
            [self._cells(), *marks, self._touched()],
            470,
            {"t": 34},
            legend=legend,
            xaxis=_window_axis("d_max", TITLE_GAP, self.highs),
            yaxis=_window_axis("d_min", None, self.lows),
        )

    def _cells(self) -> dict[str, Any]:
        values = [[None if np.isnan(v) else float(v) for v in row] for row in self.accuracy]
        words = [["" if v is None else f"{100 * v:.0f}" for v in row] for row in values]
        cells: dict[str, Any] = {
            "type": "heatmap",
            "x": list(self.highs),
            "y": list(self.lows),
            "z": values,
        }
        cells |= {"zmin": 0, "zmax": 1, "xgap": 1, "ygap": 1, "hoverongaps": False}
        cells |= {"text": words, "texttemplate": "%{text}", "textfont": {"size": SMALL_FONT}}
        cells["colorscale"] = SHADES
        cells["colorbar"] = {"tickformat": ".0%", "thickness": 12, "outlinewidth": 0}
        return cells | hover("d_min %{y:g}, d_max %{x:g}: %{z:.1%}")

    def _touched(self) -> dict[str, Any]:
        """A mark over each cell, unseen, to point at and to click."""
        unseen = {"marker": {"opacity": 0}}
        return scatter(
            [high for _, high in self.windows],
            [low for low, _ in self.windows],
            "markers",
            marker={"symbol": "square", "size": 26, "opacity": 0},
            selected=unseen,
            unselected=unseen,
            showlegend=False,
            customdata=[self.accuracy_at(window) for window in self.windows],
            **hover("d_min %{y:g}, d_max %{x:g}: %{customdata:.1%}"),
        )


def _window_axis(title: str, standoff: float | None, values: Sequence[float]) -> dict[str, Any]:
    ends = {"range": [values[0] - 0.05, values[-1] + 0.05], "dtick": 0.2}
    return make_axis(title, standoff, grid=False, **ends | FIXED)


def selected_window(points: Sequence[Mapping[str, Any]], chart: WindowMap) -> Window | None:
    """The window that a click chose, as a browser tells it; None for what is no cell."""
    chosen = [(point.get("y"), point.get("x")) for point in points]
    return next((window for window in chart.windows if window in chosen), None)


def _window_mark(window: Window, name: str, symbol: str, size: int, colour: str) -> dict[str, Any]:
    low, high = window
    marker = {"symbol": symbol, "size": size, "color": colour, "line": stroke(colour, 2.5)}
    hover_box = hover(f"{name}: d_min {low:g}, d_max {high:g}")
    return scatter(
        [high], [low], "markers", name=name, marker=marker, cliponaxis=False, **hover_box
    )
