"""The table of docs/measured/beyond.md: methods from beyond the papers beside four that everybody
knows, and where they win.

    python -m benchmarks.beyond            print the tables
    python -m benchmarks.beyond --write    put them into docs/measured

Budgets are (epsilon, 1e-5)-DP. Figures are means over data draws and noise seeds (``_tables``) with
half of their 95% interval, which covers draws, seeds and test records. What is stored is not
computed again.
"""

from __future__ import annotations

from itertools import product

from benchmarks._measured import printed_or_put
from benchmarks._tables import (
    FEWER_DRAWS,
    Claim,
    Table,
    Wins,
    progress,
    run_counts,
    table_specs,
    told,
)
from dpviz.experiments import experiment
from dpviz.methods import METHODS
from dpviz.types import Budget, DataConfig, Result, RunSpec

BEYOND = ("auto-clip", "dpsgd-f", "objective", "scaled-probe")
RIVALS = ("noisy-gd", "dppl-mean", "dppl-public", "dp-ls")
DATA = {"mnist5k": "glyphnet", "clothes": "lite0-128"}
"""Data sets with the encoder each is read by."""
RATIOS = (1, 10, 50)
BUDGETS = (0.1, 1.0, 3.0, 8.0)
SCORES = {"balanced": RATIOS, "minority": RATIOS[1:]}
"""Ratios at which each is told: without imbalance no class is rarer than another."""


def collect() -> list[Result]:
    """All cells, from the store where they are there."""
    budgets = [Budget(b) for b in BUDGETS]
    wanted = [
        spec
        for (dataset, encoder), ir, key in product(DATA.items(), RATIOS, (*BEYOND, *RIVALS))
        for spec in table_specs(
            DataConfig(dataset, encoder, ir=ir), key, budgets, draws=FEWER_DRAWS
        )
    ]
    return experiment.sweep(wanted, progress=progress)


def _place(spec: RunSpec) -> str:
    return _named(spec.dataset, spec.ir)


def _named(dataset: str, ratio: float) -> str:
    return f"{dataset}, IR {ratio:g}"


def claims(table: Table) -> dict[str, Claim]:
    """That each method is more accurate than each rival, wherever both ran."""
    places = [_named(dataset, ir) for dataset, ir in product(DATA, SCORES[table.score])]
    by_claim: dict[str, Claim] = {}
    for key, rival in product(BEYOND, RIVALS):
        cells = [((p, key, b), (p, rival, b)) for p, b in product(places, BUDGETS)]
        words = f"`{key}` beats `{rival}` in {table.score} accuracy"
        by_claim[words] = Wins(table, cells)
    return by_claim


def tables(table: Table) -> list[str]:
    """A table a data set."""
    return [
        table.markdown(
            (*BEYOND, *RIVALS),
            {_named(dataset, ir): f"IR {ir:g}" for ir in SCORES[table.score]},
            BUDGETS,
        )
        for dataset in DATA
    ]


def report() -> str:
    """Tables and claims as markdown."""
    results = collect()
    by_score = [Table(results, score, _place, axis="ε") for score in SCORES]
    titles = "; ".join(f"`{key}`: {METHODS[key].source}" for key in BEYOND)
    read = " and ".join(f"`{name}` ({encoder})" for name, encoder in DATA.items())
    parts = [
        f"{read}, {run_counts((*BEYOND, *RIVALS), FEWER_DRAWS)}, mean ± half of its 95% interval,"
        " which covers draws, seeds and test records, (ε, 1e-5)-DP, add or remove one record,"
        " default settings of every method, which were chosen by looking at such data. Made by"
        f" `python -m benchmarks.beyond --write`. {titles}.",
        "## Where they win",
        "A difference counts if it is significant over draws, noise seeds and test records, with"
        " Holm's correction over all comparisons of this list.",
        told({words: claim for table in by_score for words, claim in claims(table).items()}),
    ]
    for place, dataset in enumerate(DATA):
        parts += [f"## `{dataset}`", *(tables(table)[place] for table in by_score)]
    return "\n\n".join(parts)


if __name__ == "__main__":
    printed_or_put("beyond", __doc__, report)
