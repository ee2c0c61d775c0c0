"""Who is ahead, and what luck could have made: settings in order, in groups that cannot be told
apart.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from string import ascii_lowercase
from typing import Generic, TypeVar

from dpviz.stats import Interval, signs

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True)
class Ranked(Generic[Key]):
    """A setting in its place: the settings that share a letter cannot be told apart, and those that
    share none can.
    """

    key: Key
    point: Interval
    letters: str


def ranked(
    some: Mapping[str, Mapping[Key, Interval]],
) -> dict[str, list[Ranked[Key]]]:
    """Each ranking from the highest, the comparisons of all rankings told together (Holm).

    Args:
        some: points of each ranking, such as those of a panel.
    Source: letters that show all pairwise comparisons, Piepho 2004.
    """
    pairs = {
        (name, a, b): (points[a], points[b])
        for name, points in some.items()
        for a, b in combinations(points, 2)
    }
    clear = [key for key, sign in signs(pairs).items() if sign]
    return {
        name: _lettered(points, [{a, b} for of, a, b in clear if of == name])
        for name, points in some.items()
    }


def _lettered(points: Mapping[Key, Interval], clear: Iterable[set[Key]]) -> list[Ranked[Key]]:
    order = sorted(points, key=lambda key: -points[key].mean)
    groups = sorted(_tied_groups(order, clear), key=lambda group: min(map(order.index, group)))
    letters = {
        key: "".join(_letter(i) for i, group in enumerate(groups) if key in group) for key in order
    }
    return [Ranked(key, points[key], letters[key]) for key in order]


def _letter(place: int) -> str:
    turn, letter = divmod(place, len(ascii_lowercase))
    return ascii_lowercase[letter] + str(turn + 1) * (turn > 0)


def _tied_groups(keys: Iterable[Key], clear: Iterable[set[Key]]) -> list[frozenset[Key]]:
    """The largest groups within which no pair can be told apart: each pair that can splits the
    groups that hold both.
    """
    groups = [frozenset(keys)]
    for pair in clear:
        split = []
        for group in groups:
            split += [group - {one} for one in pair] if pair <= group else [group]
        split = list(dict.fromkeys(split))
        groups = [g for g in split if not any(g < other for other in split)]
    return groups


def leader(rows: list[Ranked[Key]]) -> tuple[Key, bool]:
    """Who is highest, and whether that is told apart from all others."""
    top, *others = rows
    return top.key, not any(set(top.letters) & set(other.letters) for other in others)
