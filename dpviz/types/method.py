"""Methods: their settings, what they release, and how they are called."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dpviz.types.checks import DpvizError, check_range
from dpviz.types.dataset import Dataset, Sizes, unit_rows
from dpviz.types.guarantee import Budget, Plan
from dpviz.types.look import Look


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
            raise DpvizError(
                f"{self.name} is {number:g}; use a finite number from {self.low:g} to"
                f" {self.high:g}."
            )
        if self.integer and number != int(number):
            raise DpvizError(
                f"{self.name} is {number:g}; use a whole number from {self.low:g} to {self.high:g}."
            )
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
        look: in every chart, shared with no other method.
        private: False for references, which have no noise: they read the private data in full, or
            not at all.
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
    look: Look
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
