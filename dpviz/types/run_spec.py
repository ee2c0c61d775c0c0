"""One run: what is asked, and what came out."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dpviz.types.checks import DpvizError, check_range
from dpviz.types.guarantee import Budget, Guarantee


@dataclass(frozen=True)
class RunSpec:
    """Everything that decides a result. Hashable; the same spec gives the same numbers everywhere.

    Attributes:
        dataset: row of the data table, path of an ``.npz`` or an ``etf:…``; encoder: row of the
            encoder table, None for features; public: public set (None: the data set's own default).
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
            if not isinstance(value, str) and (
                value is not None or name in ("dataset", "method", "features")
            ):
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
