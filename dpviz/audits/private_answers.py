"""Audits of private answers in a live class: the count that a server releases once, and the coin of
one answer.

Neighbors: one person's answer is replaced by the other, so the count moves by one. A faulty variant
spends twice what is claimed: half the noise, or a coin that records the own answer too often.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dpviz import mechanisms, privacy
from dpviz.audits.audited_methods import Audit
from dpviz.audits.bounds import lower_bound

METHOD = "private-answers"
EPSILON = 1.0
OTHER_YES_ANSWERS = 12
"""Yes answers of other people; integer noise does not depend on their number."""
ANSWERS_PER_RUN = 4
"""A run of other audits is worth so many answers, which are quick."""

Outputs = Callable[[bool, float, int], np.ndarray]
"""seen(own answer, epsilon of the noise, runs) -> (runs,), larger where the answer is yes."""


def count(own: bool, epsilon: float, runs: int) -> np.ndarray:
    """Return the count that a server releases, with noise from system entropy."""
    return mechanisms.yes_counts(np.full(runs, OTHER_YES_ANSWERS + own), epsilon).astype(float)


def coin(own: bool, epsilon: float, runs: int) -> np.ndarray:
    """Return recorded answers; a test audits the browser's own script."""
    honesty = privacy.coin_threshold(epsilon) / privacy.COIN_STEPS
    recorded = mechanisms.randomised_response(np.full(runs, own), honesty, int(own), "audited")
    return recorded.astype(float)


WAYS: dict[str, tuple[Outputs, str, str]] = {
    "server": (count, "the count of yes", "half the noise"),
    "coin": (coin, "a recorded answer", "a coin for twice the ε"),
}


def audit(runs: int, epsilon: float = EPSILON) -> list[Audit]:
    """A row for each way to answer."""
    return [_audit(way, epsilon, ANSWERS_PER_RUN * runs) for way in WAYS]


def _audit(way: str, epsilon: float, runs: int) -> Audit:
    seen, event, variant = WAYS[way]
    claim = privacy.one_answer(way, epsilon)

    def spent_epsilon(spent: float) -> float:
        return lower_bound(seen(True, spent, runs), seen(False, spent, runs), claim)

    facts = METHOD, {"way": way}, claim.notion, claim.adjacency
    return Audit(
        *facts,
        claim.value,
        spent_epsilon(epsilon),
        spent_epsilon(2 * epsilon),
        runs,
        event,
        variant,
    )
