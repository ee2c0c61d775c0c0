"""The answer of the page Trade-off: one sentence on the cost of privacy, one on public data alone,
which comes first where no private method is significantly better, one at equal leakage.

Every sentence is a whole template. Precise templates give percent, plain ones natural frequencies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.data import public_labels
from dpviz.formatting import budget_text, percent, percent_up, subset
from dpviz.methods import METHODS
from dpviz.plots.budget_curves import BudgetCurve
from dpviz.run.jobs import Group
from dpviz.stats import Interval, best
from dpviz.types import DataConfig, Result
from dpviz.views import public_only
from dpviz.views.equal_leakage import EqualLeakage
from dpviz.views.page_config import PageConfig
from dpviz.views.phrases import RIVAL, class_list, guesses, out_of_100, title_in_sentence, untested

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
    config: DataConfig,
    current: float,
    rare: Sequence[str],
    equal: EqualLeakage | None = None,
) -> str:
    """The answer in Markdown, in percent.

    Args:
        rare: names of the smallest classes, none where all have the same size; equal: the
            comparison at equal leakage, where it is known.
    """
    return _answer(PRECISE, percent, curve, config, current, rare, equal)


def plain(
    curve: BudgetCurve,
    config: DataConfig,
    current: float,
    rare: Sequence[str],
    equal: EqualLeakage | None = None,
) -> str:
    """As ``precise``, in natural frequencies."""
    return _answer(PLAIN, lambda point: out_of_100(point.mean), curve, config, current, rare, equal)


PointText = Callable[[Interval], str]
"""An accuracy in the words of a level of detail."""


def _answer(
    templates: Templates,
    shown: PointText,
    curve: BudgetCurve,
    config: DataConfig,
    current: float,
    rare: Sequence[str],
    equal: EqualLeakage | None,
) -> str:
    points = curve.points_at(current)
    if not points:
        return CHOOSE
    if not any(point.is_measured for point in points.values()):
        return untested(rare) if templates is PLAIN else untested()
    top, _ = best(points)
    cost = _cost(templates, shown, curve, config, current, top, rare)
    sentences = _with_public(templates, cost, curve, config, current, rare)
    return " ".join(filter(None, (*sentences, _equal(templates, shown, equal, points))))


def _with_public(
    templates: Templates,
    cost: str,
    curve: BudgetCurve,
    config: DataConfig,
    current: float,
    rare: Sequence[str],
) -> tuple[str, ...]:
    """The sentence on the cost of privacy and that on public data alone, which comes first where no
    private method is significantly better, and says so where there is no such result.
    """
    public, points = public_alone(curve), curve.points_at(current)
    if public is None and not public_labels.shared(config):
        return public_only.NO_LABELS.format(what="image" if config.encoder else "record"), cost
    subject = whose_images(curve.metric, rare, config)
    first, sentence = public_only.placed(points, public, templates.public, subject)
    return (sentence, cost) if first else (cost, sentence)


def _cost(
    templates: Templates,
    shown: PointText,
    curve: BudgetCurve,
    config: DataConfig,
    current: float,
    top: str,
    rare: Sequence[str],
) -> str:
    point, quiet = curve.points_at(current)[top], curve.without_noise(top)
    template = templates.cost if quiet else templates.cost_alone
    if guesses([point], curve.chance):
        template = templates.guessing
    return template.format(
        budget=budget_text(curve.budget.with_value(current)),
        method=title_in_sentence(METHODS[top].title),
        private=shown(point),
        quiet=quiet and shown(quiet),
        whom=whose_images(curve.metric, rare, config),
        data=subset(config),
        chance=f"{100 * curve.chance:.0f}{'' if templates is PLAIN else '%'}",
    )


def public_alone(curve: BudgetCurve) -> Interval | None:
    """Accuracy of public data alone, where the chart has it."""
    return next(
        (line.points[0] for line in curve.references if line.method == public_only.KEY), None
    )


def _equal(
    templates: Templates,
    shown: PointText,
    equal: EqualLeakage | None,
    points: Mapping[str, Interval],
) -> str:
    """The best method at equal leakage against the linear probe, or against the second."""
    if equal is None:
        return ""
    top, clear = best(equal.points)
    others = {key: point for key, point in equal.points.items() if key != top}
    rival = RIVAL if RIVAL in others else max(others, key=lambda key: others[key].mean)
    if all(equal.points[key] == points[key] for key in points):  # the same leakage as it is
        template = templates.rival_less if rival in clear else templates.rival_alike
    else:
        template = templates.equal_apart if rival in clear else templates.equal_alike
    if min(equal.points[top].runs, equal.points[rival].runs) < 2:
        template = templates.single_seed
    return template.format(
        guess=f"{percent_up(equal.share)}{'' if templates is PLAIN else '%'}",
        first=title_in_sentence(METHODS[top].title),
        second=title_in_sentence(METHODS[rival].title),
        high=shown(equal.points[top]),
        low=shown(equal.points[rival]),
    )


def whose_images(metric: str, rare: Sequence[str], config: DataConfig) -> str:
    """Whose accuracy a score is: ``rare digits (3, 7 and 9)``."""
    noun = "images" if config.encoder else "records"
    if metric == "minority" and rare:
        kind = "digits" if all(name.isdigit() for name in rare) else "classes"
        return f"{noun} of rare {kind} ({class_list(rare)})"
    if metric == "minority":
        return f"test {noun} of a quarter of the classes (all have the same size)"
    if metric == "balanced":
        return f"test {noun} (every class counts alike)"
    return f"test {noun}"


MIN_GAP = 0.10
"""Balanced accuracy below the relative from which on a method is badly configured."""
_LINEAR = (
    *("noisy-gd", "noisy-sgd", "objective", "adamix", "dpsgd-f", "global-adapt", "auto-clip"),
    *("scaled-probe", "dp-newton", "dp-ls", "dp-fc"),
)
_MEANS = ("dppl-mean", "dppl-mean-projected", "dppl-mean-trained", "dppl-auto")
_CHOSEN = ("dppl-public", "dppl-publick", "dppl-public-projected")
RELATIVES = (
    dict.fromkeys(_LINEAR, ("logistic",))
    | dict.fromkeys(_MEANS, ("class-mean",))
    | dict.fromkeys(_CHOSEN, ("class-mean", "public-reference"))
)
"""Non-private relatives of a method; of several the least accurate that has run counts."""
UNTUNED = (
    "**{title}** is badly configured here: without noise it reaches {own:.1f}%, {other}"
    " {best:.1f}%. Tune it before you compare."
)
TUNED = (
    "**{title}** is far below what these features allow, also with tuned settings: without noise it"
    " reaches {own:.1f}%, {other} {best:.1f}%. Do not blame privacy for this gap."
)


@dataclass(frozen=True)
class BadlyConfigured:
    """A method and its relative, with balanced accuracies from 0 to 1 without noise."""

    method: str
    accuracy: float
    relative: str
    relative_accuracy: float

    def sentence(self, tuned: bool = False) -> str:
        """The warning; tuned: the settings are tuned already."""
        return (TUNED if tuned else UNTUNED).format(
            title=METHODS[self.method].title,
            own=100 * self.accuracy,
            other=METHODS[self.relative].title,
            best=100 * self.relative_accuracy,
        )


def relative_runs(view: PageConfig) -> list[Group]:
    """Runs of the first relative of each method of a view, where no relative is drawn."""
    drawn, missing = set(view.methods), {}
    for key in view.methods:
        relatives = RELATIVES.get(key, ())
        if relatives and drawn.isdisjoint(relatives):
            missing[relatives[0]] = (view.spec(relatives[0]),)
    return list(missing.values())


def find_badly_configured(
    results: Iterable[Result], methods: Sequence[str]
) -> list[BadlyConfigured]:
    """Which of ``methods`` are badly configured, by their noiseless runs among ``results``."""
    scores: dict[str, list[float]] = {}
    for result in results:
        if not result.spec.budget.private:
            scores.setdefault(result.spec.method, []).append(result.scores.balanced)
    mean = {key: float(np.mean(accuracies)) for key, accuracies in scores.items()}
    bad = []
    for key in methods:
        relatives = [(mean[name], name) for name in RELATIVES.get(key, ()) if name in mean]
        if key in mean and relatives and mean[key] < min(relatives)[0] - MIN_GAP:
            bad.append(BadlyConfigured(key, mean[key], min(relatives)[1], min(relatives)[0]))
    return bad
