"""A promise in words: its own notion, the others, to whom it is made, and what it leaves to an
attacker.
"""

from __future__ import annotations

from collections.abc import Mapping

from dpviz.diagnostics import attack_bound
from dpviz.types import Guarantee
from dpviz.words import literal, number

NOTIONS = {
    "pure": "pure DP, ε",
    "zcdp": "zCDP, ρ",
    "gdp": "Gaussian DP, μ",
    "approx": "(ε, δ)-DP, ε",
}

LESS = (
    "; less is promised than to a person, as one record more or less makes another person: one out"
    " and one in, which may move a clipped sum, or the votes of two teachers, twice as far"
)
"""Why one record may be promised less than all of a person's."""


def headline(given: Guarantee) -> str:
    """A promise in its own notion."""
    return f"{NOTIONS[given.notion]} = {number(given.value)}"


def rows_of(given: Guarantee, axis: str = "approx") -> list[tuple[str, str]]:
    """A promise in the other notions, and to whom it is made."""
    rows = [
        ("as (ε, δ)-DP", f"ε = {number(given.epsilon_delta)} at δ = {number(given.delta)}"),
        ("as zCDP", f"ρ = {number(given.rho)}"),
        ("neighbours", given.adjacency),
        ("unit", given.unit),
        *_of_record(given),
        ("taken as public", given.public),
        ("begins", given.starts),
        ("defaults", given.defaults),
        ("source", given.source),
    ]
    if axis == "paper" and given.notion == "pure":
        rows.insert(
            2,
            (
                "paper prints",
                f"ε = {number(given.value / 2)}; as pure DP it is {number(given.value)}",
            ),
        )
    return rows


def _of_record(given: Guarantee) -> list[tuple[str, str]]:
    """What the same release promises to one record, where the promise is to a person."""
    if given.of_record is None:
        return []
    told = f"ε = {number(given.of_record)} at δ = {number(given.delta)}, if that record is kept"
    return [("to one record", told + LESS * (given.of_record > given.epsilon_delta))]


def odds(promises: Mapping[str, Guarantee]) -> str:
    """What the weakest promise leaves to an attacker, in Markdown; ``promises`` by title."""
    title = max(promises, key=lambda title: attack_bound.most_right(promises[title]))
    weakest = ", the weakest promise here" if len(promises) > 1 else ""
    return f"{literal(attack_bound.odds(promises[title]).sentence)} ({literal(title)}{weakest})"
