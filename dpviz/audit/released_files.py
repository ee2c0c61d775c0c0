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

from dpviz import mechanisms, methods, privacy
from dpviz.audit import score_bounds
from dpviz.audit.audited_methods import Audit
from dpviz.audit.bounds import CONFIDENCE, lower_bound
from dpviz.run import release_file
from dpviz.types import Budget, Dataset, Guarantee, Plan, Release, less_noise

CANARIES = 4_000
Bound = Callable[[np.ndarray, np.ndarray, Guarantee], float]
"""bound(scores of canaries that are in, of those that are out, claim) -> epsilon shown"""


@dataclass(frozen=True)
class File:
    """A file with canaries in it.

    Attributes:
        method, params, budget: what is released.
        data: ``data(inside)`` has those canaries that are ``inside`` (CANARIES,) bool.
        scores: of each canary, from the release alone: larger where it is likelier to be in.
    """

    method: str
    params: Mapping[str, Any]
    budget: Budget
    data: Callable[[np.ndarray], Dataset]
    scores: Callable[[Release], np.ndarray]


def audit() -> list[Audit]:
    """Canaries as runs in a file of each kind of noise, and a file by the bound of one run."""
    return [
        _audit(means(Budget(1.0, "zcdp")), "half the noise", 2, as_runs),
        _audit(prototypes(Budget(2.0)), "half the noise", 2, as_runs),
        _audit(means(Budget(0.01, "zcdp", 1e-10)), "a sixteenth of the noise", 16, in_one_run),
    ]


def _audit(file: File, twin: str, less: float, bound: Bound) -> Audit:
    method = methods.get(file.method)
    inside = mechanisms.standard_uniform(0, "canaries", (CANARIES,)) < 0.5
    data = file.data(inside)
    plan = method.plan(data.sizes, file.budget, method.check(file.params))
    claim = privacy.proved(plan)

    def shown(drawn: Plan) -> float:
        scores = file.scores(release_file.draw(data, drawn))
        return bound(scores[inside], scores[~inside], claim)

    figures = claim.value if claim.notion == "pure" else claim.epsilon_delta, shown(plan)
    facts = file.method, file.params, claim.notion, claim.adjacency
    event = f"a released file, its canaries {bound.__name__.replace('_', ' ')}"
    return Audit(*facts, *figures, shown(less_noise(plan, less)), CANARIES, event, twin)


def as_runs(inside: np.ndarray, outside: np.ndarray, claim: Guarantee) -> float:
    """Each canary is a run of its own."""
    runs = min(len(inside), len(outside))
    return lower_bound(inside[:runs], outside[:runs], claim)


def in_one_run(inside: np.ndarray, outside: np.ndarray, claim: Guarantee) -> float:
    """All canaries together are one run, for any kind of claim."""
    return score_bounds.approx_epsilon(inside, outside, claim.delta, 1 - CONFIDENCE)


def means(budget: Budget) -> File:
    """DPPL-Mean of two classes; each canary has a coordinate of its class for itself."""
    d = CANARIES // 2

    def data(inside: np.ndarray) -> Dataset:
        return _records(np.tile(np.eye(d), (2, 1))[inside], np.repeat((0, 1), d)[inside], 2, None)

    return File("dppl-mean", {}, budget, data, lambda release: release.weights.ravel())


def prototypes(budget: Budget) -> File:
    """DPPL-Public of many classes: in each a record votes for the second picture, and its canary,
    if it is in, for the first.
    """
    pictures = np.array([[1.0, 0.0], [-1.0, 0.0]])

    def data(inside: np.ndarray) -> Dataset:
        classes = np.arange(CANARIES)
        x = np.concatenate(
            [np.tile(pictures[1], (CANARIES, 1)), pictures[:1].repeat(inside.sum(), 0)]
        )
        return _records(x, np.concatenate([classes, classes[inside]]), CANARIES, pictures)

    def scores(release: Release) -> np.ndarray:
        assert release.chosen is not None
        return (release.chosen[:, 0] == 0).astype(float)

    window = {"d_min": 0.0, "d_max": 2.0}
    return File("dppl-public", window, budget, data, scores)


def _records(x: np.ndarray, y: np.ndarray, classes: int, public: np.ndarray | None) -> Dataset:
    x = x.astype(np.float32)
    return Dataset(
        "audit",
        None,
        x,
        y,
        x[:1],
        y[:1],
        tuple(str(c) for c in range(classes)),
        f"canaries {classes} {y.tobytes().hex()}",
        None if public is None else public.astype(np.float32),
        public_key=None if public is None else "audit",
    )
