"""How things look everywhere: colours, one accent, faint lines and the size of letters."""

from __future__ import annotations

from dpviz.types.line_style import (  # noqa: F401 - charts find all colours here
    BLUE,
    BROWN,
    FOREST,
    GREEN,
    GREY,
    INDIGO,
    ORANGE,
    PINK,
    PURPLE,
    RED,
    RIGHT,
    SKY,
    WRONG,
    LineStyle,
    line_style,
)

ACCENT = "#6D5DD3"
#: Of classes drawn as points, in order; they repeat from the eleventh class on.
CLASS_COLOURS = (BLUE, ORANGE, GREEN, RED, PURPLE, SKY, BROWN, INDIGO, FOREST, PINK)
GRID = "rgba(128,136,150,0.22)"
FAINT = "rgba(128,136,150,0.16)"
#: Letter sizes (px): axis titles and labels; ticks, legends, notes and hover boxes.
FONT, SMALL_FONT = 13, 12
#: Size of letters in a presentation.
PRESENTATION_LETTERS = 17
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


#: Least contrast of words with a white page (WCAG 2.2, AA).
MIN_CONTRAST = 4.5


def text_colour(colour: str) -> str:
    """``#rrggbb`` darkened until words in it can be read on a white page; a dark page draws them
    lighter.
    """
    channels = _channels(colour)
    shares = (share / 100 for share in range(100, 0, -1))
    darker = (tuple(round(share * channel) for channel in channels) for share in shares)
    red, green, blue = next(c for c in darker if 1.05 / (_luminance(c) + 0.05) >= MIN_CONTRAST)
    return f"#{red:02X}{green:02X}{blue:02X}"


def _luminance(channels: tuple[int, ...]) -> float:
    """Relative luminance of sRGB."""
    linear = [
        c / 255 / 12.92 if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055) ** 2.4
        for c in channels
    ]
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


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


#: Opacities of the shades of cells: letters can be read on all of them, on a light and a dark page.
SHADE_ENDS = (0.04, 0.7)
SHADES = [[place, rgba(ACCENT, opacity)] for place, opacity in enumerate(SHADE_ENDS)]
