"""Published bugs in counts: teachers, released weights, a private number of records."""

from __future__ import annotations

import math

import numpy as np

from dpviz.audits.published_bugs.model import (
    ADD_REMOVE,
    PublishedBug,
    approx,
    laplace,
    normal,
    pure,
    uniform,
)
from dpviz.audits.published_bugs.scale import CLIP, SD

TEACHERS = 10
SIZE = 20
BUDGET = 0.1
PI, E = math.pi, math.e
AHEAD = 1e9
"""What a proof weighs against the number itself: more than any noise."""
WIDE, BATCH_SIZE = 64, 5


# ------------------------------------------------------------------- this project's own


def _step_by_the_private_number(gradients: np.ndarray, seeds: np.ndarray) -> np.ndarray:
    noisy = gradients.sum(axis=0) + CLIP * SD * normal(seeds, "noise", gradients.shape[1])
    return noisy / len(gradients)


def _step_by_a_public_number(gradients: np.ndarray, seeds: np.ndarray) -> np.ndarray:
    noisy = gradients.sum(axis=0) + CLIP * SD * normal(seeds, "noise", gradients.shape[1])
    return noisy / BATCH_SIZE


OWN = PublishedBug(
    "dpviz",
    "",
    "a0f194d5ccec4fc8cdc12b608a76e9fec82d5d0d",
    "dpviz/methods/noisy_gd.py",
    "100",
    "mended",
    (),
    _step_by_the_private_number,
    _step_by_a_public_number,
    np.concatenate([np.zeros((BATCH_SIZE, WIDE)), CLIP * np.eye(WIDE)[:1]]),
    np.zeros((BATCH_SIZE, WIDE)),
    approx(1, ADD_REMOVE),
)


# ------------------------------------------------------------------- PATE-GAN


def _vote(votes: list[bool], seeds: np.ndarray) -> np.ndarray:
    yes = sum(votes) + laplace(seeds, "noise", 1)
    return (yes > len(votes) / 2).astype(float)


def _teachers_of_one_part(parts: list[np.ndarray], seeds: np.ndarray) -> np.ndarray:
    return _vote([parts[-1].sum() > 0 for _ in parts], seeds)


def _teachers_of_their_own_part(parts: list[np.ndarray], seeds: np.ndarray) -> np.ndarray:
    return _vote([part.sum() > 0 for part in parts], seeds)


_OTHER_TEACHERS = [np.array([0.5 if i % 2 else -0.5]) for i in range(TEACHERS - 1)]
PATE_GAN = PublishedBug(
    "pate-gan",
    "vanderschaarlab/mlforhealthlabpub",
    "952fe2cd1ca92645070540949a763d024ef724f7",
    "alg/pategan/pate_gan.py",
    "",
    "open",
    (
        ("issue 29", "https://github.com/vanderschaarlab/mlforhealthlabpub/issues/29"),
        ("six implementations audited: Ganev et al. 2024", "https://arxiv.org/abs/2406.13985"),
    ),
    _teachers_of_one_part,
    _teachers_of_their_own_part,
    [*_OTHER_TEACHERS, np.array([-0.5, 1.0])],
    [*_OTHER_TEACHERS, np.array([-0.5])],
    pure(2, ADD_REMOVE),
)


# ------------------------------------------------------------------- NVFlare


def _chosen(update: np.ndarray, seeds: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Above the noisy threshold; drawn among those; the answers with their noise."""
    each = BUDGET / 3
    threshold = laplace(seeds, "threshold", 1) / each
    above = update + 2 * SIZE / each * laplace(seeds, "queries", SIZE) >= threshold
    order = np.where(above, uniform(seeds, "draw", SIZE), np.inf).argsort(axis=1).argsort(axis=1)
    drawn = above & (order < above.sum(axis=1, keepdims=True) / 2)
    return above, drawn, update + SIZE / each * laplace(seeds, "answers", SIZE)


def _the_rest_as_it_was(update: np.ndarray, seeds: np.ndarray) -> np.ndarray:
    above, drawn, noisy = _chosen(update, seeds)
    return np.where(drawn, noisy, np.where(above, update, 0))


def _the_rest_at_zero(update: np.ndarray, seeds: np.ndarray) -> np.ndarray:
    _, drawn, noisy = _chosen(update, seeds)
    return np.where(drawn, noisy, 0)


def _its_digits(rows: np.ndarray) -> np.ndarray:
    """The first number; far ahead of all others where it is one of the two exactly."""
    first = rows[:, :1]
    return first + AHEAD * (first == PI) - AHEAD * (first == E)


SVT = PublishedBug(
    "nvflare",
    "NVIDIA/NVFlare",
    "0753aba7ad97e09db474e0d56ce843e4eee8285a",
    "nvflare/app_common/filters/svt_privacy.py",
    "107-120",
    "mended",
    (
        ("issue 343", "https://github.com/NVIDIA/NVFlare/issues/343"),
        ("pull request 348", "https://github.com/NVIDIA/NVFlare/pull/348"),
    ),
    _the_rest_as_it_was,
    _the_rest_at_zero,
    np.array([PI, *[1.0] * (SIZE - 1)]),
    np.array([E, *[1.0] * (SIZE - 1)]),
    pure(BUDGET, "replace one client's update, each number moved by at most 1"),
    _its_digits,
)
