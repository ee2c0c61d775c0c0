"""What the audit cases of the methods share: small data sets made by hand."""

from __future__ import annotations

import numpy as np

from dpviz.types import Dataset, Release

CROSS = [[1.0, 0.0], [0.0, 1.0]] * 2
"""A public set that favours no direction."""


def records(x: list, y: list[int], public: list | None = None) -> Dataset:
    """Records as given, two classes, no test set to speak of."""
    features, labels = np.array(x, np.float32), np.array(y, np.int64)
    return Dataset(
        "audit",
        None,
        features,
        labels,
        features[:1],
        labels[:1],
        ("a", "b"),
        repr((features.tolist(), labels.tolist())),
        None if public is None else np.array(public, np.float32),
        None if public is None else np.arange(len(public)) % 2,
        "audit",
    )


def first_weight(release: Release, data: Dataset) -> float:
    """The first class's weight of the first feature."""
    return float(release.weights[0, 0])


def first_weights_apart(release: Release, data: Dataset) -> float:
    """How far that of the first class lies above that of the second."""
    return float(release.weights[0, 0] - release.weights[1, 0])
