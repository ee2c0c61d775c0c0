"""Files from their source, with progress, checked before anything opens them; a kill leaves none
half done.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tarfile
import tempfile
import urllib.error
import urllib.request
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from dpviz.data.feature_cache import paced
from dpviz.data.source import Archive, Progress
from dpviz.machine.files import cache_dir, write_atomic
from dpviz.types import DpvizError

CHUNK = 2**20
PATIENCE = 30
"""Seconds without a byte before a source counts as out of reach."""
PACKED = (".tar.gz", ".tgz", ".tar", ".zip")


def data_dir() -> Path:
    """The folder for data sets: ``$DPVIZ_DATA``, or ``cache/data``."""
    return Path(os.environ.get("DPVIZ_DATA") or cache_dir() / "data")


def fetch(
    title: str, home: Path, archives: Sequence[Archive], get: str, progress: Progress | None = None
) -> None:
    """Download, check and unpack the files of a set; a file already there is checked and used.

    Args:
        title: of the set; home: its folder; archives: its files; get: what to do without a network.
        progress: called with (what, MiB done, MiB in all); may raise ``Cancelled``.

    Raises:
        DpvizError: if a file cannot be had or is not the published one.
    """
    for archive in archives:
        folder = home / archive.into
        path = folder / archive.name
        folder.mkdir(parents=True, exist_ok=True)
        if not path.exists() and (home / archive.name).exists():
            (home / archive.name).rename(path)  # put there by hand
        if not path.exists():
            try:
                _download(archive, path, f"Downloading {title}, MiB", progress)
            except (urllib.error.URLError, OSError, ValueError) as error:
                reason = getattr(error, "reason", None) or getattr(error, "strerror", None) or error
                raise DpvizError(
                    f"{archive.name} of {title} could not be downloaded ({reason}): {get}"
                ) from None
        check(path, archive, progress)
        if archive.name.endswith(PACKED):
            _unpack(path, folder, title)


def check(path: Path, archive: Archive, progress: Progress | None = None) -> None:
    """Refuse a file that is not the published one.

    Raises:
        DpvizError: if its md5 differs.
    """
    digest, done, size = hashlib.md5(usedforsecurity=False), 0, path.stat().st_size
    with path.open("rb") as file:
        while block := file.read(16 * CHUNK):
            digest.update(block)
            done += len(block)
            if progress:
                progress(f"Checking {archive.name}, MiB", done >> 20, size >> 20)
    if digest.hexdigest() != archive.md5:
        raise DpvizError(
            f"{path} is not the published file (md5 {digest.hexdigest()}, not {archive.md5});"
            " delete it and try again."
        )


def _download(archive: Archive, path: Path, what: str, progress: Progress | None) -> None:
    request = urllib.request.Request(archive.url, headers={"User-Agent": "dpviz"})
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        size = int(answer.headers.get("Content-Length") or 0)
        report = paced(what, progress) if progress else None

        def put(file: IO[bytes]) -> None:
            done = 0
            while block := answer.read(CHUNK):
                file.write(block)
                done += len(block)
                if report:
                    report(done >> 20, max(size, done) >> 20)
            if size and done != size:
                raise OSError(f"it broke off after {done} of {size} bytes")

        write_atomic(path, put)


def _unpack(path: Path, folder: Path, title: str) -> None:
    """Unpack beside, then move into place: a folder is there whole or not at all."""
    with tempfile.TemporaryDirectory(dir=folder, prefix=".unpacking-") as beside:
        try:
            shutil.unpack_archive(path, beside, filter=None if path.suffix == ".zip" else "data")
        except (shutil.ReadError, tarfile.TarError, zipfile.BadZipFile, OSError, EOFError) as error:
            raise DpvizError(
                f"{path.name} of {title} cannot be unpacked ({error}); delete it and try again."
            ) from None
        for found in sorted(Path(beside).iterdir()):
            if not (folder / found.name).exists():
                found.rename(folder / found.name)
    path.unlink()
