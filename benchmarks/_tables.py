"""Tables of accuracies by place, method and budget, and claims told on them."""

from __future__ import annotations

import math
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from dpviz import privacy
from dpviz.experiments import experiment
from dpviz.stats import Interval, accuracy, signs
from dpviz.types import Budget, DataConfig, Result, RunSpec

SEEDS, TRAINED_SEEDS, DRAWS = 100, 20, 5
"""Noise seeds in each data draw, of methods without training and of trained ones; data draws."""
TABLE_DRAWS, TABLE_SEEDS = 20, 5
"""In tables of all methods: data draws, and noise seeds of their own in each, 1 of trained ones."""
LONG = {"adamix": "AdaMix", "ppgd": "PPGD"}
"""Methods of thousands of steps: DRAWS data draws with LONG_SEEDS seeds, which run side by side."""
LONG_SEEDS = 4
FEWER_DRAWS = 10
"""Data draws where a run of a trained method takes a second or more."""
UNTRAINED = frozenset(
    ("dppl-mean", "dppl-public", "dppl-publick", "dppl-mean-projected", "dppl-public-projected")
)
"""Methods of which a run takes milliseconds."""

Cell = tuple[str, str, float]
"""(place, row, budget): which data are read and to whom the promise is; which method."""


class Table:
    """Accuracies by cell; ``balanced`` or ``minority``."""

    def __init__(
        self,
        results: Iterable[Result],
        score: str,
        place: Callable[[RunSpec], str],
        row: Callable[[RunSpec], str] = lambda spec: spec.method,
        axis: str = "ρ",
    ) -> None:
        """results: of any cells, all seeds; score: a field of ``Scores``; place, row: of a cell;
        axis: letter of the budgets' axis.
        """
        self.score, self.axis = score, axis
        cells: dict[Cell, list[Result]] = defaultdict(list)
        for r in results:
            cells[place(r.spec), row(r.spec), r.spec.budget.value].append(r)
        self.points = {cell: accuracy(runs, score) for cell, runs in cells.items()}

    def mean(self, *cell: Any) -> float:
        """Mean over seeds in percent."""
        return 100 * self.points[cell].mean

    def text(self, *cell: Any) -> str:
        """Mean ± half of its 95% interval."""
        return plus_minus(self.points[cell])

    def best(self, cells: Iterable[Cell]) -> Cell:
        """The cell with the highest mean."""
        return max(cells, key=lambda cell: self.mean(*cell))

    def markdown(
        self, rows: Iterable[str], places: Mapping[str, str], budgets: Sequence[float]
    ) -> str:
        """A row a method, a column a place and budget; places: each with its words in the head."""
        columns = list(product(places, budgets))
        head = [f"{places[place]}, {self.axis} {b:g}" for place, b in columns]
        lines = [f"| {self.score}, % | " + " | ".join(head) + " |"]
        lines.append("| --- |" + " ---: |" * len(head))
        for row in rows:
            cells = [self.text(place, row, b) for place, b in columns]
            lines.append(f"| `{row}` | " + " | ".join(cells) + " |")
        return "\n".join(lines)


def specs_by_draw(
    material: DataConfig,
    method: str,
    budgets: Sequence[Budget],
    draws: int,
    seeds: Callable[[int], range],
    params: Mapping[str, Any] | None = None,
) -> list[RunSpec]:
    """One spec per data draw, budget and noise seed; ``seeds``: noise seeds of a draw."""
    return [
        spec
        for draw in range(draws)
        for spec in experiment.specs(
            replace(material, draw=draw), method, budgets, seeds(draw), params
        )
    ]


def statement_specs(material: DataConfig, method: str, budgets: Sequence[Budget]) -> list[RunSpec]:
    """Specs behind a statement on two methods: every data draw has the same noise seeds."""
    seeds = range(SEEDS if method in UNTRAINED else TRAINED_SEEDS)
    return specs_by_draw(material, method, budgets, DRAWS, lambda _: seeds)


def table_specs(
    material: DataConfig,
    method: str,
    budgets: Sequence[Budget],
    params: Mapping[str, Any] | None = None,
    draws: int = TABLE_DRAWS,
) -> list[RunSpec]:
    """Specs of a method in a table of all methods: no two data draws share a noise seed."""
    size = TABLE_SEEDS if method in UNTRAINED else 1
    if method in LONG:
        draws, size = DRAWS, LONG_SEEDS
    return specs_by_draw(
        material,
        method,
        budgets,
        draws,
        lambda draw: range(size * draw, size * (draw + 1)),
        params,
    )


def run_counts(methods: Iterable[str], draws: int = TABLE_DRAWS) -> str:
    """How many data draws and noise seeds ``table_specs`` has for these methods."""
    counts = f"{draws} data draws with {TABLE_SEEDS} noise seeds each, 1 where a method is trained"
    present = set(methods)
    names = " and ".join(name for key, name in LONG.items() if key in present)
    return f"{counts} ({names}: {DRAWS} with {LONG_SEEDS})" if names else counts


def plus_minus(point: Interval) -> str:
    """``93.6 ± 1.5``: mean and half of its 95% interval, in percent; at 0 or 100% what is left of
    it.
    """
    half = max(point.high - point.mean, point.mean - point.low)
    return f"{100 * point.mean:.1f} ± {100 * half:.1f}"


def epsilons(budgets: Iterable[float]) -> str:
    """What budgets rho are in epsilon at delta 1e-5 where noise is Gaussian."""
    return ", ".join(f"ε {privacy.gdp_epsilon(math.sqrt(2 * b), 1e-5):.1f}" for b in budgets)


def progress(stage: str, completed: int, total: int) -> None:
    """How far a sweep is, on one line of the standard error stream."""
    print(f"\r{stage}: {completed} of {total}\033[K", end="", file=sys.stderr, flush=True)


# ------------------------------------------------------------------------------------------- claims


def verdict(signs: list[int]) -> str:
    """In words, from one sign a comparison."""
    for_it, against, level = signs.count(1), signs.count(-1), signs.count(0)
    if for_it == len(signs):
        word = "holds here"
    elif for_it and not against:
        word = "holds here where the difference is significant"
    elif against and not for_it:
        word = "does not hold here"
    else:
        word = "undecided" if not for_it else "holds only in part here"
    return f"**{word}** ({for_it} for, {against} against, {level} not significant)"


Pairs = Sequence[tuple[Cell, Cell]]


@dataclass(frozen=True)
class Claim:
    """That the first of each pair beats the second; ``looked_at``: further pairs from which these
    were picked.
    """

    table: Table
    pairs: Pairs
    looked_at: Pairs = ()

    def told(self) -> dict[Any, tuple[Interval, Interval]]:
        """All that this compares, by score and pair: the second, then the first."""
        points = self.table.points
        return {
            (self.table.score, a, b): (points[b], points[a])
            for a, b in dict.fromkeys((*self.pairs, *self.looked_at))
        }

    def measured(self, all_signs: Mapping[Any, int]) -> str:
        """The verdict from the signs of all that the page compares, with every pair's figures."""
        return folded(
            verdict([all_signs[self.table.score, a, b] for a, b in self.pairs]), self._figures()
        )

    def _figures(self) -> str:
        text, axis = self.table.text, self.table.axis
        figures = (
            f"{_where(a, axis)}: {a[1]} {text(*a)}, {_other(b, a)} {text(*b)}"
            for a, b in self.pairs
        )
        return f"{self.table.score.capitalize()} accuracy, %: {'; '.join(figures)}."


@dataclass(frozen=True)
class Wins(Claim):
    """As the claim, and says where the first is told to be ahead and where behind."""

    def measured(self, all_signs: Mapping[Any, int]) -> str:
        """The verdict, the cells of either side, and every pair's figures."""
        score = self.table.score
        places: dict[int, list[str]] = {1: [], -1: []}
        for a, b in self.pairs:
            if sign := all_signs[score, a, b]:
                places[sign].append(_where(a, self.table.axis))
        sides = zip(("ahead", "behind"), places.values(), strict=True)
        winning_places = "; ".join(
            f"{side} at {', '.join(cells)}" for side, cells in sides if cells
        )
        statement = verdict([all_signs[score, a, b] for a, b in self.pairs])
        return folded(
            f"{statement}: {winning_places}." if winning_places else f"{statement}.",
            self._figures(),
        )


@dataclass(frozen=True)
class NotBelow(Claim):
    """That the first of no pair is below the second."""

    def measured(self, all_signs: Mapping[Any, int]) -> str:
        """In how many pairs it is not told to be."""
        fine = sum(all_signs[self.table.score, a, b] >= 0 for a, b in self.pairs)
        counts = f"({fine} of {len(self.pairs)} pairs in which it is not told to be below)"
        return folded(f"**{_in_how_many(fine, len(self.pairs))}** {counts}", self._figures())


@dataclass(frozen=True)
class Between(Claim):
    """That DPPL-PublicK lies between DPPL-Public and DPPL-Mean: pairs of it with either."""

    def measured(self, all_signs: Mapping[Any, int]) -> str:
        """In how many cells it is not told to lie outside."""
        score, table, texts, inside = self.table.score, self.table, [], 0
        for (k, public), (_, mean) in zip(self.pairs[::2], self.pairs[1::2], strict=True):
            signs_of = {all_signs[score, k, public], all_signs[score, k, mean]}
            inside += 0 in signs_of or len(signs_of) == 2
            low, high = sorted(table.mean(*cell) for cell in (public, mean))
            texts.append(f"{_where(k)}: {table.mean(*k):.1f} beside {low:.1f} to {high:.1f}")
        counts = f"({inside} of {len(texts)} cells in which it is not told to lie outside)"
        return folded(
            f"**{_in_how_many(inside, len(texts))}** {counts}", f"Balanced, %: {'; '.join(texts)}."
        )


def told(claims: Mapping[str, Claim]) -> str:
    """Each claim with what was measured, all that they compare told together."""
    result_signs = signs(
        {key: pair for claim in claims.values() for key, pair in claim.told().items()}
    )
    return "\n".join(
        f"- {statement}: {claim.measured(result_signs)}" for statement, claim in claims.items()
    )


def folded(short: str, long: str) -> str:
    """A line whose figures open on a click."""
    return f"{short} <details><summary>figures</summary>{long}</details>"


def _in_how_many(count: int, total: int) -> str:
    return {total: "holds here", 0: "does not hold here"}.get(count, "holds only in part here")


def _where(cell: Cell, axis: str = "ρ") -> str:
    return f"{cell[0]}, {axis} {cell[2]:g}"


def _other(cell: Cell, beside: Cell) -> str:
    """A cell in as few words as tell it from another."""
    place, row, _ = cell
    return row if row != beside[1] or place == beside[0] else place
