"""Clipped sums in tiles: equal to the formula within the rounding that is said, exact after it on
the CPU and on a GPU or its interpreter.
"""

import dataclasses
import os
import tracemalloc

import numpy as np
import pytest
import torch

from dpviz import mechanisms
from dpviz.methods.components import fused, public_scores
from dpviz.methods.components.public_scores import utilities, window_width
from dpviz.types import DpvizError, Exponential, unit_rows
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


def exact(a):
    """Unit rows in float64."""
    return a / np.linalg.norm(a.astype(np.float64), axis=1, keepdims=True)


def formula(x, y, classes, public, low, high, unit=exact, step=0.0):
    """The paper's sum in float64, with everything held at once, scores and ends rounded to
    ``step``.
    """
    rounded = (lambda a: np.rint(np.divide(a, step)) * step) if step else lambda a: a
    low, high = rounded(low), rounded(high)
    scores = np.clip(rounded(1 + unit(x).astype(np.float64) @ unit(public).T), low, high) - low
    return np.stack([scores[y == c].sum(axis=0) for c in range(classes)])


def error(d, bits=mechanisms.BITS):
    """The most by which a clipped score is off: two rows rounded to 2^-bits, then the score, and
    the ends of the window.
    """
    return 2 * d**0.5 * 2.0 ** -(bits + 1) * 1.02 + 2 * mechanisms.UTILITY_STEP


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
def test_tiles_match_formula(counts, m, low, high):
    x, y, public = problem(counts, m)
    found = public_scores.clipped_sums(x, y, len(counts), public, low, high)
    step = mechanisms.UTILITY_STEP
    rounded = formula(x, y, len(counts), public, low, high, mechanisms.unit_rows, step)
    np.testing.assert_array_equal(found, rounded)
    printed = formula(x, y, len(counts), public, low, high)
    assert (np.abs(found - printed) <= error(x.shape[1]) * np.array(counts)[:, None]).all()
    assert found.shape == (len(counts), m) and found.dtype == np.float64


@pytest.mark.parametrize("tile", [1, 7, 100, 4096])
def test_tile_size_does_not_change_result(monkeypatch, tile):
    x, y, public = problem([30, 0, 60], 333)
    whole = public_scores.clipped_sums(x, y, 3, public, 1.1, 1.7)
    monkeypatch.setattr(public_scores, "TILE", tile)
    monkeypatch.setattr(public_scores, "ROWS", max(2, tile // 3))
    np.testing.assert_array_equal(public_scores.clipped_sums(x, y, 3, public, 1.1, 1.7), whole)


def test_printed_example_has_known_values():
    """To six digits by the formula, and by whole steps to what they leave."""
    x, public = np.array([[1, 0], [0, 1], [3, 4]]), np.array([[1, 0], [0, 2], [1, 1], [-1, 0]])
    for ends, expected in (
        ((0, 2), [0.263019, 0.290681, 0.393196, 0.053103]),
        ((1, 1.8), [0.191395, 0.245756, 0.529591, 0.033259]),
    ):
        event = Exponential(ends[1] - ends[0], 1.0)
        arguments = x.astype(np.float32), np.zeros(3, int), 1, public.astype(np.float32), *ends
        printed, found = formula(*arguments), public_scores.clipped_sums(*arguments)
        odds = [mechanisms.exponential_probabilities(u[0], event) for u in (printed, found)]
        assert odds[0] == pytest.approx(expected, abs=1e-6)
        assert odds[1] == pytest.approx(expected, abs=1e-4)
        assert found == pytest.approx(printed, abs=3 * 2e-4)


def test_unclipped_sums_match_count_plus_one_product():
    """The shortcut of the unclipped score, independent of tiles: n_c + p . sum of x."""
    x, y, public = problem([30, 0, 60], 333)
    sums = mechanisms.class_sums(exact(x), y, 3)
    short = np.array([[30], [0], [60]]) + sums @ exact(public).T
    found = public_scores.clipped_sums(x, y, 3, public, 0, 2)
    assert (np.abs(found - short) <= error(x.shape[1]) * np.array([[30], [0], [60]])).all()


# ------------------------------------------------------------------------------------ one record

EDGES = [public_scores.ROWS - 1, public_scores.ROWS, public_scores.ROWS + 1, public_scores.ROWS + 2]


def moved(sums, x, y, public, at):
    """How record ``at`` moves the sums of its own class and of all the others: two arrays."""
    change = sums(x, y, public) - sums(np.delete(x, at, 0), np.delete(y, at), public)
    return change[y[at]], np.delete(change, y[at], axis=0)


def single(x, y, public):
    """The sums in float32 throughout, in blocks of records sorted by class, which shift."""
    rows, starts = public_scores.sorted_by_class(unit_rows(x), y, 3)
    columns, sums = torch.from_numpy(unit_rows(public)).T, np.zeros((3, len(public)))
    for first, parts in public_scores.blocks(starts):
        scores = torch.mm(torch.from_numpy(rows[first : first + public_scores.ROWS]), columns)
        scores.clamp_(0.3, 0.9).sub_(0.3)
        for a, b, c in parts:
            sums[c] += scores[a:b].sum(0).numpy()
    return sums


def test_record_adds_only_its_score_to_own_class():
    """Around the edges of blocks, for the first, a middle and the last record; sums in float32 are
    caught: they move other classes, and a record lowers its own and adds too much to it.
    """
    sums = lambda x, y, public: public_scores.clipped_sums(x, y, 3, public, 1.3, 1.9)
    width = window_width(1.3, 1.9)
    others, lowered, beyond = 0.0, 0.0, 0.0
    for n in EDGES:
        x, y, public = problem([n // 2, 1, n - n // 2 - 1], 500, d=8, seed=n)
        for at in (0, n // 2, n - 1):
            own, rest = moved(sums, x, y, public, at)
            assert not rest.any() and own.min() >= 0 and own.max() <= width
            np.testing.assert_array_equal(
                own, public_scores.clipped_scores(x[at : at + 1], public, 1.3, 1.9)[0]
            )
            own, rest = moved(single, x, y, public, at)
            others, lowered = max(others, np.abs(rest).max()), max(lowered, -own.min())
            beyond = max(beyond, own.max() - 0.6)
    assert others > 1e-6 and lowered > 1e-6 and beyond > 1e-6, "the negative control"


@pytest.mark.parametrize("size", [1e-45, 1e-23, 1e-12, 1e30, 3e38])
def test_rows_of_any_size_count_once(size):
    x, y, public = problem([20, 15], 60)
    x[3] *= size / np.abs(x[3]).max()
    own, rest = moved(
        lambda *a: public_scores.clipped_sums(a[0], a[1], 2, a[2], 0, 2), x, y, public, 3
    )
    assert not rest.any() and own.min() >= 0 and own.max() <= 2


def test_window_is_exact_difference_of_its_ends():
    x, y, public = problem([40, 70], 1500)
    low, other, high = public_scores.capped_sums(x, y, 2, public, (1.2, 1.4, 1.8))
    np.testing.assert_array_equal(public_scores.clipped_sums(x, y, 2, public, 1.2, 1.8), high - low)
    np.testing.assert_array_equal(public_scores.capped_sums(x, y, 2, public, (1.4,))[0], other)


def test_half_precision_input_sums_like_single_precision():
    x, y, public = (
        a.astype(np.float16) if a.dtype == np.float32 else a for a in problem([300, 200], 500)
    )
    single = public_scores.clipped_sums(
        x.astype(np.float32), y, 2, public.astype(np.float32), 1.1, 1.7
    )
    np.testing.assert_array_equal(public_scores.clipped_sums(x, y, 2, public, 1.1, 1.7), single)


def test_memory_stays_within_stated_bound():
    x, y, public = problem([600] * 5, 20_000, d=32)
    public_scores.clipped_sums(x, y, 5, public[:10], 1.1, 1.7)
    tracemalloc.start()
    public_scores.clipped_sums(x, y, 5, public, 1.1, 1.7)
    _, peak = tracemalloc.get_traced_memory()  # numpy's part; torch's is a block of scores a core
    tracemalloc.stop()
    assert (
        peak
        <= public_scores.bytes_needed(3000, 20_000, 32, 5, os.cpu_count())
        < 4 * 3000 * 20_000 / 10
    )


def test_paper_scale_needs_under_four_gibibytes():
    for classes in (10, 100):
        assert public_scores.bytes_needed(50_000, 1_280_000, 1280, classes, cores=64) < 4 * 2**30
        assert fused.bytes_needed(50_000, 1_280_000, 1280, classes) < 4 * 2**30


def test_utilities_accept_half_precision_public_set():
    data = toy_data()
    half = dataclasses.replace(
        data, public_rows=data.x_public.astype(np.float16), fingerprint="half"
    )
    exact = dataclasses.replace(
        data, public_rows=half.x_public.astype(np.float32), fingerprint="single"
    )
    for window in ((1.3, 1.9), (0, 2)):
        np.testing.assert_array_equal(utilities(half, *window), utilities(exact, *window))


def test_third_window_sums_all_ends_of_a_map_in_one_pass(monkeypatch):
    passes = []
    capped = public_scores.capped_sums
    monkeypatch.setattr(
        public_scores, "capped_sums", lambda *a: passes.append(tuple(a[-1])) or capped(*a)
    )
    data = dataclasses.replace(toy_data(), fingerprint="many windows")
    for window in ((1.25, 1.9), (1.3, 1.85), (1.1, 1.7), (1.2, 1.6), (0.9, 1.3)):
        np.testing.assert_array_equal(
            utilities(data, *window),
            public_scores.clipped_sums(data.x, data.y, data.classes, data.public, *window),
        )
    assert [len(ends) for ends in passes] == [2, len(public_scores.MAP_ENDS) - 1]


# ---------------------------------------------------------- what goes wrong on a GPU, on a stand-in


def on_device(x, y, classes, public):
    by_class = public_scores.sorted_by_class(x, y, classes)
    return fused.clipped_sums(
        *by_class, public, public_scores.steps(1.2), public_scores.steps(1.5), DEVICE
    )


def no_compiler(*_):
    raise RuntimeError("Failed to find C compiler. Please specify via CC environment variable.")


def wrong(rows, starts, columns, low, high, out):
    out[:] = 0


@pytest.mark.parametrize(
    ("kernel", "said"),
    [(no_compiler, "Failed to find C compiler"), (wrong, "sums differ from torch")],
)
def test_broken_kernel_is_reported_once_and_torch_computes(monkeypatch, caplog, kernel, said):
    x, y, public = problem([20, 15], 300)
    wanted = fused.clipped_sums(
        *public_scores.sorted_by_class(x, y, 2),
        public,
        public_scores.steps(1.2),
        public_scores.steps(1.5),
        DEVICE,
        False,
    )
    monkeypatch.setattr(fused, "_kernel", kernel)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name)
    fused.kernel_works.cache_clear()
    for _ in range(2):
        np.testing.assert_array_equal(on_device(x, y, 2, public), wanted)
    fused.kernel_works.cache_clear()
    assert caplog.text.count(said) == caplog.text.count("Using torch instead") == 1


def test_out_of_memory_halves_tiles_without_changing_bits(monkeypatch):
    x, y, public = problem([20, 15], 3000)
    monkeypatch.setattr(fused, "kernel_works", lambda device: False)
    whole, plain, held = on_device(x, y, 2, public), fused.plain, [1024]

    def short(rows, starts, columns, *rest):
        if len(columns) > held[0]:
            raise torch.OutOfMemoryError("CUDA out of memory")
        plain(rows, starts, columns, *rest)

    monkeypatch.setattr(fused, "plain", short)
    np.testing.assert_array_equal(on_device(x, y, 2, public), whole)
    held[0] = 10
    with pytest.raises(DpvizError, match="out of memory.*Free its memory, or set DPVIZ_DEVICE=cpu"):
        on_device(x, y, 2, public)


# ------------------------------------------------------------- the fused kernel, or its interpreter

triton = pytest.importorskip("triton")
CASES = [([30, 50, 20], 70, 48), ([200], 129, 64), ([3, 0, 140], 128, 100), ([0, 5], 1, 8)]


def fused_sums(x, y, classes, public, low, high, kernel):
    ends = public_scores.steps(low), public_scores.steps(high)
    by_class = public_scores.sorted_by_class(x, y, classes)
    return fused.clipped_sums(*by_class, public, *ends, DEVICE, kernel) * mechanisms.UTILITY_STEP


def coarser(x):
    """Unit rows on the kernel's grid."""
    return fused.halves(x, "cpu").double().numpy()


@pytest.mark.parametrize(("counts", "m", "d"), CASES)
@pytest.mark.parametrize(("low", "high"), [(1.1, 1.6), (0.0, 2.0), (0.2, 0.9)])
def test_kernel_matches_plain_torch_bit_for_bit(counts, m, d, low, high):
    x, y, public = problem(counts, m, d)
    kernel, plain = (
        fused_sums(x, y, len(counts), public, low, high, kernel) for kernel in (True, False)
    )
    np.testing.assert_array_equal(kernel, plain)
    steps = formula(x, y, len(counts), public, low, high, coarser, mechanisms.UTILITY_STEP)
    ties = 0.05 * np.array(counts)[:, None]  # are rounded up on the device, to even by numpy
    assert (np.abs(kernel - steps) <= mechanisms.UTILITY_STEP * ties).all()


@pytest.mark.parametrize("kernel", [True, False])
@pytest.mark.parametrize(("counts", "m", "d"), CASES)
def test_rounding_error_stays_within_stated_bound(counts, m, d, kernel):
    x, y, public = problem(counts, m, d)
    printed = formula(x, y, len(counts), public, 1.1, 1.7)
    off = np.abs(fused_sums(x, y, len(counts), public, 1.1, 1.7, kernel) - printed)
    ends = mechanisms.UTILITY_STEP  # those of this window are not whole steps
    assert (off <= (fused.error(d) + ends) * np.array(counts)[:, None]).all()


def test_stated_rounding_bound_is_tight():
    """Negative control: rounding coarser than stated (eight bits, as bfloat16) breaks the bound
    somewhere.
    """
    x, _y, public = problem([1] * 200, 500, 8)
    coarse = (torch.from_numpy(unit_rows(a)).bfloat16().float().numpy() for a in (x, public))
    rows, columns = coarse
    off = np.abs(rows @ columns.T - unit_rows(x) @ unit_rows(public).T)
    assert off.max() > fused.error(8)


@pytest.mark.parametrize("kernel", [True, False])
@pytest.mark.parametrize("n", [fused.BLOCK - 1, fused.BLOCK, fused.BLOCK + 1])
def test_device_record_moves_only_its_own_class(kernel, n):
    x, y, public = problem([n // 2, n - n // 2], 40, 16)
    sums = lambda x, y, public: fused_sums(x, y, 2, public, 1.2, 1.5, kernel)
    own, rest = moved(sums, x, y, public, 3)
    assert not rest.any() and own.min() >= 0 and own.max() <= window_width(1.2, 1.5)
    alone = sums(x[3:4], y[3:4], public)[y[3]]
    np.testing.assert_array_equal(own, alone)
    assert own.max() > 0.1  # the window is reached, so the test could fail


def test_device_tiles_are_concatenated_correctly(monkeypatch):
    x, y, public = problem([20, 15], 300)
    whole = fused_sums(x, y, 2, public, 1.2, 1.5, False)
    monkeypatch.setattr(fused, "TILE", 128)
    for kernel in (True, False):
        np.testing.assert_array_equal(fused_sums(x, y, 2, public, 1.2, 1.5, kernel), whole)


def test_gpu_use_depends_only_on_public_set(monkeypatch):
    """Were it the number of private records, one more would round all the others otherwise, and so
    move the sums by more than it may: the negative control.
    """
    x, y, public = problem([600, 1], 300, d=32)
    there = lambda n: public_scores.clipped_sums(x[:n], y[:n], 2, public, 1.2, 1.5)
    by_cpu = [there(n) for n in (600, 601)]
    gpu = fused.clipped_sums
    monkeypatch.setattr(fused, "clipped_sums", lambda *given: gpu(*given, DEVICE, False))
    monkeypatch.setattr(fused, "ready", lambda: True)
    assert all(np.array_equal(there(n), found) for n, found in zip((600, 601), by_cpu, strict=True))
    monkeypatch.setattr(public_scores, "MIN_GPU_NUMBERS", public.size)
    by_gpu = [there(n) for n in (600, 601)]
    for less, more in (by_cpu, by_gpu):
        assert (more - less).min() >= 0 and (more - less).max() <= window_width(1.2, 1.5)
    assert (by_gpu[1] - by_cpu[0]).min() < 0, "the negative control"
