"""What noise does to class means: maps, angles, the parts of an error, and what pooling buys.

All of this reads private records without noise, except ``rehearsal``, which sees the public set
alone.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz import mechanisms
from dpviz.caches import cached
from dpviz.data.imbalance import class_sizes, minority_classes
from dpviz.experiments import experiment
from dpviz.lazy_imports import linalg
from dpviz.machine.threads import one_numeric_thread
from dpviz.methods import dppl_mean
from dpviz.methods.components import coinpress, public_sets
from dpviz.methods.components.prototypes import pool, public_scale
from dpviz.types import (
    Budget,
    Dataset,
    DpvizError,
    Gaussian,
    Plan,
    Result,
    RunSpec,
    Scores,
    unit_rows,
)

MAX_POINTS = 500
"""Most test points in the map: a browser draws each anew at every move."""
MAX_SAMPLE, MAX_HELD_NUMBERS = 5000, 2**24
"""Most public records that the plane is fitted on, and most numbers of them: of wider features two
axes alone are sought, since all take d^3.
"""
MAX_REHEARSED = 60
"""Most public records a class that ask in the rehearsal."""


def exact_means(data: Dataset) -> np.ndarray:
    """Mean of each class's unit features: (C, d) float64."""
    sums = mechanisms.class_sums(unit_rows(data.x), data.y, data.classes)
    return sums / np.maximum(np.array(data.counts), 1)[:, None]


def angles(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Angle in degrees between the rows of a and b (..., d)."""
    a, b = (v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-30) for v in (a, b))
    return np.degrees(np.arccos(np.clip((a * b).sum(-1), -1, 1)))


def fits(data: Dataset, plans: Sequence[Plan], seeds: Sequence[int]) -> list:
    """Releases of ``dppl_mean.fit``, exactly those behind ``experiment.run``: ``[plan][seed]``."""
    return dppl_mean.fit(data, list(plans), list(seeds)).releases


# ------------------------------------------------------------------------------------------- angles


@dataclass(frozen=True)
class Turn:
    """One class: how far noise turns its mean, and how large it is beside it.

    Attributes:
        n: records; angle: degrees between the mean with and without noise, averaged over seeds;
            ratio: length of the noise over length of the exact mean; nearest: degrees to the
                closest other class's mean.
    """

    n: int
    angle: float
    ratio: float
    nearest: float


@one_numeric_thread()
def turns(spec: RunSpec, seeds: tuple[int, ...]) -> tuple[Turn, ...]:
    """What the noise of ``spec`` does to each class's mean."""
    data, planned = experiment.prepared(spec), experiment.planned(spec)
    k = planned.params["k_pool"]
    quiet, noisy = fits(data, [experiment.planned(_quiet(spec)), planned], seeds)
    means = pool(exact_means(data), k)
    turned = np.mean(
        [angles(q.weights, p.weights) for q, p in zip(quiet, noisy, strict=True)], axis=0
    )
    apart = angles(means[:, None], means[None]) + np.diag(np.full(len(means), np.inf))
    ratio = noise_lengths(data, planned) / np.maximum(np.linalg.norm(means, axis=1), 1e-30)
    rows = zip(
        data.counts, turned.tolist(), ratio.tolist(), apart.min(axis=1).tolist(), strict=True
    )
    return tuple(Turn(*row) for row in rows)


def _quiet(spec: RunSpec) -> RunSpec:
    return dataclasses.replace(spec, budget=dataclasses.replace(spec.budget, value=math.inf))


def noise_lengths(data: Dataset, plan: Plan) -> np.ndarray:
    """Root mean square length of the noise on each class's mean, (C,), from the plan and class
    sizes.

    CoinPress's is that of its last step, brought back from the public set's units.
    """
    form, k = plan.params["form"], plan.params["k_pool"]
    d, counts = data.x.shape[1] // k, np.maximum(np.array(data.counts), 1)
    if form != "coinpress":
        event = plan.events[form]
        assert isinstance(event, Gaussian)
        return event.sigma * math.sqrt(d) / counts
    last = [coinpress.schedule(d, int(n), plan)[-1]["sd"] for n in counts]
    return np.array(last) * float(np.linalg.norm(public_scale(data, k)[1]))


# ---------------------------------------------------------------------------------------------- map


@dataclass(frozen=True, eq=False)
class Map:
    """Test points and class means of length 1 in a plane fitted on public features.

    Attributes:
        share: of the public variance that the plane shows.
        points, labels: (t, 2) float32 and (t,), of at most MAX_POINTS test points.
        exact: (C, 2) means without noise; budgets: B values; private: (B, C, 2).
        wrong: B arrays of points that the private means get wrong; scores: B, on all test points.
    """

    share: float
    points: np.ndarray
    labels: np.ndarray
    exact: np.ndarray
    budgets: tuple[float, ...]
    private: np.ndarray
    wrong: tuple[np.ndarray, ...]
    scores: tuple[Scores, ...]


@one_numeric_thread()
def means_map(spec: RunSpec, budgets: tuple[Budget, ...]) -> Map | None:
    """The map for one seed at several budgets; None without a public set, which the plane needs."""
    data = experiment.prepared(spec)
    if not data.has_public:
        return None
    plans = [experiment.planned(dataclasses.replace(spec, budget=b)) for b in budgets]
    releases = [row[0] for row in fits(data, plans, [spec.seed])]
    centre, axes, share = plane(data)
    shown_rows = np.sort(
        np.random.default_rng(public_sets.SEED).permutation(len(data.x_test))[:MAX_POINTS]
    )
    points, labels = data.x_test[shown_rows], data.y_test[shown_rows]
    minority = minority_classes(data.counts, data.draw)
    onto = lambda rows: ((unit_rows(rows) - centre) @ axes.T).astype(np.float32)
    return Map(
        share,
        onto(points),
        labels,
        onto(exact_means(data)),
        tuple(b.value for b in budgets),
        np.stack([onto(r.weights) for r in releases]),
        tuple(np.flatnonzero(r.predict(points) != labels) for r in releases),
        tuple(experiment.score(r, data, minority) for r in releases),
    )


@cached(8)
def plane(data: Dataset) -> tuple[np.ndarray, np.ndarray, float]:
    """Centre (d,), two axes (2, d) and their share of the variance: PCA of public unit features.

    The second axis is zero for one-dimensional features.
    """
    return main_plane(data.public)


def main_plane(features: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """As ``plane``, of features (m, d)."""
    rows = np.random.default_rng(public_sets.SEED).permutation(len(features))
    rows = rows[: min(MAX_SAMPLE, MAX_HELD_NUMBERS // features.shape[1])]
    x = unit_rows(features[rows]).astype(np.float64)
    centre = x.mean(axis=0)
    axes, share = _main_axes(x - centre)
    axes = np.pad(axes, ((0, 2 - len(axes)), (0, 0)))  # one axis alone if d = 1
    axes = axes * np.sign(axes[np.arange(len(axes)), np.abs(axes).argmax(axis=1)])[:, None]
    return centre, axes, share


def _main_axes(x: np.ndarray) -> tuple[np.ndarray, float]:
    """Of centred rows (m, d): at most two axes (·, d), and their share of the variance."""
    if x.shape[1] * MAX_SAMPLE <= MAX_HELD_NUMBERS:
        last = x.shape[1] - 1
        values, vectors = linalg.eigh(x.T @ x, subset_by_index=[max(0, last - 1), last])
        return vectors[:, ::-1].T, float(values.sum() / max((x**2).sum(), 1e-30))
    rows = x if x.any() else x[:2]  # the sparse solver refuses zeros
    if len(rows) <= 2:
        _, sizes, axes = np.linalg.svd(rows, full_matrices=False)
    else:
        from scipy.sparse.linalg import svds

        # a constant start vector is orthogonal to all centred columns
        start = np.random.default_rng(public_sets.SEED).permutation(min(rows.shape)) + 1.0
        _, sizes, axes = svds(rows, k=2, v0=start)
        axes = axes[::-1]
    return axes, float((sizes**2).sum() / max((x**2).sum(), 1e-30))


# -------------------------------------------------------------------------------------------- parts


@dataclass(frozen=True)
class Parts:
    """Test error of one class, in parts that add up to ``total``; a part below zero helped.

    Attributes:
        n: records; base: error of exact means of all available records; sampling: added by having
            ``n`` of them; clipping: added by the form's clipping and pooling, without noise; noise:
            added by noise, mean over seeds; total: error of the private means, mean over seeds.
    """

    n: int
    base: float
    sampling: float
    clipping: float
    noise: float
    total: float


def error_parts(
    full: Result, exact: Result, quiet: Result, noisy: Sequence[Result]
) -> tuple[Parts, ...]:
    """Parts of each class's error from results of one data set.

    Args:
        full: exact class means at imbalance ratio 1; exact: the same at the ratio looked at; quiet:
            the method without noise; noisy: the method at the budget, one a seed.
    """
    error = [1 - np.array(r.scores.per_class) for r in (full, exact, quiet)]
    total = 1 - np.mean([r.scores.per_class for r in noisy], axis=0)
    parts = np.diff(np.stack([np.zeros_like(total), *error, total]), axis=0)
    return tuple(
        Parts(n, base, sampling, clipping, noise, float(t))
        for n, (base, sampling, clipping, noise), t in zip(
            exact.class_counts, parts.T.tolist(), total, strict=True
        )
    )


# ------------------------------------------------------------------------------------------ pooling


@dataclass(frozen=True)
class Pooled:
    """One k_pool: medians over classes of the length of the noise, of the exact pooled mean and of
    their ratio; scores.

    Attributes:
        quiet: scores without noise; noisy: scores of each seed.
    """

    k: int
    noise: float
    signal: float
    ratio: float
    quiet: Scores
    noisy: tuple[Scores, ...]


def pool_sizes(d: int, now: int) -> tuple[int, ...]:
    """Powers of two up to the bound of k_pool and the dimension, and the one in use."""
    top = min(int(dppl_mean.K_POOL.high), d)
    return tuple(sorted({2**i for i in range(7) if 2**i <= top} | ({now} if now <= top else set())))


@one_numeric_thread()
def pooling(
    data: Dataset, spec: RunSpec, ks: Sequence[int], seeds: Sequence[int]
) -> tuple[Pooled, ...]:
    """Accuracy and noise on ``data`` of each k_pool in ``ks``, the rest of ``spec`` as it is, and
    the promise to whom it is made there.
    """
    pooled_errors, minority = [], minority_classes(data.counts, data.draw)
    means = exact_means(data)
    for k in ks:
        settings = dppl_mean.METHOD.check(dict(spec.params) | {"k_pool": k})
        pooled = dataclasses.replace(spec, params=tuple(settings.items()))
        plans = [experiment.plan_with(request, data.sizes) for request in (_quiet(pooled), pooled)]
        releases = fits(data, plans, seeds)
        noise, signal = (
            noise_lengths(data, plans[1]),
            np.maximum(np.linalg.norm(pool(means, k), axis=1), 1e-30),
        )
        medians = [float(np.median(v)) for v in (noise, signal, noise / signal)]
        scores = [experiment.score(r, data, minority) for r in (releases[0][0], *releases[1])]
        pooled_errors.append(
            Pooled(k, medians[0], medians[1], medians[2], scores[0], tuple(scores[1:]))
        )
    return tuple(pooled_errors)


def rehearsal(data: Dataset, largest: int, ratio: float) -> Dataset:
    """A data set made of public records alone: their labels, or clusters, play the classes.

    Args:
        largest: records of the largest class; ratio: largest over smallest. Both are choices, not
            the private sizes; a smaller public group gives what it has.

    Raises:
        DpvizError: without a public set, or where it is too small for as many classes.
    """
    if not data.has_public:
        raise DpvizError(
            "Choosing k on public data needs a public set, and this data set has none. Add"
            " X_public."
        )
    unit = unit_rows(data.public)
    group = public_sets.groups(unit, data.y_public, data.classes, smallest=4)
    rng = np.random.default_rng(public_sets.SEED)
    cast = [
        rows
        for g in rng.permutation(group.max() + 1)
        if len(rows := np.flatnonzero(group == g)) >= 4
    ]
    if len(cast) < data.classes:
        raise DpvizError(
            f"The public set is too small to choose k: {len(cast)} groups of at least 4 images"
            f" for {data.classes} classes."
        )
    cast = [rng.permutation(rows) for rows in sorted(cast, key=len, reverse=True)[: data.classes]]
    sizes = np.sort(class_sizes(largest, data.classes, ratio))[::-1]
    asks = [rows[: min(MAX_REHEARSED, len(rows) // 2)] for rows in cast]
    plays = [rows[len(a) :][: max(1, n)] for rows, a, n in zip(cast, asks, sizes, strict=True)]
    (x, y), (x_test, y_test) = (_labelled(data.public, parts) for parts in (plays, asks))
    names = tuple(f"public {c}" for c in range(data.classes))
    mark = f"rehearsal-{data.fingerprint}-{data.public_key}-{largest}-{ratio:g}"
    return Dataset(
        data.key,
        data.encoder,
        x,
        y,
        x_test,
        y_test,
        names,
        mark,
        data.x_public,
        data.y_public,
        data.public_key,
    )


def _labelled(x: np.ndarray, parts: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    return x[np.concatenate(parts)], np.repeat(np.arange(len(parts)), [len(p) for p in parts])


def best(found: Sequence[Pooled], metric: str) -> Pooled:
    """The k_pool with the highest mean accuracy; the smallest such k."""
    return max(found, key=lambda p: float(np.mean([getattr(s, metric) for s in p.noisy])))
