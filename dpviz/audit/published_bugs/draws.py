"""Noise that is not new: one draw for several answers, or a draw whose seed is known."""

from __future__ import annotations

import math

import numpy as np

from dpviz.audit.published_bugs.model import (
    ADD_REMOVE,
    READ_DATE,
    REPLACE,
    PublishedBug,
    approx,
    normal,
)
from dpviz.audit.published_bugs.scale import SD

D = 4
PUBLISHED = 8_872_574
"""The seed that stands in the read-me of Prom-PATE."""
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
    "DP-LS, in google-research",
    "google-research/google-research",
    "5b09c22d73a9d35eb6c5d2a99b95677a45053466",
    "dp_transfer/linear_regression_sanitizer.py",
    "118-121",
    "(ε, δ) through zCDP, with the classes counted in parallel: one record is in one class.",
    "As we read it, every class gets the same draw of noise, so the noise cancels between two"
    " classes.",
    "apply_noise splits self.key, which it leaves as it is; train_linear_regression.py renews the"
    " key once, before the classes. Class sums a + z and b + z have the difference a − b, without"
    " noise, and releases that share their noise are not those of parallel composition. One class"
    " by itself has the noise it should.",
    "Fold the number of the class into the key. With noise of its own for each class, as the paper"
    " counts it, the method is right.",
    "unreported",
    f"We found no report of it in {READ_DATE}: this is what the published code does at that"
    " commit when it is run as published, and its authors may have mended it since.",
    (("the paper: Mehta et al. 2023", "https://arxiv.org/abs/2211.13403"),),
    _one_draw_for_all_classes,
    _a_draw_for_each_class,
    [np.concatenate([_FIVE, _ROW]), np.zeros((0, D))],
    [_FIVE, np.zeros((0, D))],
    "five records in one class and none in another, with or without one more",
    "Class sums handed out themselves; the project hands out classifiers solved from them, from"
    " which less is read directly.",
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
    "JAX, its example of DP-SGD",
    "jax-ml/jax",
    "166e795d638349530accacb1a48261203b29ae67",
    "examples/differentially_private_sgd.py",
    "154-162",
    "(ε, 1e-5), printed as it trains.",
    "All arrays of parameters get their noise from one key, so those of one shape get the same"
    " noise.",
    "The gradient is clipped as a whole and each array's part gets noise from the same key. Two"
    " arrays of equal shape get equal draws, which cancel in their difference; other shapes give"
    " other draws, which softens it.",
    "Split the key, one for each array.",
    "mended",
    "Mended on 2 July 2020; whoever mended it called it “a pretty insidious bug”.",
    (("pull request 3646", "https://github.com/jax-ml/jax/pull/3646"),),
    _one_key_for_all_arrays,
    _a_key_for_each_array,
    np.concatenate([_STILL, [[math.sqrt(0.5), *[0] * (D - 1), -math.sqrt(0.5), *[0] * (D - 1)]]]),
    _STILL,
    "five records that add nothing, with or without one that pulls two equal arrays apart",
    "One step and two arrays of equal shape.",
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
    "Prom-PATE",
    "EzzzLi/Prom-PATE",
    "95f3e4cbc8705b47116b162c1d3b89e4592e6ecc",
    "noisycount/noisy_and_count.py",
    "269",
    "(ε, 1e-5), for ε of 1, 4 and 8.",
    "The seed of the noise stands in the read-me, so that anyone can draw the same noise again.",
    "With a known seed the noise is a known vector and the labels are a fixed function of the"
    " votes. The commonest habit of research code, which makes tables repeatable, and harmless on"
    " the public benchmarks used there; this project's version 0.2.0 did the same.",
    "Seeds for a study; noise from the system's entropy, of which nothing is kept, for what is"
    " released.",
    "study",
    "As a study that others can repeat it is as it should be; a release made so would not be.",
    (("the paper: Li et al. 2023", "https://arxiv.org/abs/2303.12247"),),
    _winner_with_the_published_seed,
    _winner_with_new_noise,
    _tied(),
    _tied() + [-1, 1, 0],
    "the votes of one query that the known noise leaves nearly tied, and the same with one"
    " teacher's vote moved",
    "One query, no threshold, and noise of our own generator at that seed.",
    approx(1, REPLACE),
)
