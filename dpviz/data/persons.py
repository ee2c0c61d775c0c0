"""Whose records are kept: at most so many of each person."""

from __future__ import annotations

import hashlib

import numpy as np

from dpviz.data import record_hashes
from dpviz.types import Dataset, DpvizError

UNKNOWN = (
    "{} does not say whose its records are, so that persons can neither be bounded nor promised"
    " anything; use unit picture without a bound (--per-person 0), or data with a person for each"
    " record."
)


def numbered(data: Dataset) -> np.ndarray:
    """The person of each private record, (n,) int64.

    Raises:
        DpvizError: where the data do not say whose their records are.
    """
    if data.persons is None:
        raise DpvizError(UNKNOWN.format(data.key))
    return data.persons


def most_records(data: Dataset) -> int:
    """The largest number of private records that a person has. Private.

    Raises:
        DpvizError: as ``numbered``.
    """
    return int(np.unique(numbered(data), return_counts=True)[1].max(initial=1))


def bounded(data: Dataset, records: int) -> Dataset:
    """At most ``records`` private records of each person, those whose content has the smallest
    hash; 0 keeps all.

    Guarantee: which of a person's records are kept depends on that person's records alone, so that
    neighbours by adding or removing a person differ in at most ``records`` records.

    Raises:
        DpvizError: as ``numbered``.
    """
    whose = numbered(data)
    mark = hashlib.sha256(whose.tobytes()).hexdigest()[:16]
    kept = np.ones(len(whose), bool) if not records else _first(data, whose, records)
    return data.of_records(kept, f"persons{records}-{mark}")


def _first(data: Dataset, whose: np.ndarray, records: int) -> np.ndarray:
    """Whether each record is among the first of its person's, by their hashes: (n,) bool."""
    kept = np.ones(len(whose), bool)
    order = np.argsort(whose, kind="stable")
    starts = np.flatnonzero(np.diff(whose[order], prepend=whose[order][:1] - 1))
    for mine in np.split(order, starts[1:]):
        if len(mine) > records:
            marks = record_hashes.hashes(data.x[mine], data.y[mine]).view(">u8")[:, 0]
            kept[mine[np.argsort(marks, kind="stable")[records:]]] = False
    return kept
