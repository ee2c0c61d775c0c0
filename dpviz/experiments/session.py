"""Shown runs of a session for its accountant: events and noise stream of each run."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from dpviz import methods
from dpviz.data import one_pool, preparation, synthetic
from dpviz.data.data_set_table import DATASETS, HELD_ASIDE, NO_PUBLIC
from dpviz.experiments import experiment, public_set_use, release_file, units
from dpviz.experiments.tuning import SEED_DISTANCE, Search
from dpviz.methods import pate
from dpviz.methods.components.teachers import Ensemble
from dpviz.privacy import ADD_REMOVE, ADD_REMOVE_PERSON, vote_costs
from dpviz.privacy.private_selection import SHAPES, OneRun, one_run
from dpviz.privacy.session_accountant import Best, ShownRun
from dpviz.privacy.session_totals import Records, Scope
from dpviz.privacy.vote_ledger import Setting
from dpviz.types import Budget, DataConfig, DpvizError, Event, Gaussian, Plan, RunSpec

NOISE_SOURCES = {
    "dppl-mean-projected": "dppl-mean",
    "dppl-publick": "dppl-public",
    "ppgd": "adamix",
    "dppl-public-projected": "dppl-public",
    "transfer-pate": "pate",
    "prom-pate": "pate",
}
"""Methods that use the noise stream of another method."""
UNKNOWN_EVENTS = (Gaussian(1.0, 0.0),)
"""Unbounded events: the plan of the run is unknown, or its noise depends on a private number."""
#: Part of a source with its public set; "" is the part with its private records.
PUBLIC = "public"
#: Methods by kind of teachers; all other kinds belong to Prom-PATE.
VOTERS = {"scratch": pate.PATE.key, "linear": pate.TRANSFER.key}


@dataclass(frozen=True)
class NoisyVotes:
    """Answers of an ensemble to queries, with the noise of one seed.

    Attributes:
        material: private data; ensemble: teachers; setting: aggregation; queries: number of
            queries.
    """

    material: DataConfig
    ensemble: Ensemble
    setting: Setting
    queries: int
    seed: int


def counts(spec: RunSpec) -> bool:
    """Return whether a run is a private release; runs without noise have no cost."""
    return methods.get(spec.method).private and spec.budget.private


def stream(method: str) -> str:
    """Return the method whose noise stream a method uses."""
    return NOISE_SOURCES.get(method, method)


def shown_runs(specs: Iterable[RunSpec]) -> list[ShownRun]:
    """Return runs with their events; equal settings give equal runs."""
    return _shown_runs(specs, experiment.planned)


def released(specs: Iterable[RunSpec]) -> list[ShownRun]:
    """Return releases with their events, each with separate noise."""
    releases = _shown_runs(specs, release_file.planned)
    return [
        dataclasses.replace(release, release=place)
        for place, release in enumerate(releases, start=1)
    ]


def voted(votes: Iterable[NoisyVotes]) -> list[ShownRun]:
    """Return noisy votes with their cost, all queries counted as answered."""
    return [_voted(item) for item in votes]


def _voted(votes: NoisyVotes) -> ShownRun:
    setting, method = votes.setting, VOTERS.get(votes.ensemble.kind, pate.PROM.key)
    events = vote_costs.events(votes.queries, votes.queries, setting.sigma1, setting.sigma2)
    rho = sum(vote_costs.rho(votes.queries, votes.queries, setting.sigma1, setting.sigma2))
    usual = Ensemble(votes.ensemble.kind, votes.ensemble.teachers)
    settings = {k: v for k, v in vars(votes.ensemble).items() if v != getattr(usual, k)}
    settings |= {"teachers": votes.ensemble.teachers, "queries": votes.queries}
    # delta changes no noise
    settings |= {"threshold": setting.threshold, "sigma1": setting.sigma1, "sigma2": setting.sigma2}
    budget, params = Budget(rho, "zcdp"), tuple(settings.items())
    spec = RunSpec(
        **votes.material.facts, method=method, budget=budget, seed=votes.seed, params=params
    )
    # one teacher has all records of a person, so a person costs as much as a record
    adjacency = ADD_REMOVE_PERSON if votes.material.unit == "person" else ADD_REMOVE
    usual_run = RunSpec(**votes.material.facts, method=method, budget=Budget(1.0))
    covered = scope(usual_run, _starts(usual_run))
    return ShownRun(
        spec, stream(method), tuple(events.values()), adjacency=adjacency, scope=covered
    )


def _shown_runs(specs: Iterable[RunSpec], planned: Callable[[RunSpec], Plan]) -> list[ShownRun]:
    costs: dict[RunSpec, tuple[tuple[Event, ...], str, Scope]] = {}
    found = []
    for spec in specs:
        same_settings = dataclasses.replace(spec, seed=0)
        if same_settings not in costs:
            costs[same_settings] = _cost(same_settings, planned)
        events, adjacency, covered = costs[same_settings]
        whole = experiment.complete(spec)
        run = ShownRun(whole, stream(spec.method), events, adjacency=adjacency, scope=covered)
        found.append(run)
    return found


def _cost(
    spec: RunSpec, planned: Callable[[RunSpec], Plan]
) -> tuple[tuple[Event, ...], str, Scope]:
    """Events, adjacency and scope of a run.

    The events are unbounded where the noise depends on a private number.
    """
    adjacency = ADD_REMOVE_PERSON if spec.unit == "person" else ADD_REMOVE
    unknown = UNKNOWN_EVENTS, adjacency, scope(spec)
    if units.read_off(spec):
        return unknown
    try:
        plan = planned(spec)
    except DpvizError:
        return unknown
    covered = scope(spec, plan.guarantee.starts)
    return tuple(plan.events.values()), plan.guarantee.adjacency, covered


def _starts(spec: RunSpec) -> str:
    try:
        return experiment.planned(spec).guarantee.starts
    except DpvizError:
        return ""


def scope(spec: RunSpec, starts: str = "") -> Scope:
    """Return which records a run protects and which it takes as public.

    Args:
        starts: what is done to the data before its guarantee begins.
    """
    spec = experiment.complete(spec)
    private = frozenset((_source(spec.dataset), part) for part in ("", HELD_ASIDE))
    public, divided = _public_records(spec), frozenset[tuple[str, int]]()
    if one_pool(spec.dataset):
        divided = frozenset({(_source(spec.dataset), spec.draw)})
    if public_set_use.protects(spec):
        return Scope(private | public, frozenset(), True, starts, divided)
    # the card shows the number of held-aside images for every method
    held = spec.public == HELD_ASIDE
    if held or experiment.reads_public(spec) or preparation.reads_public(spec.features):
        return Scope(private - public if held else private, public, False, starts, divided)
    return Scope(private, frozenset(), False, starts, divided)


def _public_records(spec: RunSpec) -> frozenset[Records]:
    """Return the records of the public set of a run."""
    name = spec.public
    if name == NO_PUBLIC:
        return frozenset()
    if name == HELD_ASIDE:
        return frozenset({(_source(spec.dataset), HELD_ASIDE)})
    if name in DATASETS:
        return frozenset({(_source(name), ""), (_source(name), HELD_ASIDE)})
    file = name if name and name.endswith(".npz") else spec.dataset
    return frozenset({(_source(file), PUBLIC)})


def _source(name: str) -> str:
    """Return one name for each source of records, so that equal files have equal names."""
    if name in DATASETS:
        return DATASETS[name].part_of or name
    return name if synthetic.is_synthetic(name) else str(Path(name).resolve())


def best(search: Search) -> Best:
    """Return the best trial of a study, shown alone."""
    first = search.spec()
    known = not units.read_off(first)
    guarantee = experiment.planned(first).guarantee if known else None
    run = one_run(guarantee) if guarantee else OneRun(math.inf)
    adjacency = guarantee.adjacency if guarantee else ADD_REMOVE_PERSON
    covered = scope(first, guarantee.starts if guarantee else "")
    seeds = range(first.seed, first.seed + SEED_DISTANCE)
    shape = SHAPES[search.count]
    trials = float(search.trials)
    return Best(search, first, stream(search.method), seeds, run, trials, shape, adjacency, covered)
