"""How things look everywhere: colours, one accent, faint lines and the size of letters."""

from __future__ import annotations

from dpviz.types.line_style import (  # noqa: F401 - charts find all colours here
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    RED,
    RIGHT,
    SKY,
    WRONG,
    LineStyle,
    line_style,
)

ACCENT = "#6D5DD3"
GRID = "rgba(128,136,150,0.22)"
FAINT = "rgba(128,136,150,0.16)"
#: Letter sizes (px): axis titles and labels; ticks, legends, notes and hover boxes.
FONT, SMALL_FONT = 13, 12
#: Meta of charts that a class reads from the last row: size of letters in a presentation.
CLASSROOM_META = {"letters": 25}


def rgba(colour: str, alpha: float) -> str:
    """``#rrggbb`` with an opacity."""
    red, green, blue = _channels(colour)
    return f"rgba({red},{green},{blue},{alpha:g})"


def ink(colour: str) -> str:
    """``colour`` for words in HTML: with half of the text's own colour it can be read on a light
    and on a dark page.
    """
    return f"color-mix(in srgb, {colour} 50%, currentColor)"


#: Of the lines of one method, and how much of grey each next dash takes.
SHADE_DASHES, GREY_STEP = ("solid", "dash", "dot", "dashdot"), 0.3


def shaded(style: LineStyle, number: int) -> LineStyle:
    """The look of the ``number``-th line of one method; that of the first is the method's own."""
    if not number:
        return style
    share = min(GREY_STEP * number, 0.9)
    pairs = zip(_channels(style.colour), _channels(GREY), strict=True)
    mixed = "".join(f"{round((1 - share) * hue + share * grey):02X}" for hue, grey in pairs)
    return LineStyle(f"#{mixed}", SHADE_DASHES[number % len(SHADE_DASHES)], style.marker)


def _channels(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))


#: Of cells: the letters of a light and of a dark page can be read on all of them.
SHADES = [[0, rgba(ACCENT, 0.04)], [1, rgba(ACCENT, 0.7)]]
