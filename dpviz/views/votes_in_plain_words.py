"""What the page "Teachers vote" says to someone who knows no statistics."""

from __future__ import annotations

from dataclasses import dataclass

from dpviz.types import Guarantee
from dpviz.views.natural_frequencies import guess, out_of_100

HOW_TO_READ = (
    "Each bar holds public pictures by how many teachers agree on them: far right, all do. Grey"
    " ones stay without an answer. Move **Threshold T** or **Vote noise** first: to the left is"
    " more private."
)


@dataclass(frozen=True)
class VoteOutcome:
    """What came of a vote: teachers, private records each has, queries asked, answered, and
    answered rightly of those whose class is known; how often a teacher alone is right.
    """

    teachers: int
    records: float
    asked: int
    answered: int
    right: int
    known: int
    alone: float


def sentence(told: VoteOutcome, promise: Guarantee) -> str:
    """Who votes on what, how many answers come of it, how many are right, and what a guesser could
    gain.

    Args:
        promise: for as many answers as there are queries, which holds whatever the votes are.
    """
    start = (
        f"**{told.teachers} teachers**, each with about {told.records:.0f} private pictures that"
        f" no other sees, vote on {told.asked} public pictures; noise is added to the votes."
        f" **{told.answered} of {told.asked}** get an answer"
    )
    right = ""
    if told.known:
        known = (
            "of them"
            if told.known == told.answered
            else f"of the {told.known} whose class is known"
        )
        right = f", **{told.right}** {known} the right one"
    alone = f"; a teacher alone is right {out_of_100(told.alone)} times in 100"
    return f"{start}{right}{alone}. {guess([promise])}.{_limit_reason(told)}"


def _limit_reason(told: VoteOutcome) -> str:
    """Why the limit is that for more answers than came."""
    if told.answered == told.asked:
        return ""
    return (
        f" That counts all {told.asked} as answered: how many get an answer depends on private"
        " pictures."
    )
