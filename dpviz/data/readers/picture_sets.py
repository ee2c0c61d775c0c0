"""Sets of pictures: which are for training and which for the test, and of which class, by name."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import NamedTuple

import numpy as np

from dpviz.data import limits
from dpviz.data.readers import class_lists, people
from dpviz.data.readers.picture_files import SUFFIXES
from dpviz.types import DpvizError, Files, Images

TEST_ONE_IN = 5
"""About one image in five is for the test, by a hash of its name or of its person's."""
PARTS = ("train", "test")
TRAIN, TEST = ("train", "training"), ("test", "testing", "val", "valid", "validation")
Splits = Mapping[str, Images | Files]
PEOPLE = (
    "Subfolders of classes were read as people: {}. If they are not people, put images directly"
    " into the class folder."
)
LACKING = (
    ("train", "training", "no method can learn the class"),
    ("test", "test", "accuracies exclude the class"),
)
"""A split, its name, and what follows where a class has no image in it."""
NO_PEOPLE = (
    "Subfolders of classes were not read as people, because some images are outside them. To name"
    " people, use <class>/<person>/ for all images, or people.csv."
)


@dataclass(frozen=True, eq=False)
class Pictures:
    """A set of pictures.

    Attributes:
        splits: ``train`` and ``test``, or ``public``.
        class_names: C names; empty where there are no labels.
        refused: (name, reason) of what was left out; notes: sentences about what was found.
        classes_read: whether the class names were read from the images, not declared.
    """

    splits: Splits
    class_names: tuple[str, ...]
    refused: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    classes_read: bool = False


@dataclass(frozen=True)
class Member:
    """One file of a folder or archive, and why it cannot be used, if so.

    Attributes:
        name: path inside; stamp: changes when the content does; reason: "" where it may be used.
    """

    name: str
    stamp: str
    reason: str = ""


class Placed(NamedTuple):
    """A picture with its split and class, and whose it is; "" where that is not known."""

    member: Member
    split: str
    label: str
    person: str = ""


def mark(members: Iterable[Member]) -> str:
    """Changes with any name or stamp."""
    digest = hashlib.sha256()
    for member in members:
        digest.update(f"{member.name}\0{member.stamp}\n".encode(errors="surrogateescape"))
    return digest.hexdigest()


def size_and_date(status: os.stat_result) -> str:
    """The stamp of a file."""
    return f"{status.st_size} {status.st_mtime_ns}"


def labels_of(split: Images | Files) -> np.ndarray:
    """The labels of a split that has some: (n,)."""
    assert split.labels is not None
    return split.labels


def name_reason(name: str) -> str:
    """Why a member of this name is not used, or ""."""
    if not name:
        return "has no name"
    if not name.isprintable():
        return "has unprintable characters in its name"
    if (
        "\\" in name
        or ":" in name
        or name.startswith("/")
        or any(part in ("..", ".", "") for part in name.split("/"))
    ):
        return "has a path that leads out of its folder"
    if name.startswith("__MACOSX/") or PurePosixPath(name).name.startswith("."):
        return "is a hidden file, not an image"
    if not name.lower().endswith(SUFFIXES):
        return "has no image file ending (.jpg, .png, …)"
    return ""


def by_hash(name: str) -> str:
    """``test`` for about one name in five, else ``train``; no name's part depends on another's."""
    digest = hashlib.sha256(name.encode(errors="surrogateescape")).digest()
    return "test" if int.from_bytes(digest[:4]) % TEST_ONE_IN == 0 else "train"


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


def place(
    name: str, top: str, declared: Sequence[str] = ()
) -> tuple[str, str, tuple[str, ...]] | str:
    """Split (train, test or "" for not said), class and the folders below it of an image, or the
    reason against it.

    Args:
        top: a folder that all images lie in; unused with ``declared`` classes, where each image
            alone says whether its first folder is one.
    """
    parts = PurePosixPath(name.removeprefix("" if declared else top)).parts
    split = ""
    if declared and len(parts) > 2 and not _begins(parts[0], declared):
        parts = parts[1:]
    if parts[0].lower() in (*TRAIN, *TEST) and len(parts) > 2:
        split, parts = parts[0].lower(), parts[1:]
    if len(parts) < 2:
        return "is not in a class folder"
    if len(parts[0]) > limits.NAME or not parts[0].strip():
        return f"has a class name that is empty or longer than {limits.NAME} characters"
    return split, parts[0], parts[1:-1]


def _begins(folder: str, declared: Sequence[str]) -> bool:
    """Whether a folder is a class or a split."""
    return folder in declared or folder.lower() in (*TRAIN, *TEST)


class SortedOut(NamedTuple):
    """Pictures with their split and class, (name, reason) of those that have none, and sentences
    about what was taken for what.
    """

    placed: list[Placed]
    refused: list[tuple[str, str]]
    notes: tuple[str, ...]


def sort_out(
    usable: Sequence[Member],
    listed: Mapping[str, str] | None = None,
    declared: Sequence[str] = (),
) -> SortedOut:
    """Which images are for what. Without folders train/ and test/ a hash of each image's name, or
    of its person's, decides.

    Args:
        listed: whose each picture is, by its name; None where no file tells it, and then folders
            ``<class>/<person>/`` do if all pictures lie in some.
        declared: classes; where there are none, every folder is one.
    """
    top = common_top(m.name for m in usable)
    places = [(m, place(m.name, top, declared)) for m in usable]
    refused = [(m.name, place_found) for m, place_found in places if isinstance(place_found, str)]
    inside = [(m, *place_found) for m, place_found in places if not isinstance(place_found, str)]
    owner_of, notes = listed or {}, tuple[str, ...]()
    if listed is None:
        owner_of, notes = _folders_of_persons(
            {m.name: path_below for m, _, _, path_below in inside}
        )
    placed = [Placed(m, split, label, owner_of.get(m.name, "")) for m, split, label, _ in inside]
    if owner_of:
        refused += [
            (p.member.name, reason) for p in placed if (reason := _missing_person(p.person))
        ]
        placed = [p for p in placed if not _missing_person(p.person)]
    split_names = {p.split for p in placed}
    if split_names == {""}:
        path_below = {
            m.name: "/".join([label, *inner_folders]) for m, _, label, inner_folders in inside
        }
        names = [f"{path_below[p.member.name]}/{PurePosixPath(p.member.name).name}" for p in placed]
        placed = [
            p._replace(split=by_hash(p.person or name))
            for p, name in zip(placed, names, strict=True)
        ]
        return SortedOut(placed, refused, notes)
    test = next((split for split in TEST if split in split_names), None)
    part = dict.fromkeys(TRAIN, "train") | {test: "test"}
    refused += [(p.member.name, _split_folder(p.split)) for p in placed if p.split not in part]
    placed = [p._replace(split=part[p.split]) for p in placed if p.split in part]
    return SortedOut(placed, refused, notes)


def _first_classes(classes: Sequence[str]) -> str:
    """The first few of some classes."""
    return ", ".join(map(repr, classes[:5])) + (" and others" if len(classes) > 5 else "")


def _folders_of_persons(
    paths: Mapping[str, tuple[str, ...]],
) -> tuple[dict[str, str], tuple[str, ...]]:
    """The folder in the class's of each picture, where each has one and they are not all alike;
    and what that is taken for.
    """
    if not any(paths.values()):
        return {}, ()
    if any(len(folders) != 1 for folders in paths.values()) or len(set(paths.values())) < 2:
        return {}, (NO_PEOPLE,)
    owner_of = {name: folder for name, (folder,) in paths.items()}
    return owner_of, (PEOPLE.format(people.count_text(len(set(owner_of.values())))),)


def _missing_person(person: str) -> str:
    """Why a picture has no person where others have one, or ""."""
    return people.name_reason(person) if person else people.UNKNOWN


def _split_folder(split: str) -> str:
    return (
        f"is in {split}/, which is not used if test/ exists"
        if split
        else "is outside the folders train/ and test/"
    )


def check_number(title: str, classes: int) -> None:
    """Refuse more classes than methods can hold numbers for.

    Raises:
        DpvizError: for these.
    """
    if classes > limits.CLASSES:
        raise DpvizError(f"{title} has {classes:,} classes. The limit is {limits.CLASSES:,}.")


def check_names(title: str, names: Sequence[str]) -> None:
    """Refuse class names that no page could show or tell apart.

    Raises:
        DpvizError: saying which number's name it is.
    """
    names_seen: set[str] = set()
    for c, name in enumerate(names):
        if (
            not name.strip()
            or len(name) > limits.NAME
            or not name.isprintable()
            or name in names_seen
        ):
            raise DpvizError(
                f"{title} has an empty, repeated, unprintable or too long name for label {c}. Give"
                f" each class its own name of at most {limits.NAME} characters."
            )
        names_seen.add(name)


def check_classes(
    title: str, placed: Sequence[tuple[object, str, str]], declared: Sequence[str] = ()
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The class names, and a sentence for each split that lacks some classes.

    Args:
        placed: (anything, split, class) of the images; declared: classes, all that are found
            without.

    Raises:
        DpvizError: for fewer than two classes, a class that is not declared, or an empty split.
    """
    classes = {label for _, _, label in placed}
    names = tuple(declared) or tuple(sorted(classes))
    for label in sorted(classes - set(names)):
        raise class_lists.undeclared(title, label)
    if len(names) < 2 or not classes:
        raise DpvizError(
            f"{title} has {'images of one class only' if names else 'no usable images'}. Use at"
            " least two classes, with one folder per class."
        )
    check_number(title, len(names))
    notes = []
    for split, words, follows in LACKING:
        present = {label for _, s, label in placed if s == split}
        if not present:
            raise DpvizError(
                f"{title} has no {words} images. Add some. About one in five images should be"
                " test images."
            )
        if lacking := [name for name in names if name not in present]:
            notes.append(f"No {words} images of class {_first_classes(lacking)}: {follows}.")
    return names, tuple(notes)
