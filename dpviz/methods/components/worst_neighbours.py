"""What the audit cases of the methods share: small data sets made by hand."""

from __future__ import annotations

import numpy as np

from dpviz.types import Dataset, Release

CROSS = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]]
"""A public set that favours no direction."""


ADDED = -1
"""The number of whoever is in one of two neighbours alone, where they differ by a person."""


TURNING = [[0.6, 0.8]] * 60, [1] * 60
"""Records that soon turn a head to their class."""


def records(
    x: list, y: list[int], public: list | None = None, names: tuple[str, ...] = ("a", "b")
) -> Dataset:
    """Records as given, two classes unless there are other names, no test set to speak of."""
    features, labels = np.array(x, np.float32), np.array(y, np.int64)
    return Dataset(
        "audit",
        None,
        features,
        labels,
        features[:1],
        labels[:1],
        names,
        repr((features.tolist(), labels.tolist(), public)),
        None if public is None else np.array(public, np.float32),
        None if public is None else np.arange(len(public)) % len(names),
        "audit",
    )


def one_more(x: list, y: list[int], public: list | None = None) -> tuple[Dataset, Dataset]:
    """These records of three classes with one more in the first, along no axis, and without it."""
    names = ("a", "b", "c")
    return records([*x, [0.6, 0.8]], [*y, 0], public, names), records(x, y, public, names)


def first_weight(release: Release, data: Dataset) -> float:
    """The first class's weight of the first feature."""
    return float(release.weights[0, 0])


def first_weights_apart(release: Release, data: Dataset) -> float:
    """How far that of the first class lies above that of the second."""
    return float(release.weights[0, 0] - release.weights[1, 0])
