"""A sweep over Dask workers: the same table with workers killed, and two workers against one.

2,000 cells of noisy gradient descent, nothing read from the store and nothing kept. The table is
compared with the one without deaths cell by cell. Each worker uses one core, so on a machine with
two idle cores the ratio of wall-clock times says what a second worker brings; the load beside it
says whether the cores were idle.

    make bench BENCH=benchmarks/cluster.py
"""

from __future__ import annotations

import argparse
import os
import signal
import time
from typing import NamedTuple

from _common import DATASET, ENCODER, verdict

from dpviz.experiments import cluster, experiment
from dpviz.types import Budget, DataConfig, Result, RunSpec

BUDGETS = tuple(Budget(b) for b in (0.1, 0.2, 0.5, 1, 2, 3, 5, 8, 10, 20))


def wanted(cells: int) -> list[RunSpec]:
    """So many cells: ten budgets by seeds of a small private probe."""
    seeds = range(max(1, cells // len(BUDGETS)))
    return experiment.specs(
        DataConfig(DATASET, ENCODER, ir=50), "noisy-gd", BUDGETS, seeds, params={"steps": 60}
    )


class Swept(NamedTuple):
    """One sweep: its results, seconds once the workers have started, CPU seconds of the workers and
    of who asks, workers killed.
    """

    results: list[Result]
    wall: float
    workers: float
    asking: float
    killed: int


def swept(specs: list[RunSpec], workers: int, kills: int = 0) -> Swept:
    """Run the sweep on so many workers and kill some on the way (then the CPU seconds of workers
    are not known: nan).
    """
    killed: list[int] = []
    with cluster.connected(cluster.LOCAL, workers) as client:
        client.wait_for_workers(workers)
        client.run(
            experiment.compute, specs[:1], experiment.plans_of(specs[:1])
        )  # brings torch and the data

        def kill(stage: str, completed: int, total: int) -> None:
            if len(killed) < kills and completed > (len(killed) + 1) * total / (kills + 2):
                killed.append(min(client.run(os.getpid).values()))
                os.kill(killed[-1], signal.SIGKILL)

        before = sum(client.run(time.process_time).values())
        wall, own = time.perf_counter(), time.process_time()
        results = experiment.sweep(
            specs, progress=kill, use_store=False, run_batches=cluster.batch_runner(client)
        )
        wall, own = time.perf_counter() - wall, time.process_time() - own
        theirs = float("nan") if kills else sum(client.run(time.process_time).values()) - before
        return Swept(results, wall, theirs, own, len(killed))


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
    print(
        f"{len(specs)} cells, {os.cpu_count()} cores, load {before:.1f} before the start",
        flush=True,
    )
    two = swept(specs, 2)
    print(
        f"two workers: {two.wall:.1f} s; CPU {two.workers:.1f} s of the workers, {two.asking:.1f} s"
        " of who asks and schedules",
        flush=True,
    )
    one = swept(specs, 1)
    print(
        f"one worker:  {one.wall:.1f} s; CPU {one.workers:.1f} and {one.asking:.1f} s", flush=True
    )
    broken = swept(specs, 2, kills=2)
    differ = sum(a != b for a, b in zip(table(two.results), table(broken.results), strict=True))
    print(
        f"two workers, {broken.killed} killed on the way: {broken.wall:.1f} s; {differ} of"
        f" {len(specs)} cells differ"
    )
    print(
        f"by CPU seconds, two idle cores allow {2 * one.workers / (two.workers + two.asking):.2f} ×"
    )
    verdict("two workers against one, × (idle machine)", one.wall / two.wall, 1.6)
    verdict("cells that differ after kills", differ, 0, is_limit=True)


if __name__ == "__main__":
    main()
