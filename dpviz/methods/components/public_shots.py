"""Labelled public records that take part in training, public or private ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpviz import mechanisms
from dpviz.data.record_hashes import marks, mixed
from dpviz.types import Dataset, DpvizError, unit_rows

#: Images per class of which ``shots`` are expected where shots are private.
OF_EACH_CLASS = 20


@dataclass(frozen=True, eq=False)
class Shots:
    """A few labelled public records: x (m, d) float64 of norm 1, y (m,) int64."""

    x: np.ndarray
    y: np.ndarray
    classes: int


def share_of(shots: int) -> float:
    """Chance that a labelled public record is a shot, where shots are private."""
    return min(1.0, shots / OF_EACH_CLASS)


def private_shots(data: Dataset, shots: int, draw: int) -> Shots:
    """Labelled public records that count as private, each one chosen by a hash of its content.

    The threshold is fixed, so adding or removing one record changes no other record's choice.
    """
    there, y = data.labelled_rows
    rows = data.public[there]
    chance = mixed(marks(rows, y), draw) / 2.0**64
    own = chance < share_of(shots)
    return Shots(unit_rows(rows[own]).astype(np.float64), y[own], data.classes)


def few_shots(data: Dataset, shots: int, draw: int) -> Shots:
    """Draw ``shots`` labelled public records per class, or all there are; larger ``shots`` hold
    the smaller ones. For public records alone: one record fewer changes the whole draw.

    Raises:
        DpvizError: if no public record bears the name of a private class.
    """
    there, y = data.labelled_rows
    if not len(y):
        name = data.public_key or "none"
        raise DpvizError(
            f"Public set {name} has no records with labels of the private classes; use a public"
            " set that has some, with the same class names."
        )
    order = mechanisms.generator(draw, "public shots").permutation(len(y))
    rows = np.concatenate([order[y[order] == c][:shots] for c in range(data.classes)])
    return Shots(unit_rows(data.public[there[rows]]).astype(np.float64), y[rows], data.classes)
