"""Exact intervals of a class's private yes-or-no answers, by coins on phones or a trusted server.

Both ways use one table: the probability of each outcome for every number of people who say yes. An
outcome is the recorded yes of coins, or the released number, limited to 0 and to all who answered.
An interval has the numbers under which the outcome is among the likeliest ones with 95% in total.

Source: Neyman 1937; Feldman & Cousins 1998 (order of the outcomes by likelihood ratio, so that no
interval is empty).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpviz import privacy
from dpviz.caches import cached
from dpviz.shares import LEVEL
from dpviz.text import live_class as text
from dpviz.text.template import render, render_text
from dpviz.views.page_config import STOPS

#: Ways to draw the noise.
WAYS = ("coin", "server")
SIZES = (10, 30, 200)
BUDGETS = tuple(b for b in STOPS["approx"] if 0.1 <= b <= 10)


@dataclass(frozen=True)
class ClassEstimate:
    """Estimate of how many people of a class say yes.

    Attributes:
        way: one of ``WAYS``.
        epsilon: privacy budget of each answer.
        people: number of people who answered.
        outcome: recorded yes, or the released number.
        count: the estimate, in [0, people].
        low, high: ends of the 95% interval, whole numbers of people.
    """

    way: str
    epsilon: float
    people: int
    outcome: int
    count: float
    low: int
    high: int


def estimate_share(way: str, epsilon: float, people: int, released: int) -> ClassEstimate:
    """Return the estimate and its interval from the outcome of at least one answer."""
    outcome = min(max(released, 0), people)
    low, high = (int(end) for end in intervals(way, epsilon, people)[:, outcome])
    if way == "coin":
        honesty = _honesty(epsilon)
        estimate = (released - people * (1 - honesty) / 2) / honesty
    else:
        estimate = float(released)
    count = min(max(estimate, 0.0), float(people))
    ends = min(low, math.floor(count)), max(high, math.ceil(count))
    return ClassEstimate(way, epsilon, people, released, count, *ends)


@cached(256)
def half_width(way: str, epsilon: float, people: int) -> float:
    """Return the mean half-width of the interval in people, if half of the people say yes.

    The mean over coins or noise is an exact sum over all outcomes.
    """
    low, high = intervals(way, epsilon, people)
    return float(chances(way, epsilon, people)[people // 2] @ (high - low) / 2)


@cached(64)
def intervals(way: str, epsilon: float, people: int) -> np.ndarray:
    """Return the ends (2, people + 1) of the interval for each outcome."""
    table = chances(way, epsilon, people)
    likely = table / np.maximum(table.max(axis=0), np.finfo(float).tiny)
    likely = likely.round(12)  # equally likely outcomes are taken together
    order = np.argsort(-likely, axis=1, kind="stable")
    sorted_chances, share = (np.take_along_axis(array, order, axis=1) for array in (likely, table))
    fresh = np.diff(sorted_chances, axis=1, prepend=np.inf) < 0
    before = np.maximum.accumulate(np.where(fresh, np.cumsum(share, axis=1) - share, 0), axis=1)
    taken = np.zeros(table.shape, bool)
    np.put_along_axis(taken, order, before < LEVEL - 1e-12, axis=1)
    return np.stack([taken.argmax(axis=0), people - taken[::-1].argmax(axis=0)])


def chances(way: str, epsilon: float, people: int) -> np.ndarray:
    """Return P(outcome | number of yes): (people + 1, people + 1), rows add up to 1."""
    return (
        _coin_table(_honesty(epsilon), people) if way == "coin" else _noise_table(epsilon, people)
    )


def _honesty(epsilon: float) -> float:
    """Return the share of own answers of the browser's coin, in whole steps of its numbers."""
    return privacy.coin_threshold(epsilon) / privacy.COIN_STEPS


def _coin_table(honesty: float, people: int) -> np.ndarray:
    """Return the probabilities of recorded yes, from one coin per person."""
    true, false = _binomials((1 + honesty) / 2, people), _binomials((1 - honesty) / 2, people)
    rows = [
        np.convolve(true[k, : k + 1], false[people - k, : people - k + 1])
        for k in range(people + 1)
    ]
    return np.stack(rows)


def _binomials(chance: float, people: int) -> np.ndarray:
    """Return P(k of n) at [n, k], for all n up to ``people``."""
    table = np.zeros((people + 1, people + 1))
    table[0, 0] = 1
    for n in range(1, people + 1):
        table[n] = (1 - chance) * table[n - 1]
        table[n, 1:] += chance * table[n - 1, :-1]
    return table


def _noise_table(epsilon: float, people: int) -> np.ndarray:
    """Return the probabilities of the released number, limited to 0 and to all."""
    ratio = np.exp(-epsilon)
    count, released = np.ogrid[: people + 1, : people + 1]
    table = (1 - ratio) / (1 + ratio) * ratio ** np.abs(released - count)
    table[:, 0] = ratio ** np.arange(people + 1) / (1 + ratio)
    table[:, -1] = table[::-1, 0]
    return table


#: Half-width, as a share of the class, from which the class learns almost nothing.
WIDE = 0.45


def class_text(epsilon: float, people: int, precise: bool) -> str:
    """Return how precisely a class learns its share of yes, in Markdown."""
    coin, server = (half_width(way, epsilon, people) / people for way in WAYS)
    case = "server_only" if coin >= WIDE else "private"
    return text.ANSWERS[case].fill(precise, people=people, coin=coin, server=server)


#: Half-width, as a share of the class, up to which a result is useful.
USEFUL = 0.15


def precision_text(way: str, epsilon: float, people: int) -> tuple[bool, str]:
    """Return whether a private question gives a useful result, and its error, in Markdown.

    A result that is not useful comes with the number of phones or the ε that it needs.
    """
    half = half_width(way, epsilon, people) / people
    if half <= USEFUL:
        return True, render(text.PRECISION, people=people, half=half)
    facts = {"people": people, "half": half, "useful": USEFUL}
    facts["needed"] = phones_needed(way, epsilon)
    larger = (b for b in BUDGETS if b > epsilon and half_width(way, b, people) / people <= USEFUL)
    if enough := next(larger, None):
        return False, render(text.PRECISION_TOO_WIDE, epsilon=enough, **facts)
    return False, render(text.PRECISION_TOO_FEW, **facts)


def phones_needed(way: str, epsilon: float) -> int:
    """Return about how many phones a result within ``USEFUL`` needs, rounded up to two digits.

    Coins: normal approximation. Server: quantile of the discrete Laplace noise.
    """
    if way == "coin":
        h = _honesty(epsilon)
        needed = 1.96**2 * (1 - h * h) / (2 * h * USEFUL) ** 2
    else:
        tail = (1 - LEVEL) * (1 + math.exp(-epsilon)) / 2
        needed = -math.log(tail) / epsilon / USEFUL
    digits = max(0, math.floor(math.log10(max(needed, 1))) - 1)
    return math.ceil(needed / 10**digits) * 10**digits


def estimate_text(estimate: ClassEstimate) -> str:
    """Return the result of a private question for all screens, without Markdown."""
    covers_all = (estimate.low, estimate.high) == (0, estimate.people)
    return render_text(
        text.ESTIMATE_NOTHING if covers_all else text.ESTIMATE,
        count=round(estimate.count),
        people=estimate.people,
        low=estimate.low,
        high=estimate.high,
    )


def origin_text(estimate: ClassEstimate) -> str:
    """Return how the result was computed, without Markdown."""
    return render_text(
        text.ORIGIN[estimate.way],
        outcome=estimate.outcome,
        people=estimate.people,
        epsilon=estimate.epsilon,
    )


def spent_text(epsilons: tuple[float, ...]) -> str:
    """Return the privacy spent by someone who answered all private questions of a class."""
    if not epsilons:
        return text.NOTHING_SPENT
    if len(epsilons) == 1:
        return render_text(text.SPENT_ONE, total=epsilons[0])
    parts = " + ".join(render_text("{epsilon:number_up}", epsilon=e) for e in epsilons)
    return render_text(text.SPENT_SUM, parts=parts, total=sum(epsilons))


def drawing_summary(marks: list[str]) -> str:
    """Return how well a class drew a curve, from the marks of its verdicts, in Markdown."""
    counts = {mark: marks.count(mark) for mark in ("right", "near", "gap")}
    return render(text.CURVES, **counts)
