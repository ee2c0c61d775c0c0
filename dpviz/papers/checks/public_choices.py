"""Tries of what the prototypes' paper in its first version says of K, of the size of the public
set, and of a projection that is trained privately.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

import numpy as np

from dpviz.caches import cached
from dpviz.diagnostics import prototype_budgets, prototype_choices
from dpviz.diagnostics.prototype_budgets import Lines
from dpviz.formatting import number, percent
from dpviz.papers import rules
from dpviz.papers.checks.comparisons import (
    MARGIN,
    NEARLY,
    Comparison,
    accuracies,
    accuracy_text,
    compare,
    nearly,
    points_text,
    raised,
    seeded,
)
from dpviz.papers.checks.prototype_curves import COINPRESS, KS, equal, lead
from dpviz.papers.model import CANNOT_TELL, DOES_NOT, HOLDS, Ground, Verdict
from dpviz.stats import Interval, band, difference
from dpviz.types import Budget, RunSpec

SEEDS = range(rules.protocol("public-choices").seeds)
SETTINGS_TEXT = f"{len(SEEDS)} seeds and the test records, Holm-corrected; mean over classes"
#: Budgets ρ; at the second the paper prints accuracies.
STRICT, LOOSE = 0.01, 128.0
#: Public images, and records per class on which the projection is trained, so that a try is quick.
FEW_RECORDS = 100


def spec_of(ground: Ground, method: str, rho: float, params: tuple = (), **facts: Any) -> RunSpec:
    """A method at ρ; IR 1 is as many records of each class."""
    budget, facts_of_data = Budget(rho, "zcdp"), ground.material(**equal(ground, facts)).facts
    return RunSpec(**facts_of_data, method=method, budget=budget, params=params)


def compare_likeness(
    pairs: Mapping[Any, tuple[Interval, Interval]], margin: float | None = None
) -> Comparison[Any]:
    """Of each pair of accuracies 1 if the two clearly differ by less than ``margin``, by itself
    where their errors are ``nearly`` equal, -1 if by more, 0 where neither can be told, all looked
    at together (Holm); seed by seed, as what is compared here shares what a seed draws.
    """
    margins = {
        key: nearly(a.wrong, b.wrong) if margin is None else margin for key, (a, b) in pairs.items()
    }
    lower_pairs = {(key, 0): (raised(a, -margins[key]), b) for key, (a, b) in pairs.items()}
    upper_pairs = {(key, 1): (b, raised(a, margins[key])) for key, (a, b) in pairs.items()}
    signs = compare(lower_pairs | upper_pairs, paired=True).signs
    return Comparison({key: min(signs[key, 0], signs[key, 1]) for key in pairs})


# ------------------------------------------------------------------------------------------- best K


@cached(4)
def _top_k_lines(dataset: str) -> Lines:
    spec = spec_of(Ground(dataset), "dppl-public", 1.0, ir=1.0)
    *_, budgets = prototype_budgets.of_ks(spec, (STRICT, LOOSE), KS, SEEDS)
    return budgets


def _bands(ground: Ground, rho: float) -> dict[int, Interval]:
    budgets = _top_k_lines(ground.dataset)
    return {k: band(budgets[k][rho], "balanced") for k in KS}


BY_TEST = (
    f"{len(SEEDS)} seeds and the test records, 95%; IR 1. The paper picks K by training accuracy."
)


def _may_be(ground: Ground, rho: float) -> tuple[tuple[int, ...], str]:
    best, may_be = prototype_budgets.perhaps_best(_bands(ground, rho))
    listed = ", ".join(map(str, may_be))
    return may_be, f"at ρ = {number(rho)} it is {best} (may be {listed})"


def best_k_grows(ground: Ground) -> Verdict:
    """The best K is larger at large budgets."""
    (low, low_text), (high, high_text) = (_may_be(ground, rho) for rho in (STRICT, LOOSE))
    grew, fell = min(high) > max(low), max(high) < min(low)
    return Verdict(
        HOLDS if grew else DOES_NOT if fell else CANNOT_TELL,
        f"Of K = {', '.join(map(str, KS))} the best by test accuracy: {low_text}, {high_text}."
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
    alike = compare_likeness(
        {pair: (bands[pair[0]], bands[pair[1]]) for pair in ((5, 10), (10, 20), (5, 20))}
    )
    words = ", ".join(f"{k}: {accuracy_text(bands[k])}" for k in (5, 10, 20))
    return Verdict(
        alike.outcome,
        f"At ρ = {number(LOOSE)} and IR 1 by K {words}; of 3 differences {alike.up} are"
        f" clearly within the margin and {alike.down} beyond. {NEARLY} ({SETTINGS_TEXT}, paired).",
    )


# -------------------------------------------------------------------------------------- public sets


@cached(4)
def _size_lines(dataset: str, ratio: float) -> tuple[Lines, int]:
    spec = spec_of(Ground(dataset), "dppl-public", 1.0, ir=ratio)
    m = prototype_choices.scene(spec)[1].shape[1]
    *_, budgets = prototype_budgets.of_sizes(
        spec, (0.1, 1.0, 10.0), (FEW_RECORDS, m // 2, m), SEEDS
    )
    return budgets, m


def more_pictures_help(ground: Ground) -> Verdict:
    """All public pictures are better than 100 of them."""
    budgets, m = _size_lines(ground.dataset, 10.0)
    pairs = {
        b: (band(budgets[FEW_RECORDS][b], "balanced"), band(budgets[m][b], "balanced"))
        for b in (0.1, 1.0, 10.0)
    }
    return _higher(pairs, f"{FEW_RECORDS} pictures", f"all {m:,}")


def pictures_saturate(ground: Ground) -> Verdict:
    """Twice as many pictures as half of them gain little."""
    budgets, m = _size_lines(ground.dataset, 10.0)
    pairs = {
        b: (band(budgets[m // 2][b], "balanced"), band(budgets[m][b], "balanced"))
        for b in (0.1, 1.0, 10.0)
    }
    alike = compare_likeness(pairs)
    words = "; ".join(
        f"ρ {number(b)}: {points_text(difference(*pair, paired=True))} points"
        for b, pair in pairs.items()
    )
    return Verdict(
        alike.outcome,
        f"From {m // 2:,} images to all {m:,} at IR 10, {words}; clearly within"
        f" the margin at {alike.up} of {len(pairs)} budgets, beyond at"
        f" {alike.down}. {NEARLY} ({SETTINGS_TEXT}, paired).",
    )


def ratio_does_not_matter(ground: Ground) -> Verdict:
    """What the other pictures gain over 100 is alike at IR 10 and at IR 50."""
    gains = {}
    for ratio in (10.0, 50.0):
        budgets, m = _size_lines(ground.dataset, ratio)
        gains[ratio] = {
            b: lead(band(budgets[m][b], "balanced"), band(budgets[FEW_RECORDS][b], "balanced"))
            for b in (1.0, 10.0)
        }
    pairs = {b: (gains[10.0][b], gains[50.0][b]) for b in (1.0, 10.0)}
    words = "; ".join(
        f"ρ {number(b)}: {100 * first.mean:+.1f} and {100 * second.mean:+.1f} points, apart by"
        f" {points_text(difference(first, second, paired=True))}"
        for b, (first, second) in pairs.items()
    )
    return Verdict(
        compare_likeness(pairs, MARGIN).outcome,
        f"Gain from all images over {FEW_RECORDS} at IR 10 and at IR 50, {words}. “Alike” means"
        f" within {100 * MARGIN:g} points ({SETTINGS_TEXT}, paired).",
    )


def _higher(pairs: dict[float, tuple[Interval, Interval]], lower: str, upper: str) -> Verdict:
    """Whether the second of each pair is clearly higher, at every budget."""
    compared = compare(pairs)
    words = "; ".join(
        f"ρ {number(b)}: {lower} {accuracy_text(first)}, {upper} {accuracy_text(second)}"
        for b, (first, second) in pairs.items()
    )
    return Verdict(
        compared.outcome,
        f"At IR 10, {words}; clearly higher at {compared.up} of {len(pairs)} budgets, lower at"
        f" {compared.down} ({SETTINGS_TEXT}).",
    )


# --------------------------------------------------------------------------------------- projection

SPLITS, RHOS, TRAININGS = (0.1, 0.5, 0.9), (0.01, 1.0), rules.protocol("trained-maps").seeds
#: Settings of the projection that are drawn at random at the larger budget.
SEARCH_SETTINGS = 12
TRAINED_TEXT = f"{TRAININGS} seeds and the test records, Holm-corrected; mean over classes"
MAP = (
    "The map is trained as its card says, not as the paper's, whose clipping is not stated. The"
    " compared methods use sums, as the map releases them."
)
Setting = tuple[tuple[str, Any], ...]


def _accuracies(
    ground: Ground, settings: list[tuple[str, float, Setting]]
) -> dict[tuple[str, float, Setting], Interval]:
    """Of each method, budget and settings at FEW_RECORDS records a class, all computed at once."""
    records = _records(ground)
    spec = lambda method, rho, params: spec_of(ground, method, rho, params, ir=1.0, records=records)
    return accuracies({key: seeded(spec(*key), range(TRAININGS)) for key in settings})


def _records(ground: Ground) -> int:
    return int(min(FEW_RECORDS, equal(ground, {"ir": 1.0}).get("records", FEW_RECORDS)))


def _never_above(ground: Ground, settings: list[tuple[float, Setting]]) -> Verdict:
    """Whether DPPL-Mean without a map is clearly above each of these, or one clearly above it."""
    rhos = dict.fromkeys(rho for rho, _ in settings)
    plain = {rho: ("dppl-mean", rho, ()) for rho in rhos}
    coinpress = {rho: ("dppl-mean", rho, COINPRESS) for rho in rhos}
    mapped = [("dppl-mean-trained", rho, params) for rho, params in settings]
    results = _accuracies(ground, [*plain.values(), *coinpress.values(), *mapped])
    compared = compare({key: (results[key], results[plain[key[1]]]) for key in mapped})
    top = max(
        mapped,
        key=lambda key: (-compared.signs[key], results[key].mean - results[plain[key[1]]].mean),
    )
    words = ", ".join(f"{name} {number(value)}" for name, value in top[2])
    return Verdict(
        compared.outcome,
        f"Of {len(mapped)} settings, all at ρ = {' or '.join(map(number, rhos))}, {compared.down}"
        f" are clearly better than DPPL-Mean without a map and {compared.up} clearly worse; the"
        f" most favorable, {words}, ρ {number(top[1])}: {accuracy_text(results[top])} against"
        f" {accuracy_text(results[plain[top[1]]])}, {percent(results[coinpress[top[1]]])} by"
        f" CoinPress ({_records(ground)} records per class, {TRAINED_TEXT}). {MAP}",
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
    for _ in range(SEARCH_SETTINGS):
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
    keys = {width: ("dppl-mean-trained", 1.0, (("width", width),)) for width in widths}
    results = _accuracies(ground, list(keys.values()))
    pairs = {(a, b): (results[keys[a]], results[keys[b]]) for a, b in itertools.pairwise(widths)}
    compared = compare(pairs)
    words = ", ".join(f"{width}: {accuracy_text(results[key])}" for width, key in keys.items())
    return Verdict(
        compared.outcome,
        f"At ρ = 1 by dimensions kept {words}; clearly better in {compared.up} of {len(pairs)}"
        f" doublings, worse in {compared.down} ({TRAINED_TEXT}).",
    )
