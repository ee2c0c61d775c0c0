"""Features brought by the user, and what must be true of them."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import numpy as np

from dpviz.data import limits
from dpviz.data.readers.npz import unpack
from dpviz.data.readers.plain_files import check_directory
from dpviz.formatting import printable
from dpviz.types import Dataset, DpvizError
from dpviz.types.dataset import content_hash

NEEDED = ("X_train", "y_train", "X_test", "y_test")
PERSONS = ("persons", "person_train")
"""Names under which persons may stand."""
KEY = "uploaded"
"""The public set that comes in a file."""
OPTIONAL = ("X_public", "y_public", "class_names", *PERSONS)


def read_npz(file: str | Path | IO[bytes], name: str, classes: tuple[str, ...] = ()) -> Dataset:
    """A data set from an ``.npz`` of embeddings.

    Args:
        file: path or open binary file with ``X_train`` (n, d), ``y_train`` (n,), ``X_test``,
            ``y_test`` and optionally ``X_public`` (m, d), ``y_public`` (m,), ``class_names`` (C,).
            X of any float width, labels 0..C-1; in ``y_public`` -1 where a row has none.
            ``persons`` (n,) whole numbers or text, where it is known whose the training records
            are. Other arrays are ignored, with a note.
        name: what the file is called in messages, and the data set's key.
        classes: as declared in another file; without, ``class_names`` declares them, or else they
            are read from the labels.

    Returns:
        The data set, its arrays read-only, with ``encoder`` None and no thumbnails.

    Raises:
        DpvizError: for anything else, in one sentence. No pickle is ever read, and sizes, types and
            shapes are refused from the headers, before anything is unpacked.
    """
    name, unknown = printable(name[:80]), list[str]()
    arrays = unpack(file, name, NEEDED, OPTIONAL, _check_shapes, unknown)
    notes = filter(None, (ignored(name, unknown),))
    return _dataset(arrays, name, classes, tuple(notes))


def ignored(name: str, unknown: Sequence[str]) -> str:
    """A sentence about members of a file that were not read; "" without any."""
    if not unknown:
        return ""
    listed = ", ".join(printable(key[:40]) for key in unknown[:5])
    return f"Other arrays in {name} are ignored: {listed}{', …' if len(unknown) > 5 else ''}."


def _check_shapes(shapes: dict[str, tuple[int, ...]], name: str) -> None:
    d = shapes["X_train"][1]
    for key, shape in shapes.items():
        if shape[0] > (max_rows := limits.CLASSES if key == "class_names" else limits.ROWS):
            raise DpvizError(f"{key} in {name} has {shape[0]:,} rows. The limit is {max_rows:,}.")
    if d > limits.DIMENSIONS:
        raise DpvizError(
            f"X_train in {name} has {d:,} columns. The limit is {limits.DIMENSIONS:,}."
        )
    for key in PERSONS:
        if key in shapes and shapes[key] != shapes["y_train"]:
            raise DpvizError(
                f"{key} in {name} has {shapes[key][0]} rows and X_train has"
                f" {shapes['X_train'][0]}. Store one person per row."
            )
    if set(PERSONS) <= set(shapes):
        raise DpvizError(f"{name} has both persons and person_train. Store one of them.")
    for part in ("train", "test", "public"):
        x, y = shapes.get(f"X_{part}"), shapes.get(f"y_{part}")
        if y and not x:
            raise DpvizError(f"{name} has y_{part} without X_{part}. Store both or neither.")
        if x and y and x[0] != y[0]:
            raise DpvizError(
                f"X_{part} in {name} has {x[0]} rows and y_{part} has {y[0]}. Store one label per"
                " row."
            )
        if x and x[1] != d:
            raise DpvizError(
                f"X_{part} in {name} has {x[1]} columns and X_train has {d}. Use the same features"
                " in both."
            )


def _dataset(
    arrays: dict[str, np.ndarray], name: str, listed: tuple[str, ...], notes: tuple[str, ...]
) -> Dataset:
    class_names = arrays.get("class_names")
    declared = listed or (
        names_of(class_names, len(class_names), name) if class_names is not None else ()
    )
    classes, lacking = _classes(arrays["y_train"], arrays["y_test"], name, len(declared))
    names = declared or tuple(f"class {c}" for c in range(classes))
    if "y_public" in arrays and arrays["y_public"].max() < 0:
        del arrays["y_public"]
    if "y_public" in arrays and (largest := int(arrays["y_public"].max())) >= classes:
        raise DpvizError(
            f"y_public in {name} has class {largest}, which is not in y_train. Use the class"
            " numbers of y_train, or leave y_public out."
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
        fingerprint=content_hash(
            {key: array for key, array in arrays.items() if key != "class_names"}, names
        ),
        public_rows=arrays.get("X_public"),
        y_public=arrays.get("y_public"),
        public_key=KEY if "X_public" in arrays else None,
        rows=_rows(len(arrays["X_train"])),
        persons=next((arrays[key] for key in PERSONS if key in arrays), None),
        classes_read=not declared,
        notes=(*notes, *lacking),
    )


def _classes(
    train: np.ndarray, test: np.ndarray, name: str, declared: int
) -> tuple[int, tuple[str, ...]]:
    """Number of classes, and a sentence for each split that lacks some.

    Args:
        declared: number of classes; 0 where they are read from the labels, which then may leave
            none out.
    """
    # Sorted distinct labels, never a count array: one record labelled 2**31 - 1 must not cost
    # gigabytes.
    present, tested = np.unique(train), np.unique(test)
    classes = declared or len(present)
    if classes < 2:
        raise DpvizError(
            f"y_train in {name} has one class only. Store at least two, or list all in class_names."
        )
    if classes > limits.CLASSES:
        raise DpvizError(f"{name} has {classes:,} classes. The limit is {limits.CLASSES:,}.")
    if not declared and len(gap := np.flatnonzero(present != np.arange(len(present)))):
        raise DpvizError(
            f"y_train in {name} has no record of class {gap[0]}. Number classes from 0 to C-1"
            " without gaps, or list all in class_names."
        )
    for key, labels in (("y_train", present), ("y_test", tested)):
        if labels[-1] >= classes:
            problem = "class_names does not have" if declared else "y_train does not have"
            raise DpvizError(
                f"{key} in {name} has class {labels[-1]}, which {problem}. Use the {classes}"
                " classes from 0."
            )
    notes = []
    for words, labels, follows in (
        ("training", present, "no method can learn the class"),
        ("test", tested, "accuracies exclude the class"),
    ):
        if len(lacking := np.setdiff1d(np.arange(classes), labels)):
            listed = ", ".join(map(str, lacking[:5])) + (" and others" if len(lacking) > 5 else "")
            notes.append(f"{name} has no {words} record of class {listed}: {follows}.")
    return classes, tuple(notes)


def names_of(array: np.ndarray, classes: int, name: str) -> tuple[str, ...]:
    """Class names of a file.

    Raises:
        DpvizError: for an empty, unprintable or repeated one.
    """
    try:
        names = tuple(str(text) for text in array)
    except Exception:  # numpy raises SystemError and others for what is no character
        names = ("",) * len(array)
    if len(set(names)) < classes or not all(text.strip() and text.isprintable() for text in names):
        raise DpvizError(
            f"class_names in {name} has an empty, unprintable or repeated name. Give each class"
            " its own name."
        )
    return names


def _rows(n: int) -> np.ndarray:
    rows = np.arange(n)
    rows.setflags(write=False)
    return rows


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
