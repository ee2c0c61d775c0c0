"""Data as methods see it: pictures, features, and the sizes that a plan may know."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.types.checks import DpvizError

ProgressCallback = Callable[[str, int, int], None] | None
"""Told (what, done, total) while rows are made; may raise to stop it."""


class LazyArray:
    """Rows (count, d) whose number is known before they are: made once, by whoever first asks.

    Where making them fails or is stopped, the next who asks tries again.
    """

    def __init__(self, count: int, make: Callable[[ProgressCallback], np.ndarray]) -> None:
        """make: gives the rows; ``count``: how many they will be."""
        self._count, self._make = count, make
        self._rows: np.ndarray | None = None
        self._making = threading.Lock()

    def __len__(self) -> int:
        """Rows that there will be."""
        return self._count

    @property
    def is_made(self) -> bool:
        """Whether they were made."""
        return self._rows is not None

    def rows(self, progress: ProgressCallback = None) -> np.ndarray:
        """The rows, made now if they were not."""
        with self._making:
            if self._rows is None:
                self._rows = self._make(progress)
            return self._rows

    def map_rows(self, change: Callable[[np.ndarray], Any]) -> LazyArray:
        """As many rows, each changed, once they are asked for."""
        return LazyArray(self._count, lambda progress: change(self.rows(progress)))


NUMBERS_PER_BLOCK = 2**18
"""Numbers that are brought to unit length at once: they stay in a core's cache."""


def unit_rows(x: np.ndarray) -> np.ndarray:
    """Rows of ``x`` (n, d) divided by their L2 norms, float32; a zero row stays zero. Per
    record, so free of privacy cost.

    A row is first divided by its largest number, in float64: no norm is too small or too large to
    be squared.
    """
    unit = np.empty(x.shape, np.float32)
    step = max(1, NUMBERS_PER_BLOCK // max(1, x.shape[1]))
    for start in range(0, len(x), step):
        rows = x[start : start + step].astype(np.float64)
        largest = np.abs(rows).max(axis=1, keepdims=True, initial=0)
        rows /= np.where(largest > 0, largest, 1)
        norms = np.sqrt((rows * rows).sum(axis=1, keepdims=True))
        rows /= np.where(norms > 0, norms, 1)
        unit[start : start + step] = rows
    return unit


def reached_ratio(counts: Sequence[int]) -> float:
    """Imbalance ratio of these class sizes: largest over smallest, of those with records."""
    nonempty = [count for count in counts if count]
    return max(nonempty) / min(nonempty) if nonempty else 1.0


@dataclass(frozen=True, eq=False)
class Images:
    """One split of pictures.

    Attributes:
        pixels: (n, h, w) or (n, h, w, 3) uint8; 0 is black.
        labels: (n,) int64 in [0, classes), or None where there are none.
        persons: (n,) int64, a number for each person who is behind a picture; None where not known.
    """

    pixels: np.ndarray
    labels: np.ndarray | None
    persons: np.ndarray | None = None

    def __len__(self) -> int:
        """Number of pictures."""
        return len(self.pixels)


@dataclass(frozen=True, eq=False)
class Files:
    """One split of pictures that are read when needed, for sets too large for memory.

    Attributes:
        labels: (n,) int64 in [0, classes), or None where there are none.
        read: ``read(i)`` gives picture i as (h, w, 3) uint8 of any size; it can be pickled, for
            worker processes, and raises ``DpvizError`` naming a picture that cannot be decoded.
        mark: changes whenever a picture would; or what finds it when it is asked for.
        unlabelled: n where there are no labels, else unused.
        persons: (n,) int64, a number for each person who is behind a picture; None where not known.
    """

    labels: np.ndarray | None
    read: Callable[[int], np.ndarray]
    mark: str | Callable[[], str]
    unlabelled: int = 0
    persons: np.ndarray | None = None

    def marked(self) -> str:
        """The mark, found if need be, which may read every file once."""
        return self.mark if isinstance(self.mark, str) else self.mark()

    def is_marked(self) -> bool:
        """Whether the mark is at hand without reading a picture."""
        is_cached = getattr(self.mark, "is_cached", None)
        return is_cached is None or bool(is_cached())

    def __len__(self) -> int:
        """Number of pictures."""
        return self.unlabelled if self.labels is None else len(self.labels)


@dataclass(frozen=True, eq=False)
class Adversary:
    """Worst-case moves of test records, made against each rule that is scored.

    Attributes:
        size: (n_test,) how far each record may move in each coordinate.
        basis: (d, p) directions if moves happen in p coordinates before a projection to d; None for
            none.
    """

    size: np.ndarray
    basis: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class Head:
    """An encoder's own classifier, trained on public data: scores of its source classes.

    Attributes:
        weights: (C_s, d) float32; bias: (C_s,) float32; names: of the source classes, or () where
            not known.
        normalise: divide each feature row by its L2 norm first.
    """

    weights: np.ndarray
    bias: np.ndarray
    names: tuple[str, ...] = ()
    normalise: bool = False

    def logits(self, x: np.ndarray) -> np.ndarray:
        """Source logits (n, C_s) float32 of features (n, d)."""
        return (unit_rows(x) if self.normalise else x) @ self.weights.T + self.bias


@dataclass(frozen=True, eq=False)
class Dataset:
    """Features of a private set, its test set and, where there is one, a public set.

    Attributes:
        key: row of the data table, or the name of an uploaded file.
        encoder: row of the encoder table; None for features that came as they are.
        x: (n, d) float32 private training features; y: (n,) int64 in [0, C).
        x_test, y_test: (n_test, d) float32 and (n_test,) int64, taken to be balanced.
        public_rows: what ``x_public`` gives, or how it is made when it is first read; None without
            a public set; y_public: (m,) int64 or None (methods must not need it).
        class_names: C names.
        public_key: which public set, or None.
        fingerprint: changes whenever any array does.
        thumbnails: ``thumbnails(split, indices)`` gives (k, h, w[, 3]) uint8 for split ``train``,
            ``test`` or ``public``; None where there are no pictures.
        rows: (n,) int64, each record's index in the full training set (imbalance keeps a part).
        public_names: names of the public set's classes; None where it is numbered like the private
            one.
        adversary: moves test records when a rule is scored; ``x_test`` is before the move.
        head: gives the encoder's own classifier; None where it has none or is not known.
        texts: gives the class names as the encoder's text tower reads them, a linear rule (C, d);
            None without one.
        persons: (n,) int64, a number for each person whom a private record is from; None where not
            known, and then every record may be anybody's.
        held_aside: training images of the set itself that are public by choice; a public number.
        classes_read: whether the list of classes was read from the data, not declared.
        notes: sentences about what was found in the files and left out.
        draw: number of the data draw that chose class order and records.
    """

    key: str
    encoder: str | None
    x: np.ndarray
    y: np.ndarray
    x_test: np.ndarray
    y_test: np.ndarray
    class_names: tuple[str, ...]
    fingerprint: str
    public_rows: np.ndarray | LazyArray | None = None
    y_public: np.ndarray | None = None
    public_key: str | None = None
    thumbnails: Callable[[str, np.ndarray], np.ndarray] | None = None
    rows: np.ndarray | None = None
    public_names: tuple[str, ...] | None = None
    adversary: Adversary | None = None
    head: Callable[[], Head] | None = None
    texts: Callable[[], np.ndarray] | None = None
    persons: np.ndarray | None = None
    held_aside: int = 0
    classes_read: bool = False
    notes: tuple[str, ...] = ()
    draw: int = 0

    def __post_init__(self) -> None:
        some = {"x": self.x, "x_test": self.x_test, "x_public": self.public_rows}
        for name, rows in some.items():
            if isinstance(rows, LazyArray):  # what makes them refuses such numbers
                continue
            wide = None if rows is None or rows.itemsize > 2 else np.float64  # float16 adds slowly
            with np.errstate(over="ignore", invalid="ignore"):
                if rows is None or np.isfinite(np.sum(rows, dtype=wide)):
                    continue  # a sum beyond the largest number may have finite parts
            for bad in np.flatnonzero(~np.isfinite(rows).all(axis=1))[:1]:
                raise DpvizError(
                    f"Row {bad} of {name} in {self.key} has a number that is not finite. Remove"
                    " such rows."
                )

    def of_records(self, kept: np.ndarray, mark: str) -> Dataset:
        """With these private records alone; ``mark`` joins the fingerprint.

        Args:
            kept: (k,) rows in order, or (n,) bool.
        """
        rows = np.arange(len(self.x)) if self.rows is None else self.rows
        return dataclasses.replace(
            self,
            x=self.x[kept],
            y=self.y[kept],
            persons=None if self.persons is None else self.persons[kept],
            rows=rows[kept],
            fingerprint=f"{self.fingerprint}-{mark}",
        )

    @property
    def x_public(self) -> np.ndarray | None:
        """(m, d) float32, float16 where that would take over a gigabyte, made now if it was not;
        None without a public set.
        """
        return self.public_made()

    def public_made(self, progress: ProgressCallback = None) -> np.ndarray | None:
        """``x_public``; ``progress`` is told how far it is, and may stop it."""
        rows = self.public_rows
        return rows.rows(progress) if isinstance(rows, LazyArray) else rows

    @property
    def has_public(self) -> bool:
        """Whether there is a public set; none is made for that."""
        return self.public_rows is not None

    def map_rows(self, change: Callable[[np.ndarray], np.ndarray]) -> Dataset:
        """All rows changed alike; public ones that are not made yet, when they are."""
        return dataclasses.replace(
            self,
            x=change(self.x),
            x_test=change(self.x_test),
            public_rows=self.public_changed(change),
        )

    def public_changed(
        self, change: Callable[[np.ndarray], np.ndarray]
    ) -> np.ndarray | LazyArray | None:
        """``public_rows`` with each row changed."""
        rows = self.public_rows
        if isinstance(rows, LazyArray):
            return rows.map_rows(change)
        return None if rows is None else change(rows)

    @property
    def public(self) -> np.ndarray:
        """``x_public``, for what cannot do without it: (m, d)."""
        found = self.x_public
        assert found is not None
        return found

    @property
    def classes(self) -> int:
        """Number of classes C."""
        return len(self.class_names)

    @property
    def labelled_public(self) -> tuple[np.ndarray, np.ndarray]:
        """Public records whose class bears a private class's name: x (k, d), y (k,) in private
        numbering.
        """
        if not self.has_public:
            return np.empty((0, self.x.shape[1]), np.float32), np.empty(0, np.int64)
        rows, y = self.labelled_rows
        return self.public[rows], y

    @property
    def labelled_rows(self) -> tuple[np.ndarray, np.ndarray]:
        """Which public records ``labelled_public`` has, and their y: two (k,)."""
        if self.public_rows is None or self.y_public is None:
            return np.empty(0, np.int64), np.empty(0, np.int64)
        number = {name: c for c, name in enumerate(self.class_names)}
        names = self.class_names if self.public_names is None else self.public_names
        table = np.array([*(number.get(name, -1) for name in names), -1])
        y = table[np.minimum(self.y_public, len(names))]  # a label beyond the names has none
        rows = np.flatnonzero(y >= 0)
        return rows, y[rows]

    @property
    def counts(self) -> tuple[int, ...]:
        """Training records of each class. Private, unless a guarantee says otherwise."""
        return tuple(np.bincount(self.y, minlength=self.classes).tolist())

    @property
    def sizes(self) -> Sizes:
        """All that a plan may know of this data."""
        public = 0 if self.public_rows is None else len(self.public_rows)
        known = {
            "head": self.head is not None,
            "pictures": self.encoder is not None and self.thumbnails is not None,
            "texts": self.texts is not None,
        }
        return Sizes(n=len(self.x), d=self.x.shape[1], counts=self.counts, public=public, **known)


@dataclass(frozen=True)
class Sizes:
    """What a plan may know. A method that uses ``n`` or ``counts`` must call it public on its card.

    Attributes:
        n: private records; d: feature dimension; counts: records per class; public: public records.
        head: whether the encoder's own classifier is known; pictures: whether there are pictures to
            run through it.
        texts: whether the encoder has a text tower that reads class names.
    """

    n: int
    d: int
    counts: tuple[int, ...]
    public: int = 0
    head: bool = False
    pictures: bool = False
    texts: bool = False

    @property
    def classes(self) -> int:
        """Number of classes C."""
        return len(self.counts)
