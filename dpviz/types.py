"""The words of the project as frozen dataclasses, with their range checks.

Everything here is numpy and the standard library, so that any part of the project may import it.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

AXES = {
    "approx": "(ε, δ)-DP",
    "zcdp": "ρ-zCDP",
    "paper": "paper axis, ε = √(2ρ)",
}
DELTA = 1e-5


class DpvizError(ValueError):
    """Bad input, answered with one sentence: what was wrong, where, and what would work."""


class Cancelled(Exception):
    """Raised inside a long job when the person who started it asked it to stop."""


def check_range(name: str, value: Any, low: float, high: float, *, open_low: bool = False) -> float:
    """Return ``value`` as a float if it lies in [low, high] ((low, high] with ``open_low``).

    Raises:
        DpvizError: names the value, the bound and what would work.
    """
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise DpvizError(f"{name} is {value!r}, which is not a number; use one from {low:g} to {high:g}.") from None
    below = number <= low if open_low else number < low
    if math.isnan(number) or below or number > high:
        bound = f"above {low:g}" if open_low else f"from {low:g}"
        upto = " (inf means no privacy)" if high == math.inf else f" up to {high:g}"
        raise DpvizError(f"{name} is {number:g}; use a number {bound}{upto}.")
    return number


# ---------------------------------------------------------------------------------------------- data


@dataclass(frozen=True, eq=False)
class Images:
    """One split of pictures.

    Attributes:
        pixels: (n, h, w) or (n, h, w, 3) uint8; 0 is black.
        labels: (n,) int64 in [0, classes), or None where there are none.
    """

    pixels: np.ndarray
    labels: np.ndarray | None


@dataclass(frozen=True, eq=False)
class Files:
    """One split of pictures that are read when needed, for sets too large for memory.

    Attributes:
        labels: (n,) int64 in [0, classes), or None where there are none.
        read: ``read(i)`` gives picture i as (h, w, 3) uint8 of any size; it can be pickled, for worker
            processes, and raises ``DpvizError`` naming a picture that cannot be decoded.
        mark: changes whenever a picture would.
        unlabelled: n where there are no labels, else unused.
    """

    labels: np.ndarray | None
    read: Callable[[int], np.ndarray]
    mark: str
    unlabelled: int = 0

    def __len__(self) -> int:
        """Number of pictures."""
        return self.unlabelled if self.labels is None else len(self.labels)


@dataclass(frozen=True, eq=False)
class Adversary:
    """Worst-case moves of test records, made against each rule that is scored.

    Attributes:
        size: (n_test,) how far each record may move in each coordinate.
        basis: (d, p) directions if moves happen in p coordinates before a projection to d; None for none.
    """

    size: np.ndarray
    basis: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class Head:
    """An encoder's own classifier, trained on public data: scores of its source classes.

    Attributes:
        weights: (C_s, d) float32; bias: (C_s,) float32; names: of the source classes, or () where not known.
        normalise: divide each feature row by its L2 norm first.
    """

    weights: np.ndarray
    bias: np.ndarray
    names: tuple[str, ...] = ()
    normalise: bool = False

    def logits(self, x: np.ndarray) -> np.ndarray:
        """Source logits (n, C_s) float32 of features (n, d)."""
        return (unit_rows(x) if self.normalise else x) @ self.weights.T + self.bias


@dataclass(frozen=True, eq=False)
class Dataset:
    """Features of a private set, its test set and, where there is one, a public set.

    Attributes:
        key: row of the data table, or the name of an uploaded file.
        encoder: row of the encoder table; None for features that came as they are.
        x: (n, d) float32 private training features; y: (n,) int64 in [0, C).
        x_test, y_test: (n_test, d) float32 and (n_test,) int64, taken to be balanced.
        x_public: (m, d) float32, float16 where that would take over a gigabyte, or None; y_public: (m,) int64 or
            None (methods must not need it).
        class_names: C names.
        public_key: which public set, or None.
        fingerprint: changes whenever any array does.
        thumbnails: ``thumbnails(split, indices)`` gives (k, h, w[, 3]) uint8 for split ``train``,
            ``test`` or ``public``; None where there are no pictures.
        rows: (n,) int64, each record's index in the full training set (imbalance keeps a part).
        public_names: names of the public set's classes; None where it is numbered like the private one.
        adversary: moves test records when a rule is scored; ``x_test`` is before the move.
        head: gives the encoder's own classifier; None where it has none or is not known.
        texts: gives the class names as the encoder's text tower reads them, a linear rule (C, d); None without one.
    """

    key: str
    encoder: str | None
    x: np.ndarray
    y: np.ndarray
    x_test: np.ndarray
    y_test: np.ndarray
    class_names: tuple[str, ...]
    fingerprint: str
    x_public: np.ndarray | None = None
    y_public: np.ndarray | None = None
    public_key: str | None = None
    thumbnails: Callable[[str, np.ndarray], np.ndarray] | None = None
    rows: np.ndarray | None = None
    public_names: tuple[str, ...] | None = None
    adversary: Adversary | None = None
    head: Callable[[], Head] | None = None
    texts: Callable[[], np.ndarray] | None = None

    @property
    def classes(self) -> int:
        """Number of classes C."""
        return len(self.class_names)

    @property
    def labelled_public(self) -> tuple[np.ndarray, np.ndarray]:
        """Public records whose class bears a private class's name: x (k, d), y (k,) in private numbering."""
        if self.x_public is None or self.y_public is None:
            return np.empty((0, self.x.shape[1]), np.float32), np.empty(0, np.int64)
        number = {name: c for c, name in enumerate(self.class_names)}
        names = self.class_names if self.public_names is None else self.public_names
        table = np.full(max(len(names), int(self.y_public.max()) + 1), -1)
        table[: len(names)] = [number.get(name, -1) for name in names]
        y = table[self.y_public]
        return self.x_public[y >= 0], y[y >= 0]

    @property
    def counts(self) -> tuple[int, ...]:
        """Training records of each class. Private, unless a guarantee says otherwise."""
        return tuple(np.bincount(self.y, minlength=self.classes).tolist())

    @property
    def sizes(self) -> Sizes:
        """All that a plan may know of this data."""
        public = 0 if self.x_public is None else len(self.x_public)
        known = {"head": self.head is not None, "pictures": self.encoder is not None and self.thumbnails is not None, "texts": self.texts is not None}
        return Sizes(n=len(self.x), d=self.x.shape[1], counts=self.counts, public=public, **known)


@dataclass(frozen=True)
class Sizes:
    """What a plan may know. A method that uses ``n`` or ``counts`` must call it public on its card.

    Attributes:
        n: private records; d: feature dimension; counts: records per class; public: public records.
        head: whether the encoder's own classifier is known; pictures: whether there are pictures to run through it.
        texts: whether the encoder has a text tower that reads class names.
    """

    n: int
    d: int
    counts: tuple[int, ...]
    public: int = 0
    head: bool = False
    pictures: bool = False
    texts: bool = False

    @property
    def classes(self) -> int:
        """Number of classes C."""
        return len(self.counts)


# ------------------------------------------------------------------------------------------- privacy


@dataclass(frozen=True)
class Budget:
    """What the person asks for.

    Attributes:
        value: > 0; epsilon on ``approx`` and ``paper``, rho on ``zcdp``; inf is no privacy.
        axis: a key of AXES.
        delta: in (0, 1); the delta of ``approx``, and of the conversion shown on the others.
    """

    value: float
    axis: str = "approx"
    delta: float = DELTA

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", check_range("Budget", self.value, 0, math.inf, open_low=True))
        if self.axis not in AXES:
            raise DpvizError(f"Axis is {self.axis!r}; use one of {', '.join(AXES)}.")
        delta = check_range("Delta", self.delta, 0, 1, open_low=True)
        if delta >= 1:
            raise DpvizError("Delta is 1, which promises nothing; use a number above 0 and below 1, such as 1e-05.")
        object.__setattr__(self, "delta", delta)

    @property
    def private(self) -> bool:
        """False where no privacy was asked for."""
        return math.isfinite(self.value)

    def __str__(self) -> str:
        if not self.private:
            return "no privacy"
        if self.axis == "approx":
            return f"({self.value:g}, {self.delta:g})-DP"
        return f"ρ = {self.value:g}" if self.axis == "zcdp" else f"paper ε = {self.value:g}"


@dataclass(frozen=True)
class Gaussian:
    """``times`` adaptive Gaussian releases of L2 sensitivity ``sensitivity`` with noise sd ``sigma``."""

    sensitivity: float
    sigma: float
    times: int = 1


@dataclass(frozen=True)
class Exponential:
    """A draw with P proportional to exp(epsilon * u / sensitivity) for a monotone utility u: epsilon-DP."""

    sensitivity: float
    epsilon: float


@dataclass(frozen=True)
class Parallel:
    """Releases of disjoint parts of the data, such as classes: one record is in one part, so the dearest counts.

    Which part takes which must not depend on private records.
    """

    events: tuple[Gaussian | Exponential, ...]


Event = Gaussian | Exponential | Parallel


@dataclass(frozen=True)
class Guarantee:
    """What a release promises, and under which reading.

    Attributes:
        notion: ``pure``, ``zcdp``, ``gdp`` or ``approx``; value: epsilon, rho, mu or epsilon in it.
        delta: the delta of ``epsilon_delta`` (and of ``approx``).
        adjacency: which data sets are neighbours.
        public: what is taken to be known anyway.
        epsilon_delta: epsilon at ``delta``; rho: the zCDP value. Both may be inf, never missing.
        source: paper and theorem.
    """

    notion: str
    value: float
    delta: float
    adjacency: str
    public: str
    epsilon_delta: float
    rho: float
    source: str
    unit: str = "one record = one image"


@dataclass(frozen=True)
class Plan:
    """What will be released, with how much noise, made from sizes and budget alone.

    Attributes:
        method: key; params: every parameter with its value.
        events: what is drawn, by name; composed one after another, each already counted once over
            the classes where they are disjoint.
        guarantee: recomputed from ``events`` by ``privacy.guarantee``.
        notes: anything more that fit needs, or that a reader wants (class choices, reasons).
    """

    method: str
    params: Mapping[str, Any]
    events: Mapping[str, Event]
    guarantee: Guarantee
    notes: Mapping[str, Any] = field(default_factory=dict)


# ------------------------------------------------------------------------------------------- methods


@dataclass(frozen=True)
class Param:
    """One setting of a method, declared once: makes the widget, the check, the option and the test.

    Attributes:
        name: as written in ``--param name=value``; label, help: for people, with the unit.
        default: inside the range; low, high, step: bounds and grain of a number.
        log: move on a log scale; choices: allowed words (then there are no bounds).
    """

    name: str
    label: str
    help: str
    default: Any
    low: float = -math.inf
    high: float = math.inf
    step: float | None = None
    log: bool = False
    choices: tuple[str, ...] = ()

    @property
    def integer(self) -> bool:
        """True for whole numbers."""
        return isinstance(self.default, int)

    def check(self, value: Any) -> Any:
        """Return ``value`` in the parameter's type.

        Raises:
            DpvizError: if it is of another kind or out of range.
        """
        if self.choices:
            if value not in self.choices:
                raise DpvizError(f"{self.name} is {value!r}; use one of {', '.join(self.choices)}.")
            return value
        number = check_range(self.name, value, self.low, self.high)
        if not math.isfinite(number):
            raise DpvizError(f"{self.name} is {number:g}; use a finite number from {self.low:g} to {self.high:g}.")
        if self.integer and number != int(number):
            raise DpvizError(f"{self.name} is {number:g}; use a whole number from {self.low:g} to {self.high:g}.")
        return int(number) if self.integer else number


@dataclass(frozen=True, eq=False)
class Release:
    """What may leave the room: a linear rule ``argmax(x @ weights.T + bias)`` on the features.

    Attributes:
        weights: (C, d) float32; bias: (C,) float32.
        normalise: divide each feature row by its L2 norm first.
        chosen: (C, K) int64 rows of the public set, for methods that choose from it; else None.
    """

    weights: np.ndarray
    bias: np.ndarray
    normalise: bool = True
    chosen: np.ndarray | None = None

    def predict(self, x: np.ndarray) -> np.ndarray:
        """Labels (n,) int64 for features (n, d)."""
        if self.normalise:
            x = unit_rows(x)
        return np.argmax(x @ self.weights.T + self.bias, axis=1)


def unit_rows(x: np.ndarray) -> np.ndarray:
    """Rows of ``x`` (n, d) divided by their L2 norms; a zero row stays zero. Per record, so free of privacy cost."""
    norms = np.linalg.norm(x.astype(np.float32, copy=False) if x.dtype == np.float16 else x, axis=1, keepdims=True)
    return (x / np.maximum(norms, np.finfo(np.float32).tiny)).astype(np.float32, copy=False)


@dataclass(frozen=True, eq=False)
class Fit:
    """Releases of a batch of cells, one row a plan and one column a seed.

    Attributes:
        releases: ``releases[plan][seed]``.
        trace: what only the teacher's eye may see; never covered by the guarantee.
    """

    releases: list[list[Release]]
    trace: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Method:
    """One row of the method table.

    Attributes:
        key, title, source: name in the shell, name for people, paper with equation or algorithm.
        summary: one plain sentence for someone who has not read the paper.
        params: settings, in the order they are shown.
        plan: ``plan(sizes, budget, params) -> Plan``; sees no record.
        fit: ``fit(data, plans, seeds) -> Fit``; plans share their params and differ in budget.
        private: False for references, which have no noise: they read the private data in full, or not at all.
        needs_public: True if a public set must be there.
        needs_counts: params -> True where class counts are taken as public.
    """

    key: str
    title: str
    source: str
    summary: str
    params: tuple[Param, ...]
    plan: Callable[[Sizes, Budget, Mapping[str, Any]], Plan]
    fit: Callable[[Dataset, list[Plan], list[int]], Fit]
    private: bool = True
    needs_public: bool = False

    def check(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """All params with defaults filled in, checked.

        Raises:
            DpvizError: for an unknown name or a bad value.
        """
        known = {p.name: p for p in self.params}
        for name in params:
            if name not in known:
                allowed = ", ".join(known) or "none"
                raise DpvizError(f"{self.key} has no parameter {name!r}; it has: {allowed}.")
        return {name: p.check(params.get(name, p.default)) for name, p in known.items()}


# --------------------------------------------------------------------------------------------- runs


@dataclass(frozen=True)
class RunSpec:
    """Everything that decides a result. Hashable; the same spec gives the same numbers everywhere.

    Attributes:
        dataset: row of the data table, path of an ``.npz`` or an ``etf:…``; encoder: row of the encoder
            table, None for features; public: public set (None: the data set's own default).
        ir: imbalance ratio, >= 1; method: key; params: (name, value) pairs.
        seed: of the noise, >= 0; features: how features are prepared, empty for as they come.
    """

    dataset: str
    encoder: str | None
    method: str
    budget: Budget
    ir: float = 1.0
    params: tuple[tuple[str, Any], ...] = ()
    seed: int = 0
    public: str | None = None
    features: str = ""

    def __post_init__(self) -> None:
        for name in ("dataset", "method", "encoder", "public", "features"):
            value = getattr(self, name)
            if not isinstance(value, str) and (value is not None or name in ("dataset", "method", "features")):
                raise DpvizError(f"The {name} is {value!r}; use its name in quotes.")
        object.__setattr__(self, "ir", check_range("Imbalance ratio", self.ir, 1, 1e9))
        if not isinstance(self.seed, int) or not 0 <= self.seed < 2**32:
            raise DpvizError(f"Seed is {self.seed!r}; use a whole number from 0 to 4294967295.")
        object.__setattr__(self, "params", tuple(sorted(dict(self.params).items())))

    @property
    def digest(self) -> str:
        """A key that is equal exactly where all inputs are."""
        text = json.dumps(dataclasses.asdict(self), sort_keys=True, default=str)
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class Scores:
    """Accuracies on the balanced test set, as fractions.

    Attributes:
        overall: share of test records right; balanced: mean over classes; minority: mean over the
            ceil(C/4) smallest classes; per_class: C numbers.
    """

    overall: float
    balanced: float
    minority: float
    per_class: tuple[float, ...]


@dataclass(frozen=True)
class Result:
    """One cell, done.

    Attributes:
        spec: with params filled in; scores; guarantee; minority_classes, class_counts.
        seconds: time of the batch divided by its cells; versions: of what computed it.
        origin: ``computed`` in this call or ``stored`` by an earlier one.
    """

    spec: RunSpec
    scores: Scores
    guarantee: Guarantee
    minority_classes: tuple[int, ...]
    class_counts: tuple[int, ...]
    seconds: float
    versions: Mapping[str, str]
    notes: Mapping[str, Any] = field(default_factory=dict)
    origin: str = "computed"
