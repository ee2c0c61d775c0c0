"""Tries of what the prototypes' paper in its first version says of K, of the size of the public
set, and of a projection that is trained privately.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from dpviz.caches import cached
from dpviz.diagnostics import prototype_budgets, prototype_choices
from dpviz.diagnostics.prototype_budgets import Lines
from dpviz.formatting import number, percent, spread
from dpviz.papers import rules
from dpviz.papers.checks.margins import NEARLY, SAME, nearly, outcome_of, raised, tally
from dpviz.papers.checks.prototype_curves import COINPRESS, KS, equal, lead
from dpviz.papers.model import CANNOT_TELL, DOES_NOT, HOLDS, Ground, Verdict
from dpviz.run import experiment
from dpviz.stats import Interval, accuracy, band, difference, signs
from dpviz.types import Budget, Result, RunSpec

SEEDS = range(rules.protocol("public-choices").seeds)
HOW = f"{len(SEEDS)} seeds and the test records, Holm; mean over classes"
#: Budgets ρ; at the second the paper prints accuracies.
STRICT, LOOSE = 0.01, 128.0
#: Pictures, and records a class on which the projection is trained, so that a try is quick.
FEW = 100


def spec_of(ground: Ground, method: str, rho: float, params: tuple = (), **facts: Any) -> RunSpec:
    """A method at ρ; IR 1 is as many records of each class."""
    budget, facts_of_data = Budget(rho, "zcdp"), ground.material(**equal(ground, facts)).facts
    return RunSpec(**facts_of_data, method=method, budget=budget, params=params)


def similarity_signs(
    pairs: Mapping[Any, tuple[Interval, Interval]], margin: float | None = None
) -> list[int]:
    """Of each pair of accuracies 1 if the two clearly differ by less than ``margin``, by itself
    where their errors are ``nearly`` equal, -1 if by more, 0 where neither can be told, all looked
    at together (Holm); seed by seed, as what is compared here shares what a seed draws.
    """
    room = {
        key: nearly(a.wrong, b.wrong) if margin is None else margin for key, (a, b) in pairs.items()
    }
    below = {(key, 0): (raised(a, -room[key]), b) for key, (a, b) in pairs.items()}
    above = {(key, 1): (b, raised(a, room[key])) for key, (a, b) in pairs.items()}
    directions = signs(below | above, paired=True)
    sides = [(directions[key, 0], directions[key, 1]) for key in pairs]
    return [1 if min(two) > 0 else -1 if min(two) < 0 else 0 for two in sides]


# ------------------------------------------------------------------------------------------- best K


@cached(4)
def _of_ks(dataset: str) -> Lines:
    spec = spec_of(Ground(dataset), "dppl-public", 1.0, ir=1.0)
    *_, budgets = prototype_budgets.of_ks(spec, (STRICT, LOOSE), KS, SEEDS)
    return budgets


def _bands(ground: Ground, rho: float) -> dict[int, Interval]:
    budgets = _of_ks(ground.dataset)
    return {k: band(budgets[k][rho], "balanced") for k in KS}


BY_TEST = (
    f"{len(SEEDS)} seeds and the test records, 95 %; IR 1. The paper picks K by training accuracy."
)


def _may_be(ground: Ground, rho: float) -> tuple[tuple[int, ...], str]:
    best, may_be = prototype_budgets.perhaps_best(_bands(ground, rho))
    listed = ", ".join(map(str, may_be))
    return may_be, f"at ρ = {number(rho)} it is {best} (may be {listed})"


def best_k_grows(ground: Ground) -> Verdict:
    """The best K is larger at large budgets."""
    (low, low_said), (high, high_said) = (_may_be(ground, rho) for rho in (STRICT, LOOSE))
    grew, fell = min(high) > max(low), max(high) < min(low)
    return Verdict(
        HOLDS if grew else DOES_NOT if fell else CANNOT_TELL,
        f"Of K = {', '.join(map(str, KS))} the best by test accuracy: {low_said}, {high_said}."
        f" {BY_TEST}",
    )


def best_k_is_ten(ground: Ground) -> Verdict:
    """It is 10 where the budget is large."""
    may_be, text = _may_be(ground, LOOSE)
    return Verdict(
        HOLDS if may_be == (10,) else CANNOT_TELL if 10 in may_be else DOES_NOT,
        f"Of K = {', '.join(map(str, KS))} the best by test accuracy: {text}. {BY_TEST}",
    )


def large_ks_on_par(ground: Ground) -> Verdict:
    """K of 5, 10 and 20 are almost on par where the budget is large."""
    bands = _bands(ground, LOOSE)
    directions = similarity_signs(
        {pair: (bands[pair[0]], bands[pair[1]]) for pair in ((5, 10), (10, 20), (5, 20))}
    )
    words = ", ".join(f"{k}: {percent(bands[k])} ({spread(bands[k])})" for k in (5, 10, 20))
    return Verdict(
        outcome_of(directions.count(1), directions.count(-1), len(directions)),
        f"At ρ = {number(LOOSE)} and IR 1 by K {words}; of 3 differences {directions.count(1)} are"
        f" clearly within the margin and {directions.count(-1)} beyond. {NEARLY} ({HOW}, paired).",
    )


# -------------------------------------------------------------------------------------- public sets


@cached(4)
def _of_sizes(dataset: str, ratio: float) -> tuple[Lines, int]:
    spec = spec_of(Ground(dataset), "dppl-public", 1.0, ir=ratio)
    m = prototype_choices.scene(spec)[1].shape[1]
    *_, budgets = prototype_budgets.of_sizes(spec, (0.1, 1.0, 10.0), (FEW, m // 2, m), SEEDS)
    return budgets, m


def more_pictures_help(ground: Ground) -> Verdict:
    """All public pictures are better than 100 of them."""
    budgets, m = _of_sizes(ground.dataset, 10.0)
    pairs = {
        b: (band(budgets[FEW][b], "balanced"), band(budgets[m][b], "balanced"))
        for b in (0.1, 1.0, 10.0)
    }
    return _higher(pairs, f"{FEW} pictures", f"all {m:,}")


def pictures_saturate(ground: Ground) -> Verdict:
    """Twice as many pictures as half of them gain little."""
    budgets, m = _of_sizes(ground.dataset, 10.0)
    pairs = {
        b: (band(budgets[m // 2][b], "balanced"), band(budgets[m][b], "balanced"))
        for b in (0.1, 1.0, 10.0)
    }
    directions = similarity_signs(pairs)
    gains = {b: difference(*pair, paired=True) for b, pair in pairs.items()}
    words = "; ".join(
        f"ρ {number(b)}: {100 * gap.apart:+.1f} ± {100 * gap.half:.1f} points"
        for b, gap in gains.items()
    )
    return Verdict(
        outcome_of(directions.count(1), directions.count(-1), len(directions)),
        f"From {m // 2:,} pictures to all {m:,} at IR 10, {words}; clearly within"
        f" the margin at {directions.count(1)} of {len(directions)} budgets, beyond at"
        f" {directions.count(-1)}. {NEARLY} ({HOW}, paired).",
    )


def ratio_does_not_matter(ground: Ground) -> Verdict:
    """What the other pictures gain over 100 is alike at IR 10 and at IR 50."""
    gained = {}
    for ratio in (10.0, 50.0):
        budgets, m = _of_sizes(ground.dataset, ratio)
        gained[ratio] = {
            b: lead(band(budgets[m][b], "balanced"), band(budgets[FEW][b], "balanced"))
            for b in (1.0, 10.0)
        }
    pairs = {b: (gained[10.0][b], gained[50.0][b]) for b in (1.0, 10.0)}
    directions = similarity_signs(pairs, SAME)
    words = "; ".join(
        f"ρ {number(b)}: {100 * one.mean:+.1f} and {100 * other.mean:+.1f} points, apart by"
        f" {100 * gap.apart:+.1f} ± {100 * gap.half:.1f}"
        for b, (one, other) in pairs.items()
        for gap in (difference(one, other, paired=True),)
    )
    return Verdict(
        outcome_of(directions.count(1), directions.count(-1), len(directions)),
        f"What all pictures gain over {FEW} at IR 10 and at IR 50, {words}. Alike is within"
        f" {100 * SAME:g} points ({HOW}, paired).",
    )


def _higher(pairs: dict[float, tuple[Interval, Interval]], lower: str, upper: str) -> Verdict:
    """Whether the second of each pair is clearly higher, at every budget."""
    directions = signs(pairs)
    up, down = tally(directions)
    words = "; ".join(
        f"ρ {number(b)}: {lower} {percent(one)} ({spread(one)}), {upper} {percent(other)}"
        f" ({spread(other)})"
        for b, (one, other) in pairs.items()
    )
    return Verdict(
        outcome_of(up, down, len(pairs)),
        f"At IR 10, {words}; clearly higher at {up} of {len(pairs)} budgets, lower at {down}"
        f" ({HOW}).",
    )


# --------------------------------------------------------------------------------------- projection

SPLITS, RHOS, TRAININGS = (0.1, 0.5, 0.9), (0.01, 1.0), rules.protocol("trained-maps").seeds
#: Settings of the projection that are drawn at random at the larger budget.
SEARCHED = 12
TRAINED = f"{TRAININGS} seeds and the test records, Holm; mean over classes"
MAP = (
    "The map is trained as its card says, not as the paper's, whose clipping is not told; what it"
    " is compared with are sums, as it releases them."
)
Setting = tuple[tuple[str, Any], ...]


def _accuracies(
    ground: Ground, settings: list[tuple[str, float, Setting]]
) -> dict[tuple[str, float, Setting], Interval]:
    """Of each method, budget and settings at FEW records a class, all computed at once."""
    records = min(FEW, equal(ground, {"ir": 1.0}).get("records", FEW))
    firsts = [
        spec_of(ground, method, rho, params, ir=1.0, records=records)
        for method, rho, params in settings
    ]
    runs: list[Result] = experiment.sweep(
        [replace(first, seed=seed) for first in firsts for seed in range(TRAININGS)]
    )
    each = [runs[i * TRAININGS : (i + 1) * TRAININGS] for i in range(len(firsts))]
    return {key: accuracy(results, "balanced") for key, results in zip(settings, each, strict=True)}


def _never_above(ground: Ground, settings: list[tuple[float, Setting]]) -> Verdict:
    """Whether DPPL-Mean without a map is clearly above each of these, or one clearly above it."""
    rhos = dict.fromkeys(rho for rho, _ in settings)
    plain = {rho: ("dppl-mean", rho, ()) for rho in rhos}
    pressed = {rho: ("dppl-mean", rho, COINPRESS) for rho in rhos}
    mapped = [("dppl-mean-trained", rho, params) for rho, params in settings]
    results = _accuracies(ground, [*plain.values(), *pressed.values(), *mapped])
    directions = signs({key: (results[plain[key[1]]], results[key]) for key in mapped})
    up, down = tally(directions)
    top = max(
        mapped, key=lambda key: (directions[key], results[key].mean - results[plain[key[1]]].mean)
    )
    words = ", ".join(f"{name} {number(value)}" for name, value in top[2])
    one, own = results[top], results[plain[top[1]]]
    records = min(FEW, equal(ground, {"ir": 1.0}).get("records", FEW))
    return Verdict(
        outcome_of(down, up, len(mapped)),
        f"Of {len(mapped)} settings, all at ρ = {' or '.join(map(number, rhos))}, {up} are clearly"
        f" better than DPPL-Mean without a map and {down} clearly worse; the most favourable,"
        f" {words}, ρ {number(top[1])}: {percent(one)} ({spread(one)}) against {percent(own)}"
        f" ({spread(own)}), {percent(results[pressed[top[1]]])} by CoinPress ({records} records a"
        f" class, {TRAINED})."
        f" {MAP}",
    )


def projection_is_worse(ground: Ground) -> Verdict:
    """A private projection at three shares of the budget, small to large."""
    return _never_above(
        ground, [(rho, (("split", split),)) for split, rho in itertools.product(SPLITS, RHOS)]
    )


def none_reaches_plain(ground: Ground) -> Verdict:
    """Settings of a private projection drawn at random: share, width, steps, clip norm, step."""
    rng = np.random.default_rng(0)
    settings: list[tuple[float, Setting]] = []
    for _ in range(SEARCHED):
        params = (
            ("split", round(float(rng.uniform(0.1, 0.9)), 2)),
            ("width", int(2 ** rng.uniform(3, 7))),
            ("steps", int(2 ** rng.uniform(1, 5))),
            ("clip", round(float(10 ** rng.uniform(-1, 1)), 3)),
            ("rate", round(float(10 ** rng.uniform(-3, -0.7)), 4)),
        )
        settings.append((1.0, params))
    return _never_above(ground, settings)


def wider_is_better(ground: Ground) -> Verdict:
    """The private projection is clearly better with twice the dimensions, each time."""
    widths = (16, 32, 64, 128)
    keys = {
        width: ("dppl-mean-trained", rho, (("width", width),)) for width in widths for rho in (1.0,)
    }
    results = _accuracies(ground, list(keys.values()))
    pairs = {
        two: (results[keys[two[0]]], results[keys[two[1]]]) for two in itertools.pairwise(widths)
    }
    directions = signs(pairs)
    up, down = tally(directions)
    words = ", ".join(
        f"{width}: {percent(results[key])} ({spread(results[key])})" for width, key in keys.items()
    )
    return Verdict(
        outcome_of(up, down, len(pairs)),
        f"At ρ = 1 by dimensions kept {words}; clearly better in {up} of {len(pairs)} doublings,"
        f" worse in {down} ({TRAINED}).",
    )
