"""DPPL-Mean: a private mean of each class's features. As a sum, as printed, and CoinPress."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz import mechanisms, privacy
from dpviz.machine.threads import one_numeric_thread
from dpviz.mechanisms import Seed
from dpviz.methods.components import coinpress
from dpviz.methods.components.privacy_unit import PrivacyUnits, gaussian, row_norms, squared_mu
from dpviz.methods.components.prototypes import (
    blocks,
    pool,
    pooled_release,
    require_public,
)
from dpviz.methods.components.worst_neighbours import first_weight, records
from dpviz.types.audit_case import AuditCase, EventCase
from dpviz.types.budget import Budget
from dpviz.types.checks import DpvizError
from dpviz.types.dataset import Dataset, Sizes, unit_rows
from dpviz.types.guarantee import Gaussian, Plan
from dpviz.types.line_style import BLUE, LineStyle
from dpviz.types.method import Losses, Method, Param, Query
from dpviz.types.release import Fit, Release

KEY = "dppl-mean"
SOURCES = {
    "sum": (
        "DPPL (AAAI 2025), Eq. 1 as a sum; Gaussian mechanism; parallel composition over classes"
    ),
    "printed": "DPPL (AAAI 2025), Eq. 1 as printed",
    "coinpress": "DPPL (first version) with CoinPress, Biswas et al. 2020",
}
FORM = Param(
    "form",
    "Mean estimator",
    "sum: noise on the class sum. printed: the paper's mean with public class counts. coinpress:"
    " three shrinking clips around the public mean, with public class counts. The paper starts"
    " CoinPress at the origin with a wider clip, r + gamma.",
    "sum",
    choices=tuple(SOURCES),
)
K_POOL = Param(
    "k_pool",
    "k_pool",
    "Number of adjacent coordinates to average first. Higher: less noise, less signal.",
    1,
    1,
    64,
    1,
)
CLIP = Param(
    "clip",
    "Clip norm r",
    "Features are scaled to norm 1, then clipped to this norm (times 1/√k_pool).",
    1.0,
    0.01,
    1.0,
    0.05,
)


def plan(sizes: Sizes, budget: Budget, params: Mapping[str, Any]) -> Plan:
    """Noise of each form; only the printed form and CoinPress use class counts, and say so."""
    if params["k_pool"] > sizes.d:
        raise DpvizError(
            f"k_pool must be at most the number of feature coordinates, {sizes.d}, got"
            f" {params['k_pool']}."
        )
    return FORMS[params["form"]].plan(sizes, budget, params)


def fit(data: Dataset, plans: list[Plan], seeds: list[Seed]) -> Fit:
    """Private class means for each plan and seed.

    Guarantee: mu-GDP (rho = mu^2/2) under add/remove for the sum form; under replace-within-class
    with class counts public for the others.
    """
    with one_numeric_thread():
        return FORMS[plans[0].params["form"]].fit(data, plans, seeds)


def queries(plan: Plan) -> dict[str, Query]:
    """The class sums, or of each step of CoinPress those of rows pulled towards a centre."""
    return FORMS[plan.params["form"]].queries(plan)


@dataclass(frozen=True)
class MeanForm:
    """One way to release the mean of each class.

    Attributes:
        plan, fit, queries: as of ``Method``.
    """

    plan: Callable[[Sizes, Budget, Mapping[str, Any]], Plan]
    fit: Callable[[Dataset, list[Plan], list[Seed]], Fit]
    queries: Callable[[Plan], dict[str, Query]]


# ------------------------------------------------------------------------- sum, and mean as printed


def plan_sum(sizes: Sizes, budget: Budget, params: Mapping[str, Any]) -> Plan:
    """One noisy sum of each class, which a record moves by at most r."""
    event = privacy.gaussian(radius(params), privacy.mu_for(budget))
    return privacy.make_plan(KEY, params, budget, {"sum": event}, source=SOURCES["sum"])


def plan_printed(sizes: Sizes, budget: Budget, params: Mapping[str, Any]) -> Plan:
    """One noisy mean of each class. A record replaced moves n_c times the mean by at most 2r, and
    n_c is public.
    """
    event = privacy.gaussian(2 * radius(params), privacy.mu_for(budget))
    return _plan_with_counts(sizes, budget, params, {"printed": event})


def _plan_with_counts(
    sizes: Sizes,
    budget: Budget,
    params: Mapping[str, Any],
    events: Mapping[str, Gaussian],
    public: str = "the encoder, the class counts",
) -> Plan:
    """A plan that divides by class counts."""
    need_records(sizes, params["form"])
    return privacy.make_plan(
        KEY,
        params,
        budget,
        events,
        source=SOURCES[params["form"]],
        adjacency=privacy.REPLACE_IN_CLASS,
        public=public,
    )


def need_records(sizes: Sizes, form: str) -> None:
    """Refuse data with an empty class, whose count a form divides by.

    Raises:
        DpvizError: if a class has no record.
    """
    if min(sizes.counts) < 1:
        raise DpvizError(
            f"form={form} divides by class counts, and a class has no records. Use form=sum."
        )


def fit_sums(data: Dataset, plans: list[Plan], seeds: list[Seed]) -> Fit:
    """Noisy class sums. The printed form's division by n_c does not move the cosine rule, so both
    forms share them.
    """
    params, d = plans[0].params, data.x.shape[1]
    scale, sums = radius(params), class_sums(data, params)
    noise = [mechanisms.standard_normal(seed, KEY, sums.shape) for seed in seeds]

    def release(plan: Plan, unit_noise: mechanisms.UnitNoise) -> Release:
        noisy = mechanisms.add_gaussian(sums, plan.gaussian(params["form"]), unit_noise, scale)
        return pooled_release(noisy, params["k_pool"], d)

    releases = [[release(plan, unit_noise) for unit_noise in noise] for plan in plans]
    return Fit(releases, {"sums": sums * scale})


def sums_query(plan: Plan) -> dict[str, Query]:
    """The class sums, in units of ``radius``."""
    return {
        plan.params["form"]: Query(
            lambda data, plan, _: class_sums(data, plan.params)[None],
            scale=lambda plan: radius(plan.params),
        )
    }


def radius(params: Mapping[str, Any]) -> float:
    """What pooled unit features are clipped to."""
    return params["clip"] / math.sqrt(params.get("k_pool", 1))


def contributions(x: np.ndarray, params: Mapping[str, Any]) -> np.ndarray:
    """What each record of x (n, d) adds to its class's sum, in units of ``radius``: (n, d //
    k_pool) float64.
    """
    k = params.get("k_pool", 1)
    if k == 1:  # unit rows are as long as any radius or longer
        return mechanisms.contributions(x, 0)
    return mechanisms.contributions(pool(unit_rows(x), k), radius(params))


def class_sums(data: Dataset, params: Mapping[str, Any]) -> np.ndarray:
    """Sum of the ``contributions`` of each class, exact: (C, d // k_pool) float64."""
    sums = np.zeros((data.classes, data.x.shape[1] // params.get("k_pool", 1)))
    for part in blocks(*data.x.shape):
        rows = contributions(data.x[part], params)
        sums += mechanisms.class_sums(rows, data.y[part], data.classes)
    return sums


# ---------------------------------------------------------------------------------------- CoinPress


def plan_coinpress(sizes: Sizes, budget: Budget, params: Mapping[str, Any]) -> Plan:
    """The steps of CoinPress, in units of the public set's mean and spread."""
    need_records(sizes, "coinpress")
    require_public("CoinPress", sizes.public)
    if max(sizes.counts) > coinpress.MAX_RECORDS:
        raise DpvizError(
            f"CoinPress sums at most {coinpress.MAX_RECORDS:,} records per class exactly, got"
            f" {max(sizes.counts):,}. Use form=sum."
        )
    events = coinpress.events(privacy.mu_for(budget))
    public = "the encoder, the class counts, the mean and spread of the public set"
    return _plan_with_counts(sizes, budget, params, events, public)


FORMS = {
    "sum": MeanForm(plan_sum, fit_sums, sums_query),
    "printed": MeanForm(plan_printed, fit_sums, sums_query),
    "coinpress": MeanForm(plan_coinpress, coinpress.fit, coinpress.queries),
}


# ----------------------------------------------------------------- losses of records, audit cases


def losses(data: Dataset, plan: Plan, seed: int) -> Losses:
    """mu_i = ||clip(pool(x_i))|| / sigma for the sum, of a person with the sum of these in each
    class.

    The printed form's neighbour has record i replaced; the worst replacement points the other way
    with the largest norm there is, r, so the contribution is ||clip(pool(x_i))|| + r.
    """
    (form,) = plan.events
    opposite = 0.0 if form == "sum" else radius(plan.params)
    added = moved_by(data, plan, lambda length, records: length + records * opposite)
    return gaussian(squared_mu(added, plan.gaussian(form)), plan)


def moved_by(
    data: Dataset,
    plan: Plan,
    length: Callable[[Any, int], Any] = lambda length, records: length,
    classes: np.ndarray | None = None,
) -> np.ndarray:
    """How far each whom the plan protects moves the class sums, or those of some classes: (count,)
    float64.

    Args:
        length: of a class's part, from the length of what so many records add to it.
        classes: (C,) bool, whose sums are released; None for all.
    """
    units, rows = PrivacyUnits.from_dataset(data, plan), contributions(data.x, plan.params)
    if classes is not None:
        rows = rows * classes[data.y][:, None]
    r = radius(plan.params)
    return units.by_class(
        length(row_norms(rows) * r, 1),
        data.y,
        lambda rows_of_unit: length(
            float(np.linalg.norm(rows[rows_of_unit].sum(axis=0))) * r, len(rows_of_unit)
        ),
    )


def why_no_losses(params: Mapping[str, Any]) -> str | None:
    """Why there is no formula: for CoinPress."""
    if params["form"] != "coinpress":
        return None
    return (
        "CoinPress has no exact loss per record. Its guarantee covers replacement, and no single"
        " replacement is the worst case of all steps."
    )


def sum_case(params: Mapping[str, Any], public: list | None = None) -> AuditCase:
    """One more record, across ten others, so that the direction of the sum tells how far it was
    moved.
    """
    base, labels = [[0.0, 1.0]] * 10 + [[1.0, 0.0]], [0] * 10 + [1]
    more = records([*base, [1.0, 0.0]], [*labels, 0], public)
    return AuditCase(params, more, records(base, labels, public), first_weight)


def _printed_case() -> AuditCase:
    """A record replaced by its opposite, across ten others."""
    base, labels = [[0.0, 1.0]] * 10 + [[1.0, 0.0]], [0] * 11 + [1]
    more, less = (records([[side, 0.0], *base], labels) for side in (1.0, -1.0))
    return AuditCase({"form": "printed"}, more, less, first_weight)


def event_cases(public: list | None = None) -> list[EventCase]:
    """One more record along neither axis; one replaced by its opposite; and CoinPress's."""
    x, y = [[1.0, 0.0], [0.0, 1.0]] * 2, [0, 1] * 2
    more, less = records([*x, [0.6, 0.8]], [*y, 1], public), records(x, y, public)
    replaced = records([*x, [-0.6, -0.8]], [*y, 1], public)
    return [
        EventCase({}, more, less, ("sum",)),
        EventCase({"form": "printed"}, more, replaced, ("printed",)),
        coinpress.event_case(),
    ]


METHOD = Method(
    key=KEY,
    title="DPPL-Mean",
    source=SOURCES["sum"],
    summary=("Mean of the images of each class, plus enough noise to hide any single image."),
    params=(FORM, K_POOL, CLIP),
    plan=plan,
    fit=fit,
    line_style=LineStyle(BLUE, "solid", "circle"),
    losses=losses,
    why_no_losses=why_no_losses,
    queries=queries,
    event_cases=event_cases,
    cases=lambda: [sum_case({}), _printed_case(), coinpress.audit_case()],
    reads_public=lambda params: params["form"] == "coinpress",
)
