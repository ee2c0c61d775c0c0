"""Bring the output of an untrusted function to rows of numbers that can be counted.

Numbers stay as they are. A word and None become the number of their code. What a float64 does not
hold is a token beside the number: a long whole number, a word, the bits of a NaN, a key, a length,
or the bytes of a record (``output_tokens``). -0 is the number next to 0.

The code of the shape hashes the types and lengths of all containers and words, the order of keys,
and the type, memory order and flags of each array. Rows are padded by NaN.
"""

from __future__ import annotations

import hashlib
import math
import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from dpviz.audits.output_tokens import (
    MAX_READ_BYTES,
    Key,
    Place,
    Token,
    code,
    code_of_tokens,
    placed,
)
from dpviz.caches import cached
from dpviz.types import DpvizError

MAX_NUMBERS = 4_096
"""In one release."""
MAX_DEPTH = 20
"""Lists within lists."""
READABLE_TYPES = "numbers, texts, or lists, NumPy arrays and dicts of numbers and texts"
MAX_EXACT = 2**40
"""Whole numbers up to which scores of digits see each bit and digit of a float64."""
NEXT_TO_0 = -5e-324
"""For -0: the largest number below 0. That number itself gets a token."""
NUMBER_KINDS = "fiub"
"""Of arrays whose numbers are read at once."""
LONG_DOUBLE = 10 if np.finfo(np.longdouble).nmant == 63 else None
"""Bytes that hold an extended float; the others are padding."""
FLOAT_DIGITS = 15
"""Decimal digits that a float64 holds of each number."""
WRITTEN_DIGITS, WRITTEN_SIZE = 4_000, 400
"""Digits and decimal exponents of written numbers that are read exactly."""
COLUMNS = 3
"""Of a row beside numbers and places: the shape, tokens without a place, and all tokens."""


class Release(NamedTuple):
    """One release.

    Attributes:
        values: (k,) float64, the numbers, k <= MAX_NUMBERS; shape: the code of the shape; tokens:
            what ``values`` lack, by the index of a number and a count.
    """

    values: np.ndarray
    shape: float
    tokens: dict[Key, Token]

    def equals(self, other: Release) -> bool:
        """Whether both are the same outcome."""
        return (
            self.shape == other.shape
            and self.tokens == other.tokens
            and np.array_equal(self.values, other.values, equal_nan=True)
        )


def numbers(output: Any) -> Release:
    """Return the numbers of one release, a dict's in sorted order of its keys, and its shape.

    Raises:
        DpvizError: for what is no number, word, or list, array or dict of them, and for too many.
    """
    reader = _Reader()
    reader.walk(output, 0)
    values = reader.numbers()
    for i in np.flatnonzero(values == NEXT_TO_0):
        reader.tokens[int(i), -1] = 1
    values = np.where(np.signbit(values) & (values == 0), NEXT_TO_0, values)
    return Release(values, _shape_code("".join(reader.shape)), reader.tokens)


class _Reader:
    """The numbers, tokens and shape of one output, as far as it was walked through."""

    def __init__(self) -> None:
        self.shape: list[str] = []
        self.tokens: dict[Key, Token] = {}
        self._pieces: list[np.ndarray] = []
        self._row: list[float] = []
        self._count = 0
        self._at = (0, 0)

    def numbers(self) -> np.ndarray:
        """Return the numbers so far: (k,) float64."""
        self._put(np.zeros(0))
        return np.concatenate(self._pieces)

    def walk(self, value: Any, depth: int) -> None:
        """Read ``value`` and everything in it."""
        if depth > MAX_DEPTH:
            raise DpvizError(f"more than {MAX_DEPTH} nested lists (allowed: {READABLE_TYPES})")
        kind = type(value)
        self.shape.append(f"{kind.__module__}.{kind.__qualname__}")
        if kind is np.ndarray:
            self._walk_array(value, depth)
        elif isinstance(value, Mapping):
            self.shape.append(f"{[*value]!r}")
            keys, place = sorted(value, key=str), {key: i for i, key in enumerate(value)}
            self._add_tokens(*(place[key] for key in keys))
            self._add_tokens(*_types(value[key] for key in keys))
            for key in keys:
                self.shape.append(f"{key!r}:")
                self._add_tokens(*_of_key(key))
                self.walk(value[key], depth + 1)
        elif isinstance(value, list | tuple):
            self.shape.append("(")
            self._add_tokens(len(value), *_types(value))
            for one in value:
                self.walk(one, depth + 1)
            self.shape.append(")")
        else:
            if isinstance(value, str | bytes):
                self.shape.append(f"{len(value)}")
                self._add_tokens(len(value))
            number, *tokens = _number(value)
            self._add_tokens(*tokens)
            self._add(1)
            self._row.append(number)

    def _walk_array(self, array: np.ndarray, depth: int) -> None:
        kind = f"{array.dtype.str}{array.dtype.descr}{array.dtype.metadata}"
        self.shape += [kind, f"{array.shape}{array.strides}{array.flags.num};"]
        self._add_tokens(_bytes(kind), array.flags.num, *array.shape, *array.strides)
        if array.dtype.kind in NUMBER_KINDS:
            self._read_numbers(array)
            return
        if array.dtype.names and not array.dtype.hasobject:
            raw, size = array.tobytes(), array.dtype.itemsize  # with the padding, as saved
            self._add_tokens(*(raw[i * size : (i + 1) * size] for i in range(array.size)))
        self.walk(array.tolist(), depth + 1)

    def _read_numbers(self, array: np.ndarray) -> None:
        if array.dtype.kind == "b":
            array = array.view(np.uint8)  # the byte of a true value is any but 0
        self._add(array.size)
        flat = array.ravel()
        if not _is_exact(array):
            self._put(np.zeros(0))
            values, by_hand = np.zeros(flat.size), np.arange(flat.size)
        else:
            with np.errstate(invalid="ignore"):  # a signaling NaN becomes a quiet one
                values = flat.astype(float)
            by_hand = np.flatnonzero(np.isnan(values))
        first = self._count - flat.size
        for i in by_hand:
            values[i], *tokens = _number(flat[i])
            self.tokens.update({(first + int(i), -2 - j): one for j, one in enumerate(tokens)})
        self._put(values)

    def _put(self, piece: np.ndarray) -> None:
        self._pieces += [np.array(self._row, float), piece]
        self._row = []

    def _add(self, count: int) -> None:
        self._count += count
        if self._count > MAX_NUMBERS:
            raise DpvizError(
                f"more than {MAX_NUMBERS} numbers (wrap the function so that it returns fewer)"
            )

    def _add_tokens(self, *tokens: Token) -> None:
        """Put tokens beside the next number."""
        number, next_key = self._at if self._at[0] == self._count else (self._count, 0)
        for token in tokens:
            self.tokens[number, next_key] = token
            next_key += 1
        self._at = number, next_key


@cached(256)
def _shape_code(shape: str) -> float:
    return code(shape)


@cached(256)
def _type_code(kind: str) -> bytes:
    return hashlib.blake2b(kind.encode(), digest_size=2).digest()


def _types(values: Iterable[Any]) -> Iterator[bytes]:
    """Return the types of values, two bytes each, in tokens that are read as a whole."""
    codes = b"".join(_type_code(repr(type(value))) for value in values)
    return (codes[i : i + MAX_READ_BYTES] for i in range(0, len(codes), MAX_READ_BYTES))


def _of_key(key: Any) -> Iterator[Token]:
    """Return the tokens of a key, or of all its parts."""
    if isinstance(key, tuple):
        for part in key:
            yield from _of_key(part)
    elif isinstance(key, int | np.integer):
        yield operator.index(key)
    else:
        if isinstance(key, float | np.floating):
            yield np.float64(key).tobytes()
        yield _bytes(key if isinstance(key, str | bytes) else repr(key))


def _is_exact(array: np.ndarray) -> bool:
    """Whether a float64 holds each number of an array."""
    if array.dtype.kind == "f" or array.dtype.itemsize < 8:
        return array.dtype.itemsize <= 8
    return not ((array > MAX_EXACT) | (array < -MAX_EXACT)).any()


def _number(value: Any) -> tuple[Any, ...]:
    """Return a number, or the code of a word or None, and tokens of what a float64 lacks."""
    if isinstance(value, float | np.floating) and value != value:
        return np.nan, *_bits_of_nan(value)
    if isinstance(value, np.longdouble):
        return _long(value)
    if isinstance(value, bool | np.bool_ | float | np.floating):
        return (float(value),)
    if isinstance(value, int | np.integer):
        return _whole(operator.index(value))
    if isinstance(value, str | bytes):
        return _word(value)
    if value is None:
        return (code("None"),)
    raise DpvizError(f"a value of type {type(value).__name__} (allowed: {READABLE_TYPES})")


def _word(text: str | bytes) -> tuple[Any, ...]:
    """Return the number that a text writes, or the code of the text, and the text's bytes."""
    try:
        number = float(text)
    except ValueError:
        return code(repr(text)), _bytes(text)
    if repr(number) == text:
        return (number,)
    return number, _bytes(text), *_read_number(text, number)


def _bytes(text: str | bytes) -> bytes:
    """Return one byte per character, or four if a character needs more than one."""
    if isinstance(text, bytes):
        return bytes(text)
    wide = any(ord(letter) > 255 for letter in text)
    return text.encode("utf-32-le" if wide else "latin-1", "surrogatepass")


def _read_number(text: str | bytes, number: float) -> tuple[Token, ...]:
    """Return what ``number`` lacks of a number written in a text, and all digits of that number."""
    try:
        value = Decimal(text if isinstance(text, str) else text.decode())
    except (ArithmeticError, ValueError):
        return ()
    digits = value.as_tuple().digits
    if not (
        value.is_finite()
        and FLOAT_DIGITS < len(digits) < WRITTEN_DIGITS
        and abs(value.adjusted()) < WRITTEN_SIZE
    ):
        return ()
    left = float(Fraction(value) - Fraction(number)) if math.isfinite(number) else 0.0
    return left, int("".join(map(str, digits)))


def _bits_of_nan(value: float | np.floating) -> list[bytes]:
    """Return the sign and payload of a NaN; nothing for the usual one."""
    nan = value if isinstance(value, np.floating) else np.float64(value)
    bits, usual = (one.tobytes()[:LONG_DOUBLE] for one in (nan, type(nan)(np.nan)))
    return [] if bits == usual else [bits]


def _whole(value: int) -> tuple[Any, ...]:
    """Return the nearest float64; for a long number also what it lacks, and all digits."""
    if abs(value) <= MAX_EXACT:
        return (float(value),)
    try:
        number = float(value)
    except OverflowError:
        first = float(abs(value) >> value.bit_length() - 64)
        return math.inf if value > 0 else -math.inf, first, value
    return number, float(value - int(number)), value


def _long(value: np.longdouble) -> tuple[Any, ...]:
    with np.errstate(over="ignore", under="ignore"):
        number = float(value)
        left = float(value - number) if np.isfinite(number) else 0.0
    return (number, left, value.tobytes()[:LONG_DOUBLE]) if number != value else (number,)


def rows(releases: list[Release], width: int, places: Sequence[Place]) -> np.ndarray:
    """Return releases as rows (runs, COLUMNS + width + places).

    A row holds the code of the shape, ``width`` numbers padded by NaN, the code of tokens without a
    place, the code of all tokens, and the parts of tokens that have a place.
    """
    table = np.full((len(releases), COLUMNS + width + len(places)), np.nan)
    for row, release in zip(table, releases, strict=True):
        values = release.values[:width]
        parts, others = placed(release.tokens, places)
        row[0] = release.shape
        row[1 : 1 + len(values)] = values
        row[1 + width] = others
        row[2 + width] = code_of_tokens(release.tokens)
        row[COLUMNS + width :] = parts
    return table
