"""A second file of features as the public set of a first one."""

from __future__ import annotations

import dataclasses
import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np

from dpviz.data import limits
from dpviz.data.readers.npz import unpack
from dpviz.data.readers.uploaded_features import KEY, ignored, names_of
from dpviz.formatting import printable
from dpviz.types import Dataset, DpvizError

FEATURES, LABELS = "X_public", "y_public"


@dataclass(frozen=True, eq=False)
class PublicFeatures:
    """Public features.

    Attributes:
        name: of the file; x: (m, d) float32; y: (m,) int64, -1 where a row has no label; None
            where none has.
        names: of the classes of ``y``; None where they have none, and ``y`` counts as numbered like
            the private classes unless it goes beyond them.
        notes: sentences about the file.
    """

    name: str
    x: np.ndarray
    y: np.ndarray | None
    names: tuple[str, ...] | None
    notes: tuple[str, ...]


def read(file: str | Path | IO[bytes], name: str) -> PublicFeatures:
    """Public features from an ``.npz``.

    Args:
        file: path or open file with ``X_public`` (m, d), and optionally ``y_public`` (m,) and
            ``class_names`` (C,). A label of -1 means that a row has none. Other arrays are ignored
            with a note, so that no record is public under another name.
        name: what the file is called in messages.

    Raises:
        DpvizError: for anything else, in one sentence. No pickle is read.
    """
    name, unknown = printable(name[:80]), list[str]()
    allowed = (FEATURES, LABELS, "class_names")
    arrays = unpack(file, name, (), allowed, _check_shapes, unknown)
    x, y = arrays[FEATURES], arrays.get(LABELS)
    y = y if y is not None and y.max() >= 0 else None
    notes = [note for note in (ignored(name, unknown), _partly(name, y, len(x))) if note]
    class_names = arrays.get("class_names")
    names = (
        names_of(class_names, len(class_names), name)
        if class_names is not None and y is not None
        else None
    )
    for array in (x, y):
        if array is not None:
            array.setflags(write=False)
    return PublicFeatures(name, x, y, names, tuple(notes))


def attach(own: Dataset, public: PublicFeatures) -> Dataset:
    """A data set of features with another file as its public set.

    Labels without names that go beyond the private classes count as other classes. A note says so.

    Raises:
        DpvizError: if the files hold features of different dimensions.
    """
    if public.x.shape[1] != own.x.shape[1]:
        raise DpvizError(
            f"{public.name} has {public.x.shape[1]:,} features per row, but {own.key} has"
            f" {own.x.shape[1]:,}. Use features of the same encoder in both files."
        )
    public = _of_these_classes(public, own.classes)
    digest = hashlib.sha256(f"{own.fingerprint} {public.names}".encode())
    for array in (public.x, public.y):
        if array is not None:
            digest.update(np.ascontiguousarray(array).data)
    return dataclasses.replace(
        own,
        public_rows=public.x,
        y_public=public.y,
        public_key=KEY,
        public_names=public.names,
        fingerprint=digest.hexdigest(),
        notes=(*own.notes, *public.notes),
    )


def _of_these_classes(public: PublicFeatures, classes: int) -> PublicFeatures:
    """The features, with names of their own where labels are numbers of other classes."""
    if public.y is None or public.names is not None or (largest := int(public.y.max())) < classes:
        return public
    note = (
        f"Labels of {public.name} go up to {largest}, but the private data has {classes} classes,"
        " so they count as other classes. Add class_names to the file to match classes by name."
    )
    names = tuple(f"public class {c}" for c in range(largest + 1))
    return dataclasses.replace(public, names=names, notes=(*public.notes, note))


def left_out(own: Dataset) -> Dataset:
    """A data set without the public set that its file brings."""
    return dataclasses.replace(
        own,
        public_rows=None,
        y_public=None,
        public_key=None,
        fingerprint=f"{own.fingerprint}-no public set",
    )


def _partly(name: str, y: np.ndarray | None, rows: int) -> str:
    if y is None:
        return f"No row of {name} has a label, so methods that learn from public labels cannot run."
    lacking = int(np.count_nonzero(y < 0))
    return f"{lacking:,} of {rows:,} rows of {name} have no label." if lacking else ""


def _check_shapes(shapes: dict[str, tuple[int, ...]], name: str) -> None:
    if FEATURES not in shapes:
        raise DpvizError(
            f"{name} has no {FEATURES}. Store public features (m, d) under that name. Other arrays"
            " are never public."
        )
    for array, shape in shapes.items():
        if shape[0] > (max_rows := limits.CLASSES if array == "class_names" else limits.ROWS):
            raise DpvizError(f"{array} in {name} has {shape[0]:,} rows. The limit is {max_rows:,}.")
    rows, columns = shapes[FEATURES]
    if columns > limits.DIMENSIONS:
        raise DpvizError(
            f"{FEATURES} in {name} has {columns:,} columns. The limit is {limits.DIMENSIONS:,}."
        )
    if LABELS in shapes and shapes[LABELS][0] != rows:
        raise DpvizError(
            f"{FEATURES} in {name} has {rows:,} rows and {LABELS} has {shapes[LABELS][0]:,}. Store"
            " one label per row, or -1 for rows without a label."
        )
