"""Charts that show each class, largest first: their axis, their order, bands of the minority."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from dpviz.plots.kit import axes
from dpviz.plots.kit.marks import backdrop

T = TypeVar("T")
MANY = 40
"""Most classes whose names fit below an axis."""


def order(counts: Sequence[int]) -> list[int]:
    """Classes from the largest to the smallest; ties in class order."""
    return sorted(range(len(counts)), key=lambda c: (-counts[c], c))


def picked(row: Sequence[T], places: Sequence[int]) -> tuple[T, ...]:
    """A row's entries at these places, in their order."""
    return tuple(row[c] for c in places)


def among(chosen: Sequence[int], places: Sequence[int]) -> tuple[bool, ...]:
    """Which of the places are chosen ones, such as classes of the minority."""
    return tuple(c in chosen for c in places)


def smallest(minority: Sequence[int], counts: Sequence[int]) -> tuple[int, ...]:
    """The classes that count as minority; none where all are as large."""
    return tuple(minority) if len(set(counts)) > 1 else ()


def axis(names: Sequence[str], **entries: Any) -> dict[str, Any]:
    """An axis of classes; their names, given as HTML, only where they fit."""
    ticks = {"showticklabels": False} if len(names) > MANY else axes.category_axis(names)
    return axes.axis("class, largest first", axes.CLOSE, grid=False) | ticks | entries


def with_numbers(names: Sequence[str], counts: Sequence[int]) -> list[str]:
    """Names, given as HTML, each with its number in one line, so that slanted ones stay apart."""
    return [f"{name}: {count:,}" for name, count in zip(names, counts, strict=True)]


def minority_bands(minority: Sequence[bool]) -> list[dict[str, Any]]:
    """A band behind each class that counts as minority."""
    return [backdrop(place - 0.5, place + 0.5) for place, small in enumerate(minority) if small]
