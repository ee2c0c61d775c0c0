"""Whose pictures they are, as a CSV file beside them tells it, and what is refused of that."""

from __future__ import annotations

import csv
import hashlib
import io
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

import numpy as np

from dpviz.data import limits
from dpviz.types import DpvizError

FILE, ENDING = "people.csv", ".csv"
COLUMNS = ("image", "person")
UNKNOWN = "has no person"


class Unread(DpvizError):
    """A file that cannot be read at all; one that is not called ``people.csv`` may be about
    something else.
    """


def called(file: str) -> bool:
    """Whether a file's name says that it tells whose pictures they are."""
    return PurePosixPath(file).name.lower() == FILE


def number(name: str) -> int:
    """A person's number in [0, 2^63): a hash of the name, so that it depends on nobody else."""
    return int.from_bytes(hashlib.sha256(f"person {name}".encode()).digest()[:8]) >> 1


def numbers(title: str, names: Iterable[str]) -> np.ndarray:
    """``number`` of each (n,) int64.

    Raises:
        DpvizError: for more persons than are accepted.
    """
    name_list = list(names)
    number_of = {name: number(name) for name in set(name_list)}
    check_number(title, len(number_of))
    return np.array([number_of[name] for name in name_list], np.int64)


def check_number(title: str, persons: int) -> None:
    """Refuse more persons than are accepted.

    Raises:
        DpvizError: for these.
    """
    if persons > limits.PERSONS:
        raise DpvizError(
            f"{title} has too many people: {persons:,}. The limit is {limits.PERSONS:,}. Leave"
            " the people out or use fewer."
        )


def name_reason(name: str) -> str:
    """Why nobody may be called so, or ""."""
    if not name.strip() or len(name) > limits.NAME or not name.isprintable():
        return (
            f"has a person's name that is empty, unprintable or longer than {limits.NAME}"
            " characters"
        )
    return ""


def listed(title: str, names: Iterable[str]) -> str:
    """Which of some files tells whose pictures they are: ``people.csv``, or the only CSV file; ""
    for none. Deeper than a folder below the first none is looked for.

    Raises:
        DpvizError: where several are called ``people.csv``.
    """
    candidates = [name for name in names if name.lower().endswith(ENDING) and name.isprintable()]
    candidates = [name for name in candidates if not _hidden(name) and name.count("/") <= 1]
    plain = [name for name in candidates if called(name)]
    if len(plain) > 1:
        raise DpvizError(
            f"{title} has {len(plain)} files named {FILE}. Keep one that lists all images."
        )
    files = plain or candidates
    return files[0] if len(files) == 1 else ""


def _hidden(name: str) -> bool:
    return name.startswith("__MACOSX/") or PurePosixPath(name).name.startswith(".")


def table(content: bytes, file: str) -> dict[str, str]:
    """Person by picture, from a CSV file with columns ``image`` and ``person``.

    Args:
        content: of the file, which may be a stranger's; file: its name.

    Raises:
        Unread: if it has no such columns.
        DpvizError: saying in which line what is wrong.
    """
    check_size(len(content), file)
    try:
        text = io.StringIO(content.decode("utf-8-sig"), newline="")
        head = [cell.strip().lower() for cell in next(csv.reader(text, strict=True), [])]
    except UnicodeDecodeError:
        raise Unread(f"{_last(file)} is not UTF-8 text. Save it as UTF-8.") from None
    except csv.Error:
        head = []
    if not set(COLUMNS) <= set(head):
        raise Unread(
            f"{_last(file)} has no columns image and person. Write image,person in the first line."
        )
    try:
        rows = csv.reader(text, strict=True)
        return _table(rows, _last(file), *(head.index(name) for name in COLUMNS))
    except csv.Error as error:
        raise DpvizError(
            f"{_last(file)} is not valid CSV ({str(error)[:60]}). Write image,person in each line."
        ) from None


def check_size(size: int, file: str) -> None:
    """Refuse a file longer than agreed, before it is read.

    Raises:
        Unread: for one.
    """
    if size > limits.PEOPLE_BYTES:
        raise Unread(
            f"{_last(file)} is larger than {limits.PEOPLE_BYTES >> 20} MiB. Keep only the columns"
            " image and person."
        )


def _last(file: str) -> str:
    """The file's own name as a sentence may have it."""
    return PurePosixPath(file).name[:80]


def _table(rows: Any, file: str, image: int, person: int) -> dict[str, str]:
    owners: dict[str, str] = {}
    persons: set[str] = set()
    for row in rows:
        line = rows.line_num + 1  # the first line was read apart
        if not any(row):
            continue
        if len(row) <= max(image, person) or not row[image].strip():
            raise DpvizError(f"Line {line} of {file} has no image or no person. Fill in both.")
        picture, name = row[image].strip().replace("\\", "/"), row[person].strip()
        if reason := name_reason(name):
            raise DpvizError(f"Line {line} of {file} {reason}. Give each person a valid name.")
        if owners.setdefault(picture, name) != name:
            raise DpvizError(
                f"Line {line} of {file} names a different person for an image than a line above."
                " Keep one of the two lines."
            )
        persons.add(name)
        if len(owners) > limits.ROWS:
            raise DpvizError(f"{file} lists too many images. The limit is {limits.ROWS:,}.")
        if len(persons) > limits.PERSONS:
            check_number(file, len(persons))
    return owners


def of_pictures(
    persons: Mapping[str, str], names: Sequence[str], file: str
) -> tuple[dict[str, str], tuple[str, ...]]:
    """Person by the name of each picture, of those that have one, and a sentence about lines that
    fit none.

    Args:
        persons: by a picture's path, the end of its path or its file's name, with its ending or
            without; names: paths of the pictures; file: where it was written.

    Raises:
        Unread: where no line fits any.
        DpvizError: where one fits two pictures.
    """
    owners: dict[str, str] = {}
    owner_of: dict[str, str] = {}
    for name in names:
        key = next((end for end in _path_endings(name) if end in persons), None)
        if key is None:
            continue
        if owner_of.setdefault(key, name) != name:
            raise DpvizError(
                f"{_last(file)} has an image name that matches two images, {owner_of[key][-80:]!r}"
                f" and {name[-80:]!r}. Write the folder as well."
            )
        owners[name] = persons[key]
    if names and not owners:
        raise Unread(
            f"{_last(file)} matches none of the images. Write the names of the images in the"
            " column image."
        )
    idle = len(persons) - len(owner_of)
    lines = "1 line matches" if idle == 1 else f"{idle:,} lines match"
    idle_notes = (f"In {_last(file)} {lines} no image in use.",) if idle else ()
    return owners, (
        f"{_last(file)} assigns {len(owners):,} images to {count_text(len(set(owners.values())))}.",
        *idle_notes,
    )


def _path_endings(name: str) -> Iterable[str]:
    parts = PurePosixPath(name).parts
    suffix = len(PurePosixPath(name).suffix)
    for first in range(len(parts)):
        end = "/".join(parts[first:])
        yield end
        yield end[: len(end) - suffix]


def in_both(train: np.ndarray | None, test: np.ndarray | None) -> int:
    """How many persons (n,) of training pictures have test pictures as well; 0 where not known."""
    return 0 if train is None or test is None else len(np.intersect1d(train, test))


def duplicate_owners(train: np.ndarray | None, test: np.ndarray | None) -> tuple[str, ...]:
    """A sentence where there are such persons."""
    shared = in_both(train, test)
    if not shared:
        return ()
    subject = "1 person has" if shared == 1 else f"{shared:,} persons have"
    return (
        f"{subject} images in both train and test. Accuracies therefore include people that the"
        " method has seen. Test images count as public, so no guarantee covers them.",
    )


def count_text(persons: int) -> str:
    """So many persons, in words."""
    return f"{persons:,} {'person' if persons == 1 else 'people'}"


def images_per_person(persons: Iterable[object]) -> tuple[int, ...]:
    """Pictures of each person, the most first."""
    return tuple(sorted(Counter(persons).values(), reverse=True))
