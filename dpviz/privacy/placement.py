"""Where a claimed_guarantee guarantee lies on a budget axis.

Source: Bun & Steinke 2016, Proposition 1.4 (pure to zCDP); Dong, Roth & Su 2019 (GDP).
"""

from __future__ import annotations

import math

from dpviz.privacy.best_guess import most_right
from dpviz.privacy.claims import claimed_guarantee
from dpviz.privacy.compose import ADD_REMOVE
from dpviz.types.checks import LARGEST_BUDGET, SMALLEST_BUDGET

NAMED = {"pure": "epsilon", "approx": "epsilon", "zcdp": "rho", "gdp": "mu"}
"""Notions that can be placed, with the name of their value."""


def on_axis(
    notion: str, value: float, delta: float | None, axis: str, axis_delta: float
) -> float | None:
    """Smallest budget of ``axis`` that the guarantee is known to keep; None if there is none.

    An (ε, δ) guarantee keeps (ε, δ') for every δ' ≥ δ. It has no finite ρ.

    Args:
        notion: of ``NAMED``; value: ε, ρ or μ, above 0 and at most 1e6.
        delta: of ``approx``, in (0, 0.5]; None for other notions.
        axis: of ``AXES``; axis_delta: δ of the axis, used by ``approx`` alone.

    Raises:
        DpvizError: for a value or δ out of range.
    """
    at = delta if notion == "approx" else (None if notion == "pure" else axis_delta)
    promise = claimed_guarantee(ADD_REMOVE, **{NAMED[notion]: value, "delta": at})
    if axis == "approx":
        if notion == "approx" and promise.delta > axis_delta:
            return None
        place = promise.epsilon_delta
    elif axis == "guess":
        place = 100 * most_right(promise)
    else:
        place = promise.rho if axis == "zcdp" else math.sqrt(2 * promise.rho)
    return place if SMALLEST_BUDGET[axis] < place <= LARGEST_BUDGET[axis] else None
