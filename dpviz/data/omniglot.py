"""Drawings of 242 characters of 8 alphabets, each character by 20 people.

Source: Lake, Salakhutdinov and Tenenbaum 2015, Science 350(6266):1332-1338; "background small 1"
and "background small 2" of github.com/brendenlake/omniglot, MIT, its license kept in the archive.

Drawers are numbered 1 to 20 within each alphabet. The number alone decides the part of all
drawings of a drawer: 1-12 are private, 13-17 are public, 18-20 are for testing. The source does
not say whether one person drew several alphabets, so each alphabet's drawer is one person here.

A set of fewer characters has the first ones in alphabetical order, alphabet by alphabet. None of
them is of an alphabet of ``RESERVED``, whose public drawings are out-of-domain examples for them.
"""

from __future__ import annotations

import csv
import io
import zipfile
from pathlib import Path

import numpy as np

from dpviz.caches import cached
from dpviz.data.readers.picture_files import pick
from dpviz.data.readers.picture_sets import Splits, labels_of
from dpviz.types import Images

ARCHIVE = Path(__file__).with_name("bundled_files") / "omniglot_small.zip"
SHA256 = "d4cb2e027875ce64f491a4a322eceaa3b0817f5c3915cefc61e5e71413656a2d"
SIDE = 28
DRAWERS = 20
PARTS = {"train": range(1, 13), "public": range(13, 18), "test": range(18, 21)}
"""Numbers of the drawers of each part."""
DEFAULT_DRAWINGS, MAX_DRAWINGS = 3, len(PARTS["public"])
"""Public drawings per character, by default and at most."""
ALPHABETS = {
    "balinese": 24,
    "early_aramaic": 22,
    "greek": 24,
    "japanese": 47,
    "korean": 40,
    "latin": 26,
    "sanskrit": 42,
    "tagalog": 17,
}
"""Characters of each alphabet."""
RESERVED = ("sanskrit", "tagalog")
"""Alphabets that are private only in the sets of all characters and of alphabets."""
CHARACTERS = tuple(
    f"{alphabet}-{number:02d}"
    for alphabet, count in ALPHABETS.items()
    for number in range(1, count + 1)
)
"""Names of all classes, those of ``RESERVED`` last."""
RESERVED_LABELS = range(
    len(CHARACTERS) - sum(ALPHABETS[name] for name in RESERVED), len(CHARACTERS)
)
"""Labels of the characters of ``RESERVED``."""
COUNTS = (10, 20, 30, 60, 120)
"""Numbers of characters that smaller sets have."""


def private(count: int) -> Splits:
    """Training and test drawings of the first ``count`` characters."""
    images = _all_images()
    return {part: _select(images[part], range(count)) for part in ("train", "test")}


def public(per_character: int) -> dict[str, Images]:
    """All characters by the first ``each`` public drawers of each alphabet."""
    images = _all_images()["public"]
    assert images.persons is not None
    drawers = images.persons % DRAWERS + 1
    return {"public": pick(images, np.flatnonzero(drawers < PARTS["public"].start + per_character))}


def other_alphabets() -> Splits:
    """Public drawings of the characters of ``RESERVED``."""
    return {"public": _select(_all_images()["public"], RESERVED_LABELS)}


def alphabets(*parts: str) -> Splits:
    """Drawings of these parts with the alphabet as class; ``FEW`` public ones per character."""
    images = {**_all_images(), **public(DEFAULT_DRAWINGS)}
    of_character = np.repeat(np.arange(len(ALPHABETS)), list(ALPHABETS.values()))
    return {
        part: Images(split.pixels, of_character[split.labels], split.persons)
        for part, split in images.items()
        if part in parts
    }


def _select(split: Images, labels: range) -> Images:
    """Drawings with one of these labels."""
    image_labels = labels_of(split)
    return pick(
        split, np.flatnonzero((image_labels >= labels.start) & (image_labels < labels.stop))
    )


@cached(1)
def _all_images() -> dict[str, Images]:
    """All drawings by part, white on black, with labels in ``CHARACTERS`` and persons: the number
    of the alphabet times 20, and of the drawer from 0.
    """
    with zipfile.ZipFile(ARCHIVE) as archive:
        rows = list(csv.DictReader(io.StringIO(archive.read("people.csv").decode())))
        pixels = np.stack([_drawing(archive.read(row["image"])) for row in rows])
    label = {name: number for number, name in enumerate(CHARACTERS)}
    place = {name: number for number, name in enumerate(ALPHABETS)}
    drawers = np.array([int(row["person"][-2:]) for row in rows])
    persons = np.array([place[row["alphabet"]] for row in rows]) * DRAWERS + drawers - 1
    whole = Images(pixels, np.array([label[row["class"]] for row in rows]), persons)
    return {
        part: pick(
            whole,
            np.flatnonzero((drawers >= drawer_range.start) & (drawers < drawer_range.stop)),
        )
        for part, drawer_range in PARTS.items()
    }


def _drawing(content: bytes) -> np.ndarray:
    """Black strokes on white at 105 x 105 to (28, 28) uint8, white strokes on black."""
    from PIL import Image, ImageOps

    with Image.open(io.BytesIO(content)) as image:
        light = ImageOps.invert(image.convert("L"))
    return np.asarray(light.resize((SIDE, SIDE), Image.Resampling.BICUBIC))
