"""Checks of one method's code before a release of it: the part of the contract that takes seconds.

A search over made-up neighbors must not move any draw further than its claimed sensitivity. The
noisy outputs of each event must not show more than the event claims, and an audit of a tenth of the
noise must show more. A release must draw each planned event from the system's entropy. Given the
same noisy outputs, a fit must release the same rule on data that share no private record.

The checks find mistakes. They do not find code that acts differently by an environment variable, by
the clock or on other data, such as data with more records than the checks have.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from dpviz import mechanisms, privacy
from dpviz.audits import audited_methods, sensitivity
from dpviz.audits.audited_methods import QUICK_RUNS, Step
from dpviz.experiments import method_verdicts, release_file
from dpviz.experiments.method_verdicts import Verdict
from dpviz.lazy_imports import special
from dpviz.machine import optional
from dpviz.mechanisms import SYSTEM, Seed
from dpviz.text import audit as text
from dpviz.text.template import render_text
from dpviz.types import (
    Budget,
    Dataset,
    DpvizError,
    EventCase,
    Gaussian,
    Method,
    Plan,
    Release,
    less_noise,
)

PAIRS = 14
"""Pairs of neighbors of the search, which hold every odd record and every size of set."""
TENTH_OF_NOISE = "a tenth of the noise"
RELEASES = 12
"""Releases of each event case from the system's entropy."""
FALSE_ALARM_CHANCE = 1e-6
"""Chance that the planned noise of one draw seems too small in those releases."""
BUDGETS = [Budget(value, axis) for axis in ("approx", "zcdp") for value in (0.1, 1.0, 10.0)]
Progress = Callable[[str, int, int], None]


def verdict(method: Method, progress: Progress = lambda what, done, total: None) -> Verdict:
    """Return the stored verdict on a method, or check it now and store the verdict."""
    known = method_verdicts.stored(method)
    return known or method_verdicts.keep(method, check(method, progress))


def check(method: Method, progress: Progress = lambda what, done, total: None) -> tuple[str, ...]:
    """Return what is wrong with a method, in sentences without a full stop.

    Raises:
        DpvizError: if the library that draws the noise of a release is not installed.
    """
    optional.require("opendp")  # its absence must not be stored as a fault of the method
    failures: list[str] = []
    for done, (name, part) in enumerate(PARTS.items()):
        stage = render_text(text.CHECKING, part=name, method=method.key)
        progress(stage, done, len(PARTS))
        try:
            failures += part(method)
        except Exception as error:  # any fault of a method from outside is a finding
            message = " ".join(str(error).split()) or "no message"
            fields = {"part": name, "error": type(error).__name__, "message": message[:300]}
            failures.append(render_text(text.CHECKS["error"], **fields))
    progress(render_text(text.CHECKED, method=method.key), len(PARTS), len(PARTS))
    return tuple(failures)


def _sensitivity(method: Method) -> Iterator[str]:
    measurements = sensitivity.search(method, PAIRS)
    if not measurements:
        yield text.CHECKS["no_neighbors"]
    for moved in sensitivity.worst(measurements):
        if not moved.holds:
            figures = {"moved": f"{moved.moved:.4g}", "claimed": f"{moved.claimed:.4g}"}
            yield render_text(text.CHECKS["sensitivity"], event=moved.event, **figures)


def _budget(method: Method) -> Iterator[str]:
    for case in _cases(method):
        for budget in BUDGETS:
            plan = method.plan(case.without_record.sizes, budget, method.check(case.params))
            if fault := release_file.wrong_name(plan, method.key):
                yield fault
            try:
                privacy.check(plan, budget)
            except DpvizError as error:
                yield str(error).rstrip(".")


def _noise(method: Method) -> Iterator[str]:
    audited = set()
    for case in _cases(method):
        plan = audited_methods.case_plan(method, case)
        weaker = {TENTH_OF_NOISE: less_noise(plan, 10)}
        step = Step.single(int(QUICK_RUNS * case.share))
        for row in audited_methods.event_rows(method, case, plan, False, weaker)(step):
            audited.add(row.event)
            if row.audited > row.claimed:
                figures = {"audited": f"{row.audited:.4g}", "claimed": f"{row.claimed:.4g}"}
                yield render_text(text.CHECKS["above"], event=row.event, **figures)
            if row.variant_audited <= row.claimed:
                yield render_text(text.CHECKS["missed"], event=row.event)
    for name in {name for case in _cases(method) for name in _draws(method, case)} - audited:
        yield render_text(text.CHECKS["not_audited"], event=name)


def _draws(method: Method, case: EventCase) -> set[str]:
    return set(audited_methods.case_plan(method, case).draws)


def _release(method: Method) -> Iterator[str]:
    for case in _cases(method):
        plan = method.plan(case.without_record.sizes, Budget(0.5), method.check(case.params))
        rules, transcripts, faults = zip(
            *(release_file.recorded(method, case.without_record, plan) for _ in range(RELEASES)),
            strict=True,
        )
        yield from dict.fromkeys(fault for group in faults for fault in group)
        if len({_content(rule) for rule in rules}) == 1:
            yield render_text(text.CHECKS["same"], releases=RELEASES)
        for name, event in plan.draws.items() if not any(faults) else ():
            tables = [transcript.table(name, [SYSTEM])[0] for transcript in transcripts]
            if isinstance(event, Gaussian) and _too_small(np.array(tables), event.sigma):
                yield render_text(text.CHECKS["too_small"], event=name)


def _too_small(outputs: np.ndarray, sigma: float) -> bool:
    """Return whether outputs (runs, k) vary less than Gaussian noise of ``sigma`` lets them.

    Half of the variance is allowed, since symmetric matrices have it off the diagonal. Outputs that
    depend on earlier ones vary more (Anderson's inequality).
    """
    freedom = (len(outputs) - 1) * outputs.shape[1]
    squares = float(((outputs - outputs.mean(axis=0)) ** 2).sum())
    return squares < sigma**2 * special.gammaincinv(freedom / 2, FALSE_ALARM_CHANCE)


def _after_noise(method: Method) -> Iterator[str]:
    if any(_read_after_noise(method)):
        yield text.CHECKS["reads_records"]


def _read_after_noise(method: Method) -> Iterator[bool]:
    """Yield the result of the event cases, then of every choice of each setting."""
    for case in _cases(method):
        plan = method.plan(case.without_record.sizes, Budget(1.0), method.check(case.params))
        others: Iterable[Dataset] = [
            case.without_record,
            *sensitivity.unlike(method, plan, case.with_record),
        ]
        yield reads_after_noise(method, plan, case.with_record, others)
    data = sensitivity.sets(24, 5, 3, np.random.default_rng(0))
    data = sensitivity.marked(dataclasses.replace(data, y=np.arange(24) % 3))
    for params in sensitivity.searched(method):
        try:
            plan = method.plan(data.sizes, Budget(1.0), method.check(params))
        except DpvizError:
            continue  # a choice that needs what this set lacks
        others = sensitivity.unlike(method, plan, data)
        yield reads_after_noise(method, plan, data, others, [[SYSTEM]])


def reads_after_noise(
    method: Method,
    plan: Plan,
    data: Dataset,
    others: Iterable[Dataset],
    batches: Iterable[list[Seed]] = ([0, 1], [SYSTEM]),
) -> bool:
    """Return whether a fit on one of ``others`` that is handed the noisy outputs of a fit on
    ``data`` releases anything else, for each batch of seeds.
    """
    others = list(others)
    for seeds in batches:
        with mechanisms.watched(plan.draws) as seen:
            first = [_content(rule) for rule in method.fit(data, [plan], seeds).releases[0]]
        for other in others:
            with mechanisms.watched(plan.draws, script=seen):
                again = method.fit(other, [plan], seeds).releases[0]
            if first != [_content(rule) for rule in again]:
                return True
    return False


def _content(rule: Release) -> tuple[tuple[str, tuple[int, ...], bytes], ...]:
    """Return all that a file of a release holds, in a form that can be compared and hashed."""
    arrays = release_file.arrays(rule).items()
    return tuple((name, array.shape, array.tobytes()) for name, array in arrays)


def _cases(method: Method) -> list[EventCase]:
    cases = method.event_cases() if method.event_cases else []
    if not cases:
        raise ValueError("the method has no event cases, so there are no neighbors to check")
    return cases


PARTS: dict[str, Callable[[Method], Iterator[str]]] = {
    text.PARTS["sensitivity"]: _sensitivity,
    text.PARTS["budget"]: _budget,
    text.PARTS["noise"]: _noise,
    text.PARTS["release"]: _release,
    text.PARTS["after"]: _after_noise,
}
