"""One row of the data table, and where its pictures stand: there, to download, or to be placed by
hand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from dpviz.data.readers.picture_sets import Splits

Progress = Callable[[str, int, int], None]
STATES = {"there": "on disk", "download": "to download", "by hand": "manual download"}


@dataclass(frozen=True)
class Archive:
    """One file of a set as its source offers it.

    Attributes:
        url: where it is; name: of the file; md5: as published; into: folder below the set's own
            that it belongs in.
        sha256: as published, which is then what counts; "" where only an md5 is.
    """

    url: str
    name: str
    md5: str
    into: str = ""
    sha256: str = ""

    @property
    def published(self) -> str:
        """The checksum that counts, in words."""
        return f"sha256 {self.sha256}" if self.sha256 else f"md5 {self.md5}"


@dataclass(frozen=True)
class Source:
    """One row of the data table.

    Attributes:
        key, title, source, licence: name in the shell, name for people, where it comes from, terms.
        roles: ``private`` where it may be protected, ``public`` where it may help.
        size: its size in words, with its splits.
        checked: what its licence and size were compared with; "" where they are given as commonly
            reported.
        class_names: one a class; empty where only the files tell them.
        images: gives its splits (``train`` and ``test``, or ``public``).
        part_of: the set whose records it has a part of; of a public set ``keeps`` gives the labels.
        known_classes: number of classes where ``class_names`` is empty; read_names: reads them.
        public: public sets that suit it, the default first.
        archives: what to download, checked before any is opened; get: says what to fetch and
            where to put it.
        is_on_disk: True where its pictures are on disk; fetch: downloads and unpacks them.
        location: says in which place and form they are, where that may differ.
        place: their folder or file; None where they come with dpviz or are not on disk.
        refused: (name, reason) of pictures left out; notes: sentences about what was found.
        encoder: the one that suits it; persons: whether it says whose its pictures are.
        aside_in: about one of so many training images may be held aside as public.
        classes_read: whether the list of classes was read from the data, not declared.
        one_pool: whether dpviz divides one pool into training and test records, so that a data draw
            may divide it again.
        variant: name among private sets of the same records; "" where there is one set alone.
        first_ratio: imbalance ratio at which pages begin; None for each page's own.
    """

    key: str
    title: str
    source: str
    licence: str
    roles: tuple[str, ...]
    size: str
    class_names: tuple[str, ...]
    images: Callable[[], Splits]
    part_of: str | None = None
    keeps: range = range(0)
    known_classes: int = 0
    read_names: Callable[[], tuple[str, ...]] | None = None
    public: tuple[str, ...] = ("glyphs", "letters", "uci-digits")
    archives: tuple[Archive, ...] = ()
    get: Callable[[], str] = lambda: "Comes with dpviz."
    is_on_disk: Callable[[], bool] = lambda: True
    fetch: Callable[[Progress | None], None] | None = None
    location: Callable[[], str] = lambda: ""
    place: Callable[[], Path | None] = lambda: None
    refused: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    checked: str = ""
    encoder: str = "glyphnet"
    persons: bool = False
    aside_in: int = 4
    classes_read: bool = False
    one_pool: bool = False
    variant: str = ""
    first_ratio: int | None = None

    def kept_names(self, names: Sequence[str]) -> set[str]:
        """Those of the set's class names whose pictures it takes."""
        return {names[label] for label in self.keeps} if self.keeps else set(names)

    @property
    def terms(self) -> str:
        """The licence, and whether it was checked."""
        return self.licence if self.checked else f"{self.licence} (unverified)"

    @property
    def classes(self) -> int:
        """Number of classes; 0 where there are no labels."""
        return len(self.keeps) or len(self.class_names) or self.known_classes

    @property
    def state(self) -> str:
        """A key of ``STATES``."""
        if self.is_on_disk():
            return "there"
        return "download" if self.archives else "by hand"

    @property
    def state_text(self) -> str:
        """The state in words, and where it is where that may differ."""
        return ": ".join(filter(None, (STATES[self.state], self.location())))

    def names(self) -> tuple[str, ...]:
        """Class names, read from the files where the row does not know them."""
        return self.class_names or (self.read_names() if self.read_names else ())
