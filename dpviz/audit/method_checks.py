"""Checks of one method's code before a release of it: the part of the contract that takes seconds.

A search over made-up neighbors must not move any draw further than its claimed sensitivity. The
noisy outputs of each event must not show more than the event claims, and an audit of a tenth of the
noise must show more. What follows the noise must not read a record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from dpviz import mechanisms, privacy
from dpviz.audit import event_audits, sensitivity
from dpviz.audit.audited_methods import QUICK_RUNS
from dpviz.run import method_verdicts
from dpviz.run.method_verdicts import Verdict
from dpviz.types import Budget, Dataset, DpvizError, EventCase, Method, Plan, less_noise

PAIRS = 14
"""Pairs of neighbors of the search, which hold every odd record and every size of set."""
TENTH = "a tenth of the noise"
BUDGETS = [Budget(value, axis) for axis in ("approx", "zcdp") for value in (0.1, 1.0, 10.0)]
Progress = Callable[[str, int, int], None]


def verdict(method: Method, progress: Progress = lambda what, done, total: None) -> Verdict:
    """Return the stored verdict on a method, or check it now and store the verdict."""
    known = method_verdicts.stored(method)
    return known or method_verdicts.keep(method, check(method, progress))


def check(method: Method, progress: Progress = lambda what, done, total: None) -> tuple[str, ...]:
    """Return what is wrong with a method, in sentences without a full stop."""
    failures: list[str] = []
    for done, (name, part) in enumerate(PARTS.items()):
        progress(f"Checking {name} of {method.key}", done, len(PARTS))
        try:
            failures += part(method)
        except Exception as error:  # any fault of a method from outside is a finding
            said = " ".join(str(error).split()) or "no message"
            failures.append(f"the check of {name} ended with {type(error).__name__}: {said[:300]}")
    progress(f"Checked {method.key}", len(PARTS), len(PARTS))
    return tuple(failures)


def _sensitivity(method: Method) -> Iterator[str]:
    found = sensitivity.search(method, PAIRS)
    if not found:
        yield "no neighbors could be tried, so no sensitivity was checked"
    for moved in sensitivity.worst(found):
        if not moved.holds:
            yield (
                f"neighbors move the draw “{moved.event}” by {moved.moved:.4g}, above its claimed"
                f" sensitivity of {moved.claimed:.4g}"
            )


def _budget(method: Method) -> Iterator[str]:
    for case in _cases(method):
        for budget in BUDGETS:
            plan = method.plan(case.less.sizes, budget, method.check(case.params))
            try:
                privacy.check(plan, budget)
            except DpvizError as error:
                yield str(error).rstrip(".")


def _noise(method: Method) -> Iterator[str]:
    audited = set()
    for case in _cases(method):
        plan = method.plan(case.less.sizes, case.budget, method.check(case.params))
        weaker = {TENTH: less_noise(plan, 10)}
        runs = int(QUICK_RUNS * case.share)
        for row in event_audits.of_plan(method, case, plan, runs, False, weaker):
            audited.add(row.event)
            of = f"an audit of the draw “{row.event}”"
            if row.audited > row.claimed:
                yield f"{of} shows ε = {row.audited:.4g}, above its claim of {row.claimed:.4g}"
            if row.twin_audited <= row.claimed:
                yield f"{of} does not notice {TENTH}"
    for name in {name for case in _cases(method) for name in _draws(method, case)} - audited:
        yield f"no audit covers the draw “{name}”"


def _draws(method: Method, case: EventCase) -> set[str]:
    return set(method.plan(case.less.sizes, case.budget, method.check(case.params)).draws)


def _after_noise(method: Method) -> Iterator[str]:
    for case in _cases(method):
        plan = method.plan(case.less.sizes, Budget(1.0), method.check(case.params))
        if reads_after_noise(method, plan, case.more, case.less):
            yield "what follows the noise reads records"


def reads_after_noise(method: Method, plan: Plan, more: Dataset, less: Dataset) -> bool:
    """Return whether a fit on ``less`` that is handed the noisy outputs of one on ``more`` releases
    anything else.
    """
    with mechanisms.watched(plan.draws) as seen:
        first = method.fit(more, [plan], [0, 1]).releases[0]
    with mechanisms.watched(plan.draws, script=seen):
        again = method.fit(less, [plan], [0, 1]).releases[0]
    return not all(
        np.array_equal(one.weights, other.weights) and np.array_equal(one.bias, other.bias)
        for one, other in zip(first, again, strict=True)
    )


def _cases(method: Method) -> list[EventCase]:
    cases = method.event_cases() if method.event_cases else []
    if not cases:
        raise ValueError("the method has no event cases, which are the neighbors to check it on")
    return cases


PARTS: dict[str, Callable[[Method], Iterator[str]]] = {
    "the sensitivity": _sensitivity,
    "the budget": _budget,
    "the noise": _noise,
    "what follows the noise": _after_noise,
}
