"""Means among public pictures in a map fitted on those alone."""

import math

import numpy as np

from dpviz import caches
from dpviz.data import uploads
from dpviz.diagnostics import public_neighbours
from dpviz.machine.files import cache_dir
from dpviz.types import Budget, RunSpec
from tests.kit.toys import content, toy_data


def spec(epsilon, **more):
    own = uploads.display_path(uploads.path(uploads.keep(content(**more))))
    return RunSpec(own, None, "dppl-mean", Budget(epsilon), params=(), seed=0)


def test_map_uses_only_public_images_noise_moves_means():
    loose, strict = (public_neighbours.neighbours(spec(e)) for e in (1e6, 1e-3))
    assert (loose.public == strict.public).all() and (loose.exact == strict.exact).all()
    assert len(loose.public) <= public_neighbours.MAX_PICTURES
    assert (loose.shared == public_neighbours.NEIGHBOR_COUNT).all() and np.allclose(
        loose.private, loose.exact
    )
    assert strict.shared.sum() < loose.shared.sum()
    assert 0.5 < loose.faithful <= 1 and math.isfinite(loose.plane)
    low, high = loose.public.min(axis=0), loose.public.max(axis=0)
    assert (strict.private >= low).all() and (strict.private <= high).all(), "an average of places"


def test_no_map_without_public_images():
    assert public_neighbours.neighbours(spec(1.0, X_public=None)) is None


def test_cached_map_survives_unless_damaged_or_images_change(monkeypatch):
    def again(**more):
        caches.clear(public_neighbours.__name__)
        return public_neighbours.neighbours(spec(1.0, **more))

    fits, fit = [], public_neighbours._map
    monkeypatch.setattr(public_neighbours, "_map", lambda *a: fits.append(1) or fit(*a))
    first, second = again(), again()
    assert len(fits) == 1 and (first.public == second.public).all()
    assert (first.faithful, first.plane) == (second.faithful, second.plane)
    (kept,) = (cache_dir() / "maps").iterdir()
    kept.write_bytes(kept.read_bytes()[:-1] + b"\0")
    assert (again().public == first.public).all() and len(fits) == 2
    again(X_public=toy_data(per_class=60).x_public[::-1])
    assert len(fits) == 3
