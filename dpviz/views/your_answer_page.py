"""Randomised response as the page "Your own answer" shows it: what a recorded answer tells of one
person, and what a made-up crowd's recorded answers tell of all.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpviz import mechanisms, privacy
from dpviz.diagnostics import attack_bound
from dpviz.formatting import number, percent_up

HONESTIES = tuple(range(5, 100, 5))
"""Percent, from more private to more accurate."""
SHARE = 30
"""In 100, who would say yes in the made-up crowd."""
PRIOR = 0.5
"""What an onlooker thought beforehand: both answers equally likely."""
NORMAL = 1.96
"""Half-width of a 95% interval in standard deviations."""


@dataclass(frozen=True)
class CrowdQuestion:
    """A question put to a crowd.

    Attributes:
        honesty: in 100, how often the coin lets the own answer through; people: of the crowd;
        times: how often the same question is put to everybody; seed: of the crowd's coins.
    """

    honesty: int
    people: int
    times: int = 1
    seed: int = 0

    @property
    def epsilon_each(self) -> float:
        """Epsilon of one recorded answer."""
        return privacy.response_epsilon(self.honesty / 100)

    @property
    def epsilon(self) -> float:
        """Epsilon of all recorded answers of a person: they add up."""
        return self.times * self.epsilon_each

    @property
    def belief(self) -> float:
        """The most that an onlooker may come to believe of a person's own answer."""
        return privacy.belief_bound(PRIOR, self.epsilon)

    @property
    def right(self) -> float:
        """How often the best onlooker who sees all recorded answers of a person is right."""
        return attack_bound.most_right_of_responses(self.honesty / 100, self.times)

    @property
    def yes(self) -> int:
        """People of the crowd whose own answer is yes."""
        return round(self.people * SHARE / 100)


@dataclass(frozen=True)
class Estimate:
    """What recorded answers tell: the share of yes among them, the estimate of the share among the
    own answers, and the half-width of its 95% interval.
    """

    recorded: float
    share: float
    half: float


def estimate(question: CrowdQuestion, honesty: int | None = None) -> Estimate:
    """From the made-up crowd's recorded answers, at the honesty asked for or another.

    The recorded share is h share + (1 - h) / 2 on average. Of this crowd only the coins vary:
    a recorded answer's variance is (1 - h^2) / 4, whatever the own answer is.
    """
    h = (question.honesty if honesty is None else honesty) / 100
    own = np.tile(np.arange(question.people) < question.yes, question.times)
    recorded = float(mechanisms.randomised_response(own, h, question.seed).mean())
    half = NORMAL * math.sqrt((1 - h * h) / 4 / own.size) / h
    return Estimate(recorded, (recorded - (1 - h) / 2) / h, half)


# ----------------------------------------------------------------------------------------- in words


def precise(question: CrowdQuestion, result: Estimate) -> str:
    """The answer of the page with its symbols, in Markdown."""
    many = (
        f", and {question.times} of them {number(question.epsilon)}-DP"
        if question.times > 1
        else ""
    )
    return (
        f"With honesty h = {question.honesty / 100:g} each recorded answer is"
        f" **{number(question.epsilon_each)}-DP**{many} (δ = 0): the odds of either answer move"
        f" by a factor e^ε = {number(math.exp(question.epsilon))} at most, from even odds to"
        f" {100 * question.belief:.1f}%; on average the best onlooker is right"
        f" {100 * question.right:.1f}% of the time. From N ="
        f" {question.people * question.times:,} recorded answers of the"
        f" made-up crowd the share of yes is estimated at **{100 * result.share:.1f}%"
        f" ± {100 * result.half:.1f}** (95%, of the coins alone); it is"
        f" {100 * question.yes / question.people:.1f}%."
    )


def plain(question: CrowdQuestion, result: Estimate) -> str:
    """The answer of the page in whole numbers, in Markdown."""
    sees = "a recorded answer" if question.times == 1 else f"all {question.times} recorded answers"
    return (
        f"Your own answer gets through {question.honesty} times in 100; otherwise a coin answers"
        f" for you. Someone who sees {sees} and knew nothing before guesses yours rightly"
        f" **{success_limit(question.right)}**; who sees nothing, 50 times. And yet a crowd of"
        f" {question.people:,} tells how many say yes: about"
        f" **{min(100, max(0, round(100 * result.share)))} in 100**, give or take"
        f" {max(1, round(100 * result.half))}. Really it is {SHARE}; the crowd is made up."
    )


def success_limit(share: float) -> str:
    """How often anyone can be right, rounded up, since it is the most."""
    up = percent_up(share, places=0)
    return f"at most {up} times in 100" if up.isdigit() else "nearly always"


ANATOMY = """
**The mechanism** (Warner 1965, in the form with two coins): with chance *h* your own answer is \
recorded, otherwise that of a fair coin. So the truth is recorded with chance (1 + *h*)/2, its \
opposite with (1 − *h*)/2, and

ε = ln( (1 + *h*) / (1 − *h*) ), exactly, with δ = 0.

**Whose promise it is**: yours, about one answer. Neighbours: your answer is replaced by the \
other. The coin falls on your device before anything leaves it (*local* privacy), so nobody has \
to be trusted. The other pages of this site add noise after all data have been brought together, \
which needs someone whom all trust and far less noise.

**What an onlooker may believe**: the odds of your answer grow by e^ε at most, whatever they were \
before and whatever else is known. Recorded answers to the same question add up: *k* of them are \
*k*·ε, which is reached where all *k* agree. They do not always: for even odds the best onlooker \
goes by the majority of *k* answers, each of them true with *p* = (1 + *h*)/2, and is right with \
chance P(Binomial(*k*, *p*) > *k*/2), a tie counted half.

**The estimate**: the recorded share of yes is on average *h*·share + (1 − *h*)/2; solved for the \
share. Its variance over the coins of this crowd is (1 − *h*²)/(4 *h*² *N*), exactly; the band is \
1.96 times its root. It may lie below 0: noise does not know what a share is.

**What is simulated**: the crowd. Nobody was asked; it has a known share so that you can see how \
far the estimate is off. Its coins come from the seed. The coin for your own answer falls in your \
browser, from the browser's source of randomness for keys, and is not sent.
"""
