"""Parquet files of pictures, and the Arrow files of ``datasets.save_to_disk``. Names and sizes are
read at once, pictures when needed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from dpviz.data import limits
from dpviz.data.readers import people
from dpviz.data.readers.content_marks import ContentMark, checksums
from dpviz.data.readers.parquet_files import (
    ARROW,
    arrow_table,
    leaf,
    opened,
    readable,
    row_by_row,
)
from dpviz.data.readers.picture_files import FromParquet, pick
from dpviz.data.readers.picture_sets import (
    TEST,
    TRAIN,
    Member,
    Pictures,
    by_hash,
    check_classes,
    check_names,
    check_number,
    size_and_date,
)
from dpviz.types import DpvizError, Files

if TYPE_CHECKING:
    import pyarrow


def read(
    title: str,
    shards: Sequence[Path],
    unlabelled: bool = False,
    classes: tuple[str, ...] = (),
) -> Pictures:
    """The pictures of parquet files as data set hubs write them: a column of encoded bytes,
    ``label``, and ``person`` where it is known whose they are.

    Args:
        title: how messages call them; shards: the files, ``train-…`` and ``test-…`` or split here.
        unlabelled: take all rows as one public set.
        classes: as declared; without, the names that the hub keeps beside the schema, if any.

    Raises:
        DpvizError: for anything else, in one sentence.
    """
    names_by_split = {
        split: [p for p in shards if _says(p, names)]
        for split, names in (("train", TRAIN), ("test", TEST))
    }
    if unlabelled:
        rows = _rows(shards, title)
        return Pictures({"public": Files(None, rows.read, rows.mark, rows.n)}, ())
    if names_by_split["train"] and names_by_split["test"]:
        parts = {split: _rows(files, title) for split, files in names_by_split.items()}
        rows_by_split = {split: (part, np.arange(part.n)) for split, part in parts.items()}
        return _from_labels(title, rows_by_split, classes)
    whole = _rows(shards, title)
    owners = whole.persons or _contents(whole)
    test = np.array([by_hash(name) == "test" for name in owners])
    halves = {"train": (whole, np.flatnonzero(~test)), "test": (whole, np.flatnonzero(test))}
    return _from_labels(title, halves, classes)


def _contents(rows: _Rows) -> list[str]:
    """A name for each row by its image alone: another row more or less changes none."""
    sums = checksums(Files(None, rows.read, rows.mark, rows.n))
    return [content_name(crc, size) for crc, size in sums.tolist()]


def content_name(crc: int, size: int) -> str:
    """What decides whether a row without a person is for the test."""
    return f"{crc} {size}"


def shards(folder: Path) -> list[Path]:
    """Parquet files below a folder, or else the Arrow files that ``datasets`` saved there."""
    # os.walk goes on where a folder is gone or may not be looked into
    files = (Path(inside, name) for inside, _, names in os.walk(folder) for name in names)
    found_files = sorted(islice(files, limits.ROWS + 1))
    # what ``datasets`` computed on the way begins with cache-
    paths = [path for path in found_files if not path.name.startswith("cache-")]
    of_kind = lambda ending: [path for path in paths if path.name.endswith(ending)]
    return of_kind(".parquet") or of_kind(ARROW)


def _says(path: Path, names: tuple[str, ...]) -> bool:
    """Whether a file is named after one of these splits, or an Arrow file's folder is."""
    return path.name.lower().startswith(names) or (
        path.suffix == ARROW and path.parent.name.lower() in names
    )


# ------------------------------------------------------------------------------------------ uploads


def declared_size(path: Path, title: str) -> tuple[int, int]:
    """Rows of an upload, and the bytes that its footer says they unpack to.

    Raises:
        DpvizError: if it is no parquet file.
    """
    with readable(title):
        meta = opened(path, title).metadata
        groups = range(meta.num_row_groups)
        return meta.num_rows, sum(meta.row_group(group).total_byte_size for group in groups)


def spelled_out(path: Path, title: str, max_bytes: int) -> int:
    """Bytes of an upload's pictures and labels, each as often as a row names it; counting ends
    beyond ``max_bytes``.

    Raises:
        DpvizError: as ``rows``.
    """
    total = 0
    for row in _rows_of(path, title)[0]:
        total += row.nbytes
        if total > max_bytes:
            break
    return total


def declared(path: Path, title: str) -> tuple[str, ...]:
    """The class names that an upload keeps beside its schema; none without.

    Raises:
        DpvizError: as ``rows``.
    """
    with readable(title):
        schema = opened(path, title).schema_arrow
        label = _columns(schema, title)[1]
    names = (_label_names(schema, label, title) or ()) if label else ()
    check_names(title, names)
    return names


def rows(path: Path, title: str) -> Iterator[tuple[bytes | None, str | None, str | None]]:
    """(encoded picture, class, person) of each row of an upload, one by one; a person is "" where
    it lacks and None in a file without persons.

    Raises:
        DpvizError: if it has no pictures or no labels, or is damaged.
    """
    batches, names = _rows_of(path, title)
    for row in batches:
        picture, label, *person = (row.column(i)[0].as_py() for i in range(row.num_columns))
        content = picture.get("bytes") if isinstance(picture, dict) else picture
        owner = ("" if person[0] is None else str(person[0])) if person else None
        yield content, _class_name(label, names), owner


def _rows_of(
    path: Path, title: str
) -> tuple[Iterator[pyarrow.RecordBatch], tuple[str, ...] | None]:
    """Picture and label of each row of an upload, and the names of the labels."""
    with readable(title):
        file = opened(path, title)
        column, label = _columns(file.schema_arrow, title)
        if label is None:
            raise _unlabelled(title)
        columns = [label, *_person(file.schema_arrow, title)]
        leaves = [leaf(file.schema_arrow, column), *columns]

    def record_batches() -> Iterator[pyarrow.RecordBatch]:
        with readable(title):
            for row in row_by_row(file, leaves):
                yield row.select([column, *columns])

    return record_batches(), _label_names(file.schema_arrow, label, title)


def _class_name(value: Any, names: tuple[str, ...] | None) -> str | None:
    if value is None or value != value:  # not a number
        return None
    return (
        names[value] if names and isinstance(value, int) and 0 <= value < len(names) else str(value)
    )


def _unlabelled(title: str) -> DpvizError:
    return DpvizError(f"{title} has no column label. Add one with the class of each row.")


# ------------------------------------------------------------------------------------------ readers


@dataclass(frozen=True, eq=False)
class _Rows:
    """Rows of parquet files: reader, mark, count, labels and their names (None without), whose
    each is (empty where not known).
    """

    read: FromParquet
    mark: ContentMark
    n: int
    labels: np.ndarray | None
    names: tuple[str, ...] | None
    persons: list[str]


def _rows(shards: Sequence[Path], title: str) -> _Rows:
    groups, stamps, labels, persons, n = [], [], [], [], 0
    root = Path(os.path.commonpath([path.parent for path in shards]))
    with readable(title):
        for path in shards:
            schema, sizes, column_of = _opened(path)
            column, label = _columns(schema, title)
            for group, size in enumerate(sizes):
                groups.append((str(path), group, n))
                n += size
            if label:
                labels.append(_label_values(column_of(label), title))
            for person in _person(schema, title):
                persons += _person_names(column_of(person), title)
            if n > limits.ROWS:
                raise DpvizError(f"{title} has too many rows. The limit is {limits.ROWS:,}.")
            name = path.relative_to(root).as_posix()
            stamps.append(Member(name, size_and_date(path.stat())))
    if not n:
        raise DpvizError(f"{title} has no rows. Store one image per row.")
    if labels and sum(map(len, labels)) != n:
        raise DpvizError(f"{title} does not have one label per row. Write it again.")
    if persons and len(persons) != n:
        raise DpvizError(
            f"Only some files of {title} have a column person. Add the column to all files or to"
            " none."
        )
    names = _label_names(schema, label, title) if label else None
    return _Rows(
        FromParquet(tuple(groups), column),
        ContentMark(root, stamps),
        n,
        np.concatenate(labels) if labels else None,
        names,
        persons,
    )


def _opened(path: Path) -> tuple[Any, list[int], Callable[[str], Any]]:
    """Schema of a file, rows of each group that is read as one, and a reader of a whole column."""
    if path.suffix == ARROW:  # mapped into memory, so one group is as good as many
        table = arrow_table(str(path))
        return table.schema, [table.num_rows], table.column
    file = opened(path, path.name)
    metas = [file.metadata.row_group(group) for group in range(file.metadata.num_row_groups)]
    large = next((meta for meta in metas if meta.total_byte_size > limits.PARQUET_GROUP), None)
    if large:
        raise DpvizError(
            f"{path.name} has a row group of {large.total_byte_size >> 20} MiB. Write smaller row"
            " groups."
        )
    return (
        file.schema_arrow,
        [meta.num_rows for meta in metas],
        lambda name: opened(path, path.name, [name]).read(columns=[name]).column(0),
    )


def _columns(schema: pyarrow.Schema, title: str) -> tuple[str, str | None]:
    """Name of the picture column and of the label column, if there is one."""
    import pyarrow.types as kinds

    def holds_pictures(kind: pyarrow.DataType) -> bool:
        binary = kinds.is_binary(kind) or kinds.is_large_binary(kind)
        return binary or (kinds.is_struct(kind) and kind.get_field_index("bytes") >= 0)

    pictures = [field.name for field in schema if holds_pictures(field.type)]
    if not pictures:
        raise DpvizError(
            f"{title} has no column of encoded images. Store a binary column named image."
        )
    labels = [name for name in ("label", "labels", "fine_label") if name in schema.names]
    if labels and not _holds_labels(schema.field(labels[0]).type):
        raise DpvizError(
            f"{title} has labels of type {str(schema.field(labels[0]).type)[:40]}. Store whole"
            " numbers or text."
        )
    return ("image" if "image" in pictures else pictures[0]), (labels[0] if labels else None)


def _person(schema: pyarrow.Schema, title: str) -> list[str]:
    """The column that tells whose each picture is, if there is one."""
    import pyarrow.types as kinds

    if "person" not in schema.names:
        return []
    kind = schema.field("person").type
    if not _holds_labels(kind) or kinds.is_floating(kind):
        raise DpvizError(
            f"{title} has persons of type {str(kind)[:40]}. Store whole numbers or text."
        )
    return ["person"]


def _person_names(column: pyarrow.ChunkedArray, title: str) -> list[str]:
    """Persons of a file, one a row, each with a plain name."""
    names = ["" if value is None else str(value) for value in column.to_pylist()]
    bad = {name for name in set(names) if people.name_reason(name)}
    if bad:
        row = next(row for row, name in enumerate(names) if name in bad)
        raise DpvizError(
            f"{title} must have a person in row {row} with a printable name of at most"
            f" {limits.NAME} characters. Add the name, or remove the row."
        )
    return names


def _holds_labels(kind: pyarrow.DataType) -> bool:
    import pyarrow.types as kinds

    plain = kind.value_type if kinds.is_dictionary(kind) else kind
    fits = kinds.is_integer, kinds.is_boolean, kinds.is_floating, kinds.is_string
    return any(fit(plain) for fit in (*fits, kinds.is_large_string))


def _label_values(column: pyarrow.ChunkedArray, title: str) -> np.ndarray:
    """Labels of a file (n,), of which none may lack."""
    import pyarrow.compute as compute
    import pyarrow.types as kinds

    row = compute.index(column.is_null(nan_is_null=True), True).as_py()
    if row >= 0:
        raise DpvizError(f"{title} has no label in row {row}. Add a label, or remove the row.")
    if not kinds.is_dictionary(column.type):
        return column.to_numpy()
    parts = [
        np.array(part.dictionary.to_pylist(), object)[part.indices.to_numpy()]
        for part in column.chunks
    ]
    return np.concatenate(parts) if parts else np.empty(0, object)


def _label_names(schema: pyarrow.Schema, label: str, title: str) -> tuple[str, ...] | None:
    """Class names that the ``datasets`` library keeps beside the schema."""
    try:
        metadata = json.loads((schema.metadata or {}).get(b"huggingface", b"{}"))
    except (ValueError, RecursionError):
        raise DpvizError(
            f"{title} has invalid JSON in its huggingface metadata. Write it again."
        ) from None
    try:
        names = metadata["info"]["features"][label]["names"]
    except (KeyError, TypeError, IndexError):
        return None
    whole = isinstance(names, list) and all(isinstance(name, str) for name in names)
    return tuple(names) if whole else None


def _from_labels(
    title: str, parts: dict[str, tuple[_Rows, np.ndarray]], classes: tuple[str, ...]
) -> Pictures:
    """Splits with labels 0..C-1, whatever the label column holds."""
    raw = {s: part.labels[rows] for s, (part, rows) in parts.items() if part.labels is not None}
    if len(raw) < len(parts):
        raise _unlabelled(title)
    hub = next(iter(parts.values()))[0].names or ()
    values, number = np.unique(np.concatenate([raw["train"], raw["test"]]), return_inverse=True)
    hub = hub if values.dtype.kind in "iu" else ()
    class_names = tuple(hub[v] if hub and 0 <= v < len(hub) else str(v) for v in values.tolist())
    check_number(title, len(values))
    check_names(title, class_names)
    cut = len(raw["train"])
    classes_by_split = {"train": np.unique(number[:cut]), "test": np.unique(number[cut:])}
    placed = [
        (None, split, class_names[c])
        for split, classes_of_split in classes_by_split.items()
        for c in classes_of_split
    ]
    names, lacking = check_classes(title, placed, classes or hub)
    check_names(title, names)
    table = np.array([names.index(name) for name in class_names], np.int64)
    labels = {"train": table[number[:cut]], "test": table[number[cut:]]}
    senders = {split: _sender_column(title, part, rows) for split, (part, rows) in parts.items()}
    splits = {}
    for split, (part, rows) in parts.items():
        picked = pick(Files(None, part.read, part.mark, part.n), rows)
        splits[split] = Files(labels[split], picked.read, picked.mark, persons=senders[split])
    notes = (*lacking, *people.duplicate_owners(senders["train"], senders["test"]))
    return Pictures(splits, names, notes=notes, classes_read=not (classes or hub))


def _sender_column(title: str, part: _Rows, rows: np.ndarray) -> np.ndarray | None:
    return people.numbers(title, (part.persons[row] for row in rows)) if part.persons else None
