"""Features brought by the user. The file is a stranger's: every claim in it is checked before it is
unpacked.
"""

from __future__ import annotations

import hashlib
import io
import math
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import IO

import numpy as np

from dpviz.types import Dataset, DpvizError

NEEDED = ("X_train", "y_train", "X_test", "y_test")
OPTIONAL = ("X_public", "y_public", "class_names")
MAX_BYTES = 2**30  # of all arrays together once unpacked; 1 GiB is 130,000 records of 2,048 float32
MAX_NAME = 60  # characters of a class name
_HEADER = 2**16  # more than any true .npy header
_COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    ValueError,
    EOFError,
    OSError,
    NotImplementedError,
    RuntimeError,
)
_KINDS = {
    "X": ("f", "floats", 2),
    "y": ("iuf", "whole numbers", 1),
    "c": ("U", "text", 1),
    "v": ("iuf", "whole numbers", 2),
}


def read_npz(file: str | Path | IO[bytes], name: str) -> Dataset:
    """A data set from an ``.npz`` of embeddings.

    Args:
        file: path or open binary file with ``X_train`` (n, d), ``y_train`` (n,), ``X_test``,
            ``y_test`` and optionally ``X_public`` (m, d), ``y_public`` (m,), ``class_names`` (C,).
            X of any float width, labels 0..C-1, each class in both train and test.
        name: what the file is called in messages, and the data set's key.

    Returns:
        The data set, its arrays read-only, with ``encoder`` None and no thumbnails.

    Raises:
        DpvizError: for anything else, in one sentence. No pickle is ever read, and sizes, types and
            shapes are refused from the headers, before anything is unpacked.
    """
    name = name[:80]
    return _dataset(unpack(file, name, NEEDED, OPTIONAL, _check_shapes), name)


def unpack(
    file: str | Path | IO[bytes],
    name: str,
    needed: tuple[str, ...],
    optional: tuple[str, ...] = (),
    check: Callable[[dict[str, tuple[int, ...]], str], None] = lambda shapes, name: None,
) -> dict[str, np.ndarray]:
    """The arrays of an ``.npz``, each of the kind that its name's first letter stands for in
    ``_KINDS``.

    Args:
        file, name: as for ``read_npz``; needed, optional: names of arrays that must, or may, be
            there.
        check: called with the shapes from the headers, before anything is unpacked.

    Raises:
        DpvizError: as ``read_npz``.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            members = _members(archive, name, needed, optional)
            check({key: _header(archive, info, name) for key, info in members.items()}, name)
            return {key: _array(archive, info, name) for key, info in members.items()}
    except FileNotFoundError:
        raise DpvizError(f"{name} was not found; give the path of an .npz file.") from None
    except (zipfile.BadZipFile, OSError, ValueError) as error:
        if isinstance(error, DpvizError):
            raise
        raise DpvizError(
            f"{name} is not a readable .npz file; write it with numpy.savez_compressed."
        ) from None


def _members(
    archive: zipfile.ZipFile, name: str, needed: tuple[str, ...], optional: tuple[str, ...]
) -> dict[str, zipfile.ZipInfo]:
    """Array name to archive member, once names and claimed sizes are in order."""
    members: dict[str, zipfile.ZipInfo] = {}
    for info in archive.infolist():
        key = info.filename.removesuffix(".npy")
        if info.filename == key or key not in needed + optional or key in members:
            allowed = ", ".join(needed + optional)
            odd = info.filename[:40]
            raise DpvizError(
                f"{name} holds {odd!r} unexpectedly; store each of {allowed} at most once."
            )
        if info.compress_type not in _COMPRESSIONS or info.flag_bits & 1:
            raise DpvizError(
                f"{key} in {name} is packed in an unusual way; write it with"
                " numpy.savez_compressed."
            )
        members[key] = info
    for key in needed:
        if key not in members:
            raise DpvizError(f"{name} lacks {key}; store {', '.join(needed)}.")
    total = sum(info.file_size for info in members.values())
    if total > MAX_BYTES:
        size, limit = f"{total / 2**30:.2f} GiB", f"{MAX_BYTES / 2**30:g} GiB"
        raise DpvizError(
            f"{name} unpacks to {size}; use at most {limit}, by fewer records or float32."
        )
    return members


def _header(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str) -> tuple[int, ...]:
    """Shape in the header, once type, dimensions and claimed size agree with it."""
    key = info.filename.removesuffix(".npy")
    try:
        with archive.open(info) as member:
            start = io.BytesIO(member.read(_HEADER))
        version = np.lib.format.read_magic(start)
        readers = {
            (1, 0): np.lib.format.read_array_header_1_0,
            (2, 0): np.lib.format.read_array_header_2_0,
        }
        shape, _, dtype = readers[version](start)
    except (*_DAMAGE, KeyError):
        raise DpvizError(
            f"{key} in {name} has no readable .npy header; write the file again."
        ) from None
    kinds, words, ndim = _KINDS[key[0]]
    if dtype.hasobject or dtype.kind not in kinds or dtype.subdtype:
        raise DpvizError(f"{key} in {name} holds {dtype}; store {words}.")
    if len(shape) != ndim or 0 in shape:
        raise DpvizError(
            f"{key} in {name} has shape {shape}; store a non-empty {ndim}-dimensional array."
        )
    if info.file_size != start.tell() + math.prod(shape) * dtype.itemsize:
        raise DpvizError(
            f"{key} in {name} is not as long as its header says; write it with"
            " numpy.savez_compressed."
        )
    if key == "class_names" and dtype.itemsize > 4 * MAX_NAME:
        raise DpvizError(
            f"class_names in {name} are up to {dtype.itemsize // 4} characters; use at most"
            f" {MAX_NAME}."
        )
    return shape


def _check_shapes(shapes: dict[str, tuple[int, ...]], name: str) -> None:
    d = shapes["X_train"][1]
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


def _array(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str) -> np.ndarray:
    """One member: X as float32, labels as int64, class names as text; finite and in range."""
    key = info.filename.removesuffix(".npy")
    try:
        with archive.open(info) as member:
            array = np.lib.format.read_array(member, allow_pickle=False)
            member.read(1)  # at the end, zipfile compares the checksum
    except _DAMAGE:
        raise DpvizError(f"{key} in {name} is damaged; write the file again.") from None
    if key in ("class_names", "votes"):
        return array
    return _features(array, key, name) if key[0] == "X" else _labels(array, key, name)


def _features(array: np.ndarray, key: str, name: str) -> np.ndarray:
    with np.errstate(over="ignore"):
        array = np.ascontiguousarray(array, np.float32)
    good = np.isfinite(array).all(1)
    if not good.all():
        row = int(np.argmin(good))
        what = "NaN, infinity or a number beyond float32"
        raise DpvizError(f"{key} in {name} has {what} in row {row}; remove such rows.")
    return array


def _labels(array: np.ndarray, key: str, name: str) -> np.ndarray:
    good = (array >= 0) & (array < 2**31)  # also False for NaN
    if array.dtype.kind == "f":
        good &= array == np.floor(array)
    if not good.all():
        row = int(np.argmin(good))
        raise DpvizError(
            f"{key} in {name} has {array[row]} in row {row}; use whole numbers from 0 to C-1."
        )
    return array.astype(np.int64)


def _dataset(arrays: dict[str, np.ndarray], name: str) -> Dataset:
    classes = _classes(arrays["y_train"], arrays["y_test"], name)
    names = _names(arrays.get("class_names"), classes, name)
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
        x_public=arrays.get("X_public"),
        y_public=arrays.get("y_public"),
        public_key="uploaded" if "X_public" in arrays else None,
        rows=_rows(len(arrays["X_train"])),
    )


def _classes(train: np.ndarray, test: np.ndarray, name: str) -> int:
    """Number of classes, once each has a record in train and in test."""
    # Sorted distinct labels, never a count array: one record labelled 2**31 - 1 must not cost
    # gigabytes.
    present = np.unique(train)
    if len(present) == 1:
        raise DpvizError(f"y_train in {name} holds one class only; store at least two.")
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
    names = tuple(str(text) for text in given)
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
