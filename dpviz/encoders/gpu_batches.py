"""Batches on a GPU: the fastest size, kept on disk, and halved where memory runs out."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import torch

from dpviz.encoders.encoder import Encoder
from dpviz.machine import accelerator, array_files
from dpviz.machine.files import cache_dir
from dpviz.types import DpvizError

Pictures = Sequence[np.ndarray] | np.ndarray

FIRST_BATCH, MAX_BATCH = 16, 512
"""Sizes to try first and last."""
MIN_SPEEDUP = 1.05
"""A batch of twice the size must be faster by this to be worth its memory."""
MEMORY_ERRORS = (
    "CUDA error: out of memory",
    "CUBLAS_STATUS_ALLOC_FAILED",
    "CUDNN_STATUS_ALLOC_FAILED",
)
"""What CUDA and its libraries say, beside torch, where memory does not suffice."""


def size(encoder: Encoder, rate: Callable[[int], float | None]) -> int:
    """Pictures a pass: the size kept for this network and GPU, else the fastest, which is kept.

    Args:
        rate: as in ``doubled``.
    """
    stored = array_files.read(_path(encoder))
    if stored is not None:
        return int(stored)
    fastest = doubled(rate)
    keep(encoder, fastest)
    return fastest


def keep(encoder: Encoder, batch: int) -> None:
    """Begin with this size from here on."""
    array_files.write(_path(encoder), np.array(batch))


def doubled(
    rate: Callable[[int], float | None], first: int = FIRST_BATCH, largest: int = MAX_BATCH
) -> int:
    """The batch size at which doubling it no longer pays.

    Args:
        rate: pictures a second with batches of a size; None where memory does not suffice.
        first, largest: sizes to start and to end with.
    """
    best, size = rate(first) or 0.0, first
    while size < largest:
        faster = rate(2 * size)
        if faster is None or faster < MIN_SPEEDUP * best:
            break
        best, size = faster, 2 * size
    return size


class Halving:
    """Passes over parts of a batch, halved for good where the GPU's memory runs out."""

    def __init__(self, encoder: Encoder, batch: int) -> None:
        """batch: pictures a pass to begin with."""
        self.encoder, self.batch = encoder, batch

    def run(self, work: Callable[[Pictures], torch.Tensor], pictures: Pictures) -> torch.Tensor:
        """``work`` of all pictures, a batch at a time: (n, dim).

        Raises:
            DpvizError: where a single picture does not fit.
        """
        parts: list[torch.Tensor] = []
        completed = 0
        while completed < len(pictures):
            part = pictures[completed : completed + self.batch]
            features = _unless_full(work, part)
            if features is None:
                self._halve(len(part))
                continue
            parts.append(features)
            completed += len(part)
        return parts[0] if len(parts) == 1 else torch.cat(parts)

    def _halve(self, batch: int) -> None:
        torch.cuda.empty_cache()
        if batch == 1:
            raise DpvizError(
                f"Encoder {self.encoder.key} and one image do not fit into GPU memory."
                f" {accelerator.CPU_HINT}"
            )
        self.batch = batch // 2
        keep(self.encoder, self.batch)


def _unless_full(work: Callable[[Pictures], torch.Tensor], part: Pictures) -> torch.Tensor | None:
    """None where memory runs out; its error is gone by then, and with it what its frames hold."""
    try:
        return work(part)
    except RuntimeError as error:
        if not out_of_memory(error):
            raise
        return None


def out_of_memory(error: RuntimeError) -> bool:
    """Whether an error says that the GPU's memory does not suffice."""
    is_named = any(words in str(error) for words in MEMORY_ERRORS)
    return is_named or isinstance(error, torch.OutOfMemoryError)


def _path(encoder: Encoder) -> Path:
    name = hashlib.sha256(f"{encoder.identity} {accelerator.model()}".encode()).hexdigest()[:32]
    return cache_dir() / "batches" / name
