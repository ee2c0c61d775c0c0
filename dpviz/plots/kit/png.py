"""Pictures as files, to stand in HTML."""

from __future__ import annotations

import io
import struct
import zlib
from base64 import b64encode

import numpy as np

from dpviz.plots.kit import image_sheet

#: Pixels of the shorter side from which a picture is taken for a photograph, and how well it is
#: kept as JPEG, which is a sixth of its PNG.
MIN_PHOTO_SIDE, JPEG_QUALITY = 64, 90


def png(picture: np.ndarray) -> bytes:
    """(h, w) or (h, w, 3) uint8 as a PNG file."""
    height, width = picture.shape[:2]
    colour = 2 if picture.ndim == 3 else 0
    lines = np.zeros((height, picture[0].size + 1), np.uint8)
    lines[:, 1:] = picture.reshape(height, -1)
    head = struct.pack(">IIBBBBB", width, height, 8, colour, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(lines.tobytes(), 1)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        for name, body in parts
    )


def photo(picture: np.ndarray) -> bool:
    """Whether a picture is to be smoothed where it is scaled; small ones show their pixels."""
    return min(picture.shape[:2]) >= MIN_PHOTO_SIDE


def smoothed(picture: np.ndarray) -> str:
    """What CSS says of how a picture is scaled."""
    return f"image-rendering: {'auto' if photo(picture) else 'pixelated'};"


def data_url(picture: np.ndarray) -> str:
    """(h, w) or (h, w, 3) uint8 as the source of a picture in HTML; photographs lose a little."""
    if not photo(picture):
        return f"data:image/png;base64,{b64encode(png(picture)).decode()}"
    from PIL import Image

    buffer = io.BytesIO()
    Image.fromarray(picture).save(buffer, "JPEG", quality=JPEG_QUALITY)
    return f"data:image/jpeg;base64,{b64encode(buffer.getbuffer()).decode()}"


SHADES, SHEET_QUALITY = 16, 60
"""Shades of grey of a sheet's drawings, and how well its photographs are kept as JPEG."""


def sheet_url(images: np.ndarray, per_row: int, side: int) -> str:
    """Return images row by row in one image, as its source in HTML.

    Args:
        images: (k, h, w) or (k, h, w, 3) uint8, with h = w.
        side: largest side of an image in pixels.
    """
    from PIL import Image

    if images.shape[1] > side:
        small = (
            Image.fromarray(image).resize((side, side), Image.Resampling.LANCZOS)
            for image in images
        )
        images = np.stack([np.asarray(image) for image in small])
    sheet = Image.fromarray(image_sheet.tiled(images, per_row))
    buffer = io.BytesIO()
    if images.ndim == 3:
        sheet.quantize(SHADES).save(buffer, "PNG", optimize=True)
        return f"data:image/png;base64,{b64encode(buffer.getbuffer()).decode()}"
    sheet.save(buffer, "JPEG", quality=SHEET_QUALITY)
    return f"data:image/jpeg;base64,{b64encode(buffer.getbuffer()).decode()}"
