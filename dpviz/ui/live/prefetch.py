"""Likely next settings, computed while the server is idle, in a process of the lowest priority.

Once a page has run, its runs are computed at one step of the imbalance ratio to either side, of the
budget where the page has no curve over it, of the method sliders in sight, and at one more step of
the setting that was moved last: first those that the answers need. The page finds the results in
memory or in the store. Any page that runs stops the work.
"""

from __future__ import annotations

import os
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import streamlit as st

from dpviz.experiments.jobs import Group, Work
from dpviz.machine import public_mode
from dpviz.methods import METHODS
from dpviz.types import Budget, Cancelled, DpvizError, Param, RunSpec
from dpviz.ui.live import long_work, refining
from dpviz.ui.widgets.shared_controls import RATIOS
from dpviz.views.page_config import STOPS, PageConfig, SettingStep, Step, neighbors

DISABLED = os.environ.get("DPVIZ_PREFETCH") == "0" or public_mode.is_on()
"""Whether this server computes nothing before it is asked for."""
REST = 0.5
"""Seconds without a page run after which the server counts as idle."""
POLL_INTERVAL = 0.1
MAX_SECONDS = 20.0
"""Computing time of a page's runs above which only its neighbors' answers are computed."""
MAX_RESULTS = 2_000
"""Results of a page above which its neighbors are not kept in memory."""
KEY, PREVIOUS = "prefetch", "prefetch:previous"

Wish = tuple[Work, Group]
Values = Mapping[tuple[str, str], Any]
"""Values of settings by (method, name)."""


@dataclass(frozen=True)
class Move:
    """Another imbalance ratio or budget, or other values of settings.

    Attributes:
        ratio: the ratio now and the new one, or None; values: new values by (method, name);
            budget: the budget now and the new one, or None; setting: one step of a setting, or
            None.
    """

    ratio: tuple[float, float] | None = None
    values: Values = field(default_factory=dict)
    budget: tuple[Budget, Budget] | None = None
    setting: SettingStep | None = None

    def applied(self, groups: Iterable[Group]) -> list[Group]:
        """Return the groups of a page after the move."""
        return [tuple(map(self._applied, group)) for group in groups]

    def _applied(self, spec: RunSpec) -> RunSpec:
        if self.ratio is not None:  # a page may have runs of another ratio, for comparison
            now, following = self.ratio
            return replace(spec, ir=following) if spec.ir == now else spec
        if self.budget is not None:
            current, next_budget = self.budget
            return replace(spec, budget=next_budget) if spec.budget == current else spec
        values = dict(spec.params)
        for param in METHODS[spec.method].params:
            value, in_defaults = self._new_value(spec.method, param, values)
            if value == param.default and not in_defaults:
                values.pop(param.name, None)
            elif value is not None:
                values[param.name] = value
        return replace(spec, params=tuple(values.items()))

    def _new_value(self, method: str, param: Param, values: Mapping[str, Any]) -> tuple[Any, bool]:
        """Return a setting's new value or None, and whether specs name it at its default, too."""
        step = self.setting
        if step is None:
            return self.values.get((method, param.name)), False
        moved = param.name == step.name and values.get(param.name, param.default) == step.value
        return (step.next_value if moved else None), step.in_defaults


def moves(now: PageConfig, before: PageConfig | None) -> list[Move]:
    """Return the likely next moves: one further in the direction of the last move first.

    Args:
        before: the page's view at its run before; None at its first.
    """
    values = _next_values(_values(now), _values(before) if before else {})
    last, stops = before or now, STOPS[now.budget.axis]
    ratios = _neighbors(now.ir, last.ir, RATIOS)
    budgets = _neighbors(now.budget.value, last.budget.value, stops)
    # a new budget takes less than a new ratio, which has other records
    steps = [Move(budget=(now.budget, now.budget.with_value(stop))) for stop in budgets]
    steps += [Move((now.ir, ratio)) for ratio in ratios]
    steps += [Move(setting=step) for step in now.setting_steps()]
    return [Move(values=values)] * bool(values) + steps


def _neighbors(now: float, last: float, stops: Sequence[float]) -> list[float]:
    """Return the stops next to a value, in the direction of the last move first."""
    found = neighbors(now, stops)
    return found[::-1] if now < last else found


def _values(view: PageConfig) -> Values:
    changed = {key: dict(values) for key, values in view.params}
    return {
        (key, param.name): changed.get(key, {}).get(param.name, param.default)
        for key in view.methods
        if key in METHODS  # not a release without a method, as on the Audit page
        for param in METHODS[key].params
    }


def _next_values(now: Values, before: Values) -> Values:
    """Return one more step of the settings that were moved last."""
    return {
        (key, name): following
        for (key, name), value in now.items()
        if (following := _following(key, name, value, before.get((key, name), value))) is not None
    }


def _following(key: str, name: str, value: Any, previous: Any) -> float | None:
    if value == previous or isinstance(value, str):
        return None
    [param] = [param for param in METHODS[key].params if param.name == name]
    following = round(2 * value - previous, 10)
    return following if param.low <= following <= param.high else None


@dataclass
class _Wishes:
    """Tabs that visitors look at, and the groups of their likely next moves, with their work.

    Attributes:
        requests: what gives the groups of a tab, called once the server is idle; waiting: groups
            that are not computed yet.
    """

    requests: dict[str, Callable[[], Sequence[Wish]]] = field(default_factory=dict)
    waiting: dict[str, deque[Wish]] = field(default_factory=dict)
    served: Counter[str] = field(default_factory=Counter)
    change: threading.Condition = field(default_factory=threading.Condition)
    touched: float = 0.0
    is_started: bool = False

    def put(self, person: str, wishes: Callable[[], Sequence[Wish]]) -> None:
        """Replace what is computed for a tab of a visitor."""
        with self.change:
            self.waiting.pop(person, None)
            self.requests[person] = wishes
            if not self.is_started:
                self.is_started = True
                threading.Thread(target=self._serve, daemon=True).start()
            self.change.notify_all()

    def stop(self, person: str) -> None:
        """Stop all work now, and forget what was to be computed for this tab."""
        self.touched = time.monotonic()
        with self.change:
            self.requests.pop(person, None)
            self.waiting.pop(person, None)

    def _serve(self) -> None:
        while True:
            with self.change:
                self.change.wait_for(lambda: self.waiting or self.requests)
                person, request = next(iter(self.requests.items()), ("", None))
            if not self._is_idle():
                time.sleep(POLL_INTERVAL)
            elif request is not None:
                self._list(person, request)
            elif next_one := self._next():
                self._compute(*next_one)

    def _list(self, person: str, request: Callable[[], Sequence[Wish]]) -> None:
        """List the groups of a tab, unless it asked for others meanwhile."""
        try:
            wishes = deque(request())
        except (DpvizError, RuntimeError):  # the page says so, if anybody asks for it
            wishes = deque()
        with self.change:
            if self.requests.get(person) is request:
                del self.requests[person]
                self.waiting[person] = wishes

    def _is_idle(self) -> bool:
        return not long_work.JOBS.is_working and time.monotonic() - self.touched > REST

    def _next(self) -> tuple[str, Wish] | None:
        """Return a wish for the visitor who got the fewest."""
        with self.change:
            for person in list(self.waiting):
                if not self.waiting[person] or not long_work.is_connected(person):
                    del self.waiting[person]
            if not self.waiting:
                self.served.clear()
                return None
            person = min(self.waiting, key=lambda one: self.served[long_work.visitor_of(one)])
            self.served[long_work.visitor_of(person)] += 1
            return person, self.waiting[person].popleft()

    def _compute(self, person: str, wish: Wish) -> None:
        work, group = wish
        if work.run_idle is None or work.results.get(group) is not None:
            return

        def progress(stage: str, done: int, total: int) -> None:
            if not self._is_idle():
                raise Cancelled

        try:
            results = work.run_idle(group, progress)
        except Cancelled:
            with self.change:
                if person in self.waiting:
                    self.waiting[person].appendleft(wish)
        except (DpvizError, RuntimeError):  # the page says so, if anybody asks for it
            pass
        else:
            work.results.put(group, results)


_wishes = _Wishes()


def pause() -> None:
    """Stop: a page begins to run."""
    _wishes.stop(long_work.client(KEY))


def begin(address: str, view: PageConfig | None) -> None:
    """Have the likely next settings of the page that has just run computed.

    Args:
        address: of the page; view: its settings.
    """
    previous = st.session_state.get(PREVIOUS)
    st.session_state[PREVIOUS] = address, view
    if view is None or not _is_on():
        return
    before = previous[1] if previous and previous[0] == address else None
    wishes = partial(_wishes_of, long_work.collected(), view, before, refining.first_step(view))
    _wishes.put(long_work.client(KEY), wishes)


def _wishes_of(
    collected: Sequence[Wish], view: PageConfig, before: PageConfig | None, first: Step
) -> list[Wish]:
    """Return what the likely moves from a view need; of slow pages only what the answer needs.

    Args:
        collected: what the page has shown; before: as for ``moves``; first: see ``_wanted``.
    """
    collected = list(dict.fromkeys(collected))
    results = [run for work, group in collected for run in work.results.get(group) or ()]
    if len(results) > MAX_RESULTS:
        return []
    curves_too = sum(map(_seconds, results)) <= MAX_SECONDS
    # a curve has all budgets already
    shown = {spec.budget.value for _, group in collected for spec in group}
    likely = [m for m in moves(view, before) if not m.budget or m.budget[1].value not in shown]
    return _wanted(collected, view, likely, first, curves_too)


def _wanted(
    collected: Sequence[Wish],
    view: PageConfig,
    likely: Sequence[Move],
    first: Step,
    curves_too: bool,
) -> list[Wish]:
    """Return what the likely moves need: every answer before any curve, since the next move is made
    soon, and to either side.

    Args:
        first: seeds and data draws with which the page begins; curves_too: more than the answers.
    """
    sweeps = [group for work, group in collected if work is long_work.SWEEPS]
    curves = [_first_runs(group, view, first) for group in sweeps]
    answer = tuple(spec for group in curves for spec in group if view.near(spec) == 0)
    others = [wish for wish in collected if wish[0] is not long_work.SWEEPS]
    wanted = [(long_work.SWEEPS, [answer])] * bool(answer)
    if curves_too:
        wanted += [(work, [group]) for work, group in others] + [(long_work.SWEEPS, curves)]
    return [
        (work, group) for work, part in wanted for move in likely for group in move.applied(part)
    ]


def _seconds(result: Any) -> float:
    """Return the computing time of a result, where it is known."""
    return float(getattr(result, "seconds", 0.0))


def _is_on() -> bool:
    return st.runtime.exists() and not DISABLED


def _first_runs(group: Group, view: PageConfig, first: Step) -> Group:
    """Return the runs of a group before its refinement."""
    seeds, draws = view.first_seed + first.seeds, view.draw + first.draws
    return tuple(spec for spec in group if spec.seed < seeds and spec.draw < draws)
