"""Methods: their settings, and all that is particular to one of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.types.audit_case import AuditCase, EventCase
from dpviz.types.budget import Budget
from dpviz.types.checks import DpvizError, check_range, check_whole, quoted
from dpviz.types.dataset import Dataset, Sizes
from dpviz.types.guarantee import Plan
from dpviz.types.line_style import LineStyle
from dpviz.types.release import Fit, Release


@dataclass(frozen=True)
class Param:
    """One setting of a method, declared once: makes the widget, the check, the option and the test.

    Attributes:
        name: as written in ``--param name=value``; label, help: for people, with the unit.
        default: inside the range; low, high, step: bounds and grain of a number.
        log: move on a log scale; choices: allowed words (then there are no bounds).
        tuned: False where tuning moves it only if it is asked for by name, as what it does another
            setting does too.
        former: an earlier name, still accepted.
    """

    name: str
    label: str
    help: str
    default: Any
    low: float = -math.inf
    high: float = math.inf
    step: float | None = None
    log: bool = False
    choices: tuple[str, ...] = ()
    tuned: bool = True
    former: str = ""

    @property
    def integer(self) -> bool:
        """True for whole numbers."""
        return isinstance(self.default, int)

    def check(self, value: Any) -> Any:
        """Return ``value`` in the parameter's type.

        Raises:
            DpvizError: if it is of another kind or out of range.
        """
        if self.choices:
            if value not in self.choices:
                raise DpvizError(
                    f"{self.name} is {quoted(value)}; use one of {', '.join(self.choices)}."
                )
            return value
        number = check_range(self.name, value, self.low, self.high)
        if not math.isfinite(number):
            raise DpvizError(
                f"{self.name} is {number:g}; use a finite number from {self.low:g} to"
                f" {self.high:g}."
            )
        return check_whole(self.name, value, self.low, self.high) if self.integer else number


@dataclass(frozen=True)
class Query:
    """What an event adds its noise to, or chooses by: its value before the noise, as a function of
    the data. The method's own fit computes it by the same code.

    Attributes:
        value: ``value(data, plan, earlier)``. For Gaussian noise (k, ...) float64: k releases of
            the event, each on its own. For an exponential mechanism (C, m) utilities, of which each
            row is a choice and all are released together.
        earlier_releases: ``earlier_releases(data, plan, rng)`` gives some of what earlier releases
            may have been, such as weights; each is passed to ``value`` in turn.
        scale: ``scale(plan)``, what one unit of the value stands for; ``mechanisms.add_gaussian``
            has the same.
    """

    value: Callable[[Dataset, Plan, Any], np.ndarray]
    earlier_releases: Callable[[Dataset, Plan, np.random.Generator], list] = lambda *_: [None]
    scale: Callable[[Plan], float] = lambda plan: 1.0


Losses = tuple[np.ndarray, np.ndarray]
"""Of each record epsilon (n,) in the notion of the method's claim, and rho (n,), both float64; of
each person, in the order of their numbers, where the plan is for persons.
"""


@dataclass(frozen=True)
class Method:
    """One row of the method table.

    Attributes:
        key, title, source: name in the shell, name for people, paper with equation or algorithm.
        summary: one plain sentence for someone who has not read the paper.
        params: settings, in the order they are shown.
        plan: ``plan(sizes, budget, params) -> Plan``; sees no record.
        fit: ``fit(data, plans, seeds) -> Fit``; plans share their params and differ in budget. A
            seed is a number, or ``mechanisms.SYSTEM`` for a release from the system's entropy.
        line_style: in every chart, shared with no other method.
        losses: ``losses(data, plan, seed) -> Losses``, what that run tells about each record that
            is in it, or each person; None where no formula is known.
        why_no_losses: ``why_no_losses(params)``, one sentence where ``losses`` cannot say it, else
            None.
        queries: ``queries(plan)``, the query of each of the plan's ``draws`` by name.
        fit_cells: ``fit_cells(data, [(plan, seed), …])``, the release of each, where one fit
            answers plans that differ in the settings ``cell_settings`` as well; bits as of ``fit``.
        cases: worst neighbours, each with a faulty variant that an audit must catch; person_cases:
            those that differ by a whole person, where the records of ``cases`` given to one person
            several times over are not the worst.
        event_cases: neighbours that move single events all the way, for the audit of each;
            person_event_cases: as person_cases is to cases.
        record_ratio: ``record_ratio(params)``, 0 where a person moves events as far as all of the
            person's records may together. Else a plan whose ``records_per_person`` is set bounds
            whole persons by what it claims for a record, and one record alone moves an event at
            most so many times as far.
        private: False for references, which have no noise: they read the private data in full, or
            not at all.
        needs_public: True if a public set must be there, whatever the settings.
        reads_public: ``reads_public(params)``, True where settings of a method that works without
            a public set need one.
        protects_public: ``protects_public(params)``, True where labelled public records count as
            private. Neighbors then differ in one of those as well.
    """

    key: str
    title: str
    source: str
    summary: str
    params: tuple[Param, ...]
    plan: Callable[[Sizes, Budget, Mapping[str, Any]], Plan]
    fit: Callable[[Dataset, list[Plan], list[Any]], Fit]
    line_style: LineStyle
    losses: Callable[[Dataset, Plan, int], Losses] | None = None
    why_no_losses: Callable[[Mapping[str, Any]], str | None] = lambda params: None
    queries: Callable[[Plan], Mapping[str, Query]] | None = None
    cases: Callable[[], list[AuditCase]] | None = None
    person_cases: Callable[[], list[AuditCase]] | None = None
    event_cases: Callable[[], list[EventCase]] | None = None
    person_event_cases: Callable[[], list[EventCase]] | None = None
    fit_cells: Callable[[Dataset, list[tuple[Plan, int]]], list[Release]] | None = None
    cell_settings: tuple[str, ...] = ()
    record_ratio: Callable[[Mapping[str, Any]], int] = lambda params: 0
    private: bool = True
    needs_public: bool = False
    reads_public: Callable[[Mapping[str, Any]], bool] = lambda params: False
    protects_public: Callable[[Mapping[str, Any]], bool] = lambda params: False

    def check(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """All params with defaults filled in, checked.

        Raises:
            DpvizError: for an unknown name or a bad value.
        """
        param_of = {p.name: p for p in self.params}
        params = {self.present_name(name): value for name, value in params.items()}
        for name in params:
            if name not in param_of:
                allowed = ", ".join(param_of) or "none"
                raise DpvizError(f"{self.key} has no parameter {name!r}; it has: {allowed}.")
        return {name: p.check(params.get(name, p.default)) for name, p in param_of.items()}

    def present_name(self, name: str) -> str:
        """The name of a setting, which may be given by its former name."""
        return next((p.name for p in self.params if name and p.former == name), name)
