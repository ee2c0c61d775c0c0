"""Public data only: the reference that any private method has to beat to be worth its budget.

All labels of the public set are used. The classifier and its penalty are chosen by cross-validation
on the public set, so no private record decides anything.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from dpviz import mechanisms, privacy
from dpviz.caches import KeyedCache
from dpviz.methods import logistic
from dpviz.methods.components import public_sets
from dpviz.methods.components.prototypes import cosine_release
from dpviz.types import Budget, Dataset, DpvizError, Fit, Method, Plan, Release, Sizes, unit_rows
from dpviz.types.line_style import GREY, LineStyle

KEY = "public-reference"
SOURCE = "all labels of the public set, tuned by cross-validation on it"
FOLDS = 3
INVERSE_PENALTIES = (0.1, 1.0, 10.0, 100.0, 1000.0)
BELOW_COSINES = -2.0
"""Score of a class without public images: below every cosine."""
#: Used where no class has enough public images to hold any out.
DEFAULT_PENALTY = 30.0


def plan(sizes: Sizes, budget: Budget, params: Mapping[str, Any]) -> Plan:
    """Nothing private is read, so epsilon is 0 whatever the budget.

    Raises:
        DpvizError: without a public set.
    """
    public_sets.need_labels(sizes)
    return privacy.nothing_private(KEY, params, budget, "the encoder; all labels of the public set")


def fit(data: Dataset, plans: list[Plan], seeds: list[int]) -> Fit:
    """The best of several public classifiers, by balanced accuracy on held-out public images.

    Guarantee: 0-DP; private labels and features are not touched.

    Raises:
        DpvizError: if fewer than two private classes have labeled public images.
    """
    rows, y = data.labelled_rows
    if len(np.unique(y)) < 2:
        raise DpvizError(
            f"Public set {data.public_key or 'none'} has fewer than two of the private classes."
            " Choose a public set with the same class names."
        )
    key = public_sets.fingerprint(data.public[rows], y), data.classes
    release = _releases.get_or_compute(
        key, lambda: _chosen(unit_rows(data.public[rows]), y, data.classes)
    )
    return Fit([[release] * len(seeds) for _ in plans])


_releases: KeyedCache[Release] = KeyedCache(__name__, 32)


def _chosen(x: np.ndarray, y: np.ndarray, classes: int) -> Release:
    """The classifier with the best cross-validated balanced accuracy, refitted on all rows."""
    fold = _folds(y)
    scores: dict[float, float] = {0.0: _validated(x, y, classes, fold, 0.0)}
    for penalty in INVERSE_PENALTIES:
        scores[penalty] = _validated(x, y, classes, fold, penalty)
    best = max(scores, key=lambda penalty: scores[penalty])
    return _fitted(x, y, classes, best if scores[best] > 0 else DEFAULT_PENALTY)


def _folds(y: np.ndarray) -> np.ndarray:
    """A fold from 0 for each row (m,), the classes spread evenly; -1 in classes with one row."""
    order = mechanisms.generator(public_sets.SEED, "public folds").permutation(len(y))
    fold = np.full(len(y), -1)
    for label in np.unique(y):
        members = order[y[order] == label]
        if len(members) > 1:
            fold[members] = np.arange(len(members)) % FOLDS
    return fold


def _validated(
    x: np.ndarray, y: np.ndarray, classes: int, fold: np.ndarray, penalty: float
) -> float:
    """Mean over folds of the balanced accuracy on the held-out rows; 0 if none are held out."""
    scores = []
    for held_fold in range(FOLDS):
        out = fold == held_fold
        if not out.any() or len(np.unique(y[~out])) < 2:
            continue
        right = _fitted(x[~out], y[~out], classes, penalty).predict(x[out]) == y[out]
        tested = np.bincount(y[out], minlength=classes)
        shares = np.bincount(y[out], weights=right, minlength=classes)[tested > 0]
        scores.append(float(np.mean(shares / tested[tested > 0])))
    return float(np.mean(scores)) if scores else 0.0


def _fitted(x: np.ndarray, y: np.ndarray, classes: int, penalty: float) -> Release:
    """Class means by cosine for penalty 0, else logistic regression with balanced classes."""
    if penalty == 0:
        release = cosine_release(mechanisms.class_sums(x, y, classes))
        present = np.bincount(y, minlength=classes) > 0
        bias = np.where(present, 0, BELOW_COSINES).astype(np.float32)
        return dataclasses.replace(release, bias=bias, normalise=True)
    return logistic.classifier(x, y, classes, penalty, balanced=True)


METHOD = Method(
    key=KEY,
    title="Public images alone",
    source=SOURCE,
    summary="A classifier trained on the labeled public images alone. It uses no private data.",
    params=(),
    plan=plan,
    fit=fit,
    line_style=LineStyle(GREY, "longdashdot", "diamond-open"),
    private=False,
    needs_public=True,
)
