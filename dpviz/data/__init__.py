"""Data sets, public sets and uploads, ready for the methods: ``load`` is the only door."""

from dpviz.data.data_set_table import DATASETS, DEFAULT_PUBLIC, DEVELOPMENT_SETS
from dpviz.data.loading import (
    class_counts,
    clear,
    largest_class,
    load,
    notes,
    one_pool,
    persons_known,
)
from dpviz.data.named_sets import (
    default_public,
    public_available,
    public_choices,
    public_compared,
    shares_classes,
    source,
    stamp,
    suiting_encoder,
    variants,
)
from dpviz.data.named_sets import title as public_title
from dpviz.data.readers.uploaded_features import read_npz
from dpviz.data.source import Source

__all__ = [
    "DATASETS",
    "DEFAULT_PUBLIC",
    "DEVELOPMENT_SETS",
    "Source",
    "class_counts",
    "clear",
    "default_public",
    "largest_class",
    "load",
    "notes",
    "one_pool",
    "persons_known",
    "public_available",
    "public_choices",
    "public_compared",
    "public_title",
    "read_npz",
    "shares_classes",
    "source",
    "stamp",
    "suiting_encoder",
    "variants",
]
