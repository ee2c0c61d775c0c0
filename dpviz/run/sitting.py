"""What was shown in a sitting, as its ledger takes it: each run with the events of its plan and the
stream of its noise.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable

from dpviz import methods
from dpviz.privacy.selection_price import SHAPES, OneRun, one_run
from dpviz.privacy.sitting_ledger import Best, Shown
from dpviz.run import experiment, units
from dpviz.run.tuning import APART, Search
from dpviz.types import DpvizError, Event, Gaussian, RunSpec

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
    events: dict[RunSpec, tuple[Event, ...]] = {}
    found = []
    for spec in specs:
        alike = dataclasses.replace(spec, seed=0)
        if alike not in events:
            events[alike] = _events(alike)
        whole = experiment.complete(spec)
        found.append(Shown(whole, stream(spec.method), events[alike]))
    return found


def released(specs: Iterable[RunSpec]) -> list[Shown]:
    """Releases with what they drew, each with noise of its own."""
    return [
        dataclasses.replace(one, release=place) for place, one in enumerate(shown(specs), start=1)
    ]


def _events(spec: RunSpec) -> tuple[Event, ...]:
    if units.read_off(spec):  # the noise tells a number that is private
        return UNKNOWN
    try:
        return tuple(experiment.planned(spec).events.values())
    except DpvizError:
        return UNKNOWN


def best(search: Search) -> Best:
    """The best of a study, shown alone."""
    first = search.spec()
    known = not units.read_off(first)
    run = one_run(experiment.planned(first).guarantee) if known else OneRun(math.inf)
    seeds = range(first.seed, first.seed + APART)
    shape = SHAPES[search.count]
    return Best(search, first, stream(search.method), seeds, run, float(search.trials), shape)
