"""What a room's private yes-or-no answers tell of the room itself, by a coin on each phone or by a
server that all trust: exact intervals, and how wide they are at any budget.

Both ways are told as one table: the chance of each outcome (the recorded yes of coins, the released
number cut off at 0 and at all who answered) for every number of people who say yes. An interval
holds the numbers under which what came is among the likeliest outcomes that have 95 % together.

Source: Neyman 1937; Feldman & Cousins 1998 (which outcomes are likeliest: by the likelihood over
the largest one, so that no interval is empty at an end).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpviz import privacy
from dpviz.caches import cached
from dpviz.shares import LEVEL
from dpviz.views.page_config import STOPS

WAYS = {"coin": "coins on the phones", "server": "a server that all trust"}
SIZES = (10, 30, 200)
MAX_PEOPLE = 200
"""People in a room."""
BUDGETS = tuple(b for b in STOPS["approx"] if 0.1 <= b <= 10)


@dataclass(frozen=True)
class ClassEstimate:
    """What a room learns of itself.

    Attributes:
        way: a key of WAYS; epsilon: of each answer; people: who answered.
        came: recorded yes among them, or the number that was released.
        count: the estimate of how many of them say yes, in [0, people]; low, high: the ends of its
            interval, whole numbers of people.
    """

    way: str
    epsilon: float
    people: int
    came: int
    count: float
    low: int
    high: int


def estimate_share(way: str, epsilon: float, people: int, came: int) -> ClassEstimate:
    """The estimate and its interval from what came of ``people`` >= 1 answers."""
    seen = min(max(came, 0), people)
    low, high = (int(end) for end in intervals(way, epsilon, people)[:, seen])
    if way == "coin":
        honesty = _honesty(epsilon)
        estimate = (came - people * (1 - honesty) / 2) / honesty
    else:
        estimate = float(came)
    count = min(max(estimate, 0.0), float(people))
    ends = min(low, math.floor(count)), max(high, math.ceil(count))
    return ClassEstimate(way, epsilon, people, came, count, *ends)


@cached(256)
def half_width(way: str, epsilon: float, people: int) -> float:
    """Half the interval's width in people, on average over the coins or the noise, in a room in
    which half of the people say yes: a sum over all that may come, nothing is drawn.
    """
    low, high = intervals(way, epsilon, people)
    return float(chances(way, epsilon, people)[people // 2] @ (high - low) / 2)


@cached(64)
def intervals(way: str, epsilon: float, people: int) -> np.ndarray:
    """Ends (2, people + 1) of the interval for each outcome that may come."""
    table = chances(way, epsilon, people)
    likely = table / np.maximum(table.max(axis=0), np.finfo(float).tiny)
    likely = likely.round(12)  # outcomes that are as likely as one another are taken together
    order = np.argsort(-likely, axis=1, kind="stable")
    ranked, share = (np.take_along_axis(one, order, axis=1) for one in (likely, table))
    fresh = np.diff(ranked, axis=1, prepend=np.inf) < 0
    before = np.maximum.accumulate(np.where(fresh, np.cumsum(share, axis=1) - share, 0), axis=1)
    taken = np.zeros(table.shape, bool)
    np.put_along_axis(taken, order, before < LEVEL - 1e-12, axis=1)
    return np.stack([taken.argmax(axis=0), people - taken[::-1].argmax(axis=0)])


def chances(way: str, epsilon: float, people: int) -> np.ndarray:
    """P(outcome | how many say yes): (people + 1, people + 1), rows add up to 1."""
    return (
        _coin_table(_honesty(epsilon), people) if way == "coin" else _noise_table(epsilon, people)
    )


def _honesty(epsilon: float) -> float:
    """That of the coin as it falls, in whole steps of the browser's numbers."""
    return privacy.coin_threshold(epsilon) / privacy.COIN_STEPS


def _coin_table(honesty: float, people: int) -> np.ndarray:
    """Recorded yes: those of who says yes and those of who says no, each by a coin of its own."""
    true, false = _binomials((1 + honesty) / 2, people), _binomials((1 - honesty) / 2, people)
    rows = [
        np.convolve(true[k, : k + 1], false[people - k, : people - k + 1])
        for k in range(people + 1)
    ]
    return np.stack(rows)


def _binomials(chance: float, people: int) -> np.ndarray:
    """P(k of n) at [n, k], for all n up to ``people``."""
    table = np.zeros((people + 1, people + 1))
    table[0, 0] = 1
    for n in range(1, people + 1):
        table[n] = (1 - chance) * table[n - 1]
        table[n, 1:] += chance * table[n - 1, :-1]
    return table


def _noise_table(epsilon: float, people: int) -> np.ndarray:
    """The released number, which counts as 0 or as all where it lies beyond."""
    ratio = np.exp(-epsilon)
    count, told = np.ogrid[: people + 1, : people + 1]
    table = (1 - ratio) / (1 + ratio) * ratio ** np.abs(told - count)
    table[:, 0] = ratio ** np.arange(people + 1) / (1 + ratio)
    table[:, -1] = table[::-1, 0]
    return table
