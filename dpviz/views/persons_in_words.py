"""How many persons the records of a set are from, in words."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from dpviz.words import number

UNKNOWN = (
    "These data do not say whose records they are: any two may be one person's, so that no promise"
    " to a person can be made with them, only one to a record."
)


def sentence(sent: Sequence[int], what: str) -> str:
    """Markdown: persons, and how many records each sent.

    Args:
        sent: records of each person; empty where persons are not known; what: the records.
    """
    if not sent:
        return UNKNOWN
    who = "**1 person**" if len(sent) == 1 else f"**{len(sent):,} persons**"
    middle = number(median(sent))
    return f"The {what} are from {who}: **{middle}** each in the median, **{max(sent):,}** at most."
