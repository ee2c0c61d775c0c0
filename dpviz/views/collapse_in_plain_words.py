"""What the page "Neural collapse" says to someone who knows no statistics."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from dpviz.stats import Interval, signs
from dpviz.types import Guarantee
from dpviz.views.whole_numbers import guess
from dpviz.words import listed

LOOK = (
    "A row is a way to turn pictures into numbers (features). Left: how far pictures lie from the"
    " middle of their class: a narrow hump near 0 means that a class is one tight clump. Right: how"
    " many are recognised, with noise (filled) and without. Move **Budget ε** to the left first."
)


@dataclass(frozen=True)
class Cost:
    """One kind of features: its name, how wide its classes are against their distance, and what
    noise costs there.
    """

    title: str
    spread: float
    lost: Interval


def sentence(costs: Sequence[Cost], promises: Sequence[Guarantee]) -> str:
    """How many in 100 fewer are recognised for the noise, on each kind of features, and whether
    tighter classes pay less.
    """
    if not costs:
        return "Nothing is drawn yet."
    told = [f"**{_fewer(one.lost)}** with the features {one.title}" for one in costs]
    return (
        f"Because of the noise, of 100 pictures so many fewer are recognised: {listed(told)}."
        f"{_order(costs)} {guess(promises)}."
    )


def _fewer(lost: Interval) -> str:
    value = 100 * lost.mean
    if lost.low <= 0 <= lost.high:
        return "none that luck cannot make"
    return "less than 1" if 0 < value < 0.5 else str(round(value))


def _order(costs: Sequence[Cost]) -> str:
    """Whether the tighter the classes, the less is lost."""
    ranked = [one.lost for one in sorted(costs, key=lambda one: one.spread)]
    if len(ranked) < 3:
        return (
            " The idea: where each class is one tight clump, noise has to be large before it moves"
            " a picture into another class. Two kinds of features are too few to test that."
        )
    steps = signs(dict(enumerate(itertools.pairwise(ranked)))).values()
    if min(steps) < 0:
        return " “The tighter each class lies together, the less noise costs” does not hold here."
    if max(steps) == 0:
        return " Luck alone can make the differences."
    return " The tighter each class lies together, the less noise costs: so it is here."
