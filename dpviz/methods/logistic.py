"""Non-private logistic regression on the features: the limit of the private linear probe."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from dpviz import privacy
from dpviz.types import Budget, Dataset, Fit, Method, Param, Plan, Release, Sizes, unit_rows
from dpviz.types.line_style import GREY, LineStyle

KEY = "logistic"
SOURCE = "multinomial logistic regression, L-BFGS (scikit-learn)"
INVERSE_PENALTY = Param(
    "inverse_penalty",
    "Inverse penalty",
    "Weight of the data relative to the L2 penalty.",
    30.0,
    1e-3,
    1e4,
    log=True,
)


def plan(sizes: Sizes, budget: Budget, params: Mapping[str, Any]) -> Plan:
    """A plan without noise and without a guarantee."""
    return Plan(KEY, dict(params), {}, privacy.no_guarantee(budget, SOURCE))


def fit(data: Dataset, plans: list[Plan], seeds: list[int]) -> Fit:
    """One deterministic fit; the same for all plans and seeds."""
    release = classifier(
        unit_rows(data.x), data.y, data.classes, plans[0].params["inverse_penalty"]
    )
    return Fit([[release] * len(seeds) for _ in plans])


def classifier(
    x: np.ndarray, y: np.ndarray, classes: int, inverse_penalty: float, balanced: bool = False
) -> Release:
    """Multinomial logistic regression on unit rows x (n, d) with labels y (n,).

    Args:
        balanced: weight records so that every class counts alike.
    """
    weights, bias, labels = _fitted(x, y, inverse_penalty, "balanced" if balanced else None)
    weights, bias = _of_all_classes(weights, bias, labels, classes)
    return Release(weights.astype(np.float32), bias.astype(np.float32))


def _fitted(
    x: np.ndarray, y: np.ndarray, inverse_penalty: float, class_weight: str | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Weights, bias and label of each class that has records."""
    labels = np.unique(y)
    if len(labels) == 1:  # scikit-learn refuses to fit a single class
        return np.zeros((1, x.shape[1])), np.zeros(1), labels
    from sklearn.linear_model import (
        LogisticRegression,
    )  # a second of import that a shell without it need not wait for

    model = LogisticRegression(C=inverse_penalty, max_iter=500, class_weight=class_weight)
    model.fit(x, y)
    weights, bias = model.coef_, model.intercept_
    if len(weights) == 1:  # two classes: scikit-learn keeps one row
        weights, bias = np.concatenate([-weights, weights]) / 2, np.concatenate([-bias, bias]) / 2
    return weights, bias, model.classes_


def _of_all_classes(
    weights: np.ndarray, bias: np.ndarray, labels: np.ndarray, classes: int
) -> tuple[np.ndarray, np.ndarray]:
    """With a row for each class; one without a record is never chosen, for on unit features its
    score is below all others.
    """
    lowest = bias.min() - 1 - np.linalg.norm(weights, axis=1).max()
    whole, biases = np.zeros((classes, weights.shape[1])), np.full(classes, lowest)
    whole[labels], biases[labels] = weights, bias
    return whole, biases


METHOD = Method(
    key=KEY,
    title="Logistic regression (not private)",
    source=SOURCE,
    summary=(
        "Linear classifier trained without noise. Non-private reference for the private linear"
        " probe."
    ),
    params=(INVERSE_PENALTY,),
    plan=plan,
    fit=fit,
    line_style=LineStyle(GREY, "dot", "square-open"),
    private=False,
)
