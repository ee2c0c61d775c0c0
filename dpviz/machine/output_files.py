"""Files that options of a command name: checked before the work, written after it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from dpviz.formatting import printable
from dpviz.machine.files import is_stream, replace, temporary
from dpviz.types import DpvizError

OUT = "--out"
"""Option that names a file, unless another is stated."""


def check_place(path: Path, *read: Path) -> None:
    """Refuse, before anything is computed, a place where no file can be written.

    A symbolic link is refused: a rename would replace it, and in a shared folder it may be another
    user's.

    Args:
        read: files that the command reads, which must not be overwritten.

    Raises:
        DpvizError: for a folder, socket, block device or symbolic link, a name that no file can
            have, a missing folder, a folder or file that cannot be written, or a file that is read.
    """
    _check_name(path)
    if is_stream(path):
        return
    if any(_same_file(path, file) for file in read):
        raise DpvizError(f"{str(path)!r} is an input of this command. Give --out another name.")
    if path.is_symlink():
        raise DpvizError(f"{str(path)!r} is a symbolic link. Give --out its target.")
    try:
        if path.exists():
            path.open("ab").close()
        name = temporary(path)
        name.open("xb").close()
        name.unlink()
    except OSError as error:
        raise _unwritable(path, error) from error


def write(path: Path, content: bytes) -> None:
    """Write all of a file or nothing. A new file has the mode that the umask sets, an existing one
    keeps its own.

    Raises:
        DpvizError: if the place cannot be written to, or nothing reads from the pipe.
    """

    def put(file: IO[bytes]) -> None:
        if path.is_file() and not is_stream(path):
            Path(file.name).chmod(path.stat().st_mode & 0o777)
        file.write(content)

    try:
        replace(path, put)
    except OSError as error:
        raise _unwritable(path, error) from error


@contextmanager
def new_file(path: Path, option: str = OUT) -> Iterator[IO[bytes]]:
    """Create a file that does not exist yet, and open it for writing. On failure, delete it.

    Of several callers with one path, one gets the file, and the others fail before their work.

    Args:
        option: that names the path, for messages.

    Raises:
        DpvizError: if the path exists, or cannot be written to.
    """
    _check_name(path, option)
    try:
        handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
    except FileExistsError as error:
        raise DpvizError(_is_taken(path, option)) from error
    except (OSError, ValueError) as error:
        raise _unwritable(path, error, option) from error
    own = os.fstat(handle).st_ino
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(handle)
    except BaseException as error:
        with suppress(OSError):
            if path.lstat().st_ino == own:
                path.unlink()
        if isinstance(error, OSError):
            raise _unwritable(path, error, option) from error
        raise


def _check_name(path: Path, option: str = OUT) -> None:
    try:
        folder, inside = path.is_dir() or not path.name, path.parent.is_dir()
        if inside and not folder:
            path.lstat()
    except FileNotFoundError:
        return
    except PermissionError as error:
        raise _unwritable(path, error, option) from error
    except (OSError, ValueError) as error:
        raise DpvizError(
            f"{str(path)!a} is not a valid file name. Give {option} another name."
        ) from error
    if folder:
        raise DpvizError(f"{str(path)!r} is a folder. Give {option} the name of a file.")
    if not inside:
        raise DpvizError(f"Folder {str(path.parent)!r} does not exist. Create it first.")


def _same_file(path: Path, target: Path) -> bool:
    try:
        return path.samefile(target)
    except (OSError, ValueError):
        return False


def _is_taken(path: Path, option: str) -> str:
    empty = path.is_file() and not path.stat().st_size
    if empty:
        return (
            f"{str(path)!r} already exists and is empty. Another command is writing it or was"
            f" interrupted. Give {option} a new name."
        )
    return f"{str(path)!r} already exists. Give {option} a new name."


def _unwritable(path: Path, error: Exception, option: str = OUT) -> DpvizError:
    reason = getattr(error, "strerror", None) or error
    return DpvizError(
        f"Cannot write to {printable(str(path))} ({reason}). Give {option} another name."
    )
