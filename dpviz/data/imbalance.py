"""Fewer records a class, the papers' long-tailed protocol, and which classes count as the minority.

Source: Cui et al. 2019 as used by the DPPL paper, B.2; the exponent runs over linspace(0, C, C),
which reproduces 22 of the 24 cells of its Table 1.
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from dpviz.types import Dataset, DpvizError, check_range

CLASS_ORDER_SEED = 42
"""Fixed for all runs: which class is large must not move with the noise."""


def class_sizes(largest: int, classes: int, ratio: float) -> np.ndarray:
    """Target records of each class, (C,) int64, shuffled over the classes by a fixed seed.

    Args:
        largest: records of the largest class; ratio: largest over smallest, >= 1.
    """
    ratio = check_range("Imbalance ratio", ratio, 1, 1e9)
    exponent = np.linspace(0, classes, classes) * math.log(ratio) / classes
    sizes = np.round(largest * np.exp(-exponent)).astype(np.int64)
    np.random.default_rng(CLASS_ORDER_SEED).shuffle(sizes)
    return sizes


def kept_sizes(counts: tuple[int, ...], ratio: float) -> np.ndarray:
    """Records that the protocol keeps of each class, (C,) int64, where there are ``counts``."""
    available = np.array(counts)
    if ratio == 1:
        return available
    return np.minimum(class_sizes(int(available.max()), len(available), ratio), available)


def first_of_each(data: Dataset, records: int) -> Dataset:
    """The first ``records`` private records of each class, or all there are; 0 keeps every one.
    Test and public sets stay.
    """
    if not 0 < records < max(data.counts):
        return data
    kept = _rows(data, np.full(data.classes, records))
    return data.of_records(kept, f"records{records}")


def long_tail(data: Dataset, ratio: float) -> Dataset:
    """The first records of each class, as many as the protocol gives it; test and public sets stay.

    Raises:
        DpvizError: if the ratio is below 1 or takes the last record of a class.
    """
    if ratio == 1:
        rows = np.arange(len(data.x)) if data.rows is None else data.rows
        return dataclasses.replace(data, rows=rows, fingerprint=f"{data.fingerprint}-ir1.0")
    available = np.array(data.counts)
    target = kept_sizes(data.counts, ratio)
    short = (target < 1) & (available > 0)
    if short.any():
        name = data.class_names[int(short.argmax())]
        most = math.floor(2 * available.max())
        raise DpvizError(
            f"Imbalance ratio {ratio:g} leaves class {name!r} without a record; use at most about"
            f" {most} (private view: twice the size of the largest class)."
        )
    return data.of_records(_rows(data, target), f"ir{float(ratio)!r}")


def _rows(data: Dataset, sizes: np.ndarray) -> np.ndarray:
    """Rows of the first records of each class, as many as ``sizes`` (C,) says, in order."""
    return np.sort(
        np.concatenate([np.flatnonzero(data.y == c)[:size] for c, size in enumerate(sizes)])
    )


def drawn(records: int, ratio: float) -> str:
    """What these two do to the private records before a guarantee begins, in words."""
    done = [f"the first {records:,} records of each class"] if records else []
    done += ["the long-tailed subset"] if ratio > 1 else []
    if not done:
        return ""
    said = f"{' and of them '.join(done)} {'were' if records else 'was'}"
    return f", after {said} drawn (one record more may change which others are in it)"


def minority_classes(counts: tuple[int, ...]) -> tuple[int, ...]:
    """The ceil(C/4) smallest classes; ties go to those that the protocol would make smallest."""
    classes = len(counts)
    tail = class_sizes(10**6, classes, 1e3)
    order = sorted(range(classes), key=lambda c: (counts[c], tail[c]))
    return tuple(sorted(order[: math.ceil(classes / 4)]))
