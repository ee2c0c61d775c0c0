"""Data of one's own: kept under the cache folder by content, so that a link can name it."""

from __future__ import annotations

import hashlib
import re
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path, PureWindowsPath

from dpviz.caches import cached
from dpviz.formatting import printable
from dpviz.machine import ownership, public_mode, scratch
from dpviz.machine.files import cache_dir, write_atomic
from dpviz.types import DpvizError

PREFIX = "own-"
PICTURES = "pictures-"
ENDINGS = {PREFIX: ".npz", PICTURES: ".zip"}
PLACEHOLDER = "YOUR_FILE-sha256-"
REPLACE = (
    "Replace YOUR_FILE… with the path of your file. The name ends with the first digits of its"
    " checksum. To compare: `sha256sum FILE`."
)
MAX_NAME = 60
"""Characters of an upload's own name that are kept."""
NAME = re.compile(rf"({'|'.join(ENDINGS)})[0-9a-f]{{20}}")
MAX_UPLOADS, MAX_UPLOAD_BYTES = 20, 2**30
"""Uploads that one visitor may keep, and their bytes together; one more is refused."""
VIEWER: ContextVar[str] = ContextVar("looks", default="")
"""The visitor for whom something is made: uploads are called as their own files were."""
TOTAL = 10 * 2**30
"""Bytes of all visitors' uploads; beyond it the oldest of whoever keeps most goes."""

_KEEPING = threading.Lock()


def folder() -> Path:
    """Where uploads lie."""
    return cache_dir() / "uploads"


def keep(content: bytes, visitor: str = "", called: str = "") -> str:
    """Store an upload of features; returns the name that a link carries.

    Args:
        visitor: whose it is; nobody's own may be forgotten by nobody.
        called: the file's own name, by which this visitor is shown it.

    Raises:
        DpvizError: where the visitor keeps too much already, or the disk is full.
    """
    name = PREFIX + hashlib.sha256(content).hexdigest()[:20]
    _keep(name, path(name), content, visitor, called)
    return name


def keep_unsorted(content: bytes, visitor: str = "", called: str = "") -> str:
    """Store an upload of pictures until it is sorted, as ``keep``; returns the name that it will
    have then.
    """
    name = PICTURES + hashlib.sha256(content).hexdigest()[:20]
    _keep(name, unsorted(name), content, visitor, called)
    return name


def _keep(name: str, place: Path, content: bytes, visitor: str, called: str) -> None:
    public_mode.refuse("uploads")
    with _KEEPING:
        if visitor:
            _allow(name, len(content), visitor)
        if not path(name).exists():
            write_atomic(place, lambda file: file.write(content))
        ownership.add(visitor, name, own_name(called))
    evict()


def _allow(name: str, added_bytes: int, visitor: str) -> None:
    other_uploads = [upload for upload in held_by(visitor) if upload != name]
    if len(other_uploads) >= MAX_UPLOADS:
        raise DpvizError(
            f"Limit of {MAX_UPLOADS} uploads per visitor reached. Delete an upload on the page"
            " Data first."
        )
    if sum(map(size, other_uploads)) + added_bytes > MAX_UPLOAD_BYTES:
        raise DpvizError(
            f"Limit of {MAX_UPLOAD_BYTES >> 20} MiB of uploads per visitor reached. Delete an"
            " upload on the Data page first."
        )


def remaining_bytes(name: str) -> int | None:
    """Return the bytes that an upload may take, or None where nobody's quota counts.

    Of several who keep it, the one with the most room counts.
    """
    keepers = [owner for owner in ownership.owners(name) if owner]
    if not keepers:
        return None
    return MAX_UPLOAD_BYTES - min(
        sum(size(upload) for upload in held_by(owner) if upload != name) for owner in keepers
    )


@contextmanager
def admitted(name: str, added_bytes: int) -> Iterator[None]:
    """Hold the lock for writing bytes of an upload, if the quota of its owner allows them.

    Raises:
        DpvizError: if it does not, since another upload was kept meanwhile.
    """
    with _KEEPING:
        remaining = remaining_bytes(name)
        if remaining is not None and added_bytes > remaining:
            raise DpvizError(
                f"The images need {added_bytes / 2**20:,.0f} MiB, but your remaining space is"
                f" {max(0, remaining) / 2**20:,.0f} MiB. Delete another upload on the Data page."
            )
        yield


def held_by(visitor: str) -> list[str]:
    """Uploads of a visitor, sorted or not, what was used last first."""
    return [name for name in ownership.items_of(visitor) if NAME.fullmatch(name)]


def size(name: str) -> int:
    """Bytes of an upload and of what lies beside it, features of its pictures among them."""
    total = 0
    for path in (*folder().glob(f"{name}.*"), *features(name).rglob("*")):
        with suppress(OSError):  # gone meanwhile
            total += path.stat().st_size if path.is_file() else 0
    return total


def allow_features(name: str, added_bytes: int) -> None:
    """Refuse features of so many bytes for which nobody who keeps the pictures has room.

    Raises:
        DpvizError: for these.
    """
    keepers = ownership.owners(name)
    if keepers and all(
        sum(map(size, held_by(owner))) + added_bytes > MAX_UPLOAD_BYTES for owner in keepers
    ):
        raise DpvizError(
            f"Features of these images need {added_bytes / 2**20:,.0f} MiB, more than the limit of"
            f" {MAX_UPLOAD_BYTES >> 20} MiB per visitor allows. Delete another upload on the page"
            " Data first."
        )


def evict() -> None:
    """Keep all visitors' uploads within ``TOTAL``."""
    sizes = {name: size(name) for name in filter(NAME.fullmatch, ownership.items_of())}
    for entry in ownership.excess(TOTAL, ownership.entries(), sizes):
        forget(entry.item, entry.owner)


def forget(name: str, visitor: str) -> None:
    """The visitor keeps an upload no longer; it is deleted once nobody does. Another's stays."""
    if visitor in ownership.owners(name):
        ownership.remove(visitor, name)
        if not ownership.owners(name):
            delete(name)


def delete(name: str) -> None:
    """Delete an upload and what was made of it, whoever holds it."""
    shutil.rmtree(features(name), ignore_errors=True)
    for file in folder().glob(f"{name}.*"):
        with suppress(OSError):
            file.unlink(missing_ok=True)


def is_upload(path: Path) -> bool:
    """Whether a file is an upload, brought by a stranger, and none that a shell named."""
    if not path.name.startswith(tuple(ENDINGS)):
        return False
    uploads = folder()
    return path.parent == uploads or path.resolve().parent == uploads.resolve()


def path(name: str) -> Path:
    """The file of a stored upload."""
    return folder() / f"{name}{next(e for p, e in ENDINGS.items() if name.startswith(p))}"


def unsorted(name: str) -> Path:
    """The file of an upload of pictures as it came."""
    return folder() / f"{name}.unsorted"


def exists(name: str) -> bool:
    """Whether an upload is kept, as it came or sorted."""
    return path(name).exists() or unsorted(name).exists()


def features(name: str) -> Path:
    """The folder for features of an upload's pictures, by whatever encoder."""
    return folder() / f"{name}.features"


def features_of(dataset: str) -> Path | None:
    """As ``features``, of a data set's name or path; None for one that is no upload."""
    file = Path(dataset)
    return features(file.stem) if is_upload(file) else None


def without_pictures() -> list[str]:
    """Names of uploads of which features are left, made while their pictures were deleted."""
    return [path.stem for path in folder().glob("*.features") if not exists(path.stem)]


def report(name: str) -> Path:
    """What was used and refused of an upload of pictures."""
    return folder() / f"{name}.json"


def classes(name: str) -> Path:
    """The list of classes that was confirmed for an upload."""
    return folder() / f"{name}.classes.txt"


def pictures(name: str) -> bool:
    """True for an upload of pictures, which needs an encoder; False for features."""
    return name.startswith(PICTURES)


def selectable(owned: list[str], linked: str | None) -> list[str]:
    """Uploads that this person may choose: those they hold, and the one their link names. No list
    of others'.
    """
    _sweep(folder())
    link = [linked] if linked and NAME.fullmatch(linked) else []
    names = [name for name in dict.fromkeys([*owned, *link]) if NAME.fullmatch(name)]
    for name in link:
        ownership.touch(name)
    return [name for name in names if path(name).exists()]


@cached(8)
def _sweep(place: Path) -> None:
    """Once in a server's life: what one that was killed left there."""
    scratch.sweep(place)


def own_name(called: str) -> str:
    """A file's own name as it is kept: no folder, and nothing that does not print."""
    return printable(PureWindowsPath(called).name[:MAX_NAME].strip())[:MAX_NAME]


def title(name: str) -> str:
    """What an upload is called on the page: as ``LOOKS`` does, and what tells it from its like."""
    kind = "pictures" if pictures(name) else "features"
    return f"{ownership.name_of(name, VIEWER.get()) or f'your own {kind}'} ({_code(name)})"


def _code(name: str) -> str:
    return name.partition("-")[2][:6]


def numbered(dataset: str) -> str:
    """As ``named``, for all alike: what is shown to several tells nobody's name of a file."""
    return f"Upload {_code(Path(dataset).stem)}" if is_upload(Path(dataset)) else ""


def display_name(dataset: str) -> str:
    """What an upload is called in a sentence; "" for a data set that is none."""
    given_name = (
        ownership.name_of(Path(dataset).stem, VIEWER.get()) if is_upload(Path(dataset)) else ""
    )
    return given_name or numbered(dataset)


def with_titles(sentence: str) -> str:
    """A sentence in which uploads have their titles in place of their files' names."""
    files = rf"\S*({NAME.pattern})\.\w+"
    return re.sub(files, lambda match: title(match[1]), sentence)


def portable(dataset: str) -> str:
    """Name of a data set in commands and files that leave the server.

    An upload gets a placeholder such as ``YOUR_FILE-sha256-0123abcd.npz``: no other machine has its
    path. The digits begin the SHA-256 of the uploaded file. They are too few to guess the name in a
    link.
    """
    file = Path(dataset)
    return (
        f"{PLACEHOLDER}{file.stem.partition('-')[2][:8]}{file.suffix}"
        if is_upload(file)
        else dataset
    )


def without_paths(code: str) -> str:
    """Code in which ``portable`` names replace the paths of uploads."""
    for name in {match[0] for match in NAME.finditer(code)}:
        file = path(name)
        for text in (str(file), display_path(file)):
            code = code.replace(text, portable(str(file)))
    return code


def display_path(file: Path) -> str:
    """The path as a shell in the project's folder would write it."""
    try:
        return str(file.relative_to(Path.cwd()))
    except ValueError:
        return str(file)
