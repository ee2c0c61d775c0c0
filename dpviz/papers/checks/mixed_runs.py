"""What all tries of the AdaMix paper's curves share: runs by preset, and verdicts on their errors.

Public shots are held aside from the private set, as in the paper, unless a claim is about another
public set; Omniglot has public drawers of its own. A seed draws noise and shots. Differences are
tested with seeds and test records together, paired, all differences of one claim at once (Holm).
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dpviz import privacy
from dpviz.data.data_set_table import HELD_ASIDE
from dpviz.diagnostics import preset_comparison
from dpviz.formatting import number
from dpviz.methods import METHODS, adamix
from dpviz.methods.adamix_presets import PRESETS
from dpviz.papers import rules
from dpviz.papers.checks.comparisons import (
    NEARLY,
    accuracy_text,
    compare,
    exact_points_text,
    nearly,
    raised,
    results_of,
)
from dpviz.papers.model import NOT_TRIED, Ground, Verdict
from dpviz.stats import Interval, accuracy, difference
from dpviz.types import Budget, RunSpec

SEEDS, SHOTS = rules.protocol("mixed").seeds, 2
#: Public sets of data sets whose shots are not held aside.
PUBLIC = {"omniglot-60": "omniglot-public"}
#: Public shots per class where they are not SHOTS.
SHOTS_ON = {"omniglot-60": 3}
#: Rank P for many classes, chosen on 59 characters of Omniglot outside ``omniglot-60``.
MANY_CLASSES_RANK = 30
#: Rank P where it is not the default.
RANK_ON = {"omniglot-60": MANY_CLASSES_RANK}
#: Seeds by which a learning rate is chosen, none of them among those that are compared.
CHOOSING = (SEEDS, SEEDS + 1)
#: The data set on which a learning rate is chosen for each one that is compared.
CHOSEN_ON = {"mnist5k": "clothes", "clothes": "mnist5k", "omniglot-60": "mnist5k"}
#: The paper's learning rates, as multiples of the default.
RATES = tuple(rate / adamix.LR.default for rate in adamix.RATES)
#: Those of the paper's table.
BUDGETS = (1.0, 3.0)
SHOTS_AND_RANK = (
    f"{SHOTS} public images per class and P = {adamix.RANK.default:g} unless stated"
    f" ({SHOTS_ON['omniglot-60']} and {RANK_ON['omniglot-60']} on Omniglot)"
)
SETTINGS = (
    "Paired over seeds and test records, Holm-corrected; (ε, 1e-5)-DP; error, mean over classes;"
    f" {SHOTS_AND_RANK}."
)
ONE_RATE = (
    f" All run at η = {adamix.LR.default:g}; the paper takes the best of"
    f" {len(adamix.RATES)} rates at each ε."
)
AT_ONE_RATE = SETTINGS + ONE_RATE


@dataclass(frozen=True)
class Run:
    """A preset at a budget, with settings and facts of the data that differ, and times its own
    learning rate.
    """

    preset: str
    budget: float = 3.0
    params: tuple[tuple[str, Any], ...] = ()
    facts: tuple[tuple[str, Any], ...] = ()
    rate: float = 1.0

    @property
    def level(self) -> bool:
        """Whether no noise is drawn."""
        return self.preset in preset_comparison.LEVELS or math.isinf(self.budget)

    @property
    def words(self) -> str:
        """Such as ``AdaMix at ε 3, σ 5``."""
        no_public = ("public_use", "none") in self.params
        settings = [(n, v) for n, v in self.params + self.facts if not (no_public and n == "shots")]
        settings_text = "".join(f", {_setting_text(name, value)}" for name, value in settings)
        settings_text += "" if self.rate == 1 else f", η = {number(self.rate * adamix.LR.default)}"
        return f"{self.preset}{'' if self.level else f' at ε {number(self.budget)}'}{settings_text}"


SETTING_TEXTS = {
    "shots": "{} public examples per class",
    "records": "{} private records per class",
    "sigma": "σ {}",
    "max_steps": "up to {} steps",
    "weight_decay": "decay {}",
    "beta": "β {}",
    "clip": "threshold {}",
    "distance": "D {}",
    "encoder": "on {}",
    "public": "public set {}",
}
#: Settings in words; others by their names.
VALUE_TEXTS = {
    ("public_use", "none"): "no public images",
    ("clip_mode", "adaptive"): "threshold by percentile",
    ("clip_mode", "mean-gradient"): "threshold by the average gradient",
    ("clip_mode", "fixed"): "fixed threshold",
    ("centre", "init"): "decay toward the start",
    ("init", "few-shot"): "start trained on public examples",
    ("init", "label-prototypes"): "start from means of public examples",
    ("init", "class-names"): "start from class names",
    ("init", "none"): "start from zero",
    ("rank", 0): "no projection",
    ("step_size", "theorem-3"): "steps of Theorem 3",
    ("iterate", "averaged"): "averaged head",
}


def _setting_text(name: str, value: Any) -> str:
    """Such as ``σ 5``."""
    if (name, value) in VALUE_TEXTS:
        return VALUE_TEXTS[name, value]
    text = number(value) if isinstance(value, int | float) else value
    return SETTING_TEXTS.get(name, f"{name.replace('_', ' ')} {{}}").format(text)


Pair = tuple[Run, Run]
Pairs = Sequence[Pair]


def specs(ground: Ground, run: Run, seeds: Sequence[int] | None = None) -> list[RunSpec]:
    """A run's spec for each data draw and seed; without ``seeds``, the ground's."""
    preset = PRESETS[run.preset]
    budget = Budget(math.inf if run.level else run.budget)
    params, specs_of_run = dict(run.params), []
    shots = params.pop("shots", SHOTS_ON.get(ground.dataset, SHOTS))
    changes = {"rank": RANK_ON[ground.dataset]} if ground.dataset in RANK_ON else {}
    for draw, seed in itertools.product(range(ground.draws), seeds or range(ground.seeds)):
        own = {"public": PUBLIC.get(ground.dataset, HELD_ASIDE), "draw": draw}
        facts = ground.material(**own | dict(run.facts)).facts
        settings = preset_comparison.settings(
            preset, changes, run.rate, shots, seed, facts["public"]
        )
        specs_of_run.append(
            RunSpec(
                **facts,
                method=preset.method,
                budget=budget,
                params=tuple((settings | params).items()),
                seed=seed,
            )
        )
    return specs_of_run


def errors(
    ground: Ground, runs: Iterable[Run], seeds: Sequence[int] | None = None
) -> dict[Run, Interval]:
    """Test error of each run over classes, all computed at once."""
    results = results_of({run: specs(ground, run, seeds) for run in runs})
    if ground.draws > 1:
        return {run: accuracy(own, "balanced").wrong for run, own in results.items()}
    # public shots vary from seed to seed, where noise does not
    return {run: preset_comparison.error(own, "balanced") for run, own in results.items()}


def best_rates(ground: Ground, runs: Iterable[Run]) -> dict[Run, Run]:
    """Each run at that of ``RATES`` at which it errs least on another data set, with other seeds; a
    run whose steps are a theorem's has no rate.
    """
    distinct = list(dict.fromkeys(runs))
    candidates = {
        run: [dataclasses.replace(run, rate=rate) for rate in RATES]
        for run in distinct
        if dict(run.params).get("step_size") != adamix.THEOREM["step_size"]
    }
    results = errors(
        Ground(CHOSEN_ON[ground.dataset]), itertools.chain(*candidates.values()), CHOOSING
    )
    chosen = {
        run: min(options, key=lambda option: results[option].mean)
        for run, options in candidates.items()
    }
    return {run: chosen.get(run, run) for run in distinct}


def less_error(pairs: Pairs, rated: bool = False) -> Callable[[Ground], Verdict]:
    """A check that holds where the first of each pair clearly errs less, does not where one of them
    clearly errs more, and is undecided otherwise; ``rated``: each at its best learning rate.
    """

    def check(ground: Ground) -> Verdict:
        best = best_rates(ground, itertools.chain(*pairs)) if rated else {}
        chosen = [(best.get(first, first), best.get(second, second)) for first, second in pairs]
        results = errors(ground, itertools.chain(*chosen))
        rate_text = BEST_RATES.format(dataset=CHOSEN_ON[ground.dataset]) if rated else ONE_RATE
        return less_error_verdict(chosen, results, rate_text)

    return check


BEST_RATES = (
    f" Each at the best of the paper's learning rates {', '.join(map(number, adamix.RATES))} on"
    f" the data set {{dataset}}, by {len(CHOOSING)} seeds. That choice reads no record of this data"
    " set, so it costs no budget."
)


def less_error_verdict(
    pairs: Pairs, results: Mapping[Run, Interval], rate_text: str = ONE_RATE
) -> Verdict:
    """The verdict of ``less_error`` on computed errors."""
    compared = compare({(a, b): (results[a], results[b]) for a, b in pairs}, paired=True)
    lower, higher, count = compared.up, compared.down, len(pairs)
    leads = {p: preset_comparison.gain(results[p[0]], results[p[1]]) for p in pairs}
    worst = min(pairs, key=lambda pair: (compared.signs[pair], leads[pair]))
    holm, intro = (
        (f" ({count} comparisons, Holm-corrected)", "Least favorable comparison: ")
        if count > 1
        else ("", "")
    )
    return Verdict(
        compared.outcome,
        f"Clearly less error in {lower} of {count} comparisons, more in {higher}, no significant"
        f" difference in {count - lower - higher}{holm}. {intro}{difference_text(worst, results)}."
        f" {SETTINGS}{rate_text}",
    )


def difference_text(pair: Pair, results: Mapping[Run, Interval]) -> str:
    """Both errors, and the difference with its own 95% interval."""
    gap = difference(results[pair[0]], results[pair[1]], paired=True)
    errors = " and ".join(error_text(run, results[run]) for run in pair)
    return f"{errors}, {exact_points_text(gap)}"


def error_text(run: Run, error: Interval) -> str:
    """Such as ``AdaMix at ε 3 errs on 9% (8–10%)``."""
    return f"{run.words} has error {accuracy_text(error)}"


def at_most(pairs: Pairs) -> Callable[[Ground], Verdict]:
    """A check that holds where the second of each pair clearly errs at most ``nearly`` more than
    the first, does not where one clearly errs more than that more, and is undecided otherwise. Not
    tried where the ceiling on steps cuts a run.
    """

    def check(ground: Ground) -> Verdict:
        runs = list(dict.fromkeys(itertools.chain(*pairs)))
        if ceilings := "".join(_ceiling_text(run) for run in runs):
            return Verdict(NOT_TRIED, NO_LIMIT + ceilings)
        return at_most_verdict(pairs, errors(ground, runs))

    return check


NO_LIMIT = "The paper gives no ε at which the limit is reached, and no margin."
CEILING = (
    " {run}: the budget covers {wanted:,} steps, but the limit is {max_steps:,}, so the run would"
    " be a different one."
)


def _ceiling_text(run: Run) -> str:
    """A sentence for a run that would take fewer steps than its budget pays for."""
    preset, budget = PRESETS[run.preset], Budget(run.budget)
    params = METHODS[preset.method].check(dict(preset.params) | dict(run.params))
    if "max_steps" not in params or not adamix.capped(budget, params):
        return ""
    steps = adamix.steps(privacy.mu_for(budget), params["sigma"])
    return CEILING.format(run=run.words, wanted=steps, max_steps=params["max_steps"])


def at_most_verdict(pairs: Pairs, results: Mapping[Run, Interval]) -> Verdict:
    """The verdict of ``at_most`` on computed errors."""
    errors = {pair: (results[pair[0]], results[pair[1]]) for pair in pairs}
    compared = compare(
        {p: (b, raised(a, nearly(a, b))) for p, (a, b) in errors.items()}, paired=True
    )
    distinct = [pair for i, pair in enumerate(pairs) if pair[::-1] not in pairs[:i]]
    texts = "; ".join(difference_text(pair, results) for pair in distinct)
    return Verdict(compared.outcome, f"{texts}. {NEARLY}. {AT_ONE_RATE}")


def at_budgets(
    preset: str, rivals: Sequence[str], budgets: Sequence[float] = BUDGETS
) -> Callable[[Ground], Verdict]:
    """A preset errs less than each of its rivals at each budget."""
    return less_error([(Run(preset, b), Run(rival, b)) for b in budgets for rival in rivals])


def setting_helps(
    better: Mapping[str, Any],
    worse: Mapping[str, Any],
    preset: str = "AdaMix",
    rated: bool = False,
) -> Callable[[Ground], Verdict]:
    """A preset errs less with some settings than with others, at each budget."""
    first, second = tuple(better.items()), tuple(worse.items())
    return less_error([(Run(preset, b, first), Run(preset, b, second)) for b in BUDGETS], rated)
