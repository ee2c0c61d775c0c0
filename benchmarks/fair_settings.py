"""Settings of methods tuned with equal effort on public data, for the bundled data sets.

python -m benchmarks.fair_settings                  every data set, written into the package
python -m benchmarks.fair_settings mnist5k clothes  these rows anew, the others kept
python -m benchmarks.fair_settings --compare        defaults against tuned settings, on test sets
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime

import numpy as np

from dpviz.data import preparation
from dpviz.experiments import experiment, fair_tuning, tuned_settings
from dpviz.experiments.fair_tuning import FairSearch
from dpviz.methods import METHODS
from dpviz.types import Budget, RunSpec

SEARCHES = {
    "mnist5k": FairSearch("mnist5k", "glyphnet", public="glyphs", ir=50, largest=400),
    "uci-digits": FairSearch("uci-digits", "glyphnet", public="glyphs", ir=50, largest=144),
    "clothes": FairSearch("clothes", "lite0-128", public="clothes-public", ir=1, largest=600),
    "omniglot-60": FairSearch(
        "omniglot-60", "glyphnet", public="omniglot-public", ir=1, largest=12
    ),
    "etf": FairSearch("etf", None, public="same-frame", ir=50, largest=1000),
}
"""By data set; ``largest`` is the published size of the largest class."""
BUDGET, SEEDS = Budget(1.0), 5


def main() -> None:
    """Tune data sets and write their rows, or compare settings on the test sets."""
    names = [name for name in sys.argv[1:] if not name.startswith("-")] or list(SEARCHES)
    if "--compare" in sys.argv:
        for name in names:
            compare(name)
        return
    for name in names:
        results = fair_tuning.run(SEARCHES[name])
        command = f"python -m benchmarks.fair_settings {name}"
        new = fair_tuning.row(results, command, f"{datetime.now(UTC):%Y-%m-%d}")
        rows = [row for row in tuned_settings.rows() if row.dataset != new.dataset]
        tuned_settings.write(sorted([*rows, new], key=lambda row: row.dataset))
        print(name, new, flush=True)


def compare(name: str) -> None:
    """Print balanced accuracy of defaults and tuned settings on the test set."""
    search, row = SEARCHES[name], tuned_settings.row_of(SEARCHES[name])
    if row is None:
        return
    tuned = preparation.centering(search.features, "yes" if row.centered else "no")
    for key in row.methods:
        accuracies = [
            balanced(search, key, features, params)
            for features, params in (("", ()), (tuned, row.params(key) or ()))
        ]
        cells = [f"{100 * np.mean(v):.1f} (sd {100 * np.std(v):.1f})" for v in accuracies]
        print(f"| {name} | {METHODS[key].title} | " + " | ".join(cells) + " |", flush=True)


def balanced(search: FairSearch, key: str, features: str, params: tuple) -> list[float]:
    """Balanced accuracy of each seed on the test set."""
    facts = search.facts | {"features": features}
    specs = [
        RunSpec(**facts, method=key, budget=BUDGET, params=params, seed=s) for s in range(SEEDS)
    ]
    return [result.scores.balanced for result in experiment.sweep(specs)]


if __name__ == "__main__":
    main()
