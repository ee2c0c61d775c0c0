"""Sentences of the page "Neural collapse" in plain words, and those on its theory."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dpviz.formatting import listed
from dpviz.stats import Interval, signs
from dpviz.types import Guarantee
from dpviz.views.page_as_shown import NOTHING
from dpviz.views.phrases import guess, untested

HOW_TO_READ = (
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
    loss: Interval


def sentence(costs: Sequence[Cost], guarantees: Sequence[Guarantee]) -> str:
    """How many in 100 fewer are recognised for the noise, on each kind of features, and whether
    tighter classes pay less.
    """
    if not costs:
        return NOTHING
    if not all(cost.loss.is_measured for cost in costs):
        return f"{untested()} {guess(guarantees)}."
    texts = [f"**{_loss_text(cost.loss)}** with the features {cost.title}" for cost in costs]
    return (
        f"Because of the noise, of 100 pictures so many fewer are recognised: {listed(texts)}."
        f"{_order_text(costs)} {guess(guarantees)}."
    )


def _loss_text(point: Interval) -> str:
    value = 100 * point.mean
    if point.low <= 0 <= point.high:
        return "none that luck cannot make"
    return "less than 1" if 0 < value < 0.5 else str(round(value))


def _order_text(costs: Sequence[Cost]) -> str:
    """Whether the tighter the classes, the less is lost."""
    points = [cost.loss for cost in sorted(costs, key=lambda cost: cost.spread)]
    if len(points) < 3:
        return (
            " The idea: where each class is one tight clump, noise has to be large before it moves"
            " a picture into another class. Two kinds of features are too few to test that."
        )
    steps = signs(dict(enumerate(itertools.pairwise(points)))).values()
    if min(steps) < 0:
        return " “The tighter each class lies together, the less noise costs” does not hold here."
    if max(steps) == 0:
        return " Luck alone can make the differences."
    return " The tighter each class lies together, the less noise costs: so it is here."


# ------------------------------------------------------------------------------------------- theory


def dimension_map(
    n: int, places: Sequence[int], curve: Sequence[float], steady: Sequence[float]
) -> str:
    """Whether the error grows with dimension along beta = p^(-1/2), and along beta = 0.1.

    Args:
        curve, steady: exact errors at ``places``, rising dimensions.
    """
    free = curve[-1] <= 1.05 * curve[0]
    verdict = "**holds here**" if free else "does **not** hold here"
    ends = f"p = {places[0]:,} to {places[-1]:,}"
    return (
        f"With {n:,} records, from {ends}, one step errs {_error_text(curve[0])} and"
        f" {_error_text(curve[-1])} along the curve β = p^(−1/2), and"
        f" {_error_text(steady[0])} and {_error_text(steady[-1])} at β = 0.1 throughout. That"
        f" dimension does not matter up to the curve {verdict}."
    )


def _error_text(error: float) -> str:
    """An error as so many times in 100, or one time in so many."""
    if error >= 0.01:
        return f"**{100 * error:.0f} times in 100**"
    if error <= 1e-9:
        return "**less than once in a billion**"
    return f"**once in {float(f'{1 / error:.2g}'):,.0f}**"


def records_needed(
    lines: Mapping[str, Mapping[int, float | None]], moved_text: str, wanted: float
) -> str:
    """How many records an error asks for at both ends; ``lines`` by dimension, the exact one and
    the one without noise first.
    """
    exact, free, *_ = lines.values()
    low, high = min(exact), max(exact)
    few, many = exact[low], exact[high]
    start = (
        f"To be wrong at most {100 * wanted:g}% of the time ({moved_text} moved), one private step"
        f" needs **{_records(few)}** in {low:,} dimensions and **{_records(many)}** in {high:,};"
        f" without noise {_records(free[low])} and {_records(free[high])}."
    )
    if few is None or many is None:
        return f"{start} “No number” means that the shift itself makes the error larger."
    if many <= 1.5 * few:
        return f"{start} Dimension does not matter here."
    return (
        f"{start} In {high // low:,} times the dimensions that is **{_ratio_text(many / few)}"
        " times** as many."
    )


def _ratio_text(ratio: float) -> str:
    return f"{ratio:.0f}" if ratio >= 9.5 else f"{ratio:.2g}"


def _records(n: float | None) -> str:
    return "no number" if n is None else f"{n:,.0f} record{'s' if n != 1 else ''}"


def theorems(counts: Mapping[str, int], failing: Sequence[str], t: float) -> str:
    """How many printed bounds hold at the settings, and which do not."""
    counts_text = listed(
        [f"**{count}** {_verdict(outcome, count)}" for outcome, count in counts.items()]
    )
    named = [name.split(",")[0].removeprefix("Theorem ") for name in failing]
    which = f" What fails: Theorem {listed(list(dict.fromkeys(named)))}." if named else ""
    return f"Of {sum(counts.values())} printed bounds {counts_text} (β²p = {t:.2g}).{which}"


def _verdict(verdict: str, count: int) -> str:
    """What several do, where one "holds here"."""
    if count == 1:
        return verdict
    return verdict.replace("holds", "hold").replace("fails", "fail")
