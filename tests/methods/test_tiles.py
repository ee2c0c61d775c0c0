"""Clipped sums in tiles: equal to the formula, to each other, and on a GPU or its interpreter
within the rounding.
"""

import dataclasses
import os
import tracemalloc

import numpy as np
import pytest
import torch

from dpviz.methods.parts import fused, tiles
from dpviz.methods.parts.prototypes import utilities
from dpviz.types import unit_rows
from tests.kit.toys import toy_data

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def problem(counts, m, d=48, seed=0):
    """Records in mixed order, their classes, and a public set, not of unit length."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat(np.arange(len(counts)), counts))
    centres = rng.normal(size=(len(counts), d))
    x = centres[y] + 0.7 * rng.normal(size=(len(y), d))
    public = centres[rng.integers(0, len(counts), m)] + rng.normal(size=(m, d))
    return x.astype(np.float32), y, public.astype(np.float32)


def formula(x, y, classes, public, low, high):
    """The paper's sum in float64, with everything held at once."""
    scores = (
        np.clip(
            1 + unit_rows(x).astype(np.float64) @ unit_rows(public).astype(np.float64).T, low, high
        )
        - low
    )
    return np.stack([scores[y == c].sum(axis=0) for c in range(classes)])


@pytest.mark.parametrize(
    ("counts", "m"),
    [
        ([30, 50, 20], 200),
        ([513], 1025),
        ([3, 0, 1030], 1024),
        ([0, 0, 5], 1),
        ([1] * 40, 2047),
        ([100, 1], 3000),
    ],
    ids=["small", "one class", "an empty class", "one public", "one record a class", "uneven"],
)
@pytest.mark.parametrize(("low", "high"), [(1.1, 1.6), (0.0, 2.0), (0.3, 0.4)])
def test_tiles_give_the_formula(counts, m, low, high):
    x, y, public = problem(counts, m)
    found = tiles.clipped_sums(x, y, len(counts), public, low, high)
    np.testing.assert_allclose(
        found, formula(x, y, len(counts), public, low, high), rtol=1e-5, atol=1e-4
    )
    assert found.shape == (len(counts), m) and found.dtype == np.float64


@pytest.mark.parametrize("tile", [1, 7, 100, 4096])
def test_any_tile_gives_the_same(monkeypatch, tile):
    x, y, public = problem([30, 0, 60], 333)
    whole = tiles.clipped_sums(x, y, 3, public, 1.1, 1.7)
    monkeypatch.setattr(tiles, "TILE", tile)
    monkeypatch.setattr(tiles, "ROWS", max(2, tile // 3))
    np.testing.assert_allclose(
        tiles.clipped_sums(x, y, 3, public, 1.1, 1.7), whole, rtol=1e-6, atol=1e-5
    )


def test_a_window_is_the_difference_of_its_ends_bit_for_bit():
    x, y, public = problem([40, 70], 1500)
    low, other, high = tiles.capped_sums(x, y, 2, public, (1.2, 1.4, 1.8))
    np.testing.assert_array_equal(tiles.clipped_sums(x, y, 2, public, 1.2, 1.8), high - low)
    np.testing.assert_array_equal(tiles.capped_sums(x, y, 2, public, (1.4,))[0], other)


def test_half_precision_in_is_summed_as_if_it_were_single():
    x, y, public = (
        a.astype(np.float16) if a.dtype == np.float32 else a for a in problem([300, 200], 500)
    )
    single = tiles.clipped_sums(x.astype(np.float32), y, 2, public.astype(np.float32), 1.1, 1.7)
    np.testing.assert_array_equal(tiles.clipped_sums(x, y, 2, public, 1.1, 1.7), single)


def test_what_is_held_stays_under_what_is_said_and_far_from_n_times_m():
    x, y, public = problem([600] * 5, 20_000, d=32)
    tiles.clipped_sums(x, y, 5, public[:10], 1.1, 1.7)
    tracemalloc.start()
    tiles.clipped_sums(x, y, 5, public, 1.1, 1.7)
    _, peak = tracemalloc.get_traced_memory()  # numpy's part; torch's is a block of scores a core
    tracemalloc.stop()
    assert peak <= tiles.bytes_needed(3000, 20_000, 32, 5, os.cpu_count()) < 4 * 3000 * 20_000 / 10


def test_the_papers_size_needs_under_four_gibibytes():
    for classes in (10, 100):
        assert tiles.bytes_needed(50_000, 1_280_000, 1280, classes, cores=64) < 4 * 2**30
        assert fused.bytes_needed(50_000, 1_280_000, 1280, classes) < 4 * 2**30


def test_utilities_take_a_public_set_in_half_precision():
    data = toy_data()
    half = dataclasses.replace(data, x_public=data.x_public.astype(np.float16), fingerprint="half")
    exact = dataclasses.replace(
        data, x_public=half.x_public.astype(np.float32), fingerprint="single"
    )
    for window in ((1.3, 1.9), (0, 2)):
        np.testing.assert_array_equal(utilities(half, *window), utilities(exact, *window))


# ------------------------------------------------------------- the fused kernel, or its interpreter

triton = pytest.importorskip("triton")
CASES = [([30, 50, 20], 70, 48), ([200], 129, 64), ([3, 0, 140], 128, 100), ([0, 5], 1, 8)]


def fused_sums(x, y, classes, public, low, high, kernel):
    return fused.clipped_sums(
        *tiles.sorted_by_class(x, y, classes), public, low, high, DEVICE, kernel
    )


@pytest.mark.parametrize(("counts", "m", "d"), CASES)
@pytest.mark.parametrize(("low", "high"), [(1.1, 1.6), (0.0, 2.0), (0.2, 0.9)])
def test_the_kernel_agrees_with_plain_torch_within_the_rounding_of_its_sums(
    counts, m, d, low, high
):
    x, y, public = problem(counts, m, d)
    kernel, plain = (
        fused_sums(x, y, len(counts), public, low, high, kernel) for kernel in (True, False)
    )
    np.testing.assert_allclose(kernel, plain, rtol=1e-5, atol=1e-5 * max(counts))


@pytest.mark.parametrize("kernel", [True, False])
@pytest.mark.parametrize(("counts", "m", "d"), CASES)
def test_rounding_moves_a_records_score_by_no_more_than_is_said(counts, m, d, kernel):
    x, y, public = problem(counts, m, d)
    exact = formula(x, y, len(counts), public, 1.1, 1.7)
    off = np.abs(fused_sums(x, y, len(counts), public, 1.1, 1.7, kernel) - exact)
    assert (off <= fused.ERROR * np.array(counts)[:, None]).all()


def test_the_stated_rounding_is_not_slack_by_much():
    """A twin: rounding coarser than stated (eight bits, as bfloat16) breaks the bound somewhere."""
    x, _y, public = problem([1] * 200, 500, 8)
    coarse = (torch.from_numpy(unit_rows(a)).bfloat16().float().numpy() for a in (x, public))
    rows, columns = coarse
    off = np.abs(rows @ columns.T - unit_rows(x) @ unit_rows(public).T)
    assert off.max() > fused.ERROR


@pytest.mark.parametrize("kernel", [True, False])
def test_one_record_adds_at_most_the_window_to_its_own_class_after_rounding(kernel):
    x, y, public = problem([20, 15], 90)
    with_it = fused_sums(x, y, 2, public, 1.2, 1.5, kernel)
    without = fused_sums(np.delete(x, 3, 0), np.delete(y, 3), 2, public, 1.2, 1.5, kernel)
    change = with_it - without
    own = y[3]
    assert (change[1 - own] == 0).all()
    assert change[own].min() >= -1e-5 and change[own].max() <= 1.5 - 1.2 + 1e-5
    assert change[own].max() > 0.1  # the window is reached, so the test could fail


def test_public_tiles_on_the_device_are_put_side_by_side(monkeypatch):
    x, y, public = problem([20, 15], 300)
    whole = fused_sums(x, y, 2, public, 1.2, 1.5, False)
    monkeypatch.setattr(fused, "TILE", 128)
    for kernel in (True, False):
        np.testing.assert_allclose(
            fused_sums(x, y, 2, public, 1.2, 1.5, kernel), whole, rtol=1e-5, atol=1e-4
        )


def test_a_gpu_is_asked_only_where_there_is_enough_to_do(monkeypatch):
    x, y, public = problem([20, 15], 300)
    monkeypatch.setattr(fused, "ready", lambda: True)
    monkeypatch.setattr(fused, "clipped_sums", lambda *_: "asked")
    assert isinstance(tiles.clipped_sums(x, y, 2, public, 1.2, 1.5), np.ndarray)
    monkeypatch.setattr(tiles, "ON_GPU", 35 * 48 * 300)
    assert tiles.clipped_sums(x, y, 2, public, 1.2, 1.5) == "asked"
