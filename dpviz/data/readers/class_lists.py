"""Lists of classes that the owner of the data declares: a text file with one name per line."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from dpviz.data import limits
from dpviz.types import DpvizError

FILE = "classes.txt"
MAX_BYTES = 2**20
READ = "the list of classes, which was read from the data"
"""What a guarantee takes as public where nobody declared the classes."""


def find_list(names: Iterable[str]) -> str:
    """The class list among the files of a folder or zip, at most one folder deep; "" without one.

    Raises:
        DpvizError: if there are several.
    """
    lists = [name for name in names if PurePosixPath(name).name == FILE and name.count("/") <= 1]
    if len(lists) > 1:
        raise DpvizError(f"There are {len(lists)} files named {FILE}. Keep one.")
    return lists[0] if lists else ""


def read(path: Path) -> tuple[str, ...]:
    """The classes of a file.

    Raises:
        DpvizError: if the file cannot be read or is no list of classes.
    """
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not a file name"
        raise DpvizError(
            f"The class list {str(path)[-80:]!a} cannot be read ({reason}). Give a text file with"
            " one class per line."
        ) from None
    return parsed(content, path.name)


def parsed(content: bytes, file: str) -> tuple[str, ...]:
    """The classes in the content of a file, in its order; empty lines are skipped.

    Raises:
        DpvizError: naming the line that is wrong.
    """
    name = ascii(file[-80:])
    if len(content) > MAX_BYTES:
        raise DpvizError(f"{name} is larger than {MAX_BYTES >> 20} MiB. List class names only.")
    try:
        lines = content.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError:
        raise DpvizError(f"{name} is not UTF-8 text. Save it as UTF-8.") from None
    classes: dict[str, int] = {}
    for number, line in enumerate(map(str.strip, lines), start=1):
        if not line:
            continue
        if len(line) > limits.NAME or not line.isprintable():
            raise DpvizError(
                f"Line {number} of {name} is unprintable or longer than {limits.NAME} characters."
                " Write one class name per line."
            )
        if line in classes:
            raise DpvizError(
                f"Lines {classes[line]} and {number} of {name} name the same class. List each"
                " class once."
            )
        classes[line] = number
    if not 2 <= len(classes) <= limits.CLASSES:
        raise DpvizError(
            f"{name} must list between 2 and {limits.CLASSES:,} classes, got {len(classes):,}."
        )
    return tuple(classes)


def undeclared(title: str, label: str) -> DpvizError:
    """The refusal of an image whose class is not in the list."""
    return DpvizError(
        f"{title} has images of class {label!r}, which is not in the list of classes. Add the"
        " class, or remove its images."
    )
