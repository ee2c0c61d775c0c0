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
from dpviz.formatting import number, percent, spread
from dpviz.methods import METHODS, adamix
from dpviz.methods.adamix_presets import PRESETS
from dpviz.papers import rules
from dpviz.papers.checks.margins import NEARLY, in_points, nearly, outcome_of, raised, tally
from dpviz.papers.model import NOT_TRIED, Ground, Verdict
from dpviz.run import experiment
from dpviz.stats import Interval, accuracy, difference, signs
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
    "Seeds and test records together, paired, Holm; (ε, 1e-5)-DP, error, mean over classes,"
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
        alone = ("public_use", "none") in self.params
        settings = [(n, v) for n, v in self.params + self.facts if not (alone and n == "shots")]
        more = "".join(f", {_setting_text(name, value)}" for name, value in settings)
        more += "" if self.rate == 1 else f", η = {number(self.rate * adamix.LR.default)}"
        return f"{self.preset}{'' if self.level else f' at ε {number(self.budget)}'}{more}"


SETTING_TEXTS = {
    "shots": "{} public shots a class",
    "records": "{} private records a class",
    "sigma": "σ {}",
    "max_steps": "up to {} steps",
    "weight_decay": "decay {}",
    "beta": "β {}",
    "clip": "threshold {}",
    "distance": "D {}",
    "encoder": "on {}",
    "public": "public pictures {}",
}
#: Settings in words; others by their names.
VALUE_TEXTS = {
    ("public_use", "none"): "no public pictures",
    ("clip_mode", "adaptive"): "threshold by percentile",
    ("clip_mode", "mean-gradient"): "threshold by the average gradient",
    ("clip_mode", "fixed"): "fixed threshold",
    ("centre", "init"): "decay towards the start",
    ("init", "few-shot"): "start trained on shots",
    ("init", "label-prototypes"): "start from means of shots",
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
    each = {run: specs(ground, run, seeds) for run in dict.fromkeys(runs)}
    results = iter(experiment.sweep([spec for run_specs in each.values() for spec in run_specs]))
    intervals = {}
    for run, run_specs in each.items():
        own = list(itertools.islice(results, len(run_specs)))
        if ground.draws > 1:
            intervals[run] = accuracy(own, "balanced").wrong
        else:  # public shots vary from seed to seed, where noise does not
            intervals[run] = preset_comparison.error(own, "balanced")
    return intervals


def best_rates(ground: Ground, runs: Iterable[Run]) -> dict[Run, Run]:
    """Each run at that of ``RATES`` at which it errs least on another data set, with other seeds; a
    run whose steps are a theorem's has no rate.
    """
    every = list(dict.fromkeys(runs))
    candidates = {
        run: [dataclasses.replace(run, rate=rate) for rate in RATES]
        for run in every
        if dict(run.params).get("step_size") != adamix.THEOREM["step_size"]
    }
    other = Ground(CHOSEN_ON[ground.dataset])
    results = errors(other, itertools.chain(*candidates.values()), CHOOSING)
    chosen = {
        run: min(options, key=lambda one: results[one].mean) for run, options in candidates.items()
    }
    return {run: chosen.get(run, run) for run in every}


def errs_less(pairs: Pairs, rated: bool = False) -> Callable[[Ground], Verdict]:
    """A check that holds where the first of each pair clearly errs less, does not where one of them
    clearly errs more, and cannot be told else; ``rated``: each at its best learning rate.
    """

    def check(ground: Ground) -> Verdict:
        best = best_rates(ground, itertools.chain(*pairs)) if rated else {}
        chosen = [(best.get(one, one), best.get(other, other)) for one, other in pairs]
        results = errors(ground, itertools.chain(*chosen))
        more = RATED.format(dataset=CHOSEN_ON[ground.dataset]) if rated else ONE_RATE
        return errs_less_verdict(chosen, results, more)

    return check


RATED = (
    f" Each at the best of the paper's learning rates {', '.join(map(number, adamix.RATES))} on"
    f" the data set {{dataset}}, by {len(CHOOSING)} seeds. That choice reads no record of this data"
    " set, so it costs no budget."
)


def errs_less_verdict(
    pairs: Pairs, results: Mapping[Run, Interval], more: str = ONE_RATE
) -> Verdict:
    """The verdict of ``less`` on errors that are there."""
    directions = preset_comparison.orders(
        {pair: (results[pair[0]], results[pair[1]]) for pair in pairs}
    )
    down, up = tally(directions)
    leads = {p: preset_comparison.gain(results[p[0]], results[p[1]]) for p in pairs}
    worst = min(pairs, key=lambda pair: (directions[pair], leads[pair]))
    least = "" if len(pairs) == 1 else "the least favourable: "
    return Verdict(
        outcome_of(down, up, len(pairs)),
        f"Clearly less error in {down} of {len(pairs)} comparisons, more in {up}, within noise"
        f" in {len(pairs) - up - down}{among(len(pairs))};"
        f" {least}{difference_text(worst, results)}. {SETTINGS}{more}",
    )


def among(many: int) -> str:
    """Of how many comparisons each is told: the more, the clearer each must be."""
    return f" (told among {many}, Holm)" if many > 1 else ""


def difference_text(pair: Pair, results: Mapping[Run, Interval]) -> str:
    """Both errors, and the difference with its own 95 % interval."""
    one, other = (results[run] for run in pair)
    gap = difference(one, other, paired=True)
    return f"{error_text(pair[0], one)} and {error_text(pair[1], other)}, {in_points(gap)}"


def error_text(run: Run, error: Interval) -> str:
    """Such as ``AdaMix at ε 3 errs on 9 % (8–10 %)``."""
    return f"{run.words} errs on {percent(error)} ({spread(error)})"


def at_most(pairs: Pairs) -> Callable[[Ground], Verdict]:
    """A check that holds where the second of each pair clearly errs at most ``nearly`` more than
    the first, does not where one clearly errs more than that more, and cannot be told else. Not
    tried where the ceiling on steps cuts a run.
    """

    def check(ground: Ground) -> Verdict:
        runs = list(dict.fromkeys(itertools.chain(*pairs)))
        cut = "".join(_cut(run) for run in runs)
        return (
            Verdict(NOT_TRIED, NO_LIMIT + cut)
            if cut
            else at_most_verdict(pairs, errors(ground, runs))
        )

    return check


NO_LIMIT = "The paper gives no ε at which the limit is reached, and no margin."
CUT = " {run}: the budget pays for {wanted:,} steps; the ceiling is {most:,}, which is another run."


def _cut(run: Run) -> str:
    """A sentence for a run that would take fewer steps than its budget pays for."""
    preset, budget = PRESETS[run.preset], Budget(run.budget)
    params = METHODS[preset.method].check(dict(preset.params) | dict(run.params))
    if "max_steps" not in params or not adamix.capped(budget, params):
        return ""
    steps = adamix.steps(privacy.mu_for(budget), params["sigma"])
    return CUT.format(run=run.words, wanted=steps, most=params["max_steps"])


def at_most_verdict(pairs: Pairs, results: Mapping[Run, Interval]) -> Verdict:
    """The verdict of ``at_most`` on errors that are there."""
    both = {pair: (results[pair[0]], results[pair[1]]) for pair in pairs}
    directions = signs({p: (raised(a, nearly(a, b)), b) for p, (a, b) in both.items()}, paired=True)
    beyond, inside = tally(directions)
    listed = [pair for i, pair in enumerate(pairs) if pair[::-1] not in pairs[:i]]
    each = "; ".join(difference_text(pair, results) for pair in listed)
    return Verdict(
        outcome_of(inside, beyond, len(pairs)),
        f"{each}. {NEARLY}. {AT_ONE_RATE}",
    )


def at_budgets(
    one: str, others: Sequence[str], budgets: Sequence[float] = BUDGETS
) -> Callable[[Ground], Verdict]:
    """A preset errs less than each of the others at each budget."""
    return errs_less([(Run(one, b), Run(other, b)) for b in budgets for other in others])


def setting_helps(
    one: Mapping[str, Any],
    other: Mapping[str, Any],
    preset: str = "AdaMix",
    rated: bool = False,
) -> Callable[[Ground], Verdict]:
    """A preset with some settings errs less than with others, at each budget."""
    first, second = tuple(one.items()), tuple(other.items())
    return errs_less([(Run(preset, b, first), Run(preset, b, second)) for b in BUDGETS], rated)
