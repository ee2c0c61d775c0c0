"""Sweeps started from a page, each in a separate process that outlives the page."""

from __future__ import annotations

import dataclasses
import re
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path

from dpviz.data import DATASETS, synthetic, uploads
from dpviz.encoders import availability
from dpviz.experiments import sweep_files
from dpviz.experiments.sweep_files import Status
from dpviz.machine import public_mode
from dpviz.machine.fair_queue import FairQueue
from dpviz.machine.files import write_atomic
from dpviz.types import Cancelled, DpvizError, RunSpec

#: Largest number of cells, and of characters, of a sweep from a page.
MAX_CELLS = 5_000
MAX_CHARACTERS = 20_000
#: Largest number of unfinished sweeps, of one visitor and of all.
MAX_UNFINISHED, MAX_UNFINISHED_IN_ALL = 3, 100
#: Sweeps that run at once; each may use all cores.
MAX_RUNNING = 1
QUEUE = FairQueue(MAX_RUNNING)
IsOwner = Callable[[str], bool]


def begin(content: bytes, name: str, visitor: str) -> str:
    """Start or enqueue a sweep; return its key.

    Args:
        content: TOML text; name: of the file; visitor: owner.

    Raises:
        DpvizError: For an invalid or too large sweep, data that are not allowed, too many
            unfinished sweeps, and in public mode.
    """
    public_mode.refuse("sweeps")
    text = _decoded(content)
    for spec in {
        (s.dataset, s.encoder): s
        for s in sweep_files.parse(text, "The sweep", MAX_CELLS, Counter())
    }.values():
        _allow(spec)
    key, now = sweep_files.key(text, visitor), time.time()
    _free_slots(key, visitor)
    place = sweep_files.folder() / f"{key}.toml"
    write_atomic(place, lambda file: file.write(text.encode()))
    place.with_suffix(".stop").unlink(missing_ok=True)
    title = re.sub(r"\.toml$", "", Path(name).name)[:60] or "pasted"
    scheduler = "dashboard"
    status = Status(key, title, text, scheduler, "running", started=now, beat=now, owner=visitor)
    sweep_files.keep(status)
    threading.Thread(target=_wait_and_run, args=(status, place), daemon=True).start()
    return key


def _free_slots(key: str, visitor: str) -> None:
    live = [
        status
        for status in sweep_files.statuses()
        if status.owner and status.current_state == "running"
    ]
    if any(status.key == key for status in live):
        raise DpvizError("This sweep is already running or waiting.")
    if sum(status.owner == visitor for status in live) >= MAX_UNFINISHED:
        raise DpvizError(
            f"Limit of {MAX_UNFINISHED} unfinished sweeps per visitor reached. Wait for one to"
            " finish, or stop one."
        )
    if len(live) >= MAX_UNFINISHED_IN_ALL:
        raise DpvizError(
            f"Limit of {MAX_UNFINISHED_IN_ALL} unfinished sweeps on this server reached. Try again"
            " later."
        )


def _wait_and_run(status: Status, place: Path) -> None:
    """Run the process of a sweep once a slot is free."""
    last_write = status.beat

    def progress(stage: str, done: int, total: int) -> None:
        nonlocal last_write
        if place.with_suffix(".stop").exists():
            raise Cancelled
        if time.time() - last_write > sweep_files.BEAT:
            last_write = time.time()
            with suppress(DpvizError):  # a full disk may have space again later
                sweep_files.keep(dataclasses.replace(status, stage=stage, beat=last_write))

    try:
        with QUEUE.slot(progress, lambda: {status.owner}):
            _started(status, place).wait()
    except Cancelled:
        with suppress(DpvizError, OSError):
            sweep_files.keep(dataclasses.replace(status, state="stopped", beat=time.time()))
            place.with_suffix(".stop").unlink(missing_ok=True)


def _decoded(content: bytes) -> str:
    try:
        text = content.decode() if len(content) <= MAX_CHARACTERS else ""
    except UnicodeDecodeError:
        text = ""
    if not text:
        raise DpvizError(
            f"The file must be UTF-8 text of at most {MAX_CHARACTERS:,} characters. Run longer"
            " sweeps with `dpviz sweep`."
        )
    return text


def _allow(spec: RunSpec) -> None:
    """Refuse data and encoders other than listed data sets, uploads and available encoders."""
    upload_name = re.fullmatch(rf"{uploads.PREFIX}[0-9a-f]{{20}}", Path(spec.dataset).stem)
    upload = upload_name and spec.dataset == uploads.display_path(uploads.path(upload_name[0]))
    if not (spec.dataset in DATASETS or upload or synthetic.is_synthetic(spec.dataset)):
        raise DpvizError(
            f"Data set {spec.dataset!r} is not available on this page. Use one of the list, or run"
            " `dpviz sweep`."
        )
    if spec.encoder is not None and (reason := availability.refusal(spec.encoder)):
        raise DpvizError(f"Encoder {spec.encoder!r} is not available. {reason}")


def _started(status: Status, place: Path) -> subprocess.Popen:
    command = [sys.executable, "-m", "dpviz", "sweep", str(place), "--owner", status.owner]
    command += ["--out", str(place.with_suffix(".csv")), "--name", status.name]
    with open(place.with_suffix(".err"), "wb") as log:
        return subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
        )


# --------------------------------------------------------------------------------- whose they are


def visible_to(
    is_owner: IsOwner, linked: str | None, known_uploads: Collection[str]
) -> list[Status]:
    """Return the sweeps that a visitor may see, latest first.

    These are own sweeps, the linked sweep, and sweeps of the command line without unknown uploads.

    Args:
        is_owner: whether an owner is this visitor; linked: key in the link; known_uploads: uploads
            that the visitor may use.
    """
    return [
        status
        for status in sweep_files.statuses()
        if is_owner(status.owner)
        or status.key == linked
        or (
            not status.owner
            and {m[0] for m in uploads.NAME.finditer(status.text)} <= set(known_uploads)
        )
    ]


def may_end(status: Status | None, is_owner: IsOwner) -> bool:
    """Return whether this visitor started a sweep on the page and may end it."""
    return status is not None and bool(status.owner) and is_owner(status.owner)


def stop(key: str, is_owner: IsOwner) -> None:
    """Stop a sweep if this visitor owns it."""
    if may_end(sweep_files.load(key), is_owner):
        sweep_files.ask_to_stop(key)


def forget(key: str, is_owner: IsOwner) -> None:
    """Delete a finished sweep if this visitor owns it."""
    status = sweep_files.load(key)
    if status and status.current_state != "running" and may_end(status, is_owner):
        sweep_files.forget(key)
