"""All audits, run on all cores."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeVar

from dpviz import methods
from dpviz.audits import (
    audited_methods,
    confident_gnmax,
    private_answers,
    private_selection,
    released_files,
    sensitivity,
    user_level,
)
from dpviz.audits.audited_methods import RUNS, Audit
from dpviz.audits.sensitivity import MeasuredSensitivity
from dpviz.machine.executor import map_in_processes
from dpviz.machine.threads import all_cores, limited_cores
from dpviz.types import DpvizError

OTHER_AUDITS = {
    "released files": lambda runs: released_files.audit(),
    private_selection.METHOD: private_selection.audit,
    "confident-gnmax": confident_gnmax.audit,
    private_answers.METHOD: private_answers.audit,
}
"""What is audited beside the methods."""
Rows = TypeVar("Rows", list[Audit], list[MeasuredSensitivity])
PERSON_RUNS_DIVISOR = 2
"""By which runs of releases to persons are divided: their variants have a third of the noise."""


def names() -> list[str]:
    """Names of all audits, the slowest first, so that no core idles at the end."""
    return [*audited_methods.private_methods()[::-1], *OTHER_AUDITS]


def audit_all(runs: int = RUNS, chosen: list[str] | None = None) -> Iterator[list[Audit]]:
    """Yield the audits of each of the chosen ``names``, of all by default."""
    yield from _parallel_rows(partial(_audited, runs=runs), names() if chosen is None else chosen)


def _parallel_rows(work: Callable[[str], Rows], chosen: list[str]) -> Iterator[Rows]:
    """Yield the rows of each name, computed on all cores; a single name runs in this process."""
    if len(chosen) == 1:
        yield work(chosen[0])
        return
    yield from map_in_processes(work, chosen, all_cores())


def _audited(name: str, runs: int) -> list[Audit]:
    """Return the audits of one name, on one core, since others are busy beside it.

    Raises:
        DpvizError: for a method without any case.
    """
    with limited_cores(1):
        if name in OTHER_AUDITS:
            return OTHER_AUDITS[name](runs)
        method = methods.get(name)
        rows = [
            *audited_methods.audit(name, runs),
            *user_level.audit(method, runs // PERSON_RUNS_DIVISOR),
            *user_level.audit_events(method, runs),
        ]
    if not rows:
        raise DpvizError(
            f"Method {name} has no audit cases. Add cases or event_cases with faulty variants."
        )
    return rows


def search_all(keys: list[str]) -> Iterator[list[MeasuredSensitivity]]:
    """Yield the searches of each of these methods, for records and for persons."""
    yield from _parallel_rows(_search, keys)


def _search(key: str) -> list[MeasuredSensitivity]:
    """Return the search of one method.

    Raises:
        DpvizError: for a method whose draws and queries differ, or that has none.
    """
    method = methods.get(key)
    try:
        with limited_cores(1):
            measurements = [*sensitivity.search(method), *user_level.search(method)]
    except AssertionError as wrong:
        raise DpvizError(f"{wrong}. Add one query per draw to the method.") from None
    if not measurements:
        raise DpvizError(f"{key} has no draws to check. Add an event and its query.")
    return measurements
