"""The SQLite file that holds results: opened for each use, put aside where it is damaged."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from dpviz.machine import notes
from dpviz.machine.files import cache_dir, put_aside
from dpviz.types import DpvizError

NAME = "results.sqlite"
PARTS = ("-wal", "-shm", "")
"""Endings of SQLite's files, the log first: a new store must not find that of an old one."""
PATIENCE, REST = 5.0, 30.0
"""Seconds to wait for a lock; seconds after that in which nobody waits again."""
LOCKED = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL}
UNUSABLE = {
    *(sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOLFS),
    *(sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_INTERRUPT),
}
"""SQLite's codes where the place is at fault; all others tell of the file."""

Use = Callable[[sqlite3.Connection], Any]
_rest = {"until": 0.0}


def using(work: Use, reading: bool = False) -> Any:
    """What ``work`` gives of the store; a damaged one is put aside, and it is tried once more.

    Args:
        reading: nothing is written, so that a store that cannot be written will do.

    Raises:
        DpvizError: where the store is locked, full or cannot be opened.
    """
    path = cache_dir() / NAME
    opened = _inode(path)
    try:
        return _used(path, work, reading)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        if not _damaged(error, path):
            raise _unusable(error, path) from error
    if _inode(path) == opened:  # else another process has put it aside
        kept = put_aside(path, PARTS)
        notes.tell(
            "The store of results was damaged, or not one of dpviz: what it held is computed anew."
            f" It was put aside as {kept}."
        )
    try:
        return _used(path, work, reading)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise _unusable(error, path) from error


def _used(path: Path, work: Use, reading: bool) -> Any:
    try:
        with closing(_open(path)) as connection, connection:
            return work(connection)
    except sqlite3.OperationalError:
        if not reading or not path.is_file() or _writable(path):
            raise
    # nobody writes here, so that no lock is needed, which could not be written either
    with closing(sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True)) as connection:
        connection.text_factory = bytes
        return work(connection)


def _open(path: Path) -> sqlite3.Connection:
    patience = 0.0 if time.monotonic() < _rest["until"] else PATIENCE
    connection = sqlite3.connect(path, timeout=patience)
    connection.text_factory = bytes  # damaged text does not decode
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(
            "CREATE TABLE IF NOT EXISTS results (key TEXT PRIMARY KEY, value TEXT NOT NULL)"
        )
    except BaseException:
        connection.close()
        raise
    return connection


def _damaged(error: Exception, path: Path) -> bool:
    """Whether the file is at fault, and can be put aside."""
    return _kind(error) not in LOCKED | UNUSABLE and _writable(path)


def _unusable(error: Exception, path: Path) -> DpvizError:
    if _kind(error) in LOCKED:
        _rest["until"] = time.monotonic() + REST
        return DpvizError(
            "Another program has locked the store of results; wait until it is done, or set"
            f" DPVIZ_CACHE to another folder. The store is {path}."
        )
    return DpvizError(
        f"Cannot use the store of results at {path} ({error}); free space or allow writing there,"
        " or set DPVIZ_CACHE to another folder."
    )


def _kind(error: Exception) -> int:
    """SQLite's primary code of an error; one that cannot even quote the file tells of damage."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF


def _writable(path: Path) -> bool:
    return all(os.access(place, os.W_OK) for place in (path, path.parent) if place.exists())


def _inode(path: Path) -> int | None:
    return path.stat().st_ino if path.exists() else None
