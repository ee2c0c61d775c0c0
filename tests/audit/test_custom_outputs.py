"""Outputs of custom functions become rows of numbers that keep every bit."""

from datetime import date
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from dpviz.audits import custom_outputs, custom_releases, output_tokens
from dpviz.types import DpvizError


@pytest.mark.parametrize(
    "output, count",
    [(1, 1), (True, 1), ("a", 1), (None, 1), ([1, (2, 3)], 3), ({"b": [1, 2], "a": 3}, 3)]
    + [(np.ones((2, 3)), 6), (np.array(["a", "b"]), 2), (float("nan"), 1), (10**400, 1)],
)
def test_outputs_of_any_shape_become_numbers(output, count):
    made = custom_outputs.numbers(output)
    assert made.values.shape == (count,) and made.values.dtype == float
    assert made.equals(custom_outputs.numbers(output))


@pytest.mark.parametrize(
    "one, other",
    [
        (2**60, 2**60 + 1),
        ([1.5, 2**60], [1.5, 2**60 + 1]),
        (2**200, 2**200 + 1),
        (10**400, 10**400 + 2**61 - 1),
        (10**5000, 10**5000 + 1),
        (np.int64(2**60), np.int64(2**60 + 1)),
        (np.array([1, -(2**60)]), np.array([1, -(2**60) - 1])),
        (np.array([2**64 - 1], np.uint64), np.array([2**64 - 2], np.uint64)),
        (0.0, -0.0),
        (np.array([0.0, 1.0]), np.array([-0.0, 1.0])),
        (np.nan, -np.nan),
        (1, 1.0),
        (1, True),
        (np.array([1, 2]), np.array([1.0, 2.0])),
        ("1.50", "1.5"),
        (b"1.5", "1.5"),
        ((1, 2), [1, 2]),
        (-0.0, -5e-324),
        (np.array([-0.0, 1.0]), np.array([-5e-324, 1.0])),
        (f"{0.1:.30f}", f"{0.1:.29f}1"),
        ("1e9999999999999999999", "1e9999999999999999998"),
        ("\u0662.50", "2.500"),
        ("\udc80", "\udc81"),
        ({1: 0}, {2: 0}),
        ({(0.1,): 0}, {(0.2,): 0}),
        (np.array([b"ab"], "V2"), np.array([b"ac"], "V2")),
        ([np.zeros((3, 0))], [np.zeros((4, 0))]),
        (np.array([1], np.uint8).view(bool), np.array([2], np.uint8).view(bool)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_values_equal_as_floats_are_distinguished(one, other):
    pair = [custom_outputs.numbers(output) for output in (one, other)]
    assert not pair[0].equals(pair[1])
    for places in ([], output_tokens.find_places([one.tokens for one in pair])):
        rows = custom_outputs.rows(pair, 2, places)
        assert rows.shape == (2, 2 + custom_outputs.COLUMNS + len(places))
        assert not np.array_equal(*rows, equal_nan=True)


def test_long_double_values_are_distinguished():
    fine = np.longdouble(1) + np.finfo(np.longdouble).eps
    if fine == float(fine):
        pytest.skip("no floats longer than float64 on this machine")
    for one, other in ((fine, np.longdouble(1)), (np.array([fine, 1]), np.ones(2, np.longdouble))):
        assert not custom_outputs.numbers(one).equals(custom_outputs.numbers(other))


def test_remainders_keep_order_and_few_parts_get_columns():
    made = [custom_outputs.numbers(2**60 + left) for left in (-3, 0, 5)]
    places = output_tokens.find_places([one.tokens for one in made])
    first = 1 + custom_outputs.COLUMNS
    assert custom_outputs.rows(made, 1, places)[:, first].tolist() == [-3, 0, 5]
    opened = custom_releases._Opened("x", lambda data, seed: [2**60 + seed] * data, (3_000, 3_000))
    facts = custom_releases._probe(opened, ([1], [2]))
    assert (facts.width, len(facts.places)) == (3_000, custom_outputs.MAX_NUMBERS - 3_000)
    assert facts.unread > 0 and facts.columns == custom_outputs.MAX_NUMBERS + 3


@pytest.mark.parametrize(
    "token, parts",
    [
        (0, []),
        (2**52 + 5, [1 + 5 * 2.0**-52, 1e12 + 503599627370501 % 10**12, 1 + 2.0**-52, 1e12 + 4503]),
        (-1, [1 + 2.0**-52, 1e12 + 1]),
        (b"ab", [1 + 0x6261 * 2.0**-52, 1 + 0x6162 * 2.0**-52]),
        (0.5, [0.5]),
    ],
)
def test_token_parts_have_fixed_bits_digits_and_bytes(token, parts):
    assert output_tokens._parts(token) == parts


@pytest.mark.parametrize("token", [1 << 100_000, b"a" * 100_000], ids=["number", "bytes"])
def test_parts_of_a_long_token_are_bounded(token):
    assert len(output_tokens._parts(token)) == 2 * output_tokens.MAX_PARTS


@pytest.mark.parametrize(
    "output",
    [np.ma.masked_array([1.0, 2.0]), np.rec.array([(1.0,)]), memoryview(b"a"), 1j, {1}]
    + [Decimal(1), Fraction(1), date(2000, 1, 1), bytearray(b"a"), np.complex64(1)],
)
def test_output_with_non_numeric_content_is_refused(output):
    with pytest.raises(DpvizError, match="a value of type .* .allowed: numbers, texts"):
        custom_outputs.numbers(output)


def test_dict_is_read_sorted_and_order_affects_shape():
    one, other = (custom_outputs.numbers(d) for d in ({"b": 1, "a": 2}, {"a": 2, "b": 1}))
    assert one.values.tolist() == other.values.tolist() == [2, 1] and one.shape != other.shape
    assert custom_outputs.numbers({"a": 2}).shape != custom_outputs.numbers({"b": 2}).shape
