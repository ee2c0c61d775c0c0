"""DPPL-Auto: each class takes DPPL-Mean or DPPL-Public, decided without a look at private records.

The DPPL paper suggests a choice by budget (section 5.1). The choice by class size is new here:
a rehearsal on the public set decides it from class sizes and budget. Large classes take the mean,
small ones a public prototype, and the threshold is the size that was right most often.

The sizes it reads are noisy counts, a small part of the budget, so that the promise is the one of
the other methods; or they are public, which makes it a weaker promise at twice the noise.

In the rehearsal, groups of public records play the private classes, other public records are what
DPPL-Public may choose from, and the rest of each group asks. Sums and scores are scaled to the
number of records a class has, so a group of 50 can play a class of 5,000.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz import mechanisms, privacy
from dpviz.caches import KeyedCache
from dpviz.lazy_imports import torch
from dpviz.machine.threads import map_blocks
from dpviz.methods import dppl_mean, dppl_public
from dpviz.methods.components import public_sets
from dpviz.methods.components.privacy_unit import PrivacyUnits, squared_mu
from dpviz.methods.components.prototypes import require_public
from dpviz.methods.components.public_scores import D_MAX, D_MIN, window_width
from dpviz.methods.components.worst_neighbours import CROSS, records
from dpviz.methods.dppl_mean import CLIP
from dpviz.methods.dppl_public import class_utilities
from dpviz.privacy.per_record import gdp_epsilons, zcdp_epsilons
from dpviz.types.audit_case import AuditCase, EventCase
from dpviz.types.budget import Budget
from dpviz.types.dataset import Dataset, Sizes, unit_rows
from dpviz.types.guarantee import Event, Exponential, Gaussian, Parallel, Plan
from dpviz.types.line_style import PURPLE, LineStyle
from dpviz.types.method import Losses, Method, Param, Query
from dpviz.types.release import Fit, Release

KEY = "dppl-auto"
SOURCE = (
    "this project; DPPL (AAAI 2025), Eq. 1 as a sum and Algorithm 1; parallel composition over"
    " classes"
)
PUBLIC = "the encoder, the public set with its labels"
COUNTS = Param(
    "counts",
    "Class counts",
    "noisy: released first with noise. public: assumed known, so neighbors differ by replacing a"
    " record within its class. This doubles the noise.",
    "noisy",
    choices=("noisy", "public"),
)
COUNT_SHARE = Param(
    "count_share",
    "Share for counts",
    "Share of ρ spent on the noisy class counts.",
    0.03,
    0.001,
    0.9,
    0.01,
)
MEAN, FROM_PUBLIC = "Mean", "Public"


def plan(sizes: Sizes, budget: Budget, params: Mapping[str, Any]) -> Plan:
    """Either mechanism at the same cost; a class takes one, so both cost what the dearer does."""
    require_public(METHOD.title, sizes.public)
    if budget.axis == "guess":  # kinds of noise compose in zCDP
        budget = dataclasses.replace(budget, value=privacy.allowed_rho(budget), axis="zcdp")
    return PLANS[params["counts"]](budget, params)


def _plan_noisy(budget: Budget, params: Mapping[str, Any]) -> Plan:
    """Noisy class counts first, then one mechanism a class chosen from them."""
    share, width = params["count_share"], window_width(params["d_min"], params["d_max"])
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
) -> list[Scene]:
    params = planned.params
    return public_scenes(
        x_public, y_public, classes, params["clip"], params["d_min"], params["d_max"]
    )


def _rule(counts: Sequence[float], planned: Plan, scenes: list[Scene]) -> Rule:
    mean, public = _mechanisms(planned)
    # copies: who watches the plan's own events must not take the rehearsal's draws for theirs
    return choose(scenes, counts, dataclasses.replace(mean), dataclasses.replace(public))


def _mechanisms(planned: Plan) -> tuple[Gaussian, Exponential]:
    """The two of which a class takes one."""
    prototype_event = planned.events["prototype"]
    assert isinstance(prototype_event, Parallel)
    mean, public = prototype_event.events
    assert isinstance(mean, Gaussian) and isinstance(public, Exponential)
    return mean, public


def _choice(rule: Rule, n: float) -> str:
    return MEAN if n >= rule.threshold else FROM_PUBLIC


def _reason(rule: Rule, n: float) -> str:
    if np.isnan(rule.right):
        return "The public set is too small to compare both methods, so every class uses DPPL-Mean."
    figures = (
        f"correct in {rule.right:.0%} of trials on public data (Mean only: {rule.mean:.0%}, Public"
        f" only: {rule.public:.0%})"
    )
    if rule.threshold in (0, NO_THRESHOLD):
        return f"{_choice(rule, n)} for every class was {figures}."
    side = "at least" if n >= rule.threshold else "fewer than"
    return (
        f"About {n:.0f} records, {side} {rule.threshold:.0f}. With this threshold for Mean, the"
        f" choice was {figures}."
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
    rules: dict[tuple, Rule] = {}
    for seed in seeds:
        column = []
        normal = mechanisms.standard_normal(seed, KEY, sums.shape)
        gumbel = mechanisms.standard_gumbel(seed, f"{KEY} selection", u.shape)
        for i, p in enumerate(plans):
            mean, public = _mechanisms(p)
            known_counts = _known_counts(data.counts, p, seed)
            key = (i, *known_counts)
            rule = rules[key] = rules.get(key) or _rule(known_counts, p, scenes)
            choices = [(_choice(rule, n), _reason(rule, n)) for n in known_counts]
            use_mean = np.array([choice == MEAN for choice, _ in choices])
            means, picks = (
                mechanisms.add_gaussian(sums, mean, normal, params["clip"]),
                mechanisms.exponential(u, public, gumbel),
            )
            release = _release(use_mean, means, np.array(known_counts), picks, data.public)
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
    queries_by_name = {
        "prototype 1": Query(
            lambda data, plan, _: dppl_mean.class_sums(data, plan.params)[None],
            scale=lambda plan: plan.params["clip"],
        ),
        "prototype 2": Query(class_utilities),
    }
    if "counts" in plan.events:
        queries_by_name["counts"] = Query(lambda data, plan, _: np.array([data.counts], np.float64))
    return queries_by_name


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
    bias = mixed_bias(use_mean, weights, sums, counts)
    return Release(weights, bias, chosen=np.where(use_mean, -1, picks)[:, None])


# ---------------------------------------------------------------------- rehearsal on the public set


ROUNDS = 16
"""Casts of groups; each has its own noise."""
MAX_GROUPS = 20
"""Most classes on stage: more cost time and teach little."""
GRID = (1, 2, 4, 8, 16, 32, 64)
"""Records of a group that play; larger classes scale up the largest that fits."""
ASKERS = 20
CANDIDATES = 2000
NO_THRESHOLD = math.inf
MEAN_HANDICAP, MIXED_HANDICAP = 0.02, 0.03
"""What Mean and a mixture must win by: drawn or curated public groups are easier to average than
private classes.
Set by looking at the default data and one other; that look is not paid for."""


@dataclass(frozen=True, eq=False)
class Scene:
    """One cast, ready for any noise and class sizes.

    Attributes:
        sums: (ways, grid, d) float64, sum of the first GRID[g] players; scores: (ways, grid, m)
            float32, their clipped scores of the candidates; steps: (ways,) int64, usable grid steps
            of each group.
        candidates: (m, d) float32; askers: (q, d) float32; answers: (q,) int64.
        normal: (ways, d) and gumbel: (ways, m), unit noise.
    """

    sums: np.ndarray
    scores: np.ndarray
    steps: np.ndarray
    candidates: np.ndarray
    askers: np.ndarray
    answers: np.ndarray
    normal: mechanisms.UnitNoise
    gumbel: mechanisms.UnitNoise


@dataclass(frozen=True)
class Rule:
    """Classes of at least ``threshold`` records take DPPL-Mean, smaller ones DPPL-Public.

    Attributes:
        threshold: 0 is Mean for all, inf is Public for all; right, mean, public: balanced accuracy
            in the rehearsal of this rule, of Mean alone and of Public alone (nan where nothing was
            rehearsed).
    """

    threshold: float
    right: float
    mean: float
    public: float


def choose(
    scenes: Sequence[Scene], counts: Sequence[float], mean: Gaussian, public: Exponential
) -> Rule:
    """The rule that is right most often in the rehearsal with these class sizes and this noise,
    handicaps deducted.
    """
    if not scenes:
        return Rule(0, *[math.nan] * 3)
    ordered = np.sort(np.maximum(counts, 1.0))[::-1]
    ways = len(scenes[0].sums)
    slots = ordered[np.round(np.linspace(0, len(ordered) - 1, ways)).astype(int)]
    thresholds = [NO_THRESHOLD, *sorted(set(slots.tolist()), reverse=True)]
    right = np.mean(
        map_blocks(lambda scene: play(scene, slots, thresholds, mean, public), scenes), axis=0
    )
    handicap = np.full(len(right), MIXED_HANDICAP)
    handicap[0], handicap[-1] = 0, MEAN_HANDICAP
    best = int(np.argmax(right - handicap))
    threshold = 0.0 if best == len(right) - 1 else thresholds[best]
    return Rule(threshold, float(right[best]), float(right[-1]), float(right[0]))


def play(
    scene: Scene,
    slots: np.ndarray,
    thresholds: Sequence[float],
    mean: Gaussian,
    public: Exponential,
) -> np.ndarray:
    """Balanced accuracy of each threshold in one scene, for class sizes ``slots`` (ways,)."""
    rows = np.arange(len(slots))
    step = np.minimum(np.searchsorted(GRID, slots, side="right") - 1, scene.steps - 1)
    scale = (slots / np.array(GRID)[step])[:, None]
    sums = mechanisms.add_gaussian(scene.sums[rows, step] * scale, mean, scene.normal)
    picks = mechanisms.exponential(scene.scores[rows, step] * scale, public, scene.gumbel)
    weights = [unit_rows(rows.astype(np.float32)) for rows in (sums, scene.candidates[picks])]
    by_mean, by_public = (scene.askers @ w.T for w in weights)
    right = []
    for use_mean in (slots >= t for t in thresholds):
        bias = mixed_bias(use_mean, np.where(use_mean[:, None], *weights), sums, slots)
        right.append(
            np.mean(
                np.argmax(np.where(use_mean, by_mean, by_public) + bias, axis=1) == scene.answers
            )
        )
    return np.array(right)


def mixed_bias(
    use_mean: np.ndarray, weights: np.ndarray, sums: np.ndarray, counts: np.ndarray
) -> np.ndarray:
    """Bias (C,) float32 for unit weights (C, d) of which some are of noisy sums and others are
    public records.

    Private features share a direction that public records lack, so every test record would be drawn
    to the classes with a mean. Each score is therefore taken relative to that of the average
    record, as far as the released sums (C, d) of the classes in ``use_mean`` tell it:
    post-processing. Pure rules have no bias, so that they are DPPL-Mean and DPPL-Public.
    """
    if use_mean.all() or not use_mean.any():
        return np.zeros(len(weights), np.float32)
    average = sums[use_mean].sum(axis=0) / counts[use_mean].sum()
    average /= max(1.0, np.linalg.norm(average))
    return (-weights @ average).astype(np.float32)


# ---------------------------------------------------------------------------------------- the stage

_stages: KeyedCache[list[Scene]] = KeyedCache(__name__, 4)


def public_scenes(
    x: np.ndarray,
    labels: np.ndarray | None,
    classes: int,
    radius: float,
    d_min: float,
    d_max: float,
) -> list[Scene]:
    """Scenes for ``classes`` classes from public records x (m, d) with labels (m,) or None.

    Deterministic in its arguments; the last few are kept. Empty where the public set is too small.
    """
    key = (public_sets.fingerprint(x, labels), classes, radius, d_min, d_max)
    return _stages.get_or_compute(
        key, lambda: _stage(unit_rows(x), labels, classes, radius, (d_min, d_max))
    )


def _stage(
    unit: np.ndarray,
    labels: np.ndarray | None,
    classes: int,
    radius: float,
    window: tuple[float, float],
) -> list[Scene]:
    wanted = min(classes, MAX_GROUPS)
    group = public_sets.groups(unit, labels, fewest=wanted + 1, smallest=4)
    members = [rows for g in range(group.max() + 1) if len(rows := np.flatnonzero(group == g)) >= 4]
    ways = min(wanted, len(members) - 1)
    if ways < 2:
        return []
    return map_blocks(lambda r: _scene(unit, members, ways, r, radius, window), range(ROUNDS))


def _scene(
    unit: np.ndarray, members: list, ways: int, r: int, radius: float, window: tuple[float, float]
) -> Scene:
    rng = np.random.default_rng([public_sets.SEED, r])
    cast = [rng.permutation(members[g]) for g in rng.choice(len(members), ways, replace=False)]
    halves = [min(len(rows) // 2, GRID[-1]) for rows in cast]
    askers = [rows[k : k + ASKERS] for rows, k in zip(cast, halves, strict=True)]
    remaining = _remaining_rows(len(unit), cast, rng)
    candidates = unit[remaining]
    steps = np.searchsorted(GRID, halves, side="right")
    shape = (ways, len(GRID))
    sums, scores = np.zeros((*shape, unit.shape[1])), np.zeros((*shape, len(remaining)), np.float32)
    for c, rows in enumerate(cast):
        for g in range(steps[c]):
            players = unit[rows[GRID[g] // 2 if g else 0 : GRID[g]]]
            smaller = (sums[c, g - 1], scores[c, g - 1]) if g else (0, 0)
            sums[c, g] = smaller[0] + mechanisms.contributions(players, radius).sum(axis=0) * radius
            scores[c, g] = smaller[1] + _scores(players, candidates, *window)
    answers = np.repeat(np.arange(ways), [len(rows) for rows in askers])
    seed, noise = public_sets.SEED, f"rehearsal {r}"
    normal = mechanisms.standard_normal(seed, noise, (ways, unit.shape[1]))
    gumbel = mechanisms.standard_gumbel(seed, noise, (ways, len(remaining)))
    return Scene(
        sums, scores, steps, candidates, unit[np.concatenate(askers)], answers, normal, gumbel
    )


def _remaining_rows(total: int, cast: list[np.ndarray], rng: np.random.Generator) -> np.ndarray:
    """Public records outside the cast: the real classes need not be in the public set either."""
    free = np.ones(total, bool)
    free[np.concatenate(cast)] = False
    return rng.permutation(np.flatnonzero(free))[:CANDIDATES]


def _scores(players: np.ndarray, candidates: np.ndarray, d_min: float, d_max: float) -> np.ndarray:
    """Sum over players of clip(1 + cos, d_min, d_max) - d_min for each candidate: (m,) float32."""
    cosines = torch.mm(torch.from_numpy(players), torch.from_numpy(candidates).T)
    return cosines.clamp_(d_min - 1, d_max - 1).sub_(d_min - 1).sum(0).numpy()


# ----------------------------------------------------------------- losses of records, audit cases


def losses(data: Dataset, plan: Plan, seed: int) -> Losses:
    """1 / sigma_n^2 for the noisy count, and that of the mechanism which the record's class took.

    As in ``privacy.guarantee``: the choice reads the counts, so each mechanism has its part of
    delta; Gaussian releases compose exactly and a pure one adds, unless zCDP is better. A person in
    several classes meets more than one choice, for which zCDP alone is counted.
    """
    mean, public = _mechanisms(plan)
    delta, units = plan.guarantee.delta, PrivacyUnits.from_dataset(data, plan)
    choices = fit(data, [plan], [seed]).trace["choices"][0][0]
    by_mean = np.array([choice == MEAN for choice, _ in choices])
    squared = squared_mu(units.counts_by_class(data.y), plan.gaussian("counts"))
    squared += squared_mu(dppl_mean.moved_by(data, plan, classes=by_mean), mean)
    pure, rho = dppl_public.event_losses(data, plan, public, ~by_mean)
    rho = rho + squared / 2
    fixed = np.where(pure > 0, zcdp_epsilons(rho, delta / 2), np.inf)
    fixed = np.minimum(fixed, pure + gdp_epsilons(np.sqrt(squared), delta / 2))
    classes = units.map_units(
        np.ones(len(data.y)), lambda rows_of_unit: len(np.unique(data.y[rows_of_unit]))
    )
    return np.minimum(np.where(classes == 1, fixed, np.inf), zcdp_epsilons(rho, delta)), rho


def why_no_losses(params: Mapping[str, Any]) -> str | None:
    """Why there is no formula: where the counts are public."""
    if params["counts"] == "noisy":
        return None
    return (
        "The exact loss needs add/remove neighbors, and public class counts imply replacement."
        " Use counts=noisy."
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
        "Uses a noisy mean or a public image for each class, whichever was more accurate in trials"
        " on public data."
    ),
    params=(COUNTS, COUNT_SHARE, CLIP, D_MIN, D_MAX),
    plan=plan,
    fit=fit,
    line_style=LineStyle(PURPLE, "solid", "star"),
    losses=losses,
    why_no_losses=why_no_losses,
    queries=queries,
    cases=lambda: [_case(), _public_case()],
    event_cases=event_cases,
    needs_public=True,
)
