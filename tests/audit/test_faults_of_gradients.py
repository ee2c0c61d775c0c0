"""Each mistake in a step, or around a method, is caught, and without it the same audit is not."""

import numpy as np
import pytest

from dpviz import methods
from dpviz.audits import faults, trade_off_audit
from dpviz.audits.faults.accounting import MANY_STEPS, PERSON_RECORDS
from dpviz.audits.faults.gradients import BATCHES, LOOSE_CLIP
from dpviz.audits.faults.model import honest_at
from dpviz.methods.components.worst_neighbours import records
from dpviz.privacy import ADD_REMOVE_PERSON
from dpviz.types import Budget

CAUGHT = [
    ("no-clipping", "noisy-gd"),
    ("clipped-after-averaging", "noisy-gd"),
    ("step-by-count", "noisy-gd"),
    ("full-batches", "noisy-sgd"),
    ("shuffled-batches", "noisy-sgd"),
    ("picture-as-person", "dppl-mean"),
    ("picture-as-person", "dppl-public"),
    ("private-mean", "dppl-mean"),
    ("private-mean", "noisy-gd"),
]
LEARN, LOOK, AGAIN = 300, 250, 1000
"""One look is enough for most of these mistakes; whoever looks longer sees more."""


def looked(made):
    """The one look at an audit."""
    (look,) = trade_off_audit.watch(*made, looks=(LOOK,), learn=LEARN)
    return look


@pytest.mark.parametrize(("key", "method"), CAUGHT)
def test_fault_is_caught_and_correct_variant_passes(key, method):
    mistake, method = faults.get(key), methods.get(method)
    looks = trade_off_audit.watch(
        *mistake.faulty_sample(method, mistake.budget), looks=(LOOK, AGAIN), learn=LEARN
    )
    assert any(look.broken for look in looks)
    assert not looked(honest_at(mistake, method, mistake.budget)).broken


@pytest.mark.parametrize("key", ["noisy-gd", "adamix"])
def test_squared_steps_fault_spends_part_of_guarantee(key):
    mistake, method = faults.get("steps-squared"), methods.get(key)
    sample, claim = mistake.faulty_sample(method, mistake.budget)
    assert mistake.safe and not looked((sample, claim)).broken
    setting = mistake.setting(method, mistake.budget)
    spread = [
        np.std(made(True, 0, 200)) for made in (sample, honest_at(mistake, method, Budget(4.0))[0])
    ]
    assert spread[0] / spread[1] == pytest.approx(MANY_STEPS**0.5, rel=0.01)
    assert setting.plan.gaussian("gradients").times == MANY_STEPS


def test_user_level_neighbors_differ_by_one_users_records():
    mistake, method = faults.get("picture-as-person"), methods.get("dppl-mean")
    setting = mistake.setting(method, mistake.budget)
    assert len(setting.with_record.x) - len(setting.without_record.x) == PERSON_RECORDS
    assert mistake.faulty_sample(method, mistake.budget)[1].adjacency == ADD_REMOVE_PERSON


def test_centered_rule_predicts_identically_on_raw_features():
    rng = np.random.default_rng(0)
    data = records(rng.normal(3, 1, (40, 5)).tolist(), [0, 1] * 20)
    method, mistake = methods.get("dppl-mean"), faults.get("private-mean")
    plan = method.plan(data.sizes, Budget(4.0), method.check({}))
    (made,) = mistake.make(method)(data, plan, [7])
    centred = data.map_rows(lambda x: x - data.x.mean(axis=0))
    (other,) = method.fit(centred, [plan], [7]).releases[0]
    assert np.array_equal(made.predict(data.x), other.predict(centred.x))


def test_release_without_clip_matches_unreached_clip():
    data = records([[1.0, 0.0], [0.0, 1.0]], [0, 1])
    method = methods.get("noisy-gd")
    clips = {
        clip: method.plan(
            data.sizes,
            Budget(np.inf),
            method.check({"steps": 3, "clip": clip, "count": "public", "batch": 2}),
        )
        for clip in (0.1, LOOSE_CLIP)
    }
    (mistaken,) = faults.get("no-clipping").make(method)(data, clips[0.1], [0])
    (long,), (short,) = (method.fit(data, [clips[c]], [0]).releases[0] for c in (LOOSE_CLIP, 0.1))
    assert np.array_equal(mistaken.weights, long.weights)
    assert not np.array_equal(mistaken.weights, short.weights)


def test_shuffled_batches_take_each_record_once_an_epoch():
    setting = faults.get("shuffled-batches").setting(methods.get("noisy-sgd"), Budget(np.inf))
    assert setting.plan.gaussian("gradients").times == BATCHES
    seen = setting.sample(faults.get("shuffled-batches").make(setting.method))
    with_it, without = (seen(more, 0, 20) for more in (True, False))
    # the batch with the record has nothing left over, a batch without it pulls two parts one way,
    # and the last of one record fewer pulls one
    pull = without.mean()
    assert np.allclose(with_it, 0, atol=1e-3) and np.allclose(without, pull) and pull < 0
