"""Labels of a public set: of the private classes, or of others."""

from __future__ import annotations

import numpy as np

from dpviz.data import loading, named_sets, synthetic
from dpviz.data.data_set_table import HELD_ASIDE, NO_PUBLIC
from dpviz.types import DataConfig, Dataset, DpvizError

#: Classes that a classifier needs at least.
FEWEST = 2


def shared(material: DataConfig) -> bool:
    """Whether at least two private classes have labels in the public set.

    Of images only names of classes are compared, so none is read. False where the data cannot be
    read: loading them raises the reason.
    """
    return _classes(material)[0] >= FEWEST


def missing(material: DataConfig) -> bool:
    """Whether no public set is chosen, or a file of features has none.

    False where the data cannot be read: loading them raises the reason.
    """
    if material.public == NO_PUBLIC or not material.dataset.endswith(".npz"):
        return material.public == NO_PUBLIC
    try:
        data = loading.load(material.dataset, None, material.public, classes=material.classes)
    except DpvizError:
        return False
    return data.public_rows is None


def any_classes(material: DataConfig) -> bool:
    """Whether at least two classes, private or not, have labels in the public set.

    As ``shared``.
    """
    return max(_classes(material)) >= FEWEST


def of_private_classes(data: Dataset) -> bool:
    """Whether at least two private classes have labels in the public set."""
    return len(np.unique(data.labelled_rows[1])) >= FEWEST


def usable(data: Dataset) -> tuple[np.ndarray, np.ndarray]:
    """Labeled public rows and their classes: of the private classes, else of the public set's own.

    Returns:
        Two (k,) int64 arrays; labels are numbered from 0 without gaps where they are not private.
    """
    if of_private_classes(data) or data.y_public is None:
        return data.labelled_rows
    rows = np.flatnonzero(data.y_public >= 0)
    return rows, np.unique(data.y_public[rows], return_inverse=True)[1]


def _classes(material: DataConfig) -> tuple[int, int]:
    """Number of private classes with public labels, and of classes of the public set."""
    if material.public == NO_PUBLIC:
        return 0, 0
    try:
        if synthetic.is_synthetic(material.dataset) or material.dataset.endswith(".npz"):
            data = loading.load(material.dataset, None, material.public, classes=material.classes)
            return len(np.unique(data.labelled_rows[1])), len(np.unique(usable(data)[1]))
        public = material.public or named_sets.default_public(material.dataset)
        own = named_sets.source(material.dataset).names()
        if public == HELD_ASIDE:
            return len(own), len(own)
        if public in (None, NO_PUBLIC):
            return 0, 0
        row = named_sets.source(public)
        names = row.kept_names(row.names())
        return len(names.intersection(own)), len(names)
    except DpvizError:
        return 0, 0
