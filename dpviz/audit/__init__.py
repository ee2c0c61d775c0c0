"""Audits: run a method many times on two worst-case neighbours and ask how much its releases tell
apart.

The figure is a lower bound on the privacy loss that holds with confidence CONFIDENCE; it must stay
under the method's claim. Each audit has a twin with half the planned noise under the same claim,
which must be
caught: an audit that cannot catch it proves nothing.

For a Gaussian claim the bound is on mu (Nasr et al. 2023): quantile(true positives) -
quantile(false positives), converted to epsilon at delta. For a pure claim it is ln(true / false
positives). For a zCDP claim
it is on rho: the Rényi divergence of the test's two outcomes over its order. Rates are bounded by
Clopper and Pearson 1934; the threshold comes from other runs than those counted.
"""

from __future__ import annotations

import dataclasses
import math
import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

import numpy as np
from scipy import stats

from dpviz import methods, privacy
from dpviz.methods.parts import ensembles
from dpviz.types import (
    Budget,
    Dataset,
    Event,
    Exponential,
    Gaussian,
    Guarantee,
    Head,
    Plan,
    Release,
)

CONFIDENCE = 0.999
RUNS = 20_000
QUICK_RUNS = 2_000
GAUSSIAN_BUDGET = Budget(20.0)
"""Large enough that a few thousand runs tell it from half the noise."""
PURE_BUDGET = Budget(3.0)
"""Small enough that the rarer outcome is still seen."""
MIXED_BUDGET = Budget(6.0)
"""Small enough for the bound on rho, which a test of finite size cannot push far."""
QUERIES = 5
"""Of the PATE methods, all alike: what they cost together is audited too."""


@dataclass(frozen=True)
class Case:
    """Two neighbours and a number that tells their releases apart.

    Attributes:
        params: settings of the method that make the neighbours worst.
        more, less: neighbouring data sets under the method's adjacency.
        statistic: ``statistic(release, data)``, larger where ``more`` is likelier.
        budget: claimed; share: part of the runs that are affordable.
    """

    params: Mapping[str, Any]
    more: Dataset
    less: Dataset
    statistic: Callable[[Release, Dataset], float]
    budget: Budget = GAUSSIAN_BUDGET
    share: float = 1.0


@dataclass(frozen=True)
class Audit:
    """One row of the table: ``claimed`` and ``audited`` are epsilon at the claim's delta (0 for
    pure).
    """

    method: str
    params: Mapping[str, Any]
    notion: str
    adjacency: str
    claimed: float
    audited: float
    twin_audited: float
    runs: int

    @property
    def holds(self) -> bool:
        """The audit stays under the claim."""
        return self.audited <= self.claimed

    @property
    def twin_caught(self) -> bool:
        """Half the noise is seen to break the claim."""
        return self.twin_audited > self.claimed


def audit(key: str, runs: int = RUNS) -> list[Audit]:
    """Audit a private method on each of its cases."""
    return [_audit(key, case, runs) for case in CASES[key]()]


def audit_all(runs: int = RUNS) -> Iterator[list[Audit]]:
    """The audits of every private method, a method after the other, worked on by all cores."""
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        yield from pool.map(audit, CASES, [runs] * len(CASES))


def _audit(key: str, case: Case, runs: int) -> Audit:
    method, runs = methods.get(key), int(runs * case.share)
    plan = method.plan(case.less.sizes, case.budget, method.check(case.params))
    claim = plan.guarantee
    found = [_lower_bound(case, key, p, claim, runs) for p in (plan, twin(plan))]
    claimed = claim.value if claim.notion == "pure" else claim.epsilon_delta
    return Audit(key, dict(case.params), claim.notion, claim.adjacency, claimed, *found, runs)


def twin(plan: Plan) -> Plan:
    """The plan with half its noise and its claim unchanged."""
    return dataclasses.replace(
        plan, events={name: _half(event) for name, event in plan.events.items()}
    )


def _half(event: Event) -> Event:
    if isinstance(event, Gaussian):
        return dataclasses.replace(event, sigma=event.sigma / 2)
    if isinstance(event, Exponential):
        return dataclasses.replace(event, epsilon=event.epsilon * 2)
    return dataclasses.replace(event, events=tuple(_half(inner) for inner in event.events))


# ---------------------------------------------------------------------------------------- the bound


def _lower_bound(case: Case, key: str, plan: Plan, claim: Guarantee, runs: int) -> float:
    """Epsilon that the runs show to be spent, in the claim's own notion."""
    fit = methods.get(key).fit
    values = []
    for data, first in ((case.more, 0), (case.less, runs)):
        releases = fit(data, [plan], list(range(first, first + runs))).releases[0]
        values.append(np.array([case.statistic(release, data) for release in releases]))
    return lower_bound(*values, claim)


def lower_bound(more: np.ndarray, less: np.ndarray, claim: Guarantee) -> float:
    """Epsilon shown to be spent by statistics (runs,) of releases from each of two neighbours, in
    the claim's notion.
    """
    runs = len(more)
    choose, count = (
        [v[part] for v in (more, less)] for part in (slice(None, runs // 2), slice(runs // 2, None))
    )
    bound, convert = BOUNDS[claim.notion]
    thresholds = np.unique(np.quantile(np.concatenate(choose), np.linspace(0.005, 0.995, 100)))
    best = max(thresholds, key=lambda t: bound(*(int(np.sum(v > t)) for v in choose), runs // 2))
    shown = bound(*(int(np.sum(v > best)) for v in count), len(count[0]))
    return convert(max(shown, 0.0), claim.delta)


def clopper_pearson(hits: int, runs: int) -> tuple[float, float]:
    """Lower and upper bound on a rate, each wrong with probability (1 - CONFIDENCE) / 2."""
    miss = (1 - CONFIDENCE) / 2
    low = stats.beta.ppf(miss, hits, runs - hits + 1) if hits else 0.0
    high = stats.beta.ppf(1 - miss, hits + 1, runs - hits) if hits < runs else 1.0
    return float(low), float(high)


def gaussian_bound(true: int, false: int, runs: int) -> float:
    """Lower bound on mu from hits among ``runs`` of each data set."""
    return float(
        stats.norm.ppf(clopper_pearson(true, runs)[0])
        - stats.norm.ppf(clopper_pearson(false, runs)[1])
    )


def pure_bound(true: int, false: int, runs: int) -> float:
    """Lower bound on a pure epsilon, from hits or from misses, whichever shows more."""
    rates = [(true, false), (runs - false, runs - true)]
    shown = [(clopper_pearson(a, runs)[0], clopper_pearson(b, runs)[1]) for a, b in rates]
    return max((math.log(low / high) for low, high in shown if low > 0), default=0.0)


ORDERS = 1 + np.geomspace(0.01, 100, 60)


def zcdp_bound(true: int, false: int, runs: int) -> float:
    """Lower bound on rho: D_alpha of the outcomes' distributions is at most rho alpha for every
    order.
    """
    p, q = clopper_pearson(true, runs)[0], clopper_pearson(false, runs)[1]
    if p <= q or q >= 1:
        return 0.0
    one, other = (p, q), (1 - p, 1 - q)
    log_terms = [
        ORDERS * math.log(max(a, 1e-300)) + (1 - ORDERS) * math.log(b) for a, b in (one, other)
    ]
    return float(np.max(np.logaddexp(*log_terms) / (ORDERS - 1) / ORDERS))


BOUNDS = {
    "pure": (pure_bound, lambda shown, delta: shown),
    "gdp": (gaussian_bound, privacy.gdp_epsilon),
    "zcdp": (zcdp_bound, privacy.zcdp_epsilon),
}
"""For each notion: the bound, and how its value becomes the epsilon of the table."""


# ---------------------------------------------------------------------------- worst-case neighbours


def _data(x: list, y: list[int], public: list | None = None) -> Dataset:
    """Records as given, two classes, no test set to speak of."""
    x, y = np.array(x, np.float32), np.array(y, np.int64)
    labels = None if public is None else np.arange(len(public)) % 2
    public = None if public is None else np.array(public, np.float32)
    return Dataset(
        "audit",
        None,
        x,
        y,
        x[:1],
        y[:1],
        ("a", "b"),
        repr((x.tolist(), y.tolist())),
        public,
        labels,
        "audit",
    )


def _first_weight(release: Release, data: Dataset) -> float:
    return float(release.weights[0, 0])


def _mean_sum(params: Mapping[str, Any], public: list | None = None) -> Case:
    """One more record, across ten others, so that the direction of the sum tells how far it was
    moved.
    """
    base, labels = [[0.0, 1.0]] * 10 + [[1.0, 0.0]], [0] * 10 + [1]
    return Case(
        params,
        _data([*base, [1.0, 0.0]], [*labels, 0], public),
        _data(base, labels, public),
        _first_weight,
    )


def _mean_printed() -> Case:
    """A record replaced by its opposite, across ten others."""
    rest, labels = [[0.0, 1.0]] * 10 + [[1.0, 0.0]], [0] * 11 + [1]
    more, less = (_data([[side, 0.0], *rest], labels) for side in (1.0, -1.0))
    return Case({"form": "printed"}, more, less, _first_weight)


def _mean_coinpress() -> Case:
    """A record far outside the clip ball replaced by its mirror image, among 20 at the centre."""
    public = [[1.0, 0.0]] * 98 + [[0.0, 1.0], [0.0, -1.0]]
    rest, labels = [[1.0, 0.0]] * 20, [0] * 21 + [1]
    side = [[0.5, 0.866]], [[0.5, -0.866]]
    more, less = (_data([*s, *rest, [1.0, 0.0]], labels, public) for s in side)
    return Case({"form": "coinpress"}, more, less, lambda r, _: float(r.weights[0, 1]), share=0.5)


def _selection(params: Mapping[str, Any]) -> Case:
    """Two public records; a vote against the first, and one more record that votes for it alone."""
    public = [[1.0, 0.0], [-1.0, 0.0]] * 2
    base, labels = [[-1.0, 0.0], [0.0, 1.0]], [0, 1]
    more, less = _data([*base, [1.0, 0.0]], [*labels, 0], public), _data(base, labels, public)
    params = {"d_min": 0.0, "d_max": 2.0, **params}
    # even rows of the public set are the first record
    return Case(params, more, less, lambda r, _: float(np.min(r.chosen[0] % 2) == 0), PURE_BUDGET)


def _gradient(params: Mapping[str, Any]) -> Case:
    """A record whose gradient is clipped at every step, among records that have none."""
    base, labels = [[0.0], [0.0]], [0, 1]
    more, less = _data([*base, [1.0]], [*labels, 0]), _data(base, labels)
    # a step size divided by the number of records: the card calls that number public
    return Case(
        params, more, less, lambda r, data: float(r.weights[0, 0] - r.weights[1, 0]) * len(data.x)
    )


def _least_squares() -> Case:
    """A record against 200 opposite ones: the second moment it adds and the sum it takes both
    shrink the weight.
    """
    base, labels = [[-1.0]] * 200 + [[0.0]], [0] * 200 + [1]
    params = {"ridge": 1e-6, "noise_ridge": 0.0, "alpha": 0.0}
    return Case(
        params, _data([*base, [1.0]], [*labels, 0]), _data(base, labels), _first_weight, share=0.5
    )


def _newton() -> Case:
    """A record labelled against 200 like it: both the curvature and the slope say that it is there."""
    base, labels = [[1.0]] * 200 + [[0.0]], [1] * 200 + [0]
    more, less = _data([*base, [1.0]], [*labels, 0]), _data(base, labels)
    params = {"steps": 1, "ridge": 1e-6, "noise_ridge": 0.0}
    return Case(params, more, less, lambda r, _: float(r.weights[0, 0] - r.weights[1, 0]))


def _covariance() -> Case:
    """A clipped gradient among records that have none, and a ridge that fixes the preconditioner."""
    base, labels = [[0.0], [0.0]], [0, 1]
    params = {"steps": 4, "ridge": 1e4, "noise_ridge": 0.0, "clip": 0.05, "lr": 0.01}
    return Case(
        params, _data([*base, [1.0]], [*labels, 0]), _data(base, labels), _first_weight, share=0.5
    )


def _mixed() -> Case:
    """A record that contradicts the shots along their one direction, among records that have no
    gradient.
    """
    public, base, labels = [[1.0, 0.0], [-1.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]], [0, 1]
    more, less = _data([*base, [1.0, 0.0]], [*labels, 1], public), _data(base, labels, public)
    return Case(
        {"max_steps": 2, "rank": 1},
        more,
        less,
        lambda r, _: float(r.weights[1, 0] - r.weights[0, 0]),
        share=0.5,
    )


def _voted() -> Case:
    """One more record turns one of eleven teachers, which ends a tie of the rest, on each of the
    queries there are.

    Everything is run: shards, teachers, votes, tests, answers and student, whose weights tell how
    many answers went which way. Of each of ten teachers the two records decide its vote, five one
    way and five the other; the eleventh votes with the second five until the record reaches it.
    """
    x = [*[[1.0, 0.0], [0.0, 1.0]] * 10, [0.3, 0.95], [-0.3, -0.95], [1.0, 0.0]]
    y = [0, 1] * 5 + [1, 0] * 5 + [1, 0, 0]
    numbers = np.arange(1000)
    owner = ensembles.shards(dataclasses.replace(_data(x, y), rows=numbers), 11, 0)
    rows = np.concatenate([numbers[owner == t][: 2 + (t == 10)] for t in range(11)])
    head = Head(np.eye(2, dtype=np.float32), np.zeros(2, np.float32))
    public = [[1.0, 0.0]] * QUERIES
    more, less = (
        dataclasses.replace(_data(x[:n], y[:n], public), rows=rows[:n], head=lambda: head)
        for n in (23, 22)
    )
    return Case({"teachers": 11}, more, less, lambda r, _: float(r.weights[0, 0] - r.weights[1, 0]))


CROSS = [[1.0, 0.0], [0.0, 1.0]] * 2
CASES: dict[str, Callable[[], list[Case]]] = {
    "dppl-mean": lambda: [_mean_sum({}), _mean_printed(), _mean_coinpress()],
    "dppl-public": lambda: [_selection({})],
    "dppl-publick": lambda: [_selection({"k": 1}), _selection({"k": 2})],
    "noisy-gd": lambda: [_gradient({"steps": 4, "clip": 0.1, "lr": 0.01})],
    "global-adapt": lambda: [_gradient({"steps": 4, "clip": 0.1, "lr": 0.01, "bound": 0.7})],
    "adamix": lambda: [_mixed()],
    "dp-ls": lambda: [_least_squares()],
    "dp-newton": lambda: [_newton()],
    "dp-fc": lambda: [_covariance()],
    "dppl-mean-projected": lambda: [_mean_sum({"episodes": 0}, CROSS)],
    "dppl-public-projected": lambda: [_selection({"episodes": 0})],
    "pate": lambda: [_voted()],
    "transfer-pate": lambda: [_voted()],
    "prom-pate": lambda: [_voted()],
    "dppl-auto": lambda: [dataclasses.replace(_mean_sum({}, CROSS), budget=MIXED_BUDGET)],
}
"""One or more cases a private method."""
