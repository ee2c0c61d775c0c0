"""Who is counted, and what is left in: teachers, released weights, a private number of records."""

from __future__ import annotations

import math

import numpy as np

from dpviz.audit.published_bugs.model import (
    ADD_REMOVE,
    PublishedBug,
    approx,
    laplace,
    normal,
    pure,
    uniform,
)
from dpviz.audit.published_bugs.scale import CLIP, SD

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
    "dpviz itself, version 0.2.0",
    "",
    "a0f194d5ccec4fc8cdc12b608a76e9fec82d5d0d",
    "dpviz/methods/noisy_gd.py",
    "100",
    "(ε, δ) when a record is added or removed.",
    "Each step was divided by the number of private records.",
    "Under add or remove the number n of records is itself private. Noise of scale σ/n tells n by"
    " its spread alone, whatever the gradients are.",
    "Divide by a public constant, or promise only that a record may be replaced, at twice the"
    " sensitivity.",
    "mended",
    "Mended since: a step is divided by a noisy count that is paid for, or by one that is public.",
    (),
    _step_by_the_private_number,
    _step_by_a_public_number,
    np.concatenate([np.zeros((BATCH_SIZE, WIDE)), CLIP * np.eye(WIDE)[:1]]),
    np.zeros((BATCH_SIZE, WIDE)),
    "five records that add nothing, with or without one whose gradient is as long as allowed",
    f"One step on {WIDE} numbers with {BATCH_SIZE} records.",
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
    "PATE-GAN",
    "vanderschaarlab/mlforhealthlabpub",
    "952fe2cd1ca92645070540949a763d024ef724f7",
    "alg/pategan/pate_gan.py",
    "",
    "(ε, δ) through PATE's accountant: one record moves one teacher, so a vote costs at most 2 at"
    " noise of scale 1.",
    "All teachers learn from one and the same part of the data.",
    "The loop that trains the k teachers takes x_partition[i], where i is left over from the loop"
    " before it. One record of that part moves all k votes, and the other parts are never used.",
    "The index of the loop itself.",
    "open",
    "Reported on 6 June 2024; open, without an answer, in the copy read in November 2026.",
    (
        ("issue 29", "https://github.com/vanderschaarlab/mlforhealthlabpub/issues/29"),
        ("six implementations audited: Ganev et al. 2024", "https://arxiv.org/abs/2406.13985"),
    ),
    _teachers_of_one_part,
    _teachers_of_their_own_part,
    [*_OTHER_TEACHERS, np.array([-0.5, 1.0])],
    [*_OTHER_TEACHERS, np.array([-0.5])],
    "the part that is used holds one record that turns its teacher, or does not",
    f"One vote of {TEACHERS} teachers that look at the sign of a sum; no generator.",
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
    "NVFlare, SVTPrivacy",
    "NVIDIA/NVFlare",
    "0753aba7ad97e09db474e0d56ce843e4eee8285a",
    "nvflare/app_common/filters/svt_privacy.py",
    "107-120",
    "“Standard Sparse Vector Technique”, ε = 0.1 by default.",
    "Of the weights that lie above the threshold some are drawn and get noise; the others leave as"
    " they are.",
    "Weights below the threshold are set to zero and those drawn get noise, in one array. Weights"
    " above it that were not drawn are neither, so their digits leave the client exactly.",
    "Set to zero whatever was not drawn.",
    "mended",
    "Reported on 24 March 2022, called a bug by a maintainer and mended the same day, in 2.1.0.",
    (
        ("issue 343", "https://github.com/NVIDIA/NVFlare/issues/343"),
        ("pull request 348", "https://github.com/NVIDIA/NVFlare/pull/348"),
    ),
    _the_rest_as_it_was,
    _the_rest_at_zero,
    np.array([PI, *[1.0] * (SIZE - 1)]),
    np.array([E, *[1.0] * (SIZE - 1)]),
    "two updates of one client whose first number is π or e; each number moves by 1 at most",
    f"{SIZE} numbers; a third of ε each for the threshold, the comparisons and the answers, with"
    " the noise of the textbook, and half of what lies above is drawn.",
    pure(BUDGET, "replace one client's update, each number moved by at most 1"),
    _its_digits,
)
