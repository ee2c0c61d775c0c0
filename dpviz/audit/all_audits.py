"""Every audit there is, worked on by all cores."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from dpviz import methods
from dpviz.audit import (
    audited_methods,
    confident_gnmax,
    events_of_persons,
    private_answers,
    private_selection,
    released_files,
    sensitivity,
    whole_persons,
)
from dpviz.audit.audited_methods import RUNS, Audit
from dpviz.audit.sensitivity import Moved
from dpviz.machine.threads import all_cores, at_most

BESIDE = {
    "released files": lambda runs: released_files.audit(),
    private_selection.METHOD: private_selection.audit,
    "confident-gnmax": confident_gnmax.audit,
    private_answers.METHOD: private_answers.audit,
}
"""What is audited beside the methods."""
FEWER = 2
"""Releases to persons take runs divided by this: their twins have a third of the noise."""


def names() -> list[str]:
    """What is audited, what takes long first, so that no core waits long at the end."""
    return [*audited_methods.private_methods()[::-1], *BESIDE]


def audit_all(runs: int = RUNS) -> Iterator[list[Audit]]:
    """The audits of each of ``names``, one after the other."""
    with ProcessPoolExecutor(all_cores(), mp_context=get_context("spawn")) as pool:
        yield from pool.map(_on_one_core, names(), [runs] * len(names()))


def _on_one_core(name: str, runs: int) -> list[Audit]:
    """One's audits in a process that has the other cores busy beside it."""
    with at_most(1):
        if name in BESIDE:
            return BESIDE[name](runs)
        method = methods.get(name)
        return [
            *audited_methods.audit(name, runs),
            *whole_persons.audit(method, runs // FEWER),
            *events_of_persons.audit(method, runs),
        ]


def search_all() -> Iterator[list[Moved]]:
    """The searches of every private method, for records and for persons, one after the other."""
    keys = audited_methods.private_methods()[::-1]
    with ProcessPoolExecutor(all_cores(), mp_context=get_context("spawn")) as pool:
        yield from pool.map(_search, keys)


def _search(key: str) -> list[Moved]:
    with at_most(1):
        return [*sensitivity.search(methods.get(key)), *whole_persons.search(methods.get(key))]
