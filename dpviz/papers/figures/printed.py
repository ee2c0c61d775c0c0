"""Numbers as the papers print them, from ``printed_numbers.csv``, each with its source."""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from pathlib import Path

from dpviz.caches import cached

FILE = Path(__file__).with_name("printed_numbers.csv")
"""Columns: figure, panel, line, x, value, spread, unit, place, page. Values are as printed."""


@dataclass(frozen=True)
class Printed:
    """One printed number.

    Attributes:
        panel, line, x: where it is drawn.
        value: a share in [0, 1] where the paper prints percent; spread: its standard deviation,
            nan where none is printed.
        place, page: table, figure or section, and page; "" where the source has no pages.
    """

    panel: str
    line: str
    x: float | str
    value: float
    spread: float
    place: str
    page: str


@cached(1)
def _rows() -> tuple[tuple[str, Printed], ...]:
    with FILE.open(encoding="utf-8", newline="") as file:
        return tuple((row["figure"], _number(row)) for row in csv.DictReader(file))


def numbers_of(figure: str) -> tuple[Printed, ...]:
    """Printed numbers of a figure, in the order of the file."""
    return tuple(number for key, number in _rows() if key == figure)


def _number(row: dict[str, str]) -> Printed:
    scale = 100 if row["unit"] == "%" else 1
    spread = float(row["spread"]) / scale if row["spread"] else math.nan
    value = round(float(row["value"]) / scale, 6)
    return Printed(
        row["panel"], row["line"], place(row["x"]), value, spread, row["place"], row["page"]
    )


def place(text: str) -> float | str:
    """A place on the axis: a number where the text is one, else the text."""
    try:
        return float(text)
    except ValueError:
        return text
