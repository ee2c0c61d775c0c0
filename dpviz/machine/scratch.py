"""Temporary folders, removed after use or after a crash of their process."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows, without these locks
    fcntl = None  # type: ignore[assignment]

PREFIX = ".scratch-"
#: Seconds without a write after which a temporary file is abandoned.
STALE_FILE_SECONDS = 60.0
#: Seconds after which a folder is abandoned, on systems without locks.
ABANDONED_FOLDER_SECONDS = 3600.0


@contextmanager
def folder(parent: Path) -> Iterator[Path]:
    """Yield a new folder in ``parent``, locked by this process until its removal.

    Raises:
        OSError: If it cannot be created.
    """
    parent.mkdir(parents=True, exist_ok=True)
    path = Path(tempfile.mkdtemp(dir=parent, prefix=PREFIX))
    lock = _lock(path)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
        if lock is not None:
            os.close(lock)


def sweep(parent: Path) -> None:
    """Remove abandoned folders and temporary files of killed processes in ``parent``."""
    for path in parent.glob(".*"):
        with suppress(OSError):
            age = time.time() - path.stat().st_mtime
            if path.is_file() and age > STALE_FILE_SECONDS:
                path.unlink()
            elif path.name.startswith(PREFIX) and _abandoned(path, age):
                shutil.rmtree(path, ignore_errors=True)


def _lock(place: Path) -> int | None:
    """Return a lock that ends with this process; None on systems without locks."""
    if fcntl is None:
        return None
    handle = os.open(place, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        return None
    return handle


def _abandoned(place: Path, age: float) -> bool:
    handle = _lock(place)
    if handle is not None:
        os.close(handle)
        return True
    return age > ABANDONED_FOLDER_SECONDS
