"""Tokens of an output that a float64 does not hold, as numbers that scores of digits can read.

A token is a whole number, a text or a float. A hash of a token that never repeats would show
nothing, so a token becomes parts: 52 bits, 12 decimal digits or 6 bytes each. A part fills the
mantissa of a float64 between fixed exponents, so that each bit, digit or byte has a fixed place.
Whole numbers are read from their last digit, and texts from both ends.

Only parts that vary in the first few releases get a place in the rows. All others share one hash.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

Token = int | float | bytes
Key = tuple[int, int]
"""The index of a number, and a count of tokens beside that number."""
MAX_PARTS = 20
"""Parts of each kind in one token: 1,040 bits, 240 decimal digits, 120 bytes from either end."""
BITS, DIGITS, BYTES = 52, 12, 6
"""In one part."""
MAX_READ_BYTES = 2 * MAX_PARTS * BYTES
"""Bytes of a token that are read, half of these from either end."""


class Place(NamedTuple):
    """A column for one part of a token. A float is ``ordered``: its size has a meaning."""

    ordered: bool
    part: int
    key: Key


def code(text: str) -> float:
    """Return a whole number below 2^48 that identifies a text, but for one chance in 2^48."""
    return float(int.from_bytes(hashlib.blake2b(text.encode(), digest_size=6).digest()))


def code_of_tokens(tokens: dict[Key, Token]) -> float:
    """Return the code of all tokens; 0 if there is none."""
    return _code((key, _exact(token)) for key, token in tokens.items())


def find_places(releases: Sequence[dict[Key, Token]]) -> list[Place]:
    """Return the parts of tokens that vary among some releases: first floats, then first parts."""
    places = []
    for key in dict.fromkeys(key for tokens in releases for key in tokens):
        seen = [tokens.get(key, b"") for tokens in releases]
        if len(set(map(_exact, seen))) == 1:
            continue
        ordered = any(isinstance(token, float) for token in seen)
        columns = zip_longest(*map(_parts, seen), fillvalue=0.0)
        places += [
            Place(ordered, part, key) for part, column in enumerate(columns) if len(set(column)) > 1
        ]
    return sorted(places, key=lambda place: (not place.ordered, place.part, place.key))


def placed(tokens: dict[Key, Token], places: Sequence[Place]) -> tuple[list[float], float]:
    """Return the parts that have a place, 0 where there is none, and the code of all others."""
    parts = {key: _parts(tokens[key]) for key in {place.key for place in places} & tokens.keys()}
    columns = []
    for place in places:
        own = parts.get(place.key, [])
        columns.append(own[place.part] if place.part < len(own) else 0.0)
        if place.part < len(own):
            own[place.part] = 0.0
    others = [(key, _exact(token)) for key, token in tokens.items() if key not in parts]
    left = [(key, list(_strip(own))) for key, own in sorted(parts.items())]
    return columns, _code(iter([*others, *left]))


def _strip(parts: list[float]) -> Iterator[tuple[int, float]]:
    return ((i, part) for i, part in enumerate(parts) if part)


def _code(items: Iterator) -> float:
    text = repr(list(items))
    return 0.0 if text == "[]" else code(text)


def _exact(token: Token) -> str:
    """Return a text that identifies a token; ``repr`` refuses whole numbers of 4,300 digits."""
    return hex(token) if isinstance(token, int) else token.hex()


def _parts(token: Token) -> list[float]:
    """Return the parts of a token, by turns of either kind."""
    if isinstance(token, float):
        return [token]
    if isinstance(token, bytes):
        pair = _of_bytes(token), _of_bytes(token[::-1])
    else:
        pair = _of_bits(abs(token)), _of_digits(abs(token))
    return [part for both in zip_longest(*pair, fillvalue=0.0) for part in both]


def _padded(payload: int) -> float:
    return 1.0 + payload * 2.0**-BITS


def _of_bytes(raw: bytes) -> list[float]:
    starts = range(0, min(len(raw), MAX_PARTS * BYTES), BYTES)
    return [_padded(int.from_bytes(raw[i : i + BYTES], "little")) for i in starts]


def _of_bits(value: int) -> list[float]:
    number = min(MAX_PARTS, -(-value.bit_length() // BITS))
    return [_padded(value >> BITS * i & 2**BITS - 1) for i in range(number)]


def _of_digits(value: int) -> list[float]:
    """Return the digits, 12 each, after a first digit 1."""
    tokens: list[float] = []
    while value and len(tokens) < MAX_PARTS:
        value, digits = divmod(value, 10**DIGITS)
        tokens.append(float(10**DIGITS + digits))
    return tokens
