"""AdaMix at each of the paper's learning rates, and at ten times the largest: balanced accuracy.

    python -m benchmarks.adamix_rates                     mnist5k, clothes and synthetic features
    python -m benchmarks.adamix_rates FILE.zip FILE.npz   data of your own instead

Data of your own is public here: the table reads its test images. A zip holds images in a folder
per class; an ``.npz`` holds features with ``X_public`` and ``y_public``. The shots are held aside
from images, and come from ``X_public`` of features.
"""

from __future__ import annotations

import math
import sys

from benchmarks._tables import plus_minus
from dpviz.data.data_set_table import HELD_ASIDE
from dpviz.diagnostics import preset_comparison
from dpviz.experiments import experiment
from dpviz.methods import adamix
from dpviz.methods.adamix_presets import PRESETS
from dpviz.stats import Interval
from dpviz.types import Budget, DpvizError, RunSpec

DATA = {
    "mnist5k": ("glyphnet", HELD_ASIDE),
    "clothes": ("lite0-128", HELD_ASIDE),
    "etf:classes=10,dim=128,n=10000,beta=0.5": (None, None),
}
"""Encoder and public set by data set."""
RATES = (*adamix.RATES, 10 * adamix.RATES[-1])
BUDGETS, RATIOS = (0.3, 1.0, 3.0, 8.0), (1.0, 50.0)
SEEDS, SHOTS = 5, 2


def of_file(path: str) -> tuple[str | None, str | None]:
    """Encoder and public set of own data."""
    return (None, None) if path.endswith(".npz") else ("glyphnet", HELD_ASIDE)


def error(key: str, facts: tuple, ir: float, preset: str, eps: float, rate: float = 0) -> Interval:
    """Error over classes of a preset."""
    method = PRESETS[preset].method
    own = {"lr": rate} if rate else {}
    specs = [
        RunSpec(
            *(key, facts[0], method, Budget(eps)),
            public=facts[1],
            ir=ir,
            seed=seed,
            params=tuple((own | {"shots": SHOTS, "draw": seed}).items()),
        )
        for seed in range(SEEDS)
    ]
    return preset_comparison.error(experiment.sweep(specs), "balanced")


def rows(key: str, facts: tuple, ir: float) -> list[str]:
    """A row for each budget: error at each rate, the least in bold, beside the levels."""
    levels = [error(key, facts, ir, name, math.inf) for name in preset_comparison.LEVELS]
    found = []
    for eps in BUDGETS:
        errors = [error(key, facts, ir, "AdaMix", eps, rate) for rate in RATES]
        lowest = min(one.mean for one in errors)
        cells = [
            f"**{plus_minus(one)}**" if one.mean == lowest else plus_minus(one) for one in errors
        ]
        cells += [plus_minus(one) for one in levels]
        name = key.partition(":")[0].rpartition("/")[2]
        found.append(f"| {name} | {ir:g} | {eps:g} | " + " | ".join(cells) + " |")
    return found


def main() -> None:
    """Print the table, a data set and an imbalance ratio at a time."""
    data = {path: of_file(path) for path in sys.argv[1:]} or DATA
    names = [f"η = {rate:g}" for rate in RATES] + list(preset_comparison.LEVELS)
    print("| error, % | IR | ε | " + " | ".join(names) + " |")
    print("| --- |" + " ---: |" * (len(names) + 2), flush=True)
    for key, facts in data.items():
        for ir in RATIOS:
            try:
                print("\n".join(rows(key, facts, ir)), flush=True)
            except DpvizError as refused:
                print(f"{key}, IR {ir:g}: {refused}", file=sys.stderr)


if __name__ == "__main__":
    main()
