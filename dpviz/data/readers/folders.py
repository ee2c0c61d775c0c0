"""Folders, zip files and parquet files of pictures: one folder (or label) a class, train and test
apart or split here.
"""

from __future__ import annotations

import hashlib
import os
import stat
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import numpy as np

from dpviz.data.readers.picture_files import MAX_BYTES, SUFFIXES, FromFolder, FromZip, names_array
from dpviz.types import DpvizError, Files, Images

TRAIN, TEST = ("train", "training"), ("test", "testing", "val", "valid", "validation")
ONE_IN = 5
"""Without folders train and test, about one picture in five is a test picture, by a hash of its
name.
"""
MAX_NAME = 60  # characters of a class name
MAX_RATIO, RATIO_FROM = 200, 2**20
"""A member may unpack to 200 times its packed size; below one MiB to any."""
COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
Splits = Mapping[str, Images | Files]


@dataclass(frozen=True, eq=False)
class Pictures:
    """A set of pictures.

    Attributes:
        splits: ``train`` and ``test``, or ``public``.
        class_names: C names; empty where there are no labels.
        refused: (name, reason) of what was left out.
    """

    splits: Splits
    class_names: tuple[str, ...]
    refused: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Member:
    """One file of a folder or archive, and why it cannot be used, if so.

    Attributes:
        name: path inside; stamp: changes when the content does; reason: "" where it may be used.
    """

    name: str
    stamp: str
    reason: str = ""


# ------------------------------------------------------------------------------------------ readers


def read(path: Path, unlabelled: bool = False) -> Pictures:
    """The pictures of a folder, a ``.zip`` or ``.parquet``, undecoded.

    Args:
        path: folders ``<class>/`` with pictures at any depth, or ``train/<class>/`` and
            ``test/<class>/``; a zip file of the same; or a parquet file (or a folder of them, or of
            what ``datasets.save_to_disk`` wrote) with pictures and a column ``label``.
        unlabelled: take every picture, whatever its folder, as one public set.

    Raises:
        DpvizError: if there is nothing usable, or a class lacks training or test pictures.
    """
    if not path.exists():
        raise DpvizError(
            f"There is no {path}; give a folder of pictures, a .zip or a .parquet file."
        )
    from dpviz.data.readers import parquet

    shards = parquet.shards(path) if path.is_dir() else [path] if path.suffix == ".parquet" else []
    if shards:
        return parquet.read(path.name, shards, unlabelled)
    if path.is_dir():
        members = list(walk(path))

        def reader(names):
            return FromFolder(str(path), names_array(names))

    elif path.suffix == ".zip":
        members = zip_members(path)

        def reader(names):
            return FromZip(str(path), names_array(names))

    else:
        raise DpvizError(
            f"{path.name} is neither a folder nor a .zip or .parquet file; give one of these."
        )
    usable = [m for m in members if not m.reason]
    refused = [(m.name, m.reason) for m in members if m.reason]
    if unlabelled:
        return _one_set(path.name, usable, refused, reader)
    return _labelled(path.name, usable, refused, reader)


def walk(root: Path) -> Iterator[Member]:
    """Every file below a folder in the order of its name, with the reason against it."""
    for folder, inside, files in os.walk(root):
        inside.sort()
        for file in sorted(files):
            path = Path(folder) / file
            name = path.relative_to(root).as_posix()
            reason = name_reason(name)
            found = None if reason else path.stat()
            yield Member(name, "" if reason else f"{found.st_size} {found.st_mtime_ns}", reason)


def zip_members(path: Path) -> list[Member]:
    """Members of an archive with the reasons against them; nothing is unpacked.

    Raises:
        DpvizError: if it is no zip file.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            infos = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise DpvizError(
            f"{path.name} is not a readable zip file ({error}); pack it again."
        ) from None
    seen: set[str] = set()
    members = []
    for info in infos:
        if info.is_dir():
            continue
        reason = name_reason(info.orig_filename) or _packing_reason(info)
        if not reason and info.filename in seen:
            reason = "its name occurs twice; keep one"
        seen.add(info.filename)
        members.append(
            Member(
                info.orig_filename if reason else info.filename,
                f"{info.CRC} {info.file_size}",
                reason,
            )
        )
    return members


def _packing_reason(info: zipfile.ZipInfo) -> str:
    if stat.S_ISLNK(info.external_attr >> 16):
        return "is a link, not a picture"
    if info.flag_bits & 1 or info.compress_type not in COMPRESSIONS:
        return "is encrypted or packed in an unusual way; use plain zip"
    if info.file_size > MAX_BYTES:
        return f"unpacks to {info.file_size >> 20} MiB, more than {MAX_BYTES >> 20}"
    if info.file_size > max(RATIO_FROM, MAX_RATIO * info.compress_size):
        return f"unpacks to more than {MAX_RATIO} times its packed size, as no picture does"
    return ""


def name_reason(name: str) -> str:
    """Why a member of this name is not used, or ""."""
    if not name.isprintable():
        return "its name has unprintable signs"
    if (
        "\\" in name
        or ":" in name
        or name.startswith("/")
        or any(part in ("..", ".", "") for part in name.split("/"))
    ):
        return "its name leads out of its folder"
    if name.startswith("__MACOSX/") or PurePosixPath(name).name.startswith("."):
        return "is a hidden file, not a picture"
    if not name.lower().endswith(SUFFIXES):
        return "its name does not end like a picture's (.jpg, .png, …)"
    return ""


# ------------------------------------------------------------------------------------------- layout


def common_top(names: Iterable[str]) -> str:
    """The folder that all these lie in, such as ``pets/``, if it is no class or split itself; else
    "".
    """
    parts = [PurePosixPath(name).parts for name in names]
    parts = [p for p in parts if len(p) > 1]
    tops = {p[0] for p in parts}
    if len(tops) != 1 or tops <= {*TRAIN, *TEST} or any(len(p) < 3 for p in parts):
        return ""
    return f"{tops.pop()}/"


def place(name: str, top: str) -> tuple[str, str] | str:
    """Split (train, test or "" for not said) and class of a picture, or the reason against it."""
    parts = PurePosixPath(name.removeprefix(top)).parts
    split = ""
    if parts[0].lower() in (*TRAIN, *TEST) and len(parts) > 2:
        split, parts = parts[0].lower(), parts[1:]
    if len(parts) < 2:
        return "lies in no class folder"
    if len(parts[0]) > MAX_NAME or not parts[0].strip():
        return f"its class name is empty or longer than {MAX_NAME} characters"
    return split, parts[0]


def by_hash(name: str) -> str:
    """``test`` for about one name in five, else ``train``; no name's place depends on another's."""
    return (
        "test"
        if int.from_bytes(hashlib.sha256(name.encode(errors="surrogateescape")).digest()[:4])
        % ONE_IN
        == 0
        else "train"
    )


def sort_out(
    usable: Sequence[Member],
) -> tuple[list[tuple[Member, str, str]], list[tuple[str, str]]]:
    """Pictures with their split and class, and (name, reason) of those that have none."""
    top = common_top(m.name for m in usable)
    found = [(m, place(m.name, top)) for m in usable]
    refused = [(m.name, where) for m, where in found if isinstance(where, str)]
    placed = [(m, *where) for m, where in found if not isinstance(where, str)]
    said = {split for _, split, _ in placed}
    if said == {""}:
        return [(m, by_hash(m.name.removeprefix(top)), label) for m, _, label in placed], refused
    test = next((split for split in TEST if split in said), None)
    part = dict.fromkeys(TRAIN, "train") | {test: "test"}
    refused += [(m.name, _beside(split)) for m, split, _ in placed if split not in part]
    return [(m, part[split], label) for m, split, label in placed if split in part], refused


def _beside(split: str) -> str:
    return (
        f"lies in {split}/, which is not used beside test/"
        if split
        else "lies beside the folders train/ and test/, not in them"
    )


def check_classes(title: str, placed: Sequence[tuple[object, str, str]]) -> tuple[str, ...]:
    """Class names in order, once there are two and each has training and test pictures.

    Raises:
        DpvizError: naming what is missing.
    """
    names = tuple(sorted({label for _, _, label in placed}))
    if len(names) < 2:
        raise DpvizError(
            f"{title} holds pictures of {len(names)} classes; put those of at least two into a"
            " folder a class."
        )
    for split in ("train", "test"):
        there = {label for _, s, label in placed if s == split}
        lacking = [name for name in names if name not in there]
        if lacking:
            remedy = (
                f"add pictures, or folders train/ and test/ (without them about one in {ONE_IN} is"
                " a test picture)"
            )
            raise DpvizError(f"{title} has no {split} picture of class {lacking[0]!r}; {remedy}.")
    return names


def _labelled(title: str, usable: Sequence[Member], refused: list, reader) -> Pictures:
    placed, more = sort_out(usable)
    names = check_classes(title, placed)
    number = {name: c for c, name in enumerate(names)}
    splits = {}
    for split in ("train", "test"):
        mine = [(m, number[label]) for m, s, label in placed if s == split]
        labels = np.array([label for _, label in mine], np.int64)
        splits[split] = Files(labels, reader([m.name for m, _ in mine]), mark(m for m, _ in mine))
    return Pictures(splits, names, tuple(refused + more))


def _one_set(title: str, usable: Sequence[Member], refused: list, reader) -> Pictures:
    if not usable:
        raise DpvizError(f"{title} holds no picture; put .jpg or .png files there.")
    files = Files(None, reader([m.name for m in usable]), mark(usable), len(usable))
    return Pictures({"public": files}, (), tuple(refused))


def mark(members: Iterable[Member]) -> str:
    """Changes with any name, size, checksum or date of change."""
    digest = hashlib.sha256()
    for member in members:
        digest.update(f"{member.name}\0{member.stamp}\n".encode(errors="surrogateescape"))
    return digest.hexdigest()
