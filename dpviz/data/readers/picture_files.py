"""Pictures from files that may be a stranger's: bounded, one frame, never more than what the header
promises.
"""

from __future__ import annotations

import hashlib
import io
import os
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, overload

import numpy as np

from dpviz.caches import cached
from dpviz.data import limits
from dpviz.data.readers import parquet_files
from dpviz.data.readers.plain_files import check_plain
from dpviz.types import DpvizError, Files, Images

if TYPE_CHECKING:
    from PIL.Image import Image

FORMATS = {
    "JPEG": (".jpg", ".jpeg"),
    "PNG": (".png",),
    "WEBP": (".webp",),
    "BMP": (".bmp",),
    "GIF": (".gif",),
    "TIFF": (".tif", ".tiff"),
    "PPM": (".ppm", ".pgm", ".pbm"),
}
SUFFIXES = tuple(suffix for suffixes in FORMATS.values() for suffix in suffixes)
THUMBNAIL = 96
"""Side of a thumbnail in pixels."""
_ONE_FRAME = (
    "GIF",
    "PNG",
    "WEBP",
    "TIFF",
)  # a photo's JPEG may carry a preview, which is no animation


def decode(content: bytes, name: str, ending: str = "") -> np.ndarray:
    """One picture as (h, w, 3) uint8.

    Args:
        content: of the file; name: how messages call it.
        ending: of its name, such as ``.jpg``; where given, another format is refused, and so are
            several frames.

    Raises:
        DpvizError: what is wrong with it, after its name.
    """
    from PIL import Image

    if len(content) > limits.PICTURE_BYTES:
        raise DpvizError(
            f"{name} is larger than {limits.PICTURE_BYTES >> 20} MiB. Save a smaller image."
        )
    try:
        with Image.open(io.BytesIO(content), formats=tuple(FORMATS)) as image:
            _check(image, name, ending)
            return np.asarray(image.convert("RGB"))
    except DpvizError:
        raise
    except Image.DecompressionBombError:
        raise DpvizError(
            f"{name} has more than {limits.PICTURE_PIXELS / 1e6:g} megapixels. Save a smaller"
            " image."
        ) from None
    except Exception:  # decoders of damaged files raise whatever their parser trips over
        raise DpvizError(
            f"{name} cannot be decoded as an image. Save it again as JPEG or PNG."
        ) from None


def ending_of(content: bytes) -> str:
    """The usual ending of a picture's format, told from its first bytes; "" where it is none that
    is read.
    """
    from PIL import Image

    try:
        with Image.open(io.BytesIO(content), formats=tuple(FORMATS)) as image:
            return FORMATS[_format(image)][0]
    except Exception:  # as in ``decode``
        return ""


def _format(image: Image) -> str:
    return "JPEG" if image.format == "MPO" else str(image.format)


def _check(image: Image, name: str, ending: str) -> None:
    """Refuse from the header, before any pixel is unpacked."""
    width, height = image.size
    if width * height > limits.PICTURE_PIXELS:
        raise DpvizError(
            f"{name} has {width} × {height} pixels, more than {limits.PICTURE_PIXELS / 1e6:g}"
            " megapixels. Save a smaller image."
        )
    if image.mode[0] in "IF":
        raise DpvizError(f"{name} has {image.mode} pixels. Save it with 8 bits per channel.")
    if not ending:
        return
    if image.format in _ONE_FRAME and getattr(image, "is_animated", False):
        raise DpvizError(f"{name} is animated or has several pages. Save a single frame.")
    format_name = _format(image)
    if ending.lower() not in FORMATS[format_name]:
        raise DpvizError(
            f"{name} contains {format_name}, which does not match its ending {ending}. Rename it."
        )


@dataclass(frozen=True, eq=False)
class FromFolder:
    """``Files.read`` of files on disk.

    Attributes:
        root: folder; names: (n,) bytes, paths below it.
    """

    root: str
    names: np.ndarray

    def __call__(self, index: int) -> np.ndarray:
        """Picture ``index`` as (h, w, 3) uint8."""
        return decode(self._content(index), os.fsdecode(self.names[index]))

    def checksum(self, index: int) -> tuple[int, int]:
        """CRC-32 and length of a file."""
        return _checksum(self._content(index))

    def _content(self, index: int) -> bytes:
        name = os.fsdecode(self.names[index])
        path = Path(self.root) / name
        try:
            check_plain(path, name)
            with path.open("rb") as file:
                return file.read(limits.PICTURE_BYTES + 1)
        except OSError as error:
            raise DpvizError(
                f"{name} in {self.root} cannot be read ({error.strerror}). Restore the file or"
                " remove its row."
            ) from None


@dataclass(frozen=True, eq=False)
class FromZip:
    """``Files.read`` of members of a zip file; nothing is unpacked to disk.

    Attributes:
        path: of the archive; names: (n,) bytes, its members.
    """

    path: str
    names: np.ndarray

    def __call__(self, index: int) -> np.ndarray:
        """Picture ``index`` as (h, w, 3) uint8."""
        name = os.fsdecode(self.names[index])
        try:
            archive = _opened(self.path, os.getpid())
            size = min(archive.getinfo(name).file_size, limits.PICTURE_BYTES)
            with archive.open(name) as member:
                content = member.read(size + 1)  # no more is unpacked, whatever the stream holds
        except Exception:  # zlib, struct and zipfile each raise their own on damage
            raise DpvizError(
                f"{name} in {Path(self.path).name} is damaged. Create the file again."
            ) from None
        return decode(content, name)

    def checksum(self, index: int) -> tuple[int, int]:
        """CRC-32 and length of a member, from the archive's directory."""
        info = _opened(self.path, os.getpid()).getinfo(os.fsdecode(self.names[index]))
        return info.CRC, info.file_size


@cached(4)
def _opened(path: str, process: int) -> zipfile.ZipFile:
    """An archive opened once a process: two processes must not share a file position."""
    return zipfile.ZipFile(path)


@dataclass(frozen=True, eq=False)
class FromParquet:
    """``Files.read`` of a column of encoded pictures in parquet or Arrow files.

    Attributes:
        groups: (path, row group, rows before it) of each row group (of an Arrow file the only one),
            in order; column: its name.
    """

    groups: tuple[tuple[str, int, int], ...]
    column: str

    def __call__(self, index: int) -> np.ndarray:
        """Picture ``index`` as (h, w, 3) uint8."""
        return decode(*self._content(index))

    def checksum(self, index: int) -> tuple[int, int]:
        """CRC-32 and length of a row's image."""
        return _checksum(self._content(index)[0])

    def _content(self, index: int) -> tuple[bytes, str]:
        """The image of a row, and what messages call it."""
        starts = [first for _, _, first in self.groups]
        position = int(np.searchsorted(starts, index, side="right")) - 1
        path, group, first = self.groups[position]
        name = f"row {index} of {Path(path).name}"
        value = parquet_files.row_group(path, group, self.column)[index - first].as_py()
        content = value.get("bytes") if isinstance(value, dict) else value
        if not isinstance(content, bytes):
            raise DpvizError(
                f"{name} has no image in column {self.column}. Store the bytes of a JPEG or PNG."
            )
        return content, name


@dataclass(frozen=True, eq=False)
class FromRows:
    """``Files.read`` of arrays that stay on disk, each row a picture's red, green and blue plane in
    turn.

    Attributes:
        parts: (path of an ``.npy`` of (n, 3 * side * side) uint8, rows before it), in order; side:
            in pixels.
    """

    parts: tuple[tuple[str, int], ...]
    side: int

    def __call__(self, index: int) -> np.ndarray:
        """Picture ``index`` as (side, side, 3) uint8."""
        path, first = next(part for part in reversed(self.parts) if part[1] <= index)
        row = np.load(path, mmap_mode="r", allow_pickle=False)[index - first]
        return np.ascontiguousarray(row.reshape(3, self.side, self.side).transpose(1, 2, 0))


@dataclass(frozen=True, eq=False)
class Picked:
    """``Files.read`` of some pictures of another split.

    Attributes:
        read: of the whole split; rows: (k,) int64 into it.
    """

    read: Callable[[int], np.ndarray]
    rows: np.ndarray

    def __call__(self, index: int) -> np.ndarray:
        """Picture ``rows[index]`` as (h, w, 3) uint8."""
        return self.read(int(self.rows[index]))

    def checksum(self, index: int) -> tuple[int, int]:
        """As of the other split."""
        checksum: Callable[[int], tuple[int, int]] = self.read.checksum  # type: ignore[attr-defined]
        return checksum(int(self.rows[index]))


def _checksum(content: bytes) -> tuple[int, int]:
    return zlib.crc32(content), len(content)


def names_array(names: list[str]) -> np.ndarray:
    """Names as fixed-width bytes: a million of them travel to worker processes."""
    return np.array([os.fsencode(name) for name in names], dtype=np.bytes_)


@overload
def pick(split: Images, rows: np.ndarray) -> Images: ...
@overload
def pick(split: Files, rows: np.ndarray) -> Files: ...
def pick(split: Images | Files, rows: np.ndarray) -> Images | Files:
    """The pictures of these rows."""
    labels = None if split.labels is None else split.labels[rows]
    persons = None if split.persons is None else split.persons[rows]
    if isinstance(split, Images):
        return Images(split.pixels[rows], labels, persons)
    read, mark = Picked(split.read, rows), partial(_picked_mark, split, rows)
    return Files(labels, read, mark, len(rows), persons)


def _picked_mark(split: Files, rows: np.ndarray) -> str:
    whole = f"{split.marked()} {rows.dtype} ".encode()
    return hashlib.sha256(whole + rows.tobytes()).hexdigest()


def thumbnails(split: Images | Files, rows: np.ndarray) -> np.ndarray:
    """Pictures of these rows, (k, h, w[, 3]) uint8; of files the middle square, 96 pixels wide."""
    if isinstance(split, Images):
        return split.pixels[rows]
    return np.stack([_square(split.read(int(row))) for row in rows])


def _square(pixels: np.ndarray) -> np.ndarray:
    from PIL import Image, ImageOps

    return np.asarray(
        ImageOps.fit(Image.fromarray(pixels), (THUMBNAIL, THUMBNAIL), Image.Resampling.BICUBIC)
    )
