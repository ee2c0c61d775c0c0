"""Data of one's own: kept under the cache folder by content, so that a link can name it."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from dpviz.caches import remembered
from dpviz.machine import scratch
from dpviz.machine.files import cache_dir, write_atomic

PREFIX = "own-"
PICTURES = "pictures-"
ENDINGS = {PREFIX: ".npz", PICTURES: ".zip"}
KEEP = 20
"""Uploads kept on disk; the oldest go first."""


def folder() -> Path:
    """Where uploads lie."""
    return cache_dir() / "uploads"


def keep(content: bytes) -> str:
    """Store an upload of features; returns the name that a link carries."""
    name = PREFIX + hashlib.sha256(content).hexdigest()[:20]
    if not path(name).exists():
        write_atomic(path(name), lambda file: file.write(content))
        forget_old(".npz")
    return name


def keep_unsorted(content: bytes) -> str:
    """Store an upload of pictures until it is sorted; returns the name that it will have then."""
    name = PICTURES + hashlib.sha256(content).hexdigest()[:20]
    if not path(name).exists():
        write_atomic(unsorted(name), lambda file: file.write(content))
        forget_old(".unsorted")
    return name


def forget_old(ending: str) -> None:
    """Delete all but the last uploads of a kind."""
    newest = sorted(folder().glob(f"*{ending}"), key=lambda p: p.stat().st_mtime, reverse=True)
    for old in newest[KEEP:]:
        old.unlink(missing_ok=True)


def kept(path: Path) -> bool:
    """Whether a file is an upload, brought by a stranger, and none that a shell named."""
    return path.name.startswith(tuple(ENDINGS)) and path.resolve().parent == folder().resolve()


def path(name: str) -> Path:
    """The file of a stored upload."""
    return folder() / f"{name}{next(e for p, e in ENDINGS.items() if name.startswith(p))}"


def unsorted(name: str) -> Path:
    """The file of an upload of pictures as it came."""
    return folder() / f"{name}.unsorted"


def report(name: str) -> Path:
    """What was used and refused of an upload of pictures."""
    return folder() / f"{name}.json"


def pictures(name: str) -> bool:
    """True for an upload of pictures, which needs an encoder; False for features."""
    return name.startswith(PICTURES)


def known(session: list[str], linked: str | None) -> list[str]:
    """Uploads that this person may choose: their own, and the one their link names. No list of
    others'.
    """
    mine = re.compile(rf"({'|'.join(ENDINGS)})[0-9a-f]{{20}}")
    _sweep(folder())
    names = dict.fromkeys([*session, *([linked] if linked and mine.fullmatch(linked) else [])])
    return [name for name in names if path(name).exists()]


@remembered(8)
def _sweep(place: Path) -> None:
    """Once in a server's life: what one that was killed left there."""
    scratch.sweep(place)


def title(name: str) -> str:
    """What an upload is called on the page."""
    return f"your own {'pictures' if pictures(name) else 'features'} ({name.partition('-')[2][:6]})"


def shown(file: Path) -> str:
    """The path as a shell in the project's folder would write it."""
    try:
        return str(file.relative_to(Path.cwd()))
    except ValueError:
        return str(file)
