"""Tune several methods with equal effort on the labeled public set, which costs no privacy.

The labeled public records are divided as if they were private: training, validation and public
part. Where the public set has labels of other classes, random classes of it take the place of the
private ones. Every method gets the same number of trials. No private record is read, and of the
test set the class sizes alone.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import product
from typing import Any

import numpy as np

from dpviz import data, methods
from dpviz.data import preparation, public_labels, record_hashes
from dpviz.data.imbalance import long_tail
from dpviz.experiments import experiment, tuned_settings
from dpviz.experiments.tuned_settings import TunedSettings
from dpviz.machine.fair_queue import Progress, no_progress
from dpviz.machine.threads import one_numeric_thread
from dpviz.types import (
    DELTA,
    Budget,
    DataConfig,
    Dataset,
    DpvizError,
    Method,
    Param,
)

Settings = dict[str, Any]
"""Values of a method's params by name; what is left out is at its default."""
METHODS = ("dppl-mean", "dppl-public", "noisy-gd", "objective", "adamix")
"""Methods that are tuned where no others are named."""
EPSILONS = (1.0, 3.0)
"""Budgets at which each setting is scored."""
#: Divisions of the public set with own noise per score, with private classes and with others.
SPLITS, OTHER_SPLITS = 2, 4
CENTERED = ("no", "yes")
SETTINGS_PER_PREPARATION = 12
"""Settings of each method that are tried, with features centered and not."""
TRIALS = SETTINGS_PER_PREPARATION * len(CENTERED)
#: Guess of the records in the largest class, in test records of it, where the owner gives none.
LARGEST_PER_TEST = 4
MAX_RECORDS = 100_000
MIN_CLASSES = 2
_PARTS = ("train", "test", "public", "train")
"""Part of the records of a class in the order of their hashes, in turn."""
_WINDOWS = (
    *((1.3, 1.9), (0.0, 2.0), (0.5, 1.5), (1.0, 1.5), (1.0, 2.0), (1.2, 1.6)),
    *((1.3, 1.6), (1.4, 1.8), (1.5, 2.0), (1.6, 1.9), (1.7, 2.0), (1.0, 1.2)),
)
GRIDS: Mapping[str, tuple[Settings, ...]] = {
    "dppl-mean": tuple({"k_pool": k} for k in (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32)),
    "dppl-public": tuple({"d_min": low, "d_max": high} for low, high in _WINDOWS),
    "noisy-gd": (
        {},
        *(
            {"lr": lr, "steps": steps, "clip": clip}
            for steps, clip, rates in (
                (20, 0.1, (100.0, 400.0)),
                (20, 1.0, (10.0, 40.0, 160.0)),
                (60, 0.3, (30.0, 120.0)),
                (60, 1.0, (10.0, 40.0)),
                (150, 0.3, (30.0,)),
                (150, 1.0, (10.0,)),
            )
            for lr in rates
        ),
    ),
    "objective": tuple(
        {"ridge": ridge, "noise_ridge": noise}
        for ridge, noise in product((0.03, 1.0), (0.1, 0.3, 1.0, 2.0, 5.0, 20.0))
    ),
    "adamix": tuple(
        {"lr": lr, "shots": shots}
        for lr, shots in product((5e-4, 1e-3, 2.5e-3, 5e-3, 2e-2, 5e-2), (2, 10))
    ),
}
"""Settings that are tried, the defaults among them; of other methods see ``grid``."""


@dataclass(frozen=True)
class FairSearch(DataConfig):
    """Which methods are tuned with equal effort, for which data.

    Attributes:
        methods: keys; largest: public guess of the records in the largest class, None for
            ``LARGEST_PER_TEST`` times its test records; delta: of the budgets; seed: of splits and
            noise; the rest: as in ``DataConfig``.
    """

    _: KW_ONLY
    methods: tuple[str, ...] = METHODS
    largest: int | None = None
    delta: float = DELTA
    seed: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.largest is not None and not 1 <= self.largest <= MAX_RECORDS:
            raise DpvizError(
                f"Largest class size must be between 1 and {MAX_RECORDS:,}, got {self.largest}."
            )
        if not 0 <= self.seed < 4_000:
            raise DpvizError(f"Seed must be between 0 and 3999, got {self.seed}.")
        if not self.methods:
            raise DpvizError("Select a private method to tune.")

    @property
    def method(self) -> str:
        """A name for logs of jobs."""
        return "fair tuning"


@dataclass(frozen=True)
class TunedMethod:
    """The best setting of a method.

    Attributes:
        key: of the method; params: values that differ from the defaults; score, default_score: mean
            balanced accuracy of the best and the default setting on the validation part.
    """

    key: str
    params: tuple[tuple[str, Any], ...]
    score: float
    default_score: float


@dataclass(frozen=True)
class FairTuning:
    """What a search found.

    Attributes:
        search: what was asked; public: key of the public set; features: the preparation that
            is best on average over the methods; tuned: the best setting of each method with it;
            records: labeled public records used; largest: records in the largest class of the
            rehearsal; own_classes: whether it has the private classes; trials: of each method.
    """

    search: FairSearch
    public: str
    features: str
    tuned: tuple[TunedMethod, ...]
    records: int
    largest: int
    own_classes: bool = True
    trials: int = TRIALS


def run(search: FairSearch, progress: Progress = no_progress) -> FairTuning:
    """Tune all methods of a search on the labeled public set. O(methods * trials) fits.

    Raises:
        DpvizError: where the public set lacks labels of two classes.
        Cancelled: if ``progress`` asks for it.
    """
    dataset = data.load(search.dataset, search.encoder, search.public, progress, search.classes)
    dataset.public_made(progress)
    preparations = {
        centred: preparation.centering(search.features, centred) for centred in CENTERED
    }
    points = {key: grid(methods.get(key)) for key in search.methods}
    own, largest = public_labels.of_private_classes(dataset), _largest_class(dataset, search)
    splits = SPLITS if own else OTHER_SPLITS
    scores = {
        (centred, key): np.zeros((splits, len(points[key])))
        for centred in preparations
        for key in points
    }
    total, done = splits * sum(map(len, points.values())) * len(preparations), 0
    for split in range(splits):
        whole = rehearsal(dataset, search, split)
        for centred, features in preparations.items():
            ready = long_tail(preparation.prepare(whole, features), search.ir, search.draw)
            for key, settings in points.items():
                title = methods.get(key).title
                for i, params in enumerate(settings):
                    progress(f"Tuning {title} on public data", done, total)
                    found = score(ready, key, params, search.delta, search.seed * splits + split)
                    scores[centred, key][split, i] = found
                    done += 1
    mean = {place: found.mean(axis=0) for place, found in scores.items()}
    best = max(preparations, key=lambda c: sum(float(mean[c, key].max()) for key in points))
    tuned = tuple(
        _best(key, points[key], mean[best, key], mean[CENTERED[0], key]) for key in points
    )
    labeled = len(public_labels.usable(dataset)[0])
    return FairTuning(
        search,
        dataset.public_key or "",
        preparations[best],
        tuned,
        labeled,
        largest,
        own_classes=own,
    )


def _best(
    key: str, points: Sequence[Settings], scores: np.ndarray, as_they_come: np.ndarray
) -> TunedMethod:
    default = default_place(key, points)
    place = default if scores[default] == scores.max() else int(scores.argmax())
    return TunedMethod(
        key,
        tuple(changed_params(methods.get(key), points[place]).items()),
        float(scores[place]),
        float(as_they_come[default]),
    )


def changed_params(method: Method, params: Settings) -> Settings:
    """The params that differ from the method's defaults."""
    return {
        p.name: params[p.name] for p in method.params if params.get(p.name, p.default) != p.default
    }


def default_place(key: str, points: Sequence[Settings]) -> int:
    """Index of the default setting among ``points``."""
    return next(
        i for i, params in enumerate(points) if not changed_params(methods.get(key), params)
    )


def row(tuning: FairTuning, command: str, date: str) -> TunedSettings:
    """The row of a search in the package's table."""
    search = tuning.search
    by_method = {
        tuned_method.key: {
            "params": dict(tuned_method.params),
            "score": round(tuned_method.score, 4),
            "default_score": round(tuned_method.default_score, 4),
        }
        for tuned_method in tuning.tuned
    }
    return TunedSettings(
        dataset=search.dataset,
        encoder=search.encoder,
        public=tuning.public,
        ir=search.ir,
        largest=tuning.largest,
        centered=tuned_settings.centered(tuning.features),
        trials=tuning.trials,
        seed=search.seed,
        methods=by_method,
        command=command,
        date=date,
    )


# ---------------------------------------------------------------------------------------- settings


def grid(method: Method) -> tuple[Settings, ...]:
    """``SETTINGS_PER_PREPARATION`` settings of a method, its defaults among them.

    Methods without a row in ``GRIDS`` get random values of their numbers. Choices stay at their
    defaults, as some change what a method guarantees.
    """
    if method.key in GRIDS:
        return GRIDS[method.key]
    moved = moved_numbers(method)
    if not moved:
        return ({},)
    rng = np.random.default_rng(0)
    random_settings = [
        {p.name: _draw(p, rng) for p in moved} for _ in range(SETTINGS_PER_PREPARATION - 1)
    ]
    return ({}, *random_settings)


def moved_numbers(method: Method) -> tuple[Param, ...]:
    """Numeric params that tuning moves."""
    bounded = lambda p: math.isfinite(p.high - p.low)
    return tuple(p for p in method.params if p.tuned and not p.choices and bounded(p))


def _draw(param: Param, rng: np.random.Generator) -> Any:
    low, high = param.low, param.high
    if param.log and low > 0:
        value = math.exp(rng.uniform(math.log(low), math.log(high)))
    else:
        value = rng.uniform(low, high)
    return round(value) if param.integer else float(f"{value:.3g}")


# --------------------------------------------------------------------------------------- rehearsal


def rehearsal(dataset: Dataset, search: FairSearch, split: int) -> Dataset:
    """A data set made of the labeled public records alone.

    Records of each class are divided by a hash of their content: half for training, a quarter for
    validation, a quarter as public set, where all other public records stay. Training records are
    repeated until a class has ``search.largest``, so that noise weighs as much as on the private
    data. With an imbalance ratio of 1, classes keep the proportions of the public set.

    Where fewer than two private classes have labels, each split has as many random classes of the
    public set as there are private ones.

    Raises:
        DpvizError: where fewer than two classes have labels in the public set.
    """
    rows, y = public_labels.usable(dataset)
    classes, y = np.unique(y, return_inverse=True)
    if len(classes) < MIN_CLASSES:
        raise DpvizError(
            f"Tuning on public data needs labels of at least {MIN_CLASSES} classes, got"
            f" {len(classes)}. Choose a labeled public set."
        )
    own = public_labels.of_private_classes(dataset)
    if own:
        names = tuple(dataset.class_names[c] for c in classes)
    else:
        rows, y, names = _random_classes(
            rows, y, dataset.classes, search.seed * OTHER_SPLITS + split
        )
    x = dataset.public[rows].astype(np.float32)
    seed = search.seed * (SPLITS if own else OTHER_SPLITS) + split
    order = record_hashes.mixed(record_hashes.marks(x, y), seed)
    part = _parts(order, y)
    kept = _repeated(np.flatnonzero(part == "train"), y, search, _largest_class(dataset, search))
    tested, shown = np.flatnonzero(part == "test"), part == "public"
    others = np.setdiff1d(np.arange(len(dataset.public)), rows)
    return dataclasses.replace(
        dataset,
        x=x[kept],
        y=y[kept],
        x_test=x[tested],
        y_test=y[tested],
        class_names=names,
        fingerprint=f"{dataset.fingerprint}-rehearsal{search.seed}-{split}"
        f"-{_largest_class(dataset, search)}",
        public_rows=np.concatenate([x[shown], dataset.public[others].astype(np.float32)]),
        y_public=np.concatenate([y[shown], np.full(len(others), -1)]),
        public_names=None,
        thumbnails=None,
        rows=None,
        adversary=None,
        persons=None,
        head=None,
        texts=None,
        held_aside=0,
    )


def _largest_class(dataset: Dataset, search: FairSearch) -> int:
    if search.largest is not None:
        return search.largest
    return min(MAX_RECORDS, LARGEST_PER_TEST * int(np.bincount(dataset.y_test).max()))


def _random_classes(
    rows: np.ndarray, y: np.ndarray, most: int, seed: int
) -> tuple[np.ndarray, np.ndarray, tuple[str, ...]]:
    """Public rows of at most ``most`` random classes, their labels from 0, and class names."""
    classes = np.random.default_rng(seed).permutation(int(y.max()) + 1)[:most]
    table = np.full(int(y.max()) + 1, -1)
    table[classes] = np.arange(len(classes))
    kept = table[y] >= 0
    return rows[kept], table[y[kept]], tuple(f"public class {c}" for c in classes)


def _parts(order: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The part of each record, (n,) text."""
    part = np.empty(len(y), dtype=object)
    for c in np.unique(y):
        mine = np.flatnonzero(y == c)
        mine = mine[np.argsort(order[mine], kind="stable")]
        part[mine] = np.resize(np.array(_PARTS, dtype=object), len(mine))
    return part


def _repeated(train: np.ndarray, y: np.ndarray, search: FairSearch, largest: int) -> np.ndarray:
    """Rows of training records, repeated class by class up to ``largest``."""
    largest = min(largest, search.records or largest)
    counts = np.bincount(y[train])
    size = np.full(len(counts), largest)
    if search.ir == 1:
        size = np.maximum(1, np.rint(largest * counts / counts.max())).astype(int)
    return np.concatenate([np.resize(train[y[train] == c], k) for c, k in enumerate(size)])


def score(ready: Dataset, key: str, params: Settings, delta: float, seed: int) -> float:
    """Mean balanced accuracy of a setting over ``EPSILONS``; 0 where its plan refuses it."""
    method = methods.get(key)
    try:
        filled = method.check(params)
        budgets = [Budget(epsilon, delta=delta) for epsilon in EPSILONS]
        plans = [method.plan(ready.sizes, budget, filled) for budget in budgets]
        with one_numeric_thread():
            if method.fit_cells:
                releases = method.fit_cells(ready, [(plan, seed) for plan in plans])
            else:
                releases = [row[0] for row in method.fit(ready, plans, [seed]).releases]
            found = [experiment.score(release, ready, ()).balanced for release in releases]
    except DpvizError:
        return 0.0
    return float(np.mean(found))
