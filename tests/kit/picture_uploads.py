"""Uploads of pictures, good and bad, in the forms that strangers give them."""

from __future__ import annotations

import io
import json
import pickle
import stat
import struct
import zipfile
import zlib

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image

from tests.kit import tiny_sets

GOOD = tiny_sets.encoded(16, "JPEG")


def animated() -> bytes:
    frames = [Image.fromarray(frame) for frame in tiny_sets.pixels(3, 8)]
    out = io.BytesIO()
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:])
    return out.getvalue()


def huge_png(side: int = 20_000) -> bytes:
    """A PNG whose header promises 400 megapixels; its data are a few kilobytes."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return (
            struct.pack(">I", len(content))
            + kind
            + content
            + struct.pack(">I", zlib.crc32(kind + content))
        )

    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(bytes(10_000)))
        + chunk(b"IEND", b"")
    )


def sixteen_bit() -> bytes:
    out = io.BytesIO()
    Image.fromarray(np.arange(64, dtype=np.uint16).reshape(8, 8) * 900).save(out, "PNG")
    return out.getvalue()


BAD = {
    "cat/{}.jpg": (GOOD[: len(GOOD) // 2], "cannot be decoded"),
    "dog/{}.png": (huge_png(), "megapixels"),
    "dog/{}a.gif": (animated(), "animated"),
    "dog/{}b.png": (GOOD, "contains JPEG, which does not match its ending .png"),
    "cat/{}.txt": (b"hello", "has no image file ending"),
    "cat/{}b.jpg": (pickle.dumps({"a": 1}), "cannot be decoded"),
    "../../{}.jpg": (GOOD, "leads out of its folder"),
    "/tmp/{}.jpg": (GOOD, "leads out of its folder"),
    "C:\\{}.jpg": (GOOD, "leads out of its folder"),
    "cat/..\\{}.jpg": (GOOD, "leads out of its folder"),
    "loose{}.jpg": (GOOD, "is not in a class folder"),
    "__MACOSX/cat/._{}.jpg": (b"junk", "is a hidden file"),
    "cat/{}\x1b.jpg": (GOOD, "unprintable"),
    f"{'x' * 70}/{{}}.jpg": (GOOD, "longer than 60"),
    "cat/{}c.png": (sixteen_bit(), "8 bits per channel"),
    "cat/{}d.jpg": (b"\0" * 2_000_000, "times its compressed size"),
    "cat/{}.zip": (b"PK", "has no image file ending"),
}


def write_upload(path, members: int = 5000) -> dict[str, str]:
    """Every tenth member is bad, kind after kind; returns expected words by name."""
    expected = {}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for i in range(members - 1):
            name, (content, words) = (
                list(BAD.items())[i // 10 % len(BAD)]
                if i % 10 == 0
                else (f"{('cat', 'dog')[i % 2]}/good{{}}.jpg", (GOOD, ""))
            )
            name = name.format(i)
            archive.writestr(name, content)
            expected[name] = words
        link = zipfile.ZipInfo("cat/link.jpg")
        link.create_system, link.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
        expected["cat/link.jpg"] = "is a link"
    return expected


def two_classes(picture: bytes = b"", train: int = 24, test: int = 2) -> bytes:
    """A zip of pictures of ants and bees, all the same one where it is given."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for split, n in (("train", train), ("test", test)):
            for label in ("ant", "bee"):
                for i in range(n):
                    content = picture or tiny_sets.encoded(16)
                    archive.writestr(f"mine/{split}/{label}/{i}.png", content)
    return out.getvalue()


def flat(width: int, height: int) -> bytes:
    """A PNG of one colour: as many pixels as one likes in a few kilobytes."""
    out = io.BytesIO()
    Image.new("RGB", (width, height), (9, 9, 9)).save(out, "PNG")
    return out.getvalue()


def arrow(labels, names=None, pictures=None):
    """The table of an image data set as the hub's library writes it."""
    rows = [
        {"bytes": picture, "path": None}
        for picture in pictures or [tiny_sets.encoded() for _ in labels]
    ]
    table = pa.table(
        {
            "image": pa.array(rows, pa.struct([("bytes", pa.binary()), ("path", pa.string())])),
            "label": pa.array(labels),
        }
    )
    features = {"image": {"_type": "Image"}, "label": {"names": names, "_type": "ClassLabel"}}
    return table.replace_schema_metadata(
        {"huggingface": json.dumps({"info": {"features": features}})} if names else None
    )


def parquet(path, labels, names=None, pictures=None):
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(arrow(labels, names, pictures), path, row_group_size=4)
