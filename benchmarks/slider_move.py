"""Server time of one slider move: what the page waits for before it can draw.

For each method a budget that nobody asked for before, for 5 seeds, ten times over (computed), then
the same ten again (from the store). CPU milliseconds stand beside the wall's, since others may use
the machine. The probe is also timed for a single cell, and DPPL-Public for a move of d_min, which
scores the public set anew. Data and embedding are there already; results go to a throw-away folder.

    make bench BENCH=benchmarks/slider_move.py
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable

import numpy as np
from _common import DATASET, ENCODER, cost, default_data, median_cost, table, verdict

from dpviz import methods
from dpviz.experiments import experiment
from dpviz.types import Budget, DataConfig

IR, MOVES, SEEDS = 10.0, 10, list(range(5))
BUDGETS = [float(b) for b in np.geomspace(0.0123, 98.7, MOVES)]
PROTOTYPES = ("dppl-mean", "dppl-public", "dppl-publick", "class-mean")


def move(method: str, budget: float, seeds: list[int], **params: float) -> Callable[[], object]:
    """What the page asks for when the budget slider lands on ``budget``."""
    wanted = experiment.specs(
        DataConfig(DATASET, ENCODER, ir=IR), method, [Budget(budget)], seeds, params=params
    )
    return lambda: experiment.sweep(wanted)


def computed_and_stored(moves: list[Callable[[], object]]) -> tuple[float, float, float]:
    """Median milliseconds of a new move: on the clock and of CPU; and on the clock the second
    time.
    """
    new, again = (median_cost([cost(m) for m in moves]) for _ in range(2))
    return 1e3 * new.wall, 1e3 * new.cpu, 1e3 * again.wall


def main() -> None:
    """Time every method, then the two special moves."""
    default_data()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DPVIZ_CACHE"] = folder
        times = {}
        for key in methods.METHODS:
            move(
                key, 1.0, [99]
            )()  # the first call of a method loads and prepares what later ones share
            times[f"{key}, 5 seeds"] = computed_and_stored([move(key, b, SEEDS) for b in BUDGETS])
        times["noisy-gd, 1 cell"] = computed_and_stored([move("noisy-gd", b, [7]) for b in BUDGETS])
        windows = np.linspace(1.0, 1.5, MOVES)
        times["dppl-public, d_min moved"] = computed_and_stored(
            [move("dppl-public", 1.0, SEEDS, d_min=float(w)) for w in windows]
        )
    head = ["move", "computed ms", "of it CPU", "stored ms"]
    table(head, [(name, *(f"{t:.1f}" for t in three)) for name, three in times.items()])
    print(f"\n{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the end")
    for key in PROTOTYPES:
        verdict(f"ms, {key}, 5 seeds", times[f"{key}, 5 seeds"][0], 30, is_limit=True)
    verdict("ms, noisy-gd at 100 steps, 1 cell", times["noisy-gd, 1 cell"][0], 150, is_limit=True)
    verdict(
        "ms, slowest stored move", max(stored for *_, stored in times.values()), 30, is_limit=True
    )


if __name__ == "__main__":
    main()
