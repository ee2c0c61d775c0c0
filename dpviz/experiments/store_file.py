"""SQLite file of results: opened for each use, moved away if damaged."""

from __future__ import annotations

import math
import os
import random
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from dpviz.machine import notes
from dpviz.machine.files import cache_dir, set_aside_damaged
from dpviz.types import DpvizError

FILE_NAME = "results.sqlite"
#: Suffixes of SQLite's files, the log first: a new store must not find an old log.
PARTS = ("-wal", "-shm", "")
LOCK_WAIT, MAX_TOTAL_WAIT, WAIT_RESET = 0.3, 0.6, 30.0
"""Seconds to wait for a lock; total seconds of failed waits of a process, for reading and for
writing; seconds until this total is reset. A successful wait also resets the total.

A store that stays locked delays a page by about one second. A transaction takes milliseconds, and
readers never wait for it (WAL). A failed writer tries again with its next results and at the end
(``store.keeping``). Sweeps of the command line wait longer (``waiting_longer``).
"""
LOCKED = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL}
UNUSABLE = {
    *(sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOLFS),
    *(sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_INTERRUPT),
}
"""SQLite codes for a problem of the place; all other codes mean a damaged file."""

Use = Callable[[sqlite3.Connection], Any]
_waits = {reading: {"left": math.inf, "at": -math.inf} for reading in (True, False)}


class Locked(DpvizError):
    """Another process holds the lock of the store."""


@contextmanager
def waiting_longer() -> Iterator[None]:
    """Let this process wait longer for locks in the block: no page waits for it."""
    global LOCK_WAIT, MAX_TOTAL_WAIT
    previous = LOCK_WAIT, MAX_TOTAL_WAIT
    LOCK_WAIT, MAX_TOTAL_WAIT = 10.0, 30.0
    try:
        yield
    finally:
        LOCK_WAIT, MAX_TOTAL_WAIT = previous


def size() -> int:
    """Return the bytes of the store on disk."""
    paths = [cache_dir() / f"{FILE_NAME}{suffix}" for suffix in PARTS]
    return sum(path.stat().st_size for path in paths if path.exists())


def using(work: Use, reading: bool = False) -> Any:
    """Return ``work(connection)``; move a damaged store away and try once more.

    Args:
        reading: whether ``work`` only reads, so that a read-only store is sufficient.

    Raises:
        Locked: If another process holds the lock.
        DpvizError: If the store is full or cannot be opened.
    """
    path, now, waits = cache_dir() / FILE_NAME, time.monotonic(), _waits[reading]
    remaining = (
        MAX_TOTAL_WAIT if now - waits["at"] > WAIT_RESET else min(waits["left"], MAX_TOTAL_WAIT)
    )
    until = now + min(LOCK_WAIT, remaining)
    while True:
        try:
            result = _attempt(path, work, reading, until)
        except Locked:  # SQLite does not wait where another process opens or closes the log
            end = time.monotonic()
            if end >= until:
                waits.update(left=max(0.0, remaining - (end - now)), at=end)
                raise
            time.sleep(random.uniform(0.001, 0.02))
        else:
            waits["left"] = math.inf
            return result


def _attempt(path: Path, work: Use, reading: bool, until: float) -> Any:
    inode = _inode(path)
    try:
        return _run_on_store(path, work, reading, until)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        if not _damaged(error, path):
            raise _unusable(error, path) from error
    if _inode(path) == inode:  # else another process has moved it away
        damaged = set_aside_damaged(path, PARTS)
        notes.publish(
            "The result store was damaged, so its results are recomputed. The damaged file was"
            f" moved to {damaged}."
        )
    try:
        return _run_on_store(path, work, reading, until)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise _unusable(error, path) from error


def _run_on_store(path: Path, work: Use, reading: bool, until: float) -> Any:
    try:
        with closing(_open(path, until)) as connection, connection:
            return work(connection)
    except sqlite3.OperationalError:
        if not reading or not path.is_file() or _writable(path):
            raise
    # a read-only place has no writers, so no lock is necessary or possible
    with closing(sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True)) as connection:
        connection.text_factory = bytes
        return work(connection)


def _open(path: Path, until: float) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=max(0.0, until - time.monotonic()))
    connection.text_factory = bytes  # damaged text does not decode
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        # a crash of the machine may lose the last results, which are then recomputed; transactions
        # without a sync are short, so others rarely wait
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute(
            "CREATE TABLE IF NOT EXISTS results (key TEXT PRIMARY KEY, value TEXT NOT NULL)"
        )
    except BaseException:
        connection.close()
        raise
    return connection


def _damaged(error: Exception, path: Path) -> bool:
    """Return whether the file is damaged and can be moved away."""
    return _kind(error) not in LOCKED | UNUSABLE and _writable(path)


def _unusable(error: Exception, path: Path) -> DpvizError:
    if _kind(error) in LOCKED:
        return Locked(
            f"Another program has locked the result store {path}. Wait until it has finished, or"
            " set DPVIZ_CACHE to another folder."
        )
    return DpvizError(
        f"Cannot use the result store {path} ({error}). Free disk space, allow writing, or set"
        " DPVIZ_CACHE to a writable folder."
    )


def _kind(error: Exception) -> int:
    """Return the primary SQLite code of an error; other errors count as damage."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF


def _writable(path: Path) -> bool:
    return all(os.access(place, os.W_OK) for place in (path, path.parent) if place.exists())


def _inode(path: Path) -> int | None:
    return path.stat().st_ino if path.exists() else None
