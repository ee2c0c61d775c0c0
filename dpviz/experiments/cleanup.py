"""Files of visitors in the cache folder and their deletion: ``OWNED`` declares all kinds."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from dpviz.data import uploads
from dpviz.experiments import sweep_files, tuning
from dpviz.machine import ownership, scratch
from dpviz.machine.files import cache_dir
from dpviz.machine.ownership import DAY, DAYS, Ownership
from dpviz.types import DpvizError

#: Studies of one visitor; the oldest are deleted first.
MAX_STUDIES = 30
#: Sweeps, and studies, of all visitors; the oldest of the visitor with most are deleted first.
MAX_IN_ALL = 500
#: Seconds between two cleanups.
INTERVAL = 3600.0
#: Prefix of studies among the items that a visitor owns.
STUDY = "study-"
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class OwnedFiles:
    """One kind of files that visitors own.

    Attributes:
        folder: where they are; evict: deletes what is above the limits of all visitors together;
        leftovers: unfinished files and files without an owner: a glob pattern, the days after the
            last write, and a condition.
    """

    folder: Callable[[], Path]
    evict: Callable[[], None]
    leftovers: tuple[tuple[str, float, Callable[[Path], bool]], ...]


# ------------------------------------------------------------------------------------------ studies


def keep_study(search: tuning.Search, visitors: Iterable[str]) -> None:
    """Record that visitors own a study, and keep at most ``MAX_STUDIES`` of each visitor."""
    for visitor in visitors:
        with suppress(DpvizError):
            ownership.add(visitor, STUDY + tuning.place(search).stem)
        entries = [entry for entry in _studies() if entry.owner == visitor]
        for entry in entries[MAX_STUDIES:]:
            _forget_study(entry)


def _study_folder() -> Path:
    return cache_dir() / "tuning"


def _studies() -> list[Ownership]:
    return [entry for entry in ownership.entries() if entry.item.startswith(STUDY)]


def _forget_study(entry: Ownership) -> None:
    ownership.remove(entry.owner, entry.item)
    if not ownership.owners(entry.item):
        for path in _study_folder().glob(f"{entry.item.removeprefix(STUDY)}.*"):
            path.unlink(missing_ok=True)


def _evict_studies() -> None:
    entries = _studies()
    for entry in ownership.excess(MAX_IN_ALL, entries, {e.item: 1 for e in entries}):
        _forget_study(entry)


# ------------------------------------------------------------------------------ sweeps and uploads


def _evict_sweeps() -> None:
    """Delete finished sweeps; their status files name the owner and the last use."""
    finished = [s for s in sweep_files.statuses() if s.owner and s.current_state != "running"]
    entries = [Ownership(status.owner, status.key, status.beat) for status in finished]
    too_many = ownership.excess(MAX_IN_ALL, entries, {e.item: 1 for e in entries})
    expired = [entry for entry in entries if time.time() - entry.last_use > DAYS * DAY]
    for entry in (*too_many, *expired):
        sweep_files.forget(entry.item)


def _evict_uploads() -> None:
    for name in uploads.without_pictures():
        uploads.delete(name)
    uploads.evict()


# ---------------------------------------------------------------------------------------- the table

_always = lambda path: True

OWNED = (
    # Owners: ownership files. Per visitor: ``uploads.MAX_UPLOADS`` files of
    # ``uploads.MAX_UPLOAD_BYTES``; more are refused. For all: ``uploads.TOTAL`` bytes.
    OwnedFiles(
        uploads.folder,
        _evict_uploads,
        (
            ("*", DAYS, lambda path: path.name.partition(".")[0] not in ownership.items_of()),
            ("*.unsorted", 1, _always),
        ),
    ),
    # Owners: ownership files. Per visitor: ``MAX_STUDIES``. For all: ``MAX_IN_ALL``.
    OwnedFiles(_study_folder, _evict_studies, (("*", DAYS, _always),)),
    # Owners: status files. Per visitor: ``sweep_files.MAX_SWEEPS``. For all: ``MAX_IN_ALL``.
    OwnedFiles(
        sweep_files.folder,
        _evict_sweeps,
        (("*", 1, lambda path: not path.with_suffix(".json").exists()),),
    ),
)


def run_forever() -> None:
    """Clean up every hour."""
    while True:
        try:
            clean_up()
        except Exception:
            log.exception("cleanup of the cache folder failed")
        time.sleep(INTERVAL)


def clean_up() -> None:
    """Delete items unused for ``DAYS``, leftovers, and items above the limits."""
    for item in ownership.remove_expired():
        if uploads.NAME.fullmatch(item):
            uploads.delete(item)
    for files in OWNED:
        for pattern, days, is_leftover in files.leftovers:
            for path in _older(files.folder(), pattern, days):
                if is_leftover(path):
                    path.unlink(missing_ok=True)
        files.evict()
        scratch.sweep(files.folder())
    for path in _older(ownership.folder(), "*/.*", 1):
        path.unlink(missing_ok=True)


def _older(folder: Path, pattern: str, days: float) -> Iterator[Path]:
    """Yield the files that were last written more than so many days ago."""
    for path in folder.glob(pattern):
        with suppress(OSError):
            if path.is_file() and time.time() - path.stat().st_mtime > days * DAY:
                yield path
