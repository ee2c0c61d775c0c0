"""Folders, zip files and parquet files of pictures: one folder (or label) a class, train and test
apart or split here.
"""

from __future__ import annotations

import os
import stat
import zipfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from dpviz.data import limits
from dpviz.data.readers import class_lists, parquet, people
from dpviz.data.readers.content_marks import ContentMark
from dpviz.data.readers.picture_files import FromFolder, FromZip, names_array
from dpviz.data.readers.picture_sets import (
    Member,
    Pictures,
    check_classes,
    mark,
    name_reason,
    size_and_date,
    sort_out,
)
from dpviz.data.readers.plain_files import check_directory, check_plain
from dpviz.formatting import printable
from dpviz.types import DpvizError, Files

Reader = Callable[[list[str]], FromFolder | FromZip]
"""From names to what reads their pictures."""
Marker = Callable[[Sequence[Member]], str | Callable[[], str]]
"""From members to the mark of their contents."""
COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


def read(path: Path, unlabelled: bool = False, classes: tuple[str, ...] = ()) -> Pictures:
    """The pictures of a folder, a ``.zip`` or ``.parquet``, undecoded.

    Args:
        path: folders ``<class>/`` with pictures at any depth, or ``train/<class>/`` and
            ``test/<class>/``, and ``people.csv`` or ``<class>/<person>/`` where it is known whose
            they are; a zip file of the same; or a parquet file (or a folder of them, or of
            what ``datasets.save_to_disk`` wrote) with pictures and a column ``label``, maybe
            ``person``.
        unlabelled: take every picture, whatever its folder, as one public set.
        classes: as declared; without, a file ``classes.txt`` declares them, or else they are
            read from the folders or labels.

    Raises:
        DpvizError: if there is nothing usable, or a class that is not declared.
    """
    if not path.exists():
        raise DpvizError(
            f"{path} was not found. Give a folder of images, or a .zip or .parquet file."
        )
    shards = parquet.shards(path) if path.is_dir() else [path] if path.suffix == ".parquet" else []
    if shards:
        return parquet.read(path.name, shards, unlabelled, classes)
    kind: type[FromFolder | FromZip]
    marked: Marker
    if path.is_dir():
        members, kind = list(islice(walk(path), limits.ROWS + 1)), FromFolder
        marked = partial(ContentMark, path)
    elif path.suffix == ".zip":
        members, kind, marked = zip_members(path), FromZip, mark
    else:
        raise DpvizError(f"{path.name} must be a folder, or a .zip or .parquet file.")

    if len(members) > limits.ROWS:
        raise DpvizError(f"{path.name} has too many files. The limit is {limits.ROWS:,}.")

    def reader(names: list[str]) -> FromFolder | FromZip:
        return kind(str(path), names_array(names))

    usable = [m for m in members if not m.reason]
    refused = [(m.name, m.reason) for m in members if m.reason]
    if unlabelled:
        return _one_set(path.name, usable, refused, reader, marked)
    people_file = persons(path, members)
    listed, own = declared(path, members)
    lists = {people_file.file, listed} - {""}  # a refused member may have an empty name
    refused = [(name, reason) for name, reason in refused if name not in lists]
    return _labelled(path.name, usable, refused, reader, marked, people_file, classes or own)


class PeopleFile(NamedTuple):
    """The CSV file of a folder or zip that tells whose pictures they are, "" without one; the
    person of each picture by its name, None without one; and sentences about it.
    """

    file: str = ""
    owners: dict[str, str] | None = None
    notes: tuple[str, ...] = ()


def persons(path: Path, members: Sequence[Member]) -> PeopleFile:
    """What a CSV file among these tells of persons.

    Raises:
        DpvizError: if it is too large, or not as it must be.
    """
    name = people.listed(path.name, [m.name for m in members])
    if not name:
        return PeopleFile()
    try:
        whole = people.table(_sibling(path, name), name)
        owners = people.of_pictures(whole, [m.name for m in members if not m.reason], name)
        return PeopleFile(name, *owners)
    except people.Unread:
        if people.called(name):
            raise
        return PeopleFile()


def declared(path: Path, members: Sequence[Member]) -> tuple[str, tuple[str, ...]]:
    """The file ``classes.txt`` among these and the classes that it declares; "" and none without.

    Raises:
        DpvizError: if it is not as it must be.
    """
    name = class_lists.find_list([m.name for m in members])
    return (name, class_lists.parsed(_sibling(path, name), name)) if name else ("", ())


def _sibling(path: Path, name: str) -> bytes:
    """A file of a folder or zip; no more of it than is read at most."""
    try:
        if path.is_dir():
            check_plain(path / name, name)
            people.check_size((path / name).stat().st_size, name)
            with (path / name).open("rb") as file:
                return file.read(limits.PEOPLE_BYTES + 1)
        with zipfile.ZipFile(path) as archive:
            people.check_size(archive.getinfo(name).file_size, name)
            with archive.open(name) as packed:
                return packed.read(limits.PEOPLE_BYTES + 1)
    except people.Unread:
        raise
    except DpvizError as error:
        raise people.Unread(str(error)) from None
    except Exception:  # zlib, struct, zipfile and the system each raise their own on damage
        raise people.Unread(
            f"{name[-80:]} in {path.name} cannot be read. Save it again, or remove it."
        ) from None


def walk(root: Path) -> Iterator[Member]:
    """Every file below a folder in the order of its name, with the reason against it."""
    for folder, inside, files in os.walk(root):
        inside.sort()
        for file in sorted(files):
            path = Path(folder) / file
            yield _member(path, path.relative_to(root).as_posix())


def _member(path: Path, name: str) -> Member:
    if reason := name_reason(name):
        return Member(name, "", reason)
    try:
        status = path.stat()
    except OSError as error:
        return Member(name, "", f"cannot be read ({error.strerror})")
    if not stat.S_ISREG(status.st_mode):
        return Member(name, "", "is a pipe or device, not an image")
    return Member(name, size_and_date(status))


def zip_members(path: Path, max_members: int = limits.ROWS) -> list[Member]:
    """Members of an archive with the reasons against them; nothing is unpacked.

    Args:
        path: of the archive; max_members: members that it may list.

    Raises:
        DpvizError: if it is no zip file, or lists more.
    """
    try:
        check_directory(path, path.name, max_members)
        with zipfile.ZipFile(path) as archive:
            infos = archive.infolist()
    except DpvizError:
        raise
    except Exception as error:  # zipfile raises whatever its parser trips over
        raise DpvizError(
            f"{path.name} is not a readable zip file ({printable(str(error)[:80])}). Create it"
            " again."
        ) from None
    names_seen: set[str] = set()
    members = []
    for info in infos:
        if info.orig_filename.endswith("/"):  # filename ends at a NUL and may be empty
            continue
        reason = name_reason(info.orig_filename) or _packing_reason(info)
        if not reason and info.filename in names_seen:
            reason = "has the same name as another file"
        names_seen.add(info.filename)
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
        return "is a link, not an image"
    if info.flag_bits & 1 or info.compress_type not in COMPRESSIONS:
        return "is encrypted or has an unusual compression"
    if info.file_size > limits.PICTURE_BYTES:
        return f"unpacks to {info.file_size >> 20} MiB, more than {limits.PICTURE_BYTES >> 20}"
    if info.file_size > max(limits.PACKING_FREE, limits.PACKING_RATIO * info.compress_size):
        return (
            f"unpacks to more than {limits.PACKING_RATIO} times its compressed size, which no"
            " image does"
        )
    return ""


def _labelled(
    title: str,
    usable: Sequence[Member],
    refused: list[tuple[str, str]],
    reader: Reader,
    marked: Marker,
    people_file: PeopleFile,
    classes: tuple[str, ...],
) -> Pictures:
    placed, misplaced, remarks = sort_out(usable, people_file.owners, classes)
    names, lacking = check_classes(title, [p[:3] for p in placed], classes)
    number = {name: c for c, name in enumerate(names)}
    has_persons = any(p.person for p in placed)
    splits: dict[str, Files] = {}
    for split in ("train", "test"):
        members = [p for p in placed if p.split == split]
        person_numbers = people.numbers(title, (p.person for p in members)) if has_persons else None
        splits[split] = Files(
            np.array([number[p.label] for p in members], np.int64),
            reader([p.member.name for p in members]),
            marked([p.member for p in members]),
            persons=person_numbers,
        )
    duplicates = people.duplicate_owners(splits["train"].persons, splits["test"].persons)
    notes = (*people_file.notes, *remarks, *lacking, *duplicates)
    return Pictures(splits, names, tuple(refused + misplaced), notes, classes_read=not classes)


def _one_set(
    title: str,
    usable: Sequence[Member],
    refused: list[tuple[str, str]],
    reader: Reader,
    marked: Marker,
) -> Pictures:
    if not usable:
        raise DpvizError(f"{title} has no images. Add .jpg or .png files.")
    files = Files(None, reader([m.name for m in usable]), marked(usable), len(usable))
    return Pictures({"public": files}, (), tuple(refused))
