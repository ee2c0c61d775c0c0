"""Many small images in one file, for a browser that cuts them out again."""

from __future__ import annotations

import io
import math
from base64 import b64encode
from dataclasses import dataclass

import numpy as np

#: Most bytes of a sheet, and WebP qualities that are tried until one is below.
MAX_BYTES, QUALITIES = 2 * 2**20, (80, 50, 20, 1)
#: Pixels of a sheet, and the least and greatest side of an image in it.
PIXELS, SIDES = 5000 * 32**2, (16, 64)


def side(images: int) -> int:
    """Return the side, in pixels, at which so many images fit on a sheet."""
    least, most = SIDES
    return max(least, min(most, math.isqrt(PIXELS // max(1, images))))


def tiled(images: np.ndarray, columns: int) -> np.ndarray:
    """Return (k, s, s) or (k, s, s, 3) uint8 row by row as one image, black where none is left."""
    side, colors = images.shape[1], images.shape[3:]
    lines = -(-len(images) // columns)
    sheet = np.zeros((lines * columns, *images.shape[1:]), np.uint8)
    sheet[: len(images)] = images
    sheet = sheet.reshape(lines, columns, *images.shape[1:]).swapaxes(1, 2)
    return sheet.reshape(lines * side, columns * side, *colors)


@dataclass(frozen=True)
class ImageSheet:
    """A WebP file of equal squares, row by row.

    Attributes:
        side: pixels of a square; columns: squares per row.
    """

    content: bytes
    side: int
    columns: int

    @classmethod
    def from_images(cls, images: np.ndarray) -> ImageSheet:
        """Return the sheet of (k, s, s) or (k, s, s, 3) uint8, of at most ``MAX_BYTES``."""
        from PIL import Image

        number, side = images.shape[:2]
        columns = max(1, math.isqrt(number - 1) + 1) if number else 1
        picture = Image.fromarray(tiled(images, columns))
        content = b""
        for quality in QUALITIES:
            buffer = io.BytesIO()
            picture.save(buffer, "WEBP", quality=quality, method=2)
            content = buffer.getvalue()
            if len(content) <= MAX_BYTES:
                break
        return cls(content, side, columns)

    @property
    def data_url(self) -> str:
        """The file as the source of an image in HTML."""
        return f"data:image/webp;base64,{b64encode(self.content).decode()}"
