"""Arrays on disk with a checksum of content and place before a plain ``.npy``."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np

from dpviz.machine import notes
from dpviz.machine.files import read_sealed, write_atomic, write_sealed
from dpviz.types import DpvizError

NOT_STORED = "Features could not be stored and are recomputed each time."


def write(path: Path, array: np.ndarray) -> None:
    """Write ``array`` so that readers see all of it or nothing."""
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    write_sealed(path, buffer.getbuffer())


def keep(path: Path, array: np.ndarray) -> None:
    """Write ``array`` as ``write`` does, or publish a note if that fails."""
    try:
        write(path, array)
    except DpvizError as error:
        notes.publish(f"{NOT_STORED} {error}")


def write_plain(path: Path, array: np.ndarray) -> None:
    """Write ``array`` as a plain ``.npy`` that can be mapped into memory; all of it or nothing."""
    write_atomic(path, lambda file: np.save(file, array, allow_pickle=False))


def read(path: Path) -> np.ndarray | None:
    """Return the array at ``path``, read-only; None if it is missing, damaged or moved."""
    content = read_sealed(path)
    if content is None:
        return None
    array = np.load(io.BytesIO(content), allow_pickle=False)
    array.setflags(write=False)
    return array
