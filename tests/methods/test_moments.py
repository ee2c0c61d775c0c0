"""DP-LS, DP-Newton and DP-FC under records and noise that are hard on numbers."""

import dataclasses
import math

import numpy as np
import pytest

from dpviz import mechanisms
from dpviz.audits import sensitivity
from dpviz.machine.threads import one_numeric_thread
from dpviz.methods import METHODS, dp_newton
from dpviz.methods.components import covariance
from dpviz.types import Budget, Dataset, DpvizError

KEYS = ["dp-ls", "dp-newton", "dp-fc"]
BUDGETS = [Budget(value) for value in (math.inf, 1e3, 1.0, 1e-3, 1e-9)]


def of_rows(x, y, classes=2):
    x, y = np.array(x, np.float32), np.array(y)
    return Dataset("rows", None, x, y, x, y, tuple("abc"[:classes]), repr((x.tolist(), y.tolist())))


def plan_of(key, data, budget, **params):
    return METHODS[key].plan(data.sizes, budget, METHODS[key].check(params))


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("size", [1e-45, 1e-23, 1e-8, 3e38])
def test_rows_of_any_size_are_normalized(key, size):
    """In 0.2.0 a row of 1e-23 had a norm of 6.8e15, and DP-FC ended in a failed factorisation."""
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(40, 8)), np.arange(40) % 2
    hostile = np.where(np.arange(8) == 3, size, 0)
    seen = []
    for row in (hostile, hostile / hostile[3]):
        data = of_rows([*x, row], [*y, 1])
        fitted = METHODS[key].fit(data, [plan_of(key, data, Budget(1.0))], [0])
        seen.append(fitted.releases[0][0].weights)
    assert np.array_equal(*seen)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("ridge", [1e-6, 1.0])
def test_noise_never_breaks_the_solver(key, ridge):
    """However much there is, and where the ridge is far below it."""
    data = of_rows(np.random.default_rng(1).normal(size=(50, 6)), np.arange(50) % 3, classes=3)
    for budget in BUDGETS:
        plan = plan_of(key, data, budget, ridge=ridge, noise_ridge=0.0)
        for release in METHODS[key].fit(data, [plan], list(range(4))).releases[0]:
            assert np.isfinite(release.weights).all() and np.isfinite(release.predict(data.x)).all()


@pytest.mark.parametrize("key", KEYS)
def test_infinite_noise_is_refused_with_message(key):
    data = of_rows(np.eye(3), [0, 1, 1])
    plan = plan_of(key, data, Budget(1.0))
    events = {name: dataclasses.replace(e, sigma=1e309) for name, e in plan.events.items()}
    with np.errstate(all="ignore"), pytest.raises(DpvizError, match=r"larger budget\.$"):
        METHODS[key].fit(data, [dataclasses.replace(plan, events=events)], [0])


def test_moments_are_exact_in_any_order_and_blocks(monkeypatch):
    x = mechanisms.unit_rows(np.random.default_rng(2).normal(size=(999, 17)).astype(np.float32))
    weights = np.round(np.random.default_rng(3).uniform(0, 256, 999)).astype(np.float32) / 1024
    whole = [[int(v) for v in row] for row in np.rint(x * 4096).astype(int).tolist()]
    for w in (None, weights):
        found = covariance.gram(x, w)
        units = [1] * 999 if w is None else [int(v) for v in (w * 1024).tolist()]
        step = 2.0**24 if w is None else 2.0**34
        exact = [
            [sum(u * r[i] * r[j] for u, r in zip(units, whole, strict=True)) for j in (0, 5, 16)]
            for i in (0, 3)
        ]
        assert (found[[0, 3]][:, [0, 5, 16]] * step).tolist() == exact
        for rows in (1, 7, 64):
            monkeypatch.setattr(covariance, "ROWS", rows)
            backwards = covariance.gram(x[::-1], None if w is None else w[::-1])
            assert np.array_equal(backwards, found)
        monkeypatch.undo()
    single = x.T @ x, x[::-1].T @ x[::-1]
    assert not np.array_equal(*single), "sums in single precision are told apart"


def test_record_contribution_depends_on_no_other_record():
    """Products in blocks and the ends of vectors must not tell how many there are."""
    rng = np.random.default_rng(4)
    x, y, w = rng.normal(size=(130, 5)), rng.integers(0, 2, 130), 3 * rng.normal(size=5)
    with one_numeric_thread():
        every = _parts(of_rows(x, y), w)
        for n in (1, 2, 31, 63, 64, 65, 129):
            few = _parts(of_rows(x[:n], y[:n]), w)
            assert all(np.array_equal(a[:n], b[:n]) for a, b in zip(few, every, strict=True))


def _parts(data, w):
    x, labels = covariance.padded_units(data.x), dp_newton._labels(data)
    return dp_newton.parts_of_records(x, labels[1], w)


@pytest.mark.parametrize("key", KEYS)
def test_record_moves_each_query_close_to_claimed_sensitivity(key):
    """The neighbours that the events are audited with; the search for worse ones is a contract."""
    method = METHODS[key]
    for case in method.event_cases():
        plan = method.plan(case.without_record.sizes, case.budget, method.check(case.params))
        signs = np.where(np.arange(case.with_record.classes) == case.with_record.y[-1], -50, 50)
        wrong = np.outer(
            signs, case.with_record.x[-1]
        )  # every class is sure, and wrong, of the new one
        for name in case.events:
            event, query = plan.draws[name], method.queries(plan)[name]
            moved = [
                sensitivity.distance(
                    query, event, plan, (case.with_record, case.without_record), before
                )
                for before in (np.zeros_like(wrong), wrong)
            ]
            assert 0.9 * event.sensitivity < max(moved) <= event.sensitivity


@pytest.mark.parametrize("key", KEYS)
def test_release_is_query_plus_noise(key):
    """With no noise a fit puts out its queries, in units of what they stand for."""
    method, data = (
        METHODS[key],
        of_rows(np.random.default_rng(5).normal(size=(9, 4)), [0, 1, 1] * 3),
    )
    params = {"clip": 0.5} | ({} if key == "dp-ls" else {"steps": 1})
    plan, start = plan_of(key, data, Budget(math.inf), **params), np.zeros((2, 4))
    with mechanisms.watched(plan.draws) as seen:
        method.fit(data, [plan], [0])
    for name in plan.draws:
        query, run = method.queries(plan)[name], seen.outputs[name][0]
        value = query.value(data, plan, start)[0] * query.scale(plan)
        square = value.shape[-2:] == (4, 4)
        expected = value.reshape(-1, 4, 4) if square else value
        outputs = [run[label] for label in sorted(run)]
        for out, one in zip(outputs, expected, strict=True):
            assert np.array_equal(out, mechanisms.pack_lower(one) if square else one)
