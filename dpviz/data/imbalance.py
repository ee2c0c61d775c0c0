"""Fewer records a class, the papers' long-tailed protocol, and which classes count as the minority.

Source: Cui et al. 2019 as used by the DPPL paper, B.2; the exponent runs over linspace(0, C, C),
which reproduces 22 of the 24 cells of its Table 1.
"""

from __future__ import annotations

import dataclasses
import math
from bisect import bisect_left

import numpy as np

from dpviz.data.record_hashes import mixed
from dpviz.types import Dataset, check_range

#: Class order of draw 0, fixed for all runs: which class is large must not move with the noise.
CLASS_ORDER_SEED = 42


def class_order(classes: int, draw: int = 0) -> np.ndarray:
    """Place of each class in the order from the largest, (C,) int64, by a fixed seed.

    Args:
        draw: number of the data draw; another number, another order.
    """
    places = np.arange(classes)
    seed = [CLASS_ORDER_SEED, draw] if draw else CLASS_ORDER_SEED
    np.random.default_rng(seed).shuffle(places)
    return places


def class_sizes(largest: int, classes: int, ratio: float, draw: int = 0) -> np.ndarray:
    """Target records of each class, (C,) int64, in the class order of a draw.

    Args:
        largest: records of the largest class; ratio: largest over smallest, >= 1.
    """
    ratio = check_range("Imbalance ratio", ratio, 1, 1e9)
    return _targets(largest, classes, ratio)[class_order(classes, draw)]


def _targets(largest: int, classes: int, ratio: float) -> np.ndarray:
    """Target records from the largest class to the smallest, (C,) int64."""
    exponent = np.linspace(0, classes, classes) * math.log(ratio) / max(classes, 1)
    return np.round(largest * np.exp(-exponent)).astype(np.int64)


def kept_sizes(counts: tuple[int, ...], ratio: float, draw: int = 0) -> np.ndarray:
    """Records that the protocol keeps of each class, (C,) int64, where there are ``counts``.

    The largest target is as large as all targets allow, each held by a class of its own with enough
    records. Classes take targets in the draw's order. Where the smallest target is below one
    record, classes keep at least one and the ratio reached is below ``ratio``. Classes without
    records are left out.
    """
    available, ratio = np.array(counts), check_range("Imbalance ratio", ratio, 1, 1e9)
    if ratio == 1:
        return available
    sizes, available_classes = np.zeros(len(available), np.int64), np.flatnonzero(available)
    if len(available_classes):
        order = available_classes[np.argsort(class_order(len(available), draw)[available_classes])]
        sizes[order] = _assigned(available[order], ratio)
    return sizes


def _assigned(available: np.ndarray, ratio: float) -> np.ndarray:
    """Records kept of classes in order, of which ``available`` (C,) are there, each at least 1."""
    classes, from_most = len(available), -np.sort(-available)
    exceeds = lambda largest: bool((_targets(largest, classes, ratio) > from_most).any())
    largest_class = int(from_most[0])
    smallest = min(largest_class, int(ratio / 2) + 1)  # below it the smallest target is 0
    size_range = range(smallest, largest_class + 1)
    largest = size_range[max(0, bisect_left(size_range, True, key=exceeds) - 1)]
    sizes, free = np.zeros(classes, np.int64), list(range(classes))
    for target in np.maximum(_targets(largest, classes, ratio), 1):
        fits = (c for c in free if available[c] >= target)
        choice = next(fits, max(free, key=available.__getitem__))
        sizes[choice] = min(target, available[choice])
        free.remove(choice)
    return sizes


def subsample(data: Dataset, sizes: np.ndarray, draw: int = 0) -> np.ndarray:
    """Rows of the kept records, in order: as many of each class as ``sizes`` (C,) says.

    Draw 0 keeps the first records of each class. Another draw keeps those whose place in the full
    training set has the smallest hash. Neither depends on what a record holds.
    """
    order = np.arange(len(data.y))
    if draw:
        places = order if data.rows is None else data.rows
        order = np.argsort(mixed(places.astype(np.uint64), draw), kind="stable")
    of_class = (order[data.y[order] == c][:size] for c, size in enumerate(sizes))
    return np.sort(np.concatenate([*of_class]))


def first_of_each(data: Dataset, records: int, draw: int = 0) -> Dataset:
    """``records`` private records of each class, or all there are; 0 keeps every one. Test and
    public sets stay.
    """
    if not 0 < records < max(data.counts):
        return data
    subset = subsample(data, np.full(data.classes, records), draw)
    return data.of_records(subset, f"records{records}{_mark(draw)}")


def long_tail(data: Dataset, ratio: float, draw: int = 0) -> Dataset:
    """The records of each class that the protocol keeps; test and public sets stay.

    Raises:
        DpvizError: if the ratio is below 1.
    """
    if ratio == 1:
        rows = np.arange(len(data.x)) if data.rows is None else data.rows
        mark = f"ir1.0{_mark(draw)}"
        data = dataclasses.replace(data, rows=rows, fingerprint=f"{data.fingerprint}-{mark}")
    else:
        subset = subsample(data, kept_sizes(data.counts, ratio, draw), draw)
        data = data.of_records(subset, f"ir{float(ratio)!r}{_mark(draw)}")
    return dataclasses.replace(data, draw=draw) if draw else data


def _mark(draw: int) -> str:
    return f"-draw{draw}" if draw else ""


def split_again(data: Dataset, draw: int) -> Dataset:
    """Training and test records of one pool, divided by a draw, with as many test records of each
    class as before; draw 0 keeps the division. Public sets stay.
    """
    if not draw:
        return data
    train, y = len(data.y), np.concatenate([data.y, data.y_test])
    x = np.concatenate([data.x, data.x_test])
    order = np.argsort(mixed(np.arange(len(y), dtype=np.uint64), draw), kind="stable")
    tested = np.bincount(data.y_test, minlength=data.classes)
    of_class = [order[y[order] == c][:size] for c, size in enumerate(tested)]
    test = np.concatenate(of_class)
    training = order[~np.isin(order, test)]

    def thumbnails(split: str, indices: np.ndarray) -> np.ndarray:
        assert data.thumbnails is not None
        if split == "public":
            return data.thumbnails(split, indices)
        own = (test if split == "test" else training)[indices]
        pictures = [
            data.thumbnails("train", own[i : i + 1])
            if own[i] < train
            else data.thumbnails("test", own[i : i + 1] - train)
            for i in range(len(own))
        ]
        return np.concatenate(pictures)

    return dataclasses.replace(
        data,
        x=_frozen(x[training]),
        y=_frozen(y[training]),
        x_test=_frozen(x[test]),
        y_test=_frozen(y[test]),
        thumbnails=thumbnails if data.thumbnails else None,
        rows=None if data.rows is None else np.arange(len(training)),
        fingerprint=f"{data.fingerprint}-split{draw}",
    )


def _frozen(array: np.ndarray) -> np.ndarray:
    array.setflags(write=False)
    return array


def sampling_text(records: int, ratio: float, draw: int = 0, split: bool = False) -> str:
    """What is done to the private records before a guarantee begins, in words.

    Args:
        split: whether the draw divides training and test records.
    """
    if draw:
        return _drawn_again(records, ratio, draw, split)
    steps = [f"the first {records:,} records of each class"] if records else []
    steps += ["the long-tailed subset"] if ratio > 1 else []
    if not steps:
        return ""
    text = f"{' and then '.join(steps)} {'were' if records else 'was'}"
    return f", after {text} selected (adding one record can change which other records are kept)"


def _drawn_again(records: int, ratio: float, draw: int, split: bool) -> str:
    """The same for a draw other than 0."""
    steps = ["the division into training and test records"] if split else []
    steps += [f"at most {records:,} records of each class"] if records else []
    steps += ["the class order and the long-tailed subset"] if ratio > 1 else []
    if not steps:
        return ""
    text = ", ".join(steps)
    return (
        f", after data draw {draw} selected {text} (adding one record can change which other"
        " records are kept)"
    )


def minority_classes(counts: tuple[int, ...], draw: int = 0) -> tuple[int, ...]:
    """The ceil(C/4) smallest classes; ties go to those that the draw's class order has last."""
    classes = len(counts)
    places = class_order(classes, draw)
    order = sorted(range(classes), key=lambda c: (counts[c], -places[c]))
    return tuple(sorted(order[: math.ceil(classes / 4)]))
