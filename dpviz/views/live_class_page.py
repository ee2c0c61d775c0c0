"""What a room's private yes-or-no answers tell of the room itself, by a coin on each phone or by a
server that all trust: exact intervals, and how wide they are at any budget.

Both ways are told as one table: the chance of each outcome (the recorded yes of coins, the released
number cut off at 0 and at all who answered) for every number of people who say yes. An interval
holds the numbers under which what came is among the likeliest outcomes that have 95% together.

Source: Neyman 1937; Feldman & Cousins 1998 (which outcomes are likeliest: by the likelihood over
the largest one, so that no interval is empty at an end).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpviz import privacy
from dpviz.caches import cached
from dpviz.formatting import listed, number
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
        outcome: recorded yes among them, or the number that was released.
        count: the estimate of how many of them say yes, in [0, people]; low, high: the ends of its
            interval, whole numbers of people.
    """

    way: str
    epsilon: float
    people: int
    outcome: int
    count: float
    low: int
    high: int


def estimate_share(way: str, epsilon: float, people: int, released: int) -> ClassEstimate:
    """The estimate and its interval from what came of ``people`` >= 1 answers."""
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
    sorted_chances, share = (np.take_along_axis(array, order, axis=1) for array in (likely, table))
    fresh = np.diff(sorted_chances, axis=1, prepend=np.inf) < 0
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
    count, released = np.ogrid[: people + 1, : people + 1]
    table = (1 - ratio) / (1 + ratio) * ratio ** np.abs(released - count)
    table[:, 0] = ratio ** np.arange(people + 1) / (1 + ratio)
    table[:, -1] = table[::-1, 0]
    return table


NOTHING, WIDE = "not at all", 45
"""What is said of an interval that reaches so many of 100 either way."""


def class_plain(epsilon: float, people: int) -> str:
    """How closely a room of so many knows its own yes, in whole numbers; Markdown."""
    coins, server = (_share_text(way, epsilon, people) for way in ("coin", "server"))
    if coins == NOTHING == server:
        return (
            f"At ε = {number(epsilon)} a room of {people} learns **next to nothing** of itself,"
            " whether by coins on the phones or by a server that everyone trusts."
        )
    return (
        f"At ε = {number(epsilon)} a room of {people} learns how many of it say yes:"
        f" **{coins}** by coins on the phones, **{server}** with a server that everyone trusts."
    )


def _share_text(way: str, epsilon: float, people: int) -> str:
    share = math.ceil(100 * half_width(way, epsilon, people) / people - 0.25)
    if share >= WIDE:
        return NOTHING
    return f"give or take {share} of 100" if share else "nearly exactly"


def class_precise(epsilon: float, people: int) -> str:
    """The same with its symbols; Markdown."""
    halves = {way: half_width(way, epsilon, people) for way in ("coin", "server")}
    widths = {
        way: f"± {half:.1f} people ({100 * half / people:.1f}%)" for way, half in halves.items()
    }
    honesty = privacy.coin_threshold(epsilon) / privacy.COIN_STEPS
    return (
        f"At ε = {number(epsilon)} (pure DP, δ = 0, one answer replaced) the 95% interval for how"
        f" many of n = {people} say yes is **{widths['coin']}** by randomised response with honesty"
        f" h = {honesty:.3f}, **{widths['server']}** by one release with discrete Laplace noise,"
        " P(z) ∝ e^(−ε|z|): its half-width on average, where half of the room say yes."
    )


def estimate_text(estimate: ClassEstimate) -> str:
    """What a private question revealed, for all screens; without Markdown."""
    about = round(estimate.count)
    if (estimate.low, estimate.high) == (0, estimate.people):
        sure = "but any number from 0 to all may be true: at this ε so few people learn nothing"
    else:
        sure = f"somewhere from {estimate.low} to {estimate.high} (right at least 95 times in 100)"
    return f"About {about} of {estimate.people} say yes, {sure}."


def origin_text(estimate: ClassEstimate) -> str:
    """How that number came about; without Markdown."""
    if estimate.way == "coin":
        came = (
            f"The coins recorded {estimate.outcome} yes among {estimate.people}; solved for the"
            " share by the coin's honesty"
        )
    else:
        came = (
            f"Released once: {estimate.outcome}, the count with discrete Laplace noise; the count"
            " itself and the answers are forgotten"
        )
    return (
        f"{came}. Interval: every number of yes for which this is among the likeliest outcomes that"
        f" have 95% together (exact). ε = {number(estimate.epsilon)} of each answer, δ = 0."
    )


def spent_text(epsilons: tuple[float, ...]) -> str:
    """What private questions of this room cost whoever answered all of them."""
    if not epsilons:
        return "nothing yet"
    if len(epsilons) == 1:
        return f"ε = {number(epsilons[0])}"
    return f"ε = {' + '.join(map(number, epsilons))} = {number(sum(epsilons))}"


def drawing_summary(marks: list[str]) -> str:
    """How well a room drew, from the marks of its curves' verdicts; Markdown."""
    mark_texts = {"right": "well drawn", "near": "roughly so", "gap": "far off"}
    parts = [f"{marks.count(mark)} {words}" for mark, words in mark_texts.items()]
    return f"Of **{len(marks)}** curve{'' if len(marks) == 1 else 's'}: {listed(parts)}."


WHO_KNOWS = {
    "coin": (
        ("on the phone", "the own answer and the coin; neither is sent nor kept"),
        ("the teacher's server", "what each phone recorded, which anyone can deny"),
        ("you trust", "your phone, and that the page it was given is the one that is published"),
        ("who listens in the network", "reads what was recorded, no more"),
    ),
    "server": (
        ("on the phone", "the own answer, which is sent as it is"),
        ("the teacher's server", "every true answer until the release, then none: it forgets them"),
        ("you trust", "the teacher's machine, all who may look into it, and the network"),
        ("who listens in the network", "can read the true answers: the joining page is plain HTTP"),
    ),
}
"""Of each way: who knows what."""

ANATOMY = """
**By coins** (randomised response): below a whole number *t* of 2³² equally likely ones the own \
answer is recorded, otherwise what a fair coin says. *t* is (e^ε − 1)/(e^ε + 1) of 2³², rounded \
down, so that ln((2³² + *t*)/(2³² − *t*)) ≤ ε. Of *n* recorded answers *y* are yes; the estimate \
is (*y* − *n*(1 − *h*)/2)/*h* with *h* = *t*/2³², cut off at 0 and *n*.

**By a server**: the true answers are counted and *z* is added, P(*z*) ∝ e^(−ε|*z*|), from exact \
samplers and the system's entropy (geometric mechanism). Replacing one answer moves the count by 1 \
at most. It is released once for each question.

**To both**: pure ε-DP, δ = 0. Unit: one person's answer to this question. Neighbours: that answer \
is replaced by the other. Taken as public: the question, who takes part and how many answer. \
Whoever answers two private questions, or the same one twice, spends both ε: they add up. One \
answer a phone is taken; whoever joins with a second phone spends twice.

**The interval** holds every number of yes for which what came is among the likeliest outcomes \
that have 95% together, by the likelihood over the largest one (Feldman & Cousins 1998). All \
chances are summed up exactly; nothing is simulated. It is about those who answered, and about \
nobody else.

**The chart** shows half its width, on average over the coins or the noise, in a room in which \
half say yes. ± 50 of 100 is an interval from nobody to all: nothing is learned.
"""
