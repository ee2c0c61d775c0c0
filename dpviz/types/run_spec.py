"""Runs: specification, scores and result."""

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
    """Everything that determines a result. Hashable; equal specs give equal numbers everywhere.

    Attributes:
        method: key; budget; params: (name, value) pairs; seed: noise seed, >= 0; other fields: as
            in ``DataConfig``.
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
                f"Seed must be a whole number between 0 and {MAX_SEED:,}, got {quoted(self.seed)}."
            )
        object.__setattr__(self, "params", tuple(sorted(dict(self.params).items())))

    @property
    def digest(self) -> str:
        """A hash of all inputs."""
        facts = key_fields(vars(self)) | {"budget": vars(self.budget)}
        text = json.dumps(facts, sort_keys=True, default=str)
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class Hits:
    """Test records that a release classifies correctly, for comparisons record by record.

    Records are ordered by class, and within a class as in the test set.

    Attributes:
        bits: base64 of the packed bits, 1 for correct; tested: test records per class; minority:
            the smallest classes.
    """

    bits: str
    tested: tuple[int, ...]
    minority: tuple[int, ...]

    @classmethod
    def from_labels(
        cls, right: np.ndarray, labels: np.ndarray, classes: int, minority: Sequence[int]
    ) -> Hits:
        """Make from ``right`` (n,) bool and ``labels`` (n,) in the order of the test set."""
        packed = np.packbits(right[np.argsort(labels, kind="stable")])
        tested = np.bincount(labels, minlength=classes)
        return cls(
            base64.b64encode(packed.tobytes()).decode(), tuple(tested.tolist()), tuple(minority)
        )

    @property
    def right(self) -> np.ndarray:
        """(n,) bool, ordered by class."""
        packed = np.frombuffer(base64.b64decode(self.bits), np.uint8)
        return np.unpackbits(packed, count=sum(self.tested)).astype(bool)


@dataclass(frozen=True)
class Scores:
    """Accuracies on the balanced test set, as fractions.

    Attributes:
        overall: share of correct test records; balanced: mean over classes; minority: mean over the
            ceil(C/4) smallest classes; per_class: C numbers. Classes without test records do not
            count; a number without test records is nan.
        hits: the correct test records; None if unknown.
    """

    overall: float
    balanced: float
    minority: float
    per_class: tuple[float, ...]
    hits: Hits | None = None


@dataclass(frozen=True)
class Result:
    """Result of one run.

    Attributes:
        spec: with all params; scores; guarantee; minority_classes, class_counts.
        seconds: time of the batch divided by its runs; versions: of code and libraries.
        origin: ``computed`` in this call or ``stored`` by an earlier one.
        persons: number of private persons, if the guarantee is user-level.
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
        """Imbalance ratio reached: largest nonempty class over smallest. Private."""
        return reached_ratio(self.class_counts)

    @property
    def protected(self) -> int:
        """Number of protected units: persons or records."""
        return self.persons or sum(self.class_counts)
