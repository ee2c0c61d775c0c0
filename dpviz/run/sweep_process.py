"""A sweep begun from a page, in a process of its own, which outlives whoever began it."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
import time
from pathlib import Path

from dpviz.data import DATASETS, synthetic, uploads
from dpviz.encoders import ENCODERS
from dpviz.machine.files import write_atomic
from dpviz.run import sweep_files
from dpviz.run.sweep_files import Status
from dpviz.types import DpvizError, RunSpec

MOST = 5_000
LETTERS = 20_000
"""Cells and letters of a sweep that may be begun so."""


def begin(content: bytes, name: str) -> str:
    """Begin a sweep; returns its key.

    Args:
        content: its TOML; name: of the file.

    Raises:
        DpvizError: for a bad or too large sweep, data that it may not name, or while another one
            runs.
    """
    text = _decoded(content)
    for spec in {
        (s.dataset, s.encoder): s for s in sweep_files.parse(text, "The sweep", MOST)
    }.values():
        _allow(spec)
    if busy := [s for s in sweep_files.statuses() if s.now == "running"]:
        raise DpvizError(f"The sweep {busy[0].name!r} is running; wait for it or stop it first.")
    key, now = sweep_files.key(text), time.time()
    place = sweep_files.folder() / f"{key}.toml"
    write_atomic(place, lambda file: file.write(text.encode()))
    title = re.sub(r"\.toml$", "", Path(name).name)[:60] or "pasted"
    where = "a process beside the dashboard"
    sweep_files.keep(Status(key, title, text, where, started=now, beat=now))
    _start(place, title)
    return key


def _decoded(content: bytes) -> str:
    try:
        text = content.decode() if len(content) <= LETTERS else ""
    except UnicodeDecodeError:
        text = ""
    if not text:
        raise DpvizError(
            f"The file is not text of at most {LETTERS:,} letters; start a longer sweep from a"
            " shell."
        )
    return text


def _allow(spec: RunSpec) -> None:
    """Only data and encoders of the tables, and uploads by their name: no other file of the
    server.
    """
    own = re.fullmatch(rf"{uploads.PREFIX}[0-9a-f]{{20}}", Path(spec.dataset).stem)
    upload = own and spec.dataset == uploads.shown(uploads.path(own[0]))
    if not (spec.dataset in DATASETS or upload or synthetic.asked(spec.dataset)):
        raise DpvizError(
            f"The data set {spec.dataset!r} is not one that this page offers; name one of its list,"
            " or start the sweep from a shell."
        )
    if spec.encoder is not None and spec.encoder not in ENCODERS:
        raise DpvizError(
            f"The encoder {spec.encoder!r} is not one that this page offers; use one of"
            f" {', '.join(ENCODERS)}."
        )


def _start(place: Path, title: str) -> None:
    command = [sys.executable, "-m", "dpviz", "sweep", str(place)]
    command += ["--out", str(place.with_suffix(".csv")), "--name", title]
    with open(place.with_suffix(".err"), "wb") as log:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
        )
    threading.Thread(target=process.wait, daemon=True).start()
