"""DPPL-Auto: each class takes DPPL-Mean or DPPL-Public, decided without a look at private records.

The DPPL paper suggests a choice by budget (section 5.1). The choice by class size is new here:
a rehearsal on the public set decides it from class sizes and budget. Large classes take the mean,
small ones a public prototype, and the threshold is the size that was right most often.

The sizes it reads are noisy counts, a small part of the budget, so that the promise is the one of
the other methods; or they are public, which makes it a weaker promise at twice the noise.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dpviz import mechanisms, privacy
from dpviz.methods import dppl_mean, dppl_public
from dpviz.methods.components import public_rehearsal, selection_losses
from dpviz.methods.components.privacy_unit import PrivacyUnits
from dpviz.methods.components.prototypes import D_MAX, D_MIN, require_public, window_width
from dpviz.methods.components.record_losses import squared_mu
from dpviz.methods.components.worst_neighbours import CROSS, records
from dpviz.methods.dppl_mean import CLIP
from dpviz.methods.dppl_public import class_utilities
from dpviz.privacy.per_record import gdp_epsilons, zcdp_epsilons
from dpviz.types.audit_case import AuditCase, EventCase
from dpviz.types.dataset import Dataset, Sizes, unit_rows
from dpviz.types.guarantee import Budget, Event, Exponential, Gaussian, Parallel, Plan
from dpviz.types.line_style import PURPLE, LineStyle
from dpviz.types.method import Losses, Method, Param, Query
from dpviz.types.release import Fit, Release

KEY = "dppl-auto"
SOURCE = "this project; DPPL (AAAI 2025), Eq. 1 as a sum and Algorithm 1; parallel over classes"
PUBLIC = "the encoder, the public set with its labels"
COUNTS = Param(
    "counts",
    "Class counts",
    "noisy: released first with noise. public: taken as known, so a neighbour replaces a record"
    " within its class, at twice the noise.",
    "noisy",
    choices=("noisy", "public"),
)
COUNT_SHARE = Param(
    "count_share",
    "Share for the counts",
    "Part of ρ spent on the noisy class counts.",
    0.03,
    0.001,
    0.9,
    0.01,
)
MEAN, FROM_PUBLIC = "Mean", "Public"


def plan(sizes: Sizes, budget: Budget, params: Mapping[str, Any]) -> Plan:
    """Either mechanism at the same cost; a class takes one, so both cost what the dearer does."""
    require_public(METHOD.title, sizes.public)
    return PLANS[params["counts"]](budget, params)


def _plan_noisy(budget: Budget, params: Mapping[str, Any]) -> Plan:
    """Noisy class counts first, then one mechanism a class chosen from them."""
    share, width = params["count_share"], window_width(params["d_min"], params["d_max"])
    if budget.axis == "guess":  # kinds of noise compose in zCDP
        budget = dataclasses.replace(budget, value=privacy.allowed_rho(budget), axis="zcdp")
    # on the (epsilon, delta) axis the two choices share delta: privacy.guarantee says why
    halved = dataclasses.replace(budget, delta=budget.delta / 2)
    mu = privacy.mu_for(halved)
    counts = privacy.gaussian(1.0, math.sqrt(share) * mu)
    mean = privacy.gaussian(params["clip"], math.sqrt(1 - share) * mu)
    public = Exponential(width, _selection_epsilon(halved, counts))
    events: dict[str, Event] = {"counts": counts, "prototype": Parallel((mean, public))}
    return privacy.make_plan(KEY, params, budget, events, source=SOURCE, public=PUBLIC)


def _selection_epsilon(budget: Budget, counts: Gaussian) -> float:
    """Pure epsilon left after the counts: what zCDP leaves or, for a target epsilon, what addition
    leaves.
    """
    if not budget.private:
        return math.inf
    rho = privacy.rho_for(budget) - privacy.event_rho(counts)
    by_rho = privacy.exponential_epsilon(rho, budget.axis)
    if budget.axis != "approx":
        return by_rho
    left = budget.value * (1 - privacy.PRIVATE_SIDE) - privacy.gdp_epsilon(
        privacy.event_mu(counts), budget.delta
    )
    return max(left, by_rho)


def _plan_public(budget: Budget, params: Mapping[str, Any]) -> Plan:
    """Class counts public, so a neighbour has one record replaced within its class.

    The sum moves by up to 2r, and the score of a public record by up to d_max - d_min either way,
    which a monotone exponential mechanism would answer with twice its epsilon.
    """
    mean = privacy.gaussian(2 * params["clip"], privacy.mu_for(budget))
    public = Exponential(
        2 * window_width(params["d_min"], params["d_max"]),
        privacy.exponential_epsilon_for(budget),
    )
    return privacy.make_plan(
        KEY,
        params,
        budget,
        {"prototype": Parallel((mean, public))},
        source=SOURCE,
        public=f"{PUBLIC}, the class counts",
        adjacency=privacy.REPLACE_IN_CLASS,
    )


PLANS = {"noisy": _plan_noisy, "public": _plan_public}


def decide(
    sizes: Sizes,
    budget: Budget,
    params: Mapping[str, Any],
    x_public: np.ndarray,
    y_public: np.ndarray | None,
) -> list[tuple[str, str]]:
    """What each class takes, ``Mean`` or ``Public``, and why, in one sentence. Sees no private
    record.
    """
    planned = plan(sizes, budget, params)
    rule = _rule(sizes.counts, planned, _scenes(planned, sizes.classes, x_public, y_public))
    return [(_choice(rule, n), _reason(rule, n)) for n in sizes.counts]


def _scenes(
    planned: Plan, classes: int, x_public: np.ndarray, y_public: np.ndarray | None
) -> list[public_rehearsal.Scene]:
    params = planned.params
    return public_rehearsal.stage(
        x_public, y_public, classes, params["clip"], params["d_min"], params["d_max"]
    )


def _rule(
    counts: Sequence[float], planned: Plan, scenes: list[public_rehearsal.Scene]
) -> public_rehearsal.Rule:
    mean, public = _mechanisms(planned)
    # copies: who watches the plan's own events must not take the rehearsal's draws for theirs
    return public_rehearsal.choose(
        scenes, counts, dataclasses.replace(mean), dataclasses.replace(public)
    )


def _mechanisms(planned: Plan) -> tuple[Gaussian, Exponential]:
    """The two of which a class takes one."""
    both = planned.events["prototype"]
    assert isinstance(both, Parallel)
    mean, public = both.events
    assert isinstance(mean, Gaussian) and isinstance(public, Exponential)
    return mean, public


def _choice(rule: public_rehearsal.Rule, n: float) -> str:
    return MEAN if n >= rule.threshold else FROM_PUBLIC


def _reason(rule: public_rehearsal.Rule, n: float) -> str:
    if np.isnan(rule.right):
        return "The public set is too small to rehearse on, so every class takes Mean."
    figures = (
        f"right {rule.right:.0%} of the time on the public set (Mean alone {rule.mean:.0%}, Public"
        f" alone {rule.public:.0%})"
    )
    if rule.threshold in (0, public_rehearsal.NEVER):
        return f"{_choice(rule, n)} for every class was {figures}."
    side = "at least" if n >= rule.threshold else "fewer than"
    return (
        f"It has about {n:.0f} records, {side} {rule.threshold:.0f}; Mean from there on was"
        f" {figures}."
    )


def summary(choices: Sequence[tuple[str, str]]) -> dict[str, str]:
    """The choices in short texts for a card."""
    taken = [choice for choice, _ in choices]
    text = (
        ", ".join(f"{c}: {choice}" for c, choice in enumerate(taken))
        if len(set(taken)) > 1
        else f"all {taken[0]}"
    )
    return {"choice by class": text, "why": choices[int(np.argmin([c == MEAN for c in taken]))][1]}


def fit(data: Dataset, plans: list[Plan], seeds: list[int]) -> Fit:
    """A prototype a class for each plan and seed, by the mechanism that the rehearsal chose for it.

    Guarantee: with noisy counts, rho-zCDP under add/remove, rho being that of the counts plus that
    of the dearer mechanism; with public counts, that of the dearer mechanism under replacing within
    a class.
    """
    params = plans[0].params
    sums = dppl_mean.class_sums(data, params)
    u = class_utilities(data, plans[0])
    scenes = _scenes(plans[0], data.classes, data.public, data.y_public)
    columns = []
    rules: dict[tuple, public_rehearsal.Rule] = {}
    for seed in seeds:
        column = []
        normal = mechanisms.standard_normal(seed, KEY, sums.shape)
        gumbel = mechanisms.standard_gumbel(seed, f"{KEY} selection", u.shape)
        for i, p in enumerate(plans):
            mean, public = _mechanisms(p)
            known = _known_counts(data.counts, p, seed)
            key = (i, *known)
            rule = rules[key] = rules.get(key) or _rule(known, p, scenes)
            choices = [(_choice(rule, n), _reason(rule, n)) for n in known]
            use_mean = np.array([choice == MEAN for choice, _ in choices])
            means, picks = (
                mechanisms.add_gaussian(sums, mean, normal, params["clip"]),
                mechanisms.exponential(u, public, gumbel),
            )
            release = _release(use_mean, means, np.array(known), picks, data.public)
            column.append((release, choices))
        columns.append(column)
    rows = list(zip(*columns, strict=True))
    chosen = [[choices for _, choices in row] for row in rows]
    notes = [[summary(choices) for choices in row] for row in chosen]
    return Fit([[made for made, _ in row] for row in rows], {"notes": notes, "choices": chosen})


def _known_counts(counts: Sequence[int], planned: Plan, seed: int) -> list[float]:
    """Class counts as the choice may know them: with the planned noise, if any, at least one."""
    if "counts" not in planned.events:
        return list(counts)
    event = planned.gaussian("counts")
    noise = mechanisms.standard_normal(seed, f"{KEY} counts", (len(counts),))
    return shrunk(
        mechanisms.add_gaussian(np.array(counts, float), event, noise), event.sigma
    ).tolist()


def queries(plan: Plan) -> dict[str, Query]:
    """The class counts, where they are released, the class sums, and the utilities."""
    found = {
        "prototype 1": Query(
            lambda data, plan, _: dppl_mean.class_sums(data, plan.params)[None],
            scale=lambda plan: plan.params["clip"],
        ),
        "prototype 2": Query(class_utilities),
    }
    if "counts" in plan.events:
        found["counts"] = Query(lambda data, plan, _: np.array([data.counts], np.float64))
    return found


def shrunk(noisy: np.ndarray, sigma: float) -> np.ndarray:
    """Noisy counts (C,) drawn towards their mean where they spread no more than their noise;
    post-processing.

    Source: James & Stein 1961, positive part.
    """
    mean, spread = noisy.mean(), np.sum((noisy - noisy.mean()) ** 2)
    trust = (
        max(0.0, 1 - (len(noisy) - 3) * sigma**2 / spread) if spread > 0 and len(noisy) > 3 else 1.0
    )
    return np.maximum(mean + trust * (noisy - mean), 1.0)


def _release(
    use_mean: np.ndarray,
    sums: np.ndarray,
    counts: np.ndarray,
    picks: np.ndarray,
    x_public: np.ndarray,
) -> Release:
    weights = unit_rows(
        np.where(use_mean[:, None], sums, unit_rows(x_public[picks])).astype(np.float32)
    )
    bias = public_rehearsal.mixed_bias(use_mean, weights, sums, counts)
    return Release(weights, bias, chosen=np.where(use_mean, -1, picks)[:, None])


# ----------------------------------------------------------------- losses of records, audit cases


def losses(data: Dataset, plan: Plan, seed: int) -> Losses:
    """1 / sigma_n^2 for the noisy count, and that of the mechanism which the record's class took.

    As in ``privacy.guarantee``: the choice reads the counts, so each mechanism has its part of
    delta; Gaussian releases compose exactly and a pure one adds, unless zCDP is better. A person in
    several classes meets more than one choice, for which zCDP alone is counted.
    """
    mean, public = _mechanisms(plan)
    delta, whose = plan.guarantee.delta, PrivacyUnits.of(data, plan)
    choices = fit(data, [plan], [seed]).trace["choices"][0][0]
    by_mean = np.array([choice == MEAN for choice, _ in choices])
    squared = squared_mu(whose.counts_by_class(data.y), plan.gaussian("counts"))
    squared += squared_mu(dppl_mean.moved_by(data, plan, classes=by_mean), mean)
    pure, rho = selection_losses.of_event(data, plan, public, ~by_mean)
    rho = rho + squared / 2
    fixed = np.where(pure > 0, zcdp_epsilons(rho, delta / 2), np.inf)
    fixed = np.minimum(fixed, pure + gdp_epsilons(np.sqrt(squared), delta / 2))
    classes = whose.each(np.ones(len(data.y)), lambda own: len(np.unique(data.y[own])))
    return np.minimum(np.where(classes == 1, fixed, np.inf), zcdp_epsilons(rho, delta)), rho


def why_no_losses(params: Mapping[str, Any]) -> str | None:
    """Why there is no formula: where the counts are public."""
    if params["counts"] == "noisy":
        return None
    return (
        "With public class counts a neighbour replaces a record, which the formula does not"
        " cover; use counts=noisy."
    )


def _case() -> AuditCase:
    """As the mean's, at a budget small enough for the bound on rho, which a test of finite size
    cannot push far.
    """
    return dataclasses.replace(dppl_mean.sum_case({}, CROSS), budget=Budget(1.0, "zcdp"))


GROUP, ALIKE = 4, 16
"""Public records of a class, and in a direction: a rehearsal that casts a group finds others like
it.
"""


def _public_case() -> AuditCase:
    """Neighbours of which each class takes Public: a record replaced, for one of two directions."""
    axes = np.eye(3).tolist()
    public = [axis for axis in axes for _ in range(ALIKE)]
    base, labels = ([axes[0]] * 2 + [axes[1]] * 3) * 2, [0] * 5 + [1] * 6
    groups = np.arange(len(public)) // GROUP
    more, less = (
        dataclasses.replace(records([*base, axes[side]], labels, public), y_public=groups)
        for side in (0, 1)
    )
    return AuditCase({"counts": "public"}, more, less, _first_direction, Budget(1.0, "zcdp"))


def _first_direction(release: Release, data: Dataset) -> float:
    """Whether the second class took a public record of the first direction."""
    assert release.chosen is not None
    return float(release.chosen[1, 0] // ALIKE == 0)


def event_cases() -> list[EventCase]:
    """Those of the mean and of the choice, which stand beside each other whichever is taken."""
    mean, printed, _ = dppl_mean.event_cases(CROSS)
    public = dppl_public.selection_event_case({})
    # a record replaced by its opposite moves the utilities both ways
    other = dataclasses.replace(
        public.with_record, x=public.with_record.x[[0, 1, 1]], fingerprint="replaced"
    )
    return [
        EventCase(
            {"count_share": 0.3},
            mean.with_record,
            mean.without_record,
            ("counts", "prototype 1"),
            Budget(8.0, "zcdp"),
        ),
        EventCase(
            public.params,
            public.with_record,
            public.without_record,
            ("prototype 2",),
            Budget(0.45, "zcdp"),
        ),
        EventCase(
            {"counts": "public"}, printed.with_record, printed.without_record, ("prototype 1",)
        ),
        EventCase(
            {**public.params, "counts": "public"},
            public.with_record,
            other,
            ("prototype 2",),
            Budget(2.2),
        ),
    ]


METHOD = Method(
    key=KEY,
    title="DPPL-Auto",
    source=SOURCE,
    summary=(
        "Each class takes the better of a noisy mean and a public picture, as a rehearsal on public"
        " data decided."
    ),
    params=(COUNTS, COUNT_SHARE, CLIP, D_MIN, D_MAX),
    plan=plan,
    fit=fit,
    look=LineStyle(PURPLE, "solid", "star"),
    losses=losses,
    why_no_losses=why_no_losses,
    queries=queries,
    cases=lambda: [_case(), _public_case()],
    event_cases=event_cases,
    needs_public=True,
)
