"""Files with one thing wrong, made from a good one and a number: what strangers, disks and networks
do to them.
"""

from __future__ import annotations

import io
import struct
import zipfile

import numpy as np

ODD_HEADERS = (
    "{" * 300,
    "(" * 900 + ")" * 900,
    "[" * 200 + "]" * 200,
    "{'descr': '<f8', 'fortran_order': False, 'shape': (12, 4), } if 1 else 2",
    "{'descr': '<f8', 'fortran_order': False, 'shape': (12, 4)",
    "{'descr': '<f8', 'fortran_order': False, 'shape': (12L, 4L), }",
    "{'descr': '<f8', 'fortran_order': 1, 'shape': (12, 4), }",
    "{'descr': '<f8', 'fortran_order': False, 'shape': [12, 4], }",
    "{'descr': '<f8', 'fortran_order': False, 'shape': (-12, -4), }",
    "{'descr': '<f8', 'fortran_order': False, 'shape': (12, True), }",
    "{'descr': '<f8', 'fortran_order': False, 'shape': (1e400, 4), }",
    "{'descr': '<f8', 'fortran_order': False, 'shape': (9999999999999999999999, 4), }",
    "{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (12, 4), }",
    "{'descr': ('<f8', (2,)), 'fortran_order': False, 'shape': (12, 4), }",
    "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (12, 4), }",
    "{'descr': [[[]]], 'fortran_order': False, 'shape': (12, 4), }",
    "{'descr': {'names': []}, 'fortran_order': False, 'shape': (12, 4), }",
    "{'descr': '\\x00', 'fortran_order': False, 'shape': (12, 4), }",
    "{'descr': None, 'fortran_order': False, 'shape': (12, 4), }",
    "{'a': b'\\",
    "'''",
    '"""',
    "\\",
    "\x00",
    "\t\n  x\n y",
    "0" * 5000,
    "1_",
    "0xg",
    "'\ud800'",
    "{1: 2}",
    "{}",
    "",
    "()",
    "[]",
    "{[]: 1}",
    "f''",
    "-" * 800 + "1",
    "{**1}",
    "...",
    "a:=1",
    "\f",
)
TYPES = (
    "<f4",
    ">f8",
    "<f2",
    "<f16",
    "|b1",
    "<i8",
    "<u1",
    "|O",
    "<c16",
    "<U0",
    "<U9",
    "<U999999999",
    "|S3",
    "|V8",
    "<M8[ns]",
    "<m8",
    "f4,f4",
    "(2,2)f4",
    "(99999999999,)f4",
    "x",
    "",
    "<f3",
    "T",
    "<i4" * 99,
    "|O8",
    "=f4",
    "&f4",
    "e",
    "<U1\x00",
)
SHAPES = (
    "()",
    "(0,)",
    "(12,)",
    "(4, 12)",
    "(48, 1)",
    "(12, 4, 1)",
    "(1000000000000,)",
    "(6,)",
    "(2, 24)",
    "(12, 0)",
    "(18446744073709551616, 0)",
    "(12, 4",
    "12",
    "(1,)",
    "(3,)",
)


def members(content: bytes) -> dict[str, bytes]:
    """What a zip holds."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(parts: list[tuple[str, bytes]], how: int = zipfile.ZIP_STORED) -> bytes:
    """A zip of these."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", how) as archive:
        for name, content in parts:
            archive.writestr(zipfile.ZipInfo(name), content, compress_type=how)
    return file.getvalue()


def noisy(content: bytes, rng: np.random.Generator) -> bytes:
    """Bits flipped, bytes lost, doubled, moved or replaced."""
    made, kind = bytearray(content), rng.integers(6)
    places = rng.integers(max(1, len(made)), size=1 + int(rng.geometric(0.4)))
    first, last = sorted(int(p) for p in rng.integers(len(made) + 1, size=2))
    if kind == 0:
        for place in places:
            made[place] ^= 1 << int(rng.integers(8))
    elif kind == 1:
        for place in places:
            made[place] = (0, 255, 127, 128, int(rng.integers(256)))[rng.integers(5)]
    elif kind == 2:
        del made[first:]
    elif kind == 3:
        del made[first : min(last, first + 40)]
    elif kind == 4:
        made[first:first] = made[last : last + 60]
    else:
        made[first : first + 4] = struct.pack("<I", int(rng.integers(2**32)))
    return bytes(made)


def headed(member: bytes, rng: np.random.Generator) -> bytes:
    """An ``.npy`` with another header: odd types, shapes, versions, lengths, or no dictionary."""
    length = int.from_bytes(member[8:10], "little")
    text, body = member[10 : 10 + length].decode("latin1"), member[10 + length :]
    kind, version = rng.integers(7), (1, 0)
    if kind == 0:
        text = str(rng.choice(np.array(ODD_HEADERS, object)))
    elif kind == 1:
        text = text.replace(text.split("'")[3], str(rng.choice(np.array(TYPES, object))))
    elif kind == 2:
        old = text[text.index("(") : text.index(")") + 1]
        text = text.replace(old, str(rng.choice(np.array(SHAPES, object))))
    elif kind == 3:
        text = noisy(text.encode("latin1"), rng).decode("latin1")
    elif kind == 4:
        text = text[:-1] + " " * int(rng.integers(70_000)) + "\n"
    elif kind == 5:
        version = tuple(int(v) for v in rng.integers(5, size=2))
    else:
        text = "".join(rng.permutation(list(text)).tolist())
    coded = text.encode("utf8", "surrogatepass")
    said = len(coded) if rng.integers(8) else int(rng.integers(2**32))
    size = struct.pack("<H", said % 2**16) if version[0] < 2 else struct.pack("<I", said)
    return b"\x93NUMPY" + bytes(version) + size + coded + body


def rearranged(parts: dict[str, bytes], rng: np.random.Generator) -> bytes:
    """Members swapped, doubled, lost, renamed, emptied, or said to be larger than they are."""
    names, kind = list(parts), rng.integers(6)
    one, other = (str(name) for name in rng.choice(names, 2))
    made = dict(parts)
    if kind == 0:
        made[one], made[other] = parts[other], parts[one]
    elif kind == 1:
        del made[one]
    elif kind == 2:
        made[noisy(one.encode(), rng).decode("latin1").replace("\0", "")] = made.pop(one)
    elif kind == 3:
        made[one] = b""
    elif kind == 4:
        made[one] = noisy(made[one], rng)
    listed = list(made.items())
    if kind == 5:
        place = packed(listed).rindex(b"PK\x01\x02")
        content = bytearray(packed(listed))
        content[place + 20 : place + 28] = rng.bytes(8)
        return bytes(content)
    return packed(listed, (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)[rng.integers(2)])


def archive(content: bytes, number: int) -> bytes:
    """The mutation of that number of an ``.npz`` or of a zip of other files."""
    rng = np.random.default_rng(number)
    kind = rng.integers(4)
    if kind == 0:
        return noisy(content, rng)
    parts = members(content)
    if kind == 1:
        return rearranged(parts, rng)
    one = str(rng.choice(list(parts)))
    change = headed if kind == 2 and one.endswith(".npy") else noisy
    how = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)[rng.integers(2)]
    return packed([(n, change(c, rng) if n == one else c) for n, c in parts.items()], how)
