"""Tries of what the prototypes' paper in its first version reads off its curves, where that is more
than who is above whom: a growing lead, a match, being outperformed. DPPL-Mean is CoinPress.

Runs and words as in ``prototype_curves``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dpviz.methods import METHODS
from dpviz.papers.checks.margins import SAME, outcome_of, tally
from dpviz.papers.checks.prototype_curves import (
    EQUAL,
    HIGH,
    MIDDLE,
    PROTOTYPES,
    RIVALS,
    SEEDS,
    WEAK,
    Run,
    against,
    first_version,
    higher,
    lead,
    noted,
    over,
    points,
)
from dpviz.papers.model import CANNOT_TELL, DOES_NOT, HOLDS, Ground, Verdict
from dpviz.run import experiment
from dpviz.stats import Interval, difference, signs
from dpviz.words import METRIC_WORDS, number, percent, spread

SMALL = (0.3, *MIDDLE)
IMBALANCED = [50.0, 100.0]
HOW = f"{SEEDS} seeds and the test records together, Holm; {EQUAL}."

PUBLIC_WHEN_STRICT = higher(against(("dppl-public",), RIVALS, over(SMALL, ir=IMBALANCED)))
MATCHES_ADAPT = first_version(
    higher(
        against(("dppl-mean",), ("global-adapt",), over(HIGH, ir=IMBALANCED)),
        margin=SAME,
    )
)


def lead_grows(ground: Ground) -> Verdict:
    """Each prototype's lead over each rival is larger at IR 100 than at IR 1."""
    ends = {1.0: (("ir", 1.0),), 100.0: (("ir", 100.0),)}
    budget = {"dppl-public": MIDDLE[0], "dppl-mean": HIGH[0]}
    runs = {
        (own, name, ir): Run(name, budget[own], facts)
        for own in PROTOTYPES
        for name in (own, *RIVALS)
        for ir, facts in ends.items()
    }
    found = points(ground, runs.values(), "balanced")
    ahead = {
        (own, rival, ir): lead(found[runs[own, own, ir]], found[runs[own, rival, ir]])
        for own in PROTOTYPES
        for rival in RIVALS
        for ir in ends
    }
    pairs = {
        (own, rival): (ahead[own, rival, 1.0], ahead[own, rival, 100.0])
        for own in PROTOTYPES
        for rival in RIVALS
    }
    told = signs(pairs)
    up, down = tally(told)
    gaps = {key: difference(*pair) for key, pair in pairs.items()}
    worst = min(pairs, key=lambda key: (told[key], gaps[key].apart))
    first, last = pairs[worst]
    return Verdict(
        outcome_of(up, down, len(pairs)),
        f"DPPL-Public's lead at paper ε 1 and DPPL-Mean's at paper ε 10 over the probe, DP-LS and"
        f" DPSGD-Global-Adapt is clearly larger at IR 100 than at IR 1 in {up} of {len(pairs)}"
        f" comparisons, smaller in {down}; the least favourable: {METHODS[worst[0]].title} over"
        f" {METHODS[worst[1]].title}, {100 * first.mean:+.1f} points at IR 1 and"
        f" {100 * last.mean:+.1f} at IR 100, apart by {100 * gaps[worst].apart:+.1f} ±"
        f" {100 * gaps[worst].half:.1f}. {HOW}" + noted(ground, runs.values()),
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
        found = points(ground, runs.values(), metric)
        told = signs(
            {
                (own, rival, b): (found[runs[own, b]], found[runs[rival, b]])
                for own in PROTOTYPES
                for rival in RIVALS
                for b in budgets
            }
        )
        guess = 1 / experiment.prepared(ground.material()).classes
        above = [b for b in budgets if max(found[run].low for run in at(runs, b)) > guess]
        behind, ahead = _ends(told, above)
        holds, fails = (ahead, behind) if turned else (behind, ahead)
        outcome = outcome_of(len(holds), len(fails), len(budgets))
        best = lambda some, b: max((runs[n, b] for n in some), key=lambda run: found[run].mean)
        words = "; ".join(
            f"{said(best(PROTOTYPES, b), found)}, {said(best(RIVALS, b), found)}" for b in budgets
        )
        return Verdict(
            outcome,
            f"On {WEAK[ground.dataset]} features at IR 10 the best of each: {words}. One other is"
            f" clearly above both prototypes at {len(behind)} of {len(budgets)} budgets, one"
            f" prototype above all others at {len(ahead)}; at {len(budgets) - len(above)} none is"
            f" clearly better than a guess, and not looked at. Figures are of those"
            f" {METRIC_WORDS[metric]}; {HOW}",
        )

    return first_version(check)


def at(runs: Mapping[tuple[str, float], Run], budget: float) -> list[Run]:
    """Those at one budget."""
    return [run for (_, b), run in runs.items() if b == budget]


def _ends(
    told: Mapping[tuple[str, str, float], int], budgets: list[float]
) -> tuple[list[float], list[float]]:
    """Budgets at which one rival is above both prototypes, and one prototype above all rivals."""
    behind = [b for b in budgets if any(all(told[o, r, b] > 0 for o in PROTOTYPES) for r in RIVALS)]
    ahead = [b for b in budgets if any(all(told[o, r, b] < 0 for r in RIVALS) for o in PROTOTYPES)]
    return behind, ahead


def said(run: Run, found: Mapping[Run, Interval]) -> str:
    """Such as ``DP-LS at paper ε 1: 90 % (88 to 92 %)``."""
    facts = Run(run.method, run.budget)
    return f"{facts.words} {percent(found[run])} ({spread(found[run])})"


def several_near_mean(ground: Ground) -> Verdict:
    """At a large budget K = 5 pictures lie nearer DPPL-Mean than DPPL-Public."""
    budget, facts = 16.0, (("ir", 10.0),)
    keys = ("dppl-mean", "dppl-public", "dppl-publick")
    runs = [Run(key, budget, facts) for key in keys]
    found = points(ground, runs, "balanced")
    mean, public, several = (found[run] for run in runs)
    halves = lead(mean, several), lead(several, public)
    order, nearer = signs({0: (public, mean), 1: halves}, paired=True).values()
    outcome = CANNOT_TELL
    if order > 0 and nearer:
        outcome = HOLDS if nearer > 0 else DOES_NOT
    elif order < 0:
        outcome = DOES_NOT
    return Verdict(
        outcome,
        f"At ρ = {number(budget**2 / 2)} and IR 10, {'; '.join(said(run, found) for run in runs)},"
        f" K = 5. The last is {100 * halves[0].mean:.1f} points from the first and"
        f" {100 * halves[1].mean:.1f} from the second. {HOW} Paired by seed.",
    )
