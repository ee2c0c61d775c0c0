"""What the benchmarks share: interleaved timing, tables, and the default data.

Machines differ and are shared, so every figure that is compared is taken in the same run: the
candidates take turns, each keeps the median of its turns, and what is reported is the ratio of CPU
seconds, which others at work on the machine stretch far less than the clock's. On an idle machine
the two ratios agree.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from dpviz.machine.threads import one_numeric_thread
from dpviz.types import Dataset

DATASET, ENCODER = "mnist5k", "glyphnet"
BUDGETS = tuple(float(f"{b:.3g}") for b in np.geomspace(0.01, 100, 13))


class Cost(NamedTuple):
    """Seconds of one piece of work: on the clock, and of CPU summed over threads."""

    wall: float
    cpu: float

    def __truediv__(self, share: float) -> Cost:
        """The cost of a part, such as one cell of a batch."""
        return Cost(self.wall / share, self.cpu / share)


def cost(work: Callable[[], Any]) -> Cost:
    """What one call takes."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return Cost(time.perf_counter() - wall, time.process_time() - cpu)


def package_cost(work: Callable[[], Any]) -> Cost:
    """What one call of a package that runs one cell at a time takes, on one numeric thread.

    More threads a call only add waiting, which torch and BLAS spend as busy CPU, most of all where
    others use the machine too. Cells are independent, so CPU seconds are what a cell costs a
    machine with all cores at work.
    """
    with one_numeric_thread():
        return cost(work)


def median_cost(costs: Sequence[Cost]) -> Cost:
    """Medians of wall and CPU, each by itself."""
    return Cost(median(c.wall for c in costs), median(c.cpu for c in costs))


def take_turns(candidates: Mapping[str, Callable[[], Cost]], repeats: int) -> dict[str, Cost]:
    """Median of what each candidate measures over ``repeats`` rounds in which each runs once."""
    rounds = [{name: measure() for name, measure in candidates.items()} for _ in range(repeats)]
    return {name: median_cost([costs[name] for costs in rounds]) for name in candidates}


def table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Print rows under a heading, first column left, the others right."""
    text = [[str(cell) for cell in row] for row in [head, *rows]]
    widths = [max(map(len, column)) for column in zip(*text, strict=True)]
    for row in text:
        print(
            "  ".join(
                [row[0].ljust(widths[0])]
                + [c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True)]
            ),
            flush=True,
        )


def verdict(label: str, value: float, target: float, *, is_limit: bool = False) -> None:
    """One line that says whether a target was met (at least ``target``; at most with"
    " ``is_limit``)."""
    met = value <= target if is_limit else value >= target
    print(
        f"{'met   ' if met else 'MISSED'}  {label}: {value:.3g}, target"
        f" {'at most' if is_limit else 'at least'} {target:g}",
        flush=True,
    )


def default_data() -> Dataset:
    """The default data set with its public set, embedded (from the cache where it is there)."""
    from dpviz import data

    return data.load(DATASET, ENCODER, None)
