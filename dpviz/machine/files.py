"""Where rebuildable files live, and how they are written so that a kill leaves the old one or the
new one.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from dpviz.types import DpvizError

ROOT = Path(__file__).resolve().parents[2]
"""The checkout, or where packages are installed."""

ASIDE, KEPT_ASIDE = "damaged-", 3
"""What the names of damaged files begin with, and how many are kept of each kind."""

_SEAL = 32


def cache_dir() -> Path:
    """The folder for rebuildable files: ``$DPVIZ_CACHE``, ``cache/`` of a checkout, or that of the
    user where the package is installed.

    Raises:
        DpvizError: where it cannot be made.
    """
    folder = Path(os.environ.get("DPVIZ_CACHE") or _own_cache())
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(folder, error) from error
    return folder


def _own_cache() -> Path:
    if (ROOT / "app.py").is_file():
        return ROOT / "cache"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "dpviz"


def write_atomic(path: Path, write: Callable[[IO[bytes]], object]) -> None:
    """Write ``path`` through a temporary file in the same folder and a rename.

    Args:
        path: final place; its folder is made if missing.
        write: called with the open binary file.

    Raises:
        DpvizError: where the folder cannot be written to, or the disk is full; nothing is left
            behind.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise _unwritable(path.parent, error) from error
    try:
        with os.fdopen(handle, "wb") as file:
            write(file)
        os.replace(name, path)
    except OSError as error:
        Path(name).unlink(missing_ok=True)
        raise _unwritable(path.parent, error) from error
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def write_sealed(path: Path, content: bytes | memoryview) -> None:
    """``write_atomic`` of this content, behind a checksum of it and of where it lies.

    Raises:
        DpvizError: as ``write_atomic``.
    """

    def put(file: IO[bytes]) -> None:
        file.write(_seal(path, content))
        file.write(content)

    write_atomic(path, put)


def read_sealed(path: Path) -> memoryview | None:
    """What was written there by ``write_sealed``; None if it is missing, damaged, or was written to
    another name or folder.
    """
    try:
        content = memoryview(path.read_bytes())
    except OSError:
        return None
    seal, content = content[:_SEAL], content[_SEAL:]
    return content if _seal(path, content) == seal else None


def _seal(path: Path, content: bytes | memoryview) -> bytes:
    # its name and folder's alone: a cache as a whole may be moved
    made = hashlib.sha256(f"{path.parent.name}/{path.name}\n".encode())
    made.update(content)
    return made.digest()


def put_aside(path: Path, parts: Sequence[str] = ("",)) -> Path:
    """Give a damaged file another name beside its own, which is free then; all but the last few of
    its ending are deleted.

    Args:
        parts: endings after its name of what belongs to it, in the order in which they go.

    Returns:
        Where it lies.

    Raises:
        DpvizError: where it cannot be renamed.
    """
    stamp = f"{time.strftime('%Y%m%d-%H%M%S')}-{time.time_ns() % 10**9:09d}"
    kept = path.with_name(f"{ASIDE}{stamp}{path.suffix}")
    try:
        for part in parts:
            with suppress(FileNotFoundError):
                os.replace(f"{path}{part}", f"{kept}{part}")
        for old in sorted(path.parent.glob(f"{ASIDE}*{path.suffix}"))[:-KEPT_ASIDE]:
            for part in parts:
                Path(f"{old}{part}").unlink(missing_ok=True)
    except OSError as error:
        raise _unwritable(path.parent, error) from error
    return kept


def _unwritable(folder: Path, error: OSError) -> DpvizError:
    return DpvizError(
        f"Cannot write to {folder} ({error.strerror or error}); free space or allow writing there, "
        "or set DPVIZ_CACHE to another folder. What is done is kept."
    )
