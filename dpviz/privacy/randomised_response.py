"""Randomised response: what a coin of a given honesty promises about one yes-or-no answer.

With chance ``honesty`` the answer of one's own is recorded, else that of a fair coin. The promise
is kept by each device by itself, and nobody has to be trusted (local privacy). Neighbours: one
person's answer is replaced by the other.

Source: Warner 1965; in this form with two coins: Greenberg et al. 1969. Epsilon: Dwork & Roth 2014,
Section 3.2; beliefs by Bayes' rule.
"""

from __future__ import annotations

import math

from dpviz.types import check_range


def response_epsilon(honesty: float) -> float:
    """Pure epsilon of one recorded answer, exactly: ln((1 + h) / (1 - h)), since the true answer is
    recorded with chance (1 + h) / 2 and the other with (1 - h) / 2.

    Raises:
        DpvizError: for a honesty outside [0, 1].
    """
    h = check_range("The coin's honesty", honesty, 0, 1)
    return math.inf if h == 1 else math.log((1 + h) / (1 - h))


def response_honesty(epsilon: float) -> float:
    """The honesty whose recorded answer is epsilon-DP: tanh(epsilon / 2)."""
    return math.tanh(check_range("ε", epsilon, 0, math.inf) / 2)


def most_belief(prior: float, epsilon: float) -> float:
    """The most that anyone who held something likely to ``prior`` may hold it after what is
    epsilon-DP for the two cases: the odds grow by e^epsilon at most.

    Randomised response reaches it where the recorded answer speaks for it.
    """
    p = check_range("The belief beforehand", prior, 0, 1)
    against = (1 - p) * math.exp(-epsilon)
    return p / (p + against) if p else 0.0
