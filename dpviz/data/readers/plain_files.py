"""What must be true of a stranger's file before any parser sees it: that it is a file, and that a
zip's directory or a parquet file's footer is no larger than agreed.
"""

from __future__ import annotations

import os
import zipfile
from pathlib import Path
from typing import IO

from dpviz.data import limits
from dpviz.machine.user_files import check_plain
from dpviz.types import DpvizError

PARQUET = b"PAR1"
"""First and last bytes of a parquet file."""
_SIGNATURE = b"PK\x01\x02"
"""With it begins each member's entry in a zip's directory."""
_ZIP64 = b"PK\x06\x06"
_ZIP64_END = 76
"""Bytes of the two records between a large zip's directory and its end."""


def check_directory(source: str | Path | IO[bytes], title: str, members: int) -> None:
    """Refuse a zip that lists more than ``members``, before ``zipfile`` makes an object of each.
    What is no zip passes.

    Raises:
        DpvizError: for too many, or a directory longer than these need.
        OSError: where there is nothing to read.
    """
    if isinstance(source, (str, Path)):
        check_plain(source, title)
        with open(source, "rb") as file:
            return check_directory(file, title, members)
    size, listed = _directory(source, max_bytes=limits.MEMBER_ENTRY * members)
    if size > limits.MEMBER_ENTRY * members or listed > members:
        raise DpvizError(f"{title} has too many members. The limit is {members:,}.")


def _directory(file: IO[bytes], max_bytes: int) -> tuple[int, int]:
    """Bytes of a zip's directory, and the members it lists: 0 where it is longer than
    ``max_bytes``; both 0 for what is no zip.
    """
    try:
        # the one place that knows where the directory ends and how long it is
        end = zipfile._EndRecData(file)  # type: ignore[attr-defined]
    except Exception:  # struct and zipfile each raise their own on damage, zipfile soon again
        return 0, 0
    if not end:
        return 0, 0
    size = end[zipfile._ECD_SIZE]  # type: ignore[attr-defined]
    if size > max_bytes:
        return size, 0
    bytes_after = size + (_ZIP64_END if end[0] == _ZIP64 else 0)
    file.seek(max(0, end[zipfile._ECD_LOCATION] - bytes_after))  # type: ignore[attr-defined]
    return size, file.read(size).count(_SIGNATURE)


def check_footer(path: str | Path, title: str) -> None:
    """Refuse a parquet file whose description of itself is longer than agreed, before it is parsed.

    Raises:
        DpvizError: for one, or for what is no plain file.
        OSError: where there is nothing to read.
    """
    check_plain(path, title)
    with open(path, "rb") as file:
        file.seek(-min(8, os.fstat(file.fileno()).st_size), os.SEEK_END)
        length, magic = int.from_bytes(file.read(4), "little"), file.read(4)
    if magic == PARQUET and length > limits.PARQUET_FOOTER:
        raise DpvizError(
            f"{title} has {length >> 20} MiB of metadata. The limit is"
            f" {limits.PARQUET_FOOTER >> 20} MiB. Use fewer columns and row groups."
        )
