"""A sweep over Dask workers: the same table with workers killed, and two workers against one.

2,000 cells of noisy gradient descent, nothing read from the store and nothing kept. The table is compared with the
one without deaths cell by cell. Each worker uses one core, so on a machine with two idle cores the ratio of
wall-clock times says what a second worker brings; the load beside it says whether the cores were idle.

    make bench BENCH=benchmarks/cluster.py
"""

from __future__ import annotations

import argparse
import os
import signal
import time

from _common import DATASET, ENCODER, verdict

from dpviz import cluster, experiment
from dpviz.types import Budget, Result, RunSpec

BUDGETS = tuple(Budget(b) for b in (0.1, 0.2, 0.5, 1, 2, 3, 5, 8, 10, 20))


def wanted(cells: int) -> list[RunSpec]:
    """So many cells: ten budgets by seeds of a small private probe."""
    seeds = range(max(1, cells // len(BUDGETS)))
    return experiment.specs(DATASET, ENCODER, "noisy-gd", BUDGETS, seeds, ir=50, params={"steps": 20})


def timed(specs: list[RunSpec], workers: int, kills: int = 0) -> tuple[list[Result], float, int]:
    """Results, seconds once the workers have the data, and how many workers were killed on the way."""
    killed: list[int] = []
    with cluster.connected(cluster.LOCAL, workers) as client:
        client.wait_for_workers(workers)
        client.run(experiment.prepared, specs[0])

        def kill(what: str, done: int, total: int) -> None:
            if len(killed) < kills and done > (len(killed) + 1) * total / (kills + 2):
                killed.append(min(client.run(os.getpid).values()))
                os.kill(killed[-1], signal.SIGKILL)

        started = time.perf_counter()
        results = experiment.sweep(specs, progress=kill, use_store=False, spread=cluster.spread(client))
        return results, time.perf_counter() - started, len(killed)


def table(results: list[Result]) -> list[tuple]:
    """What must not differ."""
    return [(r.spec, r.scores, r.guarantee) for r in results]


def main() -> None:
    """Print the comparison."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--cells", type=int, default=2000)
    specs = wanted(parser.parse_args().cells)
    experiment.prepared(specs[0])
    before = os.getloadavg()[0]
    print(f"{len(specs)} cells, {os.cpu_count()} cores, load {before:.1f} before the start", flush=True)
    plain, two, _ = timed(specs, 2)
    print(f"two workers: {two:.1f} s", flush=True)
    _, one, _ = timed(specs, 1)
    print(f"one worker:  {one:.1f} s", flush=True)
    broken, seconds, killed = timed(specs, 2, kills=2)
    same = table(plain) == table(broken)
    print(f"two workers, {killed} killed on the way: {seconds:.1f} s; the table is {'the same' if same else 'ANOTHER'}")
    verdict("two workers against one, × (idle machine)", one / two, 1.6)
    verdict("cells that differ after kills", sum(a != b for a, b in zip(table(plain), table(broken), strict=True)), 0, most=True)


if __name__ == "__main__":
    main()
