"""Sentence templates with named fields, at two levels of detail.

A field names its format: ``{accuracy:percent}``. Text from users is escaped for Markdown.

==============  ==========================  =================================================
format          value                       result
==============  ==========================  =================================================
(none)          text                        escaped for Markdown
``md``          text                        as it is: Markdown that the project wrote
``percent``     share or ``Interval``       ``70%``
``interval``    ``Interval``                ``70% (57–83)``
``points``      difference of two shares    ``−18 points``
``cost``        size of such a difference   ``18 points``
``at_most``     share                       ``63%``, rounded up
``at_least``    share                       ``63%``, rounded down
``in_full``     share                       ``99.6%``, not rounded
``of_100``      share or ``Interval``       ``70`` (of 100), or ``less than 1``
``number``      number                      ``0.01``, ``1e-5``, ``∞``
``number_up``   number, rounded up          ``0.5511``; ``number_down``: rounded down
``count``       whole number                ``1,000``
``count NOUN``  whole number                ``1 image``, ``20 images``; ``count class classes``
                                            (an underscore in a noun is a space)
``list``        names                       ``3, 7 and 9``, escaped, at most ``MAX_NAMES`` of them
==============  ==========================  =================================================
"""

from __future__ import annotations

import math
import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dpviz import formatting
from dpviz.stats import Interval

#: Most names that a sentence lists.
MAX_NAMES = 4


@dataclass(frozen=True)
class Text:
    """One statement, as a template per level of detail.

    Attributes:
        plain: for readers without statistics; precise: with notion, δ and intervals, the plain one
            where it is empty.
    """

    plain: str
    precise: str = ""

    def fill(self, precise: bool, **fields: Any) -> str:
        """Return the sentence at a level of detail.

        Raises:
            KeyError: If a field is missing.
            ValueError: If a field's format does not fit its value.
        """
        words = render(self.precise or self.plain if precise else self.plain, **fields)
        return f"T{words[1:]}" if words.startswith("the ") else words  # a title in a sentence

    @property
    def templates(self) -> tuple[str, ...]:
        """The templates, each once."""
        return tuple(dict.fromkeys(filter(None, (self.plain, self.precise))))


def render(template: str, **fields: Any) -> str:
    """Return a template with its fields filled in, as Markdown.

    Raises:
        KeyError: If a field is missing.
        ValueError: If a field's format does not fit its value.
    """
    return formatting.unbroken(_MARKDOWN.vformat(template, (), fields))


def render_text(template: str, **fields: Any) -> str:
    """As ``render``, for places that do not read Markdown: a shell, a chart, a file."""
    return _TEXT.vformat(template, (), fields)


def field_formats(template: str) -> dict[str, str]:
    """Return the format of each field of a template."""
    parsed = string.Formatter().parse(template)
    return {name: spec or "" for _, name, spec, _ in parsed if name is not None}


class _Formatter(string.Formatter):
    """Fills fields in by the formats of this module."""

    def __init__(self, markdown: bool) -> None:
        self._markdown = markdown

    def get_value(self, key: int | str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Return a named field; there are no others."""
        return kwargs[str(key)]

    def format_field(self, value: Any, format_spec: str) -> str:
        """Return a value in its format."""
        name, *words = format_spec.split() or [""]
        if name in ("", "md"):
            if not isinstance(value, str):
                raise ValueError(f"a field without a format must be text, got {value!r}")
            return value if name else self._escape(value)
        if name == "count":
            return _count(value, words)
        if name == "list":
            return self._names(value)
        if name in _FORMATS:
            return _FORMATS[name](value)
        raise ValueError(f"unknown field format `{format_spec}`")

    def _names(self, names: Sequence[str]) -> str:
        escaped = [self._escape(name) for name in names]
        if len(escaped) > MAX_NAMES:
            rest = len(escaped) - MAX_NAMES + 1
            escaped = [*escaped[: MAX_NAMES - 1], f"{rest} more"]
        return formatting.listed(escaped)

    def _escape(self, text: str) -> str:
        return formatting.literal(text) if self._markdown else text


def _count(value: int, words: Sequence[str]) -> str:
    text = f"{value:,}"
    if not words:
        return text
    singular, plural = words[0], words[1] if len(words) > 1 else f"{words[0]}s"
    return f"{text} {singular if value == 1 else plural}".replace("_", " ")


def _mean(value: float | Interval) -> float:
    return value.mean if isinstance(value, Interval) else value


def _percent(value: float | Interval) -> str:
    if isinstance(value, Interval):
        return formatting.percent(value)
    return f"{100 * value:.1f}%" if 0 < value < 0.01 else formatting.share(value)


def _interval(value: Interval) -> str:
    low_to_high = formatting.spread(value)
    return formatting.percent(value) + (f" ({low_to_high})" if low_to_high else "")


def _points(value: float) -> str:
    places = 0 if abs(value) >= 0.01 or value == 0 else 1
    size = f"{abs(100 * value):.{places}f}"
    return f"{'−' if value < 0 else '+'}{size} point{'' if size == '1' else 's'}"


def _of_100(value: float | Interval) -> str:
    share = _mean(value)
    if math.isnan(share):
        return formatting.UNTESTED
    if 0 < share < 0.005:
        return "less than 1"
    nearest = math.floor(100 * share + 0.5)
    return str(min(max(nearest, 1), 99) if 0 < share < 1 else nearest)


_FORMATS: dict[str, Callable[[Any], str]] = {
    "percent": _percent,
    "interval": _interval,
    "points": _points,
    "cost": lambda value: _points(value)[1:],
    "at_most": lambda share: f"{formatting.percent_up(share)}%",
    "at_least": lambda share: f"{formatting.percent_down(share)}%",
    "in_full": lambda share: f"{formatting.percent_exact(share)}%",
    "of_100": _of_100,
    "number": formatting.number,
    "number_up": formatting.number_up,
    "number_down": formatting.number_down,
}
_MARKDOWN, _TEXT = _Formatter(markdown=True), _Formatter(markdown=False)
