"""Data sets: images, features, and the sizes that a plan may use."""

from __future__ import annotations

import dataclasses
import hashlib
import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpviz.types.checks import DpvizError, quoted

#: Called with (stage, done, total) while rows are computed; may raise to stop the work.
ProgressCallback = Callable[[str, int, int], None] | None


class LazyArray:
    """Rows (count, d), computed at the first use.

    If the computation fails or is stopped, the next use starts it again.
    """

    def __init__(self, count: int, make: Callable[[ProgressCallback], np.ndarray]) -> None:
        """``make`` computes the rows; ``count`` is their number."""
        self._count, self._make = count, make
        self._rows: np.ndarray | None = None
        self._making = threading.Lock()

    def __len__(self) -> int:
        """Return the number of rows."""
        return self._count

    @property
    def is_made(self) -> bool:
        """Whether the rows are computed."""
        return self._rows is not None

    def rows(self, progress: ProgressCallback = None) -> np.ndarray:
        """Return the rows; compute them if necessary."""
        with self._making:
            if self._rows is None:
                self._rows = self._make(progress)
            return self._rows

    def map_rows(self, change: Callable[[np.ndarray], Any]) -> LazyArray:
        """Return a lazy array of the rows with ``change`` applied."""
        return LazyArray(self._count, lambda progress: change(self.rows(progress)))


#: Numbers per block of ``unit_rows``; a block fits into the cache of a core.
NUMBERS_PER_BLOCK = 2**18


def unit_rows(x: np.ndarray) -> np.ndarray:
    """Return the rows of ``x`` (n, d) divided by their L2 norms, float32; a zero row stays zero.

    The division is per record, so it has no privacy cost. A row is first divided by its largest
    number, in float64, so that no square overflows or underflows.
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
    """Return the imbalance ratio of class sizes: largest nonempty class over smallest."""
    nonempty = [count for count in counts if count]
    return max(nonempty) / min(nonempty) if nonempty else 1.0


#: Start of the keys of data sets in memory. They end in ``.npz``: the rules for files of features
#: hold for them.
IN_MEMORY = "arrays:"
_in_memory: weakref.WeakValueDictionary[str, Dataset] = weakref.WeakValueDictionary()


def content_hash(arrays: Mapping[str, np.ndarray], names: Sequence[Any]) -> str:
    """Return a hash of C-contiguous arrays and of class names."""
    digest = hashlib.sha256(repr(names).encode())
    for key in sorted(arrays):
        digest.update(f"{key} {arrays[key].shape}".encode())
        digest.update(arrays[key].data)
    return digest.hexdigest()


def _features(name: str, given: Any, d: int | None = None) -> np.ndarray:
    """Return features (n, d) as float32 that cannot be written to."""
    try:
        x = np.array(given, np.float32, order="C")
    except (TypeError, ValueError):
        raise DpvizError(
            f"{name} must be a table of numbers, got {type(given).__name__}."
        ) from None
    if x.ndim != 2 or not x.shape[1] or (name == "X" and not len(x)):
        raise DpvizError(f"{name} must have shape (records, features), got {x.shape}.")
    if d is not None and x.shape[1] != d:
        raise DpvizError(f"{name} has {x.shape[1]} features and X has {d}. Use the same features.")
    if not np.isfinite(x).all():
        raise DpvizError(f"{name} has a number that is not finite in float32. Remove such rows.")
    x.setflags(write=False)
    return x


def _column(name: str, given: Any, rows: int) -> np.ndarray:
    """Return one value per row as an array (rows,)."""
    if given is None:
        raise DpvizError(f"`{name}` is missing. Give one label per row.")
    column = np.asarray(given)
    if column.shape != (rows,):
        raise DpvizError(f"{name} must have shape ({rows},), got {column.shape}.")
    return column


def _public_column(given: Any, public: np.ndarray | None) -> np.ndarray | None:
    if given is None:
        return None
    if public is None:
        raise DpvizError("`y_public` needs `X_public`. Give both or neither.")
    return _column("y_public", given, len(public))


def _numbered(name: str, labels: np.ndarray, number: Mapping[Any, int]) -> np.ndarray:
    """Return class numbers (n,) int64 of labels."""
    try:
        return np.array([number[label] for label in labels.tolist()], np.int64)
    except KeyError as unknown:
        raise DpvizError(
            f"{name} has the label {quoted(unknown.args[0])}, which is not in classes."
        ) from None


@dataclass(frozen=True, eq=False)
class Images:
    """One split of images in memory.

    Attributes:
        pixels: (n, h, w) or (n, h, w, 3) uint8; 0 is black.
        labels: (n,) int64 in [0, classes), or None if there are none.
        persons: (n,) int64, number of the person of each image; None if unknown.
    """

    pixels: np.ndarray
    labels: np.ndarray | None
    persons: np.ndarray | None = None

    def __len__(self) -> int:
        """Number of pictures."""
        return len(self.pixels)


@dataclass(frozen=True, eq=False)
class Files:
    """One split of images that are read on use, for sets too large for memory.

    Attributes:
        labels: (n,) int64 in [0, classes), or None if there are none.
        read: ``read(i)`` returns image i as (h, w, 3) uint8 of any size. It can be pickled, and
            raises ``DpvizError`` for an image that cannot be decoded.
        mark: hash of the images, or a function that computes it.
        unlabelled: n if there are no labels, else unused.
        persons: (n,) int64, number of the person of each image; None if unknown.
    """

    labels: np.ndarray | None
    read: Callable[[int], np.ndarray]
    mark: str | Callable[[], str]
    unlabelled: int = 0
    persons: np.ndarray | None = None

    def marked(self) -> str:
        """Return the mark; computing it may read every file once."""
        return self.mark if isinstance(self.mark, str) else self.mark()

    def is_marked(self) -> bool:
        """Return whether the mark is known without reading images."""
        is_cached = getattr(self.mark, "is_cached", None)
        return is_cached is None or bool(is_cached())

    def __len__(self) -> int:
        """Number of pictures."""
        return self.unlabelled if self.labels is None else len(self.labels)


@dataclass(frozen=True, eq=False)
class Adversary:
    """Worst-case perturbation of test records against the scored classifier.

    Attributes:
        size: (n_test,) largest change of each record in each coordinate.
        basis: (d, p) directions of changes in p coordinates before a projection to d, or None.
    """

    size: np.ndarray
    basis: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class Head:
    """Classifier of an encoder, trained on public data: scores of its source classes.

    Attributes:
        weights: (C_s, d) float32; bias: (C_s,) float32; names: of the source classes, or () if
            unknown.
        normalise: divide each feature row by its L2 norm first.
    """

    weights: np.ndarray
    bias: np.ndarray
    names: tuple[str, ...] = ()
    normalise: bool = False

    def logits(self, x: np.ndarray) -> np.ndarray:
        """Return source logits (n, C_s) float32 of features (n, d)."""
        return (unit_rows(x) if self.normalise else x) @ self.weights.T + self.bias


@dataclass(frozen=True, eq=False)
class Dataset:
    """Features of a private training set, its test set and an optional public set.

    Attributes:
        key: row of the data table, or the name of an uploaded file.
        encoder: row of the encoder table; None for given features.
        x: (n, d) float32 private training features; y: (n,) int64 in [0, C).
        x_test, y_test: (n_test, d) float32 and (n_test,) int64, assumed balanced.
        public_rows: rows of ``x_public``, possibly lazy; None without a public set; y_public: (m,)
            int64 or None (methods must work without it).
        class_names: C names.
        public_key: key of the public set, or None.
        fingerprint: changes with the content of any array.
        thumbnails: ``thumbnails(split, indices)`` returns (k, h, w[, 3]) uint8 for split ``train``,
            ``test`` or ``public``; None without images.
        rows: (n,) int64, index of each record in the full training set.
        public_names: class names of the public set; None if numbered like the private classes.
        adversary: perturbation of test records during scoring; ``x_test`` is unperturbed.
        head: returns the classifier of the encoder; None if there is none.
        texts: returns class embeddings of the encoder's text tower, a linear classifier (C, d);
            None without one.
        persons: (n,) int64, number of the person of each private record; None if unknown.
        held_aside: number of training images that are treated as public; a public number.
        classes_read: whether the class list was read from the data instead of declared.
        notes: sentences about skipped files.
        draw: number of the data draw of class order and records.
    """

    key: str
    encoder: str | None
    x: NDArray[np.floating]
    y: NDArray[np.int64]
    x_test: NDArray[np.floating]
    y_test: NDArray[np.int64]
    class_names: tuple[str, ...]
    fingerprint: str
    public_rows: NDArray[np.floating] | LazyArray | None = None
    y_public: NDArray[np.int64] | None = None
    public_key: str | None = None
    thumbnails: Callable[[str, np.ndarray], np.ndarray] | None = None
    rows: NDArray[np.int64] | None = None
    public_names: tuple[str, ...] | None = None
    adversary: Adversary | None = None
    head: Callable[[], Head] | None = None
    texts: Callable[[], np.ndarray] | None = None
    persons: NDArray[np.int64] | None = None
    held_aside: int = 0
    classes_read: bool = False
    notes: tuple[str, ...] = ()
    draw: int = 0

    def __post_init__(self) -> None:
        some = {"x": self.x, "x_test": self.x_test, "x_public": self.public_rows}
        for name, rows in some.items():
            if isinstance(rows, LazyArray):  # checked when they are computed
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

    @classmethod
    def from_arrays(
        cls,
        X: ArrayLike,
        y: ArrayLike,
        X_test: ArrayLike | None = None,
        y_test: ArrayLike | None = None,
        X_public: ArrayLike | None = None,
        y_public: ArrayLike | None = None,
        *,
        classes: Sequence[object] | None = None,
        persons: ArrayLike | None = None,
        name: str = "arrays",
    ) -> Dataset:
        """Return a data set of features in memory; a run finds it by its ``key``.

        Args:
            X: (n, d) private training features, finite numbers; y: (n,) labels of any kind.
            X_test, y_test: test records; accuracies need them.
            X_public, y_public: public records (m, d) and their labels (m,), optional. A label that
                is no private class counts as none.
            classes: all class labels, in order. Without them they are read from ``y`` and
                ``y_test``, and count as public.
            persons: (n,) person of each private record, for user-level guarantees.
            name: start of the key.

        Raises:
            DpvizError: for arrays of wrong shapes, numbers that are not finite, fewer than two
                classes, or a private label that is not in ``classes``.
        """
        x = _features("X", X)
        d = x.shape[1]
        x_test = np.empty((0, d), np.float32) if X_test is None else _features("X_test", X_test, d)
        public = None if X_public is None else _features("X_public", X_public, d)
        labels = _column("y", y, len(x))
        tested = _column("y_test", () if X_test is None else y_test, len(x_test))
        known = _public_column(y_public, public)
        found = classes is None
        names = np.unique(np.concatenate([labels, tested])) if classes is None else classes
        names = [item.item() if isinstance(item, np.generic) else item for item in names]
        if len(set(names)) < max(2, len(names)):
            raise DpvizError(
                f"There must be more than one class, got {quoted(names)}. Set classes."
            )
        number = {name: c for c, name in enumerate(names)}
        arrays: dict[str, np.ndarray] = {
            "X": x,
            "y": _numbered("y", labels, number),
            "X_test": x_test,
            "y_test": _numbered("y_test", tested, number),
        }
        if public is not None:
            arrays["X_public"] = public
        if known is not None:
            arrays["y_public"] = np.array([number.get(v, -1) for v in known.tolist()], np.int64)
        if persons is not None:
            owners = _column("persons", persons, len(x))
            arrays["persons"] = np.unique(owners, return_inverse=True)[1].astype(np.int64)
        fingerprint = content_hash(arrays, names)
        dataset = cls(
            key=f"{IN_MEMORY}{name}:{fingerprint[:12]}.npz",
            encoder=None,
            x=x,
            y=arrays["y"],
            x_test=x_test,
            y_test=arrays["y_test"],
            class_names=tuple(map(str, names)),
            fingerprint=fingerprint,
            public_rows=public,
            y_public=arrays.get("y_public"),
            public_key=None if public is None else "given",
            persons=arrays.get("persons"),
            classes_read=found,
        )
        return dataset.kept_in_memory()

    def kept_in_memory(self) -> Dataset:
        """Make runs find this data set by its key while it is referenced; return it."""
        _in_memory[self.key] = self
        return self

    @staticmethod
    def from_key(key: str) -> Dataset:
        """Return the data set of ``from_arrays`` with this key.

        Raises:
            DpvizError: if its data set is no longer in memory.
        """
        dataset = _in_memory.get(key)
        if dataset is None:
            raise DpvizError(
                f"The arrays of {quoted(key)} are not in memory. Keep the Dataset while you use it."
            )
        return dataset

    def of_records(self, kept: np.ndarray, mark: str) -> Dataset:
        """Return the data set with these private records only; ``mark`` joins the fingerprint.

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
    def x_public(self) -> NDArray[np.floating] | None:
        """(m, d) float32, or float16 above one gigabyte; None without a public set."""
        return self.public_made()

    def public_made(self, progress: ProgressCallback = None) -> NDArray[np.floating] | None:
        """Return ``x_public``; ``progress`` is called during its computation."""
        rows = self.public_rows
        return rows.rows(progress) if isinstance(rows, LazyArray) else rows

    @property
    def has_public(self) -> bool:
        """Whether there is a public set; computes nothing."""
        return self.public_rows is not None

    def map_rows(self, change: Callable[[np.ndarray], np.ndarray]) -> Dataset:
        """Return the data set with ``change`` applied to all rows; lazy rows stay lazy."""
        return dataclasses.replace(
            self,
            x=change(self.x),
            x_test=change(self.x_test),
            public_rows=self.public_changed(change),
        )

    def public_changed(
        self, change: Callable[[np.ndarray], np.ndarray]
    ) -> np.ndarray | LazyArray | None:
        """Return ``public_rows`` with ``change`` applied."""
        rows = self.public_rows
        if isinstance(rows, LazyArray):
            return rows.map_rows(change)
        return None if rows is None else change(rows)

    @property
    def public(self) -> NDArray[np.floating]:
        """``x_public`` of a data set with a public set: (m, d)."""
        found = self.x_public
        assert found is not None
        return found

    @property
    def classes(self) -> int:
        """Number of classes C."""
        return len(self.class_names)

    @property
    def labelled_public(self) -> tuple[NDArray[np.floating], NDArray[np.int64]]:
        """Public records of private classes, by class name: x (k, d), y (k,) in private
        numbering.
        """
        if not self.has_public:
            return np.empty((0, self.x.shape[1]), np.float32), np.empty(0, np.int64)
        rows, y = self.labelled_rows
        return self.public[rows], y

    @property
    def labelled_rows(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Row numbers and labels of ``labelled_public``: two (k,)."""
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
        """Training records per class. Private, unless the guarantee declares them public."""
        return tuple(np.bincount(self.y, minlength=self.classes).tolist())

    @property
    def sizes(self) -> Sizes:
        """Sizes that a plan may use."""
        public = 0 if self.public_rows is None else len(self.public_rows)
        known = {
            "head": self.head is not None,
            "pictures": self.encoder is not None and self.thumbnails is not None,
            "texts": self.texts is not None,
        }
        return Sizes(n=len(self.x), d=self.x.shape[1], counts=self.counts, public=public, **known)


@dataclass(frozen=True)
class Sizes:
    """Sizes that a plan may use. A method that uses ``n`` or ``counts`` must declare them public.

    Attributes:
        n: private records; d: feature dimension; counts: records per class; public: public records.
        head: whether the encoder has a classifier; pictures: whether there are images for it.
        texts: whether the encoder has a text tower.
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
