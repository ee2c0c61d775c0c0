"""The tables of docs/measured: every method at four imbalance ratios and three budgets, and the
papers' claims against them.

    python -m benchmarks.results            print the tables
    python -m benchmarks.results --write    put them into docs/measured

Budgets are on the zCDP axis, so that every method spends the same rho. Figures are means over SEEDS
noise seeds with their standard error. What is stored is not computed again.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable
from itertools import product

import numpy as np

from benchmarks._measured import put
from dpviz import privacy
from dpviz.methods import METHODS
from dpviz.run import experiment
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
    """Scores of all seeds by cell; ``balanced`` or ``minority``."""

    def __init__(self, results: Iterable[Result], score: str) -> None:
        """results: of any cells; score: a field of ``Scores``."""
        self.score = score
        self.values: dict[Cell, list[float]] = defaultdict(list)
        for r in results:
            cell = (r.spec.encoder, r.spec.method, r.spec.ir, r.spec.budget.value)
            self.values[cell].append(100 * getattr(r.scores, score))

    def mean(self, *cell) -> float:
        """Mean over seeds in percent."""
        return float(np.mean(self.values[cell]))

    def error(self, *cell) -> float:
        """Standard error of the mean in percentage points."""
        values = self.values[cell]
        return float(np.std(values, ddof=1) / math.sqrt(len(values)))

    def text(self, *cell) -> str:
        """Mean ± standard error."""
        return (
            f"{self.mean(*cell):.1f} ± {self.error(*cell):.1f}"
            if METHODS[cell[1]].private
            else f"{self.mean(*cell):.1f}"
        )

    def beats(self, one: Cell, other: Cell) -> int:
        """1 if ``one`` is better by more than two standard errors of the difference, -1 if worse,
        else 0.
        """
        gap = self.mean(*one) - self.mean(*other)
        error = 2 * math.hypot(self.error(*one), self.error(*other))
        return 0 if abs(gap) <= error else (1 if gap > 0 else -1)

    def best(self, encoder: str, methods: Iterable[str], ir: float, budget: float) -> Cell:
        """The cell of the best of some methods."""
        return max(((encoder, m, ir, budget) for m in methods), key=lambda cell: self.mean(*cell))


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


def compare(table: Table, pairs: list[tuple[Cell, Cell]]) -> str:
    """The verdict on "the first beats the second" over all pairs, with every pair's figures."""
    figures = "; ".join(
        f"{_place(a)}: {a[1]} {table.text(*a)}, {b[1]} {table.text(*b)}" for a, b in pairs
    )
    return folded(
        verdict([table.beats(a, b) for a, b in pairs]),
        f"{table.score.capitalize()} accuracy, %: {figures}.",
    )


def folded(short: str, long: str) -> str:
    """A line whose figures open on a click."""
    return f"{short} <details><summary>figures</summary>{long}</details>"


def _place(cell: Cell) -> str:
    return f"{cell[0]}, IR {cell[2]:g}, ρ {cell[3]:g}"


def claims(balanced: Table, minority: Table) -> dict[str, str]:
    """Each claim of the DPPL papers with what was measured."""
    best = BEST
    cells = [(ir, b) for ir in (50, 100) for b in BUDGETS]
    rows: dict[str, Callable[[], str]] = {
        "Prototypes beat the baselines on the minority once classes are imbalanced (IR 50 and 100;"
        " best of each family)": lambda: compare(
            minority,
            [
                (minority.best(best, PROTOTYPES, *c), minority.best(best, BASELINES, *c))
                for c in cells
            ],
        ),
        "DPPL-Public beats DPPL-Mean at the small budget": lambda: compare(
            balanced,
            [((best, "dppl-public", ir, 0.1), (best, "dppl-mean", ir, 0.1)) for ir in RATIOS],
        ),
        "DPPL-Mean beats DPPL-Public at the large budget": lambda: compare(
            balanced,
            [((best, "dppl-mean", ir, 10.0), (best, "dppl-public", ir, 10.0)) for ir in RATIOS],
        ),
        "DP-LS is the strongest when classes are balanced": lambda: compare(
            balanced,
            [
                ((best, "dp-ls", 1, b), balanced.best(best, set(_private()) - {"dp-ls"}, 1, b))
                for b in BUDGETS
            ],
        ),
        "DPPL-PublicK lies between DPPL-Public and DPPL-Mean": lambda: between(balanced, best),
        "A projection layer does not help (each DPPL method against its projected form)": lambda: (
            compare(
                balanced,
                [
                    ((best, m, ir, b), (best, f"{m}-projected", ir, b))
                    for m in PROTOTYPES[:2]
                    for ir in RATIOS
                    for b in BUDGETS
                ],
            )
        ),
        "A better encoder helps every method (glyphnet against lite0, ρ 1)": lambda: compare(
            balanced,
            [
                ((BEST, m, ir, 1.0), (WEAKER, m, ir, 1.0))
                for ir in GRIDS[WEAKER][0]
                for m in _private()
                if m in _keys(WEAKER)
            ],
        ),
    }
    return {claim: measure() for claim, measure in rows.items()}


def between(table: Table, encoder: str) -> str:
    """How often the means of DPPL-PublicK lie between those of its two relatives."""
    texts, inside = [], 0
    for ir in RATIOS:
        for b in BUDGETS:
            low, high = sorted(table.mean(encoder, m, ir, b) for m in ("dppl-public", "dppl-mean"))
            middle = table.mean(encoder, "dppl-publick", ir, b)
            slack = 2 * table.error(encoder, "dppl-publick", ir, b)
            inside += low - slack <= middle <= high + slack
            texts.append(f"IR {ir}, ρ {b:g}: {middle:.1f} beside {low:.1f} to {high:.1f}")
    cells = len(texts)
    word = (
        "holds here"
        if inside == cells
        else "does not hold here"
        if inside == 0
        else "holds only in part here"
    )
    return folded(
        f"**{word}** ({inside} of {cells} cells, with two standard errors of slack)",
        f"Balanced, %: {'; '.join(texts)}.",
    )


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
        f"`{DATASET}`, {SEEDS} noise seeds, mean ± standard error, ρ-zCDP axis, default settings,"
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
    parts.append("A difference counts where it exceeds two standard errors.")
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
