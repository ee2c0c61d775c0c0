"""Numeric work with equal bits for any load of the machine, and without barriers.

A product over several threads adds in another order if its shape or its number of cores changes.
Also, the threads of torch wait for each other after every operation, which is slow beside other
work. So each product runs on one thread, and blocks of work run in parallel.
"""

from __future__ import annotations

import ctypes
import math
import os
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

from threadpoolctl import ThreadpoolController

Item = TypeVar("Item")
Result = TypeVar("Result")

ARENAS = 2
"""Memory pools of glibc for all threads together."""
_ARENA_MAX = -8
"""``M_ARENA_MAX`` of glibc's ``malloc.h``."""
GROUPS = Path("/sys/fs/cgroup")
QUOTAS = (("cpu.max",), ("cpu/cpu.cfs_quota_us", "cpu/cpu.cfs_period_us"))
"""Files with quota and period of a control group, versions 2 and 1."""

_lock = threading.Lock()
_users = 0
_restore: list[Callable[[], Any]] = []
_max_cores: ContextVar[int | None] = ContextVar("at_most", default=None)


@cache
def _blas() -> ThreadpoolController:
    return ThreadpoolController().select(user_api="blas")


@contextmanager
def one_numeric_thread() -> Iterator[None]:
    """Run products of numpy and torch on one thread each until the last one inside has left."""
    import torch

    global _users
    with _lock:
        if _users == 0:
            previous, limited = torch.get_num_threads(), _blas().limit(limits=1)
            limited.__enter__()
            _restore[:] = [
                lambda: torch.set_num_threads(previous),
                lambda: limited.__exit__(None, None, None),
            ]
        _users += 1
        torch.set_num_threads(1)
    try:
        yield
    finally:
        with _lock:
            _users -= 1
            if _users == 0:
                for undo in _restore:
                    undo()


@contextmanager
def limited_cores(cores: int) -> Iterator[None]:
    """Limit parallel work in the block to ``cores``, for a process beside similar ones."""
    token = _max_cores.set(cores)
    try:
        yield
    finally:
        _max_cores.reset(token)


def parallel_map(
    work: Callable[[Item], Result], items: Iterable[Item], workers: int | None = None
) -> Generator[Result, None, None]:
    """Yield ``work`` of each item, in order, one item per core; closing the generator stops the
    work.

    Items are taken lazily, a few ahead.
    """
    import torch

    workers = workers or _cores()
    if workers == 1:  # a second thread would only wait for this one
        with one_numeric_thread():
            yield from map(work, items)
        return
    futures: deque[Future[Result]] = deque()
    with one_numeric_thread():
        pool = ThreadPoolExecutor(workers, initializer=torch.set_num_threads, initargs=(1,))
        try:
            for item in items:
                futures.append(pool.submit(work, item))
                if len(futures) > 2 * workers:
                    yield futures.popleft().result()
            while futures:
                yield futures.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)


def map_blocks(work: Callable[[Item], Result], blocks: Iterable[Item]) -> list[Result]:
    """Return ``[work(b) for b in blocks]``, computed with one block per core."""
    return list(parallel_map(work, blocks))


def shares(items: Sequence[Item], max_items: int) -> list[Sequence[Item]]:
    """Return consecutive parts of ``items`` for ``map_blocks``: at most ``max_items`` in each, as
    even as possible, and work for every core.
    """
    cores = _cores()
    parts = min(len(items), -(-len(items) // max_items // cores) * cores) or 1
    edges = [len(items) * part // parts for part in range(parts + 1)]
    return [items[start:end] for start, end in pairwise(edges)]


def _cores() -> int:
    return _max_cores.get() or all_cores()


def all_cores() -> int:
    """Return the cores that affinity and the quota of the control group allow this process."""
    has_affinity = hasattr(os, "sched_getaffinity")
    cores = len(os.sched_getaffinity(0)) if has_affinity else os.cpu_count() or 1
    return max(1, math.ceil(min(cores, _quota())))


@cache
def _quota() -> float:
    """Return the CPU quota of the control group in cores; infinity without a quota."""
    for names in QUOTAS:
        try:
            quota, period = " ".join((GROUPS / name).read_text() for name in names).split()
            if float(quota) > 0:
                return float(quota) / float(period)
        except (OSError, ValueError):
            continue
    return math.inf


def limit_arenas() -> bool:
    """Let all threads share ``ARENAS`` memory pools of glibc. Call it before threads start.

    By default each new thread gets a pool of its own, up to eight for each core. Memory that one
    thread frees then serves no other, and a server with many short threads keeps hundreds of MiB
    that nobody uses.

    Returns:
        False with another C library, or where ``MALLOC_ARENA_MAX`` is set: that choice is kept.
    """
    if "MALLOC_ARENA_MAX" in os.environ:
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):
        return False
    return bool(mallopt(_ARENA_MAX, ARENAS))
