"""What the release of a perturbed objective's minimiser costs (``types.Minimiser``).

Let F be the sum of the records' convex losses plus ridge/2 |w|^2, and F' = F + l with one record
more. With b from N(0, sigma^2 I) the minimiser w of F(w) + b.w is the one at which grad F(w) = -b,
so that its density is p(w) = N(grad F(w); 0, sigma^2 I) det H(w), where H is the Hessian of F; in
the same way p' from F'. Write g and V for gradient and Hessian of l at w, with |g| <= L.

Rényi, first p against p'. Completing the square,
    alpha |grad F|^2 + (1 - alpha) |grad F + g|^2
        = |grad F - (alpha - 1) g|^2 - alpha (alpha - 1) |g|^2,
so that the integral of p^alpha p'^(1 - alpha) is at most exp(alpha (alpha - 1) L^2 / 2 sigma^2)
times that of N(grad F - (alpha - 1) g; 0, sigma^2 I) det(H)^alpha det(H + V)^(1 - alpha). While
(alpha - 1) V < ridge everywhere, w -> grad F - (alpha - 1) g is one to one onto the whole space and
its Jacobian is H - (alpha - 1) V: changing variables leaves the expectation of the product of
(1 + v)^(1 - alpha) / (1 - (alpha - 1) v) over the eigenvalues v of V relative to H. Each is at most
the same of V divided by the ridge. Then p' against p: the map is grad F + alpha g, one to one for
every alpha, and what is left is the product of (1 + v)^alpha / (1 + alpha v). So the Rényi
divergence is that of Gaussian noise plus a term of second order in V / ridge.

For orders beyond that: p / p' <= exp(|g|^2 / 2 sigma^2 - g.b / sigma^2), convex in g, so it is
largest at a corner of the hull that g lies in. For each fixed corner this is the ratio of two
Gaussians, and the sum over the corners bounds what the largest gives, in Rényi divergence and in
delta; in the other direction det(H + V) / det(H) <= exp(trace / ridge) comes on top.

What is found lies within ``distance`` of the exact minimiser. Given that one, noise of sd ``blur``
on what is found is a Gaussian release of sensitivity 2 distance; both compose.

Of k records at once L, the eigenvalues' bounds and the corners' logarithm are k times as large.

Source: objective perturbation by Chaudhuri, Monteleoni & Sarwate 2011 and Kifer, Smith & Thakurta
2012; minimisers found approximately by Iyengar et al. 2019; Redberg, Koskela & Wang 2023 (their
analyses by privacy profile and by Rényi divergence), whose loss by corners this is, for linear
models with one output. The completed square is this project's: it needs no such model, and loses no
factor 2.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable

import numpy as np

from dpviz.caches import cached
from dpviz.lazy_imports import optimize
from dpviz.privacy.convert import PRIVATE_SIDE, allowed_rho, gdp_epsilon
from dpviz.types import Budget, Minimiser

POINTS = 1500
"""Orders that are tried; between two of them the worse of both bounds holds."""


def mu(event: Minimiser) -> float:
    """mu of the Gaussian part: of the linear term and of the noise on what was found."""
    if event.sigma == 0:
        return math.inf
    return math.hypot(event.sensitivity / event.sigma, 2 * event.distance / event.blur)


def _steps(event: Minimiser) -> np.ndarray:
    """Orders less one, from near 0 to far beyond where the completed square ends."""
    end = event.ridge / event.largest
    return np.geomspace(1e-4 * min(end, 1), 1e4 * max(end, 1), POINTS)


def _beyond(event: Minimiser, steps: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(alpha - 1) times what the Rényi divergence at alpha = 1 + steps has beyond the Gaussian
    part, by the completed square in each direction: inf where it has ended.

    Both are increasing in alpha, and convex in v as far as they are used, so that eigenvalues of
    a given sum are worst when each is 0 or the largest.
    """
    most, total, alpha = event.largest / event.ridge, event.trace / event.ridge, 1 + steps
    with np.errstate(divide="ignore", invalid="ignore"):
        first = np.where(
            steps * most < 1, -steps * math.log1p(most) - np.log1p(-steps * most), math.inf
        )
    curved = alpha * math.log1p(most) - np.log1p(alpha * most)
    # beyond v = alpha^(-1/2) the slope falls, and the largest slope bounds it
    sloped = most * alpha * steps / (1 + np.sqrt(alpha)) ** 2
    second = np.where(alpha * most * most <= 1, curved, sloped)
    return first * total / most, second * total / most


#: Above it e to a number is no float.
LARGEST_EXPONENT = math.log(sys.float_info.max)
MIN_BUDGET_SHARE = 1e-9
"""Of the budget that is told from nothing, in the search for the noise."""


@cached(4096)
def rho(event: Minimiser) -> float:
    """Least rho for which the bounds give rho-zCDP: Rényi divergence at most rho alpha at every
    order alpha > 1, those between the tried ones too.
    """
    if event.sigma == 0:
        return math.inf
    steps = _steps(event)
    first, second = _beyond(event, steps)
    low, high = steps[:-1], steps[1:]
    # beyond / (alpha - 1) increases where the square holds, and falls where the corners bound it
    by_square, by_corners = first[1:] / high, event.corners / low
    worst = np.maximum(np.minimum(by_square, by_corners), second[1:] / high) / (1 + low)
    ends = [
        max(min(first[0], event.corners), second[0]) / steps[0],
        max(event.corners, second[-1]) / steps[-1] / (1 + steps[-1]),
    ]
    return mu(event) ** 2 / 2 + max(float(worst.max()), *ends)


@cached(4096)
def epsilon(event: Minimiser, delta: float) -> float:
    """Least epsilon at ``delta`` that the bounds give: by the Rényi curve (Canonne, Kamath &
    Steinke 2020, Proposition 12), or by the corners.
    """
    if event.sigma == 0:
        return math.inf
    steps, spread = _steps(event), mu(event)
    first, second = _beyond(event, steps)
    alpha = 1 + steps
    curve = alpha * spread**2 / 2 + np.maximum(np.minimum(first, event.corners), second) / steps
    converted = curve + np.log1p(-1 / alpha) - (math.log(delta) + np.log(alpha)) / steps
    by_corners = math.inf
    if event.corners < LARGEST_EXPONENT:
        share = delta / math.exp(event.corners)
        by_corners = gdp_epsilon(spread, share) + event.trace / event.ridge
    return max(0.0, min(float(converted.min()), by_corners))


def calibrated(make: Callable[[float], Minimiser], budget: Budget) -> Minimiser:
    """The event with the least sigma that keeps the budget, rounded to the private side.

    Args:
        make: the event of a sigma; it costs less the larger that is.
    """
    if not budget.private:
        return make(0.0)

    def excess(log_sigma: float) -> float:
        event = make(math.exp(log_sigma))
        if budget.axis == "approx":
            # nothing is left of it where delta alone covers what is told
            share = epsilon(event, budget.delta) / budget.value
            return math.log(max(share, MIN_BUDGET_SHARE))
        allowed = allowed_rho(budget)
        return math.log(rho(event) / allowed)

    low = high = 0.0
    while excess(high) > 0:
        high += 1.5
    while excess(low) <= 0:
        low -= 1.5
    sigma = math.exp(optimize.brentq(excess, low, high, xtol=1e-10, rtol=1e-12))
    while excess(math.log(sigma)) > -PRIVATE_SIDE:
        sigma *= 1 + PRIVATE_SIDE
    return make(sigma)
