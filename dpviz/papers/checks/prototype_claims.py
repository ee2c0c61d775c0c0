"""Tries of what the paper on prototypes says of its curves beyond "this above that": how good is
good, in most cases, no help, on a better encoder.

Runs and words as in ``prototype_curves``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from dpviz.experiments import experiment
from dpviz.formatting import METRIC_WORDS, number, percent
from dpviz.methods.components.prototypes import pool
from dpviz.papers import rules
from dpviz.papers.checks.comparisons import (
    Comparison,
    accuracy_text,
    compare,
    order_encoders,
    outcome_of,
)
from dpviz.papers.checks.prototype_curves import (
    EQUAL,
    SEEDS,
    FirstVersion,
    Run,
    against,
    combinations,
    equal_text,
    pair_text,
    points,
)
from dpviz.papers.model import CANNOT_TELL, DOES_NOT, HOLDS, Ground, Verdict
from dpviz.stats import Interval, difference
from dpviz.types import unit_rows

METRIC = "balanced"
Pair = tuple[Run, Run]
Accuracies = Mapping[Run, Interval]
#: The baselines of the paper.
BASELINES = ("noisy-gd", "dp-ls", "global-adapt")
POOLED = rules.rule_of("proto-pool", "prototypes")
#: Short of one's best by less is good; a gain of less is no help.
GOOD, HELP = rules.rule_of("proto-f2-early", "prototypes").margin, POOLED.margin
LOW = (0.1, 0.3)


def _intervals(ground: Ground, pairs: Sequence[Pair], seeds: int = SEEDS) -> Accuracies:
    return points(ground, (run for pair in pairs for run in pair), METRIC, seeds)


def _compared(results: Accuracies, pairs: Sequence[Pair], margin: float = 0.0) -> Comparison[Pair]:
    return compare({pair: (results[pair[0]], results[pair[1]]) for pair in pairs}, margin)


def _narrowest(results: Accuracies, pairs: Sequence[Pair]) -> Pair:
    """The pair whose second run is least above its first."""
    return min(pairs, key=lambda pair: results[pair[1]].mean - results[pair[0]].mean)


def _widest(results: Accuracies, pairs: Sequence[Pair]) -> Pair:
    return max(pairs, key=lambda pair: results[pair[1]].mean - results[pair[0]].mean)


SETTINGS_TEXT = (
    f"{SEEDS} seeds and the test records, Holm-corrected; {METRIC_WORDS[METRIC]}; {EQUAL}."
)
POOLED_TEXT = (
    f"{POOLED.seeds} seeds and the test records, Holm-corrected; {METRIC_WORDS[METRIC]}; {EQUAL}."
)


def _guessing(ground: Ground) -> float:
    """Accuracy of a guess, mean over classes."""
    return 1 / experiment.prepared(ground.material()).classes


# ------------------------------------------------------------------------------------ how good


def early_is_good(ground: Ground) -> Verdict:
    """At ε = 0.1 and IR 1 DPPL-Public is nearly as good as it is at ε = 100, and no guess."""
    facts, guess = (("ir", 1.0),), _guessing(ground)
    pair = Run("dppl-public", 0.1, facts), Run("dppl-public", 100.0, facts)
    results = _intervals(ground, [pair])
    early = results[pair[0]]
    short = _compared(results, [pair], GOOD).signs[pair]
    gap = difference(early, results[pair[1]])
    outcome = CANNOT_TELL
    if short < 0 and early.low > 2 * guess:
        outcome = HOLDS
    elif short > 0 or early.high < 2 * guess:
        outcome = DOES_NOT
    return Verdict(
        outcome,
        f"{pair_text(results, pair)}, {100 * gap.gap:.1f} ± {100 * gap.half:.1f} points less."
        f" Chance is {100 * guess:.0f}%. “Good” here means within {100 * GOOD:.0f} points and at"
        f" least twice chance. {SETTINGS_TEXT}{equal_text(ground, pair)}",
    )


#: Images per class. The papers name no number; their smallest median is 50.
IMAGE_COUNTS = (5, 10, 50)


def few_are_enough(ground: Ground) -> Verdict:
    """At ε = 1 and IR 1 DPPL-Public with few images per class is nearly as good as with all."""
    guess = _guessing(ground)
    run_with = lambda name, n: Run(name, 1.0, (("records", n), ("ir", 1.0)))
    full = Run("dppl-public", 100.0, (("ir", 1.0),))
    pairs = {n: (run_with("dppl-public", n), full) for n in IMAGE_COUNTS}
    probes = [run_with("noisy-gd", n) for n in IMAGE_COUNTS]
    results = points(ground, (*(run for pair in pairs.values() for run in pair), *probes), METRIC)
    short = compare({n: (results[a], results[b]) for n, (a, b) in pairs.items()}, GOOD).signs
    by_count = {n: results[run] for n, (run, _) in pairs.items()}
    met = [n for n in IMAGE_COUNTS if short[n] < 0 and by_count[n].low > 2 * guess]
    missed = [n for n in IMAGE_COUNTS if short[n] > 0 or by_count[n].high < 2 * guess]
    words = "; ".join(
        f"{n} images {accuracy_text(by_count[n])}, the probe {accuracy_text(results[probe])}"
        for n, probe in zip(IMAGE_COUNTS, probes, strict=True)
    )
    return Verdict(
        HOLDS
        if len(met) == len(IMAGE_COUNTS)
        else DOES_NOT
        if len(missed) == len(IMAGE_COUNTS)
        else CANNOT_TELL,
        f"Accuracy of DPPL-Public at paper ε 1 and IR 1: {words}. With all images at paper ε 100:"
        f" {accuracy_text(results[full])}. “Good” means within {100 * GOOD:.0f} points of this and"
        f" at least twice chance: clearly so with {_listed(met)} images per class, clearly not with"
        f" {_listed(missed)}. The papers state no number. The probe is shown without a verdict,"
        f" because the papers claim no lead at IR 1. {SETTINGS_TEXT}",
    )


def _listed(counts: Sequence[int]) -> str:
    return ", ".join(map(str, counts)) or "no number of"


# ---------------------------------------------------------------------------------- which is best


def trends_of_figure_3(ground: Ground) -> Verdict:
    """The three trends of Figure 2, at IR 100."""
    facts = {"ir": 100.0}
    trends = {
        "DPPL-Public above the probe": against(
            ("dppl-public",), ("noisy-gd",), combinations((*LOW, 1.0, 10.0, 100.0), **facts)
        ),
        "DPPL-Mean below both at paper ε 0.1 and 0.3": against(
            ("dppl-public", "noisy-gd"), ("dppl-mean",), combinations(LOW, **facts)
        ),
        "DPPL-Mean above DPPL-Public at paper ε 10 and 100": against(
            ("dppl-mean",), ("dppl-public",), combinations((10.0, 100.0), **facts)
        ),
    }
    pairs = [pair for trend in trends.values() for pair in trend]
    results = _intervals(ground, pairs)
    compared = _compared(results, pairs)
    words = "; ".join(
        f"{name} in {part.up}, the opposite in {part.down} of {len(trend)}"
        for name, trend in trends.items()
        for part in (compared.part(trend),)
    )
    return Verdict(
        compared.outcome,
        f"At IR 100, significant differences: {words}. Least favorable comparison:"
        f" {pair_text(results, _narrowest(results, pairs))}. {SETTINGS_TEXT}",
    )


def public_best_when_strict(ground: Ground) -> Verdict:
    """DPPL-Public above DPPL-Mean and the three baselines at small budgets, imbalanced."""
    places = combinations(LOW, ir=[50.0, 100.0])
    pairs = against(("dppl-public",), ("dppl-mean", *BASELINES), places)
    results = _intervals(ground, pairs)
    compared = _compared(results, pairs)
    return Verdict(
        compared.outcome,
        "At paper ε 0.1 and 0.3 and IR 50 and 100 DPPL-Public is higher than one of the four"
        f" others in {compared.up} of {len(pairs)} comparisons and lower in {compared.down}; the"
        f" least favorable: {pair_text(results, _narrowest(results, pairs))}. {SETTINGS_TEXT}",
    )


def mean_best_when_loose(ground: Ground) -> Verdict:
    """DPPL-Mean above DP-LS and the probe everywhere, and above Global-Adapt in most places."""
    places = combinations((10.0, 100.0), ir=[50.0, 100.0])
    always = against(("dppl-mean",), ("dp-ls", "noisy-gd"), places)
    mostly = against(("dppl-mean",), ("global-adapt",), places)
    results = _intervals(ground, always + mostly)
    compared = _compared(results, always + mostly)
    everywhere, adapted = compared.part(always), compared.part(mostly)
    half = len(mostly) / 2
    outcome = CANNOT_TELL
    if everywhere.down or adapted.down >= half:
        outcome = DOES_NOT
    elif everywhere.up == len(always) and adapted.up > half:
        outcome = HOLDS
    return Verdict(
        outcome,
        "At paper ε 10 and 100 and IR 50 and 100 DPPL-Mean is higher than DP-LS and the probe in"
        f" {everywhere.up} of {len(always)} comparisons and lower in {everywhere.down}, higher"
        f" than DPSGD-Global-Adapt in {adapted.up} of {len(mostly)} and lower in {adapted.down},"
        " where more than half decides; the least favorable of the first:"
        f" {pair_text(results, _narrowest(results, always))}; of the second:"
        f" {pair_text(results, _narrowest(results, mostly))}. {SETTINGS_TEXT}",
    )


def covariance_left_out(ground: Ground) -> Verdict:
    """DP-FC is below one of the baselines that are compared, wherever it is tried."""
    places = combinations((0.3, 1.0, 10.0), ir=10.0)
    pairs = against(BASELINES, ("dp-fc",), places)
    results = _intervals(ground, pairs)
    directions = _compared(results, pairs).signs
    by_place = [
        [directions[pair] for pair in pairs if (pair[0].budget, pair[0].facts) == place]
        for place in places
    ]
    beaten = sum(max(signs_at) > 0 for signs_at in by_place)
    ahead = sum(max(signs_at) < 0 for signs_at in by_place)
    return Verdict(
        outcome_of(beaten, ahead, len(places)),
        f"At IR 10 and paper ε 0.3, 1 and 10 one of the three baselines is above DP-FC at {beaten}"
        f" of {len(places)} budgets, and DP-FC above all three at {ahead}. The farthest apart:"
        f" {pair_text(results, _widest(results, pairs))}. DP-FiLM trains inside the encoder and is"
        f" not included. {SETTINGS_TEXT}",
    )


# -------------------------------------------------------------------- encoder, pooling, projection


def better_encoder_helps_all(ground: Ground) -> Verdict:
    """Every private method is right more often on the one of two trained encoders that a linear
    classifier without noise is right more often on.
    """
    encoders = order_encoders(ground, METRIC, ir=10.0)
    if not encoders.better:
        return Verdict(
            CANNOT_TELL, f"{encoders.text}: the difference is not significant. {SETTINGS_TEXT}"
        )
    run = lambda method, budget, key: Run(method, budget, (("encoder", key), ("ir", 10.0)))
    pairs = [
        (run(method, budget, encoders.worse), run(method, budget, encoders.better))
        for method in ("dppl-mean", "dppl-public", *BASELINES)
        for budget in (1.0, 10.0)
    ]
    results = _intervals(ground, pairs)
    compared = _compared(results, pairs)
    return Verdict(
        compared.outcome,
        f"{encoders.text}. Five private methods at paper ε 1 and 10, IR 10: higher on the better"
        f" one in {compared.up} of {len(pairs)} comparisons, lower in {compared.down}; the least"
        f" favorable: {pair_text(results, _narrowest(results, pairs))}. {SETTINGS_TEXT}",
    )


POOLS = (2, 5, 16, 32)


def _radii(ground: Ground) -> dict[int, float]:
    """Mean length of the public set's pooled unit features, by pool: public, so free of budget."""
    public = unit_rows(experiment.prepared(ground.material()).public)
    return {k: float(np.linalg.norm(pool(public, k), axis=1).mean()) for k in POOLS}


def pooling_helps(ground: Ground) -> Verdict:
    """Some pool is better for DPPL-Mean at a strict budget at which it does not guess.

    The clip norm of a pool is the mean length of the pooled public features, which are shorter than
    1/√k where neighboring coordinates differ. CoinPress has no clip norm.
    """
    facts, guess = (("ir", 10.0),), _guessing(ground)
    clips = {} if isinstance(ground, FirstVersion) else _radii(ground)
    setting = {
        k: (("k_pool", k), *((("clip", round(r * math.sqrt(k), 3)),) if r else ()))
        for k, r in ((k, clips.get(k)) for k in POOLS)
    }
    pairs = [
        (Run("dppl-mean", budget, facts), Run("dppl-mean", budget, facts, setting[k]))
        for budget in (0.03, *LOW)
        for k in POOLS
    ]
    results = _intervals(ground, pairs, POOLED.seeds)
    usable = [pair for pair in pairs if max(results[run].mean for run in pair) > 2 * guess]
    if not usable:
        return Verdict(
            CANNOT_TELL,
            "At paper ε 0.03 to 0.3 and IR 10 the accuracy of DPPL-Mean is below twice chance."
            f" {POOLED_TEXT}",
        )
    up = _compared(results, usable).up
    helpless = _compared(results, usable, HELP).down
    radii = ", ".join(f"{r:.2f} for {k}" for k, r in clips.items())
    clip = f" The clip norm r is the mean length of pooled public features: {radii}."
    return Verdict(
        HOLDS if up else DOES_NOT if helpless == len(usable) else CANNOT_TELL,
        f"One setting that helps is enough. Pools of {', '.join(map(str, POOLS))} at paper ε 0.03,"
        " 0.1 and 0.3, IR 10, where one of the two has at least twice chance accuracy: of"
        f" {len(usable)} settings {up} are above no pool, and {helpless} gain less than"
        f" {100 * HELP:.0f} points; the most favorable:"
        f" {pair_text(results, _widest(results, usable))}.{clip if clips else ''} {POOLED_TEXT}",
    )


#: How a map is trained, and the methods without it and with it. Public data: it cannot refute.
MAPS = {
    "on public data before DPPL-Public": ("dppl-public", "dppl-public-projected"),
    "on public data before DPPL-Mean": ("dppl-mean", "dppl-mean-projected"),
}
#: Of a projected method: the main directions of the public set, untrained.
START = (("episodes", 0),)


def projection_is_no_help(ground: Ground) -> Verdict:
    """A map trained on public data before either rule, or privately before DPPL-Mean, gains
    nothing. The private map starts from public directions, so that it is compared with these too.
    """
    facts, budgets = (("ir", 10.0),), (1.0, 10.0)
    public = {
        (name, b): (Run(plain, b, facts), Run(mapped, b, facts))
        for name, (plain, mapped) in MAPS.items()
        for b in budgets
    }
    runs = {
        "no map": {b: Run("dppl-mean", b, facts) for b in budgets},
        "its untrained public start": {
            b: Run("dppl-mean-projected", b, facts, START) for b in budgets
        },
    }
    trained = {b: Run("dppl-mean-trained", b, facts) for b in budgets}
    own = {
        (name, b): (run, trained[b])
        for name, by_budget in runs.items()
        for b, run in by_budget.items()
    }
    pairs = public | own
    results = _intervals(ground, list(pairs.values()))
    gains = compare({key: (results[a], results[b]) for key, (a, b) in pairs.items()}, HELP)
    sides = {b: {gains.signs[name, b] for name in runs} for b in budgets}
    helps = sum(side == {1} for side in sides.values())
    helpless = sum(-1 in side for side in sides.values())
    no_public = all(gains.signs[key] < 0 for key in public)
    words, privately = (
        "; ".join(
            f"{relation} {name}, clearly more at {part.up} and clearly less at {part.down} of 2"
            for name in names
            for part in (gains.part((name, b) for b in budgets),)
        )
        for relation, names in (("trained", MAPS), ("over", runs))
    )
    text = "; ".join(
        f"at paper ε {number(b)} no map {percent(results[runs['no map'][b]])}, start"
        f" {percent(results[runs['its untrained public start'][b]])}, trained"
        f" {accuracy_text(results[trained[b]])}"
        for b in budgets
    )
    return Verdict(
        DOES_NOT if helps else HOLDS if helpless == len(budgets) and no_public else CANNOT_TELL,
        f"Gains of more than {100 * HELP:.0f} points at paper ε 1 and 10, IR 10. A map on public"
        f" data: {words}. It cannot refute the paper's map, which reads private data. A map"
        f" trained privately before DPPL-Mean: {privately}; {text}. It counts only with a gain"
        f" over both. {SETTINGS_TEXT}",
    )
