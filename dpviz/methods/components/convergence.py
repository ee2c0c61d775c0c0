"""Step size, decay and error bounds of NoisyGD on convex problems, with their constants.

Noisy gradient descent on J(w) = L(w) + lambda/2 |w - w_ref|^2 with steps 2/(lambda (t + 1)), whose
iterates are averaged with weights t, has E J - min J <= 2 M^2 / (lambda (T + 1)), where M^2 bounds
the squared length of a noisy gradient: (N tau + lambda B)^2 + d sigma^2 tau^2. With sigma^2 =
T/(2 rho) and J(w*) = L(w*) + lambda/2 D^2 that is ``bound``, and ``decay`` makes it smallest.

Source: AdaMix (Golatkar et al. 2022), Theorems 3 and 4; Lacoste-Julien et al. 2012 for the average;
Rakhlin et al. 2012 for one pass over public records. Printed in the paper: ``printed_decay``, which
has rho and d the wrong way round, and ``printed_bound``, whose second part is half of what the
argument gives; Theorem 4's constant is the one that follows from ours.
"""

from __future__ import annotations

import math
from typing import NamedTuple

LIPSCHITZ = math.sqrt(2)
"""Of softmax cross-entropy on features of norm 1: no record's gradient is longer."""


class Bound(NamedTuple):
    """On the mean excess error of a record: of too few steps, and of the noise and the decay."""

    steps: float
    noise: float

    @property
    def total(self) -> float:
        """Both parts."""
        return self.steps + self.noise


def decay(tau: float, d: int, rho: float, distance: float) -> float:
    """Lambda that makes ``bound`` smallest: tau sqrt(2 d / rho) / D, 0 without noise."""
    return 0.0 if math.isinf(rho) else tau * math.sqrt(2 * d / rho) / distance


def printed_decay(tau: float, d: int, rho: float, distance: float) -> float:
    """Theorem 3's sqrt(rho / (2 D d L^2))."""
    return math.sqrt(rho / (2 * distance * d)) / tau


def bound(n: int, tau: float, d: int, rho: float, distance: float, steps: int) -> Bound:
    """Of the averaged iterate without a constraint, at ``decay``.

    Without a constraint the iterate lies within N tau / lambda of the start but for its noise,
    which is no longer than ``_wandered`` in the mean square.

    Args:
        n: records; tau: no gradient is longer; d: parameters; rho: of the budget; distance: D, from
            the start to the optimum; steps: T.
    """
    strength = decay(tau, d, rho, distance)
    noise = tau * math.sqrt(d * steps / (2 * rho))
    total = whole = 0.0
    for t in range(1, steps + 1):
        weight = t / (t + 1)
        longest = (2 * n * tau + noise * _wandered(t)) ** 2
        total += weight * longest
        whole += weight * noise**2
    scale = 2 / (strength * steps * (steps + 1) * n)
    return Bound(scale * total, scale * whole + strength / 2 * distance**2 / n)


def _wandered(t: int) -> float:
    """Standard deviation of lambda (w_t - w_ref) in units of a step's noise."""
    return 0.0 if t == 1 else math.sqrt(2 * (2 * t - 1) / (3 * (t - 1) * t))


def printed_bound(
    n: int, tau: float, d: int, rho: float, distance: float, steps: int, radius: float
) -> Bound:
    """Theorem 3's, with its own lambda; the root in its second part read as sqrt(2 rho) N."""
    strength = printed_decay(tau, d, rho, distance)
    first = 4 * (n * tau + strength * radius) ** 2 / (strength * steps * n)
    return Bound(first, math.sqrt(d / (2 * rho)) * tau * distance / n)


def public_distance(lipschitz: float, strong: float, public: int) -> float:
    """How far, in the root mean square, one pass over so many public records ends from the optimum
    of a ``strong``-ly convex risk: 2 L / (c sqrt(N_pub)).
    """
    return 2 * lipschitz / (strong * math.sqrt(public))


def mixed_bound(n: int, lipschitz: float, d: int, rho: float, strong: float, public: int) -> float:
    """What privacy adds to the excess risk after many steps, Theorem 4: 4 sqrt(d) L^2 /
    (c sqrt(N_pub) N sqrt(2 rho)).
    """
    distance = public_distance(lipschitz, strong, public)
    return 2 * math.sqrt(d / (2 * rho)) * lipschitz * distance / n
