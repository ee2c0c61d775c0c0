"""Data sets that lie in a folder of their own: found in any form, fetched, read."""

from __future__ import annotations

import struct
import tomllib
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

Reader = Callable[[Path], Pictures]
FILE = Path(__file__).with_name("data_sets.toml")
MAX_HELD = 3  # sets whose pictures or lists stay in memory
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


@dataclass(frozen=True, eq=False)
class SetOnDisk:
    """A set that lies in a folder of its own: a table of ``data_sets.toml``.

    Attributes:
        key, title, source, licence, size, roles, checked, aside_in: as of a ``Source``.
        classes: number of classes; markers: files or patterns that its folder holds when its
            original files are there.
        folder: name of the folder, where that is not the key.
        by_hand: sentences on how to download the files; "" if ``archives`` lists them.
    """

    key: str
    title: str
    source: str
    licence: str
    size: str
    classes: int
    markers: tuple[str, ...]
    folder: str
    checked: str = ""
    roles: tuple[str, ...] = ("private", "public")
    aside_in: int = 20
    by_hand: str = ""
    archives: tuple[Archive, ...] = ()

    def row(self, read: Reader, public: tuple[str, ...]) -> Source:
        """The set's row, given the reader of its original files and the public sets that suit."""
        return Source(
            key=self.key,
            title=self.title,
            source=self.source,
            licence=self.licence,
            roles=self.roles,
            size=self.size,
            class_names=(),
            known_classes=self.classes,
            images=lambda: pictures(self, read).splits,
            read_names=lambda: pictures(self, read).class_names,
            public=public,
            archives=self.archives,
            get=self.get,
            is_on_disk=lambda: self.place() is not None,
            fetch=self.fetch,
            location=self.location,
            place=self.place,
            checked=self.checked,
            aside_in=self.aside_in,
        )

    @property
    def labelled(self) -> bool:
        """Whether it may be private, so that its pictures need classes and splits."""
        return "private" in self.roles

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

    def location(self) -> str:
        """In which place and form it is, in words; "" if nowhere."""
        place, form = self.place(), "original files"
        if place and not self.original():
            form = "images from a third-party copy, not the original files,"
        return f"{form} in {display_path(place)}" if place else ""

    def get(self) -> str:
        """How to download the files by hand, and where to put them."""
        urls = " and ".join(archive.url for archive in self.archives)
        download = self.by_hand or f"Download {urls}."
        steps = f"{download} Put all files and folders in {display_path(self.home)}."
        if not self.labelled:
            return steps
        own = display_path(data_dir() / self.key)
        return (
            f"{steps} Or put the images in {own}/train/<class> and {own}/test/<class>, or put a zip"
            f" file of these folders at {own}.zip."
        )

    def fetch(self, progress: Progress | None) -> None:
        """Download and unpack it.

        Raises:
            DpvizError: where that cannot be done, saying what to do instead.
        """
        if not self.archives:
            raise DpvizError(
                f"{self.title} is not on disk, and its source has no direct download. {self.get()}"
            )
        download.fetch(
            self.title,
            self.home,
            self.archives,
            self.get(),
            progress,
            is_complete=lambda: self.place() is not None,
        )


def entries() -> dict[str, SetOnDisk]:
    """The tables of ``data_sets.toml``, filled up with those they are ``like``."""
    tables = tomllib.loads(FILE.read_text(encoding="utf-8"))
    sets = {}
    for key, own in tables.items():
        table = {"folder": key} | tables.get(own.get("like"), {}) | own
        table.pop("like", None)
        archives = tuple(Archive(**archive) for archive in table.pop("archives", ()))
        lists = {name: tuple(value) for name, value in table.items() if isinstance(value, list)}
        sets[key] = SetOnDisk(key, **table | lists, archives=archives)
    return sets


@cached(MAX_HELD)
def pictures(own: SetOnDisk, read: Reader) -> Pictures:
    """The pictures of a set, whose files must be there, its original ones as ``read`` gives them.

    Raises:
        DpvizError: if they are missing or damaged.
    """
    place = own.place()
    if place is None:
        raise DpvizError(f"{own.title} is not on disk. {own.get()}")
    if not own.original():
        return folders.read(place, unlabelled=not own.labelled)
    try:
        return read(place)
    except DpvizError:
        raise
    except _DAMAGE as error:
        reason = str(error)[:120].rstrip(".")
        raise DpvizError(
            f"The files of {own.title} in {display_path(place)} are not the published files"
            f" ({reason}). Remove them and download them again."
        ) from None


def display_path(path: Path) -> str:
    """A path as a shell in the project's folder would write it."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)


def _has_splits(home: Path) -> bool:
    return (home / "train").is_dir() and any((home / name).is_dir() for name in ("test", "val"))


def _has_tables(home: Path) -> bool:
    patterns = ("*.parquet", "data/*.parquet", "train/*.arrow")
    return any(next(home.glob(pattern), None) for pattern in patterns)
