"""The minibatch probe: its samples, its sums and its square loss."""

import numpy as np

from dpviz import mechanisms
from dpviz.methods import noisy_sgd
from dpviz.methods.components.clipped_gradients import Problem
from tests.kit.toys import toy_data

PARAMS = noisy_sgd.METHOD.check({"clip": 0.7})
DATA = toy_data()
PROBLEM = Problem.from_dataset(DATA)


def test_sampled_sums_use_only_sampled_records():
    rng = np.random.default_rng(0)
    w = rng.normal(size=(3, DATA.classes, DATA.x.shape[1])).astype(np.float32)
    few, rest = np.arange(0, PROBLEM.count, 7), np.arange(3)
    found = noisy_sgd.sampled_sums(PROBLEM, w, PARAMS, [few, rest, few])
    for cell, sample in enumerate((few, rest, few)):
        alone = Problem.of_rows(mechanisms.unit_rows(DATA.x[sample]), DATA.y[sample], DATA.classes)
        assert np.array_equal(found[cell], noisy_sgd.clipped_sums(alone, w[[cell]], PARAMS)[0]), (
            cell
        )


def test_small_batches_processed_jointly_give_same_bits():
    small = PROBLEM.select(np.arange(40))
    w = np.ones((2, DATA.classes, DATA.x.shape[1]), np.float32)
    w[1] *= np.arange(DATA.classes)[:, None]
    samples = [np.array([1, 5, 39]), np.array([], int)]
    together = noisy_sgd.sampled_sums(small, w, PARAMS, samples)
    apart = noisy_sgd.clipped_sums(PROBLEM.select(samples[0]), w[:1], PARAMS)[0]
    assert np.array_equal(together[0], apart) and not together[1].any()


def test_records_are_sampled_at_stated_rate():
    """False alarm: once in a million."""
    stream = mechanisms.poisson_samples(3, "test", 1000, 0.1)
    sizes = [len(next(stream)) for _ in range(100)]
    assert abs(sum(sizes) - 10_000) < 5 * np.sqrt(100_000 * 0.1 * 0.9)


def test_square_loss_gradient_uses_scores_without_softmax():
    w = np.random.default_rng(1).normal(size=(1, DATA.classes, DATA.x.shape[1])).astype(np.float32)
    params = PARAMS | {"loss": "square", "clip": 1.5}
    x = mechanisms.unit_rows(DATA.x).astype(float)
    residual = x @ w[0].T - np.eye(DATA.classes)[DATA.y]
    length = np.linalg.norm(residual, axis=1)
    clipped = residual / np.maximum(length, 1.5)[:, None]
    assert np.allclose(noisy_sgd.clipped_sums(PROBLEM, w, params)[0], clipped.T @ x, atol=0.05)
