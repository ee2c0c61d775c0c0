"""An upload of pictures from a stranger, sorted into used and refused; what is used is packed anew under plain names."""

from __future__ import annotations

import zipfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from dpviz.data import folders
from dpviz.data.folders import Member
from dpviz.data.pictures import MAX_BYTES, decode
from dpviz.data.source import Progress
from dpviz.files import write_atomic
from dpviz.types import DpvizError

MAX_MEMBERS = 50_000
MAX_UNPACKED = 2 * 2**30
"""Bytes of all members of an upload together, once unpacked."""
MAX_DIRECTORY = 32 * 2**20
"""Bytes of an upload's list of members, which is held in memory."""
LISTED = 80
"""Characters of a name that are shown."""


@dataclass(frozen=True)
class Sorted:
    """What became of the members of an upload.

    Attributes:
        used: (name, split, class) of each picture kept; refused: (name, reason) of the others.
    """

    used: tuple[tuple[str, str, str], ...]
    refused: tuple[tuple[str, str], ...]

    @property
    def reasons(self) -> list[tuple[str, int]]:
        """Each reason with its number of files, the commonest first."""
        return Counter(reason for _, reason in self.refused).most_common()


def sort_zip(source: Path, clean: Path, progress: Progress = lambda what, done, total: None) -> Sorted:
    """Look at every member of a zip file and write the usable pictures to another.

    Each picture is decoded once, within bounds on bytes, pixels and packing ratio; no pickle, no link, nothing
    below a path of the file's own choosing. Nothing but ``clean`` is written.

    Args:
        source: the upload; clean: the file to write, ``train/<class>/<number>.<ending>`` and ``test/…``.
        progress: called with (what, done, total); may raise ``Cancelled``.

    Raises:
        DpvizError: if it is no zip file, holds too much, or too little for two classes.
    """
    _check_directory(source)
    members = folders.zip_members(source)
    if len(members) > MAX_MEMBERS:
        raise DpvizError(f"The file holds {len(members):,} members; use at most {MAX_MEMBERS:,}.")
    refused = [(m.name, m.reason) for m in members if m.reason]
    placed, misplaced = folders.sort_out([m for m in members if not m.reason])
    refused += misplaced
    used: list[tuple[str, str, str]] = []
    _check_size(source, {m.name for m, _, _ in placed})

    def pack(file: IO[bytes]) -> None:
        with zipfile.ZipFile(source) as archive, zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as out:
            for done, (member, split, label) in enumerate(placed):
                progress("Looking at pictures", done, len(placed))
                reason = _copy(archive, out, member, f"{split}/{label}/{done:06d}{Path(member.name).suffix.lower()}")
                if reason:
                    refused.append((member.name, reason))
                else:
                    used.append((member.name, split, label))
        folders.check_classes("The upload", used)

    write_atomic(clean, pack)
    return Sorted(tuple(used), tuple((name[:LISTED], reason) for name, reason in refused))


def _check_directory(source: Path) -> None:
    """Refuse a list of millions of members before it is read."""
    with source.open("rb") as file:
        end = zipfile._EndRecData(file)  # the one place that knows where the list begins and how long it is
    if end and end[zipfile._ECD_SIZE] > MAX_DIRECTORY:
        raise DpvizError(f"The file lists far more than {MAX_MEMBERS:,} members; use at most {MAX_MEMBERS:,}.")


def _check_size(source: Path, names: set[str]) -> None:
    with zipfile.ZipFile(source) as archive:
        total = sum(info.file_size for info in archive.infolist() if info.filename in names)
    if total > MAX_UNPACKED:
        raise DpvizError(f"The pictures unpack to {total / 2**30:.1f} GiB; use at most {MAX_UNPACKED / 2**30:g}, by fewer or smaller ones.")


def _copy(archive: zipfile.ZipFile, out: zipfile.ZipFile, member: Member, name: str) -> str:
    """Write a member under a new name if it can be decoded; else the reason."""
    try:
        with archive.open(member.name) as packed:
            content = packed.read(MAX_BYTES + 1)
    except Exception:  # zlib, struct and zipfile each raise their own on damage
        return "is damaged in the zip file"
    try:
        decode(content, "", ending=Path(member.name).suffix)
    except DpvizError as error:
        return str(error).strip().rstrip(".")
    out.writestr(name, content)
    return ""
