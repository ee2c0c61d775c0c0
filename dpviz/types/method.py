"""Methods: settings, plan, fit and everything else specific to one method."""

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
    """One setting of a method; makes the widget, the check, the option and the test.

    Attributes:
        name: as in ``--param name=value``; label, help: for the UI, with the unit.
        default: inside the range; low, high, step: bounds and step of a number.
        log: whether the scale is logarithmic; choices: allowed texts, instead of bounds.
        tuned: whether tuning moves it by default; False if another setting has the same effect.
        former: earlier name, still accepted.
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
        """Whether values are whole numbers."""
        return isinstance(self.default, int)

    @property
    def slider_step(self) -> Any:
        """Step of a number's widget, in the parameter's type."""
        if self.integer:
            return int(self.step or 1)
        return float(self.step or (self.high - self.low) / 100)

    def check(self, value: Any) -> Any:
        """Return ``value`` in the parameter's type.

        Raises:
            DpvizError: If it has another type or is out of range.
        """
        if self.choices:
            if value not in self.choices:
                raise DpvizError(
                    f"`{self.name}` must be one of {', '.join(self.choices)}, got {quoted(value)}."
                )
            return value
        number = check_range(f"`{self.name}`", value, self.low, self.high)
        if not math.isfinite(number):
            raise DpvizError(f"`{self.name}` must be finite, got {number:g}.")
        name = f"`{self.name}`"
        return check_whole(name, value, self.low, self.high) if self.integer else number


@dataclass(frozen=True)
class Query:
    """Value of an event before its noise, as a function of the data.

    The fit of the method computes the value by the same code.

    Attributes:
        value: ``value(data, plan, earlier)``. For Gaussian noise (k, ...) float64: k separate
            releases of the event. For an exponential mechanism (C, m) utilities: one choice per
            row, all rows released together.
        earlier_releases: ``earlier_releases(data, plan, rng)`` returns examples of earlier
            releases, such as weights; each is passed to ``value`` in turn.
        scale: ``scale(plan)``, size of one unit of the value, as in ``mechanisms.add_gaussian``.
    """

    value: Callable[[Dataset, Plan, Any], np.ndarray]
    earlier_releases: Callable[[Dataset, Plan, np.random.Generator], list] = lambda *_: [None]
    scale: Callable[[Plan], float] = lambda plan: 1.0


#: Epsilon (n,) in the notion of the method's claim, and rho (n,), both float64, of each record. Of
#: each person, in the order of their numbers, if the plan is user-level.
Losses = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Method:
    """One row of the method table.

    Attributes:
        key, title, source: key in commands, name in the UI, paper with equation or algorithm.
        summary: one plain sentence for readers who do not know the paper.
        params: settings, in the order they are shown.
        plan: ``plan(sizes, budget, params) -> Plan``; sees no record.
        fit: ``fit(data, plans, seeds) -> Fit``; plans share their params and differ in budget. A
            seed is a number, or ``mechanisms.SYSTEM`` for a release from system entropy.
        line_style: in every chart, different from that of every other method.
        losses: ``losses(data, plan, seed) -> Losses``, privacy loss of each record, or each person,
            in that run; None if no formula is known.
        why_no_losses: ``why_no_losses(params)``, reason in one sentence if ``losses`` does not
            apply, else None.
        queries: ``queries(plan)``, the query of each of the plan's ``draws`` by name.
        fit_cells: ``fit_cells(data, [(plan, seed), …])``, the releases of plans that may also
            differ in the settings ``cell_settings``, in one fit; same bits as ``fit``.
        cases: worst-case neighbors, each with a faulty variant that an audit must catch;
            person_cases: worst-case neighbors that differ by one person, if repeated records of
            ``cases`` are not the worst case.
        event_cases: neighbors that reach the sensitivity of single events, for the audit of each
            event; person_event_cases: the same at user level.
        record_ratio: ``record_ratio(params)``, 0 if a person can move events as far as all records
            of that person together. Otherwise a plan with ``records_per_person`` bounds persons by
            its claim for a record, and one record moves an event at most this many times as far.
        private: False for references without noise, which read all private data or none.
        needs_public: whether every setting needs a public set.
        reads_public: ``reads_public(params)``, whether these settings need a public set.
        protects_public: ``protects_public(params)``, whether labeled public records count as
            private. Neighbors may then differ in one of these records as well.
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
        """Return all params, checked, with defaults filled in.

        Raises:
            DpvizError: For an unknown name or a bad value.
        """
        param_of = {p.name: p for p in self.params}
        params = {self.present_name(name): value for name, value in params.items()}
        for name in params:
            if name not in param_of:
                allowed = ", ".join(param_of) or "none"
                raise DpvizError(
                    f"Unknown parameter `{name}` of {self.key}. Allowed parameters: {allowed}."
                )
        return {name: p.check(params.get(name, p.default)) for name, p in param_of.items()}

    def present_name(self, name: str) -> str:
        """Return the current name of a setting, which may be given by its former name."""
        return next((p.name for p in self.params if name and p.former == name), name)
