"""Features from the cache, shard by shard; what is missing or damaged is embedded and kept."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import time
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dpviz.encoders.encoder import Encoder
from dpviz.machine import array_files, public_mode
from dpviz.machine.accelerator import in_words, model, on_gpu
from dpviz.machine.files import cache_dir, read_sealed, write_sealed
from dpviz.types import DpvizError, Files, Images

SHIPPED = Path(__file__).with_name("bundled_files") / "features"
"""Features that come with this project, made by `shipped_features.py`; they lie as in the cache."""
VERSION = 2  # raise it whenever embed.py gives other numbers for the same picture
#: The device and measured rate of embedding, kept in the folder of the features.
RATE_FILE = ".rate"
BATCHES = 8
"""Batches a file on the CPU: seconds of work, which is what a kill can cost."""
SHARD_ON_GPU = 4096
MAX_UNKEPT_IMAGES = 20_000
"""Pictures whose features are used even where they cannot be kept: seconds of work, or minutes."""
MAX_FLOAT32_BYTES = 2**30
"""Bytes of float32 features above which they stay in float16, as they lie on disk."""

Pictures = np.ndarray | Images | Files


def embedded(
    images: Pictures,
    encoder: Encoder,
    progress: Callable[[int, int], None] | None = None,
    home: Path | None = None,
) -> np.ndarray:
    """Features of pictures, from the cache where they are there.

    A kill loses at most the file in work. Several processes may embed the same pictures at once:
    each writes whole files of equal content. Features are rounded to float16 on the way, by at most
    2⁻¹¹ of themselves.

    Args:
        images: (n, h, w) or (n, h, w, 3) uint8, ``Images`` or ``Files``.
        encoder: a row of the encoder table.
        progress: called with (done, total) pictures; may raise ``Cancelled``.
        home: where features of these pictures are kept, if not with all others.

    Returns:
        (n, dim) float32, or float16 where float32 would take more than ``WIDE`` bytes; read-only.

    Raises:
        DpvizError: for a picture that cannot be read, or a full disk where pictures are many; files
            done are kept. In public mode, for more pictures than it embeds.
    """
    pictures = images.pixels if isinstance(images, Images) else images
    folder, size = place(images, encoder, home), _shard(encoder)
    features, missing = _load_partial(folder, len(pictures), encoder, size)
    if sum(map(len, missing)) > public_mode.MAX_EMBEDDED:
        public_mode.refuse("embedding")
    if missing:
        _embed(
            pictures,
            encoder,
            folder,
            missing,
            size,
            features,
            progress or (lambda completed, total: None),
        )
    features.setflags(write=False)
    return features


def recalled(images: Pictures, encoder: Encoder, home: Path | None = None) -> np.ndarray | None:
    """As ``embedded``, from the cache alone; None where a part is missing or damaged."""
    features, missing = _load_partial(
        place(images, encoder, home), len(images), encoder, _shard(encoder)
    )
    features.setflags(write=False)
    return None if missing else features


def place(images: Pictures, encoder: Encoder, home: Path | None = None) -> Path:
    """The folder of the features; ``home`` as ``embedded`` takes it."""
    name = key(images, encoder)
    shipped = SHIPPED / name
    return shipped if shipped.is_dir() else (home or cache_dir() / "features") / name


def _shard(encoder: Encoder) -> int:
    return SHARD_ON_GPU if on_gpu() else BATCHES * encoder.batch


def _load_partial(
    folder: Path, total: int, encoder: Encoder, size: int
) -> tuple[np.ndarray, list[range]]:
    """Room for all features with those that are kept, and the rows of the others."""
    features = np.empty(
        (total, encoder.dim),
        np.float16 if total * encoder.dim * 4 > MAX_FLOAT32_BYTES else np.float32,
    )
    missing = []
    for start in range(0, total, size):
        rows = range(start, min(start + size, total))
        shard = array_files.read(_path(folder, rows))
        if shard is not None and shard.shape == (len(rows), encoder.dim):
            features[rows.start : rows.stop] = shard
        else:
            missing.append(rows)
    return features, missing


def key(images: Pictures, encoder: Encoder) -> str:
    """Name of the folder: changes with any pixel, the weights, the preprocessing, the arithmetic or
    the code's version.
    """
    pictures = images.pixels if isinstance(images, Images) else images
    if isinstance(pictures, Files):
        content = f"{len(pictures)} {pictures.marked()}"
    else:
        content = (
            f"{pictures.shape} {hashlib.sha256(np.ascontiguousarray(pictures).data).hexdigest()}"
        )
    arithmetic = f"bfloat16 on {model()}" if on_gpu() else f"float32, {BATCHES} batches a file"
    return hashlib.sha256(
        f"{VERSION} {content} {encoder.identity} {arithmetic}".encode()
    ).hexdigest()[:32]


def mark(images: Pictures, encoder: Encoder, features: Callable[[], np.ndarray]) -> str:
    """What tells these features from others: their key and, where a GPU made them, their content,
    which its driver and the size of batches decide too.

    On the CPU the key alone decides, so that two machines with the same pictures, weights and code
    agree, and no features are asked for.
    """
    name = key(images, encoder)
    if not on_gpu():
        return name
    content = hashlib.sha256(np.ascontiguousarray(features()).data)
    return hashlib.sha256(f"{name} {content.hexdigest()}".encode()).hexdigest()[:32]


def _embed(
    pictures: np.ndarray | Files,
    encoder: Encoder,
    folder: Path,
    missing: list[range],
    size: int,
    all_features: np.ndarray,
    progress: Callable[[int, int], None],
) -> None:
    """Fill the missing rows of ``all_features``, writing each file with its last row."""
    # bring torch, which a full cache does not need
    from dpviz.encoders.embedding import batch_size, stream

    shards = {rows.start: rows for rows in missing}
    remaining = {start: len(rows) for start, rows in shards.items()}
    total, completed = len(all_features), len(all_features) - sum(remaining.values())
    with closing(stream(pictures, encoder, missing, batch_size(encoder))) as batches:
        start = time.perf_counter()
        for rows, features in batches:
            shard = shards[rows.start - rows.start % size]
            all_features[rows.start : rows.stop] = _rounded(features, encoder)
            remaining[shard.start] -= len(rows)
            if not remaining[shard.start]:
                keep = array_files.keep if total <= MAX_UNKEPT_IMAGES else array_files.write
                keep(
                    _path(folder, shard), all_features[shard.start : shard.stop].astype(np.float16)
                )
            completed += len(rows)
            progress(completed, total)
        seconds = time.perf_counter() - start
    if folder.parent != SHIPPED:
        embedded_now = sum(map(len, missing))
        keep_rate(folder, Rate(in_words(), embedded_now, seconds))


def _rounded(features: np.ndarray, encoder: Encoder) -> np.ndarray:
    with np.errstate(over="ignore"):
        half = features.astype(np.float16)
    if not np.isfinite(half).all():
        raise DpvizError(
            f"Encoder {encoder.key} returns features that are not finite or beyond ±65,504. Use"
            " another encoder or other weights."
        )
    return half


def _path(folder: Path, rows: range) -> Path:
    return folder / f"{rows.start:09d}"


def paced(
    text: str, progress: Callable[[str, int, int], None], unit: str = "images"
) -> Callable[[int, int], None]:
    """Progress in words: adds the rate since the first report, and the time left, to ``text``."""
    first: list[tuple[float, int]] = []

    def report(completed: int, total: int) -> None:
        time_now = time.monotonic()
        first[:] = first or [(time_now, completed)]
        seconds, rows = time_now - first[0][0], completed - first[0][1]
        if rows <= 0 or seconds < 1:
            return progress(text, completed, total)
        rate = rows / seconds
        return progress(
            f"{text} ({rate:,.0f} {unit} per second, {_span((total - completed) / rate)} left)",
            completed,
            total,
        )

    return report


def _span(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def lacking(folder: Path, records: int, dim: int) -> int:
    """Bytes that a folder lacks of the features of so many records; nothing is read."""
    files = [p for p in folder.iterdir() if p.name != RATE_FILE] if folder.is_dir() else []
    present = sum(p.stat().st_size for p in files)
    return max(0, records * dim * 2 - present)


# --------------------------------------------------------------------------------------------- rate


@dataclass(frozen=True)
class Rate:
    """One measured run: ``images`` embedded on ``device`` in ``seconds``, the reading included."""

    device: str
    images: int
    seconds: float

    @property
    def per_second(self) -> float:
        """Images per second, above 0."""
        return self.images / self.seconds


def keep_rate(folder: Path, rate: Rate) -> None:
    """Keep a measured run, unless a run with more images is kept already."""
    previous = read_rate(folder)
    if rate.images and rate.seconds > 0 and (previous is None or previous.images <= rate.images):
        with suppress(DpvizError):  # features are of use without it
            write_sealed(folder / RATE_FILE, json.dumps(dataclasses.asdict(rate)).encode())


def read_rate(folder: Path) -> Rate | None:
    """Return the run kept with the features of a folder; None if none was measured."""
    content = read_sealed(folder / RATE_FILE)
    return None if content is None else Rate(**json.loads(bytes(content)))


def total_rate(rates: Iterable[Rate | None]) -> Rate | None:
    """Return the sum of several runs; None if one is not known or devices differ."""
    runs = list(rates)
    measured = [run for run in runs if run is not None]
    if not measured or len(measured) < len(runs) or len({run.device for run in measured}) > 1:
        return None
    return Rate(
        measured[0].device,
        sum(run.images for run in measured),
        sum(run.seconds for run in measured),
    )
