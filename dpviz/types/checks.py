"""Error types, and range checks of values that people give."""

from __future__ import annotations

import math
from typing import Any

#: Characters of a value that an error message repeats.
LONGEST_VALUE = 80
#: Digits of a number without an upper bound; a float has 308 at most.
LONGEST_NUMBER = 300


class DpvizError(ValueError):
    """Bad input. The message says what is wrong, the value, the allowed range and what to do.

    Attributes:
        options: sentence about command-line options that help; only the command line prints it.
    """

    def __init__(self, *sentence: object, options: str = "") -> None:
        super().__init__(*sentence)
        self.options = options


class Cancelled(Exception):
    """Raised inside a long job after a request to stop it."""


def check_range(
    name: str, value: Any, low: float, high: float, *, open_low: bool = False, note: str = ""
) -> float:
    """Return ``value`` as a float in [low, high], or in (low, high] with ``open_low``.

    Args:
        name: of the value, as the message begins; note: remark about the range, such as
            "inf: no privacy".

    Raises:
        DpvizError: With the value and the range.
    """
    try:
        number = float(value)
    except (TypeError, ValueError):
        rule = _rule(name, "a number ", low, high, open_low, note)
        raise DpvizError(f"{rule}, got {quoted(value)}.") from None
    except OverflowError:  # an integer beyond the largest float
        number = -math.inf if value < 0 else math.inf
        if math.isinf(high) or math.isinf(low):
            raise DpvizError(
                f"{name} must have at most {LONGEST_NUMBER} digits, got {quoted(value)}."
            ) from None
    above = number > low if open_low else number >= low
    if not (above and number <= high):  # not a number is neither
        raise DpvizError(f"{_rule(name, '', low, high, open_low, note)}, got {_number(number)}.")
    return number


def _rule(name: str, kind: str, low: float, high: float, open_low: bool, note: str) -> str:
    allowed = f"{kind}{range_text(low, high, open_low)}"
    return f"{name} must be {allowed}{f' ({note})' if note else ''}"


def check_whole(name: str, value: Any, low: float, high: float) -> int:
    """Return ``value`` as an int if it is a whole number in [low, high].

    Raises:
        DpvizError: With the value and the range.
    """
    number = check_range(name, value, low, high)
    if number != math.floor(number):
        rule = f"{name} must be a whole number {range_text(low, high)}"
        raise DpvizError(f"{rule}, got {_number(number)}.")
    return int(number)


def range_text(low: float, high: float, open_low: bool = False) -> str:
    """Return a range in words, such as ``between 1 and 100`` or ``above 0``."""
    if math.isinf(low) and math.isinf(high):
        return "finite"
    if math.isinf(low):
        return f"at most {_number(high)}"
    if open_low:
        return f"above {_number(low)}" + (
            "" if math.isinf(high) else f" and at most {_number(high)}"
        )
    if math.isinf(high):
        return f"at least {_number(low)}"
    return f"between {_number(low)} and {_number(high)}"


def short_exponent(number: str) -> str:
    """Return a number as people write it: 1e-5 for 1e-05."""
    return number.replace("e-0", "e-").replace("e+0", "e").replace("e+", "e")


def _number(value: float) -> str:
    if not math.isfinite(value) or value != math.floor(value) or abs(value) > 1e10:
        return short_exponent(f"{value:g}")
    return f"{int(value)}" if abs(value) < 1e6 else f"{int(value):,}"


def quoted(value: Any) -> str:
    """Return ``repr`` of a value for an error message, at most ``LONGEST_VALUE`` characters.

    Python refuses to write an integer of more than 4,300 digits.
    """
    try:
        text = repr(value)
    except ValueError:
        return "an integer of more than 4,300 digits"
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 1]}…"
