"""Rows of the data-set table for sets that lie in a folder: found in any form, fetched, read."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from dpviz.caches import cached
from dpviz.data import download
from dpviz.data.download import data_dir
from dpviz.data.readers import folders
from dpviz.data.readers.picture_sets import Pictures
from dpviz.data.source import Archive, Progress, Source
from dpviz.types import DpvizError

KEPT = 3  # sets whose pictures or lists stay in memory
_DAMAGE = (
    RuntimeError,
    OSError,
    ValueError,
    KeyError,
    IndexError,
    AttributeError,
    EOFError,
    struct.error,
    zlib.error,
)


def row(
    key: str,
    title: str,
    source: str,
    licence: str,
    size: str,
    classes: int,
    read: Callable[[Path], Pictures],
    markers: str | tuple[str, ...],
    get: str = "",
    archives: tuple[Archive, ...] = (),
    roles: tuple[str, ...] = ("private", "public"),
    folder: str = "",
    checked: str = "",
    public: tuple[str, ...] = (),
    aside_in: int = 20,
) -> Source:
    """A set that lies in a folder of its own.

    Args:
        read: of its original files, given its folder; markers: files or patterns that are there
            when they are.
        get: what to fetch, for one that cannot be downloaded; folder: its folder's name where it is
            not its key.
        checked: what licence and size were compared with; public: public sets that suit it.
        aside_in: as ``Source`` has it.
    """
    markers = (markers,) if isinstance(markers, str) else markers
    own = SetOnDisk(key, title, folder or key, markers, read, archives, get, "private" in roles)
    return Source(
        key=key,
        title=title,
        source=source,
        licence=licence,
        roles=roles,
        size=size,
        class_names=(),
        known_classes=classes,
        images=lambda: pictures(own).splits,
        named=lambda: pictures(own).class_names,
        public=public,
        archives=archives,
        get=own.get,
        there=lambda: own.place() is not None,
        fetch=own.fetch,
        where=own.where,
        place=own.place,
        checked=checked,
        aside_in=aside_in,
    )


@dataclass(frozen=True, eq=False)
class SetOnDisk:
    """Where the files of a set lie, and what to do where they do not.

    Attributes:
        key, title, folder, markers, read, archives: as ``row`` takes them.
        by_hand: what to fetch where there are no archives.
        labelled: whether it may be private, so that its pictures need classes and splits.
    """

    key: str
    title: str
    folder: str
    markers: tuple[str, ...]
    read: Callable[[Path], Pictures]
    archives: tuple[Archive, ...]
    by_hand: str
    labelled: bool

    @property
    def home(self) -> Path:
        """Where its original files belong."""
        return data_dir() / self.folder

    def original(self) -> bool:
        """Whether its original files are there."""
        return all(next(self.home.glob(marker), None) for marker in self.markers)

    def place(self) -> Path | None:
        """Where it lies: its folder with the original files or with plain ones, a zip or a parquet
        file; None if nowhere.
        """
        root = data_dir()
        plain, packed = root / self.key, [root / f"{self.key}{end}" for end in (".zip", ".parquet")]
        if not any(path.exists() for path in (self.home, plain, *packed)):
            return None  # so for most rows, and asked at every move
        if self.original():
            return self.home
        if (self.labelled and _has_splits(plain)) or _has_tables(plain):
            return plain
        return next((path for path in packed if path.exists()), None)

    def where(self) -> str:
        """In which place and form it is, in words; "" if nowhere."""
        place, form = self.place(), "original files"
        if place and not self.original():
            form = "pictures as someone packed them, not the original files,"
        return f"{form} in {display_path(place)}" if place else ""

    def get(self) -> str:
        """What to fetch and where to put it."""
        instruction = self.by_hand or "fetch " + " and ".join(
            archive.url for archive in self.archives
        )
        own = display_path(data_dir() / self.key)
        plain = (
            f", or its pictures in {own}/train/<class> and {own}/test/<class>, or a zip of these as"
            f" {own}.zip"
        )
        place = f"{display_path(self.home)}{plain if self.labelled else ''}"
        return f"{instruction} and put it in {place}."

    def fetch(self, progress: Progress | None) -> None:
        """Download and unpack it.

        Raises:
            DpvizError: where that cannot be done, saying what to do instead.
        """
        if not self.archives:
            raise DpvizError(
                f"{self.title} is not on disk and its source has no plain download: {self.get()}"
            )
        download.fetch(
            self.title,
            self.home,
            self.archives,
            self.get(),
            progress,
            there=lambda: self.place() is not None,
        )


@cached(KEPT)
def pictures(own: SetOnDisk) -> Pictures:
    """The pictures of a set, whose files must be there.

    Raises:
        DpvizError: if they are missing or damaged.
    """
    place = own.place()
    if place is None:
        raise DpvizError(f"{own.title} is not on disk: {own.get()}")
    if not own.original():
        return folders.read(place, unlabelled=not own.labelled)
    try:
        return own.read(place)
    except DpvizError:
        raise
    except _DAMAGE as error:
        reason = str(error)[:120].rstrip(".")
        raise DpvizError(
            f"The files of {own.title} in {display_path(place)} are not the published ones"
            f" ({reason}); remove them and get them anew."
        ) from None


def display_path(path: Path) -> str:
    """A path as a shell in the project's folder would write it."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)


def _has_splits(home: Path) -> bool:
    return (home / "train").is_dir() and any((home / name).is_dir() for name in ("test", "val"))


def _has_tables(home: Path) -> bool:
    patterns = ("*.parquet", "data/*.parquet", "train/*.arrow")
    return any(next(home.glob(pattern), None) for pattern in patterns)
