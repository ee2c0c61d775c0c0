"""Bring the output of an untrusted function to rows of numbers that can be counted.

Numbers stay as they are. Each word and None becomes a number of its own. What a float64 does not
hold of a number is its rest, a number beside it: the last digits of a long one, and the sign and
payload of a NaN. -0 is the number next to 0. One more number is the code of the shape: the types
and lengths of all containers and words, the order of keys, and the type, memory order and flags of
each array. Rows are padded by NaN, which is an outcome like any other.
"""

from __future__ import annotations

import hashlib
import operator
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from dpviz.types import DpvizError

MOST_NUMBERS = 4_096
"""In one release."""
DEPTH = 20
"""Lists within lists."""
SIMPLE = "numbers, words, or lists, NumPy arrays and dicts of them"
EXACT = 2**53
"""Whole numbers up to which a float64 holds each."""
NEXT_TO_0 = -5e-324
"""For -0: the largest number below 0."""
KINDS = "fiub"
"""Of arrays whose numbers are read at once."""
LONG_DOUBLE = 10 if np.finfo(np.longdouble).nmant == 63 else None
"""Bytes that hold an extended float; the others are padding."""


class Release(NamedTuple):
    """One release.

    Attributes:
        found: (k,) float64, the numbers, k <= MOST_NUMBERS; shape: the code of the shape; rest:
            (k,) what ``found`` lacks of each, or (0,) where it lacks nothing.
    """

    found: np.ndarray
    shape: float
    rest: np.ndarray

    def same(self, other: Release) -> bool:
        """Whether both are one outcome."""
        return self.shape == other.shape and all(
            np.array_equal(one, two, equal_nan=True)
            for one, two in ((self.found, other.found), (self.rest, other.rest))
        )


def code(text: str) -> float:
    """A whole number below 2^48 that stands for a text; others stand for others, but for one chance
    in 2^48.
    """
    return float(int.from_bytes(hashlib.blake2b(text.encode(), digest_size=6).digest()))


def numbers(output: Any) -> Release:
    """Return the numbers of one release, a dict's in sorted order of its keys, and its shape.

    Raises:
        DpvizError: for what is no number, word, or list, array or dict of them, and for too many.
    """
    reader = _Reader()
    reader.walk(output, 0)
    found, rest = reader.numbers()
    found = np.where(np.signbit(found) & (found == 0), NEXT_TO_0, found)
    return Release(found, code("".join(reader.shape)), rest if rest.any() else np.zeros(0))


class _Reader:
    """The numbers and the shape of one output, as far as it was walked through."""

    def __init__(self) -> None:
        self.shape: list[str] = []
        self._pieces: list[np.ndarray] = []
        self._pairs: list[tuple[float, float]] = []
        self._count = 0

    def numbers(self) -> np.ndarray:
        """Return the numbers so far, and their rests: (2, k) float64."""
        self._put(np.zeros((2, 0)))
        return np.concatenate(self._pieces, axis=1)

    def walk(self, value: Any, depth: int) -> None:
        """Read ``value`` and all that it holds."""
        if depth > DEPTH:
            raise DpvizError(f"lists more than {DEPTH} deep, where {SIMPLE} are wanted")
        kind = type(value)
        self.shape.append(f"{kind.__module__}.{kind.__qualname__}")
        if kind is np.ndarray:
            self._walk_array(value, depth)
        elif isinstance(value, Mapping):
            self.shape.append(f"{[*value]!r}")
            for key in sorted(value, key=str):
                self.shape.append(f"{key!r}:")
                self.walk(value[key], depth + 1)
        elif isinstance(value, list | tuple):
            self.shape.append("(")
            for one in value:
                self.walk(one, depth + 1)
            self.shape.append(")")
        else:
            if isinstance(value, str | bytes):
                self.shape.append(f"{len(value)}")
            self._add(1)
            self._pairs.append(_number(value))

    def _walk_array(self, array: np.ndarray, depth: int) -> None:
        self.shape.append(f"{array.dtype.str}{array.dtype.descr}{array.dtype.metadata}")
        self.shape.append(f"{array.shape}{array.strides}{array.flags.num};")
        if array.dtype.kind not in KINDS:
            self.walk(array.tolist(), depth + 1)
            return
        self._add(array.size)
        self._put(_array(array))

    def _put(self, piece: np.ndarray) -> None:
        if self._pairs:
            self._pieces.append(np.array(self._pairs, float).T)
            self._pairs = []
        self._pieces.append(piece)

    def _add(self, count: int) -> None:
        self._count += count
        if self._count > MOST_NUMBERS:
            raise DpvizError(
                f"more than {MOST_NUMBERS} numbers, which is the most; wrap it in a function that"
                " hands out fewer"
            )


def _array(array: np.ndarray) -> np.ndarray:
    """Return the numbers of an array in C order, and their rests: (2, k) float64."""
    flat = array.ravel()
    if not _held(array):
        return np.array([_number(one) for one in flat], float).reshape(-1, 2).T
    with np.errstate(invalid="ignore"):  # a signaling NaN becomes a quiet one
        found, rest = flat.astype(float), np.zeros(flat.size)
    for i in np.flatnonzero(np.isnan(found)):
        found[i], rest[i] = _number(flat[i])
    return np.stack([found, rest])


def _held(array: np.ndarray) -> bool:
    """Whether a float64 holds each number of an array."""
    if array.dtype.kind == "f" or array.dtype.itemsize < 8:
        return array.dtype.itemsize <= 8
    return not ((array > EXACT) | (array < -EXACT)).any()


def _number(value: Any) -> tuple[float, float]:
    """Return a number, or the code of what is none, and what a float64 does not hold of it."""
    if isinstance(value, float | np.floating) and value != value:
        return np.nan, _rest_of_nan(value)
    if isinstance(value, np.longdouble):
        return _long(value)
    if isinstance(value, bool | np.bool_ | float | np.floating):
        return float(value), 0.0
    if isinstance(value, int | np.integer):
        return _whole(operator.index(value))
    if isinstance(value, str | bytes):
        return _word(value)
    if value is None:
        return code("None"), 0.0
    raise DpvizError(f"something of type {type(value).__name__}, where {SIMPLE} are wanted")


def _word(text: str | bytes) -> tuple[float, float]:
    """Return the number that a text writes, and the code of the text where it is written unusually;
    else the code alone.
    """
    try:
        found = float(text)
    except ValueError:
        return code(repr(text)), 0.0
    return found, 0.0 if repr(found) == text else code(repr(text))


def _rest_of_nan(value: float | np.floating) -> float:
    """Return the code of a NaN's sign and payload; 0 for the usual one."""
    nan = value if isinstance(value, np.floating) else np.float64(value)
    bits, usual = (one.tobytes()[:LONG_DOUBLE] for one in (nan, type(nan)(np.nan)))
    return 0.0 if bits == usual else code(bits.hex())


def _whole(value: int) -> tuple[float, float]:
    try:
        found = float(value)
    except OverflowError:
        return code(hex(value)), 0.0
    left = value - int(found)
    return found, float(left) if int(float(left)) == left else code(hex(left))


def _long(value: np.longdouble) -> tuple[float, float]:
    with np.errstate(over="ignore", under="ignore"):
        found = float(value)
        if np.isinf(found) and np.isfinite(value):
            return code(repr(value)), 0.0
        left = value - found if np.isfinite(found) else np.longdouble(0)
        return found, float(left) if np.longdouble(float(left)) == left else code(repr(left))


def rows(releases: list[Release], width: int, rests: int) -> np.ndarray:
    """Releases as rows (runs, 1 + width + rests): the code of the shape, as many numbers, padded by
    nan where one has fewer, and the rests of the first ``rests`` of them. A number whose rest has
    no place is an outcome of its own, in no order.
    """
    table = np.full((len(releases), 1 + width + rests), np.nan)
    table[:, 1 + width :] = 0.0
    for row, release in zip(table, releases, strict=True):
        found, rest = release.found[:width], release.rest[:width]
        row[0] = release.shape
        row[1 : 1 + len(found)] = found
        row[1 + width : 1 + width + len(rest[:rests])] = rest[:rests]
        for j in rests + np.flatnonzero(rest[rests:]):
            row[1 + j] = code(f"{found[j]!r} {rest[j]!r}")
    return table
