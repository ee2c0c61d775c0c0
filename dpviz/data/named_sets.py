"""What a name stands for: a row of the table, or a folder or file of one's own; and which public
sets go with it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from dpviz import caches
from dpviz.data import held_aside, synthetic, uploads
from dpviz.data.data_set_table import DATASETS, HELD_ASIDE, NO_PUBLIC, PHOTOS
from dpviz.data.readers import class_lists, folders, people, picture_files, picture_sets
from dpviz.data.readers.picture_sets import Splits
from dpviz.data.readers.uploaded_pictures import Sorted
from dpviz.data.source import Source
from dpviz.encoders import availability
from dpviz.types import DpvizError


def public_choices(dataset: str) -> tuple[str, ...]:
    """Public sets that go with a private set of pictures, the default first; some may not be on
    disk.
    """
    if synthetic.is_synthetic(dataset):
        return (synthetic.PUBLIC,)
    row = DATASETS.get(dataset)
    photos = (key for key in PHOTOS if key != HELD_ASIDE)
    suits = row.public if row else (NO_PUBLIC, *photos, *_public_rows())
    return tuple(dict.fromkeys(k for k in (*suits, HELD_ASIDE) if k != dataset))


def _public_rows() -> Iterator[str]:
    """Every public set: nobody but who brought pictures knows what they show."""
    return (r.key for r in DATASETS.values() if "public" in r.roles and r.key != HELD_ASIDE)


def variants(dataset: str) -> dict[str, str]:
    """Private sets of the same records as a data set, itself included: key to the words that tell
    them apart. Empty for a set that has no other.
    """
    row = DATASETS.get(dataset)
    if row is None or not row.variant:
        return {}
    whole = row.part_of or row.key
    family = (source for source in DATASETS.values() if whole in (source.key, source.part_of))
    return {source.key: source.variant for source in family if source.variant}


def shares_classes(dataset: str, public: str) -> bool:
    """Whether a class of a public set bears a private class's name; True where names are not known
    before the files are read.

    Raises:
        DpvizError: as ``source``.
    """
    public_set = DATASETS.get(public)
    if public_set is None or not public_set.class_names or public == HELD_ASIDE:
        return True
    own = source(dataset).class_names
    return not own or not public_set.kept_names(public_set.class_names).isdisjoint(own)


def public_available(dataset: str) -> tuple[str, ...]:
    """Those of ``public_choices`` that are on disk."""
    return tuple(
        key for key in public_choices(dataset) if key not in DATASETS or DATASETS[key].is_on_disk()
    )


def public_compared(dataset: str, selected: str | None) -> tuple[str, ...]:
    """Public sets on disk to compare. Images of one's own are held aside only where they already
    are.
    """
    own = dataset not in DATASETS and selected != HELD_ASIDE
    left_out = (NO_PUBLIC, HELD_ASIDE) if own else (NO_PUBLIC,)
    return tuple(key for key in public_available(dataset) if key not in left_out)


def default_public(dataset: str) -> str | None:
    """The public set of a data set for which none is named: ``NO_PUBLIC`` for images of one's own,
    None for a file of features, which may bring its own.
    """
    return None if dataset.endswith(".npz") else public_choices(dataset)[0]


def suiting_encoder(dataset: str) -> str:
    """The encoder to begin with on pictures, of which an upload may be named as a link does: a key
    of the encoder table.
    """
    if dataset in DATASETS:
        return DATASETS[dataset].encoder
    upload = dataset if uploads.NAME.fullmatch(dataset) else Path(dataset).stem
    return availability.for_colour() if _sorting(upload).colour else Source.encoder


def title(public: str) -> str:
    """A public set by its key, for people; one of one's own by the name of its file."""
    if public == NO_PUBLIC:
        return "None"
    return DATASETS[public].title if public in DATASETS else uploads.display_name(public) or public


def source(name: str, classes: str = "") -> Source:
    """The row of that name, or one made for a folder, zip or parquet file of pictures.

    Args:
        classes: path of a list of classes, for data of one's own.

    Raises:
        DpvizError: for an unknown name, listing the known ones, or files that hold no usable
            pictures.
    """
    if name in DATASETS:
        if classes:
            raise DpvizError(f"Data set {name} has its own classes. Leave --classes out.")
        return DATASETS[name]
    if _own_pictures(Path(name)):
        return _own(name, stamp(name), declared_classes(name, classes))
    choices = ", ".join(row.key for row in DATASETS.values() if "private" in row.roles)
    raise DpvizError(
        f"Unknown data set {name!r}. Use one of {choices}, or the path of an .npz file of"
        " features, or of a folder, .zip or .parquet file of images."
    )


def _own_pictures(path: Path) -> bool:
    try:
        return path.is_dir() or (path.suffix in (".zip", ".parquet") and path.exists())
    except (OSError, ValueError):  # a name that no file can have
        return False


def declared_classes(dataset: str, classes: str = "") -> tuple[str, ...]:
    """Classes of data of one's own: as listed in a file (``classes``), or as confirmed for an
    upload; none otherwise.

    Raises:
        DpvizError: for a file that is no list of classes.
    """
    if classes:
        return class_lists.read(Path(classes))
    if not uploads.is_upload(Path(dataset)):
        return ()
    confirmed = uploads.classes(Path(dataset).stem)
    return class_lists.read(confirmed) if confirmed.exists() else ()


@caches.cached(4)
def _own(path: str, stamp: tuple, classes: tuple[str, ...]) -> Source:
    """The row of a folder or file of the user's, read once until it changes."""
    pictures = folders.read(Path(path), classes=classes)
    return Source(
        key=path,
        title=uploads.numbered(path) or Path(path).name,
        source="your own images",
        licence="known to you",
        checked="the files",
        roles=("private",),
        size=" and ".join(f"{len(split):,} {name}" for name, split in pictures.splits.items()),
        class_names=pictures.class_names,
        images=lambda: pictures.splits,
        public=PHOTOS,
        refused=pictures.refused,
        notes=_sorting(Path(path).stem).notes if uploads.is_upload(Path(path)) else pictures.notes,
        aside_in=held_aside.ONE_IN,
        classes_read=pictures.classes_read,
    )


def _sorting(upload: str) -> Sorted:
    """What became of an upload when it was sorted; its pictures lie in other folders since."""
    report = uploads.report(upload)
    with suppress(OSError, ValueError):  # none, or damaged
        return _read_report(report, _change_mark(report))
    return Sorted((), ())


@caches.cached(16)
def _read_report(report: Path, change_mark: tuple[int, int]) -> Sorted:
    return Sorted.read(report.read_bytes())


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
    parts = [
        p
        for folder in ([path, *inside] if path.is_dir() else [])
        for p in folder.iterdir()
        if p.name.lower().endswith((people.ENDING, class_lists.FILE))
    ]
    confirmed = uploads.classes(path.stem)
    parts += [confirmed] if uploads.is_upload(path) and confirmed.exists() else []
    return tuple((str(p), *_change_mark(p)) for p in (path, *inside, *deeper, *parts))


def _change_mark(path: Path) -> tuple[int, int]:
    """When and to what size; of a link that leads nowhere itself."""
    try:
        status = path.stat()
    except OSError:
        status = path.lstat()
    return status.st_mtime_ns, status.st_size


def private(name: str, classes: str = "") -> Source:
    """The row of that name, which may be protected; ``classes`` as ``source`` takes it.

    Raises:
        DpvizError: as ``source``, and for one that is public.
    """
    row = source(name, classes)
    if "private" not in row.roles:
        choices = ", ".join(row.key for row in DATASETS.values() if "private" in row.roles)
        raise DpvizError(f"Data set {name!r} is public. Use one of {choices}.")
    return row


def public(private: Source, name: str | None) -> Source | None:
    """The public set of that name beside a private one, its default without a name; None for no
    public set.

    Raises:
        DpvizError: for one that does not go with it, listing those that do.
    """
    choices = public_choices(private.key)
    name = name or choices[0]
    if name not in choices:
        raise DpvizError(
            f"Public set {name!r} cannot be used with {private.key}. Use one of"
            f" {', '.join(choices)}."
        )
    if name == NO_PUBLIC:
        return None
    return _held_aside(private) if name == HELD_ASIDE else DATASETS[name]


def _held_aside(private: Source) -> Source:
    """The part of a private set's training records that is public by choice."""

    def images() -> Splits:
        train = private.images()["train"]
        return {"public": picture_files.pick(train, held_aside.rows(private))}

    return dataclasses.replace(
        DATASETS[HELD_ASIDE],
        class_names=private.class_names,
        read_names=private.names,
        images=images,
        part_of=private.key,
    )
