"""Epsilon of a stated mechanism by other libraries, with their versions.

autodp and dp_accounting's Rényi accountant give upper bounds; its PLD accountant and OpenDP's maps
are exact up to their grids and conversions. No library is asked for what it does not offer.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from importlib import util
from importlib.metadata import version
from typing import Any

from dpviz.lazy_imports import mechanism_zoo
from dpviz.privacy.calculator import epsilon_for, gaussian_mu, quiet
from dpviz.privacy.stated_mechanisms import (
    ExponentialChoice,
    LaplaceNoise,
    Mechanism,
    NoisySteps,
    PublishedGuarantee,
    SampledGroup,
)
from dpviz.text import calculator as text

#: Libraries by key: module, and distribution whose version is stated.
LIBRARIES = {
    "autodp": ("autodp", "autodp"),
    "rdp": ("dp_accounting", "dp-accounting"),
    "pld": ("dp_accounting", "dp-accounting"),
    "opendp": ("opendp", "opendp"),
}
#: How far above this project's epsilon a library's may be: relative, and absolute. Below it, by
#: rounding alone.
MAX_EXCESS = {"autodp": (2.0, 0.05), "rdp": (2.0, 0.05), "pld": (0.02, 0.01), "opendp": (0.2, 0.02)}
MAX_SHORTFALL = {"autodp": 1e-3, "rdp": 1e-3, "pld": 0.005, "opendp": 1e-6}
#: Grid of the PLD accountant, its default and for more noise, and steps above which it is too slow.
PLD_GRID, COARSE_PLD_GRID, MAX_PLD_STEPS = 1e-4, 1e-3, 100_000
#: The same grid for mixtures, which are slower.
GROUP_PLD_GRID = 1e-2


@dataclass(frozen=True)
class OtherEpsilon:
    """Epsilon by another library.

    Attributes:
        library: key of ``LIBRARIES``; version: "" where it is not installed.
        epsilon: at ``delta``, None where there is none; reason: why.
    """

    library: str
    version: str
    epsilon: float | None
    delta: float
    reason: str = ""


def other_epsilons(mechanism: Mechanism, delta: float) -> list[OtherEpsilon]:
    """Return epsilon at ``delta`` by each library; 0 asks for pure DP."""
    return [_answer(key, mechanism, delta) for key in LIBRARIES]


def agrees(other: OtherEpsilon, mechanism: Mechanism) -> bool:
    """Return whether another library's epsilon is as near to ours as it should be."""
    if other.epsilon is None:
        return True
    epsilon = epsilon_for(mechanism, other.delta)
    if math.isinf(other.epsilon) or math.isinf(epsilon):
        return other.epsilon >= epsilon
    relative, absolute = MAX_EXCESS[other.library]
    low = epsilon * (1 - MAX_SHORTFALL[other.library]) - 1e-6
    return low <= other.epsilon <= epsilon * (1 + relative) + absolute


def _answer(key: str, mechanism: Mechanism, delta: float) -> OtherEpsilon:
    module, distribution = LIBRARIES[key]
    if util.find_spec(module) is None:
        return OtherEpsilon(key, "", None, delta, text.NO_LIBRARY["missing"])
    number = version(distribution)
    if isinstance(mechanism, PublishedGuarantee) and mechanism.notion in ("pure", "approx"):
        return OtherEpsilon(key, number, None, delta, text.NO_LIBRARY["published"])
    try:
        with quiet():
            epsilon = ASK[key](mechanism, delta)
    except Exception:  # of any type, from the library, for parameters that are extreme
        return OtherEpsilon(key, number, None, delta, text.NO_LIBRARY["failed"])
    if isinstance(epsilon, str):
        return OtherEpsilon(key, number, None, delta, text.NO_LIBRARY[epsilon])
    if math.isnan(epsilon):
        return OtherEpsilon(key, number, None, delta, text.NO_LIBRARY["failed"])
    if key == "opendp" and isinstance(mechanism, LaplaceNoise | ExponentialChoice):
        delta = 0.0  # its maps of these mechanisms are of pure DP
    return OtherEpsilon(key, number, epsilon, delta)


def _autodp(mechanism: Mechanism, delta: float) -> float | str:
    if (mu := gaussian_mu(mechanism)) is not None:
        return float(mechanism_zoo.ExactGaussianMechanism(1 / mu).get_approxDP(delta))
    if isinstance(mechanism, PublishedGuarantee):
        return float(mechanism_zoo.zCDP_Mechanism(mechanism.value).get_approxDP(delta))
    if isinstance(mechanism, SampledGroup):
        return "group"
    from autodp import transformer_zoo

    compose = transformer_zoo.Composition()
    if isinstance(mechanism, NoisySteps):
        step = mechanism_zoo.GaussianMechanism(mechanism.sigma)
        sampling = transformer_zoo.AmplificationBySampling(PoissonSampling=True)
        step = sampling(step, mechanism.rate, improved_bound_flag=True)
        return float(compose([step], [mechanism.steps]).get_approxDP(delta))
    assert isinstance(mechanism, LaplaceNoise | ExponentialChoice)
    if delta == 0:
        return "pure"
    if isinstance(mechanism, LaplaceNoise):
        step = mechanism_zoo.LaplaceMechanism(b=mechanism.scale)
    else:
        step = mechanism_zoo.ExponentialMechanism(mechanism.epsilon)
    return float(compose([step], [mechanism.steps]).get_approxDP(delta))


def _event(mechanism: Mechanism) -> Any:
    """Return the mechanism as an event of dp_accounting, or the key of the reason why not."""
    from dp_accounting import dp_event

    if (mu := gaussian_mu(mechanism)) is not None:
        return dp_event.GaussianDpEvent(1 / mu)
    if isinstance(mechanism, SampledGroup):
        mixed = dp_event.MixtureOfGaussiansDpEvent(mechanism.sigma, *mechanism.weights)
        return dp_event.SelfComposedDpEvent(mixed, mechanism.steps)
    if isinstance(mechanism, NoisySteps):
        step = dp_event.GaussianDpEvent(mechanism.sigma)
        sampled = dp_event.PoissonSampledDpEvent(mechanism.rate, step)
        return dp_event.SelfComposedDpEvent(sampled, mechanism.steps)
    if isinstance(mechanism, LaplaceNoise):
        laplace = dp_event.LaplaceDpEvent(mechanism.scale)
        return dp_event.SelfComposedDpEvent(laplace, mechanism.steps)
    if isinstance(mechanism, PublishedGuarantee):
        return dp_event.ZCDpEvent(mechanism.value)
    return None


def _rdp(mechanism: Mechanism, delta: float) -> float | str:
    from dp_accounting.rdp import RdpAccountant

    event = _event(mechanism)
    if event is None:
        return "exponential"
    if isinstance(mechanism, SampledGroup):
        return "group"
    return "pure" if delta == 0 else float(RdpAccountant().compose(event).get_epsilon(delta))


def _pld(mechanism: Mechanism, delta: float) -> float | str:
    from dp_accounting.pld.pld_privacy_accountant import PLDAccountant

    event = _event(mechanism)
    if event is None:
        return "exponential"
    if delta == 0:
        return "pure"
    if isinstance(mechanism, PublishedGuarantee) and mechanism.notion == "zcdp":
        return "zcdp"
    if getattr(mechanism, "steps", 1) > MAX_PLD_STEPS or _is_wide(mechanism):
        return "slow"
    fine = isinstance(mechanism, NoisySteps) and mechanism.sigma >= 1
    grid = PLD_GRID if fine else COARSE_PLD_GRID
    if isinstance(mechanism, SampledGroup):
        grid = GROUP_PLD_GRID
    accountant = PLDAccountant(value_discretization_interval=grid)
    return float(accountant.compose(event).get_epsilon(delta))


def _is_wide(mechanism: Mechanism) -> bool:
    """Return whether the losses are too many steps of the grid apart."""
    if isinstance(mechanism, LaplaceNoise):
        return mechanism.epsilon_each * mechanism.steps > 1000
    mu = gaussian_mu(mechanism)
    if mu is None:
        assert isinstance(mechanism, NoisySteps)
        images = mechanism.images if isinstance(mechanism, SampledGroup) else 1
        mu = images / mechanism.sigma
    return mu > 20


def _opendp(mechanism: Mechanism, delta: float) -> float | str:
    import opendp.prelude as dp

    dp.enable_features("contrib")
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    if (mu := gaussian_mu(mechanism)) is not None:
        measurement = dp.c.make_zCDP_to_approxDP(dp.m.make_gaussian(*space, scale=1 / mu))
        return float(measurement.map(1.0).epsilon(delta))
    if isinstance(mechanism, NoisySteps):
        return "sampled"
    if isinstance(mechanism, PublishedGuarantee):
        return "published"
    if isinstance(mechanism, LaplaceNoise):
        laplace = dp.m.make_laplace(*space, scale=mechanism.scale)
        return float(laplace.map(1.0)) * mechanism.steps
    assert isinstance(mechanism, ExponentialChoice)
    choices = (
        dp.vector_domain(dp.atom_domain(T=float, nan=False)),
        dp.linf_distance(T=float, monotonic=True),
    )
    choice = dp.m.make_noisy_max(*choices, dp.max_divergence(), scale=1 / mechanism.epsilon)
    return float(choice.map(1.0)) * mechanism.steps


ASK: dict[str, Callable[[Mechanism, float], float | str]] = {
    "autodp": _autodp,
    "rdp": _rdp,
    "pld": _pld,
    "opendp": _opendp,
}
