"""A promise in words: its own notion, the others, to whom it is made, and what it leaves to an
attacker.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from dpviz.data import held_aside
from dpviz.diagnostics import attack_bound
from dpviz.formatting import literal, number, percent_up
from dpviz.types import Guarantee
from dpviz.views.phrases import guess, limit, subject_text

NOTIONS = {
    "pure": "pure DP, ε",
    "zcdp": "zCDP, ρ",
    "gdp": "Gaussian DP, μ",
    "approx": "(ε, δ)-DP, ε",
}

RECORD_REASON = (
    "; less is promised than to a person, as one record more or less makes another person: one out"
    " and one in, which may move a clipped sum, or the votes of two teachers, twice as far"
)
"""Why one record may be promised less than all of a person's."""


def gain(guarantee: Guarantee) -> str:
    """What an attacker could gain, in whole numbers: the headline of the plain voice."""
    right = attack_bound.success_bound(guarantee)
    if right == 1:
        return "A guess may be right every time"
    return f"A guess {limit(right).replace('**', '')}"


def guess_subject(guarantee: Guarantee) -> str:
    """Whose guess that is, and what a guess without the release would be."""
    if attack_bound.success_bound(guarantee) == 1:
        return f"Nothing limits how surely anyone can find out whether {subject_text(guarantee)}."
    return (
        f"The guess: whether {subject_text(guarantee)}, by someone for whom it was a coin toss"
        " before (right 50 times in 100), whatever else they know."
    )


def right_at_most(guarantee: Guarantee) -> str:
    """The largest share of right answers of any attacker who held both for equally likely, rounded
    up to a tenth of a percent.
    """
    right = percent_up(attack_bound.success_bound(guarantee))
    if right.startswith("more"):
        return "right nearly every time, prior 1/2"
    return f"{right}% right at most, prior 1/2"


def headline(guarantee: Guarantee) -> str:
    """A promise in its own notion."""
    return f"{NOTIONS[guarantee.notion]} = {number(guarantee.value)}"


def rows_of(guarantee: Guarantee, axis: str = "approx") -> list[tuple[str, str]]:
    """A promise in the other notions, and to whom it is made."""
    rows = [
        ("an attacker is", right_at_most(guarantee)),
        ("as (ε, δ)-DP", f"ε = {number(guarantee.epsilon_delta)} at δ = {number(guarantee.delta)}"),
        ("as zCDP", f"ρ = {number(guarantee.rho)}"),
        ("neighbours", guarantee.adjacency),
        ("unit", guarantee.unit),
        *_record_rows(guarantee),
        ("taken as public", guarantee.public),
        *(
            [("own images", held_aside.treated(guarantee.held_aside))]
            if guarantee.held_aside
            else []
        ),
        *([("steps", guarantee.schedule)] if guarantee.schedule else []),
        ("begins", guarantee.starts),
        ("defaults", guarantee.defaults),
        ("source", guarantee.source),
    ]
    if axis == "paper" and guarantee.notion == "pure":
        rows.insert(
            3,
            (
                "paper prints",
                f"ε = {number(guarantee.value / 2)}; as pure DP it is {number(guarantee.value)}",
            ),
        )
    return rows


def _record_rows(guarantee: Guarantee) -> list[tuple[str, str]]:
    """What the same release promises to one record, where the promise is to a person."""
    if guarantee.of_record is None:
        return []
    epsilon, delta = number(guarantee.of_record), number(guarantee.delta)
    text = f"ε = {epsilon} at δ = {delta}, if that record is kept"
    return [
        ("to one record", text + RECORD_REASON * (guarantee.of_record > guarantee.epsilon_delta))
    ]


def odds(guarantees: Mapping[str, Guarantee], precise: bool = True) -> str:
    """What the weakest promise leaves to an attacker, in Markdown; ``guarantees`` by title."""
    title = max(guarantees, key=lambda title: attack_bound.success_bound(guarantees[title]))
    guarantee = guarantees[title]
    rights = [attack_bound.success_bound(each_guarantee) for each_guarantee in guarantees.values()]
    weakest = ", the weakest promise here" if min(rights) < max(rights) else ""
    if not precise:
        return f"{guess([guarantee])} ({literal(title)}{weakest})."
    right = f" Right answers: {right_at_most(guarantee)}." if math.isfinite(guarantee.value) else ""
    text = f"{literal(attack_bound.odds(guarantee).sentence)}{right}"
    return f"{text} ({literal(title)}{weakest})"
