"""Feature preparation: what is done to every record before a method sees it, from public data and
settings alone.

Written as ``centre=yes,pca=9``. Means and directions come from the public set, never from private
records, so they cost no privacy; cards list them as public.

Source: Wang et al. 2024, section 4 (dimension reduction, normalisation), which takes them from
    private features.
"""

from __future__ import annotations

import dataclasses
import hashlib

import numpy as np

from dpviz.caches import KeyedCache, cached
from dpviz.data import perturbation, settings_in_names
from dpviz.data.limits import DIMENSIONS
from dpviz.lazy_imports import linalg
from dpviz.machine import public_mode
from dpviz.machine.threads import one_numeric_thread
from dpviz.types import Dataset, DpvizError, Param, unit_rows

STEPS = 2.0**18
BLOCK_NUMBERS = 2**20
"""Numbers that are turned at once."""
MAX_CACHED_NUMBERS = 2**20
"""Numbers of main directions that are worth their memory."""
#: Texts whose settings are kept; every spec of a sweep asks.
MAX_TEXTS = 256
_directions: KeyedCache[np.ndarray] = KeyedCache(__name__, 16)
"""By the public rows they are of: 4,096 coordinates take seconds."""
CENTRE = Param(
    "centre",
    "Center by public mean",
    "Subtracts the mean feature of the public set from every record. No privacy cost.",
    "no",
    choices=("no", "yes"),
)
PCA = Param(
    "pca",
    "Public PCA dimension k",
    "Number of principal directions of the public set to keep. 0 keeps all.",
    0,
    0,
    4096,
    1,
    log=True,
)
DIM = Param(
    "dim",
    "Dimension by copying or sampling",
    "Copies coordinates, or keeps a random subset, to reach this dimension. 0 changes nothing.",
    0,
    0,
    16384,
    1,
    log=True,
)
SHIFT = Param(
    "shift",
    "Feature shift",
    "Moves each coordinate of every record, public ones included, by ±shift.",
    0.0,
    0.0,
    1.0,
    0.01,
)
MEANS = Param(
    "means",
    "Project onto public class means",
    "Keeps the span of the public class means, at most one dimension per class. Uses public"
    " labels.",
    "no",
    choices=("no", "yes"),
)
PARAMS = (
    DIM,
    SHIFT,
    perturbation.TEST,
    perturbation.SIZE,
    perturbation.MOVED_RECORDS,
    CENTRE,
    PCA,
    MEANS,
)
SEED = 0
"""Of the coordinates kept and of the shifts: fixed, since the data must not move with the noise."""


@cached(MAX_TEXTS)
def canonical(features: str) -> str:
    """The one way to write a preparation; empty for features as they come.

    Raises:
        DpvizError: for an unknown setting or one out of range.
    """
    settings = settings_in_names.read(features, PARAMS, f"Features {features!r}")
    if settings["test"] == "none" or not settings["size"]:
        settings |= {"test": "none", "size": perturbation.SIZE.default, "where": "test"}
    return settings_in_names.write(settings, PARAMS)


@cached(MAX_TEXTS)
def centering(features: str, centered: str) -> str:
    """A preparation with centering on the public mean set to ``yes`` or ``no``."""
    settings = settings_in_names.read(features, PARAMS, "Features")
    return settings_in_names.write(settings | {CENTRE.name: centered}, PARAMS)


@cached(MAX_TEXTS)
def public_part(features: str) -> str:
    """What the guarantee takes as public because of a preparation, in words; empty if nothing."""
    settings = settings_in_names.read(features, PARAMS, "Features")
    parts = ["the mean feature of the public set"] if settings["centre"] == "yes" else []
    parts += (
        [f"the {settings['pca']} principal directions of the public set"] if settings["pca"] else []
    )
    parts += ["the class means of the public set"] if settings["means"] == "yes" else []
    parts += [f"the {settings['dim']} kept or copied coordinates"] if settings["dim"] else []
    return " and ".join(parts)


def reads_public(features: str) -> bool:
    """Whether a preparation needs the public set's features."""
    settings = settings_in_names.read(features, PARAMS, "Features")
    return "yes" in (settings["centre"], settings["means"]) or bool(settings["pca"])


def mixes_public(features: str) -> bool:
    """Whether one public record more changes the features of other records: through a mean, through
    directions, or because its place decides how others move.
    """
    settings = settings_in_names.read(features, PARAMS, "Features")
    by_place = settings["size"] > 0 and settings["where"] == "both"
    is_moved = settings["test"] in ("stochastic", "gaussian") and by_place
    return reads_public(features) or settings["shift"] > 0 or is_moved


def prepare(data: Dataset, features: str) -> Dataset:
    """``data`` after a preparation, in this order: length 1, dim, length 1, shift,
    perturbation, centre, pca, class means.

    Raises:
        DpvizError: where a public set is missing or too small, or k exceeds the dimension.
    """
    text = canonical(features)
    return _apply(data, text) if text else data


@one_numeric_thread()
def _apply(data: Dataset, text: str) -> Dataset:
    settings = settings_in_names.read(text, PARAMS, "Features")
    data = _unit(data)
    if settings["dim"]:
        public_mode.check_features(settings["dim"], _longest(data))
        columns = coordinates(data.x.shape[1], settings["dim"])
        data = _unit(data.map_rows(lambda x: x[:, columns]))
    if settings["shift"]:
        data = _shifted(data, np.float32(settings["shift"]))
    data = perturbation.perturb(data, settings["test"], settings["size"], SEED, settings["where"])
    if settings["centre"] == "yes":
        mean = _public(data, text).mean(axis=0)
        data = data.map_rows(lambda x: x - mean)
    if settings["pca"]:
        data = _onto(data, directions(_public(data, text), settings["pca"]))
    if settings["means"] == "yes":
        data = _onto(data, mean_directions(_public(data, text), data.y_public, text))
    # The encoder's own classifier and texts go with features as the encoder gave them.
    return dataclasses.replace(
        data.map_rows(_frozen), head=None, texts=None, fingerprint=f"{data.fingerprint}-{text}"
    )


def _longest(data: Dataset) -> int:
    public = 0 if data.public_rows is None else len(data.public_rows)
    return max(len(data.x), len(data.x_test), public)


def _onto(data: Dataset, basis: np.ndarray) -> Dataset:
    """All records in directions (k, d), and an adversary's moves through those before them."""
    data = data.map_rows(lambda x: turned(x, basis))
    if data.adversary is None:
        return data
    old_basis = data.adversary.basis
    through = basis if old_basis is None else basis @ old_basis
    return dataclasses.replace(data, adversary=dataclasses.replace(data.adversary, basis=through))


def mean_directions(x: np.ndarray, y: np.ndarray | None, text: str) -> np.ndarray:
    """Orthonormal directions (k, d) float32 that the class means of public rows span, the one along
    which they differ most first.

    Raises:
        DpvizError: where the public set has no labels.

    Source: Wang et al. 2024, section 4.1, "Releasing the mean of features".
    """
    if y is None:
        raise DpvizError(
            f"Features {text!r} need public labels, and this public set has none. Choose another"
            " public set, or use pca."
        )
    wide = x.astype(np.float64)
    means = np.array([wide[y == c].mean(axis=0) for c in np.unique(y[y >= 0])])
    sizes, basis = np.linalg.svd(means, full_matrices=False)[1:]
    directions = basis[sizes > 1e-9 * sizes[0]]
    top = directions[np.arange(len(directions)), np.abs(directions).argmax(axis=1)]
    return (directions * np.sign(top)[:, None]).astype(np.float32)


def coordinates(have: int, want: int) -> np.ndarray:
    """Which coordinates make ``want`` of ``have``: a random subset in order, or whole copies and
    then a subset.
    """
    whole, remainder = divmod(want, have)
    extra = np.sort(np.random.default_rng(SEED).permutation(have)[:remainder])
    return np.concatenate([np.tile(np.arange(have), whole), extra])


def directions(x: np.ndarray, k: int) -> np.ndarray:
    """The k main directions (k, d) float32 of rows x (m, d), from the greatest: eigenvectors of
    x'x.

    Raises:
        DpvizError: if k exceeds the dimension or the number of rows, or d what d x d numbers are
            held for.
    """
    m, d = x.shape
    if k > min(m, d):
        raise DpvizError(
            f"pca must be at most {min(m, d)} for {d} coordinates and {m} public records, got {k}."
        )
    if d > DIMENSIONS:
        raise DpvizError(
            f"pca allows at most {DIMENSIONS:,} feature dimensions, got {d:,}. Use another encoder."
        )
    public_mode.check_pca(d)
    if k * d > MAX_CACHED_NUMBERS:
        return _main(x, k)
    rows = hashlib.blake2b(np.ascontiguousarray(x).data).digest()
    return _directions.get_or_compute((rows, x.shape, x.dtype, k), lambda: _main(x, k))


def _main(x: np.ndarray, k: int) -> np.ndarray:
    wide, d = x.astype(np.float64), x.shape[1]
    basis = linalg.eigh(wide.T @ wide, subset_by_index=[d - k, d - 1])[1].T[::-1]
    directions = (
        basis * np.sign(basis[np.arange(k), np.abs(basis).argmax(axis=1)])[:, None]
    ).astype(np.float32)
    return _frozen(directions)


def _public(data: Dataset, text: str) -> np.ndarray:
    if data.x_public is None:
        raise DpvizError(
            f"Features {text!r} need a public set, and this data set has none. Add X_public, or"
            " leave centre and pca out."
        )
    return data.x_public


def _shifted(data: Dataset, size: np.float32) -> Dataset:
    def shifted(name: str, x: np.ndarray) -> np.ndarray:
        return x + size * perturbation.signs(SEED, f"shift {name}", x.shape)

    public = data.public_changed(lambda x: shifted("x_public", x))
    x, x_test = data.x + size * perturbation.own_signs(data.x), shifted("x_test", data.x_test)
    return dataclasses.replace(data, x=x, x_test=x_test, public_rows=public)


def turned(x: np.ndarray, basis: np.ndarray) -> np.ndarray:
    """Rows (n, d) in directions (k, d): (n, k) float32.

    Guarantee: a record's numbers depend on that record alone, to the bit: factors are brought to
    steps of 2^-18 of a power of two above a row's largest number, so that products of up to 2^17
    coordinates add up exactly in float64, in any order.
    """
    rotation = np.rint(basis.astype(np.float64) * STEPS) / STEPS
    result = np.empty((len(x), len(rotation)), np.float32)
    size = max(1, BLOCK_NUMBERS // x.shape[1])
    for start in range(0, len(x), size):
        rows = x[start : start + size].astype(np.float64)
        scale = np.exp2(np.ceil(np.log2(np.abs(rows).max(axis=1, keepdims=True, initial=1e-300))))
        result[start : start + size] = (np.rint(rows / scale * STEPS) / STEPS) @ rotation.T * scale
    return result


def _unit(data: Dataset) -> Dataset:
    """Rows of length 1; what may move a test record shrinks with it."""
    if data.adversary is not None:
        size = data.adversary.size / np.maximum(np.linalg.norm(data.x_test, axis=1), 1e-30)
        data = dataclasses.replace(data, adversary=dataclasses.replace(data.adversary, size=size))
    return data.map_rows(unit_rows)


def _frozen(array: np.ndarray) -> np.ndarray:
    view = array.view()
    view.setflags(write=False)
    return view
