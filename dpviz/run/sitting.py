"""What was shown in a sitting, as its ledger takes it: each run with the events of its plan and the
stream of its noise.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from dpviz import methods
from dpviz.methods import pate
from dpviz.methods.parts.teachers import Ensemble
from dpviz.privacy import ADD_REMOVE, ADD_REMOVE_PERSON, vote_costs
from dpviz.privacy.selection_price import SHAPES, OneRun, one_run
from dpviz.privacy.sitting_ledger import Best, Shown
from dpviz.privacy.vote_ledger import Setting
from dpviz.run import experiment, release_file, units
from dpviz.run.tuning import APART, Search
from dpviz.types import Budget, DpvizError, Event, Gaussian, Material, Plan, RunSpec

SAME_NOISE = {
    "dppl-mean-projected": "dppl-mean",
    "dppl-publick": "dppl-public",
    "ppgd": "adamix",
    "dppl-public-projected": "dppl-public",
    "transfer-pate": "pate",
    "prom-pate": "pate",
}
"""Methods that draw the noise of another one's seed: their streams bear the same labels."""
UNKNOWN = (Gaussian(1.0, 0.0),)
"""Events of a run whose plan can no longer be made, as its data are gone, or whose noise tells
what it read: nothing bounds it.
"""


#: Methods whose teachers are of a kind; all other kinds are those of Prom-PATE.
VOTERS = {"scratch": pate.PATE.key, "linear": pate.TRANSFER.key}


@dataclass(frozen=True)
class NoisyVotes:
    """Answers of an ensemble to queries, with the noise of one seed.

    Attributes:
        material: private data; ensemble: teachers; by: aggregation; queries: how many are asked.
    """

    material: Material
    ensemble: Ensemble
    by: Setting
    queries: int
    seed: int


def counts(spec: RunSpec) -> bool:
    """Whether a run is a private release; a reference without noise has no price."""
    return methods.get(spec.method).private and spec.budget.private


def stream(method: str) -> str:
    """Whose noise a method draws."""
    return SAME_NOISE.get(method, method)


def shown(specs: Iterable[RunSpec]) -> list[Shown]:
    """Runs with what they drew; equal runs are equal, however much of their settings was left
    out.
    """
    return _shown(specs, experiment.planned)


def released(specs: Iterable[RunSpec]) -> list[Shown]:
    """Releases with what they drew, each with noise of its own."""
    found = _shown(specs, release_file.planned)
    return [dataclasses.replace(one, release=place) for place, one in enumerate(found, start=1)]


def voted(votes: Iterable[NoisyVotes]) -> list[Shown]:
    """Return noisy votes with their cost, all queries counted as answered."""
    return [_voted(one) for one in votes]


def _voted(one: NoisyVotes) -> Shown:
    by, method = one.by, VOTERS.get(one.ensemble.kind, pate.PROM.key)
    events = vote_costs.events(one.queries, one.queries, by.sigma1, by.sigma2)
    rho = sum(vote_costs.rho(one.queries, one.queries, by.sigma1, by.sigma2))
    usual = Ensemble(one.ensemble.kind, one.ensemble.teachers)
    settings = {k: v for k, v in vars(one.ensemble).items() if v != getattr(usual, k)}
    settings |= {"teachers": one.ensemble.teachers, "queries": one.queries}
    # without delta, which changes no noise
    settings |= {"threshold": by.threshold, "sigma1": by.sigma1, "sigma2": by.sigma2}
    budget, params = Budget(rho, "zcdp"), tuple(settings.items())
    spec = RunSpec(**one.material.facts, method=method, budget=budget, seed=one.seed, params=params)
    # all records of a person are at one teacher, so a person costs what a record does
    adjacency = ADD_REMOVE_PERSON if one.material.unit == "person" else ADD_REMOVE
    return Shown(spec, stream(method), tuple(events.values()), adjacency=adjacency)


def _shown(specs: Iterable[RunSpec], planned: Callable[[RunSpec], Plan]) -> list[Shown]:
    costs: dict[RunSpec, tuple[tuple[Event, ...], str]] = {}
    found = []
    for spec in specs:
        alike = dataclasses.replace(spec, seed=0)
        if alike not in costs:
            costs[alike] = _cost(alike, planned)
        events, adjacency = costs[alike]
        whole = experiment.complete(spec)
        found.append(Shown(whole, stream(spec.method), events, adjacency=adjacency))
    return found


def _cost(spec: RunSpec, planned: Callable[[RunSpec], Plan]) -> tuple[tuple[Event, ...], str]:
    """Events and adjacency of a run; unbounded where its noise depends on a private number."""
    unknown = UNKNOWN, ADD_REMOVE_PERSON if spec.unit == "person" else ADD_REMOVE
    if units.read_off(spec):
        return unknown
    try:
        plan = planned(spec)
    except DpvizError:
        return unknown
    return tuple(plan.events.values()), plan.guarantee.adjacency


def best(search: Search) -> Best:
    """The best of a study, shown alone."""
    first = search.spec()
    known = not units.read_off(first)
    promise = experiment.planned(first).guarantee if known else None
    run = one_run(promise) if promise else OneRun(math.inf)
    adjacency = promise.adjacency if promise else ADD_REMOVE_PERSON
    seeds = range(first.seed, first.seed + APART)
    shape = SHAPES[search.count]
    trials = float(search.trials)
    return Best(search, first, stream(search.method), seeds, run, trials, shape, adjacency)
