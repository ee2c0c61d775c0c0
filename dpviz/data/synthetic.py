"""Synthetic features around an equiangular tight frame, as a data set:
``etf:classes=10,dim=128,n=10000,beta=0.1``.

Nothing here is real: it is the neural-collapse model of Wang et al. 2024, Eq. 2.2 and Definition
2.3, drawn from its settings alone, so the same text gives the same bits. The public set is a sample
of its own from the same frame, with the same shift and offset.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dpviz.caches import cached
from dpviz.data import perturbation, settings_in_names
from dpviz.machine import public_mode
from dpviz.types import Dataset, DpvizError, Param

KEY = "etf"
PUBLIC = "same-frame"
MAX_NUMBERS = 25_000_000
"""Records times dimensions: 100 MB."""
TEST_RECORDS, PUBLIC_RECORDS = 1000, 2000
PARAMS = (
    Param(
        "classes",
        "Classes K",
        "Corners of the simplex. Any two have cosine −1/(K−1).",
        10,
        2,
        100,
        1,
    ),
    Param("dim", "Dimension p", "Feature dimension. At least K.", 128, 2, 16384, 1, log=True),
    Param(
        "n",
        "Records n",
        "Number of private training records. Need not be a multiple of K.",
        10_000,
        2,
        100_000,
        1,
        log=True,
    ),
    Param(
        "beta",
        "Feature shift β",
        "Each coordinate of each record moves by ±β, the largest coordinate distance to its"
        " corner.",
        0.05,
        0.0,
        1.0,
        0.01,
    ),
    Param(
        "offset",
        "Offset",
        "One fixed shift of ±offset per coordinate, the same for all records of all classes.",
        0.0,
        0.0,
        1.0,
        0.01,
    ),
    perturbation.TEST,
    perturbation.SIZE,
    perturbation.MOVED_RECORDS,
    Param(
        "alpha",
        "Imbalance α",
        "Weight of classes in the first half. Classes in the second half have 1 − α. 0.5 is"
        " balanced. The test set is always balanced.",
        0.5,
        0.01,
        0.99,
        0.01,
    ),
    Param(
        "frame",
        "Frame",
        "Random: corners use all coordinates. Axes: corners use the first K coordinates, as in"
        " the paper's proofs.",
        "random",
        choices=("random", "axes"),
    ),
    Param("seed", "Draw", "Seed of corners, shifts and offset.", 0, 0, 9999, 1),
)


def is_synthetic(dataset: str) -> bool:
    """Whether a data set's name is one of these."""
    return dataset == KEY or dataset.startswith(f"{KEY}:")


def parse(dataset: str) -> dict:
    """All settings of a name, checked.

    Raises:
        DpvizError: for an unknown setting, one out of range, or two that do not go together.
    """
    settings = settings_in_names.read(
        dataset.removeprefix(KEY).removeprefix(":"), PARAMS, f"Data set {dataset!r}"
    )
    if settings["dim"] < settings["classes"]:
        raise DpvizError(
            f"dim must be at least {settings['classes']} for {settings['classes']} classes, got"
            f" {settings['dim']}."
        )
    if settings["n"] < settings["classes"]:
        raise DpvizError(
            f"n must be at least {settings['classes']}, one record per class, got {settings['n']}."
        )
    if settings["n"] * settings["dim"] > MAX_NUMBERS:
        raise DpvizError(
            f"n × dim must be at most {MAX_NUMBERS:,}, got {settings['n'] * settings['dim']:,}."
            f" Use n={MAX_NUMBERS // settings['dim']} at this dim."
        )
    public_mode.check_features(settings["dim"], settings["n"])
    return settings


def name(**values: Any) -> str:
    """The name of a synthetic data set, settings at their defaults left out; equal settings, equal
    names.
    """
    text = settings_in_names.write(values, PARAMS)
    return f"{KEY}:{text}" if text else KEY


@cached(256)
def canonical(dataset: str) -> str:
    """The one way to write a name."""
    return name(**parse(dataset))


def frame(classes: int, dim: int, kind: str, seed: int) -> np.ndarray:
    """Corners of an equiangular tight frame, (K, p) float64 rows of length 1.

    Source: Eq. 2.2, M = sqrt(K / (K-1)) P (I - 11'/K) with orthonormal columns P.
    """
    start = np.eye(dim, classes)
    if kind == "random":
        start = np.linalg.qr(
            perturbation.stream(seed, f"frame {classes} {dim}").random((dim, classes)) - 0.5
        )[0]
    centred = np.eye(classes) - 1 / classes
    return math.sqrt(classes / (classes - 1)) * (start @ centred).T


def counts(classes: int, n: int, alpha: float) -> np.ndarray:
    """Records of each class, (K,): weights alpha and 1 - alpha by largest remainders, then at least
    one each.
    """
    weight = np.where(np.arange(classes) < classes // 2, alpha, 1 - alpha)
    share = n * weight / weight.sum()
    sizes = np.floor(share + 1e-9).astype(np.int64)
    sizes[np.argsort(sizes - share, kind="stable")[: n - sizes.sum()]] += 1
    while sizes.min() < 1:
        sizes[sizes.argmax()] -= 1
        sizes[sizes.argmin()] += 1
    return sizes


def make(dataset: str) -> Dataset:
    """The data set of a name.

    Returns:
        Features M_y + beta * signs + offset, float32, read-only; not scaled to length 1.
    """
    s = parse(dataset)
    corners = frame(s["classes"], s["dim"], s["frame"], s["seed"]) + s[
        "offset"
    ] * perturbation.signs(s["seed"], "offset", (1, s["dim"]))
    corners = corners.astype(np.float32)
    counts_by_part = {"train": counts(s["classes"], s["n"], s["alpha"])}
    counts_by_part |= {
        part: np.full(s["classes"], max(10, size // s["classes"]))
        for part, size in (("test", TEST_RECORDS), ("public", PUBLIC_RECORDS))
    }
    parts = {}
    for part, sizes in counts_by_part.items():
        y = np.repeat(np.arange(s["classes"], dtype=np.int64), sizes)
        x = corners[y]
        if s["beta"]:
            x += np.float32(s["beta"]) * perturbation.signs(s["seed"], part, x.shape)
        parts[part] = x, y
    text = canonical(dataset)
    names = tuple(f"corner {c}" for c in range(s["classes"]))
    (x, y), (x_test, y_test), (x_public, y_public) = parts.values()
    result = Dataset(
        text,
        None,
        x,
        y,
        x_test,
        y_test,
        names,
        text,
        x_public,
        y_public,
        PUBLIC,
        rows=np.arange(len(x)),
    )
    result = perturbation.perturb(
        result, s["test"], s["size"], s["seed"], s["where"], by_place=True
    )
    for array in vars(result).values():
        if isinstance(array, np.ndarray):
            array.setflags(write=False)
    return result
