"""Whether a public set is labelled with the private classes."""

from __future__ import annotations

import numpy as np

from dpviz.data import loading, named_sets, synthetic
from dpviz.data.data_set_table import HELD_ASIDE, NO_PUBLIC
from dpviz.types import DataConfig, DpvizError

#: Classes that a classifier needs at least.
FEWEST = 2


def shared(material: DataConfig) -> bool:
    """Whether at least two private classes have labels in the public set.

    Of images only names of classes are compared, so none is read. False where the data cannot be
    read: whoever loads them says why.
    """
    if material.public == NO_PUBLIC:
        return False
    try:
        if synthetic.asked(material.dataset) or material.dataset.endswith(".npz"):
            data = loading.load(material.dataset, None, material.public, classes=material.classes)
            return len(np.unique(data.labelled_rows[1])) >= FEWEST
        public = material.public or named_sets.default_public(material.dataset)
        if public in (None, NO_PUBLIC, HELD_ASIDE):
            return public == HELD_ASIDE
        row, own = named_sets.source(public), named_sets.source(material.dataset)
        return len(row.kept(row.names()).intersection(own.names())) >= FEWEST
    except DpvizError:
        return False
