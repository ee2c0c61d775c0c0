"""The private linear probe against autograd, record by record; what a record adds, to the bit."""

import numpy as np
import pytest
import torch

from dpviz import mechanisms
from dpviz.machine.threads import one_numeric_thread
from dpviz.mechanisms import COARSE
from dpviz.methods import global_adapt, noisy_gd
from dpviz.methods.components import clipped_gradients
from dpviz.methods.components.clipped_gradients import Problem
from dpviz.methods.components.noisy_descent import clipped_sums
from dpviz.methods.noisy_gd import METHOD, descend
from dpviz.types import Budget, Dataset, Gaussian
from tests.kit.toys import toy_data

HEADS = [0.0, 0.3, 20.0]


def on_the_grid(w):
    """Heads (C, d) as scores see them, float64."""
    rounded, scale = mechanisms.rounded_rows(torch.as_tensor(w, dtype=torch.float32))
    return (rounded * scale).double()


def gradient(w, row, label):
    """Autograd's gradient of one record's loss, (C, d) float64."""
    leaf = on_the_grid(w).requires_grad_()
    torch.nn.functional.cross_entropy(leaf @ row, torch.tensor(int(label))).backward()
    return leaf.grad


def by_the_book(x, y, classes, steps, step, clip):
    """Clipped per-record gradients by autograd, summed one after another, no noise."""
    w = torch.zeros(classes, x.shape[1], dtype=torch.float64)
    for _ in range(steps):
        total = torch.zeros_like(w)
        for row, label in zip(x, y, strict=True):
            mine = gradient(w, row, label)
            total += mine * min(1.0, clip / float(mine.norm()))
        w = w - step * total
    return w.numpy()


def of(x, y, classes):
    x, y = np.array(x, np.float32), np.array(y, np.int64)
    names = tuple(f"class {c}" for c in range(classes))
    return Dataset("t", None, x, y, x[:1], y[:1], names, repr((x.tolist(), y.tolist())))


def unit(data):
    return torch.from_numpy(mechanisms.unit_rows(data.x).astype(float))


@pytest.fixture(autouse=True)
def _one_thread():
    with one_numeric_thread():
        yield


@pytest.mark.parametrize("clip", [0.2, 0.8, 1.5])
def test_closed_form_equals_sum_of_clipped_gradients(clip):
    """Up to the grid: eight steps of 24 records, each within a step or two of it."""
    data = toy_data(per_class=6, d=5)
    expected = by_the_book(unit(data), data.y, data.classes, 8, 5.0 / 24, clip)
    found = descend(Problem.from_dataset(data), [Gaussian(clip, 0.0, 8)], [0], [5.0 / 24], clip)[0]
    assert found == pytest.approx(expected, abs=8 * 5.0 * clip * COARSE / 2)


@pytest.mark.parametrize("size", HEADS)
@pytest.mark.parametrize("clip", [0.2, 1.5])
def test_record_part_is_clipped_gradient_up_to_grid(size, clip):
    data = toy_data(per_class=6, d=5)
    w = size * np.random.default_rng(1).normal(size=(4, 5)).astype(np.float32)
    for x, row, label in zip(data.x, unit(data), data.y, strict=True):
        (found,) = clipped_sums(Problem.from_dataset(of([x], [label], 4)), w[None], clip)
        mine = gradient(w, row, label).numpy()
        longest = max(clip, np.linalg.norm(mine))
        assert np.linalg.norm(found - mine / longest) < 5 * COARSE


def test_steps_share_the_budget():
    data = toy_data()
    few, many = (METHOD.plan(data.sizes, Budget(1.0), METHOD.check({"steps": t})) for t in (1, 100))
    assert many.events["gradients"].sigma == pytest.approx(10 * few.events["gradients"].sigma)
    assert many.guarantee.epsilon_delta == pytest.approx(few.guarantee.epsilon_delta)


# ------------------------------------------------------------------------- what one record may move


HARD = {
    "underflowing when squared": np.full(7, 1e-23),
    "subnormal": np.full(7, 1e-45),
    "huge": np.full(7, 3e38),
    "zero": np.zeros(7),
}


@pytest.mark.parametrize("row", HARD.values(), ids=HARD)
@pytest.mark.parametrize("n", [1, 63, 64, 200])
@pytest.mark.parametrize("classes", [2, 10, 300])
def test_additional_record_adds_only_its_own_part(row, n, classes):
    rng = np.random.default_rng(n)
    x, y = rng.normal(size=(n, 7)), rng.integers(0, classes, n)
    w = (np.array(HEADS)[:, None, None] * rng.normal(size=(3, classes, 7))).astype(np.float32)
    alone = clipped_sums(Problem.from_dataset(of([row], [classes - 1], classes)), w, 0.3)
    assert np.linalg.norm(alone, axis=(1, 2)).max() <= 1
    without = clipped_sums(Problem.from_dataset(of(x, y, classes)), w, 0.3)
    for at in (0, n):
        more = of(np.insert(x, at, row, 0), np.insert(y, at, classes - 1), classes)
        assert np.array_equal(clipped_sums(Problem.from_dataset(more), w, 0.3) - without, alone)
    order = rng.permutation(n)
    assert np.array_equal(
        clipped_sums(Problem.from_dataset(of(x[order], y[order], classes)), w, 0.3), without
    )


def test_block_size_does_not_change_sum(monkeypatch):
    data, w = toy_data(), np.random.default_rng(0).normal(size=(3, 4, 12)).astype(np.float32)
    at_once = clipped_sums(Problem.from_dataset(data), w, 0.3)
    monkeypatch.setattr(clipped_gradients, "SCORES_PER_BLOCK", 1)
    monkeypatch.setattr(clipped_gradients, "MAX_EXACT_BYTES", 0)
    assert np.array_equal(clipped_sums(Problem.from_dataset(data), w, 0.3), at_once)


@pytest.mark.parametrize("module", [noisy_gd, global_adapt])
def test_zero_record_does_not_affect_steps(module):
    """Without noise, so that dividing by the number of records would be seen to the last bit."""
    data = toy_data(per_class=6)
    more = of(np.vstack([data.x, np.zeros(12)]), [*data.y, 0], data.classes)
    params = {"steps": 5, "count": "public"}
    params |= {"eta": 0.0, "tau": 10.0} if module is global_adapt else {}
    plan = module.METHOD.plan(data.sizes, Budget(np.inf), module.METHOD.check(params))
    one, other = (module.METHOD.fit(d, [plan], [0]).releases[0][0].weights for d in (data, more))
    assert np.array_equal(one, other)
    assert "number" not in plan.guarantee.public
