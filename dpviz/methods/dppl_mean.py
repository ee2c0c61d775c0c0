"""DPPL-Mean: a private mean of each class's features. As a sum, as printed, and CoinPress."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from dpviz import mechanisms, privacy
from dpviz.machine.threads import one_numeric_thread
from dpviz.methods.components import coinpress
from dpviz.methods.components.privacy_unit import PrivacyUnits, gaussian, row_norms, squared_mu
from dpviz.methods.components.prototypes import (
    blocks,
    cosine_release,
    pool,
    public_scale,
    require_public,
    unpool,
)
from dpviz.methods.components.worst_neighbours import CROSS, first_weight, records
from dpviz.types.audit_case import AuditCase, EventCase
from dpviz.types.checks import DpvizError
from dpviz.types.dataset import Dataset, Sizes, unit_rows
from dpviz.types.guarantee import Budget, Plan
from dpviz.types.line_style import BLUE, LineStyle
from dpviz.types.method import Losses, Method, Param, Query
from dpviz.types.release import Fit, Release

KEY = "dppl-mean"
COINPRESS_SPLIT = (5 / 64, 7 / 64, 52 / 64)
SOURCES = {
    "sum": "DPPL (AAAI 2025), Eq. 1, as a sum: Gaussian mechanism, parallel over classes",
    "printed": "DPPL (AAAI 2025), Eq. 1 as printed",
    "coinpress": "DPPL (first version) with CoinPress, Biswas et al. 2020",
}
FORM = Param(
    "form",
    "Form of the mean",
    "sum: noise on the class sum. printed: the paper's mean, class counts public. coinpress: three"
    " shrinking clips in units of the public set's mean and spread, class counts public. The paper"
    " starts at the origin and clips to r + gamma, which is wider.",
    "sum",
    choices=tuple(SOURCES),
)
K_POOL = Param(
    "k_pool",
    "k_pool",
    "Average this many neighbouring coordinates first: less noise, less signal.",
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


# --------------------------------------------------------------------------------------------- plan


def plan(sizes: Sizes, budget: Budget, params: Mapping[str, Any]) -> Plan:
    """Noise of each form; only the printed form and CoinPress use class counts, and say so."""
    if params["k_pool"] > sizes.d:
        raise DpvizError(
            f"k_pool is {params['k_pool']} and the features have {sizes.d} coordinates; use at most"
            f" {sizes.d}."
        )
    form, mu = params["form"], privacy.mu_for(budget)
    if form != "sum" and min(sizes.counts) < 1:
        raise DpvizError(
            f"The {form} form divides by class counts and a class has no record; use form=sum."
        )
    common: dict[str, Any] = {"source": SOURCES[form]}
    if form != "sum":
        common |= {"adjacency": privacy.REPLACE_IN_CLASS, "public": "the encoder, the class counts"}
    if form == "coinpress":
        require_public("The form CoinPress", sizes.public)
        if max(sizes.counts) > coinpress.MOST:
            raise DpvizError(
                f"A class has {max(sizes.counts):,} records and CoinPress adds up at most"
                f" {coinpress.MOST:,} exactly; use form=sum."
            )
        common["public"] += ", mean and spread of the public set"
        events = {
            f"step {i + 1}": privacy.gaussian(2.0, mu * math.sqrt(s))
            for i, s in enumerate(COINPRESS_SPLIT)
        }
        return privacy.make_plan(KEY, params, budget, events, **common)
    # printed: one record replaced moves n_c times the mean by up to 2r, and n_c is public
    sensitivity = radius(params) if form == "sum" else 2 * radius(params)
    return privacy.make_plan(
        KEY, params, budget, {form: privacy.gaussian(sensitivity, mu)}, **common
    )


# ---------------------------------------------------------------------------------------------- fit


def fit(data: Dataset, plans: list[Plan], seeds: list[int]) -> Fit:
    """Private class means for each plan and seed.

    Guarantee: mu-GDP (rho = mu^2/2) under add/remove for the sum form; under replace-within-class
    with class counts public for the others.
    """
    one_form = _fit_coinpress if plans[0].params["form"] == "coinpress" else _fit_sums
    with one_numeric_thread():
        return one_form(data, plans, seeds)


def _fit_sums(data: Dataset, plans: list[Plan], seeds: list[Any]) -> Fit:
    form, k = plans[0].params["form"], plans[0].params["k_pool"]
    scale = radius(plans[0].params)
    sums = class_sums(data, plans[0].params)
    # the printed form's division by n_c does not move the cosine rule, so both forms share this
    # line
    noise = [mechanisms.standard_normal(seed, KEY, sums.shape) for seed in seeds]
    d = data.x.shape[1]
    releases = [
        [_release(mechanisms.add_gaussian(sums, p.gaussian(form), z, scale), k, d) for z in noise]
        for p in plans
    ]
    return Fit(releases, {"sums": sums * scale})


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


def _radius_of(plan: Plan) -> float:
    return radius(plan.params)


def queries(plan: Plan) -> dict[str, Query]:
    """The class sums, or of each step of CoinPress those of rows pulled towards a centre."""
    form = plan.params["form"]
    if form != "coinpress":
        sums = Query(lambda data, plan, _: class_sums(data, plan.params)[None], scale=_radius_of)
        return {form: sums}
    return {
        name: Query(partial(_pulled_sums, step), _centres) for step, name in enumerate(plan.events)
    }


def _pulled_sums(step: int, data: Dataset, plan: Plan, centres: np.ndarray) -> np.ndarray:
    """What a step of CoinPress adds noise to, in units of each class's clip radius: (1, C, d //
    k_pool) float64.
    """
    k = plan.params["k_pool"]
    sums = []
    for c, (n, centre) in enumerate(zip(data.counts, centres, strict=True)):
        clip = coinpress.schedule(centres.shape[1], n, plan)[step]["clip"]
        found, _ = coinpress.clipped_sums(
            coinpress.class_rows(data, c, k), centre[None, None], np.full((1, 1, 1), clip)
        )
        sums.append(found[0, 0] / clip)
    return np.stack(sums)[None]


def _centres(data: Dataset, plan: Plan, rng: np.random.Generator) -> list[np.ndarray]:
    """Where a step of CoinPress may stand, (C, d // k_pool) each: at its start, near, astray."""
    shape = (data.classes, data.x.shape[1] // plan.params["k_pool"])
    near = rng.uniform(-1, 1, shape)
    return [np.zeros(shape), near, 1e5 * near]


def _release(prototypes: np.ndarray, k: int, d: int) -> Release:
    release = cosine_release(prototypes)
    if k == 1:
        return release
    unit = prototypes / np.maximum(np.linalg.norm(prototypes, axis=1, keepdims=True), 1e-30)
    return Release(unpool(unit, k, d).astype(np.float32), release.bias, normalise=False)


def _fit_coinpress(data: Dataset, plans: list[Plan], seeds: list[Any]) -> Fit:
    k, d, classes = plans[0].params["k_pool"], data.x.shape[1], data.classes
    centre, spread = public_scale(data, k)
    shape = (len(COINPRESS_SPLIT), classes, d // k)
    noise = [mechanisms.standard_normal(seed, KEY, shape) for seed in seeds]
    events = [[p.gaussian(name) for name in p.events] for p in plans]
    by_size = [{n: coinpress.schedule(d // k, n, p) for n in set(data.counts)} for p in plans]
    schedules = [[known[n] for n in data.counts] for known in by_size]
    found = []
    for c in range(classes):  # one class at a time: large sets need no second copy
        rows, mine = coinpress.class_rows(data, c, k), [schedule[c] for schedule in schedules]
        drawn = [[step[c] for step in z] for z in noise]
        found.append(coinpress.estimates(rows, mine, events, drawn))
    means, clipped, norms = (np.stack(part, axis=2) for part in zip(*found, strict=True))
    means = means * spread + centre
    releases = [[_release(cell, k, d) for cell in row] for row in means]
    return Fit(releases, {"schedules": schedules, "clipped": clipped, "norms": norms})


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
    whose, rows = PrivacyUnits.of(data, plan), contributions(data.x, plan.params)
    if classes is not None:
        rows = rows * classes[data.y][:, None]
    r = radius(plan.params)
    return whose.by_class(
        length(row_norms(rows) * r, 1),
        data.y,
        lambda own: length(float(np.linalg.norm(rows[own].sum(axis=0))) * r, len(own)),
    )


def why_no_losses(params: Mapping[str, Any]) -> str | None:
    """Why there is no formula: for CoinPress."""
    if params["form"] != "coinpress":
        return None
    return (
        "CoinPress has no exact loss per record: it hides replacing one, and no replacement is"
        " worst for all of its steps."
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
    rest, labels = [[0.0, 1.0]] * 10 + [[1.0, 0.0]], [0] * 11 + [1]
    more, less = (records([[side, 0.0], *rest], labels) for side in (1.0, -1.0))
    return AuditCase({"form": "printed"}, more, less, first_weight)


def _coinpress_case() -> AuditCase:
    """A record far outside the clip ball replaced by its mirror image, among 20 at the centre."""
    public = [[1.0, 0.0]] * 98 + [[0.0, 1.0], [0.0, -1.0]]
    rest, labels = [[1.0, 0.0]] * 20, [0] * 21 + [1]
    side = [[0.5, 0.866]], [[0.5, -0.866]]
    more, less = (records([*s, *rest, [1.0, 0.0]], labels, public) for s in side)
    return AuditCase(
        {"form": "coinpress"}, more, less, lambda r, _: float(r.weights[0, 1]), share=0.5
    )


def event_cases(public: list | None = None) -> list[EventCase]:
    """One more record along neither axis; one replaced by its opposite; one that all of CoinPress's
    steps pull in, replaced by its opposite, among others at the centre.
    """
    x, y = [[1.0, 0.0], [0.0, 1.0]] * 2, [0, 1] * 2
    side, opposite = [0.6, 0.8], [-0.6, -0.8]
    more, less = records([*x, side], [*y, 1], public), records(x, y, public)
    other = records([*x, opposite], [*y, 1], public)
    # one public record in 25 has a length, so that private ones lie seven spreads away
    calm = [[0.0, 0.0]] * 96 + CROSS
    still, labels = [[0.0, 0.0]] * 20, [0, 1] * 10
    far, away = (records([*still, end], [*labels, 1], calm) for end in (side, opposite))
    steps = tuple(f"step {i + 1}" for i in range(len(COINPRESS_SPLIT)))
    return [
        EventCase({}, more, less, ("sum",)),
        EventCase({"form": "printed"}, more, other, ("printed",)),
        EventCase({"form": "coinpress"}, far, away, steps, Budget(8.0, "zcdp")),
    ]


METHOD = Method(
    key=KEY,
    title="DPPL-Mean",
    source=SOURCES["sum"],
    summary=(
        "Each class is the average of its records plus just enough noise to hide any one of them."
    ),
    params=(FORM, K_POOL, CLIP),
    plan=plan,
    fit=fit,
    look=LineStyle(BLUE, "solid", "circle"),
    losses=losses,
    why_no_losses=why_no_losses,
    queries=queries,
    event_cases=event_cases,
    cases=lambda: [sum_case({}), _printed_case(), _coinpress_case()],
    reads_public=lambda params: params["form"] == "coinpress",
)
