"""Tries of what the prototypes' papers read off their curves: who is right more often, where.

All runs are on the papers' axis, ε = √(2ρ), so that methods of one ε share ρ; a difference is told
with seeds and test records together, all differences of one claim at once (Holm). Where a claim is
about IR 1 and the classes of a data set differ, each has as many records as the smallest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from dpviz.caches import cached
from dpviz.experiments import experiment
from dpviz.formatting import METRIC_WORDS, number
from dpviz.methods import METHODS
from dpviz.papers import rules
from dpviz.papers.checks.comparisons import (
    Comparison,
    accuracies,
    accuracy_text,
    best,
    compare,
    extended,
    outcome_of,
    seeded,
)
from dpviz.papers.model import CANNOT_TELL, DOES_NOT, Ground, Verdict
from dpviz.stats import Interval, interval
from dpviz.types import Budget, RunSpec

SEEDS = rules.protocol("prototypes").seeds
LOW, MIDDLE, HIGH = (0.1, 0.3), (1.0,), (10.0, 100.0)
PROTOTYPES = ("dppl-mean", "dppl-public")
RIVALS = ("noisy-gd", "dp-ls", "global-adapt")
#: Encoders that learned from other pictures than these: each is the other data set's own.
WEAK = {"mnist5k": "lite0-128", "clothes": "glyphnet"}

EQUAL = "equal ρ, paper ε = √(2ρ)"
COINPRESS = (("form", "coinpress"),)
COINPRESS_TEXT = "DPPL-Mean is CoinPress here."
WORDS = {"ir": "IR", "records": "records per class"}


@dataclass(frozen=True)
class FirstVersion(Ground):
    """A ground on which DPPL-Mean is CoinPress, as in the first version of the paper."""


def first_version(check: Callable[[Ground], Verdict]) -> Callable[[Ground], Verdict]:
    """A check of this module's runs with the first version's DPPL-Mean."""
    return extended(lambda ground: check(FirstVersion(ground.dataset)), COINPRESS_TEXT)


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
        """Such as ``DPPL-Mean at paper ε 1, IR 50``."""
        settings = "".join(
            f", {WORDS.get(name, name)} {_value_text(value)}"
            for name, value in self.facts + self.params
        )
        return f"{METHODS[self.method].title} at paper ε {number(self.budget)}{settings}"


def _value_text(value: Any) -> str:
    return value if isinstance(value, str) else number(value)


def points(
    ground: Ground, runs: Iterable[Run], metric: str, seeds: int = SEEDS
) -> dict[Run, Interval]:
    """Accuracy of each run, all computed at once."""
    return accuracies({run: _specs(ground, run, seeds) for run in runs}, metric)


def _specs(ground: Ground, run: Run, seeds: int = SEEDS) -> list[RunSpec]:
    facts = ground.material(**equal(ground, dict(run.facts))).facts
    params = run.params
    if isinstance(ground, FirstVersion) and run.method == "dppl-mean":
        params = COINPRESS + params
    budget = Budget(run.budget, "paper")
    spec = RunSpec(**facts, method=run.method, budget=budget, params=params)
    return seeded(spec, range(seeds))


def equal(ground: Ground, facts: dict[str, Any]) -> dict[str, Any]:
    """``facts`` with as many records of each class as the smallest has, where they say IR 1."""
    if facts.get("ir") != 1 or "records" in facts:
        return facts
    counts = _counts(ground.dataset)
    return facts if min(counts) == max(counts) else facts | {"records": min(counts)}


@cached(4)
def _counts(dataset: str) -> tuple[int, ...]:
    facts = Ground(dataset).material().facts
    return experiment.prepared(RunSpec(**facts, method="class-mean", budget=Budget(1.0))).counts


def equal_text(ground: Ground, runs: Iterable[Run]) -> str:
    """What IR 1 is where classes differ: a sentence with its space, or nothing."""
    for run in runs:
        facts = dict(run.facts)
        if (equalized := equal(ground, facts)) != facts:
            return f" At IR 1, each class has {equalized['records']} records."
    return ""


def higher(
    pairs: Sequence[tuple[Run, Run]], metric: str = "balanced", margin: float = 0.0
) -> Callable[[Ground], Verdict]:
    """A check that holds where the second of each pair is clearly right more often, does not where
    one of them is clearly right less often, and is undecided otherwise.

    Args:
        margin: the second may be right less often by up to this.
    """

    def check(ground: Ground) -> Verdict:
        runs = [run for pair in pairs for run in pair]
        results = points(ground, runs, metric)
        compared = compare({(a, b): (results[a], results[b]) for a, b in pairs}, -margin)
        because = _because(compared, results, metric, margin)
        return Verdict(compared.outcome, because + equal_text(ground, runs))

    return check


def best_above(
    tops: Sequence[str], rivals: Sequence[str], places: Sequence[tuple[float, tuple]], metric: str
) -> Callable[[Ground], Verdict]:
    """A check that the best of ``tops`` is above the best of ``rivals`` at each place, where Holm's
    correction covers all pairs from which the best were picked.
    """

    def check(ground: Ground) -> Verdict:
        pairs = against(tops, rivals, places)
        results = points(ground, (run for pair in pairs for run in pair), metric)
        of_place = lambda place: [p for p in pairs if (p[0].budget, p[0].facts) == place]
        picked = compare({(a, b): (results[a], results[b]) for a, b in pairs}).part(
            (best(results, (a for a, _ in group)), best(results, (b for _, b in group)))
            for group in map(of_place, places)
        )
        return Verdict(
            picked.outcome,
            f"Best of {len(tops)} prototypes against best of {len(rivals)} baselines."
            f" {_because(picked, results, metric)} Holm covers all {len(pairs)} pairs.",
        )

    return check


def lead(upper: Interval, lower: Interval) -> Interval:
    """How far ``upper`` is above ``lower``, seed by seed and record by record, as a value whose
    difference to another lead can be told.
    """
    values = [a - b for a, b in zip(upper.values, lower.values, strict=True)]
    parts = None
    if upper.parts is not None and lower.parts is not None:
        parts = upper.parts - lower.parts
    return interval(values, True, parts)


def _because(
    compared: Comparison[tuple[Run, Run]],
    results: Mapping[Run, Interval],
    metric: str,
    margin: float = 0.0,
) -> str:
    """The counts, and the pair that speaks most against the claim, or for it where none does."""
    near, far = "Clearly higher", "lower"
    if margin:
        short = f"{100 * margin:g} points lower"
        near, far = f"Clearly no more than {short}", f"more than {short}"
    signs, up, down = compared.signs, compared.up, compared.down
    worst = min(
        signs, key=lambda pair: (signs[pair], results[pair[1]].mean - results[pair[0]].mean)
    )
    return (
        f"{near} in {up} of {len(signs)} comparisons, {far} in {down}, no significant"
        f" difference in {len(signs) - up - down}. Least favorable comparison:"
        f" {pair_text(results, worst)}. {SEEDS} seeds and the test records, Holm-corrected;"
        f" {METRIC_WORDS[metric]}; {EQUAL}."
    )


def pair_text(results: Mapping[Run, Interval], pair: tuple[Run, Run]) -> str:
    """The two accuracies of a pair, the upper first."""
    return ", ".join(
        f"{run.words} has accuracy {accuracy_text(results[run])}" for run in pair[::-1]
    )


# ---------------------------------------------------------------------------------- which pairs


def combinations(budgets: Sequence[float], **facts: Any) -> list[tuple[float, tuple]]:
    """Every budget with every combination of facts, each a value or a list of them."""
    lists = {name: v if isinstance(v, list) else [v] for name, v in facts.items()}
    combined = [tuple(zip(lists, values, strict=True)) for values in product(*lists.values())]
    return [(budget, values) for budget in budgets for values in combined]


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
    against(
        ("dppl-public",),
        ("noisy-gd",),
        combinations((*LOW, *MIDDLE, *HIGH), ir=[10.0, 50.0, 100.0]),
    )
)
MEAN_BELOW_AT_LOW = higher(
    against(("dppl-public", "noisy-gd"), ("dppl-mean",), combinations(LOW, ir=50.0))
)
MEAN_ABOVE_AT_HIGH = higher(
    against(("dppl-mean",), ("dppl-public",), combinations(HIGH, ir=[10.0, 50.0]))
)
LS_WHEN_BALANCED = higher(
    against(
        ("dp-ls",), (*PROTOTYPES, "noisy-gd", "global-adapt"), combinations((*MIDDLE, 10.0), ir=1.0)
    )
)
MINORITY = best_above(PROTOTYPES, RIVALS, combinations((0.3, 1.0, *HIGH), ir=50.0), "minority")


def more_imbalance_costs(ground: Ground) -> Verdict:
    """Every method is better at IR 1 than at IR 100 with the same largest class."""
    largest = {"ir": 1.0} | equal(ground, {"ir": 1.0})
    even = tuple(sorted(largest.items()))
    uneven = tuple(sorted((largest | {"ir": 100.0}).items()))
    return higher(from_to((*PROTOTYPES, *RIVALS), MIDDLE, uneven, even))(ground)


def projection_is_worse(ground: Ground) -> Verdict:
    """DPPL-Public without a map above itself with one that is trained on public data: another map
    than the paper's, so that it cannot refute that one.
    """
    tops, mapped = ("dppl-public",), ("dppl-public-projected",)
    verdict = higher(against(tops, mapped, combinations((*MIDDLE, 10.0), ir=10.0)))(ground)
    return Verdict(
        CANNOT_TELL if verdict.outcome == DOES_NOT else verdict.outcome,
        f"{verdict.because} The map here is trained on public data and costs nothing, the paper's"
        " on private data: a gain here says nothing about the paper's map.",
    )


#: Those that the paper tries.
KS = (1, 2, 3, 5, 10, 20)
END_METHODS = ("dppl-mean", "dppl-public")
PICKED = (
    f"K is the best of {', '.join(map(str, KS))} by test accuracy at each budget; the paper picks K"
    " by training accuracy"
)


@dataclass(frozen=True)
class TopKCurves:
    """PublicK with the best K at each budget beside DPPL-Mean and DPPL-Public.

    Attributes:
        points: by method and budget, PublicK under its best K; by_k: PublicK by budget and K.
        best_k: K by budget.
        sides: at each budget whether PublicK is above (1) or below (-1) each of ENDS, corrected for
            all K.
    """

    points: Mapping[tuple[str, float], Interval]
    by_k: Mapping[tuple[float, int], Interval]
    best_k: Mapping[float, int]
    sides: Mapping[float, tuple[int, int]]

    def words(self, budget: float) -> str:
        """The three accuracies at a budget."""
        mean, public, top_k = (
            accuracy_text(point)
            for point in (self.points[key, budget] for key in (*END_METHODS, "dppl-publick"))
        )
        return (
            f"paper ε {number(budget)}: DPPL-Mean {mean}, DPPL-PublicK with K ="
            f" {self.best_k[budget]} {top_k}, DPPL-Public {public}"
        )


def several_of(ground: Ground, budgets: Sequence[float]) -> TopKCurves:
    """Run PublicK with each of KS beside ENDS at IR 10, and pick K at each budget."""
    facts = (("ir", 10.0),)
    end_runs = {(key, b): Run(key, b, facts) for key in END_METHODS for b in budgets}
    with_k = {(b, k): Run("dppl-publick", b, facts, (("k", k),)) for b in budgets for k in KS}
    results = points(ground, (*end_runs.values(), *with_k.values()), "balanced")
    signs = compare(
        {
            (b, k, key): (results[end_runs[key, b]], results[run])
            for (b, k), run in with_k.items()
            for key in END_METHODS
        }
    ).signs
    by_k = {place: results[run] for place, run in with_k.items()}
    best_k = {b: best(by_k, ((b, k) for k in KS))[1] for b in budgets}
    intervals = {place: results[run] for place, run in end_runs.items()}
    intervals |= {("dppl-publick", b): by_k[b, k] for b, k in best_k.items()}
    sides = {
        b: (signs[b, k, END_METHODS[0]], signs[b, k, END_METHODS[1]]) for b, k in best_k.items()
    }
    return TopKCurves(intervals, by_k, best_k, sides)


def several_between(ground: Ground) -> Verdict:
    """PublicK lies between DPPL-Mean and DPPL-Public: never clearly above both or below both."""
    budgets = (0.3, 1.0, 10.0)
    curves = several_of(ground, budgets)
    out = [b for b, (over_mean, over_public) in curves.sides.items() if over_mean * over_public > 0]
    between = [
        b for b, (over_mean, over_public) in curves.sides.items() if over_mean * over_public < 0
    ]
    return Verdict(
        outcome_of(len(between), len(out), len(budgets)),
        f"At IR 10, {'; '.join(map(curves.words, budgets))}; clearly between at {len(between)} of"
        f" {len(budgets)} budgets, clearly outside at {len(out)}. {PICKED} ({SEEDS} seeds and test"
        " records, Holm over all K; mean over classes).",
    )
