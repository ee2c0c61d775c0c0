"""A mistake in a private method: what goes wrong, who made it, how it is made here, and where an
audit looks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dpviz import mechanisms
from dpviz.audit.trade_off_audit import Sample
from dpviz.methods import pate
from dpviz.types import AuditCase, Budget, Dataset, DpvizError, Guarantee, Method, Plan, Release

BUDGET = Budget(4.0)
"""A few hundred releases tell it from half the noise."""
WORST = "one record more, or another in its place, chosen to be the worst for this method"
SIDES = 2
STREAM = 10**7
"""Seeds of one audit, which no other audit has."""

Make = Callable[[Dataset, Plan, Sequence[int]], list[Release]]
"""make(data, plan, seeds): the release of each seed."""
Statistic = Callable[[Release, Dataset], Any]
"""statistic(release, data): the number, or numbers (k,), that an audit reads off a release."""
StepStatistic = Callable[[np.ndarray], np.ndarray]
"""step_statistic(outputs (runs, k)) -> (runs, j): the same of all noisy outputs of each release."""


@dataclass(frozen=True)
class Setting:
    """A method under a promise, and the two neighbours that it is tried on.

    Attributes:
        method, params, budget: what is run.
        with_record, without_record: neighbours under what is promised.
        statistic: what an audit reads off a release; difference: of the neighbours, in words.
        step_statistic: what it reads instead where every step's noisy output is released, which the
            guarantee allows as well.
    """

    method: Method
    params: Mapping[str, Any]
    budget: Budget
    with_record: Dataset
    without_record: Dataset
    statistic: Statistic
    difference: str = ""
    step_statistic: StepStatistic | None = None

    @property
    def plan(self) -> Plan:
        """The plan without any mistake; its guarantee is what is promised."""
        return self.method.plan(
            self.without_record.sizes, self.budget, self.method.check(dict(self.params))
        )

    def sample(self, make: Make, start: int = 0) -> Sample:
        """What is seen of releases as ``make`` makes them; ``start``: the number of the audit."""
        plan = self.plan

        def sampled(with_record: bool, first: int, runs: int) -> np.ndarray:
            data = self.with_record if with_record else self.without_record
            own = seeds(with_record, first, runs, start)
            if self.step_statistic is not None:
                with mechanisms.watched(plan.draws) as transcript:
                    make(data, plan, own)
                steps = [transcript.table(name, own) for name in plan.draws]
                return self.step_statistic(np.concatenate(steps, axis=1))
            releases = make(data, plan, own)
            return np.array([np.atleast_1d(self.statistic(r, data)) for r in releases], float)

        return sampled


def seeds(with_record: bool, first: int, runs: int, start: int = 0) -> list[int]:
    """The seeds of releases ``first``, ``first`` + 1 ... on one of the neighbours."""
    return [start * STREAM + SIDES * (first + i) + with_record for i in range(runs)]


def as_planned(method: Method) -> Make:
    """Releases of a method without a mistake."""
    return lambda data, plan, seeds: method.fit(data, [plan], list(seeds)).releases[0]


SHARPEST_CASES = {"dppl-auto": -1}
"""Which case of a method half the noise is seen in soonest, where it is not the first."""


def usual(method: Method, budget: Budget) -> Setting:
    """A method on the worst neighbours of its own audit."""
    case = _case(method)
    return Setting(
        method,
        case.params,
        replace(case.budget, value=budget.value, axis=budget.axis, delta=budget.delta),
        case.with_record,
        case.without_record,
        case.statistic,
        WORST,
    )


def _case(method: Method) -> AuditCase:
    if method.key in pate.ENSEMBLES:
        return pate.one_answer_case()
    assert method.cases is not None
    return method.cases()[SHARPEST_CASES.get(method.key, 0)]


@dataclass(frozen=True)
class Mistake:
    """One way to break a promise without a word.

    Attributes:
        key, title: in links and for people; wrong: what is done, in a plain sentence; precisely:
            the same with its formula, and why the promise does not follow.
        source, link: who made or described it; mend: what would put it right.
        methods: keys of those it is tried on, the first by default; empty: any private method.
        make: ``make(method)``, the releases with the mistake, also of real data.
        setting: ``setting(method, budget)``, where an audit looks for it.
        sample: ``sample(setting, start)``, where an onlooker sees more than the release.
        make_right: ``make_right(method)``, releases without the mistake, also of real data;
            sample_right: as ``sample`` is to ``make``.
        output_error: ``output_error(release, data)``, how far a release is off, in ``error_unit``,
            where it is no head whose accuracy could be shown; else None.
        claim: the promise as it is read, where the mistake lies in the reading.
        unseen: why outputs cannot show it, with the proof that it leaks; safe: why it is no leak.
    """

    key: str
    title: str
    wrong: str
    explanation: str
    source: str
    link: str
    fix: str
    methods: tuple[str, ...]
    make: Callable[[Method], Make]
    setting: Callable[[Method, Budget], Setting] = usual
    sample: Callable[[Setting, int], Sample] | None = None
    make_right: Callable[[Method], Make] = as_planned
    sample_right: Callable[[Setting, int], Sample] | None = None
    output_error: Callable[[Release, Dataset], float] | None = None
    error_unit: str = ""
    claim: Callable[[Guarantee], Guarantee] = lambda claim: claim
    budget: Budget = BUDGET
    unseen: str = ""
    safe: str = ""

    def faulty_sample(
        self, method: Method, budget: Budget, start: int = 0
    ) -> tuple[Sample, Guarantee]:
        """What is seen of the releases with this mistake, and what was promised of them.

        Raises:
            DpvizError: if this method cannot have it.
        """
        if self.methods and method.key not in self.methods:
            known = ", ".join(self.methods)
            raise DpvizError(f"{method.key} cannot have the mistake {self.key}; use {known}.")
        setting = self.setting(method, budget)
        sample = (
            self.sample(setting, start) if self.sample else setting.sample(self.make(method), start)
        )
        return sample, self.claim(setting.plan.guarantee)


def honest(method: Method, budget: Budget, start: int = 0) -> tuple[Sample, Guarantee]:
    """What is seen of a method's releases without a mistake, and what is promised of them."""
    setting = usual(method, budget)
    return setting.sample(as_planned(method), start), setting.plan.guarantee


def honest_at(
    mistake: Mistake, method: Method, budget: Budget, start: int = 0
) -> tuple[Sample, Guarantee]:
    """What is seen without the mistake where an audit looks for it, and what is promised."""
    setting = mistake.setting(method, budget)
    sample = (
        mistake.sample_right(setting, start)
        if mistake.sample_right
        else setting.sample(mistake.make_right(method), start)
    )
    return sample, mistake.claim(setting.plan.guarantee)
