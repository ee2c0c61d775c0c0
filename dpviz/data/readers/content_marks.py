"""Marks of files that say what is in them, not when they were unpacked: two copies of a set have
one mark. Contents are read once; digests are kept on this machine by path, size and date.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np

from dpviz.data.readers.picture_sets import Member, mark
from dpviz.machine import array_files
from dpviz.machine.files import cache_dir
from dpviz.machine.threads import all_cores
from dpviz.types import DpvizError, Files

BLOCK = 4096
"""Files whose digests are kept together: one that changes has so many read again, and a kill costs
no more.
"""


class ContentMark:
    """The mark of files below a folder, found when first asked for."""

    def __init__(self, root: Path, members: Sequence[Member]) -> None:
        """members: names below ``root``, with stamps of size and date."""
        self.root, self.members, self._found = root, tuple(members), ""

    def __call__(self) -> str:
        """Changes with any name or byte, and with nothing else.

        Raises:
            DpvizError: for a file that cannot be read.
        """
        if not self._found:
            stamps = (Member(m.name, digest) for m, digest in self._digests())
            self._found = mark(stamps)
        return self._found

    def is_cached(self) -> bool:
        """Whether it is at hand without reading a picture's file."""
        return bool(self._found) or all(self._path(block).exists() for block in self._blocks())

    def _blocks(self) -> Iterator[tuple[Member, ...]]:
        return (self.members[start : start + BLOCK] for start in range(0, len(self.members), BLOCK))

    def _path(self, block: tuple[Member, ...]) -> Path:
        place = Member(str(self.root.resolve()), "")
        return cache_dir() / "contents" / mark([place, *block])[:32]

    def _digests(self) -> Iterator[tuple[Member, str]]:
        for block in self._blocks():
            stored = array_files.read(self._path(block))
            if stored is None or stored.shape != (len(block), 32):
                with ThreadPoolExecutor(all_cores()) as pool:
                    digests = list(pool.map(partial(_digest, self.root), block))
                stored = np.frombuffer(b"".join(digests), np.uint8).reshape(len(block), 32)
                array_files.write(self._path(block), stored)
            yield from ((m, row.tobytes().hex()) for m, row in zip(block, stored, strict=True))


def checksums(split: Files) -> np.ndarray:
    """CRC-32 and length of each image as stored, (n, 2) int64, kept on disk once computed.

    Raises:
        DpvizError: for a file that cannot be read.
    """
    place = hashlib.sha256(f"checksums {split.marked()}".encode()).hexdigest()[:32]
    path = cache_dir() / "contents" / place
    stored = array_files.read(path)
    if stored is None or stored.shape != (len(split), 2):
        checksum = split.read.checksum  # type: ignore[attr-defined]
        stored = np.array([checksum(i) for i in range(len(split))], np.int64).reshape(-1, 2)
        array_files.keep(path, stored)
    return stored


def _digest(root: Path, member: Member) -> bytes:
    try:
        with (root / member.name).open("rb") as file:
            return hashlib.file_digest(file, "sha256").digest()
    except OSError as error:
        raise DpvizError(
            f"{member.name} in {root} cannot be read ({error.strerror}). Restore the file or"
            " remove its row."
        ) from None
