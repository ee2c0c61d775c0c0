"""The tables of docs/measured: every method at four imbalance ratios and three budgets, and the
papers' claims against them.

    python -m benchmarks.results            print the tables
    python -m benchmarks.results --write    put them into docs/measured

Budgets are on the zCDP axis, so that every method spends the same rho. Figures are means over SEEDS
noise seeds with half of their 95 % interval, from seeds and test records together. What is stored
is not computed again.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from benchmarks._measured import put
from dpviz import privacy
from dpviz.methods import METHODS
from dpviz.run import experiment
from dpviz.stats import Interval, accuracy, signs
from dpviz.types import Budget, Material, Result

RATIOS = (1, 10, 50, 100)
BUDGETS = (0.1, 1.0, 10.0)
SEEDS = 10
DATASET = "mnist5k"
BEST, WEAKER = "glyphnet", "lite0"
SLOW = {WEAKER: {"dp-newton"}}
"""Left out where one cell takes a minute: fifty eigendecompositions in 1,280 dimensions."""
GRIDS = {BEST: (RATIOS, BUDGETS), WEAKER: ((1, 50), (1.0,))}
"""Imbalance ratios and budgets of each encoder's table."""
BASELINES = ("noisy-gd", "global-adapt", "dp-ls", "dp-newton", "dp-fc")
PROTOTYPES = ("dppl-mean", "dppl-public", "dppl-publick")
Cell = tuple[str, str, float, float]
"""(encoder, method, imbalance ratio, budget)"""


class Table:
    """Accuracies by cell; ``balanced`` or ``minority``."""

    def __init__(self, results: Iterable[Result], score: str) -> None:
        """results: of any cells, every seed; score: a field of ``Scores``."""
        self.score = score
        cells: dict[Cell, list[Result]] = defaultdict(list)
        for r in results:
            cells[r.spec.encoder, r.spec.method, r.spec.ir, r.spec.budget.value].append(r)
        self.points = {cell: accuracy(mine, score) for cell, mine in cells.items()}

    def mean(self, *cell) -> float:
        """Mean over seeds in percent."""
        return 100 * self.points[cell].mean

    def text(self, *cell) -> str:
        """Mean ± half of its 95 % interval."""
        return plus_minus(self.points[cell])

    def best(self, encoder: str, methods: Iterable[str], ir: float, budget: float) -> Cell:
        """The cell of the best of some methods."""
        return max(((encoder, m, ir, budget) for m in methods), key=lambda cell: self.mean(*cell))


def plus_minus(point: Interval) -> str:
    """``93.6 ± 1.5``: mean and half of its 95 % interval, in percent; at 0 or 100 % what is left of
    it.
    """
    half = max(point.high - point.mean, point.mean - point.low)
    return f"{100 * point.mean:.1f} ± {100 * half:.1f}"


def collect(encoder: str) -> list[Result]:
    """All cells of one encoder, from the store where they are there."""
    ratios, values = GRIDS[encoder]
    budgets = [Budget(b, "zcdp") for b in values]
    cells = [(m, ir) for ir in ratios for m in _keys(encoder)]
    wanted = [
        s
        for m, ir in cells
        for s in experiment.specs(Material(DATASET, encoder, ir=ir), m, budgets, range(SEEDS))
    ]
    return experiment.sweep(wanted, progress=_progress)


def _keys(encoder: str) -> list[str]:
    return [key for key in METHODS if key not in SLOW.get(encoder, ())]


def _progress(what: str, done: int, total: int) -> None:
    print(f"\r{what}: {done} of {total}\033[K", end="", file=sys.stderr, flush=True)


def markdown(table: Table, encoder: str) -> str:
    """One table: a row a method, a column a ratio and budget."""
    columns = list(product(*GRIDS[encoder]))
    head = [f"IR {ir}, ρ {b:g}" for ir, b in columns]
    lines = [f"| {table.score}, % | " + " | ".join(head) + " |", "| --- |" + " ---: |" * len(head)]
    for key in _keys(encoder):
        cells = [table.text(encoder, key, *column) for column in columns]
        lines.append(f"| `{key}` | " + " | ".join(cells) + " |")
    return "\n".join(lines)


# ------------------------------------------------------------------------------------------- claims


def verdict(signs: list[int]) -> str:
    """In words, from one sign a comparison."""
    for_it, against, level = signs.count(1), signs.count(-1), signs.count(0)
    if for_it == len(signs):
        word = "holds here"
    elif for_it and not against:
        word = "holds here where a difference can be told"
    elif against and not for_it:
        word = "does not hold here"
    else:
        word = "cannot be told" if not for_it else "holds only in part here"
    return f"**{word}** ({for_it} for, {against} against, {level} within noise)"


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

    def measured(self, found: Mapping[Any, int]) -> str:
        """The verdict from the signs of all that the page compares, with every pair's figures."""
        text, score = self.table.text, self.table.score
        figures = "; ".join(
            f"{_place(a)}: {a[1]} {text(*a)}, {b[1]} {text(*b)}" for a, b in self.pairs
        )
        return folded(
            verdict([found[score, a, b] for a, b in self.pairs]),
            f"{score.capitalize()} accuracy, %: {figures}.",
        )


@dataclass(frozen=True)
class Between(Claim):
    """That DPPL-PublicK lies between DPPL-Public and DPPL-Mean: pairs of it with either."""

    def measured(self, found: Mapping[Any, int]) -> str:
        """In how many cells it is not told to lie outside."""
        score, table, texts, inside = self.table.score, self.table, [], 0
        for (k, public), (_, mean) in zip(self.pairs[::2], self.pairs[1::2], strict=True):
            signs_of = {found[score, k, public], found[score, k, mean]}
            inside += 0 in signs_of or len(signs_of) == 2
            low, high = sorted(table.mean(*cell) for cell in (public, mean))
            texts.append(f"{_place(k)}: {table.mean(*k):.1f} beside {low:.1f} to {high:.1f}")
        word = {len(texts): "holds here", 0: "does not hold here"}.get(
            inside, "holds only in part here"
        )
        return folded(
            f"**{word}** ({inside} of {len(texts)} cells in which it is not told to lie outside)",
            f"Balanced, %: {'; '.join(texts)}.",
        )


def folded(short: str, long: str) -> str:
    """A line whose figures open on a click."""
    return f"{short} <details><summary>figures</summary>{long}</details>"


def _place(cell: Cell) -> str:
    return f"{cell[0]}, IR {cell[2]:g}, ρ {cell[3]:g}"


def claims(balanced: Table, minority: Table) -> dict[str, str]:
    """Each claim of the DPPL papers with what was measured, all told together."""
    best, imbalanced = BEST, [(ir, b) for ir in (50, 100) for b in BUDGETS]
    everywhere = list(product(RATIOS, BUDGETS))
    rivals = [m for m in _private() if m != "dp-ls"]
    rows = {
        "Prototypes beat the baselines on the minority once classes are imbalanced (IR 50 and 100;"
        " best of each family)": Claim(
            minority,
            [
                (minority.best(best, PROTOTYPES, *c), minority.best(best, BASELINES, *c))
                for c in imbalanced
            ],
            [
                ((best, p, *c), (best, m, *c))
                for c in imbalanced
                for p, m in product(PROTOTYPES, BASELINES)
            ],
        ),
        "DPPL-Public beats DPPL-Mean at the small budget": Claim(
            balanced,
            [((best, "dppl-public", ir, 0.1), (best, "dppl-mean", ir, 0.1)) for ir in RATIOS],
        ),
        "DPPL-Mean beats DPPL-Public at the large budget": Claim(
            balanced,
            [((best, "dppl-mean", ir, 10.0), (best, "dppl-public", ir, 10.0)) for ir in RATIOS],
        ),
        "DP-LS is the strongest when classes are balanced": Claim(
            balanced,
            [((best, "dp-ls", 1, b), balanced.best(best, rivals, 1, b)) for b in BUDGETS],
            [((best, "dp-ls", 1, b), (best, m, 1, b)) for b in BUDGETS for m in rivals],
        ),
        "DPPL-PublicK lies between DPPL-Public and DPPL-Mean": Between(
            balanced,
            [
                ((best, "dppl-publick", *c), (best, m, *c))
                for c in everywhere
                for m in ("dppl-public", "dppl-mean")
            ],
        ),
        "A projection layer does not help (each DPPL method against its projected form)": Claim(
            balanced,
            [
                ((best, m, *c), (best, f"{m}-projected", *c))
                for m in PROTOTYPES[:2]
                for c in everywhere
            ],
        ),
        "A better encoder helps every method (glyphnet against lite0, ρ 1)": Claim(
            balanced,
            [
                ((BEST, m, ir, 1.0), (WEAKER, m, ir, 1.0))
                for ir in GRIDS[WEAKER][0]
                for m in _private()
                if m in _keys(WEAKER)
            ],
        ),
    }
    found = signs({key: pair for row in rows.values() for key, pair in row.told().items()})
    return {claim: row.measured(found) for claim, row in rows.items()}


MIXED = ("adamix", "only-public")
"""Of another paper, with labelled public data: in the tables, not in these claims."""


def _private() -> list[str]:
    return [key for key, method in METHODS.items() if method.private and key not in MIXED]


def story() -> str:
    """Two statements on the (epsilon, delta) axis: who wins for the minority at IR 50, and Mean's
    limit at IR 1.
    """
    budgets = [Budget(b) for b in (0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 3.0, 10.0)]
    pair = ("dppl-public", "noisy-gd")
    at_50 = [
        s
        for m in pair
        for s in experiment.specs(Material(DATASET, BEST, ir=50), m, budgets, range(SEEDS))
    ]
    minority = Table(experiment.sweep(at_50, progress=_progress), "minority")
    cells = [tuple((BEST, m, 50, b.value) for m in pair) for b in budgets]
    public, probe = max(cells, key=lambda c: minority.mean(*c[0]) - minority.mean(*c[1]))
    at_1 = [
        s
        for m in ("dppl-mean", "class-mean")
        for s in experiment.specs(Material(DATASET, BEST, ir=1), m, budgets[-1:], range(SEEDS))
    ]
    balanced = Table(experiment.sweep(at_1, progress=_progress), "balanced")
    mean, limit = ((BEST, m, 1, 10.0) for m in ("dppl-mean", "class-mean"))
    return (
        f"At IR 50 the gap is widest at ({public[3]:g}, 1e-5)-DP: the minority is right"
        f" {minority.text(*public)} % of the time with DPPL-Public and {minority.text(*probe)} %"
        " with the private linear probe. At IR 1 and (10, 1e-5)-DP DPPL-Mean reaches"
        f" {balanced.text(*mean)} %, without noise {balanced.text(*limit)} %."
    )


# ------------------------------------------------------------------------------------------- output


def report() -> str:
    """Tables and claims as markdown."""
    results = [r for encoder in GRIDS for r in collect(encoder)]
    balanced, minority = Table(results, "balanced"), Table(results, "minority")
    minority_names = ", ".join(map(str, results[0].minority_classes))
    parts = [
        f"`{DATASET}`, {SEEDS} noise seeds, mean ± half of its 95 % interval from seeds and test"
        " records together, ρ-zCDP axis, default settings,"
        f" public set `glyphs`. The minority is the digits {minority_names}. Made by `python -m"
        " benchmarks.results --write`. ρ 0.1, 1 and 10 are"
        f" {', '.join(f'ε {privacy.gdp_epsilon(math.sqrt(2 * b), 1e-5):.1f}' for b in BUDGETS)} at"
        " δ = 1e-5 for Gaussian noise: the papers' small budgets are smaller. **" + story() + "**"
    ]
    for encoder in GRIDS:
        parts += [
            f"## Encoder `{encoder}`",
            markdown(balanced, encoder),
            markdown(minority, encoder),
        ]
    parts.append("## What the DPPL papers claim, and what holds here")
    parts.append(
        "A difference counts where noise seeds and test records together tell it, all comparisons"
        " of this list taken into account, and those from which a best one was picked (Holm)."
    )
    parts.append(
        "\n".join(
            f"- {claim}: {measured}" for claim, measured in claims(balanced, minority).items()
        )
    )
    return "\n\n".join(parts)


def main() -> None:
    """Print the report, or put it into docs/measured."""
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--write", action="store_true", help="put the tables into docs/measured")
    write, text = options.parse_args().write, report()
    put("methods", text) if write else print(text)


if __name__ == "__main__":
    main()
