"""Refusals in one sentence, and ranges."""

from __future__ import annotations

import math
from typing import Any

LONGEST_VALUE = 80
"""Characters of a value that an error message repeats."""
LONGEST_NUMBER = 300
"""Digits of a number without an upper bound; a float has 308 at most."""


class DpvizError(ValueError):
    """Bad input, answered with one sentence: what was wrong, where, and what would work.

    Attributes:
        options: sentence about command-line options that help; only the command line prints it.
    """

    def __init__(self, *sentence: object, options: str = "") -> None:
        super().__init__(*sentence)
        self.options = options


class Cancelled(Exception):
    """Raised inside a long job when the person who started it asked it to stop."""


def check_range(name: str, value: Any, low: float, high: float, *, open_low: bool = False) -> float:
    """Return ``value`` as a float in [low, high], or in (low, high] with ``open_low``.

    Raises:
        DpvizError: with the value, the range and a suggestion.
    """
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise DpvizError(
            f"{name} is {quoted(value)}, which is not a number; use one from {low:g} to {high:g}."
        ) from None
    except OverflowError:  # a whole number beyond the largest float
        number = -math.inf if value < 0 else math.inf
        if math.isinf(high) or math.isinf(low):
            raise DpvizError(
                f"{name} is {quoted(value)}; use a number of at most {LONGEST_NUMBER} digits."
            ) from None
    below = number <= low if open_low else number < low
    if math.isnan(number) or below or number > high:
        bound = f"above {low:g}" if open_low else f"from {low:g}"
        upto = " (inf means no privacy)" if high == math.inf else f" up to {high:g}"
        raise DpvizError(f"{name} is {number:g}; use a number {bound}{upto}.")
    return number


def check_whole(name: str, value: Any, low: float, high: float) -> int:
    """Return ``value`` as an int if it is a whole number in [low, high].

    Raises:
        DpvizError: with the value, the range and a suggestion.
    """
    number = check_range(name, value, low, high)
    if number != math.floor(number):
        raise DpvizError(f"{name} is {number:g}; use a whole number from {low:g} to {high:g}.")
    return int(number)


def quoted(value: Any) -> str:
    """``repr`` of a value for an error message, at most ``LONGEST_VALUE`` characters.

    Python refuses to write an integer of more than 4,300 digits.
    """
    try:
        text = repr(value)
    except ValueError:
        return "a value of more than 4,300 digits"
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 1]}…"
