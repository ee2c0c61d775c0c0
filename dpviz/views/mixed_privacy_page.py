"""Sentences of the page "Mixed privacy" in plain words, and the premise on classes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from dpviz.papers import rules
from dpviz.stats import Interval
from dpviz.types import Guarantee, Result
from dpviz.views.page_as_shown import NOTHING
from dpviz.views.phrases import guess, out_of_100, untested

HOW_TO_READ = (
    "Lower is better: the lines show how many in 100 are wrong. The flat line **Only-Public**"
    " learns from the public examples alone; a line below it has gained by the private pictures."
    " Move **Public shots a class** first."
)
ERROR_TEXTS = {
    "minority": "pictures of the rare classes are mistaken",
    "balanced": "a picture of the average class is mistaken",
    "overall": "a picture is mistaken",
}


def sentence(
    errors: Mapping[str, Interval],
    lead: str,
    against_alone: int | None,
    better: str | None,
    shots: int,
    metric: str,
    guarantees: Sequence[Guarantee],
) -> str:
    """How often the lead is wrong, against public examples alone, a better private preset and the
    paragon, and what a guesser could gain.

    Args:
        errors: by preset, at the budget looked at; shots: public examples a class.
        against_alone: 1 if the lead errs less than the public examples alone, -1 if more, 0 if that
            cannot be told; None where these are not there.
        better: the private preset of least error, where it is told apart from the lead as better.
    """
    if lead not in errors:
        return NOTHING
    if not errors[lead].is_measured:
        return f"{untested()} {guess(guarantees)}."
    few = "1 public example" if shots == 1 else f"{shots} public examples"
    start = (
        f"With {few} of each class and the private pictures behind noise, {ERROR_TEXTS[metric]}"
        f" **{out_of_100(errors[lead].mean)} times in 100** ({lead})"
    )
    best = f"; {better} does better, with **{out_of_100(errors[better].mean)}**" if better else ""
    text = f"{start}{_public_only_text(errors, against_alone)}{best}{_paragon_text(errors)}"
    return f"{text}. {guess(guarantees)}."


def _public_only_text(errors: Mapping[str, Interval], sign: int | None) -> str:
    if sign is None:
        return ""
    alone_text = f"with the public examples alone **{out_of_100(errors['Only-Public'].mean)}**"
    endings = {
        1: f"; {alone_text}, so the private pictures help",
        -1: f"; {alone_text}, so the noise does more harm than the private pictures do good",
        0: f"; {alone_text}, a difference that luck alone can make",
    }
    return endings[sign]


def _paragon_text(errors: Mapping[str, Interval]) -> str:
    if "paragon" not in errors:
        return ""
    least = out_of_100(errors["paragon"].mean)
    return f"; the paragon, which learns from all of them with no noise at all, **{least}**"


FEW_CLASSES = "The paper's data have many classes; this set has {classes}."


def few_classes(runs: Iterable[Sequence[Result]]) -> str:
    """Return a sentence where the runs' data have fewer classes than the paper's; "" else."""
    counts = {len(result.scores.per_class) for results in runs for result in results[:1]}
    classes = max(counts, default=0)
    premise = rules.premises()["few-images-many-classes"]
    minimum = next(
        condition.least for condition in premise.conditions if condition.measure == "classes"
    )
    return FEW_CLASSES.format(classes=classes) if 0 < classes < minimum else ""
