"""Data sets as features: pictures read, embedded or taken from the cache, with their public set."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import numpy as np

from dpviz import caches, encoders
from dpviz.data import (
    held_aside,
    named_sets,
    private_pictures,
    sets_on_disk,
    synthetic,
    untrusted_files,
    uploads,
)
from dpviz.data.data_set_table import DATASETS, NO_PUBLIC
from dpviz.data.feature_cache import embedded, mark, paced
from dpviz.data.readers import picture_files, public_features
from dpviz.data.readers.picture_sets import Splits, labels_of
from dpviz.data.readers.public_features import PublicFeatures
from dpviz.data.readers.uploaded_features import names_persons, read_npz
from dpviz.data.source import Progress, Source
from dpviz.encoders.encoder import Encoder
from dpviz.formatting import printable
from dpviz.machine import public_mode
from dpviz.machine.accelerator import in_words
from dpviz.types import Dataset, DpvizError
from dpviz.types.dataset import IN_MEMORY, LazyArray, ProgressCallback

SAME_FILES = (
    "The public set {public} has the same files as the private set {private}. Use another public"
    " set, or none."
)
LOADED_BYTES = 2 * 2**30
"""Bytes of the data sets kept in memory; the one loaded last is always kept."""
_loaded: caches.KeyedCache[Dataset] = caches.KeyedCache(
    __name__, 8, LOADED_BYTES, max_held_size=public_mode.cache_bytes
)


def clear() -> None:
    """Forget the data sets and pictures kept in memory; the cache on disk stays."""
    for module in (__name__, named_sets.__name__, sets_on_disk.__name__):
        caches.clear(module)


def load(
    dataset: str,
    encoder: str | None,
    public: str | None = None,
    progress: Progress | None = None,
    classes: str = "",
) -> Dataset:
    """A data set as features, from memory or the cache where it is there.

    Args:
        dataset: a private row of ``DATASETS``, downloaded if it must be, the key of a
            ``Dataset.from_arrays``, or the path of an ``.npz``
            (see ``upload.read_npz``) or of a folder, zip or parquet of pictures (see
            ``folders.read``).
        encoder: a row of ``ENCODERS``; None for an ``.npz``, which holds features already.
        public: one of ``public_choices``, the first by default. Beside an ``.npz`` the path of
            another, or None for the public set that the file may bring itself.
        progress: called with (stage in words, done, total); may raise ``Cancelled``.
        classes: path of a list of the classes, for data of one's own.

    Returns:
        The data set, its arrays read-only; public pictures are embedded when they are first read
        (``Dataset.public_made`` does it with progress).

    Raises:
        DpvizError: for an unknown name, listing the known ones, or a bad file.
    """
    if dataset.startswith(IN_MEMORY):
        return _in_memory(dataset, encoder, public)
    if dataset.endswith(".npz"):
        return _own_features(dataset, encoder, public, progress, classes)
    if synthetic.is_synthetic(dataset):
        return _synthetic(dataset, encoder, public, classes)
    private = named_sets.private(dataset, classes)
    extra, declared = (
        named_sets.public(private, public),
        named_sets.declared_classes(dataset, classes),
    )
    if encoder is None:
        raise DpvizError(
            f"Data set {dataset} has images. Set an encoder, such as {private.encoder}."
        )
    row = encoders.get(encoder)
    return _loaded.get_or_compute(
        (dataset, named_sets.stamp(dataset), encoder, extra and extra.key, declared),
        lambda: _pictures(private, row, extra, progress),
    )


def largest_class(dataset: str) -> int | None:
    """Private records of the largest class of a data set, where it is in memory; None otherwise."""
    names = dataset, Path(dataset).name
    return max((max(d.counts) for d in _loaded.values() if d.key in names), default=None)


def class_counts(dataset: str) -> tuple[int, ...] | None:
    """Private records of each class of a data set, where it is in memory; None otherwise."""
    names = dataset, Path(dataset).name
    return next((d.counts for d in reversed(_loaded.values()) if d.key in names), None)


def notes(dataset: str) -> tuple[str, ...]:
    """Sentences about a data set of one's own, where it is in memory. Private."""
    names = dataset, Path(dataset).name
    return next((d.notes for d in reversed(_loaded.values()) if d.key in names), ())


def one_pool(dataset: str) -> bool:
    """Whether a data draw divides a data set's training and test records; others keep their own
    test records.
    """
    return dataset in DATASETS and DATASETS[dataset].one_pool


def persons_known(dataset: str) -> bool | None:
    """Whether a data set says whose its private records are; None for what cannot be read."""
    if dataset in DATASETS or synthetic.is_synthetic(dataset):
        return dataset in DATASETS and DATASETS[dataset].persons
    if dataset.startswith(IN_MEMORY):
        return Dataset.from_key(dataset).persons is not None
    if dataset.endswith(".npz"):
        return names_persons(Path(dataset))
    try:
        return named_sets.source(dataset).images()["train"].persons is not None
    except DpvizError:
        return None


def _in_memory(dataset: str, encoder: str | None, public: str | None) -> Dataset:
    if encoder is not None or public not in (None, NO_PUBLIC):
        raise DpvizError(
            "Arrays are features with their own public set. Leave encoder and public out, or use"
            " public none."
        )
    found = Dataset.from_key(dataset)
    return public_features.left_out(found) if public == NO_PUBLIC else found


def _own_features(
    dataset: str,
    encoder: str | None,
    public: str | None,
    progress: Progress | None,
    classes: str,
) -> Dataset:
    """The data set of a file of features, with a public set from the same file or another."""
    if encoder is not None:
        raise DpvizError(f"{Path(dataset).name} has features already. Leave the encoder out.")
    if public not in (None, NO_PUBLIC) and not public.endswith(".npz"):
        raise DpvizError(
            f"Public set {public!r} cannot be used with a file of features. Use an .npz file with"
            " features of the same encoder, or none."
        )
    listed = named_sets.declared_classes(dataset, classes)
    key = (_file_stamp(dataset), listed)
    own = lambda: _loaded.get_or_compute(key, lambda: _features(Path(dataset), progress, listed))
    if public is None:
        return own()
    if public == NO_PUBLIC:
        return _loaded.get_or_compute((*key, public), lambda: public_features.left_out(own()))

    def load_both() -> Dataset:
        check_not_same(Path(dataset), Path(public))
        return public_features.attach(own(), _public_features(Path(public), progress))

    return _loaded.get_or_compute((*key, _file_stamp(public)), load_both)


def _features(path: Path, progress: Progress | None, classes: tuple[str, ...]) -> Dataset:
    if uploads.is_upload(path):
        return untrusted_files.features(path, progress, classes)
    return read_npz(path, path.name, classes)


def _public_features(path: Path, progress: Progress | None) -> PublicFeatures:
    if uploads.is_upload(path):
        return untrusted_files.public_features(path, progress)
    return public_features.read(path, path.name)


def _file_stamp(path: str) -> tuple:
    try:
        stat = Path(path).stat()
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise DpvizError(
            f"{path} cannot be read ({getattr(error, 'strerror', error)}). Give the path of an"
            " .npz file."
        ) from None
    return (str(Path(path).resolve()), stat.st_mtime_ns, stat.st_size)


def _synthetic(dataset: str, encoder: str | None, public: str | None, classes: str) -> Dataset:
    if classes:
        raise DpvizError("Synthetic features have their own classes. Leave --classes out.")
    if encoder is not None or public not in (None, synthetic.PUBLIC):
        raise DpvizError(
            f"Synthetic features need no encoder and have one public set, {synthetic.PUBLIC}."
            " Leave encoder and public empty."
        )
    name = synthetic.canonical(dataset)
    return _loaded.get_or_compute((name,), lambda: synthetic.make(name))


def check_not_same(private: Path, public: Path | None) -> None:
    """Compare the files as a whole, and no record with another.

    Args:
        private, public: file or folder of a set; None for a public set that comes with dpviz.

    Raises:
        DpvizError: if both are one file by path, link or content, or one folder holds the other.
    """
    if public and _is_same(private, public):
        names = {"private": printable(str(private)), "public": printable(str(public))}
        raise DpvizError(SAME_FILES.format(**names))


def _is_same(a: Path, b: Path) -> bool:
    with suppress(OSError):  # a missing file is refused where it is read
        first, second = a.resolve(), b.resolve()
        if first.is_relative_to(second) or second.is_relative_to(first) or a.samefile(b):
            return True
        if a.is_file() and b.is_file() and a.stat().st_size == b.stat().st_size:
            return _digest(a) == _digest(b)
    return False


def _digest(path: Path) -> bytes:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()


def _ready(row: Source, progress: Progress | None) -> Splits:
    """The pictures of a row, downloaded first where that is possible."""
    if row.fetch and not row.is_on_disk():
        row.fetch(progress)
    return row.images()


def _pictures(
    private: Source, encoder: Encoder, public: Source | None, progress: Progress | None
) -> Dataset:
    if public and private.key not in DATASETS:
        check_not_same(Path(private.key), public.place())
    splits = _ready(private, progress)
    if public and public.fetch and not public.is_on_disk():
        public.fetch(progress)  # before hours of embedding, not after
    parts = private_pictures.features(private, encoder, progress)
    train, test = splits["train"], splits["test"]
    x, y = parts["train"], labels_of(train)
    rows, held_rows = np.arange(len(y)), np.empty(0, np.int64)
    public_rows: np.ndarray | LazyArray | None = None
    y_public, print_public = None, NO_PUBLIC
    if public and public.part_of == private.key:
        held_rows = held_aside.rows(private)
        public_rows = _frozen(x[held_rows]) if len(held_rows) else None
        y_public = y[held_rows] if len(held_rows) else None
        print_public = f"{public.key} {held_aside.mark(private)}"
        rows = np.delete(rows, held_rows)
        x = x[rows]
    elif public:
        public_rows, y_public, print_public = _pool(public, encoder)
    marks = [
        mark(splits[name], encoder, partial(parts.__getitem__, name)) for name in ("train", "test")
    ]
    if train.persons is not None:
        marks.append(hashlib.sha256(train.persons.tobytes()).hexdigest())
    if private.key not in DATASETS:
        own = private.names(), y.tolist(), labels_of(test).tolist()
        marks.append(hashlib.sha256(repr(own).encode()).hexdigest())
    return Dataset(
        key=private.key,
        encoder=encoder.key,
        x=_frozen(x),
        y=_frozen(y[rows]),
        x_test=parts["test"],
        y_test=_frozen(labels_of(test)),
        class_names=private.names(),
        fingerprint=hashlib.sha256(" ".join([*marks, print_public]).encode()).hexdigest(),
        public_rows=public_rows,
        y_public=None if y_public is None else _frozen(y_public),
        public_key=None if public is None or public_rows is None else public.key,
        thumbnails=_thumbnails(private, public),
        rows=_frozen(rows),
        public_names=(public.names() or None) if public else None,
        head=encoder.head,
        texts=partial(encoder.texts, private.names()) if encoder.texts else None,
        persons=None if train.persons is None else _frozen(train.persons[rows]),
        held_aside=len(held_rows),
        classes_read=private.classes_read,
    )


def _pool(public: Source, encoder: Encoder) -> tuple[LazyArray, np.ndarray | None, str]:
    """Features, labels (None without) and a mark of a public set: all its splits in a row. They are
    embedded when they are first read; most of what reads private records needs none.
    """
    base = DATASETS[public.part_of] if public.part_of else public
    splits = list(base.images().values())
    y = None if splits[0].labels is None else _joined([labels_of(split) for split in splits])
    marks = [mark(split, encoder, partial(embedded, split, encoder)) for split in splits]
    in_classes: np.ndarray | None = None
    if public.part_of and y is not None:
        in_classes = (y >= public.keeps.start) & (y < public.keeps.stop)
        y = y[in_classes]

    def embed(report_progress: ProgressCallback) -> np.ndarray:
        report = _stage(f"Embedding {public.title} on {in_words()}", report_progress)
        x = _joined([embedded(split, encoder, report) for split in splits])
        return _frozen(x if in_classes is None else x[in_classes])

    count = sum(map(len, splits)) if in_classes is None else int(in_classes.sum())
    return LazyArray(count, embed), y, " ".join([*marks, public.key])


def _joined(parts: list[np.ndarray]) -> np.ndarray:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _thumbnails(private: Source, public: Source | None) -> Callable[[str, np.ndarray], np.ndarray]:
    def thumbnails(split: str, indices: np.ndarray) -> np.ndarray:
        if split != "public" or public is None:
            return private_pictures.thumbnails(private, split, indices)
        if public.part_of == private.key:
            held_rows = held_aside.rows(private)
            return private_pictures.thumbnails(private, "train", held_rows[indices])
        parts = list(public.images().values())
        starts = np.cumsum([0, *map(len, parts)])
        part = np.searchsorted(starts, indices, side="right") - 1
        return np.stack(
            [
                picture_files.thumbnails(parts[p], np.array([i - starts[p]]))[0]
                for p, i in zip(part, indices, strict=True)
            ]
        )

    return thumbnails


def _stage(text: str, progress: Progress | None) -> Callable[[int, int], None] | None:
    return paced(text, progress) if progress else None


def _frozen(array: np.ndarray) -> np.ndarray:
    view = array.view()
    view.setflags(write=False)
    return view
