"""Counts of an ensemble's votes, brought by the user and checked like any stranger's file."""

from __future__ import annotations

from pathlib import Path
from typing import IO

import numpy as np

from dpviz.data import limits
from dpviz.data.readers.npz import unpack
from dpviz.formatting import printable
from dpviz.types import DpvizError


def read_votes(file: str | Path | IO[bytes], name: str, queries: int | None = None) -> np.ndarray:
    """Votes of an ensemble from an ``.npz`` with one array ``votes``.

    Args:
        file: path or open binary file; name: what it is called in messages.
        queries: keep this many rows from the top; None keeps all.

    Returns:
        (q, C) int64: how many teachers name each class; every row sums to the number of teachers.

    Raises:
        DpvizError: for anything else, in one sentence.
    """
    name = printable(name[:80])
    votes = unpack(file, name, ("votes",), check=_check)["votes"]
    if queries is not None:
        if not 1 <= queries <= len(votes):
            raise DpvizError(
                f"{name} has votes on {len(votes)} queries. The number of queries must be between"
                f" 1 and {len(votes)}, got {queries}."
            )
        votes = votes[:queries]
    good = np.all(
        (votes >= 0) & (votes <= limits.VOTE_TEACHERS) & (votes == np.floor(votes)), axis=1
    )  # False for NaN
    if not good.all():
        row = int(np.argmin(good))
        raise DpvizError(
            f"Row {row} of votes in {name} must have whole numbers between 0 and"
            f" {limits.VOTE_TEACHERS:,}. Store the number of votes of each class."
        )
    votes = votes.astype(np.int64)
    teachers = votes.sum(axis=1)
    if not 1 <= teachers[0] <= limits.VOTE_TEACHERS:
        raise DpvizError(
            f"Row 0 of votes in {name} must sum to between 1 and {limits.VOTE_TEACHERS:,}"
            f" teachers, got {teachers[0]}."
        )
    odd = np.flatnonzero(teachers != teachers[0])
    if len(odd):
        mismatch = (
            f"row {odd[0]} of votes in {name} sums to {teachers[odd[0]]}, and row 0 sums to"
            f" {teachers[0]}"
        )
        raise DpvizError(
            f"Every teacher must vote on every query, but {mismatch}. All rows must sum to the"
            " number of teachers."
        )
    return votes


def _check(shapes: dict[str, tuple[int, ...]], name: str) -> None:
    queries, classes = shapes["votes"]
    if not 2 <= classes <= limits.VOTE_CLASSES:
        raise DpvizError(
            f"votes in {name} must have one column per class, between 2 and"
            f" {limits.VOTE_CLASSES:,}, got {classes}."
        )
    if queries > limits.VOTE_QUERIES:
        raise DpvizError(
            f"votes in {name} has {queries:,} rows. The limit is {limits.VOTE_QUERIES:,} queries."
        )
