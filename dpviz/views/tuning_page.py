"""Sentences of the page "Tuning" in plain words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from dpviz.diagnostics import attack_bound
from dpviz.run.tuning import Tuned
from dpviz.run.tuning_again import Merit
from dpviz.types import Guarantee
from dpviz.views.phrases import group_text, guess, out_of_100, subject_text, times, upper_bound_text

HOW_TO_READ = (
    "Each mark is one try: the same method, other settings, other noise. The line is the best so"
    " far, which can only rise. Move **Trials** first: more tries, a luckier best, a higher price."
)

PRIVATE = (
    "These limits do not cover the scores, since the rare classes are found by private counts."
)


def sentence(study: Tuned, merit: Merit | None, rare: Sequence[str] = ()) -> str:
    """The best of all tries, how much of it was luck, and what the looking leaves to a guesser.

    Args:
        merit: of the winner on fresh noise; None where that is not shown.
        rare: names of the classes that a score by the minority counts.
    """
    if study.best is None:
        return "No try gave a result, so there is nothing to show."
    search, best = study.search, study.trials[study.best]
    many = "a secret number of" if study.costs.holds else str(len(study.trials))
    won = (
        f"In the best of {many} tries, each with other settings, {group_text(search.metric, rare)}"
        f" {times(best.score)}."
    )
    return " ".join([won, *([_worth(merit)] if merit else []), _price(study, best.guarantee)])


def _worth(merit: Merit) -> str:
    """What the winner gives on other noise, against the settings that nobody chose by looking."""
    rerun_text = f"Run {merit.winner.runs} times more with other noise, the same settings give"
    usual = out_of_100(merit.default.mean)
    chance_text = ": the best was partly luck" if merit.lucky else ""
    endings = {
        1: f"more than the usual settings' **{usual}**, on the test pictures that the search chose"
        " by; on others it may be less",
        -1: f"and the usual settings, chosen without looking, give more: **{usual}**",
        0: f"and the usual settings, chosen without looking, give **{usual}**, which cannot be told"
        " apart",
    }
    return f"{rerun_text} **{out_of_100(merit.winner.mean)}**{chance_text}; {endings[merit.sign]}."


def _price(study: Tuned, guarantee: Guarantee) -> str:
    """What a guesser could gain after one run, and after all that was looked at."""
    subject = subject_text(guarantee)
    if guarantee.value == math.inf:
        return f"{guess([guarantee])}."
    first, limit_after = (
        upper_bound_text(right)
        for right in (attack_bound.success_bound(guarantee), _success_limit(study, guarantee))
    )
    shown_text = "the best of them alone" if study.costs.holds else "all of them"
    often = f"at most **{first} times in 100**" if first.isdigit() else "**nearly every time**"
    private = f" {PRIVATE}" if study.search.scores_privately else ""
    return (
        f"One try lets someone for whom it was a coin toss whether {subject} be right {often};"
        f" showing {shown_text},"
        f" **{limit_after if limit_after.isdigit() else 'nearly every time'}**.{private}"
    )


def _success_limit(study: Tuned, guarantee: Guarantee) -> float:
    """How often a guesser can be right after all that was looked at: the least of what holds.

    The zCDP of all trials adds up, and so do the squared mu where all are Gaussian.
    """
    cost = replace(guarantee, notion="approx", value=study.cost)
    if study.costs.holds or study.cost == math.inf:
        return attack_bound.success_bound(cost)
    guarantees = [trial.guarantee for trial in study.trials]
    holds = [
        cost,
        replace(
            guarantee, notion="zcdp", value=math.fsum(guarantee.rho for guarantee in guarantees)
        ),
    ]
    if all(guarantee.notion == "gdp" for guarantee in guarantees):
        holds.append(
            replace(
                guarantee,
                notion="gdp",
                value=math.hypot(*(guarantee.value for guarantee in guarantees)),
            )
        )
    return min(map(attack_bound.success_bound, holds))
