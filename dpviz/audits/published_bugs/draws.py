"""Published bugs in random numbers: reused noise, or noise with a known seed."""

from __future__ import annotations

import math

import numpy as np

from dpviz.audits.published_bugs.model import (
    ADD_REMOVE,
    REPLACE,
    PublishedBug,
    approx,
    normal,
)
from dpviz.audits.published_bugs.scale import SD

D = 4
#: Seed in the read-me of Prom-PATE.
PUBLISHED = 8_872_574
BALLOTS = 100


# ------------------------------------------------------------------- DP-LS


def _class_sums(classes: list[np.ndarray]) -> np.ndarray:
    return np.concatenate([rows.sum(axis=0) for rows in classes])


def _one_draw_for_all_classes(classes: list[np.ndarray], seeds: np.ndarray) -> np.ndarray:
    noise = normal(seeds, "noise", D)
    return _class_sums(classes) + SD * np.tile(noise, len(classes))


def _a_draw_for_each_class(classes: list[np.ndarray], seeds: np.ndarray) -> np.ndarray:
    return _class_sums(classes) + SD * normal(seeds, "noise", len(classes) * D)


_ROW = np.eye(D)[:1]
_FIVE = np.repeat(_ROW, 5, axis=0)
DP_LS = PublishedBug(
    "dp-ls",
    "google-research/google-research",
    "5b09c22d73a9d35eb6c5d2a99b95677a45053466",
    "dp_transfer/linear_regression_sanitizer.py",
    "118-121",
    "unreported",
    (("the paper: Mehta et al. 2023", "https://arxiv.org/abs/2211.13403"),),
    _one_draw_for_all_classes,
    _a_draw_for_each_class,
    [np.concatenate([_FIVE, _ROW]), np.zeros((0, D))],
    [_FIVE, np.zeros((0, D))],
    approx(1, ADD_REMOVE),
    narrow=("one class at a time", lambda rows: rows[:, :D]),
)


# ------------------------------------------------------------------- JAX's example


def _blocks(rows: np.ndarray) -> np.ndarray:
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.maximum(1, norms)).sum(axis=0)


def _one_key_for_all_arrays(rows: np.ndarray, seeds: np.ndarray) -> np.ndarray:
    return _blocks(rows) + SD * np.tile(normal(seeds, "key", D), 2)


def _a_key_for_each_array(rows: np.ndarray, seeds: np.ndarray) -> np.ndarray:
    noise = [normal(seeds, f"key {array}", D) for array in range(2)]
    return _blocks(rows) + SD * np.concatenate(noise, axis=1)


_STILL = np.zeros((5, 2 * D))
JAX = PublishedBug(
    "jax-example",
    "jax-ml/jax",
    "166e795d638349530accacb1a48261203b29ae67",
    "examples/differentially_private_sgd.py",
    "154-162",
    "mended",
    (("pull request 3646", "https://github.com/jax-ml/jax/pull/3646"),),
    _one_key_for_all_arrays,
    _a_key_for_each_array,
    np.concatenate([_STILL, [[math.sqrt(0.5), *[0] * (D - 1), -math.sqrt(0.5), *[0] * (D - 1)]]]),
    _STILL,
    approx(1, ADD_REMOVE),
    narrow=("one array at a time", lambda rows: rows[:, :D]),
)


# ------------------------------------------------------------------- Prom-PATE


def _winner(votes: np.ndarray, noise: np.ndarray) -> np.ndarray:
    return np.argmax(votes + math.sqrt(2) * SD * noise, axis=1)[:, None].astype(float)


def _winner_with_the_published_seed(votes: np.ndarray, seeds: np.ndarray) -> np.ndarray:
    noise = normal(np.array([PUBLISHED]), "votes", len(votes))
    return _winner(votes, np.repeat(noise, len(seeds), axis=0))


def _winner_with_new_noise(votes: np.ndarray, seeds: np.ndarray) -> np.ndarray:
    return _winner(votes, normal(seeds, "votes", len(votes)))


def _tied() -> np.ndarray:
    """Votes that the published noise leaves less than one vote apart, the first class ahead."""
    noise = math.sqrt(2) * SD * normal(np.array([PUBLISHED]), "votes", 3)[0]
    return np.array([BALLOTS, BALLOTS + math.floor(noise[0] - noise[1]), 0])


PROM_PATE = PublishedBug(
    "prom-pate",
    "EzzzLi/Prom-PATE",
    "95f3e4cbc8705b47116b162c1d3b89e4592e6ecc",
    "noisycount/noisy_and_count.py",
    "269",
    "study",
    (("the paper: Li et al. 2023", "https://arxiv.org/abs/2303.12247"),),
    _winner_with_the_published_seed,
    _winner_with_new_noise,
    _tied(),
    _tied() + [-1, 1, 0],
    approx(1, REPLACE),
)
