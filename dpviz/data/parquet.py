"""Parquet files of pictures. Names and sizes are read at once, pictures when they are needed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dpviz.data.folders import MAX_NAME, TEST, TRAIN, Member, Pictures, by_hash, check_classes, mark
from dpviz.data.pictures import FromParquet, pick
from dpviz.types import DpvizError, Files


PARQUET_GROUP = 4 * 2**30
"""Bytes that a row group may unpack to: it is read whole."""


def read(title: str, shards: Sequence[Path], unlabelled: bool = False) -> Pictures:
    """The pictures of parquet files as data set hubs write them: a column of encoded bytes, and ``label``.

    Args:
        title: how messages call them; shards: the files, ``train-…`` and ``test-…`` or split here.
        unlabelled: take all rows as one public set.

    Raises:
        DpvizError: for anything else, in one sentence.
    """
    said = {split: [p for p in shards if p.name.lower().startswith(names)] for split, names in (("train", TRAIN), ("test", TEST))}
    if unlabelled:
        rows = _rows(shards, title)
        return Pictures({"public": Files(None, rows.read, rows.mark, rows.n)}, ())
    if said["train"] and said["test"]:
        parts = {split: _rows(mine, title) for split, mine in said.items()}
        return _from_labels(title, {split: (part, np.arange(part.n)) for split, part in parts.items()})
    whole = _rows(shards, title)
    test = np.array([by_hash(f"row {i}") == "test" for i in range(whole.n)])
    return _from_labels(title, {"train": (whole, np.flatnonzero(~test)), "test": (whole, np.flatnonzero(test))})


@dataclass(frozen=True, eq=False)
class _Rows:
    """Rows of parquet files: reader, mark, count, and labels with their names (both None without)."""

    read: FromParquet
    mark: str
    n: int
    labels: np.ndarray | None
    names: tuple[str, ...] | None


def _rows(shards: Sequence[Path], title: str) -> _Rows:
    import pyarrow
    import pyarrow.parquet

    groups, stamps, labels, n = [], [], [], 0
    try:
        for path in shards:
            file = pyarrow.parquet.ParquetFile(path)
            schema = file.schema_arrow
            column, label = _columns(schema, title)
            for group in range(file.metadata.num_row_groups):
                meta = file.metadata.row_group(group)
                if meta.total_byte_size > PARQUET_GROUP:
                    raise DpvizError(f"{path.name} has a row group of {meta.total_byte_size >> 20} MiB; write smaller row groups.")
                groups.append((str(path), group, n))
                n += meta.num_rows
            if label:
                labels.append(file.read(columns=[label]).column(0).to_numpy())
            found = path.stat()
            stamps.append(Member(path.name, f"{found.st_size} {found.st_mtime_ns}"))
    except (pyarrow.ArrowException, OSError) as error:
        raise DpvizError(f"{title} is not a readable parquet file ({str(error)[:80]}); write it again.") from None
    names = _label_names(schema, label) if label else None
    return _Rows(FromParquet(tuple(groups), column), mark(stamps), n, np.concatenate(labels) if labels else None, names)


def _columns(schema, title: str) -> tuple[str, str | None]:
    """Name of the picture column and of the label column, if there is one."""
    import pyarrow.types as kinds

    def holds_pictures(kind) -> bool:
        binary = kinds.is_binary(kind) or kinds.is_large_binary(kind)
        return binary or (kinds.is_struct(kind) and kind.get_field_index("bytes") >= 0)

    pictures = [field.name for field in schema if holds_pictures(field.type)]
    if not pictures:
        raise DpvizError(f"{title} has no column of encoded pictures; store a binary column named image.")
    labels = [name for name in ("label", "labels", "fine_label") if name in schema.names]
    return ("image" if "image" in pictures else pictures[0]), (labels[0] if labels else None)


def _label_names(schema, label: str) -> tuple[str, ...] | None:
    """Class names that the ``datasets`` library keeps beside the schema."""
    try:
        features = json.loads((schema.metadata or {})[b"huggingface"])["info"]["features"]
        names = features[label]["names"]
        return tuple(str(name) for name in names)
    except (KeyError, TypeError, ValueError):
        return None


def _from_labels(title: str, parts: dict[str, tuple[_Rows, np.ndarray]]) -> Pictures:
    """Splits with labels 0..C-1, whatever the label column holds."""
    if any(part.labels is None for part, _ in parts.values()):
        raise DpvizError(f"{title} has no column named label; add one with a class a row.")
    known = next(iter(parts.values()))[0].names
    raw = {split: part.labels[rows] for split, (part, rows) in parts.items()}
    values, number = np.unique(np.concatenate([raw["train"], raw["test"]]), return_inverse=True)
    named = known is not None and values.dtype.kind in "iu" and 0 <= values[0] and values[-1] < len(known)
    names = tuple(known[v] if named else str(v)[:MAX_NAME] for v in values.tolist())
    cut = len(raw["train"])
    labels = {"train": number[:cut], "test": number[cut:]}
    check_classes(title, [(None, split, names[c]) for split, found in labels.items() for c in np.unique(found)])
    splits = {}
    for split, (part, rows) in parts.items():
        picked = pick(Files(None, part.read, part.mark, part.n), rows)
        splits[split] = Files(labels[split].astype(np.int64), picked.read, picked.mark)
    return Pictures(splits, names)
