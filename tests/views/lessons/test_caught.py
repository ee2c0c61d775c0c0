"""The lesson on audits: what its words say of the page beside them is so.

An audit calls a promise broken that is kept with a chance of at most 0.001, all looks together.
"""

import dataclasses
from itertools import islice

import numpy as np
import pytest

from dpviz.audits import faults, trade_off_audit
from dpviz.audits.faults import comparison
from dpviz.audits.faults.gradients import STEP
from dpviz.methods.components.worst_neighbours import records
from dpviz.types import Budget
from dpviz.views import break_it_page, lessons
from dpviz.views.lessons import LESSONS, drawings

CAUGHT = LESSONS["caught"]
EARLY = 8
"""Looks, after which the page ends an audit that has caught something."""


def promised(step):
    return Budget(float(step.link["promise"]))


def watched(step, looks=EARLY):
    """Whether the page says "caught", look by look."""
    made = faults.audit_fault(step.link["mistake"], step.link["of"], promised(step))
    return [look.broken for look in islice(trade_off_audit.watch(*made), looks)]


def test_drawn_curve_matches_the_page():
    step = CAUGHT.steps[0]
    _, claim = faults.audit_fault("none", step.link["of"], promised(step))
    shown = trade_off_audit.allowed_misses(claim, np.array(step.ask.values) / 100)
    drawn = [one.mean for one in drawings.by_formula(step, step.ask)]
    assert drawn == pytest.approx(shown, abs=1e-6)
    blind = 1 - np.array(step.ask.values) / 100
    assert (blind - drawn > 0.05).all() and max(blind - drawn) < 0.2


def test_correct_and_overly_noisy_variants_are_not_flagged():
    nothing, *_, squared = CAUGHT.steps
    assert not any(watched(nothing)) and not any(watched(squared, 4))


def test_half_noise_is_caught_but_not_at_first():
    told = watched(CAUGHT.steps[2])
    assert not any(told[:2]) and told[-1]


def test_divided_sum_is_caught_except_in_low_dimension():
    step = CAUGHT.steps[3]
    assert watched(step, 1) == [True]
    wide = STEP.setting(faults.subject(step.link["of"]), promised(step))
    short = lambda data: records(data.x[:, :4].tolist(), data.y.tolist())
    narrow = dataclasses.replace(
        wide, with_record=short(wide.with_record), without_record=short(wide.without_record)
    )
    assert wide.without_record.x.shape[1] >= 1000 and not wide.with_record.x.any()
    sample, claim = narrow.sample(STEP.make(narrow.method)), narrow.plan.guarantee
    looks = islice(trade_off_audit.watch(sample, claim), EARLY)
    assert not any(look.broken for look in looks)


@pytest.mark.slow
@pytest.mark.parametrize("at, low, high", [(1, 0.05, 1), (3, -0.02, 0.02), (4, -1, -0.2)])
def test_accuracy_change_matches_stated_direction(at, low, high):
    step = CAUGHT.steps[at]
    spec = dataclasses.replace(lessons.spec(step, step.link["of"], 0), budget=promised(step))
    pair = comparison.accuracies(spec, step.link["mistake"], 5, lambda *told: None)
    assert low < break_it_page.accuracy_difference(pair)[2].gap < high
