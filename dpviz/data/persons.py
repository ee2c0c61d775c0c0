"""Whose records are kept: at most so many of each person."""

from __future__ import annotations

import hashlib

import numpy as np

from dpviz.data import record_hashes
from dpviz.types import Dataset, DpvizError

UNKNOWN = (
    "{} does not name the person of each record, so no limit or guarantee per person is possible."
    " Use --unit picture and --per-person 0, or data with persons."
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
    owners = numbered(data)
    mark = hashlib.sha256(owners.tobytes()).hexdigest()[:16]
    mask = np.ones(len(owners), bool) if not records else _first(data, owners, records)
    return data.of_records(mask, f"persons{records}-{mark}")


def _first(data: Dataset, owners: np.ndarray, records: int) -> np.ndarray:
    """Whether each record is among the first of its person's, by their hashes: (n,) bool."""
    mask = np.ones(len(owners), bool)
    order = np.argsort(owners, kind="stable")
    starts = np.flatnonzero(np.diff(owners[order], prepend=owners[order][:1] - 1))
    for rows in np.split(order, starts[1:]):
        if len(rows) > records:
            marks = record_hashes.hashes(data.x[rows], data.y[rows]).view(">u8")[:, 0]
            mask[rows[np.argsort(marks, kind="stable")[records:]]] = False
    return mask
