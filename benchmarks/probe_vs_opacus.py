"""The batched private linear probe against Opacus, a cell.

Both train the same linear head on the same features from zero: full batches, 100 steps, the same
learning rate, clip norm and noise. dpviz runs the sweep that the dashboard asks for (13 budgets x
10 seeds, nothing read from the store); Opacus runs one cell at a time, in each of its ways to clip
a record's gradient. Seconds a cell are medians over interleaved rounds; accuracy is compared on all
budgets with the fastest way.

    make bench BENCH=benchmarks/probe_vs_opacus.py
"""

from __future__ import annotations

import math

import numpy as np
import torch
from _common import (
    BUDGETS,
    DATASET,
    ENCODER,
    cost,
    default_data,
    package_cost,
    table,
    take_turns,
    verdict,
)
from _opacus import MODES, train

from dpviz import methods
from dpviz.experiments import experiment
from dpviz.types import Budget, DataConfig, Dataset, Release, unit_rows

SEEDS, OPACUS_SEEDS, ROUNDS = range(10), range(3), 3
METHOD = methods.get("noisy-gd")
PARAMS = METHOD.check({"steps": 100})


def ours() -> dict[float, list[float]]:
    """Accuracies of the whole sweep by budget."""
    wanted = experiment.specs(
        DataConfig(DATASET, ENCODER),
        METHOD.key,
        [Budget(b) for b in BUDGETS],
        list(SEEDS),
        params=PARAMS,
    )
    accuracies: dict[float, list[float]] = {b: [] for b in BUDGETS}
    for result in experiment.sweep(wanted, use_store=False):
        accuracies[result.spec.budget.value].append(result.scores.overall)
    return accuracies


def theirs(data: Dataset, budget: float, seed: int, mode: str) -> float:
    """Accuracy of one cell trained by Opacus."""
    event = METHOD.plan(data.sizes, Budget(budget), PARAMS).events["gradients"]
    x, y = torch.from_numpy(unit_rows(data.x)), torch.from_numpy(np.array(data.y))
    settings = {
        "sigma": event.sigma,
        "clip": PARAMS["clip"],
        "lr": PARAMS["lr"],  # it divides by the true count, this project by a noisy one
        "steps": event.times,
    }
    weights = train(x, y, data.classes, **settings, mode=mode, seed=seed)
    release = Release(weights, np.zeros(len(weights), np.float32))
    return float((release.predict(data.x_test) == data.y_test).mean())


def main() -> None:
    """Time both, then compare accuracies budget by budget."""
    data = default_data()
    kept = ours()
    cells = len(BUDGETS) * len(SEEDS)
    measures = {m: lambda m=m: package_cost(lambda: theirs(data, 1.0, 0, m)) for m in MODES}
    costs = take_turns({"dpviz": lambda: cost(ours) / cells} | measures, ROUNDS)
    ratio = {name: c.cpu / costs["dpviz"].cpu for name, c in costs.items()}
    rows = [
        [name, f"{c.wall:.4f}", f"{c.cpu:.4f}", f"{ratio[name]:.1f}"] for name, c in costs.items()
    ]
    table(["a cell", "wall s", "CPU s", "times dpviz"], rows)

    fastest = min(MODES, key=ratio.__getitem__)
    print(
        f"\nAccuracy: dpviz over {len(SEEDS)} seeds, Opacus ({fastest}) over {len(OPACUS_SEEDS)};"
        " mean ± SE"
    )
    rows, apart = [], []
    for b in BUDGETS:
        mine, other = kept[b], [theirs(data, b, s, fastest) for s in OPACUS_SEEDS]
        # sd of one run pooled over both sides; a floor of one test record where all runs agree
        sd = max(
            math.sqrt((np.var(mine, ddof=1) * 9 + np.var(other, ddof=1) * 2) / 11),
            1 / len(data.y_test),
        )
        apart.append(
            (np.mean(mine) - np.mean(other)) / (sd * math.sqrt(1 / len(mine) + 1 / len(other)))
        )
        rows.append([f"ε = {b:g}", _mean_se(mine), _mean_se(other), f"{apart[-1]:+.1f}"])
    table(["", "dpviz", "Opacus", "difference / SE"], rows)
    print()
    for mode, words in MODES.items():
        verdict(f"times faster than Opacus, {words}", ratio[mode], 100)
    verdict(
        "root mean square difference / SE over budgets",
        float(np.sqrt(np.mean(np.square(apart)))),
        2,
        is_limit=True,
    )


def _mean_se(values: list[float]) -> str:
    return f"{np.mean(values):.3f} ± {np.std(values, ddof=1) / math.sqrt(len(values)):.3f}"


if __name__ == "__main__":
    main()
