"""Features and thumbnails of private pictures. Those of an upload are decoded in a process of its
own, with caps on memory, time and disk.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from dpviz import encoders
from dpviz.data import feature_cache, named_sets, uploads
from dpviz.data.readers import picture_files
from dpviz.data.source import Progress, Source
from dpviz.data.untrusted_files import FILE, MEMORY, READERS, Readers
from dpviz.encoders.encoder import Encoder
from dpviz.machine import sandbox
from dpviz.machine.accelerator import in_words
from dpviz.machine.files import cache_dir
from dpviz.machine.sandbox import Caps
from dpviz.types import DpvizError

EMBEDDING_MEMORY = 8 * 2**30
"""Bytes that embedding an upload's pictures may allocate, if that is not more than its share of the
machine: the largest networks hold two gigabytes of weights.
"""
EMBEDDING_SECONDS = 1800
"""Seconds that it may take at a time; what was embedded by then is kept."""
DRAWING_SECONDS = 60
"""Seconds that drawing a page's thumbnails may take."""
EMBEDDING = Caps(
    sandbox.memory_share(EMBEDDING_MEMORY, READERS),
    EMBEDDING_SECONDS,
    FILE,
    "Embedding these images",
    "start again to continue from the stored part, or use fewer or smaller images",
)
DRAWING = Caps(MEMORY, DRAWING_SECONDS, FILE, "Drawing these images", "use smaller images")
NICE = 10
"""How far embedding steps back where the pages want the cores as well."""
GONE = "Features of these images were deleted during the computation. Try again."
_embedding = Readers(f"{__name__}:embed", NICE, remembers=False)
_drawing = Readers(f"{__name__}:draw", remembers=False)


def features(row: Source, encoder: Encoder, progress: Progress | None) -> dict[str, np.ndarray]:
    """Features of each split of a private row, as ``feature_cache.embedded``.

    Raises:
        DpvizError: as there, and of an upload where they take too much to make or to keep.
        Cancelled: if ``progress`` asked for it.
    """
    if not _is_sandboxed(row):
        return _embedded(row, encoder, progress)
    if arrays := _recalled(row, encoder):
        return arrays
    uploads.allow_features(Path(row.key).stem, _lacking(row, encoder))
    question = row.key, encoder.key, str(cache_dir())
    answer = _embedding.ask(question, progress or (lambda stage, completed, total: None), EMBEDDING)
    uploads.evict()
    if arrays := answer or _recalled(row, encoder):
        return arrays
    raise DpvizError(GONE)


def thumbnails(row: Source, split: str, rows: np.ndarray) -> np.ndarray:
    """As ``picture_files.thumbnails`` of a split of a private row.

    Raises:
        DpvizError: of an upload where drawing them takes too much.
    """
    if not _is_sandboxed(row):
        return picture_files.thumbnails(row.images()[split], rows)
    silent: Progress = lambda stage, completed, total: None
    return _drawing.ask((row.key, split, rows), silent, DRAWING)


def _is_sandboxed(row: Source) -> bool:
    """Whether pictures of a row are decoded in another process than this."""
    return uploads.is_upload(Path(row.key)) and not sandbox.is_sandbox()


def _embedded(row: Source, encoder: Encoder, progress: Progress | None) -> dict[str, np.ndarray]:
    home, words = uploads.features_of(row.key), f"Embedding {row.title} on {in_words()}"
    return {
        name: feature_cache.embedded(
            split, encoder, feature_cache.paced(words, progress) if progress else None, home
        )
        for name, split in row.images().items()
    }


def _recalled(row: Source, encoder: Encoder) -> dict[str, np.ndarray]:
    """What ``_embedded`` would give if all of it is kept; else nothing."""
    home, arrays = uploads.features_of(row.key), {}
    for name, split in row.images().items():
        features = feature_cache.recalled(split, encoder, home)
        if features is None:
            return {}
        arrays[name] = features
    return arrays


def _lacking(row: Source, encoder: Encoder) -> int:
    home = uploads.features_of(row.key)
    return sum(
        feature_cache.lacking(feature_cache.place(split, encoder, home), len(split), encoder.dim)
        for split in row.images().values()
    )


# ------------------------------------------------------------------------------- inside the process


def embed(question: tuple[str, str, str], progress: Progress) -> dict[str, np.ndarray]:
    """Embed an upload's pictures; gives the features where they could not be kept, else nothing."""
    path, key, os.environ["DPVIZ_CACHE"] = question
    progress("Starting to embed", 0, 0)
    row, encoder = named_sets.source(path), encoders.get(key)
    arrays = _embedded(row, encoder, progress)
    return arrays if _lacking(row, encoder) else {}


def draw(question: tuple[str, str, np.ndarray], progress: Progress) -> np.ndarray:
    """``picture_files.thumbnails`` of an upload's pictures."""
    path, split, rows = question
    return picture_files.thumbnails(named_sets.source(path).images()[split], rows)
