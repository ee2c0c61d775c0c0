"""A chart as it stands on a sheet of paper: as wide as the sheet, names beside its lines in up to
two lines, so that the plot has the room.
"""

from __future__ import annotations

import re

import plotly.graph_objects as go

from dpviz.plots.kit.readout import NAME_GAP, NAME_SPACE, spread_out

#: Of names and numbers: size of the letters, width and height of one in a wide type (px).
LETTER_SIZE, LETTER_WIDTH, LINE_HEIGHT = 11, 6.8, 14.5
#: Letters of a name that stands in one line.
MAX_LINE_LETTERS = 26
#: Spaces outside bold words and brackets.
LINE_BREAKS = re.compile(r" (?![^<]*</b>)(?![^(]*\))")


def fit(figure: go.Figure, width: int, height: int) -> None:
    """Change a chart of its own, which stands still, to the size of its place (px)."""
    figure.update_layout(width=width, height=height, font_size=LETTER_SIZE + 1)
    figure.update_annotations(font_size=LETTER_SIZE)
    figure.update_xaxes(title_font_size=LETTER_SIZE + 1).update_yaxes(
        title_font_size=LETTER_SIZE + 1
    )
    if figure.layout.meta and figure.layout.meta.get("named"):
        _names(figure)


def _names(figure: go.Figure) -> None:
    moving, part = figure.layout.meta["moving"], figure.layout.meta["part"]
    names = figure.data[-moving - 1]
    lines = [_lines(text) for text in names.text]
    margin, rows = figure.layout.margin, max(map(len, lines), default=1)
    plot = part * (figure.layout.height - margin.t - margin.b)
    shares = spread_out(names.y, rows * LINE_HEIGHT / plot)
    count = len(shares)
    ways, bars = figure.layout.shapes[:count], figure.layout.shapes[count : 2 * count]
    for way, bar, share in zip(ways, bars, shares, strict=True):
        way.y1 = bar.yanchor = part * share
    names.update(y=shares, text=["<br>".join(parts) for parts in lines], textfont_size=LETTER_SIZE)
    if moving:
        figure.data[-1].update(textfont_size=LETTER_SIZE)
    longest = max((len(_bare(line)) for parts in lines for line in parts), default=0)
    margin.r = NAME_GAP + round(LETTER_WIDTH * (longest - len(NAME_SPACE)))


def _lines(text: str) -> list[str]:
    """A name in one line, or broken where the longer one of two is shortest."""
    words = LINE_BREAKS.split(text)
    if len(_bare(text)) <= MAX_LINE_LETTERS or len(words) < 2:
        return [text]
    halves = [
        (" ".join(words[:at]), NAME_SPACE + " ".join(words[at:])) for at in range(1, len(words))
    ]
    return list(min(halves, key=lambda pair: max(len(_bare(line)) for line in pair)))


def _bare(text: str) -> str:
    return re.sub(r"</?b>", "", text)
