"""A promise that somebody states of a release of their own, as the guarantee that it is, and where
it lies on a budget axis.

Source: Bun & Steinke 2016, Proposition 1.4 (pure to zCDP); Dong, Roth & Su 2019 (GDP).
"""

from __future__ import annotations

import math

from dpviz.privacy.best_guess import success_bound
from dpviz.privacy.compose import ADD_REMOVE
from dpviz.privacy.convert import gdp_epsilon, zcdp_epsilon
from dpviz.types import DELTA, DpvizError, Guarantee, check_range
from dpviz.types.budget import LARGEST_BUDGET, LARGEST_DELTA, SMALLEST_BUDGET, SMALLEST_DELTA

PUBLIC = "all other inputs of the function"
SOURCE = "stated by the author of the function"
UNITS = "epsilon (with or without delta), rho or mu"


def claimed_guarantee(
    adjacency: str,
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    rho: float | None = None,
    mu: float | None = None,
) -> Guarantee:
    """The guarantee of a claim: ``epsilon`` alone is pure, with ``delta`` (epsilon, delta)-DP;
    ``rho`` is zCDP and ``mu`` is GDP, both told at ``delta``, 1e-5 by default.

    Args:
        adjacency: how neighbours differ, in words.
        epsilon, rho, mu: > 0 and finite, one of them; delta: above 0 and at most
            ``LARGEST_DELTA``, or 0 beside epsilon.

    Raises:
        DpvizError: unless just one is told, or for one out of its range.
    """
    values = {"pure": epsilon, "zcdp": rho, "gdp": mu}
    stated_values = {notion: value for notion, value in values.items() if value is not None}
    if len(stated_values) != 1:
        raise DpvizError(f"Give exactly one of {UNITS}. Got {len(stated_values)}.")
    ((notion, value),) = stated_values.items()
    value = check_range(
        {"pure": "ε", "zcdp": "ρ", "gdp": "μ"}[notion], value, 0, 1e6, open_low=True
    )
    if notion == "pure" and delta is not None and check_range("Delta", delta, 0, LARGEST_DELTA):
        notion = "approx"
    stated_delta = DELTA if notion == "pure" or delta is None else delta
    stated_delta = check_range("Delta", stated_delta, SMALLEST_DELTA, LARGEST_DELTA)
    rho_of = {"pure": value**2 / 2, "approx": math.inf, "zcdp": value, "gdp": value**2 / 2}
    epsilons = {"zcdp": zcdp_epsilon, "gdp": gdp_epsilon}
    at_delta = epsilons[notion](value, stated_delta) if notion in epsilons else value
    return Guarantee(
        notion, value, stated_delta, adjacency, PUBLIC, at_delta, rho_of[notion], SOURCE
    )


VALUE_NAMES = {"pure": "epsilon", "approx": "epsilon", "zcdp": "rho", "gdp": "mu"}
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
    stated_delta = delta if notion == "approx" else (None if notion == "pure" else axis_delta)
    claim = claimed_guarantee(ADD_REMOVE, **{VALUE_NAMES[notion]: value, "delta": stated_delta})
    if axis == "approx":
        if notion == "approx" and claim.delta > axis_delta:
            return None
        place = claim.epsilon_delta
    elif axis == "guess":
        place = 100 * success_bound(claim)
    else:
        place = claim.rho if axis == "zcdp" else math.sqrt(2 * claim.rho)
    return place if SMALLEST_BUDGET[axis] < place <= LARGEST_BUDGET[axis] else None
