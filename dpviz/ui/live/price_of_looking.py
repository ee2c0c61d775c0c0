"""How many settings this person has looked at, and what choosing among them by what was seen would
cost.

Counted where results reach a page and shown below every sidebar. A setting is data, method and
params; its runs at other budgets and seeds are the same setting. References without noise are left
out: they have no finite price.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import streamlit as st

from dpviz.methods import METHODS
from dpviz.privacy.selection_price import OneRun, composed_epsilon, one_run
from dpviz.run.jobs import Job
from dpviz.run.tuning import Tuned
from dpviz.types import DELTA, Budget, Guarantee, Result, RunSpec
from dpviz.words import number

Seen = dict[tuple, dict[tuple, OneRun]]
"""What one run promised, by setting and by budget."""
SEEN, SLOT, NOW = "meter:seen", "meter:slot", "meter:now"
MOST = 5_000
"""Settings remembered for one person."""
HELP = (
    "Every setting drawn here has read the private records. Whoever then picks one has used all of"
    " them: the cost is that of composition, one run a setting, each with fresh noise, at the"
    " budget looked at now (its dearest budget where it was not drawn at this one). References"
    " without noise are not counted: looking at them has no finite price. The page Tuning shows"
    " when choosing can be cheaper."
)


def saw(job: Job) -> None:
    """Count what a job has put before this person."""
    seen = _seen()
    for results in job.done.values():
        for result in results:
            if isinstance(result, Tuned):
                for trial in result.trials:
                    if trial.guarantee:
                        _count(
                            seen, result.search.spec(tuple(trial.params.items())), trial.guarantee
                        )
            else:
                made = getattr(
                    result, "result", result
                )  # a page's own answer is about a run, or holds one
                _count(seen, getattr(made, "spec", None), getattr(made, "guarantee", None))
    _draw()


def count(results: Iterable[Result], now: Budget) -> None:
    """Count results that reach a page without a job; ``now``: the budget looked at, where it is not
    the sidebar's.
    """
    seen = _seen()
    for result in results:
        _count(seen, result.spec, result.guarantee)
    st.session_state[NOW] = now
    _draw()


def _seen() -> Seen:
    return st.session_state.setdefault(SEEN, {})


def _count(seen: Seen, spec: Any, promise: Guarantee | None) -> None:
    if not isinstance(spec, RunSpec) or not METHODS[spec.method].private or not spec.budget.private:
        return
    setting = (*spec.facts.values(), spec.method, spec.params)
    if setting in seen or len(seen) < MOST:
        budgets = seen.setdefault(setting, {})
        at = (spec.budget.axis, spec.budget.value)
        if promise is not None and at not in budgets:
            budgets[at] = one_run(promise)


def sentence(seen: Seen, axis: str, value: float, delta: float) -> str:
    """The count and the price in one sentence."""
    count = len(seen)
    if count < 2:
        return f"Settings looked at: {count}. Nothing chosen by results yet."
    runs = [
        budgets.get((axis, value)) or max(budgets.values(), key=lambda run: run.rho)
        for budgets in seen.values()
        if budgets
    ]
    cost = composed_epsilon(runs, delta) if len(runs) == count else math.inf
    price = (
        f"ε = {number(cost)} at δ = {number(delta)}"
        if math.isfinite(cost)
        else "more than any number says"
    )
    return (
        f"Settings looked at: **{count}**. Choosing among them by what you saw would cost {price};"
        " no number on these pages has paid it."
    )


def place() -> None:
    """Where the meter stands on this page, with the count so far; what the page goes on to show is
    added there.
    """
    st.session_state[SLOT] = st.empty()
    _draw()


def _draw() -> None:
    state = st.session_state
    if SLOT in state:
        now = state.get(NOW) or Budget(
            state.get("eps", 1.0), state.get("axis", "approx"), state.get("delta") or DELTA
        )
        words = sentence(state.get(SEEN, {}), now.axis, now.value, now.delta)
        state[SLOT].caption(words, help=HELP)


def leave() -> None:
    """Forget the last page's place and budget, which are gone."""
    st.session_state.pop(SLOT, None)
    st.session_state.pop(NOW, None)
