"""What is promised of one yes-or-no answer of a room's private question, and how far a noisy count
may be off.
"""

from __future__ import annotations

import math
from dataclasses import replace

from dpviz.privacy.claims import claimed_guarantee
from dpviz.types import Guarantee, check_range

REPLACE_ANSWER = "one person's answer is replaced by the other"
PUBLIC = "the question, who takes part and how many answer"
UNIT = "one person's answer to this question"
SOURCES = {
    "coin": "randomised response, Warner 1965; Dwork & Roth 2014, Section 3.2",
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
    chance = check_range("The chance to miss", miss, 0, 1, open_low=True)
    ratio = math.exp(-value)
    steps = math.log(2 / (chance * (1 + ratio))) / value
    return max(0, math.ceil(steps - 1e-12) - 1)
