"""Likely next settings: which runs they are, for whom they are computed, and that they give way."""

import threading
import time
from dataclasses import replace

import pytest

from dpviz.experiments.jobs import Work
from dpviz.types import Budget
from dpviz.ui.live import long_work, prefetch
from dpviz.ui.live.prefetch import Move
from dpviz.views.page_config import PageConfig
from tests.kit.whole_app import opened

VIEW = PageConfig(
    *("mnist5k", "glyphnet"),
    ir=50,
    budget=Budget(1.0),
    first_seed=0,
    seeds=2,
    methods=("dppl-public", "noisy-gd", "class-mean"),
)


def with_window(view, low, high=None):
    values = [("d_min", low)] + ([("d_max", high)] if high else [])
    return replace(view, params=(("dppl-public", tuple(values)),))


def ratio_moves(now, before):
    return [move for move in prefetch.moves(now, before) if move.ratio]


def test_first_view_leads_to_both_neighboring_ratios():
    higher, lower = ratio_moves(VIEW, None)
    assert higher.applied(VIEW.groups()) == replace(VIEW, ir=100).groups()
    assert lower.applied(VIEW.groups()) == replace(VIEW, ir=30).groups()


def test_direction_of_the_last_move_comes_first():
    assert ratio_moves(VIEW, replace(VIEW, ir=100)) == [Move((50, 30)), Move((50, 100))]
    assert ratio_moves(replace(VIEW, ir=1000), VIEW) == [Move((1000, 500))]


def test_neighboring_budgets_come_before_ratios():
    stops = [1.0, 2.0], [1.0, 0.5]
    budgets = [Move(budget=tuple(map(VIEW.budget.with_value, pair))) for pair in stops]
    ratios = ratio_moves(VIEW, None)
    assert prefetch.moves(VIEW, None) == budgets + ratios
    before = VIEW.with_budget(2.0)
    assert prefetch.moves(VIEW, before) == budgets[::-1] + ratios
    [lower] = [move for move in prefetch.moves(VIEW.with_budget(10.0), None) if move.budget]
    run = VIEW.spec("dppl-public", 10.0)
    assert lower.applied([(run,)]) == [(VIEW.spec("dppl-public", 5.0),)]


def test_setting_moved_last_goes_one_step_further():
    now, before = with_window(VIEW, 1.15), with_window(VIEW, 1.1)
    first = prefetch.moves(now, before)[0]
    assert first.applied(now.groups()) == with_window(VIEW, 1.2).groups()
    assert not any(move.values for move in prefetch.moves(now, now))


def test_value_that_becomes_the_default_is_left_out():
    [default] = [p.default for p in prefetch.METHODS["dppl-public"].params if p.name == "d_max"]
    now, before = (
        replace(VIEW, params=(("dppl-public", (("d_max", default + step),)),))
        for step in (-0.05, -0.1)
    )
    assert prefetch.moves(now, before)[0].applied(now.groups()) == VIEW.groups()


def test_step_beyond_the_range_is_not_made():
    low = min(p.low for p in prefetch.METHODS["dppl-public"].params if p.name == "d_min")
    moves = prefetch.moves(with_window(VIEW, low), with_window(VIEW, low + 0.05))
    assert not any(move.values for move in moves)


def test_sliders_in_sight_are_moved_by_one_step_each():
    now = replace(with_window(VIEW, 1.95), sliders=(("dppl-public", "d_min"),))
    [move] = [move for move in prefetch.moves(now, None) if move.setting]  # 1.95 is the highest
    assert move.applied(now.groups()) == with_window(VIEW, 1.9).groups()
    at_default = replace(VIEW, sliders=now.sliders)
    higher, lower = [move for move in prefetch.moves(at_default, None) if move.setting]
    assert higher.applied(VIEW.groups()) == with_window(VIEW, 1.35).groups()
    assert lower.applied(with_window(VIEW, 1.5).groups()) == with_window(VIEW, 1.5).groups()


@pytest.fixture()
def wished(monkeypatch):
    """Work and groups of the likely next settings of the page that was opened last."""
    found = []
    monkeypatch.setattr(prefetch, "_is_on", lambda: True)
    monkeypatch.setattr(prefetch._wishes, "put", lambda person, wishes: found.append(wishes()))
    return found


@pytest.mark.parametrize(
    ("path", "link"),
    [
        ("trade_off", {"m": "dppl-mean,class-mean"}),
        ("dp_means", {}),
        ("public_prototypes", {}),
        ("attackers_view", {"m": "dppl-mean"}),
        ("who_pays", {}),
    ],
)
def test_page_at_the_next_ratio_finds_all_its_runs(own, wished, monkeypatch, path, link):
    seen = []
    collected = long_work.collected
    monkeypatch.setattr(long_work, "collected", lambda: seen.append(collected()) or seen[-1])
    for ratio in (5, 10):
        opened(path, {"data": own, "ir": str(ratio), "n": "2"} | link)
    assert wished and seen[-1]
    assert set(seen[-1]) <= set(wished[0])


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("dp_means", {}, {"dppl-mean.k_pool": "2"}),
        ("dp_means", {"dppl-mean.k_pool": "2"}, {}),
        ("public_prototypes", {}, {"dppl-public.d_min": "1.25"}),
        ("public_prototypes", {}, {"dppl-public.d_max": "1.85"}),
        ("mixed_privacy", {"pre": "AdaMix", "shots": "1"}, {"pre": "AdaMix", "shots": "2"}),
    ],
)
def test_page_one_slider_step_on_finds_all_its_runs(
    labelled, wished, monkeypatch, path, before, after
):
    seen = []
    collected = long_work.collected
    monkeypatch.setattr(long_work, "collected", lambda: seen.append(collected()) or seen[-1])
    for link in (before, after):
        opened(path, {"data": labelled, "ir": "5", "n": "2"} | link)
    assert seen[-1] and set(seen[-1]) <= set(wished[0]) | set(seen[0])


def test_of_slow_pages_only_the_answer_is_computed_ahead(monkeypatch):
    sweeps = Work(list, run_idle=list)
    monkeypatch.setattr(long_work, "SWEEPS", sweeps)
    monkeypatch.setattr(prefetch, "_seconds", lambda run: prefetch.MAX_SECONDS)
    for group in VIEW.groups():
        sweeps.results.put(group, list(group))
    collected = [(sweeps, group) for group in VIEW.groups()]
    wanted = prefetch._wishes_of(collected, VIEW, None, prefetch.Step(2, 1))
    runs = {spec for _, group in wanted for spec in group}
    assert {spec.ir for spec in runs} == {30, 100}
    assert {spec.budget.value for spec in runs if spec.budget.private} == {VIEW.budget.value}


# -------------------------------------------------------------------------------------- the worker


@pytest.fixture()
def wishes(monkeypatch):
    """An idle queue whose work takes as long as a test says, with what was computed in order."""
    computed, hold = [], threading.Event()
    hold.set()

    def run_group(group, progress):
        computed.append(group)
        for _ in range(1000):
            progress("stage", 0, 1)
            if hold.wait(0.01):
                break
        return [group]

    queue = prefetch._Wishes()
    queue.work = Work(run_group, run_idle=run_group)
    queue.computed, queue.hold = computed, hold
    put = queue.put
    queue.put = lambda person, groups: put(
        person, lambda: [(queue.work, group) for group in groups]
    )

    monkeypatch.setattr(prefetch, "REST", 0.05)
    monkeypatch.setattr(prefetch, "POLL_INTERVAL", 0.01)
    monkeypatch.setattr(long_work, "is_connected", lambda person: "gone" not in person)
    monkeypatch.setattr(prefetch._wishes, "waiting", {})
    return queue


def wait_for(condition):
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end, "nothing happened within 10 s"
        time.sleep(0.01)


def test_visitors_take_turns_and_who_has_left_gets_none(wishes):
    wishes.touched = time.monotonic() + 0.3  # nothing begins before all have asked
    wishes.put("ann:prefetch:1", ["a1", "a2", "a3"])
    wishes.put("bob:prefetch:2", ["b1"])
    wishes.put("eve:prefetch:gone", ["e1"])
    wait_for(lambda: len(wishes.computed) == 4)
    assert wishes.computed == ["a1", "b1", "a2", "a3"]
    assert wishes.work.results.get("a3") == ["a3"]


def test_page_run_stops_the_work_at_once_and_it_is_taken_up_again(wishes):
    wishes.hold.clear()
    wishes.put("ann:prefetch:1", ["long"])
    wait_for(lambda: wishes.computed)
    began = time.monotonic()
    wishes.stop("bob:prefetch:2")
    wait_for(lambda: wishes.waiting.get("ann:prefetch:1"))  # back in the queue
    assert time.monotonic() - began < 0.05 + 0.05  # a step of the work, and of this test
    assert wishes.work.results.get("long") is None
    wishes.hold.set()
    wait_for(lambda: wishes.work.results.get("long"))


def test_own_page_run_forgets_what_was_wanted(wishes):
    wishes.touched = time.monotonic() + 0.2
    wishes.put("ann:prefetch:1", ["x"])
    wishes.stop("ann:prefetch:1")
    time.sleep(0.3)
    assert not wishes.computed
