"""PPGD, as we read it: its threshold, its second stage, and what each may read."""

import dataclasses

import numpy as np
import pytest

from dpviz.methods import adamix, ppgd
from dpviz.methods.components import mixed_gradients, public_sets
from dpviz.types import Budget
from tests.kit.toys import toy_data

SMALL = toy_data(per_class=6, d=5, public=40)


def planned(budget=1.0, **changes):
    return ppgd.plan(SMALL.sizes, Budget(budget), ppgd.METHOD.check(changes))


def released(plan, data=SMALL):
    return ppgd.fit(data, [plan], [0]).releases[0][0].weights


def test_threshold_is_average_public_gradient_norm():
    task = adamix.prepare(SMALL, ppgd._of_steps(ppgd.METHOD.check({"shots": 3})))
    head = np.random.default_rng(0).normal(size=(1, *task.start.shape)).astype(np.float32)
    rest = mixed_gradients.residuals([task.shots], head)[0]
    mean = np.mean([np.outer(r, x) for r, x in zip(rest, task.shots.x, strict=True)], axis=0)
    public = mixed_gradients.public_step([task], head)
    assert public.thresholds[0] == pytest.approx(np.linalg.norm(mean))
    assert public.bases is None and public.gradients is None
    assert not task.start.any(), "the first stage starts from zero"


@pytest.mark.parametrize("reuse", [0.05, 2.0])
def test_final_head_balances_pull_and_public_shots(reuse):
    plan = planned(reuse=reuse, max_steps=5)
    private = adamix.fit(SMALL, [ppgd._steps(plan)], [0]).releases[0][0].weights
    shots, w = public_sets.draw_shots(SMALL, 2, 0), released(plan)
    slope = mixed_gradients.residuals([shots], w[None])[0].T @ shots.x + reuse * (w - private)
    assert np.abs(slope).max() < 2e-3


def test_strong_pull_keeps_private_head_weak_forgets_it():
    plans = {reuse: planned(reuse=reuse, max_steps=5) for reuse in (1e-3, 1e3)}
    private = adamix.fit(SMALL, [ppgd._steps(plans[1e3])], [0]).releases[0][0].weights
    far = {reuse: np.linalg.norm(released(plan) - private) for reuse, plan in plans.items()}
    assert far[1e3] < 0.02 < far[1e-3]


def test_second_stage_reads_no_private_record():
    plan, other = planned(), dataclasses.replace(SMALL, x=SMALL.x[:2] * 0, y=SMALL.y[:2])
    private = adamix.head(np.ones((SMALL.classes, SMALL.x.shape[1]), np.float32))
    one, two = (ppgd.reused(data, plan, private).weights for data in (SMALL, other))
    assert np.array_equal(one, two)
    assert plan.guarantee == dataclasses.replace(
        adamix.plan(SMALL.sizes, Budget(1.0), ppgd._of_steps(plan.params)).guarantee,
        source=ppgd.SOURCE,
    )
