"""What a guarantee says about every attacker: hit rates, area under the curve, and odds in words.

The attacker may know all other records. Hypotheses are the two neighbours: the record was used, or
it was not (or, where neighbours replace a record, another of its class was used in its place). The
bound is on the chance for one record with a rule fixed beforehand; it holds for each, hence for the
average over records.

Source: Dong, Roth & Su 2019 (trade-off functions); Kairouz, Oh & Viswanath 2015 ((ε, δ)); Bun &
    Steinke 2016; Dong, Durfee & Rogers 2020, "Optimal Differential Privacy Composition for
    Exponential Mechanisms" (bounded range).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpviz import privacy
from dpviz.formatting import percent_up
from dpviz.lazy_imports import special
from dpviz.privacy.best_guess import corners, success_bound
from dpviz.privacy.trade_off import one_choice
from dpviz.types import Guarantee

TAIL_SHARE = 0.01
"""Share of releases in which the odds may move further than is said, where a guarantee allows any.
"""


def most_auc(guarantee: Guarantee) -> float:
    """The largest area under the curve of any attack: Phi(mu / sqrt 2), e^eps / (1 + e^eps), or the
    integral.

    For one choice by an exponential mechanism it is the integral too: each record's own curve holds
    less, but an average over records of different t may come up to it.
    """
    if guarantee.value == math.inf:
        return 1.0
    if guarantee.notion == "gdp":
        return float(special.ndtr(guarantee.value / math.sqrt(2)))
    if one_choice(guarantee):
        return _one_choice_auc(guarantee.value)
    fpr, tpr = corners(guarantee)
    return float(np.trapezoid(tpr, fpr))


def _one_choice_auc(epsilon: float) -> float:
    """e^eps (e^eps - 1 - eps) / (e^eps - 1)^2, by its series where the difference would cancel."""
    if epsilon < 1e-3:
        return 0.5 + epsilon / 6
    complement = -math.expm1(-epsilon)  # 1 - e^-eps
    return (complement - epsilon * math.exp(-epsilon)) / complement**2


# --------------------------------------------------------------------------------------------- odds


@dataclass(frozen=True)
class Odds:
    """What an attacker can make of a release.

    Attributes:
        prior: how likely it held "it was used" for; right: largest share of right answers.
        posterior: what it can move to at most; tail: except in at most this share of the releases
            that were made with the record.
        sentence: the same in words, rounded to the side of caution.
    """

    prior: float
    right: float
    posterior: float
    tail: float
    sentence: str


def odds(guarantee: Guarantee, prior: float = 0.5) -> Odds:
    """What the guarantee leaves to an attacker with this prior.

    Raises:
        DpvizError: unless 0 < prior < 1.
    """
    loss, tail = _loss(guarantee)
    right = success_bound(guarantee, prior)
    posterior = 1.0 if loss == math.inf else 1 / (1 + (1 - prior) / prior * math.exp(-loss))
    return Odds(prior, right, posterior, tail, _sentence(guarantee, prior, right, posterior, tail))


def _loss(guarantee: Guarantee) -> tuple[float, float]:
    """How far the log-odds can move, and how often further, if the record was used.

    Whatever is seen of a release, S be what moves them further than t: it is e^t times as likely
    with the record as without. So a test that says "used" on S has a hit rate P(S) with at most
    e^-t P(S) false alarms, and a promise bounds P(S) by what it allows to such a test: to mu-GDP
    Phi(Phi^-1(e^-t P) + mu), to (epsilon, delta) e^(epsilon - t) P + delta; for rho-zCDP the moment
    of the best order does. One who sees the whole of one Gaussian release would learn less: t is
    that of an answer "above a threshold or not", which no analysis of the release can exceed.
    """
    value = guarantee.value
    if value == math.inf or guarantee.notion == "pure":
        return value, 0.0
    if guarantee.notion == "gdp":
        return math.log(TAIL_SHARE) - float(
            special.log_ndtr(special.ndtri(TAIL_SHARE) - value)
        ), TAIL_SHARE
    if guarantee.notion == "zcdp":
        return value + 2 * math.sqrt(value * math.log(1 / TAIL_SHARE)), TAIL_SHARE
    return value + math.log(2), 2 * guarantee.delta


#: The alternative to the record, for each adjacency that replaces it.
REPLACEMENT_TEXT = {
    privacy.REPLACE_IN_CLASS: " instead of another image of its class",
    privacy.REPLACE_PERSON: (
        " instead of those of another person with the same number of images in each class"
    ),
}


def _sentence(
    guarantee: Guarantee, prior: float, right: float, posterior: float, tail: float
) -> str:
    of_persons = guarantee.adjacency in (privacy.ADD_REMOVE_PERSON, privacy.REPLACE_PERSON)
    who = "a person's images were" if of_persons else "an image was"
    instead = REPLACEMENT_TEXT.get(guarantee.adjacency, "")
    start = f"Suppose an attacker is {100 * prior:.3g}% sure that {who} used{instead}."
    if guarantee.value == math.inf:
        return f"{start} Nothing prevents the release from making this belief certain."
    blind = "" if prior == 0.5 else f" ({percent_up(max(prior, 1 - prior))}% without the release)"
    right_text = f"The attacker's guess is right at most {percent_up(right)}% of the time{blind}."
    if one_choice(guarantee):
        return (
            f"{start} {right_text} Some releases can raise the belief further, to at most"
            f" {percent_up(posterior)}%."
        )
    if tail == 0:
        return f"{start} No release can raise the belief above {percent_up(posterior)}%."
    return (
        f"{start} {right_text} If the belief is true, at most {100 * tail:.2g}% of releases raise"
        f" it above {percent_up(posterior)}%."
    )


def most_right_of_responses(honesty: float, times: int) -> float:
    """How often the best onlooker, for whom both answers were equally likely, is right on average
    after so many recorded answers of one person to one question by randomised response: exactly.

    The best goes by the majority; a tie tells nothing, so an even number is worth one less.

    Args:
        honesty: chance that the own answer is recorded, else a fair coin's; times: from 1.
    """
    odd = (times - 1) // 2 * 2 + 1
    return float(special.bdtrc(odd // 2, odd, (1 + honesty) / 2))
