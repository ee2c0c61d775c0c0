"""Privacy budgets: value, axis and delta, with their ranges and the default delta."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from dpviz.types.checks import DpvizError, check_range, quoted

AXES = {
    "approx": "(ε, δ)-DP",
    "guess": "attacker's best guess in percent",
    "zcdp": "ρ-zCDP",
    "paper": "paper axis, ε = √(2ρ)",
}
#: Largest finite budget of each axis; above it, conversions in float64 are equal.
LARGEST_BUDGET = {"approx": 1e12, "guess": 99.9999, "zcdp": 1e12, "paper": 1e6}
#: Exclusive lower bound of each axis. An attacker who sees nothing guesses right in 50%.
SMALLEST_BUDGET = {"approx": 0.0, "guess": 50.0, "zcdp": 0.0, "paper": 0.0}
#: Remark about the range of a budget.
NO_PRIVACY = "inf: no privacy"
#: Default delta of budgets and guarantees.
DELTA = 1e-5
#: Some methods divide delta, so the smallest is far above the subnormal numbers of float64. Near 1
#: a guarantee is void, and root searches do not end.
SMALLEST_DELTA, LARGEST_DELTA = 1e-305, 0.5


@dataclass(frozen=True)
class Budget:
    """A requested privacy budget.

    Attributes:
        value: above ``SMALLEST_BUDGET``, at most ``LARGEST_BUDGET``, or inf for no privacy: epsilon
            on ``approx`` and ``paper``, rho on ``zcdp``. On ``guess``, the largest percentage of
            right guesses whether a record was used (prior 1/2).
        axis: a key of AXES.
        delta: in [``SMALLEST_DELTA``, ``LARGEST_DELTA``]; the delta of ``approx``, and of the
            conversion to epsilon on the other axes.
    """

    value: float
    axis: str = "approx"
    delta: float = DELTA

    def __post_init__(self) -> None:
        if self.axis not in AXES:
            raise DpvizError(
                f"Budget axis must be one of {', '.join(AXES)}, got {quoted(self.axis)}."
            )
        least, largest = SMALLEST_BUDGET[self.axis], LARGEST_BUDGET[self.axis]
        value = check_range("Budget", self.value, least, math.inf, open_low=True, note=NO_PRIVACY)
        object.__setattr__(self, "value", value)
        if value < math.inf:
            check_range("Budget", value, least, largest, open_low=True, note=NO_PRIVACY)
        delta = check_range("Delta", self.delta, SMALLEST_DELTA, LARGEST_DELTA)
        object.__setattr__(self, "delta", delta)

    @property
    def private(self) -> bool:
        """Whether the budget is finite."""
        return math.isfinite(self.value)

    def with_value(self, value: float) -> Budget:
        """Return the budget with another value on the same axis."""
        return replace(self, value=value)

    def __str__(self) -> str:
        if not self.private:
            return "no privacy"
        if self.axis == "approx":
            return f"({self.value:g}, {self.delta:g})-DP"
        if self.axis == "guess":
            return f"best guess = {self.value:g}%"
        return f"ρ = {self.value:g}" if self.axis == "zcdp" else f"paper ε = {self.value:g}"
