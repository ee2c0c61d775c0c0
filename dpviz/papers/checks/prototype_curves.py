"""Tries of what the prototypes' papers read off their curves: who is right more often, where.

All runs are on the papers' axis, ε = √(2ρ), so that methods of one ε share ρ; a difference is told
with seeds and test records together, all differences of one claim at once (Holm).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from dpviz.methods import METHODS
from dpviz.papers.model import CANNOT_TELL, DOES_NOT, HOLDS, Ground, Verdict
from dpviz.run import experiment
from dpviz.stats import Interval, accuracy, signs
from dpviz.types import Budget, RunSpec
from dpviz.words import METRIC_WORDS, number, percent, spread

SEEDS = 4
LOW, MIDDLE, HIGH = (0.1, 0.3), (1.0,), (10.0, 100.0)
PROTOTYPES = ("dppl-mean", "dppl-public")
RIVALS = ("noisy-gd", "dp-ls", "global-adapt")
WEAK = {"mnist5k": "scatter", "clothes": "glyphnet"}
"""Worse encoders than the shipped ones: one that learned nothing, and one that learned letters."""


WORDS = {"ir": "IR", "records": "records a class"}


@dataclass(frozen=True)
class Run:
    """A method at a budget, on facts of the data that differ from the ground's own, with settings
    that differ from its defaults.
    """

    method: str
    budget: float
    facts: tuple[tuple[str, Any], ...] = ()
    params: tuple[tuple[str, Any], ...] = ()

    @property
    def words(self) -> str:
        """Such as ``DPPL-Mean at ε 1, IR 50``."""
        told = "".join(
            f", {WORDS.get(name, name)} {_said(value)}" for name, value in self.facts + self.params
        )
        return f"{METHODS[self.method].title} at ε {number(self.budget)}{told}"


def _said(value: Any) -> str:
    return value if isinstance(value, str) else number(value)


def points(ground: Ground, runs: Iterable[Run], metric: str) -> dict[Run, Interval]:
    """Accuracy of each run, all computed at once."""
    wanted = list(dict.fromkeys(runs))
    specs = {run: _specs(ground, run) for run in wanted}
    found = experiment.sweep([spec for some in specs.values() for spec in some])
    by_run = {run: found[i * SEEDS : (i + 1) * SEEDS] for i, run in enumerate(wanted)}
    return {run: accuracy(results, metric) for run, results in by_run.items()}


def _specs(ground: Ground, run: Run) -> list[RunSpec]:
    facts = ground.material(**dict(run.facts)).facts
    budget = Budget(run.budget, "paper")
    first = RunSpec(**facts, method=run.method, budget=budget, params=run.params)
    return [replace(first, seed=seed) for seed in range(SEEDS)]


def higher(
    pairs: Sequence[tuple[Run, Run]], metric: str = "balanced"
) -> Callable[[Ground], Verdict]:
    """A check that holds where the second of each pair is clearly right more often, does not where
    one of them is clearly right less often, and cannot be told else.
    """

    def check(ground: Ground) -> Verdict:
        found = points(ground, (run for pair in pairs for run in pair), metric)
        told = signs({pair: (found[pair[0]], found[pair[1]]) for pair in pairs})
        up, down = (sum(sign == side for sign in told.values()) for side in (1, -1))
        outcome = DOES_NOT if down else HOLDS if up == len(pairs) else CANNOT_TELL
        return Verdict(outcome, _because(told, found, up, down, metric))

    return check


def _because(
    told: Mapping[tuple[Run, Run], int],
    found: Mapping[Run, Interval],
    up: int,
    down: int,
    metric: str,
) -> str:
    """The counts, and the pair that speaks most against the claim, or for it where none does."""
    worst = min(told, key=lambda pair: (told[pair], found[pair[1]].mean - found[pair[0]].mean))
    lower, upper = ((run.words, found[run]) for run in worst)
    said = [f"{words} is right {percent(p)} ({spread(p)})" for words, p in (upper, lower)]
    return (
        f"Clearly higher in {up} of {len(told)} comparisons, lower in {down}, within noise in"
        f" {len(told) - up - down}; the least favourable: {', '.join(said)}. {SEEDS} seeds and the"
        f" test records together, Holm; {METRIC_WORDS[metric]}; equal ρ = ε²/2."
    )


# ---------------------------------------------------------------------------------- which pairs


def over(budgets: Sequence[float], **facts: Any) -> list[tuple[float, tuple]]:
    """Every budget with every combination of facts, each a value or a list of them."""
    lists = {name: v if isinstance(v, list) else [v] for name, v in facts.items()}
    combined = [tuple(zip(lists, some, strict=True)) for some in product(*lists.values())]
    return [(budget, some) for budget in budgets for some in combined]


def against(
    tops: Sequence[str], rivals: Sequence[str], places: Sequence[tuple[float, tuple]]
) -> list[tuple[Run, Run]]:
    """Each of ``tops`` above each of ``rivals``, at each place."""
    return [
        (Run(rival, budget, facts), Run(top, budget, facts))
        for budget, facts in places
        for top in tops
        for rival in rivals
    ]


def from_to(
    methods: Sequence[str], budgets: Sequence[float], lower: tuple, upper: tuple
) -> list[tuple[Run, Run]]:
    """Each method with the ``upper`` facts above itself with the ``lower`` ones."""
    return [
        (Run(method, budget, lower), Run(method, budget, upper))
        for method in methods
        for budget in budgets
    ]


# --------------------------------------------------------------------------------- single claims

PUBLIC_ABOVE_PROBE = higher(
    against(("dppl-public",), ("noisy-gd",), over((*LOW, *MIDDLE, *HIGH), ir=[10.0, 50.0, 100.0]))
)
EARLY = higher(
    [(Run("dppl-public", 0.01, (("ir", 1.0),)), Run("dppl-public", 0.1, (("ir", 1.0),)))]
)
MORE_IMBALANCE_COSTS = higher(
    from_to((*PROTOTYPES, "noisy-gd", "dp-ls"), MIDDLE, (("ir", 100.0),), (("ir", 1.0),))
)
MEAN_BELOW_AT_LOW = higher(against(("dppl-public", "noisy-gd"), ("dppl-mean",), over(LOW, ir=50.0)))
MEAN_ABOVE_AT_HIGH = higher(against(("dppl-mean",), ("dppl-public",), over(HIGH, ir=[10.0, 50.0])))
LS_WHEN_BALANCED = higher(
    against(("dp-ls",), (*PROTOTYPES, "noisy-gd"), over((*MIDDLE, 10.0), ir=1.0))
)
PUBLIC_WHEN_IMBALANCED = higher(against(("dppl-public",), RIVALS, over((0.3, 1.0), ir=100.0)))
MEAN_WHEN_IMBALANCED = higher(against(("dppl-mean",), RIVALS, over(HIGH, ir=100.0)))
MINORITY = higher(against(("dppl-public",), RIVALS, over((0.3, 1.0), ir=50.0)), "minority")
FEW_RECORDS = higher(against(("dppl-public",), ("noisy-gd",), over((0.3, 1.0), records=50, ir=1.0)))
POOLED = (("k_pool", 5),)


def pooling_helps(ground: Ground) -> Verdict:
    """Pools of five coordinates are better for DPPL-Mean at some strict budget."""
    facts = (("ir", 10.0),)
    pairs = [(Run("dppl-mean", b, facts), Run("dppl-mean", b, facts, POOLED)) for b in (0.1, 0.3)]
    return higher(pairs)(ground)


PROJECTION_DOES_NOT_HELP = higher(
    against(("dppl-public",), ("dppl-public-projected",), over((*MIDDLE, 10.0), ir=10.0))
)


def better_encoder(ground: Ground) -> Verdict:
    """Every method is right more often on the features that suit the data than on others."""
    weak = (("encoder", WEAK[ground.dataset]), ("ir", 10.0))
    methods = (*PROTOTYPES, "noisy-gd")
    return higher(from_to(methods, (1.0, 10.0), weak, (("ir", 10.0),)))(ground)


def several_between(ground: Ground) -> Verdict:
    """PublicK lies between DPPL-Mean and DPPL-Public: never clearly above both or below both."""
    budgets, facts = (0.3, 1.0, 10.0), (("ir", 10.0),)
    keys = ("dppl-mean", "dppl-public", "dppl-publick")
    found = points(ground, (Run(key, b, facts) for key in keys for b in budgets), "balanced")
    ends = {(b, key): found[Run(key, b, facts)] for b in budgets for key in keys[:2]}
    told = signs({at: (end, found[Run(keys[2], at[0], facts)]) for at, end in ends.items()})
    sides = {b: (told[b, keys[0]], told[b, keys[1]]) for b in budgets}
    out = [b for b, (one, other) in sides.items() if one * other > 0]
    between = [b for b, (one, other) in sides.items() if one * other < 0]
    outcome = DOES_NOT if out else HOLDS if len(between) == len(budgets) else CANNOT_TELL
    words = "; ".join(
        f"ε {number(b)}: mean {percent(ends[b, keys[0]])}, K = 5 of them"
        f" {percent(found[Run(keys[2], b, facts)])}, one {percent(ends[b, keys[1]])}"
        for b in budgets
    )
    return Verdict(
        outcome,
        f"At IR 10, {words}; clearly between at {len(between)} of {len(budgets)} budgets, clearly"
        f" outside at {len(out)} ({SEEDS} seeds and test records, Holm; mean over classes).",
    )
