"""Line styles of methods in charts: a fixed color, dash and marker per method."""

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
"""Okabe and Ito's palette for the methods that are compared most. Black and yellow are left out:
they are invisible on a dark and on a light page. Orange, vermilion and sky are darkened to a
contrast of 3:1 on both pages, and stay distinct under color blindness.
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
FUCHSIA, PLUM, AMETHYST, STEEL = "#CC00FC", "#9078A8", "#9C3CCC", "#4C7C9C"
"""One color for each other method. Colors that look alike under color blindness have different
dashes and markers.
"""
RIGHT, WRONG = "#00868F", "#D80054"
"""Colors of correct and wrong answers, for every method."""
GREY = "#8A8F98"
"""For references."""


@dataclass(frozen=True)
class LineStyle:
    """Color (hex), dash (plotly) and marker (plotly) of a method."""

    colour: str
    dash: str
    marker: str


LINE_STYLES: dict[str, LineStyle] = {}
"""Line styles of all methods and presets, filled by ``dpviz.methods``."""
_SPARE = [
    LineStyle(*style)
    for style in product(
        (MAUVE, BROWN, OLIVE, BERRY), ("dot", "longdash"), ("hourglass", "star-square")
    )
]


def line_style(name: str) -> LineStyle:
    """Return the line style of a method or preset; an unknown name gets a fixed spare one."""
    return LINE_STYLES.get(name) or _SPARE[sum(name.encode()) % len(_SPARE)]
