"""Randomised response: each answer is its own or a coin's."""

from __future__ import annotations

import numpy as np

from dpviz.mechanisms.randomness import Seed, standard_uniform


def randomised_response(
    answers: np.ndarray, honesty: float, seed: Seed, label: str = "answers"
) -> np.ndarray:
    """What is recorded of yes-or-no answers (n,) bool: with chance ``honesty`` the answer, else
    what a fair coin says; (n,) bool.

    A seed's coins are the same for every honesty, so that a moved slider changes what it must.

    Guarantee: ``privacy.response_epsilon(honesty)``-DP for each answer, whoever collects them, up
        to the 2^-53 in which the chances of a float may be off.
    Source: Warner 1965.
    """
    own, coin = standard_uniform(seed, label, (2, len(answers)))
    return np.where(own < honesty, answers, coin < 0.5)
