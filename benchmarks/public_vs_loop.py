"""DPPL-Public's clipped scores against the paper's formula written as a loop.

u[c, j] = sum over records i of class c of clip(1 + cos(x_i, p_j), d_min, d_max) - d_min, for all
classes c and public records j of the default data, three ways beside dpviz's tiles:

- every pair:   for class, for public record, for record: one cosine, one clip. The formula as it
                reads. Run on a share of the public records and scaled up (the loop does the same
for each). - every public: for class, for public record: the class's records at once in numpy.
Shared out likewise. - every record: for record: all public records at once in numpy. Run in full.

    make bench BENCH=benchmarks/public_vs_loop.py
"""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
from _common import cost, default_data, package_cost, table, take_turns, verdict

from dpviz.methods.components.public_scores import utilities
from dpviz.types import Dataset, unit_rows

D_MIN, D_MAX = 1.3, 1.9
PAIRS_ON, PUBLICS_ON, ROUNDS = 20, 2000, 3
_fresh = itertools.count()


def ours(data: Dataset) -> np.ndarray:
    """dpviz's scores (C, m), computed anew: another fingerprint, so nothing kept answers."""
    return utilities(dataclasses.replace(data, fingerprint=f"run {next(_fresh)}"), D_MIN, D_MAX)


def every_pair(x: np.ndarray, y: np.ndarray, public: np.ndarray, classes: int) -> np.ndarray:
    """Unit rows in, (C, m) out: one cosine at a time."""
    u = np.zeros((classes, len(public)))
    for c in range(classes):
        records = x[y == c]
        for j, p in enumerate(public):
            for record in records:
                u[c, j] += min(max(1 + float(record @ p), D_MIN), D_MAX) - D_MIN
    return u


def every_public(x: np.ndarray, y: np.ndarray, public: np.ndarray, classes: int) -> np.ndarray:
    """Unit rows in, (C, m) out: one public record at a time."""
    u = np.zeros((classes, len(public)))
    for c in range(classes):
        records = x[y == c]
        for j, p in enumerate(public):
            u[c, j] = (np.clip(1 + records @ p, D_MIN, D_MAX) - D_MIN).sum(dtype=np.float64)
    return u


def every_record(x: np.ndarray, y: np.ndarray, public: np.ndarray, classes: int) -> np.ndarray:
    """Unit rows in, (C, m) out: one private record at a time."""
    u = np.zeros((classes, len(public)))
    for record, c in zip(x, y, strict=True):
        u[c] += np.clip(1 + public @ record, D_MIN, D_MAX) - D_MIN
    return u


def main() -> None:
    """Check that all agree, then time them in turns."""
    data = default_data()
    x, public, m = unit_rows(data.x), unit_rows(data.x_public), len(data.x_public)
    spread = np.random.default_rng(0).permutation(m)
    few, some = spread[:PAIRS_ON], spread[:PUBLICS_ON]
    u = ours(data)
    loops = {
        "every pair": (lambda: every_pair(x, data.y, public[few], data.classes), few),
        "every public": (lambda: every_public(x, data.y, public[some], data.classes), some),
        "every record": (lambda: every_record(x, data.y, public, data.classes), np.arange(m)),
    }
    worst = {name: np.abs(work() - u[:, on]).max() / u.max() for name, (work, on) in loops.items()}
    measures = {n: lambda n=n: package_cost(loops[n][0]) / (len(loops[n][1]) / m) for n in loops}
    costs = take_turns({"dpviz": lambda: cost(lambda: ours(data))} | measures, ROUNDS)
    ratio = {name: c.cpu / costs["dpviz"].cpu for name, c in costs.items()}
    print(
        f"{len(x)} records, {m} public, d = {x.shape[1]}, {data.classes} classes, window"
        f" {D_MIN}–{D_MAX}"
    )
    rows = [
        ["dpviz, tiles", f"{costs['dpviz'].wall:.2f}", f"{costs['dpviz'].cpu:.2f}", "1", "all", ""]
    ]
    for name, (_, on) in loops.items():
        figures = [f"{costs[name].wall:.2f}", f"{costs[name].cpu:.2f}", f"{ratio[name]:.0f}"]
        rows.append([name, *figures, _share(len(on), m), f"{worst[name]:.0e}"])
    table(["", "wall s", "CPU s", "times dpviz", "run on", "difference"], rows)
    utilities(data, D_MIN, D_MAX)
    print(
        f"kept scores answer in {1e3 * cost(lambda: utilities(data, D_MIN, D_MAX)).wall:.2f} ms\n"
    )
    for name in loops:
        verdict(f"times faster than the loop over {name}", ratio[name], 100)


def _share(n: int, m: int) -> str:
    return "all" if n == m else f"{n} of {m}, scaled up"


if __name__ == "__main__":
    main()
