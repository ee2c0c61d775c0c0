"""Tries of what the AdaMix paper reads off its curves: which preset errs less, at which budget.

Public shots are held aside from the private set, as in the paper, unless a claim is about another
public set. A seed draws noise and shots; differences are told with seeds and test records together,
paired, all differences of one claim at once (Holm).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.data.data_set_table import HELD_ASIDE
from dpviz.diagnostics import membership_attack, per_instance, preset_comparison
from dpviz.methods import adamix
from dpviz.methods.adamix_presets import PRESETS
from dpviz.papers.model import CANNOT_TELL, DOES_NOT, HOLDS, Ground, Verdict
from dpviz.run import experiment
from dpviz.stats import Interval, quantile
from dpviz.types import Budget, RunSpec
from dpviz.words import number, percent, spread

SEEDS, SHOTS = 5, 2
BUDGETS = (1.0, 3.0)
"""Those of the paper's table."""
OTHER_PUBLIC = {"mnist5k": "uci-digits", "clothes": "clothes-public"}
"""Pictures of the same classes from elsewhere."""
WEAK = {"mnist5k": "scatter", "clothes": "scatter-colour"}
"""Encoders that have learned nothing, beside the shipped ones."""


@dataclass(frozen=True)
class Run:
    """A preset at a budget, with settings and facts of the data that differ."""

    preset: str
    budget: float = 3.0
    params: tuple[tuple[str, Any], ...] = ()
    facts: tuple[tuple[str, Any], ...] = ()

    @property
    def words(self) -> str:
        """Such as ``AdaMix at ε 3, sigma 5``."""
        more = "".join(f", {name} {value}" for name, value in self.params + self.facts)
        level = self.preset in preset_comparison.LEVELS
        return f"{self.preset}{'' if level else f' at ε {number(self.budget)}'}{more}"


def specs(ground: Ground, run: Run) -> list[RunSpec]:
    """A run's spec for each seed."""
    preset = PRESETS[run.preset]
    facts = ground.material(**{"public": HELD_ASIDE} | dict(run.facts)).facts
    level = run.preset in preset_comparison.LEVELS
    budget = Budget(math.inf if level else run.budget)
    found = []
    for seed in range(SEEDS):
        params = preset_comparison.settings(preset, {}, 1.0, SHOTS, seed) | dict(run.params)
        settings = tuple(params.items())
        found.append(
            RunSpec(**facts, method=preset.method, budget=budget, params=settings, seed=seed)
        )
    return found


def errors(ground: Ground, runs: Iterable[Run]) -> dict[Run, Interval]:
    """Test error of each run over classes, all computed at once."""
    wanted = list(dict.fromkeys(runs))
    results = experiment.sweep([spec for run in wanted for spec in specs(ground, run)])
    each = [results[i * SEEDS : (i + 1) * SEEDS] for i in range(len(wanted))]
    return {r: preset_comparison.error(s, "balanced") for r, s in zip(wanted, each, strict=True)}


def less(pairs: Sequence[tuple[Run, Run]]) -> Callable[[Ground], Verdict]:
    """A check that holds where the first of each pair clearly errs less, does not where one of them
    clearly errs more, and cannot be told else.
    """

    def check(ground: Ground) -> Verdict:
        found = errors(ground, (run for pair in pairs for run in pair))
        told = preset_comparison.orders({pair: (found[pair[0]], found[pair[1]]) for pair in pairs})
        down, up = (sum(sign == side for sign in told.values()) for side in (1, -1))
        outcome = DOES_NOT if up else HOLDS if down == len(pairs) else CANNOT_TELL
        gains = {p: preset_comparison.gain(found[p[0]], found[p[1]]) for p in pairs}
        worst = min(pairs, key=lambda pair: (told[pair], gains[pair]))
        said = " and ".join(_said(run, found[run]) for run in worst)
        return Verdict(
            outcome,
            f"Clearly less error in {down} of {len(pairs)} comparisons, more in {up}, within noise"
            f" in {len(pairs) - up - down}; the least favourable: {said}. {SETTINGS}",
        )

    return check


SETTINGS = (
    f"{SHOTS} public shots a class, {SEEDS} seeds and the test records together, paired, Holm;"
    " (ε, 1e-5)-DP, error over classes."
)


def _said(run: Run, error: Interval) -> str:
    return f"{run.words} errs on {percent(error)} ({spread(error)})"


def at_budgets(
    one: str, others: Sequence[str], budgets: Sequence[float] = BUDGETS, **facts: Any
) -> Callable[[Ground], Verdict]:
    """A preset errs less than each of the others at each budget."""
    more = tuple(facts.items())
    runs = lambda name, b: Run(name, b, facts=more)
    return less([(runs(one, b), runs(other, b)) for b in budgets for other in others])


def changed(one: dict[str, Any], other: dict[str, Any], preset: str = "AdaMix") -> Any:
    """A preset with some settings errs less than with others, at each budget."""
    first, second = tuple(one.items()), tuple(other.items())
    return less([(Run(preset, b, first), Run(preset, b, second)) for b in BUDGETS])


def elsewhere(ground: Ground) -> Verdict:
    """AdaMix against its public shots alone, where those come from elsewhere."""
    facts = (("public", OTHER_PUBLIC[ground.dataset]),)
    pairs = [(Run("AdaMix", b, facts=facts), Run("Only-Public", facts=facts)) for b in BUDGETS]
    return less(pairs)(ground)


def better_encoder(ground: Ground) -> Verdict:
    """AdaMix on the shipped encoder against one that has learned nothing."""
    facts = (("encoder", WEAK[ground.dataset]),)
    return less([(Run("AdaMix", b), Run("AdaMix", b, facts=facts)) for b in BUDGETS])(ground)


def no_better_than_public(ground: Ground) -> Verdict:
    """PPGD hardly improves on its public shots: it does not hold where it clearly errs less."""
    one = less([(Run("PPGD", b), Run("Only-Public")) for b in BUDGETS])(ground)
    turned = {HOLDS: DOES_NOT, DOES_NOT: HOLDS, CANNOT_TELL: CANNOT_TELL}
    return Verdict(turned[one.outcome], f"PPGD against Only-Public. {one.because}")


ORDER = ("no-init", "no-clip-adapt", "no-projection")


def parts_in_order(ground: Ground) -> Verdict:
    """The start is missed most, then the threshold, then the projection."""
    runs = {name: Run(name, 3.0) for name in (*ORDER, "AdaMix")}
    found = errors(ground, runs.values())
    lost = {n: preset_comparison.gain(found[runs["AdaMix"]], found[runs[n]]) for n in ORDER}
    chain = [(runs[b], runs[a]) for a, b in itertools.pairwise(ORDER)]
    chain.append((runs["AdaMix"], runs[ORDER[-1]]))
    told = preset_comparison.orders({pair: (found[pair[0]], found[pair[1]]) for pair in chain})
    signs = list(told.values())
    outcome = DOES_NOT if -1 in signs else HOLDS if 0 not in signs else CANNOT_TELL
    points = ", ".join(f"{name} {lost[name]:+.1f}" for name in ORDER)
    return Verdict(outcome, f"Points of error without a part, at ε = 3: {points}. {SETTINGS}")


def boost_falls(ground: Ground) -> Verdict:
    """What private records take off the error of the public shots is more at 1 shot than at 10."""
    few, many = (("shots", 1),), (("shots", 10),)
    runs = {
        (name, params): Run(name, 3.0, params)
        for name in ("AdaMix", "Only-Public")
        for params in (few, many)
    }
    found = errors(ground, runs.values())
    gained = {
        params: np.subtract(
            found[runs["Only-Public", params]].values, found[runs["AdaMix", params]].values
        )
        for params in (few, many)
    }
    falls = gained[few] - gained[many]
    half = quantile(SEEDS - 1) * falls.std(ddof=1) / math.sqrt(SEEDS)
    outcome = HOLDS if falls.mean() > half else DOES_NOT if falls.mean() < -half else CANNOT_TELL
    return Verdict(
        outcome,
        f"At ε = 3 AdaMix takes {100 * gained[few].mean():.1f} points off the error of 1 shot a"
        f" class, {100 * gained[many].mean():.1f} off that of 10: {100 * falls.mean():.1f} ±"
        f" {100 * half:.1f} points less, over {SEEDS} seeds.",
    )


def hides_members_best(ground: Ground) -> Verdict:
    """The order of errors is that of attacks: AdaMix is attacked least, then NGD, Fully-Private."""
    names = ("AdaMix", "NGD", "Fully-Private")
    found = [
        membership_attack.attack(specs(ground, Run(n))[0], range(SEEDS), "test") for n in names
    ]
    gaps = [(b.auc - a.auc, 2 * math.hypot(a.error, b.error)) for a, b in itertools.pairwise(found)]
    clear = [math.copysign(abs(gap) > error, gap) if abs(gap) > error else 0 for gap, error in gaps]
    outcome = DOES_NOT if -1 in clear else HOLDS if all(clear) else CANNOT_TELL
    said = ", ".join(
        f"{n} {a.auc:.3f} ± {2 * a.error:.3f}" for n, a in zip(names, found, strict=True)
    )
    return Verdict(
        outcome,
        "Area under the attack's curve at ε = 3, members against test records by their loss:"
        f" {said} (two standard errors), {SEEDS} runs each.",
    )


def losses_are_nearer(ground: Ground) -> Verdict:
    """The middle record's own privacy loss is nearer the promise with AdaMix than Fully-Private."""
    middle = {}
    for name in ("AdaMix", "Fully-Private"):
        looked = [per_instance.of(spec) for spec in specs(ground, Run(name))]
        middle[name] = np.array([np.median(one.epsilon) / one.claim for one in looked])
    apart = middle["AdaMix"] - middle["Fully-Private"]
    half = quantile(SEEDS - 1) * apart.std(ddof=1) / math.sqrt(SEEDS)
    outcome = HOLDS if apart.mean() > half else DOES_NOT if apart.mean() < -half else CANNOT_TELL
    shares = ", ".join(f"{name} {100 * values.mean():.0f} %" for name, values in middle.items())
    return Verdict(
        outcome,
        f"The middle record's loss as a share of ε = 3: {shares}; apart by"
        f" {100 * apart.mean():.0f} ± {100 * half:.0f} points over {SEEDS} seeds.",
    )


def public_is_worth_more(ground: Ground) -> Verdict:
    """Ten public records a class beat ten private ones a class at ε = 3."""
    alone = (("public_use", "none"), ("shots", 1))
    private = Run("Fully-Private", 3.0, alone, (("records", 10),))
    hundred = Run("Fully-Private", 3.0, alone, (("records", 100),))
    public = Run("Only-Public", params=(("shots", 10),))
    one = less([(public, private)])(ground)
    more = errors(ground, [hundred])[hundred]
    return Verdict(one.outcome, f"{one.because} With 100 private ones: {percent(more)}.")


def constant_steps_win(ground: Ground) -> Verdict:
    """NGD's constant step errs less than Theorem 3's with an assumed distance of 10."""
    params = tuple((adamix.THEOREM | {"distance": 10.0}).items())
    return less([(Run("NGD", b), Run("NGD", b, params)) for b in BUDGETS])(ground)
