"""The link of a view: how it is written, and what of a link that was followed could not be used."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode

from dpviz.formatting import literal, number
from dpviz.views import teachers_question

NON_CONTROLS = (
    frozenset({"lesson", "step", "said", "drawn", "ended"})
    | {"present", "embed", "embed_options", "whom"}
    | teachers_question.TEACHER_NAMES
)
"""Names in a link that are no controls; ``whom`` is one of links from before the page about
persons.
"""


MAX_VALUE_CHARS, MAX_NOTES = 40, 6
"""Signs of a value, and notes, that are shown."""


def link_values(values: Mapping[str, Any], choices: set[str]) -> dict[str, list[str]]:
    """Values as a link writes them.

    Args:
        choices: names whose lists are written with commas; other lists repeat the name.
    """
    words_of = {}
    for key, value in values.items():
        words = [_word(v) for v in value] if isinstance(value, list) else [_word(value)]
        words_of[key] = [",".join(words)] if key in choices else words
    return words_of


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return number(value) if float(number(value)) == value else repr(value)
    return str(value)


def address(page: str, values: Mapping[str, Any], choices: set[str]) -> str:
    """The link of a view, every control in it, relative to the server's address."""
    return f"{page}?{urlencode(link_values(values, choices), doseq=True)}"


def notes(
    raw: Mapping[str, Sequence[str]],
    values: Mapping[str, Any],
    choices: set[str],
    whole: bool,
    reasons: Mapping[str, str] = MappingProxyType({}),
) -> list[str]:
    """A sentence (Markdown, escaped) for each part of a link that was not taken as it stands.

    Args:
        raw: what the link says; values: what the controls stand at; whole: all controls were drawn;
            reasons: sentences that say why a value cannot be used, and what would work.
    """
    now, sentences = link_values(values, choices), []
    for key, said in raw.items():
        if key in NON_CONTROLS:
            continue
        if key in now and not _same(said, now[key]):
            used = literal(_short(now[key])) or "nothing"
            why = f" {literal(reasons[key])}" if key in reasons else ""
            gone = _unused(said, now[key]) if key in choices else []
            cannot = f"has no {_quoted(gone)}" if gone else f"cannot be {_quoted(said)}"
            sentences.append(f"**{literal(key[:MAX_VALUE_CHARS])}** {cannot}; {used} is used.{why}")
        elif key not in now and whole:
            sentences.append(
                f"**{literal(key[:MAX_VALUE_CHARS])}** ({_quoted(said)}) is no setting of this view."
            )
    return sentences


def _unused(said: Sequence[str], used: Sequence[str]) -> list[str]:
    """What is not used of a list with commas, where something of it is."""
    words, kept = (",".join(some).split(",") for some in (said, used))
    gone = [word for word in words if word and word not in kept]
    return gone if len(gone) < len(words) else []


def _same(one: Sequence[str], other: Sequence[str]) -> bool:
    return len(one) == len(other) and all(
        a.lower() == b.lower() or _float(a) == _float(b) for a, b in zip(one, other, strict=True)
    )


def _float(word: str) -> float | str:
    try:
        return float(word)
    except ValueError:
        return word


def endless(word: str) -> bool:
    """Whether a value is a number that is not finite, or too large for one: 1e400, inf, nan."""
    number = _float(word)
    return isinstance(number, float) and not math.isfinite(number)


def _quoted(words: Sequence[str]) -> str:
    return f"“{literal(_short(words))}”"


def _short(words: Sequence[str]) -> str:
    text = ", ".join(words)
    return text if len(text) <= MAX_VALUE_CHARS else f"{text[:MAX_VALUE_CHARS]}…"


def first_notes(sentences: Sequence[str]) -> str:
    """The first notes, and how many more there are."""
    more = f" And {len(sentences) - MAX_NOTES} more." if len(sentences) > MAX_NOTES else ""
    return " ".join(sentences[:MAX_NOTES]) + more
