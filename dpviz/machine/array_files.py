"""Arrays on disk that know whether they are whole: a checksum in front of a plain ``.npy``."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path
from typing import IO

import numpy as np

from dpviz.machine.files import write_atomic

_DIGEST = 32


def write(path: Path, array: np.ndarray) -> None:
    """Write ``array`` so that readers see all of it or nothing."""
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    content = buffer.getbuffer()

    def put(file: IO[bytes]) -> None:
        file.write(hashlib.sha256(content).digest())
        file.write(content)

    write_atomic(path, put)


def write_plain(path: Path, array: np.ndarray) -> None:
    """Write ``array`` as a plain ``.npy`` that can be mapped into memory; all of it or nothing."""
    write_atomic(path, lambda file: np.save(file, array, allow_pickle=False))


def read(path: Path) -> np.ndarray | None:
    """The array written there, read-only; None if it is missing, cut short or damaged."""
    try:
        content = memoryview(path.read_bytes())
    except OSError:
        return None
    if hashlib.sha256(content[_DIGEST:]).digest() != content[:_DIGEST]:
        return None
    array = np.load(io.BytesIO(content[_DIGEST:]), allow_pickle=False)
    array.setflags(write=False)
    return array
