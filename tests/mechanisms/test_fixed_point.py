"""Contributions on a grid: never longer than 1, in whole numbers, and summed without rounding."""

import math

import numpy as np
import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from dpviz import mechanisms
from dpviz.mechanisms import fixed_point

FLOATS = st.floats(width=32, allow_nan=False, allow_infinity=False)
ROWS = arrays(np.float32, array_shapes(min_dims=2, max_dims=2, max_side=9), elements=FLOATS)
RADII = st.sampled_from([0.0, 1e-30, 0.05, 1.0, 3e38])
HARD = [
    [[3, 4], [-3, 4], [5, 12], [20, 21]],  # on the grid's circle, or a hair off it
    [[1, 1], [1, -1], [1e-45, 1e-45], [3e38, 3e38]],
    [[1e-23, 0], [0, -1e-45], [3e38, 1e-45], [0, 0]],
    [[4096, 0.5], [4096, 0.4999], [1, 1 / 8192], [1, 3 / 8192]],
    [[1, 1, 1, 1], [1, 1, 1, 1e-7], [3, 5, 7, 11], [1e38, 1e38, 1e38, 1e38]],
]


def whole(rows, bits):
    """The rows in steps of the grid, as Python's integers; all others are refused."""
    steps = np.asarray(rows, np.float64) * 2.0**bits
    assert np.array_equal(steps, np.rint(steps)), "off the grid"
    return [[int(v) for v in row] for row in steps]


def longest(rows, bits):
    """The largest squared norm less 1, in squared steps: at most 0 where none is too long."""
    return max(sum(v * v for v in row) for row in whole(rows, bits)) - 4**bits


def rounded_only(x, bits):
    """Negative control: unit rows brought to the grid, and not shortened where that made them
    longer.
    """
    rows = x.astype(np.float64)
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-300)
    return np.rint(rows * 2.0**bits) * 2.0**-bits


@settings(deadline=None)
@given(ROWS, RADII, st.sampled_from([12, 24]))
def test_no_row_exceeds_norm_in_integer_arithmetic(x, radius, bits):
    made = mechanisms.contributions(x, radius, bits)
    assert made.shape == x.shape and made.dtype == (np.float32 if bits == 12 else np.float64)
    assert longest(made, bits) <= 0


@pytest.mark.parametrize("rows", HARD, ids=str)
@pytest.mark.parametrize("bits", [12, 24])
def test_numerically_hard_rows_are_bounded(rows, bits):
    x = np.array(rows, np.float32)
    for radius in (0, 1e-40, 1, 3e38):
        assert longest(mechanisms.contributions(x, radius, bits), bits) <= 0


def test_rounded_rows_exceed_norm_without_correction():
    x = np.random.default_rng(0).normal(size=(200, 7)).astype(np.float32)
    assert longest(rounded_only(x, 12), 12) > 0
    assert longest(mechanisms.contributions(x, 0, 12), 12) <= 0


@settings(deadline=None)
@given(ROWS, RADII, st.sampled_from([12, 24]))
def test_rows_are_clipped_and_keep_their_direction(x, radius, bits):
    made = mechanisms.contributions(x, radius, bits).astype(float)
    largest = np.abs(x).max(axis=1, keepdims=True).astype(float)
    rows = x / np.where(largest > 0, largest, 1)
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    with np.errstate(over="ignore"):
        wanted = rows / np.maximum(norms, radius / np.where(largest > 0, largest, 1)).clip(1e-300)
    # half a step a number, and what a row is shortened by where that made it longer
    assert np.abs(made - wanted).max() <= 2.0**-bits * (1 + math.sqrt(x.shape[1]))


def test_zero_row_stays_zero_short_row_keeps_length():
    x = np.array([[0.0, 0.0], [0.25, 0.0], [0.5, 0.5], [8.0, 0.0]], np.float32)
    made = mechanisms.contributions(x, 1.0)
    assert made.tolist() == [[0, 0], [0.25, 0], [0.5, 0.5], [1, 0]]


@pytest.mark.parametrize("at_once", [1, 30, 64, 1000])
def test_row_depends_only_on_its_record(monkeypatch, at_once):
    x = np.random.default_rng(1).normal(size=(50, 10)).astype(np.float32)
    expected = {r: [mechanisms.contributions(x[i : i + 1], r) for i in range(50)] for r in (0, 2)}
    monkeypatch.setattr(fixed_point, "NUMBERS_PER_BLOCK", at_once)
    for radius, alone in expected.items():
        assert np.array_equal(mechanisms.contributions(x, radius), np.concatenate(alone))


# ------------------------------------------------------------------------------------ sums of rows


def sums_of_integers(rows, y, classes):
    """What class sums are, in Python's integers, in steps of the grid."""
    steps = whole(rows, 24)
    return [
        [sum(row[j] for row, c in zip(steps, y, strict=True) if c == k) for j in range(len(row0))]
        for k in range(classes)
        for row0 in steps[:1]
    ]


def in_blocks(rows, size, dtype):
    """The rows' sum, block by block."""
    total = np.zeros(rows.shape[1], dtype)
    for start in range(0, len(rows), size):
        total += rows[start : start + size].sum(axis=0, dtype=dtype)
    return total


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 2**32 - 1), st.integers(1, 300), st.integers(1, 40))
@example(0, 257, 16)
def test_sums_are_exact_in_any_order_and_blocks(seed, n, size):
    rng = np.random.default_rng(seed)
    rows = mechanisms.contributions(rng.normal(size=(n, 3)).astype(np.float32), 0.7)
    y, order = rng.integers(0, 2, n), rng.permutation(n)
    found = mechanisms.class_sums(rows, y, 2)
    assert (found * 2.0**24).tolist() == sums_of_integers(rows, y.tolist(), 2)
    assert np.array_equal(mechanisms.class_sums(rows[order], y[order], 2), found)
    assert np.array_equal(in_blocks(rows[order], size, np.float64), found.sum(axis=0))


def test_single_precision_or_off_grid_sums_are_detected():
    rng = np.random.default_rng(2)
    x, order = rng.normal(size=(5000, 3)).astype(np.float32), rng.permutation(5000)
    rows = mechanisms.contributions(x, 0)
    assert np.array_equal(in_blocks(rows, 64, np.float64), in_blocks(rows[order], 7, np.float64))
    single, off = rows.astype(np.float32), x / np.linalg.norm(x.astype(float), axis=1)[:, None]
    for broken, dtype in ((single, np.float32), (off, np.float64)):
        assert not np.array_equal(in_blocks(broken, 64, dtype), in_blocks(broken[order], 7, dtype))


# ---------------------------------------------------------------------------------------- products


WIDE = st.sampled_from([1e-30, 1e-3, 1.0, 1e4, 1e30])


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 2**32 - 1), st.integers(1, 130), st.integers(1, 600), WIDE)
def test_products_are_exact_regardless_of_other_records(seed, n, d, size):
    rng = np.random.default_rng(seed)
    x = torch.from_numpy(np.array(mechanisms.unit_rows(rng.normal(size=(n, d)))))
    w = torch.from_numpy((size * rng.normal(size=(4, d))).astype(np.float32))
    rounded, scale = mechanisms.rounded_rows(w)
    assert longest(rounded.numpy(), 12) <= 0
    found = mechanisms.product(x, w)
    exact = x.double() @ rounded.double().T  # multiples of 2^-24 of at most 1
    assert torch.equal(found.double(), exact * scale.double().T)
    few = rng.permutation(n)[: max(1, n // 3)]
    assert torch.equal(mechanisms.product(x[few], w), found[few])
    # each number of w is off by at most half a step of a row's norm, doubled and made room for
    off = (found.double() - x.double() @ w.double().T).abs().numpy()
    norms = w.double().norm(dim=1).clamp(min=2.0**-100).numpy()
    assert (off <= 1.01 * norms * math.sqrt(d) * mechanisms.COARSE).all()


def test_plain_product_is_inexact():
    rng = np.random.default_rng(3)
    x = torch.from_numpy(np.array(mechanisms.unit_rows(rng.normal(size=(100, 300)))))
    w = torch.from_numpy(rng.normal(size=(4, 300)).astype(np.float32))
    assert not torch.equal((x @ w.T).double(), x.double() @ w.double().T)


def test_zero_weights_give_zero_scores():
    x = torch.from_numpy(np.array(mechanisms.unit_rows(np.eye(3, dtype=np.float32))))
    assert not mechanisms.product(x, torch.zeros(2, 3)).any()


def test_unit_rows_are_cached_per_array_and_immutable():
    x = np.random.default_rng(4).normal(size=(5, 3)).astype(np.float32)
    rows = mechanisms.unit_rows(x)
    assert mechanisms.unit_rows(x) is rows and not rows.flags.writeable
    assert mechanisms.unit_rows(x.copy()) is not rows
    assert np.linalg.norm(rows, axis=1) == pytest.approx(np.ones(5), abs=2 * mechanisms.COARSE)
