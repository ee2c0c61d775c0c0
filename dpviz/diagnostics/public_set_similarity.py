"""How near the public set comes to each private class: by name, and by how alike pictures are.

Names are public. How alike pictures are is read from private records without noise: for the eyes of
whoever holds them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpviz.diagnostics.prototype_choices import public_names
from dpviz.types import Dataset, unit_rows


def without_like(data: Dataset) -> tuple[int, ...] | None:
    """Private classes whose name no public picture bears; None where public pictures bear no
    names.
    """
    if public_names(data) is None:
        return None
    _, named = data.labelled_rows
    return tuple(np.setdiff1d(np.arange(data.classes), named).tolist())


@dataclass(frozen=True, eq=False)
class Similarities:
    """How alike pictures are, as the mean cosine of their features.

    Attributes:
        best: (C,) rows of the public pictures that stand for the classes; nearest: (C,) between
            each of these and its class's records; among: (C,) between two records of the class, NaN
            where it has one.
    """

    best: np.ndarray
    nearest: np.ndarray
    among: np.ndarray

    @property
    def farthest(self) -> int:
        """The class whose picture is least like its records, beside what these are among each
        other; one with a single record last.
        """
        return int(np.argmax(np.nan_to_num(self.among, nan=-1.0) - self.nearest))


def similarities(data: Dataset, best: np.ndarray) -> Similarities:
    """How alike the public pictures ``best`` (C,) are to the classes that they stand for."""
    public = unit_rows(data.public[best]).astype(np.float64)
    sums = np.stack(
        [unit_rows(data.x[data.y == c]).sum(axis=0, dtype=np.float64) for c in range(data.classes)]
    )
    records = np.array(data.counts, dtype=np.float64)
    nearest = (sums * public).sum(axis=1) / records
    pairs = np.where(records > 1, records * (records - 1), np.nan)
    return Similarities(best, nearest, ((sums * sums).sum(axis=1) - records) / pairs)
