"""The tables of docs/measured: every method at four imbalance ratios and three budgets, and the
papers' claims against them.

    python -m benchmarks.results            print the tables
    python -m benchmarks.results --write    put them into docs/measured

Budgets are on the zCDP axis, so that every method spends the same rho. Figures are means over data
draws and noise seeds (``_tables``) with half of their 95% interval, which covers draws, seeds and
test records. What is stored is not computed again.
"""

from __future__ import annotations

from benchmarks import _dppl_claims
from benchmarks._measured import printed_or_put
from benchmarks._tables import (
    DRAWS,
    SEEDS,
    TRAINED_SEEDS,
    Claim,
    Table,
    epsilons,
    progress,
    run_counts,
    statement_specs,
    table_specs,
    told,
)
from dpviz.experiments import experiment
from dpviz.methods import METHODS
from dpviz.types import Budget, DataConfig, Result, RunSpec

RATIOS = (1, 10, 50, 100)
BUDGETS = (0.1, 1.0, 10.0)
DATASET = "mnist5k"
BEST, WEAKER = "glyphnet", "lite0"
SLOW = {WEAKER: {"dp-newton"}}
"""Left out where one cell takes a minute: fifty eigendecompositions in 1,280 dimensions."""
GRIDS = {BEST: (RATIOS, BUDGETS), WEAKER: ((1, 50), (1.0,))}
"""Imbalance ratios and budgets of each encoder's table."""


def collect(encoder: str) -> list[Result]:
    """All cells of one encoder, from the store where they are there."""
    ratios, values = GRIDS[encoder]
    budgets = [Budget(b, "zcdp") for b in values]
    cells = [(m, ir) for ir in ratios for m in _keys(encoder)]
    wanted = [
        s for m, ir in cells for s in table_specs(DataConfig(DATASET, encoder, ir=ir), m, budgets)
    ]
    return experiment.sweep(wanted, progress=progress)


def _keys(encoder: str) -> list[str]:
    return [key for key in METHODS if key not in SLOW.get(encoder, ())]


def _place(spec: RunSpec) -> str:
    return f"{spec.encoder}, IR {spec.ir:g}"


def markdown(table: Table, encoder: str) -> str:
    """One table: a row a method, a column a ratio and budget."""
    ratios, budgets = GRIDS[encoder]
    return table.markdown(
        _keys(encoder), {f"{encoder}, IR {ir:g}": f"IR {ir:g}" for ir in ratios}, budgets
    )


def claims(balanced: Table, minority: Table) -> dict[str, Claim]:
    """Each claim of the DPPL papers."""
    places = [f"{BEST}, IR {ir:g}" for ir in RATIOS]
    both = [(f"{BEST}, IR {ir:g}", f"{WEAKER}, IR {ir:g}") for ir in GRIDS[WEAKER][0]]
    by_claim = _dppl_claims.claims(
        balanced, minority, BUDGETS, places, places[0], places[2:], "IR 50 and 100", DATASET
    )
    name = f"A better encoder helps every method ({BEST} against {WEAKER}, ρ 1)"
    return by_claim | {name: _dppl_claims.better_encoder(balanced, both, 1.0, SLOW[WEAKER])}


def story() -> str:
    """Two statements on the (epsilon, delta) axis: who wins for the minority at IR 50, and Mean's
    limit at IR 1.
    """
    budgets = [Budget(b) for b in (0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 3.0, 10.0)]
    pair = ("dppl-public", "noisy-gd")
    at_50 = [s for m in pair for s in statement_specs(DataConfig(DATASET, BEST, ir=50), m, budgets)]
    minority = Table(experiment.sweep(at_50, progress=progress), "minority", _place)
    cells = [tuple((f"{BEST}, IR 50", m, b.value) for m in pair) for b in budgets]
    public, probe = max(cells, key=lambda c: minority.mean(*c[0]) - minority.mean(*c[1]))
    at_1 = [
        s
        for m in ("dppl-mean", "class-mean")
        for s in statement_specs(DataConfig(DATASET, BEST, ir=1), m, budgets[-1:])
    ]
    balanced = Table(experiment.sweep(at_1, progress=progress), "balanced", _place)
    mean, limit = ((f"{BEST}, IR 1", m, 10.0) for m in ("dppl-mean", "class-mean"))
    return (
        f"At IR 50 the gap is widest at ({public[2]:g}, 1e-5)-DP: the minority is right"
        f" {minority.text(*public)}% of the time with DPPL-Public and {minority.text(*probe)}%"
        " with the private linear probe. At IR 1 and (10, 1e-5)-DP DPPL-Mean reaches"
        f" {balanced.text(*mean)}%, without noise {balanced.text(*limit)}%. These statements are"
        f" over {DRAWS} data draws with {SEEDS} noise seeds each, {TRAINED_SEEDS} of the probe."
    )


# ------------------------------------------------------------------------------------------- output


def report() -> str:
    """Tables and claims as markdown."""
    results = [r for encoder in GRIDS for r in collect(encoder)]
    balanced, minority = (Table(results, score, _place) for score in ("balanced", "minority"))
    minority_names = ", ".join(map(str, results[0].minority_classes))
    parts = [
        f"`{DATASET}`, {run_counts(METHODS)}, mean ± half of its 95% interval, which covers draws,"
        " seeds and test records, ρ-zCDP axis, default settings, public set `glyphs`. Each draw has"
        f" other digits as its minority; in draw 0 they are {minority_names}. Made by `python -m"
        f" benchmarks.results --write`. ρ 0.1, 1 and 10 are {epsilons(BUDGETS)} at"
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
        "A difference counts if it is significant over draws, noise seeds and test records, with"
        " Holm's correction over all comparisons of this list, also those that pick a best method."
        " Methods run at default settings; the papers searched theirs."
    )
    parts.append(told(claims(balanced, minority)))
    return "\n\n".join(parts)


if __name__ == "__main__":
    printed_or_put("methods", __doc__, report)
