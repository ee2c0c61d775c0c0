"""Logic of the page "Your own answer": randomized response of one person and of a crowd."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpviz import mechanisms, privacy
from dpviz.diagnostics import attack_bound
from dpviz.formatting import number
from dpviz.text import your_answer as text
from dpviz.text.template import render, render_text
from dpviz.views.page_as_shown import Tile

HONESTIES = tuple(range(5, 100, 5))
"""Chances in percent that one's own answer is recorded, from more private to more accurate."""
SHARE = 30
"""Percent of the simulated crowd that would say yes."""
PRIOR = 0.5
"""An attacker's prior: both answers are equally likely."""
NORMAL = 1.96
"""Half-width of a 95% interval in standard deviations."""
CROWDS = 20
"""Other simulated crowds in the chart."""
REPEATS = (1, 2, 3, 5, 10)
"""Numbers of questions in the table."""


@dataclass(frozen=True)
class CrowdQuestion:
    """A question put to a crowd.

    Attributes:
        honesty: probability of recording the own answer, in percent; people: size of the crowd;
        times: how often everyone is asked; seed: of the crowd's coins.
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
    def rounded_epsilon(self) -> float:
        """Epsilon of all recorded answers, rounded up to three digits."""
        return _rounded_up(self.epsilon)

    @property
    def epsilon(self) -> float:
        """Epsilon of all recorded answers of a person."""
        return self.times * self.epsilon_each

    @property
    def belief(self) -> float:
        """Highest possible posterior of a person's own answer."""
        return privacy.belief_bound(PRIOR, self.epsilon)

    @property
    def right(self) -> float:
        """Success rate of the best attacker who sees all recorded answers of a person."""
        return attack_bound.most_right_of_responses(self.honesty / 100, self.times)

    @property
    def yes(self) -> int:
        """Number of people whose own answer is yes."""
        return round(self.people * SHARE / 100)


@dataclass(frozen=True)
class Estimate:
    """Recorded share of yes, estimated share of true yes, and its 95% half-width."""

    recorded: float
    share: float
    half: float


def estimate(question: CrowdQuestion, honesty: int | None = None) -> Estimate:
    """Estimate the share of yes from the crowd's recorded answers, at this or another honesty.

    The recorded share is h share + (1 - h) / 2 on average. Of this crowd only the coins vary:
    a recorded answer's variance is (1 - h^2) / 4, whatever the own answer is.
    """
    h = (question.honesty if honesty is None else honesty) / 100
    own = np.tile(np.arange(question.people) < question.yes, question.times)
    recorded = float(mechanisms.randomised_response(own, h, question.seed).mean())
    half = NORMAL * math.sqrt((1 - h * h) / 4 / own.size) / h
    return Estimate(recorded, (recorded - (1 - h) / 2) / h, half)


def other_crowds(question: CrowdQuestion, honesty: int) -> tuple[float, ...]:
    """Return the estimates from ``CROWDS`` other crowds of the same size, in increasing order.

    The number of recorded yes is binomial among those who would say yes, and among the others.
    """
    h = honesty / 100
    generator = np.random.default_rng((question.seed, honesty))
    answers = question.people * question.times
    yes = question.yes * question.times
    recorded = generator.binomial(yes, (1 + h) / 2, CROWDS)
    recorded = recorded + generator.binomial(answers - yes, (1 - h) / 2, CROWDS)
    shares = (recorded / answers - (1 - h) / 2) / h
    return tuple(sorted(map(float, shares)))


def _rounded_up(epsilon: float) -> float:
    """Return epsilon with three significant digits, rounded up."""
    places = 2 - math.floor(math.log10(epsilon))
    return math.ceil(epsilon * 10**places - 1e-9) / 10**places


# ----------------------------------------------------------------------------------------- in words


def answer(question: CrowdQuestion, result: Estimate, precise: bool) -> str:
    """Return the answer of the page in Markdown."""
    case = "once" if question.times == 1 else "several"
    estimate_text = render_text(
        text.ESTIMATE, share=f"{100 * result.share:.1f}", half=rounded_half(result)
    )
    return text.ANSWERS[case].fill(
        precise,
        guess=success_limit(question.right),
        half=rounded_half(result),
        epsilon=question.rounded_epsilon,
        answers=question.people * question.times,
        estimate=estimate_text,
    )


def tiles(question: CrowdQuestion, result: Estimate) -> list[Tile]:
    """Return what an attacker learns, the guarantee, and the error of the crowd's estimate."""
    note = text.GUARANTEE_NOTE
    if question.times > 1:
        note = render_text(text.GUARANTEE_NOTE_SEVERAL, times=question.times)
    factor = render_text(text.GUARANTEE_HELP, factor=math.exp(question.epsilon))
    people = render_text(text.ERROR_NOTE, people=question.people)
    error = render_text(text.ERROR_VALUE, half=rounded_half(result))
    return [
        Tile(
            text.GUESS,
            success_limit(question.right),
            text.GUESS_NOTE,
            text.GUESS_HELP,
            aside=text.GUESS_ASIDE,
        ),
        Tile(text.GUARANTEE, number(question.rounded_epsilon), note, factor),
        Tile(text.ERROR, error, people, text.ERROR_HELP),
    ]


def rounded_half(result: Estimate) -> str:
    """Return the half-width of the interval in points, rounded up: one decimal below 10."""
    places = 1 if result.half < 0.1 else 0
    return f"{math.ceil(100 * result.half * 10**places - 1e-9) / 10**places:.{places}f}"


def true_share(question: CrowdQuestion) -> float:
    """Return the share of the crowd whose own answer is yes."""
    return question.yes / question.people


def success_limit(share: float) -> str:
    """Return the best guess as a percentage, rounded up."""
    return render_text("{share:at_most}", share=share)


def caption(question: CrowdQuestion) -> str:
    """Return the caption of the chart."""
    if question.times == 1:
        return text.CAPTION
    return render(text.CAPTION_SEVERAL, times=question.times)


def finding(question: CrowdQuestion, result: Estimate) -> str:
    """Return the title of the chart: the error here, and at the other end of the slider."""
    here = question.honesty
    there = HONESTIES[0] if here > HONESTIES[0] else HONESTIES[-1]
    return render(
        text.FINDING,
        honesty=str(here),
        half=rounded_half(result),
        other_honesty=str(there),
        other_half=rounded_half(estimate(question, there)),
    )


def guarantee_rows(question: CrowdQuestion, result: Estimate) -> list[tuple[str, str]]:
    """Return the guarantee in full, and the recorded share."""
    facts = {
        "each": render_text(text.EPSILON, epsilon=_rounded_up(question.epsilon_each)),
        "all": render_text(text.EPSILON, epsilon=question.rounded_epsilon),
        "factor": render_text(text.FACTOR, factor=math.exp(question.epsilon)),
        "neighbors": text.NEIGHBORS,
        "unit": text.UNIT,
        "public": text.PUBLIC,
        "model": text.LOCAL,
    }
    recorded = render_text(text.RECORDED_VALUE, recorded=f"{100 * result.recorded:.1f}")
    share = min(1.0, max(0.0, result.share))
    estimated = render_text(text.SHARE_VALUE, share=share, half=rounded_half(result))
    truth = render_text(text.TRUTH_VALUE, truth=true_share(question), people=question.people)
    return [
        *((text.ROWS[name], value) for name, value in facts.items()),
        (text.RECORDED, recorded),
        (text.SHARE, estimated),
        (text.TRUTH, truth),
    ]


def repeat_rows(question: CrowdQuestion) -> list[dict[str, str]]:
    """Return the best guess and ε by the number of questions."""
    rows = []
    for times in REPEATS:
        again = CrowdQuestion(question.honesty, question.people, times)
        cells = {"times": str(times), "guess": success_limit(again.right)}
        cells["epsilon"] = number(again.rounded_epsilon)
        rows.append({text.REPEAT_COLUMNS[name]: cell for name, cell in cells.items()})
    return rows
