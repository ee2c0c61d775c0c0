"""Which visitor holds which things in the cache folder, as files ``visitors/<who>/<thing>`` whose
time is that of the last use, and in which stands what the visitor calls the thing.

Such a file is made and deleted at once and whole, so that no lock is needed and no kill leaves
half a list. One thing may have several holders: who uploads what is there already holds it as well.
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
"""Days without a use after which what a visitor holds is let go."""
DAY = 86_400.0


class Holding(NamedTuple):
    """A thing that a visitor holds, and when it was last used, in seconds since 1970."""

    who: str
    what: str
    used: float


def folder() -> Path:
    """Where it is kept."""
    return cache_dir() / "visitors"


def hold(who: str, what: str, called: str = "") -> None:
    """Note that a visitor holds a thing, and uses it now; whoever has no name, a shell, holds
    nothing.

    Args:
        called: by the visitor, and by nobody else.

    Raises:
        DpvizError: where the cache cannot be written to.
    """
    if who:
        write_atomic(folder() / who / what, lambda file: file.write(called.encode()))


def let_go(who: str, what: str) -> None:
    """The visitor holds it no longer; others may."""
    (folder() / who / what).unlink(missing_ok=True)


def used(what: str) -> None:
    """Note that a thing is used, for all who hold it; not more than once a day."""
    for holding in all_items():
        if holding.what == what and time.time() - holding.used > DAY:
            with suppress(OSError):
                os.utime(folder() / holding.who / what)


def items_of(who: str | None = None) -> list[str]:
    """What a visitor holds, or anybody (None), what was used last first."""
    return list(
        dict.fromkeys(holding.what for holding in all_items() if who in (None, holding.who))
    )


def holders(what: str) -> set[str]:
    """Who holds a thing."""
    return {holding.who for holding in all_items() if holding.what == what}


def called(what: str, who: str) -> str:
    """What a visitor calls a thing; of one who does not hold it, what whoever used it last does."""
    with suppress(OSError, ValueError):  # not held, or damaged
        return (folder() / (who or what) / what).read_text(encoding="utf-8")
    last = next((holding for holding in all_items() if holding.what == what), None)
    return called(what, last.who) if last and last.who != who else ""


def all_items() -> list[Holding]:
    """All that is held, what was used last first."""
    holdings = []
    for path in folder().glob("*/[!.]*"):
        with suppress(OSError):
            holdings.append(Holding(path.parent.name, path.name, path.stat().st_mtime))
    return sorted(holdings, key=lambda holding: (-holding.used, holding.what))


def expired() -> list[str]:
    """Let go of what nobody has used for ``DAYS``; returns the things that nobody holds now."""
    old = [holding for holding in all_items() if time.time() - holding.used > DAYS * DAY]
    for holding in old:
        let_go(holding.who, holding.what)
    for empty in folder().glob("*"):
        with suppress(OSError):
            empty.rmdir()
    remaining = set(items_of())
    return sorted({holding.what for holding in old} - remaining)


def beyond(most: int, held: Iterable[Holding], sizes: Mapping[str, int]) -> list[Holding]:
    """What has to go so that all that is held comes to ``most`` at most: each time what was used
    longest ago of whoever holds most then.

    Args:
        sizes: of the things that count, in any unit; one with several holders counts for each of
            them, and once for all.
    """
    by_owner: dict[str, list[Holding]] = defaultdict(list)
    for holding in sorted(held, key=lambda holding: (-holding.used, holding.what)):
        if holding.what in sizes:
            by_owner[holding.who].append(holding)
    going: list[Holding] = []
    while _whole(by_owner, sizes) > most:
        who = max(
            sorted(by_owner), key=lambda w: sum(sizes[holding.what] for holding in by_owner[w])
        )
        going.append(by_owner[who].pop())
    return going


def _whole(by_owner: Mapping[str, list[Holding]], sizes: Mapping[str, int]) -> int:
    return sum(
        sizes[item]
        for item in {holding.what for holdings in by_owner.values() for holding in holdings}
    )
