"""Audit of released files: one file, drawn as ``release`` draws it, holds thousands of canaries.

Canaries are in by a fair coin each and meet noise of their own in the file: a coordinate of
DPPL-Mean, the choice of a class of DPPL-Public. So the canaries that are in and those that are out
are as good as that many runs on two neighbours, and nothing but the file is read. The same scores
also give the bound of one run, which needs no such independence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz import methods, privacy
from dpviz.audits import canaries, score_bounds
from dpviz.audits.audited_methods import Audit
from dpviz.audits.bounds import CONFIDENCE, lower_bound
from dpviz.audits.canaries import Canaries
from dpviz.experiments import release_file
from dpviz.types import Budget, Guarantee, Plan, less_noise

CANARIES = 4_000
Bound = Callable[[np.ndarray, np.ndarray, Guarantee], float]
"""bound(scores of canaries that are in, of those that are out, claim) -> epsilon shown"""


@dataclass(frozen=True)
class File:
    """A file with canaries in it.

    Attributes:
        method, params, budget: what is released.
        canaries: that may be in it.
    """

    method: str
    params: Mapping[str, Any]
    budget: Budget
    canaries: Canaries


def audit() -> list[Audit]:
    """Canaries as runs in a file of each kind of noise, and a file by the bound of one run."""
    return [
        _audit(means(Budget(1.0, "zcdp")), "half the noise", 2, as_runs),
        _audit(prototypes(Budget(2.0)), "half the noise", 2, as_runs),
        _audit(means(Budget(0.01, "zcdp", 1e-10)), "a sixteenth of the noise", 16, in_one_run),
    ]


def _audit(file: File, variant: str, noise_divisor: float, bound: Bound) -> Audit:
    method = methods.get(file.method)
    inside = file.canaries.tossed(0)
    data = file.canaries.data(inside)
    plan = method.plan(data.sizes, file.budget, method.check(file.params))
    claim = privacy.proved(plan)

    def spent_epsilon(drawn: Plan) -> float:
        scores = file.canaries.scores(release_file.draw(data, drawn))
        return bound(scores[inside], scores[~inside], claim)

    figures = claim.value if claim.notion == "pure" else claim.epsilon_delta, spent_epsilon(plan)
    facts = file.method, file.params, claim.notion, claim.adjacency
    event = f"a released file, its canaries {bound.__name__.replace('_', ' ')}"
    return Audit(
        *facts,
        *figures,
        spent_epsilon(less_noise(plan, noise_divisor)),
        CANARIES,
        event,
        variant,
    )


def as_runs(inside: np.ndarray, outside: np.ndarray, claim: Guarantee) -> float:
    """Each canary is a run of its own."""
    runs = min(len(inside), len(outside))
    return lower_bound(inside[:runs], outside[:runs], claim)


def in_one_run(inside: np.ndarray, outside: np.ndarray, claim: Guarantee) -> float:
    """All canaries together are one run, for any kind of claim."""
    return score_bounds.approx_epsilon(inside, outside, claim.delta, 1 - CONFIDENCE)


def means(budget: Budget) -> File:
    """DPPL-Mean of two classes."""
    return File("dppl-mean", {}, budget, canaries.coordinates(CANARIES))


def prototypes(budget: Budget) -> File:
    """DPPL-Public of many classes."""
    window = {"d_min": 0.0, "d_max": 2.0}
    return File("dppl-public", window, budget, canaries.choices(CANARIES))
