"""Data sets, public sets and uploads, ready for the methods: ``load`` is the only door."""

from dpviz.data.loading import (
    DATASETS,
    DEFAULT_PUBLIC,
    clear,
    default_public,
    len_of,
    load,
    public_choices,
    public_there,
    source,
    stamp,
)
from dpviz.data.readers.uploaded_features import read_npz
from dpviz.data.source import Source

__all__ = [
    "DATASETS",
    "DEFAULT_PUBLIC",
    "Source",
    "clear",
    "default_public",
    "len_of",
    "load",
    "public_choices",
    "public_there",
    "read_npz",
    "source",
    "stamp",
]
