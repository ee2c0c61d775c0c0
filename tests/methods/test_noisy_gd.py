"""The private linear probe against autograd, record by record."""

import numpy as np
import pytest
import torch

from dpviz.methods.noisy_gd import METHOD, Problem, descend
from dpviz.types import Budget, Gaussian
from tests.kit.toys import toy_data


def by_the_book(x, y, classes, steps, lr, clip):
    """Clipped per-record gradients by autograd, summed one after another, no noise."""
    w = torch.zeros(classes, x.shape[1], dtype=torch.float64)
    for _ in range(steps):
        total = torch.zeros_like(w)
        for row, label in zip(x, y, strict=True):
            leaf = w.clone().requires_grad_()
            torch.nn.functional.cross_entropy(leaf @ row, label).backward()
            norm = leaf.grad.norm()
            total += leaf.grad * min(1.0, clip / float(norm))
        w = w - lr / len(x) * total
    return w.numpy()


@pytest.mark.parametrize("clip", [0.2, 0.8, 1.5])
def test_the_closed_form_is_the_sum_of_clipped_gradients(clip):
    data = toy_data(per_class=6, d=5)
    x = torch.tensor(data.x / np.linalg.norm(data.x, axis=1, keepdims=True), dtype=torch.float64)
    expected = by_the_book(x, torch.tensor(data.y), data.classes, 8, 5.0, clip)
    found = descend(Problem.of(data), [Gaussian(clip, 0.0, 8)], [0], 5.0, clip)[0]
    assert found == pytest.approx(expected, abs=1e-5)


def test_steps_share_the_budget():
    data = toy_data()
    few, many = (METHOD.plan(data.sizes, Budget(1.0), METHOD.check({"steps": t})) for t in (1, 100))
    assert many.events["gradients"].sigma == pytest.approx(10 * few.events["gradients"].sigma)
    assert many.guarantee.epsilon_delta == pytest.approx(few.guarantee.epsilon_delta)
