"""Tries of what the prototypes' paper in its first version reads off its curves, where that is more
than who is above whom: a growing lead, a match, being outperformed. DPPL-Mean is CoinPress.

Runs and words as in ``prototype_curves``.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping

from dpviz import caches
from dpviz.experiments import experiment
from dpviz.formatting import METRIC_WORDS, number
from dpviz.methods import METHODS
from dpviz.methods.components.prototypes import public_scale
from dpviz.papers import rules
from dpviz.papers.checks.comparisons import (
    MARGIN,
    accuracy_text,
    best,
    compare,
    outcome_of,
    points_text,
)
from dpviz.papers.checks.prototype_curves import (
    COINPRESS,
    END_METHODS,
    EQUAL,
    HIGH,
    MIDDLE,
    PICKED,
    PROTOTYPES,
    RIVALS,
    SEEDS,
    WEAK,
    Run,
    against,
    combinations,
    equal_text,
    first_version,
    higher,
    lead,
    points,
    several_of,
)
from dpviz.papers.model import CANNOT_TELL, DOES_NOT, HOLDS, Ground, Verdict
from dpviz.stats import Interval, difference
from dpviz.types import Budget, RunSpec

SMALL = (0.3, *MIDDLE)
IMBALANCED = [50.0, 100.0]
SETTINGS_TEXT = f"{SEEDS} seeds and the test records, Holm-corrected; {EQUAL}."

PUBLIC_WHEN_STRICT = higher(against(("dppl-public",), RIVALS, combinations(SMALL, ir=IMBALANCED)))
MATCHES_ADAPT = first_version(
    higher(
        against(("dppl-mean",), ("global-adapt",), combinations(HIGH, ir=IMBALANCED)),
        margin=MARGIN,
    )
)


def lead_grows(ground: Ground) -> Verdict:
    """Each prototype's lead over each rival is larger at IR 100 than at IR 1."""
    facts_by_ratio = {1.0: (("ir", 1.0),), 100.0: (("ir", 100.0),)}
    budget = {"dppl-public": MIDDLE[0], "dppl-mean": HIGH[0]}
    runs = {
        (own, name, ir): Run(name, budget[own], facts)
        for own in PROTOTYPES
        for name in (own, *RIVALS)
        for ir, facts in facts_by_ratio.items()
    }
    results = points(ground, runs.values(), "balanced")
    ahead = {
        (own, rival, ir): lead(results[runs[own, own, ir]], results[runs[own, rival, ir]])
        for own in PROTOTYPES
        for rival in RIVALS
        for ir in facts_by_ratio
    }
    pairs = {
        (own, rival): (ahead[own, rival, 1.0], ahead[own, rival, 100.0])
        for own in PROTOTYPES
        for rival in RIVALS
    }
    compared = compare(pairs)
    gaps = {key: difference(*pair) for key, pair in pairs.items()}
    worst = min(pairs, key=lambda key: (compared.signs[key], gaps[key].gap))
    first, last = pairs[worst]
    return Verdict(
        compared.outcome,
        "DPPL-Public's lead at paper ε 1 and DPPL-Mean's at paper ε 10 over the probe, DP-LS and"
        f" DPSGD-Global-Adapt is clearly larger at IR 100 than at IR 1 in {compared.up} of"
        f" {len(pairs)} comparisons, smaller in {compared.down}; the least favorable:"
        f" {METHODS[worst[0]].title} over {METHODS[worst[1]].title}, {100 * first.mean:+.1f}"
        f" points at IR 1 and {100 * last.mean:+.1f} at IR 100, apart by"
        f" {points_text(gaps[worst])}. {SETTINGS_TEXT}" + equal_text(ground, runs.values()),
    )


def outperformed(metric: str, turned: bool = False) -> Callable[[Ground], Verdict]:
    """A check on the worse encoder: at each budget one other method is clearly above both
    prototypes; does not hold where at some budget one prototype is clearly above all others. Where
    none is clearly better than a guess nothing is told.

    Args:
        turned: the claim is that a prototype is above.
    """

    def check(ground: Ground) -> Verdict:
        facts, budgets = (("encoder", WEAK[ground.dataset]), ("ir", 10.0)), (*MIDDLE, 10.0)
        runs = {(name, b): Run(name, b, facts) for name in (*PROTOTYPES, *RIVALS) for b in budgets}
        results = points(ground, runs.values(), metric)
        directions = compare(
            {
                (own, rival, b): (results[runs[own, b]], results[runs[rival, b]])
                for own in PROTOTYPES
                for rival in RIVALS
                for b in budgets
            }
        ).signs
        guess = 1 / experiment.prepared(ground.material()).classes
        informative = [
            b for b in budgets if max(results[run].low for run in runs_at(runs, b)) > guess
        ]
        behind, ahead = _decisive_budgets(directions, informative)
        holds, fails = (ahead, behind) if turned else (behind, ahead)
        outcome = outcome_of(len(holds), len(fails), len(budgets))
        best_text = lambda methods, b: run_text(
            best(results, (runs[n, b] for n in methods)), results
        )
        words = "; ".join(f"{best_text(PROTOTYPES, b)}, {best_text(RIVALS, b)}" for b in budgets)
        return Verdict(
            outcome,
            f"On {WEAK[ground.dataset]} features at IR 10, the best prototype and the best"
            f" baseline: {words}. Another"
            f" method is clearly above both prototypes at {len(behind)} of {len(budgets)} budgets,"
            f" one prototype above all others at {len(ahead)}; at"
            f" {len(budgets) - len(informative)} no method is clearly better than chance. Accuracy"
            f" is {METRIC_WORDS[metric]}; {SETTINGS_TEXT}",
        )

    return first_version(check)


def runs_at(runs: Mapping[tuple[str, float], Run], budget: float) -> list[Run]:
    """Those at one budget."""
    return [run for (_, b), run in runs.items() if b == budget]


def _decisive_budgets(
    directions: Mapping[tuple[str, str, float], int], budgets: list[float]
) -> tuple[list[float], list[float]]:
    """Budgets at which one rival is above both prototypes, and one prototype above all rivals."""
    behind = [
        b for b in budgets if any(all(directions[o, r, b] > 0 for o in PROTOTYPES) for r in RIVALS)
    ]
    ahead = [
        b for b in budgets if any(all(directions[o, r, b] < 0 for r in RIVALS) for o in PROTOTYPES)
    ]
    return behind, ahead


def run_text(run: Run, results: Mapping[Run, Interval]) -> str:
    """Such as ``DP-LS at paper ε 1: 90% (88 to 92%)``."""
    facts = Run(run.method, run.budget)
    return f"{facts.words} {accuracy_text(results[run])}"


#: Short of a method's largest accuracy by less is as good as the largest.
REACHED = rules.rule_of("beyond-f9", "beyond_the_mean").margin


def several_reach(ground: Ground) -> Verdict:
    """PublicK's largest accuracy lies between those of DPPL-Mean and DPPL-Public, and so does the
    budget that it needs.
    """
    budgets = (0.1, 0.3, 1.0, 3.0, 10.0, 16.0)
    keys = ("dppl-mean", "dppl-publick", "dppl-public")
    curves = several_of(ground, budgets)
    curve = {key: {b: curves.points[key, b] for b in budgets} for key in keys}
    top = {key: max(line.values(), key=lambda point: point.mean) for key, line in curve.items()}
    needed = {
        key: min(b for b, point in line.items() if point.mean > top[key].mean - REACHED)
        for key, line in curve.items()
    }
    directions = compare(
        {
            (key, place): (top[key], curves.by_k[place])
            for key in END_METHODS
            for place in curves.by_k
        }
    ).signs
    highest = best(curves.by_k, curves.by_k)
    over_mean, over_public = (directions[key, highest] for key in END_METHODS)
    low, middle, high = (needed[key] for key in reversed(keys))
    between = min(low, high) <= middle <= max(low, high)
    outcome = DOES_NOT if over_mean * over_public > 0 else CANNOT_TELL
    if over_mean * over_public < 0 and between:
        outcome = HOLDS
    words = "; ".join(
        f"{METHODS[key].title} {accuracy_text(top[key])}, within"
        f" {100 * REACHED:.0f} points of it from paper ε {number(needed[key])}"
        for key in keys
    )
    return Verdict(
        outcome,
        f"Largest accuracy over paper ε {', '.join(map(number, budgets))} at IR 10: {words}."
        f" {PICKED}. {SETTINGS_TEXT} Holm covers all K and budgets.",
    )


def several_near_mean(ground: Ground) -> Verdict:
    """At a large budget PublicK lies nearer DPPL-Mean than DPPL-Public."""
    budget = 16.0
    curves = several_of(ground, (budget,))
    mean, public = (curves.points[key, budget] for key in END_METHODS)
    halves = {k: (lead(mean, own), lead(own, public)) for (_, k), own in curves.by_k.items()}
    directions = compare({0: (public, mean)} | halves, paired=True).signs
    order, nearer = directions[0], directions[curves.best_k[budget]]
    far, near = halves[curves.best_k[budget]]
    outcome = CANNOT_TELL
    if order > 0 and nearer:
        outcome = HOLDS if nearer > 0 else DOES_NOT
    elif order < 0:
        outcome = DOES_NOT
    return Verdict(
        outcome,
        f"At ρ = {number(budget**2 / 2)} and IR 10, {curves.words(budget)}: PublicK is"
        f" {100 * far.mean:.1f} points from DPPL-Mean and {100 * near.mean:.1f} from"
        f" DPPL-Public. {PICKED}. {SETTINGS_TEXT} Paired by seed; Holm covers all K.",
    )


#: Table 2, CIFAR-10, without evaluation: DPPL-Public with 1,281,167 images, 15 epochs of training.
TIMES = {
    "dppl-mean": "0.08 s",
    "dppl-public": "5.0 s",
    "noisy-gd": "5.5 s",
    "dp-ls": "0.8 s",
    "global-adapt": "174 s",
}
REPEATS = rules.rule_of("beyond-t2", "beyond_the_mean").seeds


def run_times(ground: Ground) -> Verdict:
    """A fit of DPPL-Mean takes the least time of five methods and one of Global-Adapt the most."""
    facts = ground.material().facts
    seconds: dict[str, list[float]] = {}
    for key in TIMES:
        params = COINPRESS if key == "dppl-mean" else ()
        spec = RunSpec(**facts, method=key, budget=Budget(1.0, "zcdp"), params=params)
        data, plan = experiment.prepared(spec), experiment.planned(spec)
        METHODS[key].fit(data, [plan], [REPEATS])  # imports are not timed
        seconds[key] = []
        for seed in range(REPEATS):
            caches.clear("dpviz.methods")  # such as utilities, which the paper's time includes
            public_scale(data, 1)
            begun = time.process_time()
            METHODS[key].fit(data, [plan], [seed])
            seconds[key].append(time.process_time() - begun)
    first, *middle_seconds, last = seconds["dppl-mean"], *list(seconds.values())[1:]
    lowest = max(first) < min(map(min, (*middle_seconds, last)))
    highest = min(last) > max(map(max, (first, *middle_seconds)))
    medians = {key: statistics.median(times) for key, times in seconds.items()}
    order = sorted(medians, key=medians.__getitem__)
    is_ordered = order[0] == "dppl-mean" and order[-1] == "global-adapt"
    words = "; ".join(f"{METHODS[key].title} {medians[key]:.2g} s ({TIMES[key]})" for key in order)
    return Verdict(
        HOLDS if lowest and highest else CANNOT_TELL if is_ordered else DOES_NOT,
        f"Median CPU time of {REPEATS} fits, with the paper's time on one GPU in brackets:"
        f" {words}. Features and public statistics are computed beforehand. The claim holds if"
        " every fit of DPPL-Mean is faster and every fit of Global-Adapt slower than all others."
        f" {REPEATS} seeds; ρ = 1; settings are dpviz's. DPPL-Mean is CoinPress here.",
    )
