"""Files from their source over https, with progress, checked before anything opens them; a kill
leaves none half done, and several who ask at once get one download.
"""

from __future__ import annotations

import hashlib
import http.client
import os
import shutil
import tarfile
import tempfile
import urllib.request
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from filelock import FileLock, Timeout

from dpviz.data.feature_cache import paced
from dpviz.data.source import Archive, Progress
from dpviz.machine import public_mode
from dpviz.machine.files import cache_dir, write_atomic
from dpviz.machine.user_files import secure
from dpviz.types import DpvizError

CHUNK = 2**20
PATIENCE = 30
"""Seconds without a byte before a source counts as out of reach."""
BEAT = 0.5
"""Seconds between two looks at whether to stop, while another download of the same set runs."""
PACKED = (".tar.gz", ".tgz", ".tar", ".zip")


def data_dir() -> Path:
    """The folder for data sets: ``$DPVIZ_DATA``, or ``cache/data``."""
    return Path(os.environ.get("DPVIZ_DATA") or cache_dir() / "data")


def fetch(
    title: str,
    home: Path,
    archives: Sequence[Archive],
    get: str,
    progress: Progress | None = None,
    is_complete: Callable[[], bool] = lambda: False,
) -> None:
    """Download, check and unpack the files of a set; a file already there is checked and used.

    Args:
        title: of the set; home: its folder; archives: its files; get: what to do without a network.
        progress: called with (what, MiB done, MiB in all); may raise ``Cancelled``.
        is_complete: asked once no other download of this folder runs, as that may have brought the
            set.

    Raises:
        DpvizError: if a file cannot be had or is not the published one, and in public mode.
    """
    public_mode.refuse("downloads")
    with _locked(title, home, progress):
        for archive in () if is_complete() else archives:
            folder = home / archive.into
            path = folder / archive.name
            folder.mkdir(parents=True, exist_ok=True)
            if not path.exists() and (home / archive.name).exists():
                (home / archive.name).rename(path)  # put there by hand
            if path.exists():
                check(path, archive, progress)
            else:
                try:
                    _download(archive, path, f"Downloading {title}, MiB", progress)
                except _Unreachable as error:
                    raise DpvizError(
                        f"{archive.name} of {title} could not be downloaded ({error}). {get}"
                    ) from None
            if archive.name.endswith(PACKED):
                _unpack(path, folder, title)


@contextmanager
def _locked(title: str, home: Path, progress: Progress | None) -> Iterator[None]:
    """One download of a folder at a time, whichever thread or process asks."""
    lock = FileLock(home.with_name(f".{home.name}.lock"))
    try:
        home.parent.mkdir(parents=True, exist_ok=True)
        while not lock.is_locked:
            try:
                lock.acquire(timeout=BEAT)
            except Timeout:
                if progress:
                    progress(f"Waiting for another download of {title}", 0, 1)
        yield
    except OSError as error:
        raise DpvizError(
            f"{title} cannot be stored in {home} ({error.strerror or error}). Allow writing there,"
            " or set DPVIZ_DATA to another folder."
        ) from None
    finally:
        lock.release()


# ------------------------------------------------------------------------------------------- checks


class Checksums:
    """SHA-256 and, where nothing else is published, md5 of a file as it passes by."""

    def __init__(self) -> None:
        self.sha256, self.md5 = hashlib.sha256(), hashlib.md5(usedforsecurity=False)

    def update(self, block: bytes) -> None:
        self.sha256.update(block)
        self.md5.update(block)


def check(path: Path, archive: Archive, progress: Progress | None = None) -> None:
    """Refuse a file that is not the published one, before anything opens it.

    Raises:
        DpvizError: if its SHA-256 differs; where none is published, if its md5 does, or its SHA-256
            from that of the first file that came.
    """
    checksums, bytes_read, size = Checksums(), 0, path.stat().st_size
    with path.open("rb") as file:
        while block := file.read(16 * CHUNK):
            checksums.update(block)
            bytes_read += len(block)
            if progress:
                progress(f"Checking {archive.name}, MiB", bytes_read >> 20, size >> 20)
    _compare(checksums, archive, path, f"{path} is", "Delete it and try again")


def _compare(checksums: Checksums, archive: Archive, path: Path, subject: str, remedy: str) -> None:
    """Compare with what is published, or with what came first, which is kept beside the file."""
    sha256, md5 = checksums.sha256.hexdigest(), checksums.md5.hexdigest()
    first_sum = path.with_name(f"{path.name}.sha256")
    first = "" if archive.sha256 or not first_sum.exists() else first_sum.read_text().split(" ")[0]
    wrong = (
        f"sha256 {sha256}, not {archive.sha256 or first}"
        if (archive.sha256 or first or sha256) != sha256
        else f"md5 {md5}, not {archive.md5}"
        if not archive.sha256 and md5 != archive.md5
        else ""
    )
    if wrong:
        expected = "the first downloaded file" if first else "the published file"
        raise DpvizError(f"{subject} not {expected} ({wrong}). {remedy}.")
    if not (archive.sha256 or first):
        line = f"{sha256}  {archive.name}\n".encode()
        write_atomic(first_sum, lambda file: file.write(line))


# ----------------------------------------------------------------------------------------- download


class _Unreachable(Exception):
    """What a source or the way to it did; an OSError here would be one of this machine's disk."""


class _NoWayBack(urllib.request.HTTPRedirectHandler):
    """Follows a source to another address, but never to one without https."""

    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str):  # type: ignore[no-untyped-def]
        return super().redirect_request(req, fp, code, msg, headers, secure(newurl))


def _download(archive: Archive, path: Path, label: str, progress: Progress | None) -> None:
    """A file in its place once it is whole and the published one, and not before."""
    report = paced(label, progress, "MiB") if progress else None

    def put(file: IO[bytes]) -> None:
        checksums, bytes_read = Checksums(), 0
        for block, size in _blocks(archive.url):
            file.write(block)
            checksums.update(block)
            bytes_read += len(block)
            if report:
                report(bytes_read >> 20, max(size, bytes_read) >> 20)
        remedy = "The download was deleted. Try again later"
        _compare(checksums, archive, path, f"The download from {archive.url} is", remedy)

    write_atomic(path, put)


def _blocks(url: str) -> Iterator[tuple[bytes, int]]:
    """A source's bytes, and how many it says there are."""
    request = urllib.request.Request(secure(url), headers={"User-Agent": "dpviz"})
    try:
        with urllib.request.build_opener(_NoWayBack).open(request, timeout=PATIENCE) as answer:
            size, bytes_read = int(answer.headers.get("Content-Length") or 0), 0
            while block := answer.read(CHUNK):
                bytes_read += len(block)
                yield block, size
    except (OSError, ValueError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", None) or getattr(error, "strerror", None) or error
        raise _Unreachable(str(reason)) from None
    if size and bytes_read != size:
        raise _Unreachable(f"the download ended after {bytes_read} of {size} bytes")


def _unpack(path: Path, folder: Path, title: str) -> None:
    """Unpack beside, then move into place: a folder is there whole or not at all."""
    with tempfile.TemporaryDirectory(dir=folder, prefix=".unpacking-") as unpacked:
        try:
            _open(path, unpacked)
        except (shutil.ReadError, tarfile.TarError, zipfile.BadZipFile, OSError, EOFError) as error:
            raise DpvizError(
                f"{path.name} of {title} cannot be unpacked ({error}). Delete it and try again."
            ) from None
        for entry in sorted(Path(unpacked).iterdir()):
            if not (folder / entry.name).exists():
                entry.rename(folder / entry.name)
    path.unlink()


def _open(path: Path, folder: str) -> None:
    """Unpack; members of a tar that lead out of the folder, links and devices are refused."""
    if path.suffix == ".zip":
        shutil.unpack_archive(path, folder)
    elif hasattr(tarfile, "data_filter"):
        shutil.unpack_archive(path, folder, filter="data")
    else:  # Python 3.11.0 to 3.11.3
        with tarfile.open(path) as archive:
            archive.extractall(folder, [_inside(member) for member in archive])


def _inside(member: tarfile.TarInfo) -> tarfile.TarInfo:
    path = Path(member.name)
    if path.is_absolute() or ".." in path.parts or not (member.isfile() or member.isdir()):
        raise tarfile.ExtractError(f"{member.name!r} is not a regular file below the folder")
    return member
