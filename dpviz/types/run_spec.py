"""One run: what is asked, and what came out."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

import numpy as np

from dpviz.types.budget import Budget
from dpviz.types.checks import DpvizError, quoted
from dpviz.types.data_config import DataConfig, check_name, key_fields
from dpviz.types.dataset import reached_ratio
from dpviz.types.guarantee import Guarantee

MAX_SEED = 2**32 - 1


@dataclass(frozen=True)
class RunSpec(DataConfig):
    """Everything that decides a result. Hashable; the same spec gives the same numbers everywhere.

    Attributes:
        method: key; budget; params: (name, value) pairs; seed: of the noise, >= 0; the rest: as in
            ``DataConfig``.
    """

    method: str
    budget: Budget
    _: KW_ONLY
    params: tuple[tuple[str, Any], ...] = ()
    seed: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_name("method", self.method)
        if not isinstance(self.seed, int) or not 0 <= self.seed <= MAX_SEED:
            raise DpvizError(
                f"Seed is {quoted(self.seed)}; use a whole number from 0 to {MAX_SEED}."
            )
        object.__setattr__(self, "params", tuple(sorted(dict(self.params).items())))

    @property
    def digest(self) -> str:
        """A key that is equal exactly where all inputs are."""
        facts = key_fields(vars(self)) | {"budget": vars(self.budget)}
        text = json.dumps(facts, sort_keys=True, default=str)
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class Hits:
    """Which test records a release gets right, class after class, each class in the test set's
    order: results on one test set can be compared record by record.

    Attributes:
        bits: base64 of the packed bits, 1 for right; tested: test records of each class; minority:
            the smallest classes.
    """

    bits: str
    tested: tuple[int, ...]
    minority: tuple[int, ...]

    @classmethod
    def from_labels(
        cls, right: np.ndarray, labels: np.ndarray, classes: int, minority: Sequence[int]
    ) -> Hits:
        """From ``right`` (n,) bool and ``labels`` (n,) in the test set's order."""
        packed = np.packbits(right[np.argsort(labels, kind="stable")])
        tested = np.bincount(labels, minlength=classes)
        return cls(
            base64.b64encode(packed.tobytes()).decode(), tuple(tested.tolist()), tuple(minority)
        )

    @property
    def right(self) -> np.ndarray:
        """(n,) bool, class after class."""
        packed = np.frombuffer(base64.b64decode(self.bits), np.uint8)
        return np.unpackbits(packed, count=sum(self.tested)).astype(bool)


@dataclass(frozen=True)
class Scores:
    """Accuracies on the balanced test set, as fractions.

    Attributes:
        overall: share of test records right; balanced: mean over classes; minority: mean over the
            ceil(C/4) smallest classes; per_class: C numbers. Classes without test records do not
            count, and nan is in place of a number that no test record tells.
        hits: which test records are right; None where that is not known.
    """

    overall: float
    balanced: float
    minority: float
    per_class: tuple[float, ...]
    hits: Hits | None = None


@dataclass(frozen=True)
class Result:
    """One cell, done.

    Attributes:
        spec: with params filled in; scores; guarantee; minority_classes, class_counts.
        seconds: time of the batch divided by its cells; versions: of what computed it.
        origin: ``computed`` in this call or ``stored`` by an earlier one.
        persons: private persons that are in, where the promise is to persons.
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
    persons: int = 0

    @property
    def ratio(self) -> float:
        """Imbalance ratio reached: largest class over smallest, of those with records. Private."""
        return reached_ratio(self.class_counts)

    @property
    def protected(self) -> int:
        """How many there are to whom the promise is: persons, or records."""
        return self.persons or sum(self.class_counts)
