"""Features brought by the user, and what must be true of them."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path
from typing import IO

import numpy as np

from dpviz.data import limits
from dpviz.data.readers.npz import unpack
from dpviz.data.readers.plain_files import check_directory
from dpviz.types import Dataset, DpvizError
from dpviz.words import printable

NEEDED = ("X_train", "y_train", "X_test", "y_test")
PERSONS = ("persons", "person_train")
"""Names under which persons may stand."""
OPTIONAL = ("X_public", "y_public", "class_names", *PERSONS)


def read_npz(file: str | Path | IO[bytes], name: str) -> Dataset:
    """A data set from an ``.npz`` of embeddings.

    Args:
        file: path or open binary file with ``X_train`` (n, d), ``y_train`` (n,), ``X_test``,
            ``y_test`` and optionally ``X_public`` (m, d), ``y_public`` (m,), ``class_names`` (C,).
            X of any float width, labels 0..C-1, each class in both train and test; ``persons`` (n,)
            whole numbers or text, where it is known whose the training records are.
        name: what the file is called in messages, and the data set's key.

    Returns:
        The data set, its arrays read-only, with ``encoder`` None and no thumbnails.

    Raises:
        DpvizError: for anything else, in one sentence. No pickle is ever read, and sizes, types and
            shapes are refused from the headers, before anything is unpacked.
    """
    name = printable(name[:80])
    return _dataset(unpack(file, name, NEEDED, OPTIONAL, _check_shapes), name)


def _check_shapes(shapes: dict[str, tuple[int, ...]], name: str) -> None:
    d = shapes["X_train"][1]
    for key, shape in shapes.items():
        if shape[0] > (most := limits.CLASSES if key == "class_names" else limits.ROWS):
            raise DpvizError(f"{key} in {name} has {shape[0]:,} rows; use at most {most:,}.")
    if d > limits.DIMENSIONS:
        raise DpvizError(f"X_train in {name} has {d:,} columns; use at most {limits.DIMENSIONS:,}.")
    for key in PERSONS:
        if key in shapes and shapes[key] != shapes["y_train"]:
            raise DpvizError(
                f"{key} in {name} has {shapes[key][0]} rows and X_train {shapes['X_train'][0]};"
                " store one person a row."
            )
    if set(PERSONS) <= set(shapes):
        raise DpvizError(f"{name} has persons and person_train; store one of them.")
    for part in ("train", "test", "public"):
        x, y = shapes.get(f"X_{part}"), shapes.get(f"y_{part}")
        if y and not x:
            raise DpvizError(f"{name} has y_{part} without X_{part}; store both or neither.")
        if x and y and x[0] != y[0]:
            raise DpvizError(
                f"X_{part} in {name} has {x[0]} rows and y_{part} {y[0]}; store one label a row."
            )
        if x and x[1] != d:
            raise DpvizError(
                f"X_{part} in {name} has {x[1]} columns and X_train {d}; use the same features in"
                " both."
            )


def _dataset(arrays: dict[str, np.ndarray], name: str) -> Dataset:
    classes = _classes(arrays["y_train"], arrays["y_test"], name)
    names = _names(arrays.get("class_names"), classes, name)
    if "y_public" in arrays and (largest := int(arrays["y_public"].max())) >= classes:
        raise DpvizError(
            f"y_public in {name} has class {largest}, which y_train lacks; number it as y_train is,"
            " or leave y_public out."
        )
    for array in arrays.values():
        array.setflags(write=False)
    return Dataset(
        key=name,
        encoder=None,
        x=arrays["X_train"],
        y=arrays["y_train"],
        x_test=arrays["X_test"],
        y_test=arrays["y_test"],
        class_names=names,
        fingerprint=_fingerprint(arrays, names),
        public_rows=arrays.get("X_public"),
        y_public=arrays.get("y_public"),
        public_key="uploaded" if "X_public" in arrays else None,
        rows=_rows(len(arrays["X_train"])),
        persons=next((arrays[key] for key in PERSONS if key in arrays), None),
    )


def _classes(train: np.ndarray, test: np.ndarray, name: str) -> int:
    """Number of classes, once each has a record in train and in test."""
    # Sorted distinct labels, never a count array: one record labelled 2**31 - 1 must not cost
    # gigabytes.
    present = np.unique(train)
    if len(present) == 1:
        raise DpvizError(f"y_train in {name} holds one class only; store at least two.")
    if len(present) > limits.CLASSES:
        raise DpvizError(
            f"y_train in {name} holds {len(present):,} classes; use at most {limits.CLASSES:,}."
        )
    gap = np.flatnonzero(present != np.arange(len(present)))
    if len(gap):
        raise DpvizError(
            f"y_train in {name} has no record of class {gap[0]}; number classes 0 to C-1 without"
            " gaps."
        )
    tested = np.unique(test)
    if tested[-1] >= len(present):
        raise DpvizError(
            f"y_test in {name} has class {tested[-1]}, which y_train lacks; keep to y_train's"
            " classes."
        )
    missing = np.setdiff1d(present, tested)
    if len(missing):
        raise DpvizError(
            f"y_test in {name} has no record of class {missing[0]}; test every class of y_train."
        )
    return len(present)


def _names(given: np.ndarray | None, classes: int, name: str) -> tuple[str, ...]:
    if given is None:
        return tuple(f"class {c}" for c in range(classes))
    try:
        names = tuple(str(text) for text in given)
    except Exception:  # numpy raises SystemError and others for what is no character
        names = ("",) * len(given)
    if len(names) != classes:
        raise DpvizError(
            f"class_names in {name} has {len(names)} names for {classes} classes; store one a"
            " class."
        )
    if len(set(names)) < classes or not all(text.strip() and text.isprintable() for text in names):
        raise DpvizError(
            f"class_names in {name} has an empty, unprintable or repeated name; give each class its"
            " own."
        )
    return names


def _rows(n: int) -> np.ndarray:
    rows = np.arange(n)
    rows.setflags(write=False)
    return rows


def _fingerprint(arrays: dict[str, np.ndarray], names: tuple[str, ...]) -> str:
    digest = hashlib.sha256(repr(names).encode())
    for key in sorted(set(arrays) - {"class_names"}):
        digest.update(f"{key} {arrays[key].shape}".encode())
        digest.update(arrays[key].data)
    return digest.hexdigest()


def names_persons(path: Path) -> bool | None:
    """Whether a file of features says whose its records are, by its list alone; None for what is no
    such file.
    """
    try:
        check_directory(path, path.name, limits.NPZ_MEMBERS)
        with zipfile.ZipFile(path) as archive:
            return any(f"{name}.npy" in archive.NameToInfo for name in PERSONS)
    except Exception:  # zipfile raises whatever it trips over; loading says what is wrong
        return None
