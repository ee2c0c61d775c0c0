"""Arrays of an ``.npz`` that may be a stranger's: every claim in it is checked before it is
unpacked.
"""

from __future__ import annotations

import io
import math
import re
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import IO

import numpy as np

from dpviz.data import limits
from dpviz.data.readers import people
from dpviz.data.readers.plain_files import check_directory
from dpviz.formatting import printable
from dpviz.types import DpvizError

_COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_HEADER = re.compile(
    r"\{(?:\s*(?:"
    r"'descr'\s*:\s*(?P<type>'[^'\\]*'|\[[^\[\]\\]*\])"
    r"|'fortran_order'\s*:\s*(?P<order>True|False)"
    r"|'shape'\s*:\s*\((?P<shape>(?:[0-9]{1,15}(?:, ?|(?=\)))){0,8})\)"
    r")\s*(?:,|(?=\}))){3}\s*\}\s*",
    re.ASCII,
)
"""A header as numpy writes it. What else Python could read as a dictionary is refused unread."""
_TYPE = re.compile(r"'([<>|=]?[a-zA-Z?][0-9]{0,8})'", re.ASCII)
_ITEM_BYTES = {"X": 4, "y": 8, "v": 8, "p": 8}
"""Bytes of a number once read; of text, those it is stored with."""
UNLABELLED = ("y_public", "y")
"""Labels of public rows, where -1 means that a row has none."""
_KINDS = {
    "X": ("f", "floats", 2),
    "y": ("iuf", "whole numbers", 1),
    "c": ("U", "text", 1),
    "v": ("iuf", "whole numbers", 2),
    "p": ("iuU", "whole numbers or text", 1),
}


def unpack(
    file: str | Path | IO[bytes],
    name: str,
    required: tuple[str, ...],
    optional: tuple[str, ...] = (),
    check: Callable[[dict[str, tuple[int, ...]], str], None] = lambda shapes, name: None,
    ignored: list[str] | None = None,
) -> dict[str, np.ndarray]:
    """The arrays of an ``.npz``, each of the kind that its name's first letter stands for in
    ``_KINDS``.

    Args:
        file: path or open binary file; name: what it is called in messages.
        needed, optional: names of arrays that must, or may, be there.
        check: called with the shapes from the headers, before anything is unpacked.
        ignored: takes the names of other members, which are not opened; None refuses them.

    Raises:
        DpvizError: for anything else, in one sentence. No pickle is ever read, and sizes, types and
            shapes are refused from the headers, before anything is unpacked.
    """
    with _opened(file, name) as archive:
        members = _members(archive, name, required, optional, ignored)
        headers = {key: _header(archive, info, name) for key, info in members.items()}
        _check_bytes(sum(item_bytes for _, item_bytes in headers.values()), name)
        check({key: shape for key, (shape, _) in headers.items()}, name)
        try:
            return {key: _array(archive, info, name) for key, info in members.items()}
        except MemoryError:
            raise DpvizError(f"{name} does not fit into memory. Use fewer records.") from None


def _opened(file: str | Path | IO[bytes], name: str) -> zipfile.ZipFile:
    try:
        check_directory(file, name, limits.NPZ_MEMBERS)
        return zipfile.ZipFile(file)
    except FileNotFoundError:
        raise DpvizError(f"{name} was not found. Give the path of an .npz file.") from None
    except DpvizError:
        raise
    except Exception:  # zipfile raises whatever its parser trips over
        raise DpvizError(
            f"{name} is not a readable .npz file. Write it with numpy.savez_compressed."
        ) from None


def _members(
    archive: zipfile.ZipFile,
    name: str,
    required: tuple[str, ...],
    optional: tuple[str, ...],
    ignored: list[str] | None,
) -> dict[str, zipfile.ZipInfo]:
    """Array name to archive member, once names and claimed sizes are in order."""
    members: dict[str, zipfile.ZipInfo] = {}
    for info in archive.infolist():
        key = info.filename.removesuffix(".npy")
        unknown = info.filename == key or key not in required + optional
        if unknown and ignored is not None:
            ignored.append(key)
            continue
        if unknown or key in members:
            allowed = ", ".join(required + optional)
            odd = info.filename[:40]
            raise DpvizError(
                f"{name} has unexpected or repeated arrays: {odd!r}. Store each of {allowed} at"
                " most once."
            )
        if info.compress_type not in _COMPRESSIONS or info.flag_bits & 1:
            raise DpvizError(
                f"{key} in {name} has an unusual compression. Write it with numpy.savez_compressed."
            )
        members[key] = info
    for key in required:
        if key not in members:
            raise DpvizError(f"{name} has no {key}. Store {', '.join(required)}.")
    _check_bytes(sum(info.file_size for info in members.values()), name)
    _check_packing(members, name)
    return members


def _check_packing(members: dict[str, zipfile.ZipInfo], name: str) -> None:
    unpacked = sum(info.file_size for info in members.values())
    packed = sum(info.compress_size for info in members.values())
    if unpacked > limits.NPZ_FREE + limits.PACKING_RATIO * packed:
        raise DpvizError(
            f"{name} unpacks to over {limits.PACKING_RATIO} times its size. Write it with"
            " numpy.savez, without compression."
        )


def _check_bytes(total: int, name: str) -> None:
    if total > limits.NPZ_BYTES:
        size, limit = f"{total / 2**30:.2f} GiB", f"{limits.NPZ_BYTES / 2**30:g} GiB"
        raise DpvizError(
            f"{name} unpacks to {size}. The limit is {limit}. Use fewer records or float32."
        )


def _header(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str
) -> tuple[tuple[int, ...], int]:
    """Shape in the header and bytes that the array takes in memory, once type, dimensions and
    claimed size agree.
    """
    key = info.filename.removesuffix(".npy")
    kinds, words, ndim = _KINDS[key[0]]
    header, length = _array_header(archive, info, name)
    dtype = _dtype(header["type"])
    if dtype is None or dtype.hasobject or dtype.kind not in kinds:
        type_text = str(dtype or printable(header["type"][:40]))
        raise DpvizError(f"{key} in {name} has type {type_text}. Store {words}.")
    shape = tuple(map(int, re.findall("[0-9]+", header["shape"])))
    if len(shape) != ndim or 0 in shape:
        raise DpvizError(
            f"{key} in {name} has shape {shape}. Store a non-empty {ndim}-dimensional array."
        )
    numbers = math.prod(shape)
    if info.file_size != length + numbers * dtype.itemsize:
        raise DpvizError(
            f"{key} in {name} does not have the length in its header. Write it with"
            " numpy.savez_compressed."
        )
    if dtype.kind == "U" and not 0 < dtype.itemsize <= 4 * limits.NAME:
        raise DpvizError(
            f"{key} in {name} must have between 1 and {limits.NAME} characters, got"
            f" {dtype.itemsize // 4}. Use other names."
        )
    return shape, numbers * max(
        _ITEM_BYTES.get(key[0], 0), dtype.itemsize if dtype.kind == "U" else 0
    )


def _array_header(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str
) -> tuple[dict[str, str], int]:
    """Type, order and shape as the header writes them, and its length in bytes."""
    try:
        with archive.open(info) as member:
            start = member.read(limits.NPZ_HEADER)
        version = np.lib.format.read_magic(io.BytesIO(start))
        begin, sign = {(1, 0): (10, "<H"), (2, 0): (12, "<I")}[version]
        end = begin + struct.unpack(sign, start[8:begin])[0]
        match = _HEADER.fullmatch(start[begin:end].decode("latin1"))
        if end > len(start) or match is None or None in match.groups():
            raise ValueError
    except Exception:  # zipfile, zlib, struct and numpy each raise their own on damage
        raise DpvizError(
            f"{info.filename.removesuffix('.npy')} in {name} has no readable .npy header. Write"
            " the file again."
        ) from None
    return match.groupdict(), end


def _dtype(text: str) -> np.dtype | None:
    """The type that a header names, None for a record or what numpy does not know."""
    plain = _TYPE.fullmatch(text)
    try:
        return np.dtype(plain[1]) if plain else None
    except (TypeError, ValueError):
        return None


def _array(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str) -> np.ndarray:
    """One member: X as float32, labels and persons as int64, class names as text; finite and in
    range.
    """
    key = info.filename.removesuffix(".npy")
    try:
        with archive.open(info) as member:
            array = np.lib.format.read_array(member, allow_pickle=False)
            member.read(1)  # at the end, zipfile compares the checksum
    except MemoryError:
        raise
    except Exception:  # as for the header
        raise DpvizError(f"{key} in {name} is damaged. Write the file again.") from None
    if key in ("class_names", "votes"):
        return array
    if key[0] == "p":
        return _persons(array, key, name)
    return _features(array, key, name) if key[0] == "X" else _labels(array, key, name)


def _features(array: np.ndarray, key: str, name: str) -> np.ndarray:
    with np.errstate(over="ignore"):
        array = np.ascontiguousarray(array, np.float32)
    good = np.isfinite(array).all(1)
    if not good.all():
        row = int(np.argmin(good))
        fault = "NaN, infinity or a number beyond float32"
        raise DpvizError(f"{key} in {name} has {fault} in row {row}. Remove such rows.")
    return array


def _persons(array: np.ndarray, key: str, name: str) -> np.ndarray:
    if array.dtype.kind == "U":
        try:
            names, owner = np.unique(array, return_inverse=True)
            person_names = [str(text) for text in names]
        except Exception:  # numpy raises SystemError and others for what is no character
            person_names, owner = [""], np.zeros(1, np.int64)
        if any(map(people.name_reason, person_names)):
            raise DpvizError(
                f"{key} in {name} has an empty or unprintable name. Give each person a printable"
                " name or a number."
            )
        return people.numbers(f"{key} in {name}", person_names)[owner]
    if array.min() < 0 or array.max() > np.iinfo(np.int64).max:
        raise DpvizError(f"{key} in {name} has a number below 0 or above 2^63 - 1. Count from 0.")
    people.check_number(f"{key} in {name}", len(np.unique(array)))
    return array.astype(np.int64)


def _labels(array: np.ndarray, key: str, name: str) -> np.ndarray:
    lowest = -1 if key in UNLABELLED else 0
    good = (array >= lowest) & (array < 2**31)  # also False for NaN
    if array.dtype.kind == "f":
        good &= array == np.floor(array)
    if not good.all():
        row = int(np.argmin(good))
        raise DpvizError(
            f"{key} in {name} has {array[row]} in row {row}. Use whole numbers from 0 to"
            f" C-1{', or -1 for no label' if lowest else ''}."
        )
    return array.astype(np.int64)
