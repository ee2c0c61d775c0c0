"""Faults of private methods: implementation, source, and the setting of the audit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dpviz import mechanisms
from dpviz.audits.trade_off_audit import Sample
from dpviz.methods import pate
from dpviz.text import faults as text
from dpviz.types import AuditCase, Budget, Dataset, DpvizError, Guarantee, Method, Plan, Release

#: A few hundred releases distinguish this budget from half the noise.
BUDGET = Budget(4.0)
SIDES = 2
#: Number of seeds of one audit; no other audit has the same seeds.
STREAM = 10**7

Make = Callable[[Dataset, Plan, Sequence[int]], list[Release]]
"""make(data, plan, seeds): one release per seed."""
Statistic = Callable[[Release, Dataset], Any]
"""statistic(release, data): number, or numbers (k,), that an audit computes from a release."""
StepStatistic = Callable[[np.ndarray], np.ndarray]
"""step_statistic(outputs (runs, k)) -> (runs, j): statistics of all noisy outputs of a release."""


@dataclass(frozen=True)
class Setting:
    """A method with a claim, and two neighbors for its audit.

    Attributes:
        method, params, budget: the runs.
        with_record, without_record: neighbors under the claim.
        statistic: of a release; difference: of the neighbors, as text.
        step_statistic: replaces ``statistic`` if the noisy outputs of all steps are released, which
            the guarantee covers as well.
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
        """The plan without a fault, with the claimed guarantee."""
        return self.method.plan(
            self.without_record.sizes, self.budget, self.method.check(dict(self.params))
        )

    def sample(self, make: Make, start: int = 0) -> Sample:
        """Return samples of the releases of ``make``; ``start``: number of the audit."""
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
    """Return the seeds of releases ``first``, ``first`` + 1 ... on one of the neighbors."""
    return [start * STREAM + SIDES * (first + i) + with_record for i in range(runs)]


def as_planned(method: Method) -> Make:
    """Return the releases of a method without a fault."""
    return lambda data, plan, seeds: method.fit(data, [plan], list(seeds)).releases[0]


#: Index of the audit case that detects half the noise fastest, if it is not the first.
SHARPEST_CASES = {"dppl-auto": -1}


def usual(method: Method, budget: Budget) -> Setting:
    """Return a method on the worst-case neighbors of its own audit."""
    case = _case(method)
    return Setting(
        method,
        case.params,
        replace(case.budget, value=budget.value, axis=budget.axis, delta=budget.delta),
        case.with_record,
        case.without_record,
        case.statistic,
        text.WORST_CASE,
    )


def _case(method: Method) -> AuditCase:
    if method.key in pate.ENSEMBLES:
        return pate.one_answer_case()
    assert method.cases is not None
    return method.cases()[SHARPEST_CASES.get(method.key, 0)]


@dataclass(frozen=True)
class Mistake:
    """One way to break a guarantee silently. ``text.FAULTS`` has the texts.

    Attributes:
        key: in links and in ``text.FAULTS``; link: address of the source.
        methods: keys of the methods that can have the fault; empty: any private method.
        make: ``make(method)``, releases with the fault, also of real data.
        setting: ``setting(method, budget)``, setting of the audit.
        sample: ``sample(setting, start)``, if more than the release is observed.
        make_right, sample_right: the same without the fault.
        output_error: ``output_error(release, data)``, error of a release in ``error_unit``, if the
            release is no classifier.
        claim: the claimed guarantee, if the fault is in the claim.
        unseen: why outputs cannot show the fault, with the proof that it leaks.
    """

    key: str
    link: str
    methods: tuple[str, ...]
    make: Callable[[Method], Make]
    setting: Callable[[Method, Budget], Setting] = usual
    sample: Callable[[Setting, int], Sample] | None = None
    make_right: Callable[[Method], Make] = as_planned
    sample_right: Callable[[Setting, int], Sample] | None = None
    output_error: Callable[[Release, Dataset], float] | None = None
    claim: Callable[[Guarantee], Guarantee] = lambda claim: claim
    budget: Budget = BUDGET
    unseen: str = ""

    @property
    def title(self) -> str:
        """Title of two or more words."""
        return text.FAULTS[self.key]["title"]

    @property
    def wrong(self) -> str:
        """The fault in one plain sentence."""
        return text.FAULTS[self.key]["wrong"]

    @property
    def explanation(self) -> str:
        """Reason why the guarantee fails, with formulas."""
        return text.FAULTS[self.key]["explanation"]

    @property
    def source(self) -> str:
        """Paper or project with this fault."""
        return text.FAULTS[self.key]["source"]

    @property
    def fix(self) -> str:
        """Correction of the fault."""
        return text.FAULTS[self.key]["fix"]

    @property
    def error_unit(self) -> str:
        """Unit of ``output_error``."""
        return text.FAULTS[self.key].get("error_unit", "")

    @property
    def safe(self) -> str:
        """Reason why the fault breaks no guarantee; empty if it breaks one."""
        return text.FAULTS[self.key].get("safe", "")

    def faulty_sample(
        self, method: Method, budget: Budget, start: int = 0
    ) -> tuple[Sample, Guarantee]:
        """Return samples of the releases with this fault, and the claimed guarantee.

        Raises:
            DpvizError: If this method cannot have the fault.
        """
        if self.methods and method.key not in self.methods:
            known = ", ".join(self.methods)
            raise DpvizError(f"{method.key} cannot have the fault {self.key}. Use one of {known}.")
        setting = self.setting(method, budget)
        sample = (
            self.sample(setting, start) if self.sample else setting.sample(self.make(method), start)
        )
        return sample, self.claim(setting.plan.guarantee)


def honest(method: Method, budget: Budget, start: int = 0) -> tuple[Sample, Guarantee]:
    """Return samples of releases without a fault, and the guarantee of the method."""
    setting = usual(method, budget)
    return setting.sample(as_planned(method), start), setting.plan.guarantee


def honest_at(
    mistake: Mistake, method: Method, budget: Budget, start: int = 0
) -> tuple[Sample, Guarantee]:
    """Return samples without the fault in the setting of its audit, and the claimed guarantee."""
    setting = mistake.setting(method, budget)
    sample = (
        mistake.sample_right(setting, start)
        if mistake.sample_right
        else setting.sample(mistake.make_right(method), start)
    )
    return sample, mistake.claim(setting.plan.guarantee)
