"""Training images that are public by choice. Each image, or each person, decides alone."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np

from dpviz.caches import WeakCache, cached
from dpviz.data.readers.content_marks import checksums
from dpviz.data.source import Source
from dpviz.types import Files, Images

ONE_IN = 4
"""About one of so many training images is held aside, if the row says nothing else."""
PUBLISHED = Path(__file__).with_name("bundled_files") / "held_aside.json"
"""Images or persons of the bundled sets that are public, by a hash of the pixels or by number."""
VERSION = 1  # raise it whenever another image would be held aside
_rows_cache: WeakCache[np.ndarray] = WeakCache(__name__)


def rows(row: Source) -> np.ndarray:
    """Rows of the training images of a set that are held aside, (k,) int64 in order.

    Guarantee: whether an image is held aside depends on its content alone, or on its person's
    number alone where persons are known. Images of one person stay together. Adding or removing
    an image never changes the part of another person's image.
    """
    train = row.images()["train"]
    return _rows_cache.get_or_compute(train, mark(row), lambda: _rows(row, train))


def _rows(row: Source, train: Images | Files) -> np.ndarray:
    names = _names(train)
    if row.key in _published():
        return np.flatnonzero([name in _published()[row.key] for name in names])
    parts = {name: is_held_aside(name, row.aside_in) for name in set(names)}
    return np.flatnonzero([parts[name] for name in names])


def mark(row: Source) -> str:
    """The rule that holds images of a set aside."""
    if row.key in _published():
        return "20 of 4" if row.persons else "20"
    return f"one in {row.aside_in}, rule {VERSION}"


def words(images: int) -> str:
    """What holding images aside does to the private set, for the start of a guarantee."""
    return f", after {treated(images)}" if images else ""


def treated(images: int) -> str:
    """How many training images are public, in words."""
    return (
        f"{images:,} of the training images {'is' if images == 1 else 'are'} treated as public,"
        " selected by a hash of each image or person"
    )


def is_held_aside(name: str, one_in: int) -> bool:
    """Whether an image or person of this name is held aside, one in so many on average."""
    digest = hashlib.sha256(f"held aside {name}".encode()).digest()
    return int.from_bytes(digest[:8]) % one_in == 0


def _names(train: Images | Files) -> list[str]:
    """What decides about each image: its person's number, or a hash of its content."""
    if train.persons is not None:
        return [str(person) for person in train.persons.tolist()]
    if isinstance(train, Images):
        return [hashlib.sha256(pixels.tobytes()).hexdigest()[:12] for pixels in train.pixels]
    return [f"{crc} {size}" for crc, size in checksums(train).tolist()]


@cached(1)
def _published() -> dict[str, frozenset[str]]:
    return {key: frozenset(names) for key, names in json.loads(PUBLISHED.read_text()).items()}
