"""How a method looks in every chart: a colour, dash and marker of its own that never change."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

BLUE, ORANGE, GREEN, RED, PURPLE, SKY = (
    "#0072B2",
    "#CC7A00",
    "#009E73",
    "#CC3000",
    "#CC79A7",
    "#4099DD",
)
"""Okabe and Ito's palette without black and yellow, which vanish on a dark and on a light page;
orange, vermilion and sky are darkened until each stands 3 to 1 against both pages, and still apart
for every kind of colour-blindness. They are those of the methods that stand side by side most.
"""
PERIWINKLE, BROWN, BERRY, PINK, MAUVE, ROSE, FOREST = (
    "#6084E4",
    "#8F6A1A",
    "#A83C84",
    "#F048D8",
    "#84549C",
    "#FC4878",
    "#007800",
)
MAGENTA, OLIVE, LEAF, VIOLET, CORAL, INDIGO = (
    "#CC00B4",
    "#6C6C48",
    "#00A83C",
    "#A860FC",
    "#F06054",
    "#8424FC",
)
COBALT, MUSTARD, CLAY, IRIS = "#0054FC", "#909000", "#A86060", "#6060D0"
FUCHSIA, PLUM, AMETHYST = "#CC00FC", "#9078A8", "#9C3CCC"
"""Of the other methods, one each. So many hues cannot all stay apart for colour-blind eyes: those
that do not differ in dash and in marker.
"""
RIGHT, WRONG = "#00868F", "#D80054"
"""Of what is right and what is wrong, whatever the method."""
GREY = "#8A8F98"
"""For references."""


@dataclass(frozen=True)
class LineStyle:
    """Colour (hex), dash (plotly) and marker (plotly) of a method."""

    colour: str
    dash: str
    marker: str


LINE_STYLES: dict[str, LineStyle] = {}
"""The looks of the methods and presets there are. ``dpviz.methods`` fills it from their own rows:
charts draw any method and know none.
"""
_SPARE = [
    LineStyle(*look)
    for look in product(
        (MAUVE, BROWN, OLIVE, BERRY), ("dot", "longdash"), ("hourglass", "star-square")
    )
]


def line_style(name: str) -> LineStyle:
    """The look of a method or preset; a name that has no row gets a spare one, always the same."""
    return LINE_STYLES.get(name) or _SPARE[sum(name.encode()) % len(_SPARE)]
