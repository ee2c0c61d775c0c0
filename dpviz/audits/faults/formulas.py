"""Faults in published formulas and code: noise scale, number of sets, reused noise."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from dpviz import mechanisms
from dpviz.audits.faults.model import Make, Mistake, Setting, as_planned
from dpviz.methods import dppl_mean, dppl_public
from dpviz.methods.components.prototypes import cosine_release
from dpviz.methods.components.public_scores import ranking
from dpviz.methods.components.worst_neighbours import records
from dpviz.text import faults as text
from dpviz.types import Budget, Dataset, Method, Plan, Release
from dpviz.types.audit_case import less_noise

# ------------------------------------------------------------------------- noise by the class count


@dataclasses.dataclass(frozen=True, eq=False)
class Prototypes(Release):
    """A release by cosine whose prototypes are handed out as they are.

    Attributes:
        prototypes: (C, d) float64 prototypes, of whatever length.
    """

    prototypes: np.ndarray = dataclasses.field(default_factory=lambda: np.zeros((0, 0)))


def _prototypes(sums: np.ndarray) -> Release:
    rule = cosine_release(sums)
    return Prototypes(rule.weights, rule.bias, normalise=rule.normalise, prototypes=sums)


def _noisy_sums(data: Dataset, plan: Plan, seeds: Sequence[int]) -> list[np.ndarray]:
    sums, radius = dppl_mean.class_sums(data, plan.params), dppl_mean.radius(plan.params)
    event = plan.gaussian("sum")
    noise = (mechanisms.standard_normal(seed, dppl_mean.KEY, sums.shape) for seed in seeds)
    return [mechanisms.add_gaussian(sums, event, unit, radius) for unit in noise]


def _sums(method: Method) -> Make:
    return lambda data, plan, seeds: [_prototypes(s) for s in _noisy_sums(data, plan, seeds)]


def _printed_means(method: Method) -> Make:
    """Twice the noise of the sum, divided by the count: what Eq. 1 prints."""

    def make(data: Dataset, plan: Plan, seeds: Sequence[int]) -> list[Release]:
        count = np.maximum(np.array(data.counts), 1)[:, None]
        noisy = _noisy_sums(data, less_noise(plan, 1 / 2), seeds)
        return [_prototypes(sums / count) for sums in noisy]

    return make


def _first_release(release: Release, data: Dataset) -> np.ndarray:
    assert isinstance(release, Prototypes)
    return release.prototypes[0]


DIMENSION, CLASS_RECORDS = 256, 4


def _all_alike(method: Method, budget: Budget) -> Setting:
    side, other = np.eye(2, DIMENSION).tolist()
    without_record = records([side] * CLASS_RECORDS + [other], [0] * CLASS_RECORDS + [1])
    with_record = records([side] * (CLASS_RECORDS + 1) + [other], [0] * (CLASS_RECORDS + 1) + [1])
    return Setting(
        method,
        {},
        budget,
        with_record,
        without_record,
        _first_release,
        text.FAULTS["noise-by-count"]["difference"],
    )


BY_COUNT = Mistake(
    "noise-by-count",
    "https://arxiv.org/abs/2406.08039",
    (dppl_mean.KEY,),
    _printed_means,
    setting=_all_alike,
    make_right=_sums,
)

# ----------------------------------------------------------------------------- sets counted by rank


def _printed_sets(method: Method) -> Make:
    """The joint draw of K with C(y, K) = C(y-1, K-1) y/K sets of lowest rank y: as if the item of
    rank y were better by ln(y) sensitivity/epsilon.
    """

    def make(data: Dataset, plan: Plan, seeds: Sequence[int]) -> list[Release]:
        params, event = plan.params, plan.exponential("selection")
        u = dppl_public.class_utilities(data, plan)
        ranked = ranking(data, params["d_min"], params["d_max"])
        extra = np.log(np.arange(1, u.shape[1] + 1)) * event.sensitivity / event.epsilon
        best_first = np.take_along_axis(u, ranked, axis=1) + extra

        def one(seed: int) -> Release:
            gumbel = mechanisms.standard_gumbel(seed, "selection", u.shape)
            order = mechanisms.standard_uniform(seed, "members", u.shape)
            drawn = zip(best_first, gumbel, order, ranked, strict=True)
            chosen = np.stack(
                [mechanisms.top_k(a, params["k"], event, g, o, r) for a, g, o, r in drawn]
            )
            return cosine_release(data.public[chosen], chosen)

        return [one(seed) for seed in seeds]

    return make


PICTURES, TILT = 60, 0.06


def _nearly_equal(method: Method, budget: Budget) -> Setting:
    """Public pictures that a record finds equally good but for a hair, in one order, and one record
    more that turns the order round.
    """
    tilts = np.linspace(-TILT, TILT, PICTURES)
    public = np.stack([tilts, np.sqrt(1 - tilts**2)], axis=1).tolist()
    base = [[-0.5, 0.866], [0.0, 1.0]]
    without_record, with_record = (
        records(base, [0, 1], public),
        records([*base, [1.0, 0.0]], [0, 1, 0], public),
    )

    def statistic(release: Release, data: Dataset) -> float:
        assert release.chosen is not None
        first, last = release.chosen[0].min(), release.chosen[0].max()
        return float(np.log((last + 1) / (PICTURES - first)))

    params = {"k": 1, "d_min": 0.0, "d_max": 2.0}
    difference = text.FAULTS["sets-by-rank"]["difference"]
    return Setting(method, params, budget, with_record, without_record, statistic, difference)


BY_RANK = Mistake(
    "sets-by-rank",
    "https://arxiv.org/abs/2406.08039v1",
    ("dppl-publick",),
    _printed_sets,
    setting=_nearly_equal,
    budget=Budget(1.0),
)

# ------------------------------------------------------------------------ one noise for all classes


def _one_noise(method: Method) -> Make:
    """Each class is fitted as the first of two, itself and the rest, and so with the first class's
    noise.
    """
    honest = as_planned(method)

    def first(data: Dataset, c: int) -> Dataset:
        return dataclasses.replace(
            data,
            y=(data.y != c).astype(np.int64),
            class_names=("this", "the rest"),
            fingerprint=f"{data.fingerprint} class {c}",
        )

    def make(data: Dataset, plan: Plan, seeds: Sequence[int]) -> list[Release]:
        made = [honest(first(data, c), plan, seeds) for c in range(data.classes)]
        bias = np.zeros(data.classes, np.float32)
        return [
            Release(np.stack([own.weights[0] for own in columns]), bias)
            for columns in zip(*made, strict=True)
        ]

    return make


def _by_the_difference(method: Method, budget: Budget) -> Setting:
    without_record, with_record = (
        records([[1.0], [1.0]], [0, 1]),
        records([[1.0], [1.0], [1.0]], [0, 1, 0]),
    )
    return Setting(
        method,
        {"ridge": 1e4, "noise_ridge": 0.0, "alpha": 0.0},
        budget,
        with_record,
        without_record,
        lambda release, data: release.weights[:, 0],
        text.FAULTS["one-noise"]["difference"],
    )


ONE_NOISE = Mistake(
    "one-noise",
    "https://github.com/google-research/google-research/tree/"
    "5b09c22d73a9d35eb6c5d2a99b95677a45053466/dp_transfer",
    ("dp-ls",),
    _one_noise,
    setting=_by_the_difference,
)
