"""What a room can know of itself, and what it learned, in both voices."""

from __future__ import annotations

import math

from dpviz import privacy
from dpviz.formatting import listed, number
from dpviz.views.room_answers import ClassEstimate, half_width

NOTHING, WIDE = "not at all", 45
"""What is said of an interval that reaches so many of 100 either way."""


def plainly(epsilon: float, people: int) -> str:
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


def precisely(epsilon: float, people: int) -> str:
    """The same with its symbols; Markdown."""
    halves = {way: half_width(way, epsilon, people) for way in ("coin", "server")}
    told = {
        way: f"± {half:.1f} people ({100 * half / people:.1f} %)" for way, half in halves.items()
    }
    honesty = privacy.coin_threshold(epsilon) / privacy.COIN_STEPS
    return (
        f"At ε = {number(epsilon)} (pure DP, δ = 0, one answer replaced) the 95 % interval for how"
        f" many of n = {people} say yes is **{told['coin']}** by randomised response with honesty"
        f" h = {honesty:.3f}, **{told['server']}** by one release with discrete Laplace noise,"
        " P(z) ∝ e^(−ε|z|): its half-width on average, where half of the room say yes."
    )


def learned(found: ClassEstimate) -> str:
    """What a private question revealed, for all screens; without Markdown."""
    about = round(found.count)
    if (found.low, found.high) == (0, found.people):
        sure = "but any number from 0 to all may be true: at this ε so few people learn nothing"
    else:
        sure = f"somewhere from {found.low} to {found.high} (right at least 95 times in 100)"
    return f"About {about} of {found.people} say yes, {sure}."


def exactly(found: ClassEstimate) -> str:
    """How that number came about; without Markdown."""
    if found.way == "coin":
        came = (
            f"The coins recorded {found.came} yes among {found.people}; solved for the share by the"
            " coin's honesty"
        )
    else:
        came = (
            f"Released once: {found.came}, the count with discrete Laplace noise; the count itself"
            " and the answers are forgotten"
        )
    return (
        f"{came}. Interval: every number of yes for which this is among the likeliest outcomes that"
        f" have 95 % together (exact). ε = {number(found.epsilon)} of each answer, δ = 0."
    )


def spent(epsilons: tuple[float, ...]) -> str:
    """What private questions of this room cost whoever answered all of them."""
    if not epsilons:
        return "nothing yet"
    if len(epsilons) == 1:
        return f"ε = {number(epsilons[0])}"
    return f"ε = {' + '.join(map(number, epsilons))} = {number(sum(epsilons))}"


def drawing_summary(marks: list[str]) -> str:
    """How well a room drew, from the marks of its curves' verdicts; Markdown."""
    told = {"right": "well drawn", "near": "roughly so", "gap": "far off"}
    parts = [f"{marks.count(mark)} {words}" for mark, words in told.items()]
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
that have 95 % together, by the likelihood over the largest one (Feldman & Cousins 1998). All \
chances are summed up exactly; nothing is simulated. It is about those who answered, and about \
nobody else.

**The chart** shows half its width, on average over the coins or the noise, in a room in which \
half say yes. ± 50 of 100 is an interval from nobody to all: nothing is learned.
"""
