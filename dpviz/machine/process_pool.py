"""Work on all cores in processes that end with the command that started them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from os import getpid
from typing import TypeVar

from dpviz.machine import sandbox
from dpviz.machine.interrupts import sigint_deferred

Item = TypeVar("Item")
Made = TypeVar("Made")


def map_in_processes(
    work: Callable[[Item], Made], items: Iterable[Item], workers: int
) -> Iterator[Made]:
    """Yield ``work(item)`` for each item, in order, computed by ``workers`` processes.

    After an exception, and where the iteration is abandoned, the processes are killed at once. They
    also end soon after this process, however it ends.
    """
    pool = ProcessPoolExecutor(
        workers, get_context("spawn"), initializer=sandbox.end_with_parent, initargs=(getpid(),)
    )
    processes = pool._processes  # there is no public way to kill workers before Python 3.14
    try:
        with sigint_deferred():
            results = pool.map(work, items)
        yield from results
    except BaseException:
        for process in list(processes.values()):
            process.kill()
        raise
    finally:
        pool.shutdown(cancel_futures=True)
