"""Randomised response: what a coin of a given honesty promises about one yes-or-no answer.

With chance ``honesty`` the answer of one's own is recorded, else that of a fair coin. The promise
is kept by each device by itself, and nobody has to be trusted (local privacy). Neighbours: one
person's answer is replaced by the other. Beside it the promise of a noisy count of answers, and how
far the count may be off.

Source: Warner 1965; in this form with two coins: Greenberg et al. 1969. Epsilon: Dwork & Roth 2014,
Section 3.2; beliefs by Bayes' rule.
"""

from __future__ import annotations

import math
from dataclasses import replace
from decimal import Decimal, localcontext

from dpviz.privacy.claims import claimed_guarantee
from dpviz.types import Guarantee, check_range


def response_epsilon(honesty: float) -> float:
    """Pure epsilon of one recorded answer, exactly: ln((1 + h) / (1 - h)), since the true answer is
    recorded with chance (1 + h) / 2 and the other with (1 - h) / 2.

    Raises:
        DpvizError: for a honesty outside [0, 1].
    """
    h = check_range("Truth probability of the coin", honesty, 0, 1)
    return math.inf if h == 1 else math.log((1 + h) / (1 - h))


def response_honesty(epsilon: float) -> float:
    """The honesty whose recorded answer is epsilon-DP: tanh(epsilon / 2)."""
    return math.tanh(check_range("ε", epsilon, 0, math.inf) / 2)


COIN_STEPS = 2**32
"""Of the whole numbers from which a browser draws, all equally likely."""
MAX_EPSILON = 50.0
"""Epsilon from which on no coin of so many steps can be more honest."""


def coin_threshold(epsilon: float) -> int:
    """Below which of ``COIN_STEPS`` whole numbers the own answer is recorded, so that what is
    recorded is epsilon-DP: epsilon's own honesty, rounded down to a whole number of steps.

    Raises:
        DpvizError: for an epsilon that is not positive.
    """
    value = check_range("ε", epsilon, 0, math.inf, open_low=True)
    with localcontext() as exactly:
        exactly.prec = 60
        odds = Decimal(min(value, MAX_EPSILON)).exp()
        return min(int((odds - 1) / (odds + 1) * COIN_STEPS), COIN_STEPS - 1)


def honesty_threshold(honesty: float) -> int:
    """The same for an honesty: rounded down, so that no coin of a browser is more honest."""
    h = check_range("Truth probability of the coin", honesty, 0, 1)
    return int(Decimal(h) * COIN_STEPS)


def coin_epsilon(threshold: int) -> float:
    """Pure epsilon of a coin with this threshold, whose second draw is fair to the last bit:
    ln((n + t) / (n - t)), n = COIN_STEPS.
    """
    return response_epsilon(threshold / COIN_STEPS)


def belief_bound(prior: float, epsilon: float) -> float:
    """The most that anyone who held something likely to ``prior`` may hold it after what is
    epsilon-DP for the two cases: the odds grow by e^epsilon at most.

    Randomised response reaches it where the recorded answer speaks for it.
    """
    p = check_range("The prior belief", prior, 0, 1)
    against = (1 - p) * math.exp(-epsilon)
    return p / (p + against) if p else 0.0


REPLACE_ANSWER = "replace one person's answer with the other answer"
PUBLIC = "the question, the participants and the number of answers"
UNIT = "one person's answer to this question"
SOURCES = {
    "coin": "randomized response, Warner 1965; Dwork & Roth 2014, Section 3.2",
    "server": "geometric mechanism, Ghosh, Roughgarden & Sundararajan 2009",
}
"""Of each way to answer: a coin on the own device, or a server that counts and adds noise once."""


def one_answer(way: str, epsilon: float) -> Guarantee:
    """The pure guarantee of one question asked once, in this way, a key of ``SOURCES``."""
    given = claimed_guarantee(REPLACE_ANSWER, epsilon=epsilon)
    return replace(
        given, public=PUBLIC, unit=UNIT, starts="at the answer", source=SOURCES[way], defaults=""
    )


def count_reach(epsilon: float, miss: float) -> int:
    """The least whole number that discrete Laplace noise of this epsilon goes beyond, either way,
    with a chance of ``miss`` at most: P(|z| > t) = 2 r^(t + 1) / (1 + r), r = e^-epsilon.
    """
    value = check_range("ε", epsilon, 0, math.inf, open_low=True)
    chance = check_range("Error probability", miss, 0, 1, open_low=True)
    ratio = math.exp(-value)
    steps = math.log(2 / (chance * (1 + ratio))) / value
    return max(0, math.ceil(steps - 1e-12) - 1)
