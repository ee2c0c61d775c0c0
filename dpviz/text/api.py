"""Texts of the public functions."""

from __future__ import annotations

DATA = "`data` must be a Dataset, the key of a data set or a path, got {got}."
UNKNOWN = "Unknown argument {name}. Allowed data settings: {allowed}."
ONE_BUDGET = "Set one of epsilon, rho and budget, got {number:count}."
NO_DATA = "`data` is missing. Pass a Dataset, the key of a data set or a path."
NO_TEST = "A run measures accuracy on test records. Pass X_test and y_test to Dataset.from_arrays."
SPEC_OR_CLAIM = "Pass either a RunSpec or a claim (epsilon, delta, rho, mu), not both."
ADJACENCY = "add or remove one record"
NO_COLUMN = "The {frame} data have no column {column}."
NO_PAIR = "An item must be a pair (image, label), got {got}."
NO_IMAGE = "Item {index} is not an image: its shape is {got}."
NOT_UNIT = (
    "Item {index} has values outside [0, 1]. Remove the normalization from the transform; the"
    " encoder normalizes images itself."
)
