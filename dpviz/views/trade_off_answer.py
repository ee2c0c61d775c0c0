"""The answer of the page Trade-off: one sentence on the cost of privacy, one on public data alone,
which comes first where no private method is significantly better, one at equal leakage.

Every sentence is a whole template. Precise templates give percent, plain ones natural frequencies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from dpviz.data import public_labels
from dpviz.formatting import budget_text, percent, percent_up, subset
from dpviz.methods import METHODS
from dpviz.plots.budget_curves import BudgetCurve
from dpviz.stats import Interval, best
from dpviz.types import DataConfig
from dpviz.views import public_only
from dpviz.views.accuracy_sentence import RIVAL, guesses, title_in_sentence
from dpviz.views.equal_leakage import EqualLeakage
from dpviz.views.natural_frequencies import class_list as listed_classes
from dpviz.views.natural_frequencies import out_of_100, untested

CHOOSE = "Choose a private method to see what its privacy costs."


@dataclass(frozen=True)
class Templates:
    """Templates of one level of detail."""

    cost: str
    cost_alone: str
    guessing: str
    public: public_only.Templates
    equal_apart: str
    equal_alike: str
    single_seed: str
    rival_less: str
    rival_alike: str


PRECISE = Templates(
    cost=(
        "At {data} and {budget}, {method} classifies **{private}** of {whom} correctly; without"
        " noise it would be **{quiet}**."
    ),
    cost_alone="At {data} and {budget}, {method} classifies **{private}** of {whom} correctly.",
    guessing=(
        "At {data} and {budget}, {method} classifies **{private}** of {whom} correctly, not clearly"
        " more than guessing ({chance})."
    ),
    public=public_only.ACCURACY,
    equal_apart=(
        "At equal leakage (attacker's best guess {guess}), {first} reaches **{high}** and {second}"
        " **{low}**, significantly less."
    ),
    equal_alike=(
        "At equal leakage (attacker's best guess {guess}), {first} (**{high}**) and {second}"
        " (**{low}**) are not significantly different."
    ),
    single_seed=(
        "At equal leakage (attacker's best guess {guess}), {first} reaches **{high}** and {second}"
        " **{low}**. One seed cannot tell whether they differ."
    ),
    rival_less="At the same leakage, {second} reaches **{low}**, significantly less.",
    rival_alike="At the same leakage, {second} reaches **{low}**, not significantly different.",
)
PLAIN = Templates(
    cost=(
        "At this privacy setting, {method} recognizes **{private} of 100** {whom}. Without noise it"
        " would be **{quiet}**."
    ),
    cost_alone="At this privacy setting, {method} recognizes **{private} of 100** {whom}.",
    guessing=(
        "At this privacy setting, {method} recognizes **{private} of 100** {whom}. That is not"
        " clearly better than guessing ({chance})."
    ),
    public=public_only.PLAIN,
    equal_apart=(
        "At equal leakage (an attacker guesses right at most {guess} times in 100), {first}"
        " recognizes **{high}** and {second} **{low}**, clearly fewer."
    ),
    equal_alike=(
        "At equal leakage (an attacker guesses right at most {guess} times in 100), {first}"
        " (**{high}**) and {second} (**{low}**) do not clearly differ."
    ),
    single_seed=(
        "At equal leakage (an attacker guesses right at most {guess} times in 100), {first}"
        " recognizes **{high}** and {second} **{low}**. One try each cannot tell whether they"
        " differ."
    ),
    rival_less="At the same leakage, {second} recognizes **{low}**, clearly fewer.",
    rival_alike="At the same leakage, {second} recognizes **{low}**, no clear difference.",
)


def precise(
    curve: BudgetCurve,
    of: DataConfig,
    now: float,
    rare: Sequence[str],
    equal: EqualLeakage | None = None,
) -> str:
    """The answer in Markdown, in percent.

    Args:
        rare: names of the smallest classes, none where all have the same size; equal: the
            comparison at equal leakage, where it is known.
    """
    return _answer(PRECISE, percent, curve, of, now, rare, equal)


def plain(
    curve: BudgetCurve,
    of: DataConfig,
    now: float,
    rare: Sequence[str],
    equal: EqualLeakage | None = None,
) -> str:
    """As ``precise``, in natural frequencies."""
    return _answer(PLAIN, lambda point: out_of_100(point.mean), curve, of, now, rare, equal)


Shown = Callable[[Interval], str]
"""An accuracy in the words of a level of detail."""


def _answer(
    voice: Templates,
    shown: Shown,
    curve: BudgetCurve,
    of: DataConfig,
    now: float,
    rare: Sequence[str],
    equal: EqualLeakage | None,
) -> str:
    points = curve.at(now)
    if not points:
        return CHOOSE
    if not any(point.known for point in points.values()):
        return untested(rare) if voice is PLAIN else untested()
    top, _ = best(points)
    cost = _cost(voice, shown, curve, of, now, top, rare)
    both = _with_public(voice, cost, curve, of, now, rare)
    return " ".join(filter(None, (*both, _equal(voice, shown, equal, points))))


def _with_public(
    voice: Templates,
    cost: str,
    curve: BudgetCurve,
    of: DataConfig,
    now: float,
    rare: Sequence[str],
) -> tuple[str, ...]:
    """The sentence on the cost of privacy and that on public data alone, which comes first where no
    private method is significantly better, and says so where there is no such result.
    """
    public, points = public_alone(curve), curve.at(now)
    if public is None and not public_labels.shared(of):
        return public_only.NONE.format(what="image" if of.encoder else "record"), cost
    whose = whom(curve.metric, rare, of)
    first, sentence = public_only.placed(points, public, voice.public, whose)
    return (sentence, cost) if first else (cost, sentence)


def _cost(
    voice: Templates,
    shown: Shown,
    curve: BudgetCurve,
    of: DataConfig,
    now: float,
    top: str,
    rare: Sequence[str],
) -> str:
    point, quiet = curve.at(now)[top], curve.without_noise(top)
    template = voice.cost if quiet else voice.cost_alone
    if guesses([point], curve.chance):
        template = voice.guessing
    return template.format(
        budget=budget_text(curve.budget.at(now)),
        method=title_in_sentence(METHODS[top].title),
        private=shown(point),
        quiet=quiet and shown(quiet),
        whom=whom(curve.metric, rare, of),
        data=subset(of),
        chance=f"{100 * curve.chance:.0f}{'' if voice is PLAIN else ' %'}",
    )


def public_alone(curve: BudgetCurve) -> Interval | None:
    """Accuracy of public data alone, where the chart has it."""
    return next(
        (line.points[0] for line in curve.references if line.method == public_only.KEY), None
    )


def _equal(
    voice: Templates, shown: Shown, equal: EqualLeakage | None, points: Mapping[str, Interval]
) -> str:
    """The best method at equal leakage against the linear probe, or against the second."""
    if equal is None:
        return ""
    top, told = best(equal.points)
    others = {key: point for key, point in equal.points.items() if key != top}
    rival = RIVAL if RIVAL in others else max(others, key=lambda key: others[key].mean)
    if all(equal.points[key] == points[key] for key in points):  # the same leakage as it is
        template = voice.rival_less if rival in told else voice.rival_alike
    else:
        template = voice.equal_apart if rival in told else voice.equal_alike
    if min(equal.points[top].runs, equal.points[rival].runs) < 2:
        template = voice.single_seed
    return template.format(
        guess=f"{percent_up(equal.share)}{'' if voice is PLAIN else ' %'}",
        first=title_in_sentence(METHODS[top].title),
        second=title_in_sentence(METHODS[rival].title),
        high=shown(equal.points[top]),
        low=shown(equal.points[rival]),
    )


def whom(metric: str, rare: Sequence[str], of: DataConfig) -> str:
    """Whose accuracy a score is: ``rare digits (3, 7 and 9)``."""
    what = "images" if of.encoder else "records"
    if metric == "minority" and rare:
        kind = "digits" if all(name.isdigit() for name in rare) else "classes"
        return f"{what} of rare {kind} ({listed_classes(rare)})"
    if metric == "minority":
        return f"test {what} of a quarter of the classes (all have the same size)"
    if metric == "balanced":
        return f"test {what} (every class counts alike)"
    return f"test {what}"
