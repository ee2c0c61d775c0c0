"""Refuse a public set whose files are those of the private set."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path

from dpviz.formatting import printable
from dpviz.types import DpvizError

REFUSED = (
    "The public set {public} has the files of the private set {private}; name a public set with"
    " files of its own, or none."
)


def check(private: Path, public: Path | None) -> None:
    """Compare the files as a whole, and no record with another.

    Args:
        private, public: file or folder of a set; None for a public set that comes with dpviz.

    Raises:
        DpvizError: if both are one file by path, link or content, or one folder holds the other.
    """
    if public and _is_same(private, public):
        names = {"private": printable(str(private)), "public": printable(str(public))}
        raise DpvizError(REFUSED.format(**names))


def _is_same(a: Path, b: Path) -> bool:
    with suppress(OSError):  # a missing file is refused where it is read
        first, second = a.resolve(), b.resolve()
        if first.is_relative_to(second) or second.is_relative_to(first) or a.samefile(b):
            return True
        if a.is_file() and b.is_file() and a.stat().st_size == b.stat().st_size:
            return _digest(a) == _digest(b)
    return False


def _digest(path: Path) -> bytes:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()
