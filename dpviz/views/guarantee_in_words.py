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


def gain(given: Guarantee) -> str:
    """What an attacker could gain, in whole numbers: the headline of the plain voice."""
    right = attack_bound.most_right(given)
    if right == 1:
        return "A guess may be right every time"
    return f"A guess {limit(right).replace('**', '')}"


def guess_subject(given: Guarantee) -> str:
    """Whose guess that is, and what a guess without the release would be."""
    if attack_bound.most_right(given) == 1:
        return f"Nothing limits how surely anyone can find out whether {subject_text(given)}."
    return (
        f"The guess: whether {subject_text(given)}, by someone for whom it was a coin toss before"
        " (right 50 times in 100), whatever else they know."
    )


def right_at_most(given: Guarantee) -> str:
    """The largest share of right answers of any attacker who held both for equally likely, rounded
    up to a tenth of a percent.
    """
    right = percent_up(attack_bound.most_right(given))
    if right.startswith("more"):
        return "right nearly every time, prior 1/2"
    return f"{right} % right at most, prior 1/2"


def headline(given: Guarantee) -> str:
    """A promise in its own notion."""
    return f"{NOTIONS[given.notion]} = {number(given.value)}"


def rows_of(given: Guarantee, axis: str = "approx") -> list[tuple[str, str]]:
    """A promise in the other notions, and to whom it is made."""
    rows = [
        ("an attacker is", right_at_most(given)),
        ("as (ε, δ)-DP", f"ε = {number(given.epsilon_delta)} at δ = {number(given.delta)}"),
        ("as zCDP", f"ρ = {number(given.rho)}"),
        ("neighbours", given.adjacency),
        ("unit", given.unit),
        *_record_rows(given),
        ("taken as public", given.public),
        *([("own images", held_aside.treated(given.held_aside))] if given.held_aside else []),
        *([("steps", given.schedule)] if given.schedule else []),
        ("begins", given.starts),
        ("defaults", given.defaults),
        ("source", given.source),
    ]
    if axis == "paper" and given.notion == "pure":
        rows.insert(
            3,
            (
                "paper prints",
                f"ε = {number(given.value / 2)}; as pure DP it is {number(given.value)}",
            ),
        )
    return rows


def _record_rows(given: Guarantee) -> list[tuple[str, str]]:
    """What the same release promises to one record, where the promise is to a person."""
    if given.of_record is None:
        return []
    told = f"ε = {number(given.of_record)} at δ = {number(given.delta)}, if that record is kept"
    return [("to one record", told + RECORD_REASON * (given.of_record > given.epsilon_delta))]


def odds(promises: Mapping[str, Guarantee], precise: bool = True) -> str:
    """What the weakest promise leaves to an attacker, in Markdown; ``promises`` by title."""
    title = max(promises, key=lambda title: attack_bound.most_right(promises[title]))
    given = promises[title]
    rights = [attack_bound.most_right(one) for one in promises.values()]
    weakest = ", the weakest promise here" if min(rights) < max(rights) else ""
    if not precise:
        return f"{guess([given])} ({literal(title)}{weakest})."
    right = f" Right answers: {right_at_most(given)}." if math.isfinite(given.value) else ""
    said = f"{literal(attack_bound.odds(given).sentence)}{right}"
    return f"{said} ({literal(title)}{weakest})"
