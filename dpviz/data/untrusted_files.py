"""Uploads are read in a process of their own, with caps; the arrays that it checked come back in
the project's own format.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np

from dpviz import caches
from dpviz.data.readers import public_features as public_reader
from dpviz.data.readers import uploaded_features, uploaded_pictures
from dpviz.data.readers.public_features import PublicFeatures
from dpviz.data.readers.uploaded_pictures import Sorted
from dpviz.data.source import Progress
from dpviz.machine import array_files, sandbox, scratch
from dpviz.machine.executor import SandboxPool
from dpviz.machine.sandbox import Caps, WorkEnded
from dpviz.types import Dataset

MEMORY = 4 * 2**30
"""Bytes that the reading of one upload may allocate, three times what the largest needs."""
FILE = 2**31 + 2**28
"""Bytes of a file that it may write: what it may unpack to, and a list of it."""
SECONDS = 120
SECONDS_OF_PICTURES = 600
"""Seconds that it may take."""
READERS = 2
"""Uploads of each kind that are read side by side."""
ENDED = "The process that read this file ended unexpectedly. Try again."
FEATURES = Caps(
    MEMORY, SECONDS, FILE, "Reading features", "use a file with fewer records or classes"
)
PICTURES = Caps(
    MEMORY,
    SECONDS_OF_PICTURES,
    FILE,
    "Reading images",
    "use fewer or smaller images, each saved again",
)


class Readers:
    """A few processes, shared by all who wait."""

    def __init__(self, do: str, nice: int = 0, remembers: bool = True) -> None:
        """do, nice: as ``Sandbox`` takes them; remembers: a file that broke the process
        once is refused at once the next time.
        """
        self._pool = SandboxPool(READERS, do, ENDED, nice, OPENBLAS_NUM_THREADS="1")
        self._died: caches.KeyedCache[str] = caches.KeyedCache(__name__, 64)
        self._remembers = remembers

    def ask(self, question: tuple[Any, ...], progress: Progress, caps: Caps) -> Any:
        """The answer about the file whose path is named first.

        Raises:
            DpvizError, Cancelled: as ``Sandbox.run``.
        """
        file = Path(question[0]).stat()
        key = (question[0], file.st_mtime_ns, file.st_size)
        if failure := self._died.get(key):
            raise WorkEnded(failure)
        try:
            return self._pool.run(question, progress, caps)
        except WorkEnded as error:
            if self._remembers:
                self._died.put(key, str(error))
            raise


_features = Readers(f"{__name__}:write_features")
_public = Readers(f"{__name__}:write_public")
_pictures = Readers(f"{__name__}:sort_pictures")


def features(
    path: Path, progress: Progress | None = None, classes: tuple[str, ...] = ()
) -> Dataset:
    """As ``uploaded_features.read_npz`` of an upload.

    Raises:
        DpvizError: as there, and if reading it took too much.
        Cancelled: if ``progress`` asked for it.
    """
    if sandbox.is_sandbox():
        return uploaded_features.read_npz(path, path.name, classes)
    return Dataset(**_fields(_features, path, progress, classes))


def public_features(path: Path, progress: Progress | None = None) -> PublicFeatures:
    """As ``public_features.read`` of an upload.

    Raises:
        DpvizError, Cancelled: as ``features``.
    """
    if sandbox.is_sandbox():
        return public_reader.read(path, path.name)
    return PublicFeatures(**({"y": None} | _fields(_public, path, progress)))


def _fields(
    readers: Readers, path: Path, progress: Progress | None, *arguments: Any
) -> dict[str, Any]:
    """The fields of what a process reads, its arrays among them."""
    report = progress or (lambda stage, completed, total: None)
    with scratch.folder(path.parent) as folder:
        answer: dict[str, Any] = readers.ask((str(path), str(folder), *arguments), report, FEATURES)
        return answer | {file.stem: _array(file) for file in folder.glob("*.npy")}


def pictures(
    path: Path,
    clean: Path,
    progress: Progress,
    max_bytes: int | None = None,
    admit: Callable[[int], AbstractContextManager[None]] = lambda size: nullcontext(),
) -> Sorted:
    """As ``uploaded_pictures.sort_upload``.

    Args:
        path, clean, progress, max_bytes: as there.
        admit: called with the bytes of the result; may refuse to keep them.

    Raises:
        DpvizError: as there, and if reading it took too much.
        Cancelled: if ``progress`` asked for it.
    """
    with scratch.folder(clean.parent) as folder:
        target = folder / clean.name
        answer = _pictures.ask((str(path), str(target), max_bytes), progress, PICTURES)
        with admit(target.stat().st_size):
            os.replace(target, clean)
    return answer


def _array(path: Path) -> np.ndarray:
    array = np.load(path, allow_pickle=False)
    array.setflags(write=False)
    return array


# ------------------------------------------------------------------------------- inside the process


def write_features(
    question: tuple[str, str, tuple[str, ...]], progress: Progress
) -> dict[str, Any]:
    """Check a file of features, write the arrays of its data set to a folder and give the rest."""
    path, folder = map(Path, question[:2])
    progress("Reading features", 0, 0)
    return _write(uploaded_features.read_npz(path, path.name, question[2]), folder)


def write_public(question: tuple[str, str], progress: Progress) -> dict[str, Any]:
    """The same of a file of public features."""
    path, folder = map(Path, question)
    progress("Reading public features", 0, 0)
    return _write(public_reader.read(path, path.name), folder)


def _write(data: Dataset | PublicFeatures, folder: Path) -> dict[str, Any]:
    fields = {field.name: getattr(data, field.name) for field in dataclasses.fields(data)}
    arrays = {name: value for name, value in fields.items() if isinstance(value, np.ndarray)}
    for name, array in arrays.items():
        array_files.write_plain(folder / f"{name}.npy", array)
    return {name: value for name, value in fields.items() if name not in arrays}


def sort_pictures(question: tuple[str, str, int | None], progress: Progress) -> Sorted:
    """``uploaded_pictures.sort_upload``."""
    path, clean, max_bytes = question
    return uploaded_pictures.sort_upload(Path(path), Path(clean), progress, max_bytes)
