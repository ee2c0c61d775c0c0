"""Which visitors own which files of the cache folder.

A file ``visitors/<visitor>/<item>`` says that a visitor owns an item. Its time is that of the last
use, and it contains the visitor's name for the item. Such files are written and deleted as a whole,
so that no lock is needed. An item may have several owners: uploads are kept by content.

``run.cleanup.OWNED`` declares which items there are, how many, and when they are deleted.
"""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from dpviz.machine.files import cache_dir, write_atomic

DAYS = 30
"""Days without a use after which a visitor owns an item no longer."""
DAY = 86_400.0


class Ownership(NamedTuple):
    """One owner of one item, and its last use in seconds since 1970."""

    owner: str
    item: str
    last_use: float


def folder() -> Path:
    """Return the folder of ownership files."""
    return cache_dir() / "visitors"


def add(owner: str, item: str, name: str = "") -> None:
    """Note that a visitor owns an item and uses it now; "" is a shell, which owns nothing.

    Args:
        name: the visitor's own name for the item.

    Raises:
        DpvizError: where the cache cannot be written to.
    """
    if owner:
        write_atomic(folder() / owner / item, lambda file: file.write(name.encode()))


def remove(owner: str, item: str) -> None:
    """End one visitor's ownership; other owners stay."""
    (folder() / owner / item).unlink(missing_ok=True)


def touch(item: str) -> None:
    """Note a use of an item for all its owners, at most once a day."""
    for entry in entries():
        if entry.item == item and time.time() - entry.last_use > DAY:
            with suppress(OSError):
                os.utime(folder() / entry.owner / item)


def items_of(owner: str | None = None) -> list[str]:
    """Return the items of a visitor, or of all (None), the last used first."""
    return list(dict.fromkeys(entry.item for entry in entries() if owner in (None, entry.owner)))


def owners(item: str) -> set[str]:
    """Return the owners of an item."""
    return {entry.owner for entry in entries() if entry.item == item}


def name_of(item: str, owner: str) -> str:
    """Return an owner's name for an item; for any other visitor that of its latest user."""
    with suppress(OSError, ValueError):  # not an owner, or damaged
        return (folder() / (owner or item) / item).read_text(encoding="utf-8")
    latest = next((entry for entry in entries() if entry.item == item), None)
    return name_of(item, latest.owner) if latest and latest.owner != owner else ""


def entries() -> list[Ownership]:
    """Return all owners of all items, the last used first."""
    found = []
    for path in folder().glob("*/[!.]*"):
        with suppress(OSError):
            found.append(Ownership(path.parent.name, path.name, path.stat().st_mtime))
    return sorted(found, key=lambda entry: (-entry.last_use, entry.item))


def remove_expired() -> list[str]:
    """Remove what no owner has used for ``DAYS``; return the items that have no owner now."""
    expired = [entry for entry in entries() if time.time() - entry.last_use > DAYS * DAY]
    for entry in expired:
        remove(entry.owner, entry.item)
    for empty in folder().glob("*"):
        with suppress(OSError):
            empty.rmdir()
    remaining = set(items_of())
    return sorted({entry.item for entry in expired} - remaining)


def excess(limit: int, owned: Iterable[Ownership], sizes: Mapping[str, int]) -> list[Ownership]:
    """Return what has to go so that all items together have at most size ``limit``: each time the
    least recently used item of the owner with the largest sum.

    Args:
        sizes: of the items that count, in any unit. An item with several owners counts for each of
            them, and once for all.
    """
    by_owner: dict[str, list[Ownership]] = defaultdict(list)
    for entry in sorted(owned, key=lambda entry: (-entry.last_use, entry.item)):
        if entry.item in sizes:
            by_owner[entry.owner].append(entry)
    size_of = lambda items: sum(sizes[item] for item in items)
    removed: list[Ownership] = []
    while size_of({entry.item for owned in by_owner.values() for entry in owned}) > limit:
        largest = max(sorted(by_owner), key=lambda o: size_of(entry.item for entry in by_owner[o]))
        removed.append(by_owner[largest].pop())
    return removed
