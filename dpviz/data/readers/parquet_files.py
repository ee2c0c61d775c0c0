"""Parquet and Arrow files opened within bounds. Many rows may name one large picture, so pictures
are read row by row and what they come to is counted.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from dpviz.caches import cached
from dpviz.data import limits
from dpviz.data.readers.plain_files import check_footer, check_plain
from dpviz.formatting import printable
from dpviz.types import DpvizError

if TYPE_CHECKING:
    import pyarrow
    from pyarrow.parquet import ParquetFile

ARROW = ".arrow"


@contextmanager
def readable(title: str) -> Iterator[None]:
    """Refuse in a sentence what Arrow cannot read."""
    try:
        yield
    except DpvizError:
        raise
    except MemoryError:
        raise DpvizError(f"{title} does not fit into memory. Write smaller row groups.") from None
    except Exception as error:  # Arrow raises whatever its parser trips over
        reason = printable(" ".join(str(error).split())[:80])
        raise DpvizError(
            f"{title} is not a readable parquet or Arrow file ({reason}). Write it again."
        ) from None


def opened(path: str | Path, title: str, words: Sequence[str] = ()) -> ParquetFile:
    """A parquet file, once its footer is no longer than agreed.

    Args:
        path: of the file; title: how messages call it.
        words: columns of text that is held once, however many rows name it.

    Raises:
        DpvizError: for a longer footer, or what is no parquet file.
    """
    import pyarrow.parquet

    with readable(title):
        check_footer(path, title)
        return pyarrow.parquet.ParquetFile(path, read_dictionary=list(words))


def leaf(schema: pyarrow.Schema, column: str) -> str:
    """What to read of a column of pictures: of a record its bytes alone."""
    import pyarrow.types as kinds

    return f"{column}.bytes" if kinds.is_struct(schema.field(column).type) else column


def row_by_row(
    file: ParquetFile, leaves: Sequence[str], groups: Sequence[int] | None = None
) -> Iterator[pyarrow.RecordBatch]:
    """Single rows of some columns, of these row groups or of all: what a row names is spelled out
    for that row alone.
    """
    return file.iter_batches(batch_size=1, row_groups=groups, columns=list(leaves))


@cached(2)
def row_group(path: str, group: int, column: str) -> pyarrow.ChunkedArray:
    """The pictures of a row group of a parquet file, or all of an Arrow file.

    Raises:
        DpvizError: where its rows name more than ``limits.PARQUET_GROUP`` bytes.
    """
    import pyarrow

    title, pieces, total = Path(path).name, [], 0
    with readable(title):
        if path.endswith(ARROW):
            return arrow_table(path).column(column)
        file = opened(path, title)
        for row in row_by_row(file, [leaf(file.schema_arrow, column)], [group]):
            pieces.append(row.column(0))
            total += pieces[-1].nbytes
            if total > limits.PARQUET_GROUP:
                raise DpvizError(
                    f"{title} has a row group with images of over {limits.PARQUET_GROUP >> 20}"
                    " MiB. Write smaller row groups."
                )
        return pyarrow.chunked_array(pieces)


def arrow_table(path: str) -> pyarrow.Table:
    """The table of an Arrow stream file, mapped into memory: nothing is read before its use.

    Raises:
        DpvizError: where it is compressed, so that all of it would be unpacked at once.
    """
    import pyarrow

    title = Path(path).name
    check_plain(path, title)
    with pyarrow.memory_map(path) as source:
        if any(map(_compressed, pyarrow.ipc.MessageReader.open_stream(source))):
            raise DpvizError(f"{title} is compressed. Write it without compression, or as parquet.")
        source.seek(0)
        return pyarrow.ipc.open_stream(source).read_all()


def _compressed(message: pyarrow.Message) -> bool:
    """Whether a message's buffers unpack to more than the file holds.

    Source: Arrow's format/Message.fbs: a message has its header third, a batch of a dictionary its
        records second, and these their compression fourth.
    """
    raw = message.metadata.to_pybytes()
    batch = _field(raw, int.from_bytes(raw[:4], "little"), 2)
    if message.type == "schema":
        return False
    return bool(_field(raw, _field(raw, batch, 1) if "dict" in message.type else batch, 3))


def _field(raw: bytes, table: int, number: int) -> int:
    """Where a flatbuffer's table points with a field, 0 where it leaves the field out."""
    slots = table - struct.unpack_from("<i", raw, table)[0]
    slot = 4 + 2 * number
    if slot >= struct.unpack_from("<H", raw, slots)[0]:
        return 0
    offset = struct.unpack_from("<H", raw, slots + slot)[0]
    return table + offset + struct.unpack_from("<I", raw, table + offset)[0] if offset else 0
