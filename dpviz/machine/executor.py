"""Work in several processes: a shared pool of sandboxes, and a map for one command."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from os import getpid
from typing import Any, TypeVar

from dpviz.machine import sandbox
from dpviz.machine.fair_queue import FairQueue, Progress
from dpviz.machine.interrupts import sigint_deferred
from dpviz.machine.sandbox import Caps, Sandbox

Item = TypeVar("Item")
Result = TypeVar("Result")


class SandboxPool:
    """Sandboxes behind one fair queue; each process starts when it is first needed."""

    def __init__(
        self, size: int, function_name: str, crash_message: str, nice: int = 0, **environment: str
    ) -> None:
        """size: processes at most; the others: as of ``Sandbox``."""
        self.free = [
            Sandbox(function_name, crash_message, nice, **environment) for _ in range(size)
        ]
        self._queue = FairQueue(size)

    def run(self, question: Any, progress: Progress, caps: Caps | None = None) -> Any:
        """Return the answer of a free sandbox; arguments and errors as of ``Sandbox.run``."""

        def run_in_slot(progress: Progress) -> Any:
            process = self.free.pop()
            try:
                return process.run(question, progress, caps)
            finally:
                self.free.append(process)

        return self._queue.run(run_in_slot, progress)

    def close(self) -> None:
        """End all processes that are idle."""
        for process in self.free:
            process.close()


def map_in_processes(
    work: Callable[[Item], Result], items: Iterable[Item], workers: int
) -> Iterator[Result]:
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
