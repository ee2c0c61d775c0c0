"""What visitors leave behind in the cache folder, and when it goes."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from dpviz.data import uploads
from dpviz.machine import ownership, scratch
from dpviz.machine.files import cache_dir
from dpviz.machine.ownership import DAY, DAYS, Holding
from dpviz.run import sweep_files, tuning
from dpviz.types import DpvizError

STUDIES = 30
"""Studies kept of one visitor; the oldest go first, as they can be computed again."""
IN_ALL = 500
"""Sweeps, and studies, kept of all visitors; beyond it the oldest of whoever has most goes."""
EVERY = 3600.0
"""Seconds between two rounds."""
_STUDY = "study-"
log = logging.getLogger(__name__)


def keep_study(search: tuning.Search, visitors: Iterable[str]) -> None:
    """Note who has had a study, and keep no more than ``STUDIES`` of each. Where nothing can be
    written no study is kept either.
    """
    for visitor in visitors:
        with suppress(DpvizError):
            ownership.hold(visitor, _STUDY + tuning.place(search).stem)
        for old in _studies(ownership.items_of(visitor))[STUDIES:]:
            _let_go(visitor, old)


def _studies(names: Iterable[str]) -> list[str]:
    return [name for name in names if name.startswith(_STUDY)]


def _let_go(visitor: str, study: str) -> None:
    ownership.let_go(visitor, study)
    if not ownership.holders(study):
        for path in _tuning().glob(f"{study.removeprefix(_STUDY)}.*"):
            path.unlink(missing_ok=True)


def _tuning() -> Path:
    return cache_dir() / "tuning"


# ------------------------------------------------------------------------------------------- rounds


def rounds() -> None:
    """Clear away every hour, for ever."""
    while True:
        try:
            clear_away()
        except Exception:
            log.exception("clearing away what visitors left behind failed")
        time.sleep(EVERY)


def clear_away() -> None:
    """Delete what nobody has used for ``DAYS``, what was broken off, and what is too much."""
    for name in ownership.expired():
        if uploads.NAME.fullmatch(name):
            uploads.delete(name)
    owned = set(ownership.items_of())
    for path in _older(uploads.folder(), "*", DAYS):
        if path.name.partition(".")[0] not in owned:
            path.unlink(missing_ok=True)
    for path in _older(uploads.folder(), "*.unsorted", 1):
        path.unlink(missing_ok=True)
    for name in uploads.without_pictures():
        uploads.delete(name)
    uploads.evict()
    for path in _older(_tuning(), "*", DAYS):
        path.unlink(missing_ok=True)
    names = _studies(ownership.items_of())
    for holding in ownership.beyond(IN_ALL, ownership.all_items(), dict.fromkeys(names, 1)):
        _let_go(holding.who, holding.what)
    _sweeps()
    for folder in (uploads.folder(), _tuning(), sweep_files.folder()):
        scratch.sweep(folder)
    for path in _older(ownership.folder(), "*/.*", 1):
        path.unlink(missing_ok=True)


def _sweeps() -> None:
    finished = [s for s in sweep_files.statuses() if s.owner and s.now != "running"]
    holdings = [Holding(status.owner, status.key, status.beat) for status in finished]
    too_many = ownership.beyond(IN_ALL, holdings, {holding.what: 1 for holding in holdings})
    old = [holding for holding in holdings if time.time() - holding.used > DAYS * DAY]
    for holding in (*too_many, *old):
        sweep_files.forget(holding.what)
    for path in _older(sweep_files.folder(), "*", 1):
        if not path.with_suffix(".json").exists():
            path.unlink(missing_ok=True)


def _older(folder: Path, pattern: str, days: float) -> Iterator[Path]:
    """Files that nobody has written to for so long."""
    for path in folder.glob(pattern):
        with suppress(OSError):
            if path.is_file() and time.time() - path.stat().st_mtime > days * DAY:
                yield path
