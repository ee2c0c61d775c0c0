"""Which images are for training and which for the test, where no folder or file says so."""

from __future__ import annotations

import hashlib

ONE_IN = 5
"""About one image in five is for the test, by a hash of its name or of its person's."""
PARTS = ("train", "test")


def by_hash(name: str) -> str:
    """``test`` for about one name in five, else ``train``; no name's part depends on another's."""
    digest = hashlib.sha256(name.encode(errors="surrogateescape")).digest()
    return "test" if int.from_bytes(digest[:4]) % ONE_IN == 0 else "train"
