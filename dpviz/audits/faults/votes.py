"""Faults in teacher votes: cost of the threshold test, and assignment of records."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

import numpy as np

from dpviz import mechanisms, privacy
from dpviz.audits.faults.model import Make, Mistake, Setting, seeds
from dpviz.audits.trade_off_audit import Sample
from dpviz.methods import pate
from dpviz.methods.components import teachers
from dpviz.methods.components.worst_neighbours import first_weights_apart, records
from dpviz.text import faults as text
from dpviz.types import Budget, Dataset, Gaussian, Method, Plan, Release

# ------------------------------------------------------------------- the threshold's cost left out

TEST_NOISE, THRESHOLD = 2.0, 6.0
"""sigma1 and T in units of sigma2, as in the paper's (200, 100, 600)."""


def _as_printed(plan: Plan, pool: int) -> Plan:
    """The plan with answers at alpha/(2 sigma2^2) each and every query of the pool tested, for
    nothing.
    """
    spent, answers = plan.guarantee.value, plan.gaussian("answers").times
    sigma = privacy.gaussian(1.0, spent, answers).sigma
    events = {
        "tests": Gaussian(1.0, TEST_NOISE * sigma, pool),
        "answers": Gaussian(math.sqrt(2), sigma, answers),
    }
    notes = {"threshold": THRESHOLD * sigma, "sigma2": sigma}
    return dataclasses.replace(plan, events=events, notes={**plan.notes, **notes})


def _untested(method: Method) -> Make:
    def make(data: Dataset, plan: Plan, seeds: Sequence[int]) -> list[Release]:
        votes = teachers.count_votes(data, pate.ensemble(plan))
        printed = _as_printed(plan, len(votes.rows))
        return pate.students_of(data, [printed], list(seeds), votes).releases[0]

    return make


def _answers(setting: Setting, start: int, printed: bool) -> Sample:
    """How many queries were asked and how often each class was the answer: labels are handed to the
    student, who need not be trusted.
    """
    plan = setting.plan
    votes = [
        teachers.count_votes(d, pate.ensemble(plan))
        for d in (setting.without_record, setting.with_record)
    ]
    used = _as_printed(plan, len(votes[0].rows)) if printed else plan

    def sampled(with_record: bool, first: int, runs: int) -> np.ndarray:
        seen = []
        for seed in seeds(with_record, first, runs, start):
            answered, labels = pate.answer(used, votes[with_record], seed)
            seen.append([answered.sum(), (labels == 0).sum(), (labels == 1).sum()])
        return np.array(seen, float)

    return sampled


POOL, TEACHERS = 400, 72


def _at_the_threshold(method: Method, budget: Budget) -> Setting:
    public = [[1.0, 0.0]] * POOL
    with_record, without_record = (
        pate.electorate(TEACHERS, {0: pate.STEADY_SHARD, 1: shard}, public)
        for shard in (pate.SHARD_WITH_RECORD, pate.SHARD)
    )
    return Setting(
        method,
        {"teachers": TEACHERS},
        budget,
        with_record,
        without_record,
        first_weights_apart,
        text.FAULTS["threshold-free"]["difference"],
    )


THRESHOLD_FREE = Mistake(
    "threshold-free",
    "https://arxiv.org/abs/1802.08908",
    tuple(pate.ENSEMBLES)[::-1],
    _untested,
    setting=_at_the_threshold,
    sample=lambda setting, start: _answers(setting, start, printed=True),
    sample_right=lambda setting, start: _answers(setting, start, printed=False),
)

# ------------------------------------------------------------------------- teachers by row position


def by_position(records: int, shards: int) -> np.ndarray:
    """Blocks of as many records each as go, in the order of the rows; the rest is nobody's: (n,)
    int64.
    """
    owner = np.arange(records) // max(records // shards, 1)
    return np.where(owner < shards, owner, -1)


def _placed(method: Method) -> Make:
    def make(data: Dataset, plan: Plan, seeds: Sequence[int]) -> list[Release]:
        ensemble = pate.ensemble(plan)
        owner = by_position(len(data.x), ensemble.teachers)
        have = np.flatnonzero(owner >= 0)
        taken = dataclasses.replace(data, x=data.x[have], y=data.y[have], persons=None)
        if data.rows is not None:
            taken = dataclasses.replace(taken, rows=data.rows[have])
        votes = teachers.votes_of(taken, ensemble, owner[have])
        return pate.students_of(data, [plan], list(seeds), votes).releases[0]

    return make


SHARDS, SPARE_TEACHERS, ORDER = 31, 5, 366
"""Teachers, records of each, and the order of the rows, of some that were tried."""


def _shifted(method: Method, budget: Budget) -> Setting:
    """Records of a class each at one end of a line or the other, in an order of which the first
    record's leaving moves all.
    """
    with_record = _in_order(ORDER)
    gone = dataclasses.replace(
        with_record, x=with_record.x[1:], y=with_record.y[1:], fingerprint="one gone"
    )
    return Setting(
        method,
        {"teachers": SHARDS, "check": "none"},
        budget,
        with_record,
        gone,
        first_weights_apart,
        text.FAULTS["teachers-by-position"]["difference"],
    )


def _in_order(order: int) -> Dataset:
    n = SHARDS * SPARE_TEACHERS
    stream = mechanisms.generator(order, "rows by position")
    ends = np.where(stream.random(n) < 0.5, 1.0, -1.0)
    labels = (stream.random(n) < 0.5).astype(int)
    rows = np.stack([ends, np.full(n, 0.1)], axis=1)
    rows *= 1 + np.arange(n)[:, None] / n  # of different lengths: no two records are the same
    made = records(rows.tolist(), labels.tolist(), [[1.0, 0.0]])
    head = pate.electorate(2, {0: pate.STEADY_SHARD}, [[1.0, 0.0]]).head
    return dataclasses.replace(made, head=head)


BY_POSITION = Mistake(
    "teachers-by-position",
    "https://github.com/tensorflow/privacy/blob/e679febd77f622036775688849ead8572fb5e535/research/"
    "pate_2017/input.py",
    ("pate", "transfer-pate", "prom-pate"),
    _placed,
    setting=_shifted,
)
