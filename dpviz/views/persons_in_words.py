"""How many persons the records of a set are from, in words."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from dpviz.formatting import number

UNKNOWN_PERSONS = (
    "These data do not say whose records they are: any two may be one person's, so that no promise"
    " to a person can be made with them, only one to a record."
)


def persons_sentence(sent: Sequence[int], what: str) -> str:
    """Markdown: persons, and how many records each sent.

    Args:
        sent: records of each person; empty where persons are not known; what: the records.
    """
    if not sent:
        return UNKNOWN_PERSONS
    if len(sent) == 1:
        return f"All {sent[0]:,} {what} are from **1 person**."
    return (
        f"The {what} are from **{len(sent):,} persons**: the middle person has"
        f" **{number(median(sent))}**, nobody more than **{max(sent):,}**."
    )
