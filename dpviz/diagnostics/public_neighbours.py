"""Class means among public pictures, in a map that keeps neighbours: t-SNE fitted on public
features alone. A private view.

t-SNE gives no place to what it was not fitted on, so a mean stands at the average place of the
public pictures most like it.

Source: van der Maaten and Hinton 2008; Venna and Kaski 2001 for trustworthiness.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import numpy as np

from dpviz.caches import cached
from dpviz.diagnostics import mean_errors
from dpviz.experiments import experiment, store
from dpviz.machine import array_files, public_mode
from dpviz.machine.files import cache_dir
from dpviz.machine.threads import one_numeric_thread
from dpviz.methods.components import public_sets
from dpviz.types import Dataset, RunSpec, unit_rows

MAX_PICTURES, NEIGHBOR_COUNT, SEED = 500, 5, 0
"""Public pictures that the map is fitted on, at most; those whose places are averaged; of t-SNE."""
MIN_PICTURES = 40
"""Public pictures below which there is no map."""


@dataclass(frozen=True, eq=False)
class Neighbours:
    """The map.

    Attributes:
        public: (m, 2) float32; exact, private: (C, 2) float32, means of all private records and of
            one release; shared: (C,) how many of the ``NEAREST`` of the exact mean are the private
            one's as well; faithful, plane: trustworthiness in [0, 1] of the map and of the plane of
            the public set's main directions, 1 where all neighbours in it are neighbours in truth.
    """

    public: np.ndarray
    exact: np.ndarray
    private: np.ndarray
    shared: np.ndarray
    faithful: float
    plane: float


def neighbours(spec: RunSpec) -> Neighbours | None:
    """The means of a run; None where there are fewer public pictures than ``FEWEST``."""
    data = experiment.prepared(spec)
    if not data.has_public or len(data.public) < MIN_PICTURES:
        return None
    x, places, faithful, plane = _fitted(data)
    release = mean_errors.fits(data, [experiment.planned(spec)], [spec.seed])[0][0]
    exact, private = (
        np.argsort(-unit_rows(rows) @ x.T, axis=1)[:, :NEIGHBOR_COUNT]
        for rows in (mean_errors.exact_means(data), release.weights)
    )
    shared = [len(np.intersect1d(a, b)) for a, b in zip(exact, private, strict=True)]
    exact_ends, private_ends = (
        places[near].mean(axis=1).astype(np.float32) for near in (exact, private)
    )
    return Neighbours(places, exact_ends, private_ends, np.array(shared), faithful, plane)


@cached(8)
@one_numeric_thread()
def _fitted(data: Dataset) -> tuple[np.ndarray, np.ndarray, float, float]:
    """Public unit features (m, d), their places (m, 2), how faithful those and the plane are: from
    disk, or fitted now.
    """
    rows = np.sort(
        np.random.default_rng(public_sets.SEED).permutation(len(data.public))[:MAX_PICTURES]
    )
    x = unit_rows(data.public[rows]).astype(np.float64)
    centre, axes, _ = mean_errors.plane(data)
    flat = (x - centre) @ axes.T
    path = cache_dir() / "maps" / _key(x, flat)
    coordinates = array_files.read(path)
    if coordinates is None:
        coordinates = _map(x, flat)
        if public_mode.has_room(path.parent):
            array_files.keep(path, coordinates)
    return (
        x,
        coordinates[:-1].astype(np.float32),
        float(coordinates[-1][0]),
        float(coordinates[-1][1]),
    )


def _map(x: np.ndarray, flat: np.ndarray) -> np.ndarray:
    """The places (m, 2) of x (m, d), and in a last row how faithful they and ``flat`` (m, 2) are:
    (m + 1, 2) float64.
    """
    from sklearn.manifold import TSNE, trustworthiness

    perplexity = min(30.0, (len(x) - 1) / 3)
    places = TSNE(2, perplexity=perplexity, init="pca", random_state=SEED).fit_transform(x)
    scores = [
        float(trustworthiness(x, map_, n_neighbors=NEIGHBOR_COUNT)) for map_ in (places, flat)
    ]
    return np.vstack([places, scores]).astype(np.float64)


def _key(x: np.ndarray, flat: np.ndarray) -> str:
    """Of all that a map is made from; this file is no part of the code's own fingerprint."""
    made = f"{public_sets.fingerprint(x, flat)} {store.versions()} {version('scikit-learn')}"
    return hashlib.sha256(made.encode() + Path(__file__).read_bytes()).hexdigest()[:32]
