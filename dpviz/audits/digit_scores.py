"""Scores of what the size of numbers hides: single bits and digits, and signs of products.

A number may look right and still encode a record in its last bit, in the parity of one decimal, or
in the sign of its product with another number. Each score is of the bits, digits or pair of numbers
that tell most apart on the releases that are learned from. This choice costs no error, since other
releases are counted.

Single bits, single digits and pairs of signs are all that is tried. A function of many bits, such
as a keyed hash, encodes a record so that no list of tests finds it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from dpviz.audits.distinguisher import Score, few_outcomes

NO_DIGIT = 10
"""The digit of what has none: NaN, infinity, and a number too large for such a digit."""
BYTE = 256
"""Values of a byte."""
TOO_LARGE = 2.0**62
MAX_PLACES = 8
"""Numbers whose log-odds are added up."""
BATCH_COLUMNS = 64
"""Numbers of a release that are read in one array."""
MAX_LEARNED_NUMBERS, MIN_LEARNED_RELEASES = 2**19, 250
"""Numbers of each data set that are learned from, and releases at least."""

LEVELS = (-2.0, 0.0, 2.0)
"""Log-odds at which a score of one digit or pair goes up."""

Digit = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""digit(numbers (runs, k), scale (k,)) -> (runs, k) whole numbers, 0 to NO_DIGIT, or bytes."""


def _bit(bit: int, numbers: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """Return a bit of the mantissa or exponent of each float64."""
    whole = np.ascontiguousarray(numbers).view(np.uint64)
    return (whole >> np.uint64(bit) & np.uint64(1)).astype(np.int64)


def _byte(byte: int, numbers: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """Return a byte of the mantissa of each float64, such as a character of a text."""
    whole = np.ascontiguousarray(numbers).view(np.uint64)
    return (whole >> np.uint64(8 * byte) & np.uint64(BYTE - 1)).astype(np.int64)


def _binary_digit(place: int, numbers: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """Return the digit that stands for 2^-place of the scale."""
    return _digit(np.floor, np.ldexp(np.abs(numbers), place - np.frexp(scale)[1]), 2)


def _decimal_digit(place: int, cut: Callable, numbers: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """Return the digit that stands for 10^-place of the scale, cut or rounded there."""
    power = place - np.floor(np.log10(scale))
    # 10^n is exact up to n = 22, 10^-n never; 10^n overflows beyond n = 308
    half = np.floor(np.abs(power) / 2)
    scaled = np.abs(numbers)
    for factor in (10.0**half, 10.0 ** (np.abs(power) - half)):
        scaled = np.where(power < 0, scaled / factor, scaled * factor)
    return _digit(cut, scaled, 10)


def _significant_digit(
    place: int, cut: Callable, numbers: np.ndarray, scale: np.ndarray
) -> np.ndarray:
    """Return a digit of each number after its own first one, cut or rounded there."""
    return _decimal_digit(place, cut, numbers, np.abs(numbers))


def _digit_of_exponent(power: float, numbers: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """Return the digit of each number's decimal exponent that stands for ``power``."""
    exponents = np.floor(np.log10(np.abs(numbers)))
    return np.where(np.isfinite(exponents), exponents // power % 10, NO_DIGIT).astype(np.int64)


def _digit(cut: Callable, scaled: np.ndarray, base: int) -> np.ndarray:
    large = ~(scaled < TOO_LARGE)
    return np.where(large, NO_DIGIT, cut(np.where(large, 0.0, scaled)) % base).astype(np.int64)


PLACES = [(place, cut) for place in range(-2, 13) for cut in (np.floor, np.rint)]
"""Of decimal digits."""
FAMILIES: Sequence[tuple[int, list[Digit]]] = [
    (NO_DIGIT + 1, [partial(_bit, bit) for bit in range(63)]),
    (NO_DIGIT + 1, [partial(_binary_digit, place) for place in range(-8, 44)]),
    (NO_DIGIT + 1, [partial(_decimal_digit, *place) for place in PLACES]),
    (NO_DIGIT + 1, [partial(_significant_digit, *place) for place in PLACES if place[0] >= 0]),
    (NO_DIGIT + 1, [partial(_digit_of_exponent, power) for power in (1.0, 10.0)]),
    (BYTE, [partial(_byte, byte) for byte in range(6)]),
]
"""How many values a digit may have, and the digits. Digits below 2^-44 of the scale are left out.
There the noise of every textbook sampler in floating point has gaps that tell the sum (Mironov
2012), which is a limit of this audit.
"""


@dataclass(frozen=True)
class _Place:
    """One digit of one number of each release; ``evidence``: how surely it differs."""

    column: int
    scale: float
    digit: Digit
    log_odds: np.ndarray
    evidence: float

    def odds(self, outputs: np.ndarray) -> np.ndarray:
        """Return the log-odds (runs,) of outputs (runs, k)."""
        numbers = outputs[:, self.column : self.column + 1]
        with np.errstate(all="ignore"):
            digits = self.digit(numbers, np.array([self.scale]))
        return self.log_odds[digits[:, 0]]


def all_scores(present: np.ndarray, absent: np.ndarray) -> list[Score]:
    """Return the scores that are tried, learned on the first half of the releases (runs, k)."""
    if few_outcomes(present, absent):
        return []
    runs = min(
        len(present) // 2, max(MIN_LEARNED_RELEASES, MAX_LEARNED_NUMBERS // present.shape[1])
    )
    present, absent = present[:runs], absent[:runs]
    by_family = [_places(present, absent, *family) for family in FAMILIES]
    scores = [_in_levels(places[0].odds) for places in by_family]
    both = np.concatenate([present, absent])
    if ((both != both[0]) & ~np.isnan(both)).any(axis=0).sum() > 1:
        all_places = [place for places in by_family for place in places]
        scores += [_added_up(all_places), _in_levels(_signs_of_pair(present, absent))]
    return scores


def _in_levels(odds: Score) -> Score:
    """Return a score of few values, so that it makes few tests and all tests keep their power."""
    return lambda outputs: np.digitize(odds(outputs), LEVELS).astype(float)


def _added_up(places: list[_Place]) -> Score:
    """Return the sum of log-odds over the MAX_PLACES numbers that differ most surely."""
    best = {place.column: place for place in sorted(places, key=lambda one: one.evidence)}
    chosen = sorted(best.values(), key=lambda one: -one.evidence)[:MAX_PLACES]
    return lambda outputs: np.sum([place.odds(outputs) for place in chosen], axis=0)


def _places(
    present: np.ndarray, absent: np.ndarray, values: int, digits: list[Digit]
) -> list[_Place]:
    """Return the MAX_PLACES digits of a family that differ most surely, each of another number."""
    places: list[_Place] = []
    for first in range(0, present.shape[1], BATCH_COLUMNS):
        part = slice(first, first + BATCH_COLUMNS)
        places += _best_of_each(present[:, part], absent[:, part], values, digits, first)
    return sorted(places, key=lambda one: -one.evidence)[:MAX_PLACES]


def _best_of_each(
    present: np.ndarray,
    absent: np.ndarray,
    values: int,
    digits: list[Digit],
    first: int,
) -> list[_Place]:
    """Return, for each number (column), the digit of a family that differs most surely."""
    scale = _scales(np.concatenate([present, absent]))
    with np.errstate(all="ignore"):
        counts = np.array(
            [
                [_counts(digit(side, scale), values) for side in (present, absent)]
                for digit in digits
            ]
        )
    apart = _chi_square(counts)
    best = []
    for j, which in enumerate(apart.argmax(axis=0)):
        one, other = np.log(counts[which, :, :, j] + 0.5)
        facts = float(scale[j]), digits[which], one - other, float(apart[which, j])
        best.append(_Place(first + j, *facts))
    return best


def _scales(numbers: np.ndarray) -> np.ndarray:
    """Return the median size of each number (column) that is finite and not 0; else 1."""
    sizes = np.abs(numbers)
    sizes = np.where(np.isfinite(sizes) & (sizes > 1e-300), sizes, np.nan)
    known = ~np.isnan(sizes).all(axis=0)
    scale = np.ones(numbers.shape[1])
    scale[known] = np.nanmedian(sizes[:, known], axis=0)
    return scale


def _counts(found: np.ndarray, values: int) -> np.ndarray:
    """Return how often each digit came: (values, k)."""
    k = found.shape[1]
    counts = np.bincount((found + values * np.arange(k)).ravel(), minlength=values * k)
    return counts.reshape(k, values).T


def _chi_square(counts: np.ndarray) -> np.ndarray:
    """Return the chi-square of two samples' digits (..., 2, values, k), in standard deviations
    above what is expected of equal ones: (..., k).
    """
    one, other = np.moveaxis(counts, -3, 0)
    total = one + other
    square = ((one - other) ** 2 / np.maximum(total, 1)).sum(axis=-2)
    freedom = np.maximum((total > 0).sum(axis=-2) - 1, 1)
    return (square - freedom) / np.sqrt(2 * freedom)


# ------------------------------------------------------------------------------- signs of products


def _signs_of_pair(present: np.ndarray, absent: np.ndarray) -> Score:
    """Return the log-odds of both signs of the two numbers the sign of whose product differs most,
    about 0 or about their medians.
    """
    both = np.concatenate([present, absent])
    finite = np.where(np.isfinite(both), both, 0.0)
    pairs = [
        _pair(present, absent, middle) for middle in (0 * finite[0], np.median(finite, axis=0))
    ]
    _, pair, middle = max(pairs, key=lambda one: one[0])

    def cells(outputs: np.ndarray) -> np.ndarray:
        one, other = _signs(outputs[:, pair], middle[pair]).T.astype(np.int64) + 1
        return 3 * one + other

    odds = [np.log(np.bincount(cells(side), minlength=9) + 0.5) for side in (present, absent)]
    return lambda outputs: (odds[0] - odds[1])[cells(outputs)]


def _pair(
    present: np.ndarray, absent: np.ndarray, middle: np.ndarray
) -> tuple[float, np.ndarray, np.ndarray]:
    """Return how far the mean sign of the best pair's product differs, the pair, and ``middle``."""
    signs = [_signs(side, middle) for side in (present, absent)]
    one, other = (side.T @ side / len(side) for side in signs)
    apart = np.abs(one - other)
    np.fill_diagonal(apart, -1)
    best = np.array(np.unravel_index(apart.argmax(), apart.shape))
    return float(apart[tuple(best)]), best, middle


def _signs(outputs: np.ndarray, middle: np.ndarray) -> np.ndarray:
    """Return -1, 0 or 1 of each number about ``middle``; 0 for NaN."""
    return np.nan_to_num(np.sign(outputs - middle)).astype(np.float32)
