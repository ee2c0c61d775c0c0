"""Cache folder and atomic file writes: an interrupted write leaves the old or the new file."""

from __future__ import annotations

import errno
import hashlib
import io
import os
import secrets
import stat
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from dpviz.types import DpvizError

ROOT = Path(__file__).resolve().parents[2]
"""The checkout, or where packages are installed."""

DAMAGED_PREFIX, MAX_DAMAGED_FILES = "damaged-", 3
"""What the names of damaged files begin with, and how many are kept of each kind."""

_SEAL_BYTES = 32
_REFUSED_KINDS = {stat.S_IFDIR: "folder", stat.S_IFSOCK: "socket", stat.S_IFBLK: "block device"}


def cache_dir() -> Path:
    """Return the cache folder as an absolute path.

    It is ``$DPVIZ_CACHE``, ``cache/`` of a checkout, or the user's cache of an installed package.

    Raises:
        DpvizError: If it cannot be created.
    """
    folder = Path(os.environ.get("DPVIZ_CACHE") or _own_cache())
    try:
        folder = folder.absolute()
        if not folder.is_dir():
            folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(folder, error) from error
    return folder


def _own_cache() -> Path:
    if (ROOT / "app.py").is_file():
        return ROOT / "cache"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "dpviz"


def write_atomic(path: Path, write: Callable[[IO[bytes]], object]) -> None:
    """Write a file of the cache, readable by its owner alone, as ``replace`` does.

    Args:
        path: final place; its folder is made if missing.
        write: called with the open binary file.

    Raises:
        DpvizError: where the folder cannot be written to, or the disk is full; nothing is left
            behind. For a folder, socket or block device, and a FIFO that nobody reads.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace(path, write, lambda name, flags: os.open(name, flags, 0o600))
    except OSError as error:
        raise _unwritable(path.parent, error) from error


def replace(
    path: Path,
    write: Callable[[IO[bytes]], object],
    opener: Callable[[str, int], int] | None = None,
) -> None:
    """Write ``path`` through a temporary file in the same folder and a rename.

    A character device or a FIFO is written to and stays what it is (``is_stream``).

    Args:
        write: called with the open binary file.
        opener: as of ``open``; the umask sets the mode of the file by default.

    Raises:
        OSError: where the file cannot be written; nothing is left behind.
        DpvizError: for a folder, socket or block device, and a FIFO that nobody reads.
    """
    if is_stream(path):
        _write_to_stream(path, write)
        return
    name = temporary(path)
    with open(name, "xb", opener=opener) as file:
        try:
            write(file)
            file.close()
            os.replace(name, path)
        except BaseException:
            name.unlink(missing_ok=True)
            raise


def temporary(path: Path) -> Path:
    """A new name in the folder of ``path``, short where that of ``path`` is as long as allowed."""
    return path.with_name(f".{secrets.token_hex(8)}")


def is_stream(path: Path) -> bool:
    """Return whether ``path`` is a character device or a FIFO, such as /dev/null or /dev/stdout.

    A rename would replace the device by a file, and /dev/stdout even where it is a file already.

    Raises:
        DpvizError: for a folder, socket or block device.
    """
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return False
    for refused, name in _REFUSED_KINDS.items():
        if stat.S_IFMT(mode) == refused:
            raise DpvizError(f"{str(path)!r} is a {name}. Give the name of a file.")
    if not stat.S_ISREG(mode):
        return True
    return path.is_symlink() and path.absolute().parts[1:2] in {("dev",), ("proc",)}


def _write_to_stream(path: Path, write: Callable[[IO[bytes]], object]) -> None:
    content = io.BytesIO()  # writers may seek, a stream cannot
    write(content)
    try:
        # without O_NONBLOCK a open of a FIFO without a reader would block forever
        handle = os.open(path, os.O_WRONLY | os.O_TRUNC | os.O_NONBLOCK)
        os.set_blocking(handle, True)
        with os.fdopen(handle, "wb") as file:
            file.write(content.getvalue())
    except OSError as error:
        reason = "no reader" if error.errno == errno.ENXIO else error.strerror
        raise DpvizError(f"Cannot write to {path} ({reason}). Give the name of a file.") from error


def write_sealed(path: Path, content: bytes | memoryview) -> None:
    """Write content atomically after a checksum of content and place.

    Raises:
        DpvizError: as ``write_atomic``.
    """

    def put(file: IO[bytes]) -> None:
        file.write(_seal(path, content))
        file.write(content)

    write_atomic(path, put)


def read_sealed(path: Path) -> memoryview | None:
    """Return the content of ``write_sealed``; None if it is missing, damaged or moved."""
    try:
        content = memoryview(path.read_bytes())
    except OSError:
        return None
    seal, content = content[:_SEAL_BYTES], content[_SEAL_BYTES:]
    return content if _seal(path, content) == seal else None


def _seal(path: Path, content: bytes | memoryview) -> bytes:
    # its name and folder's alone: a cache as a whole may be moved
    checksum = hashlib.sha256(f"{path.parent.name}/{path.name}\n".encode())
    checksum.update(content)
    return checksum.digest()


def set_aside_damaged(path: Path, parts: Sequence[str] = ("",)) -> Path:
    """Rename a damaged file in its folder, and delete all but the last few such files.

    Args:
        parts: suffixes of the files that belong to it, in the order of renaming.

    Returns:
        The new path.

    Raises:
        DpvizError: If it cannot be renamed.
    """
    stamp = f"{time.strftime('%Y%m%d-%H%M%S')}-{time.time_ns() % 10**9:09d}"
    damaged = path.with_name(f"{DAMAGED_PREFIX}{stamp}{path.suffix}")
    try:
        for part in parts:
            with suppress(FileNotFoundError):
                os.replace(f"{path}{part}", f"{damaged}{part}")
        for old in sorted(path.parent.glob(f"{DAMAGED_PREFIX}*{path.suffix}"))[:-MAX_DAMAGED_FILES]:
            for part in parts:
                Path(f"{old}{part}").unlink(missing_ok=True)
    except OSError as error:
        raise _unwritable(path.parent, error) from error
    return damaged


def _unwritable(folder: Path, error: OSError) -> DpvizError:
    return DpvizError(
        f"Cannot write to {folder} ({error.strerror or error}). Free disk space, allow writing, or"
        " set DPVIZ_CACHE to a writable folder."
    )
