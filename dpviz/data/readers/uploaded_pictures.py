"""An upload of pictures from a stranger, sorted into used and refused; what is used is packed anew
under plain names.
"""

from __future__ import annotations

import dataclasses
import json
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np

from dpviz.data import limits
from dpviz.data.readers import class_lists, folders, parquet, people, picture_sets
from dpviz.data.readers.picture_files import decode, ending_of
from dpviz.data.readers.plain_files import PARQUET
from dpviz.data.source import Progress
from dpviz.machine.files import write_atomic
from dpviz.types import DpvizError

TITLE = "The upload"
PROBED_FILES = 64
"""Rows and columns of a picture that its colour is told from."""
GREY = 4.0
"""Difference of the channels, of 255, up to which a picture is grey."""
MAX_SHOWN_NAME = 80
"""Characters of a name that are shown."""


@dataclass(frozen=True)
class Sorted:
    """What became of the members of an upload.

    Attributes:
        used: (name, split, class) of each picture kept, the name empty once all are packed;
            refused: (name, reason) of the others; images_per_person: the most first;
            empty where persons are not known; notes: sentences about what was taken for what;
            colour: whether most pictures kept are in colour.
    """

    used: tuple[tuple[str, str, str], ...]
    refused: tuple[tuple[str, str], ...]
    images_per_person: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()
    colour: bool = False

    def to_json(self) -> bytes:
        """All of it but the pictures' names, which may name persons."""
        rows = [("", split, label) for _, split, label in self.used]
        return json.dumps(
            [rows, self.refused, self.images_per_person, self.notes, self.colour]
        ).encode()

    @classmethod
    def read(cls, content: bytes) -> Sorted:
        """What ``to_json`` gave."""
        rows, refused, *rest = json.loads(content)
        persons, notes = (tuple(items) for items in [*rest, [], []][:2])
        lists = tuple(map(tuple, rows)), tuple(map(tuple, refused))
        return cls(*lists, persons, notes, colour=rest[2:] == [True])

    @property
    def reasons(self) -> list[tuple[str, int]]:
        """Each reason with its number of files, the commonest first."""
        return Counter(reason for _, reason in self.refused).most_common()


def sort_upload(
    source: Path,
    clean: Path,
    progress: Progress = lambda stage, completed, total: None,
    max_bytes: int | None = None,
) -> Sorted:
    """Look at every picture of a zip or parquet file and write the usable ones to a zip file.

    Each picture is decoded once, within bounds on bytes, pixels and packing ratio; no pickle, no
    link, nothing below a path of the file's own choosing. Nothing but ``clean`` is written.

    Args:
        source: the upload; clean: the file to write, ``train/<class>/<number>.<ending>`` and
            ``test/…``, with a number for each person and no name.
        progress: called with (what, done, total); may raise ``Cancelled``.
        max_bytes: bytes that the owner may still keep; the unpacked pictures count.

    Raises:
        DpvizError: if it is neither, holds too much, or too little for two classes.
    """
    with source.open("rb") as file:
        is_parquet = file.read(len(PARQUET)) == PARQUET
    unpack_limits = UnpackLimits.of_file(source, max_bytes)
    return (_sort_parquet if is_parquet else _sort_zip)(source, clean, progress, unpack_limits)


@dataclass(frozen=True)
class UnpackLimits:
    """The bytes that the pictures of an upload may unpack to.

    Attributes:
        total: the limit for any upload.
        packed: the limit that follows from the size of the file.
        quota: what the owner may still keep.
    """

    total: int
    packed: int
    quota: int

    @classmethod
    def of_file(cls, source: Path, max_bytes: int | None) -> UnpackLimits:
        """Return the limits of a file."""
        packed = limits.PACKING_FREE + limits.PACKING_RATIO * source.stat().st_size
        return cls(limits.UNPACKED, packed, limits.UNPACKED if max_bytes is None else max_bytes)

    @property
    def lowest(self) -> int:
        """The limit that is reached first."""
        return min(self.total, self.packed, self.quota)

    def check(self, size: int) -> None:
        """Refuse pictures that unpack to ``found`` bytes, or more, if that is too much."""
        if size > self.total:
            raise DpvizError(
                f"The images unpack to {size / 2**30:.1f} GiB. The limit is {self.total / 2**30:g}"
                " GiB. Use fewer or smaller images."
            )
        if size > self.packed:
            raise DpvizError(
                f"The file unpacks to over {limits.PACKING_RATIO} times its size. Use a file that"
                " stores each image once, as JPEG or PNG."
            )
        if size > self.quota:
            raise DpvizError(
                f"The images unpack to over {max(0, self.quota) >> 20} MiB, your remaining space."
                " Delete another upload on the Data page, or use fewer images."
            )


def _sort_zip(source: Path, clean: Path, progress: Progress, unpack_limits: UnpackLimits) -> Sorted:
    members = folders.zip_members(source, limits.MEMBERS)
    people_file = folders.persons(source, members)
    listed, classes = folders.declared(source, members)
    lists = {people_file.file, listed} - {""}  # a refused member may have an empty name
    refused = [(m.name, m.reason) for m in members if m.reason and m.name not in lists]
    usable = [m for m in members if not m.reason]
    placed, misplaced, notes = picture_sets.sort_out(usable, people_file.owners, classes)
    _check_size(source, {p.member.name for p in placed}, unpack_limits)
    with zipfile.ZipFile(source) as archive:
        images = (
            UploadedImage(
                m.name, split, label, Path(m.name).suffix.lower(), _content(archive, m.name), person
            )
            for m, split, label, person in placed
        )
        packed = _packed(images, len(placed), refused + misplaced, clean, progress, classes)
    return dataclasses.replace(packed, notes=(*people_file.notes, *notes, *packed.notes))


def _sort_parquet(
    source: Path, clean: Path, progress: Progress, unpack_limits: UnpackLimits
) -> Sorted:
    total, unpacked = parquet.declared_size(source, TITLE)
    if total > limits.MEMBERS:
        raise DpvizError(f"The file has {total:,} rows. The limit is {limits.MEMBERS:,}.")
    unpack_limits.check(unpacked)
    unpack_limits.check(parquet.spelled_out(source, TITLE, unpack_limits.lowest))
    refused: list[tuple[str, str]] = []

    def images() -> Iterator[UploadedImage]:
        for i, (content, label, person) in enumerate(parquet.rows(source, TITLE)):
            name = f"row {i}"
            reason = _label_reason(label) or _person_reason(person)
            if label is None or reason:
                refused.append((name, reason))
            else:
                bytes_ = content or b""
                yield UploadedImage(
                    name,
                    picture_sets.by_hash(
                        person or parquet.content_name(zlib.crc32(bytes_), len(bytes_))
                    ),
                    label,
                    ending_of(bytes_) or ".jpg",
                    content,
                    person or "",
                )

    classes = parquet.declared(source, TITLE)
    return _packed(images(), total, refused, clean, progress, classes)


def _label_reason(label: str | None) -> str:
    """Why a label cannot name a folder, or ""."""
    if label is None:
        return "has no label"
    if len(label) > limits.NAME or not label.strip():
        return f"has a label that is empty or longer than {limits.NAME} characters"
    return (
        "has a label that cannot name a folder: " + reason
        if (reason := picture_sets.name_reason(f"{label}/0.jpg"))
        else ""
    )


def _person_reason(person: str | None) -> str:
    """Why a row of a file with persons has none, or ""; None is one of a file without."""
    if person is None:
        return ""
    return people.name_reason(person) if person else people.UNKNOWN


class UploadedImage(NamedTuple):
    """One picture of an upload: what it is called, where it belongs, its bytes, None where they are
    damaged, and whose it is, "" where that is not known.
    """

    name: str
    split: str
    label: str
    ending: str
    content: bytes | None
    person: str = ""


def _packed(
    images: Iterable[UploadedImage],
    total: int,
    refused: list[tuple[str, str]],
    clean: Path,
    progress: Progress,
    classes: tuple[str, ...],
) -> Sorted:
    """Write the images that can be decoded under plain names, and say why the others cannot.

    Args:
        classes: as declared, empty where they were not.
    """
    lacking: tuple[str, ...] = ()
    rows: list[tuple[str, str, str]] = []
    coloured: list[bool] = []
    owner_of: dict[str, str] = {}

    def pack(file: IO[bytes]) -> None:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
            for number, picture in enumerate(images):
                progress("Checking images", number, total)
                pixels = _pixels(picture)
                if picture.content is None or isinstance(pixels, str):
                    refused.append((picture.name, str(pixels)))
                else:
                    plain = f"{picture.split}/{picture.label}/{number:06d}{picture.ending}"
                    archive.writestr(plain, picture.content)
                    rows.append((picture.name, picture.split, picture.label))
                    coloured.append(_coloured(pixels))
                    if picture.person:
                        owner_of[plain] = picture.person
            if owner_of:
                archive.writestr(people.FILE, _list(owner_of))
            if classes:
                archive.writestr(class_lists.FILE, "\n".join(classes))
        nonlocal lacking
        lacking = picture_sets.check_classes(TITLE, rows, classes)[1]

    write_atomic(clean, pack)
    short = tuple((name[:MAX_SHOWN_NAME], reason) for name, reason in refused)
    is_coloured = 2 * sum(coloured) > len(coloured)
    notes = (*lacking, *_in_both(owner_of))
    return Sorted(
        tuple(rows), short, people.images_per_person(owner_of.values()), notes, is_coloured
    )


def _coloured(pixels: np.ndarray) -> bool:
    """Whether a picture (h, w, 3) has more colour than a grey one has from packing."""
    probe = pixels[:: 1 + len(pixels) // PROBED_FILES, :: 1 + pixels.shape[1] // PROBED_FILES]
    return float(np.ptp(probe, axis=2).mean()) > GREY


def _in_both(owner_of: Mapping[str, str]) -> tuple[str, ...]:
    """As ``people.duplicate_owners``, of persons by the plain names of their pictures."""
    train, test = (
        people.numbers(
            TITLE, (owner for name, owner in owner_of.items() if name.startswith(f"{part}/"))
        )
        for part in picture_sets.PARTS
    )
    return people.duplicate_owners(train, test)


def _list(owner_of: Mapping[str, str]) -> str:
    """Pictures and numbers of their persons, as ``people.table`` reads them."""
    people.check_number(TITLE, len(set(owner_of.values())))
    lines = [",".join(people.COLUMNS)]
    for name, person in owner_of.items():
        quoted = name.replace('"', '""')
        lines.append(f'"{quoted}",{people.number(person)}')
    return "\n".join(lines)


def _check_size(source: Path, names: set[str], unpack_limits: UnpackLimits) -> None:
    with zipfile.ZipFile(source) as archive:
        unpack_limits.check(
            sum(info.file_size for info in archive.infolist() if info.filename in names)
        )


def _content(archive: zipfile.ZipFile, name: str) -> bytes | None:
    try:
        with archive.open(name) as packed:
            # no more is unpacked, whatever the stream holds
            return packed.read(archive.getinfo(name).file_size + 1)
    except Exception:  # zlib, struct and zipfile each raise their own on damage
        return None


def _pixels(picture: UploadedImage) -> np.ndarray | str:
    """A picture (h, w, 3), or why it cannot be used."""
    if picture.content is None:
        return "is damaged or empty"
    try:
        return decode(picture.content, "", ending=picture.ending)
    except DpvizError as error:
        return str(error).strip().rstrip(".")
