"""Published bugs in the noise scale: wrong sensitivities and unclipped data."""

from __future__ import annotations

import numpy as np

from dpviz import privacy
from dpviz.audits.published_bugs.model import (
    ADD_REMOVE,
    REPLACE,
    PublishedBug,
    approx,
    laplace,
    normal,
    pure,
)
from dpviz.types import DELTA

SD = 1 / privacy.gdp_mu(1.0, DELTA)
"""Of the Gaussian noise that hides a step of 1 under (1, DELTA)."""
CLIP, BATCH = 1.0, 8
ROWS = 1_000
LOW, HIGH = 0.1, 1.0
SMALL_CLIP = 0.25 / SD
"""The noise that hides it has standard deviation 1/4."""


def _clipped(rows: np.ndarray, most: float) -> np.ndarray:
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows * np.minimum(1, most / np.maximum(norms, most))


# ------------------------------------------------------------------- backpropagation clipping


def _sum_with_noise_of_a_mean(gradients: np.ndarray, seeds: np.ndarray) -> np.ndarray:
    total = _clipped(gradients, CLIP).sum(axis=0)
    return total + CLIP / BATCH * SD * normal(seeds, "noise", len(total))


def _sum_with_its_noise(gradients: np.ndarray, seeds: np.ndarray) -> np.ndarray:
    total = _clipped(gradients, CLIP).sum(axis=0)
    return total + CLIP * SD * normal(seeds, "noise", len(total))


_QUIET = np.zeros((BATCH - 1, 4))
BACKPROPAGATION = PublishedBug(
    "backpropagation-clipping",
    "uvm-plaid/backpropagation-clipping",
    "ab9e5793ed1c8f0dc4b4fd14251931a5d0e1ea60",
    "upstream_clipping.py",
    "113-129",
    "mended",
    (
        (
            "the fix",
            "https://github.com/uvm-plaid/backpropagation-clipping/commit/"
            "270964a5458c6d7a281bee0b58d8298b1b252543",
        ),
        ("found by an audit: Tramèr et al. 2022", "https://arxiv.org/abs/2202.12219"),
    ),
    _sum_with_noise_of_a_mean,
    _sum_with_its_noise,
    np.concatenate([_QUIET, [[CLIP, 0, 0, 0]]]),
    _QUIET,
    approx(1, ADD_REMOVE),
)


# ------------------------------------------------------------------- diffprivlib


def _squares(values: np.ndarray, bound: float, seeds: np.ndarray) -> np.ndarray:
    total = np.square(np.clip(values, LOW, HIGH)).sum()
    return np.abs(total + bound**2 * laplace(seeds, "noise", 1))


def _squares_by_the_lower_bound(values: np.ndarray, seeds: np.ndarray) -> np.ndarray:
    return _squares(values, max(abs(LOW), abs(LOW)), seeds)


def _squares_by_both_bounds(values: np.ndarray, seeds: np.ndarray) -> np.ndarray:
    return _squares(values, max(abs(LOW), abs(HIGH)), seeds)


LINEAR_REGRESSION = PublishedBug(
    "diffprivlib",
    "IBM/differential-privacy-library",
    "5d9c9d873c99295f14b0cfb61866fafbf3cc4684",
    "diffprivlib/models/linear_regression.py",
    "144",
    "proposed",
    (
        ("issue 105", "https://github.com/IBM/differential-privacy-library/issues/105"),
        ("pull request 110", "https://github.com/IBM/differential-privacy-library/pull/110"),
    ),
    _squares_by_the_lower_bound,
    _squares_by_both_bounds,
    np.array([LOW] * 5 + [HIGH]),
    np.array([LOW] * 5),
    pure(1, ADD_REMOVE),
)


# ------------------------------------------------------------------- smartnoise-sdk


def _variance(column: np.ndarray, seeds: np.ndarray) -> np.ndarray:
    return np.var(column, ddof=1) + 2 / len(column) * laplace(seeds, "noise", 1)


def _variance_of_what_came(column: np.ndarray, seeds: np.ndarray) -> np.ndarray:
    return _variance(column, seeds)


def _variance_of_what_was_clipped(column: np.ndarray, seeds: np.ndarray) -> np.ndarray:
    return _variance(np.clip(column, 0, 1), seeds)


_HALVES = np.full(100, 0.5)
COVARIANCE = PublishedBug(
    "smartnoise-sdk",
    "opendp/smartnoise-sdk",
    "81d1351b383b5d45b0818ae140a7291b4ce4a841",
    "synth/snsynth/models/dp_covariance.py",
    "90-115",
    "mended",
    (
        ("issue 622", "https://github.com/opendp/smartnoise-sdk/issues/622"),
        ("pull request 624", "https://github.com/opendp/smartnoise-sdk/pull/624"),
    ),
    _variance_of_what_came,
    _variance_of_what_was_clipped,
    np.array([*_HALVES[1:], 1_000.0]),
    _HALVES,
    pure(1, REPLACE),
)


# ------------------------------------------------------------------- a federated learning demo


def _mean_that_is_clipped(gradients: np.ndarray, seeds: np.ndarray) -> np.ndarray:
    mean = np.clip(gradients.mean(), -CLIP, CLIP)
    return mean + 2 * CLIP / len(gradients) * SD * normal(seeds, "noise", 1)


def _mean_of_clipped(gradients: np.ndarray, seeds: np.ndarray) -> np.ndarray:
    mean = np.clip(gradients, -CLIP, CLIP).mean()
    return mean + 2 * CLIP / len(gradients) * SD * normal(seeds, "noise", 1)


FEDERATED = PublishedBug(
    "federated-learning-demo",
    "wenzhu23333/Differential-Privacy-Based-Federated-Learning",
    "6fb257ad43e50cafd8a70c9b2819b97a64df9a2a",
    "models/Update.py",
    "52-91",
    "mended",
    (
        (
            "the fix",
            "https://github.com/wenzhu23333/Differential-Privacy-Based-Federated-Learning/commit/"
            "3832341b5e5406fcf0667d1584db778d9aacc483",
        ),
    ),
    _mean_that_is_clipped,
    _mean_of_clipped,
    np.array([0.0] * (BATCH - 1) + [BATCH * CLIP]),
    np.array([0.0] * (BATCH - 1) + [-BATCH * CLIP]),
    approx(1, REPLACE),
)


# ------------------------------------------------------------------- DataSynthesizer


def _counts_with_noise_of_shares(bins: np.ndarray, seeds: np.ndarray) -> np.ndarray:
    counts = np.bincount(bins, minlength=4)
    return np.maximum(0, counts + 2 / len(bins) * laplace(seeds, "noise", 4))


def _counts_with_noise_of_counts(bins: np.ndarray, seeds: np.ndarray) -> np.ndarray:
    counts = np.bincount(bins, minlength=4)
    return np.maximum(0, counts + laplace(seeds, "noise", 4))


_BINS = np.arange(ROWS) % 4
DATA_SYNTHESIZER = PublishedBug(
    "datasynthesizer",
    "DataResponsibly/DataSynthesizer",
    "69cc50251e5d7b197f5007710792db44bb12e2a2",
    "DataSynthesizer/lib/PrivBayes.py",
    "194-233",
    "mended",
    (
        ("issue 34", "https://github.com/DataResponsibly/DataSynthesizer/issues/34"),
        (
            "the fix",
            "https://github.com/DataResponsibly/DataSynthesizer/commit/"
            "540a442867dd278a74af4c8f488fc6fadce7088a",
        ),
    ),
    _counts_with_noise_of_shares,
    _counts_with_noise_of_counts,
    np.append(_BINS, 0),
    _BINS,
    pure(1, ADD_REMOVE),
)


# ------------------------------------------------------------------- smartnoise-core


def _sum_with_a_squared_scale(rows: np.ndarray, seeds: np.ndarray) -> np.ndarray:
    total = _clipped(rows, SMALL_CLIP).sum(axis=0)
    return total + (SMALL_CLIP * SD) ** 2 * normal(seeds, "noise", len(total))


def _sum_with_the_scale(rows: np.ndarray, seeds: np.ndarray) -> np.ndarray:
    total = _clipped(rows, SMALL_CLIP).sum(axis=0)
    return total + SMALL_CLIP * SD * normal(seeds, "noise", len(total))


SMARTNOISE_CORE = PublishedBug(
    "smartnoise-core",
    "opendp/smartnoise-core",
    "24ef807487a8405c9542ba57469b3b6bb70e7e5a",
    "runtime-rust/src/utilities/noise.rs",
    "513-516",
    "mended",
    (
        ("issue 316", "https://github.com/opendp/smartnoise-core/issues/316"),
        ("pull request 315", "https://github.com/opendp/smartnoise-core/pull/315"),
    ),
    _sum_with_a_squared_scale,
    _sum_with_the_scale,
    np.concatenate([_QUIET, [[SMALL_CLIP, 0, 0, 0]]]),
    _QUIET,
    approx(1, ADD_REMOVE),
)
