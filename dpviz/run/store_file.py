"""The SQLite file that holds results: opened for each use, put aside where it is damaged."""

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
PARTS = ("-wal", "-shm", "")
"""Endings of SQLite's files, the log first: a new store must not find that of an old one."""
LOCK_WAIT, MAX_TOTAL_WAIT, WAIT_RESET = 0.3, 0.6, 30.0
"""Seconds to wait for a lock; seconds that a process waits in vain in all, to read and to write
each; seconds after which it may wait again. A wait that was not in vain gives all of MOST back.

The server waits to read, then a worker process to read and to write: a store that stays locked
costs a page about a second. A transaction takes milliseconds, and readers never wait for it (WAL).
A writer that waited in vain tries again with its next results and at the end (``store.keeping``).
Sweeps of the shell wait longer (``waiting_longer``), as no page waits for them.
"""
LOCKED = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL}
UNUSABLE = {
    *(sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOLFS),
    *(sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_INTERRUPT),
}
"""SQLite's codes where the place is at fault; all others tell of the file."""

Use = Callable[[sqlite3.Connection], Any]
_waits = {reading: {"left": math.inf, "at": -math.inf} for reading in (True, False)}


class Locked(DpvizError):
    """Another process holds the lock of the store."""


@contextmanager
def waiting_longer() -> Iterator[None]:
    """Let this process wait longer for locks: a sweep among others, for which no page waits."""
    global LOCK_WAIT, MAX_TOTAL_WAIT
    previous = LOCK_WAIT, MAX_TOTAL_WAIT
    LOCK_WAIT, MAX_TOTAL_WAIT = 10.0, 30.0
    try:
        yield
    finally:
        LOCK_WAIT, MAX_TOTAL_WAIT = previous


def using(work: Use, reading: bool = False) -> Any:
    """What ``work`` gives of the store; a damaged one is put aside, and it is tried once more.

    Args:
        reading: nothing is written, so that a store that cannot be written will do.

    Raises:
        Locked: where another process holds its lock; DpvizError: where it is full or cannot be
            opened.
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
    if _inode(path) == inode:  # else another process has put it aside
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
    # nobody writes here, so that no lock is needed, which could not be written either
    with closing(sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True)) as connection:
        connection.text_factory = bytes
        return work(connection)


def _open(path: Path, until: float) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=max(0.0, until - time.monotonic()))
    connection.text_factory = bytes  # damaged text does not decode
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        # a crash of the machine may lose the last results, which are computed again then; without
        # a sync each time a transaction is short, and others seldom wait for it
        connection.execute("PRAGMA synchronous=NORMAL")
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
        return Locked(
            f"Another program has locked the result store {path}. Wait until it has finished, or"
            " set DPVIZ_CACHE to another folder."
        )
    return DpvizError(
        f"Cannot use the result store {path} ({error}). Free disk space, allow writing, or set"
        " DPVIZ_CACHE to a writable folder."
    )


def _kind(error: Exception) -> int:
    """SQLite's primary code of an error; one that cannot even quote the file tells of damage."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF


def _writable(path: Path) -> bool:
    return all(os.access(place, os.W_OK) for place in (path, path.parent) if place.exists())


def _inode(path: Path) -> int | None:
    return path.stat().st_ino if path.exists() else None
