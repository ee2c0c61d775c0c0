"""Photographs of clothes that 344 people sent in, in parts that no person is in two of.

Source: Alexey Grigorev's clothing data set (2020), CC0 1.0, its licence and its numbers of senders
kept in the archive: 5,096 pictures of 17 kinds, of the source's classes all but "Not sure", "Other"
and "Skip", as centred squares of 144 pixels.

A person's part follows from a hash of the person's number alone, and all private and public records
of that person are in it. Whoever sent none of the ten private kinds is public. The seven other
kinds that a person of the private or the test part sent are left out: in the public set they would
tell of somebody who is protected.
"""

from __future__ import annotations

import csv
import hashlib
import io
import zipfile
from pathlib import Path

import numpy as np

from dpviz.caches import cached
from dpviz.data.readers.picture_files import FromZip, names_array, pick
from dpviz.types import Files

ARCHIVE = Path(__file__).with_name("bundled_files") / "clothes_144.zip"
SHA256 = "1dd3a583e39cd2cf3c6a25f785c821ede288120d915448c03f86fc7091a5f6c3"
PRIVATE_KINDS = (
    "t-shirt",
    "longsleeve",
    "pants",
    "shoes",
    "shirt",
    "dress",
    "outwear",
    "shorts",
    "hat",
    "skirt",
)
OTHER_KINDS = ("polo", "undershirt", "blazer", "hoodie", "body", "top", "blouse")
KINDS = PRIVATE_KINDS + OTHER_KINDS
PARTS = {"train": 0.6, "test": 0.82, "public": 1.0}
"""Up to which share of all hashes a person is in which part."""


@cached(1)
def private() -> dict[str, Files]:
    """The ten private kinds: 2,732 training pictures of 197 people, 1,271 test pictures of 74."""
    images, parts = _all_images(), _parts()
    return {name: pick(images, np.flatnonzero(parts == name)) for name in ("train", "test")}


@cached(1)
def public() -> dict[str, Files]:
    """All 17 kinds from the 73 other people: 591 pictures, 80 of them of the seven other kinds."""
    return {"public": pick(_all_images(), np.flatnonzero(_parts() == "public"))}


def other_kinds() -> dict[str, Files]:
    """The seven other kinds alone."""
    images = public()["public"]
    assert images.labels is not None
    return {"public": pick(images, np.flatnonzero(images.labels >= len(PRIVATE_KINDS)))}


@cached(1)
def _all_images() -> Files:
    """All pictures in the archive's order, which knows neither kinds nor persons."""
    with zipfile.ZipFile(ARCHIVE) as archive:
        rows = list(csv.DictReader(io.StringIO(archive.read("people.csv").decode())))
    number = {kind: c for c, kind in enumerate(KINDS)}
    names = names_array([f"{row['class']}/{row['image']}.webp" for row in rows])
    return Files(
        labels=np.array([number[row["class"]] for row in rows], dtype=np.int64),
        read=FromZip(str(ARCHIVE), names),
        mark=SHA256,
        persons=np.array([int(row["person"]) for row in rows], dtype=np.int64),
    )


def _parts() -> np.ndarray:
    """Which part each picture is in, "" for none: (n,) text."""
    images = _all_images()
    assert images.labels is not None and images.persons is not None
    own = images.labels < len(PRIVATE_KINDS)
    by_hash = {int(person): part_of(int(person)) for person in np.unique(images.persons[own])}
    parts = np.array([by_hash.get(int(person), "public") for person in images.persons])
    return np.where(own | (parts == "public"), parts, "")


def part_of(person: int) -> str:
    """A key of ``PARTS`` for a person who sent some of the private kinds."""
    share = int.from_bytes(hashlib.sha256(f"person {person}".encode()).digest()[:4]) / 2**32
    return next(part for part, end in PARTS.items() if share < end)
