"""Which pictures are for training and which for the test, where no folder or file says so."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Sequence

ONE_IN = 5
"""About one picture in five is for the test, by a hash of its name or of its person's."""
PARTS = ("train", "test")
ALONE = (
    "is the only one of its class, or one person's with all of it; training and test need some each"
)
MOVED = (
    "By hash all pictures of {} would be for training, or all for the test; some were put into the"
    " other part, so that which pictures are for the test is taken as public."
)
Labels = Sequence[tuple[str, str]]
"""(whose or which, class) of each picture."""


def by_hash(name: str) -> str:
    """``test`` for about one name in five, else ``train``; no name's place depends on another's."""
    return "test" if _hash(name) % ONE_IN == 0 else "train"


def _hash(name: str) -> int:
    return int.from_bytes(hashlib.sha256(name.encode(errors="surrogateescape")).digest()[:4])


def divided(pictures: Labels) -> tuple[list[str], list[str]]:
    """The part of each picture, "" where its class cannot be in both; and the classes of which not
    all are where ``by_hash`` puts them.

    Args:
        pictures: of which all with the same name, a person's, go into the same part.

    A class that would be in one part alone has the first name by hash moved to the test (or the
    last to training) that no other class needs where it is. A picture more then moves one other at
    most, unless a class has too few to be trained on.
    """
    part = {name: by_hash(name) for name, _ in pictures}
    classes: dict[str, set[str]] = defaultdict(set)
    labels: dict[str, set[str]] = defaultdict(set)
    for name, label in pictures:
        classes[label].add(name)
        labels[name].add(label)
    counts = {label: Counter(part[n] for n in names) for label, names in classes.items()}
    moved: list[str] = []
    for label in sorted(classes):
        lacking = next((p for p in PARTS if not counts[label][p]), None)
        if lacking is None:
            continue
        order = sorted(classes[label], key=lambda name: (_hash(name), name))
        for name in order if lacking == "test" else order[::-1]:
            where = [counts[other] for other in labels[name] if other in counts]
            if all(count[part[name]] > 1 for count in where):
                for count in where:
                    count.update({part[name]: -1, lacking: 1})
                part[name] = lacking
                moved.append(label)
                break
        else:
            del counts[label]  # it needs nothing any more
    return [part[name] if label in counts else "" for name, label in pictures], moved
