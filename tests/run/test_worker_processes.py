"""Sweeps in worker processes: the same numbers, progress, stops and crashes.

Tests that need a real worker share one, since each start imports torch and scipy anew.
"""

import dataclasses
import os
import resource
import signal
import time
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest

from dpviz.data import uploads
from dpviz.diagnostics import per_instance
from dpviz.experiments import embedding_work, experiment, jobs, worker_processes
from dpviz.experiments.embedding_work import Task
from dpviz.experiments.worker_processes import CRASH_MESSAGE, Pool
from dpviz.machine import sandbox
from dpviz.types import Budget, Cancelled, DpvizError, RunSpec
from dpviz.ui.live import long_work
from dpviz.ui.live.remaining_time import RemainingTime
from tests.kit import tiny_sets

pytestmark = pytest.mark.slow


def specs(own, count=12, method="noisy-gd"):
    return tuple(
        RunSpec(
            uploads.display_path(uploads.path(own)),
            None,
            method,
            Budget(1.0),
            ir=10.0,
            params=(),
            seed=seed,
        )
        for seed in range(count)
    )


@pytest.fixture(scope="module")
def pool():
    """A pool of one worker; a test that kills the worker leaves the next test a new one."""
    pool = Pool(1)
    yield pool
    pool.workers.close()


def process_id(pool):
    """Process id of the idle worker."""
    return pool.workers.free[0]._process.pid


def sweep(pool, specs, progress, caps=None):
    return pool.call_in_worker(experiment.sweep, (specs,), progress, caps)


def silent(*stage):
    return None


def test_worker_with_caps_gives_the_same_results(own, pool):
    requested = specs(own)
    stages, caps = [], worker_processes.caps()
    results = sweep(pool, requested, lambda *stage: stages.append(stage), caps)
    limits = resource.prlimit(process_id(pool), resource.RLIMIT_DATA)
    assert limits[0] == caps.memory
    expected = experiment.sweep(requested, use_store=False)
    assert [(r.spec, r.scores) for r in results] == [(r.spec, r.scores) for r in expected]
    assert any(stage[1:] == (12, 12) for stage in stages)
    assert all(r.origin == "stored" for r in experiment.sweep(requested)), "the store is shared"
    worker = process_id(pool)
    with pytest.raises(DpvizError, match="seed"):
        sweep(pool, (dataclasses.replace(requested[0], params=(("seed", 1),)),), silent)
    assert sweep(pool, requested, silent)[0].origin == "stored"
    assert process_id(pool) == worker, "an error does not end the process"


def test_worker_uses_the_data_folder_of_the_server(pool, tmp_path, monkeypatch):
    names = []
    for label in ("cat", "ant"):
        home = tmp_path / label
        monkeypatch.setenv("DPVIZ_DATA", str(home))
        with pytest.raises(DpvizError, match="not on disk"):
            pool.call_in_worker(embedding_work.inspect, (Task("look", "eurosat"),), silent)
        for split, kind in product(("train", "test"), (label, "dog")):
            tiny_sets.jpeg(home / "eurosat" / split / kind / "0.jpg", 20)
        task = Task("look", "eurosat")
        names.append(pool.call_in_worker(embedding_work.inspect, (task,), silent).names)
    assert names == [("cat", "dog"), ("ant", "dog")]


def test_cancelled_sweep_keeps_finished_results(own, pool):
    requested = specs(own, 40)

    def cancel_at_five(stage, done, total):
        if total and done >= 5:
            raise Cancelled

    with pytest.raises(Cancelled):
        sweep(pool, requested, cancel_at_five)
    assert 5 <= len(experiment.stored(requested)) < 40
    assert len(sweep(pool, requested[:6], silent)) == 6, "the worker accepts other work"


def test_worker_that_ignores_a_stop_is_killed(own, pool, monkeypatch):
    sweep(pool, specs(own, 1), silent)
    pid = process_id(pool)
    monkeypatch.setattr(sandbox, "PATIENCE", 0.0)
    os.kill(pid, signal.SIGSTOP)  # whatever it does, it does not answer

    def stop(*stage):
        raise Cancelled

    with pytest.raises(Cancelled):
        sweep(pool, specs(own, 2), stop)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert len(sweep(pool, specs(own, 2), silent)) == 2, "the next sweep has a new process"


def test_crash_of_a_worker_is_an_error_message(own, pool):
    sweep(pool, specs(own, 1), silent)
    pid = process_id(pool)

    def kill(stage, done, total):
        os.kill(pid, signal.SIGKILL)

    with pytest.raises(DpvizError, match=CRASH_MESSAGE):
        sweep(pool, specs(own, 3, "dppl-mean"), kill)
    assert len(sweep(pool, specs(own, 3, "dppl-mean"), silent)) == 3


def test_unexpected_error_comes_with_its_traceback(own, pool):
    with pytest.raises(RuntimeError, match="AttributeError"):
        sweep(pool, ("no spec",), silent)
    assert len(sweep(pool, specs(own, 1), silent)) == 1


@pytest.fixture
def worker_sweeps(monkeypatch):
    """Sizes and caps of sweeps that go to workers; they run in this process instead."""
    sweeps = []

    def call_here(self, work, arguments, progress, caps=None):
        sweeps.append((len(arguments[0]), caps))
        return work(*arguments, progress)

    monkeypatch.setattr(Pool, "call_in_worker", call_here)
    return sweeps


def synthetic_specs(count, method="dppl-mean", dataset="etf:n=120,dim=8,classes=4"):
    spec = RunSpec(dataset, None, method, Budget(1.0))
    return tuple(dataclasses.replace(spec, seed=seed) for seed in range(count))


def test_only_long_sweeps_move_to_a_worker(worker_sweeps, monkeypatch):
    assert len(Pool().sweep(synthetic_specs(12), silent)) == 12 and not worker_sweeps
    monkeypatch.setattr(worker_processes, "MIN_ELAPSED", 0.0)
    monkeypatch.setattr(worker_processes, "MAX_REMAINING", 0.0)
    assert len(Pool().sweep(synthetic_specs(20, "dppl-public"), silent)) == 20
    assert worker_sweeps == [(20, None)]


def test_large_data_move_to_a_worker_unless_all_is_stored(worker_sweeps, monkeypatch):
    monkeypatch.setattr(worker_processes, "MAX_NUMBERS", 10)
    for _ in range(2):
        assert len(Pool().sweep(synthetic_specs(3), silent)) == 3
    assert worker_sweeps == [(3, None)]


def test_size_of_a_fit_counts_classes_and_coordinates(monkeypatch):
    def is_large(n, d, classes):
        data = SimpleNamespace(x=np.broadcast_to(np.float32(0), (n, d)), classes=classes)
        monkeypatch.setattr(experiment, "prepared", lambda spec, progress: data)
        return worker_processes._is_large((None,), silent)

    assert not is_large(2_000, 256, 36) and not is_large(50_000, 64, 10)
    assert is_large(1_000_000, 64, 10) and is_large(20_000, 1, 20_000) and is_large(100, 8_192, 2)


def test_upload_runs_in_a_worker_with_caps_unless_all_is_stored(own, worker_sweeps):
    for _ in range(2):
        assert len(Pool().sweep(specs(own, 2, "dppl-mean"), silent)) == 2
    assert worker_sweeps == [(2, worker_processes.caps())]


def test_private_view_of_an_upload_runs_in_a_worker(own, monkeypatch):
    calls = []
    note_call = lambda self, work, arguments, progress, caps: calls.append((work, arguments, caps))
    monkeypatch.setattr(Pool, "call_in_worker", note_call)
    [spec], pool = specs(own, 1), Pool()
    pool.call(per_instance.measured, spec, progress=silent)
    assert calls == [(per_instance.measured, (spec,), worker_processes.caps())]
    other = dataclasses.replace(spec, dataset="uci-digits")
    assert pool.call(lambda spec, progress: spec, other, progress=silent) is other
    assert len(calls) == 1


def test_progress_counts_groups_by_their_runs():
    job = jobs.Job([("a",), ("b", "c", "d")])
    job.started, job.done = time.perf_counter() - 20, {("a",): []}
    job.stage = ("x", 0, 1)
    words = lambda: long_work._words(job, RemainingTime())
    assert words() == (0.25, "x: part 2 of 2, 0 of 1 done · 20 s")
    job.stage = ("x", 5, 10)
    assert words() == (0.625, "x: part 2 of 2, 5 of 10 done · 20 s")
    job.cells, job.stage = 4, ("Embedding", 5, 10)
    assert words() == (0.5, "Embedding: 5 of 10 · 20 s") and long_work._share(job) == 0


def test_remaining_time_is_shown_once_steady():
    remaining = RemainingTime()
    shown = [remaining.update(float(second), second / 100) for second in range(100)]
    assert shown[:10] == [None] * 10
    assert shown[11:] == pytest.approx([100 - second for second in range(11, 100)])


def test_remaining_time_never_grows_when_work_slows():
    remaining, shown = RemainingTime(), []
    for second in range(400):
        share = second / 100 if second < 40 else 0.4 + (second // 8 - 5) * 0.01
        shown.append(remaining.update(float(second), min(share, 1.0)))
    known = [left for left in shown if left is not None]
    assert known == sorted(known, reverse=True) and shown[60:100] == [None] * 40


def test_first_cells_stay_in_the_server_near_their_end(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(worker_processes, "time", SimpleNamespace(perf_counter=lambda: now[0]))

    def cells_in_server(first):
        report = worker_processes._time_limited(silent, 100, first)
        for now[0], done in ((0.0, 0), (2.0, 8), (4.5, 10), (6.0, 12)):
            try:
                report("x", done, 100)
            except worker_processes._LongError:
                return done
        return None

    assert cells_in_server(first=0) == 8
    assert cells_in_server(first=10) == 12, "few first cells remain at 8, many others at 12"
    assert cells_in_server(first=100) == 10, "first cells that take long move, too"


@pytest.mark.parametrize(("limit", "max_cells"), [("MAX_NUMBERS", 3), ("MAX_REMAINING", 2)])
def test_first_cells_come_first_from_a_worker(worker_sweeps, monkeypatch, limit, max_cells):
    monkeypatch.setattr(worker_processes, limit, 0)
    monkeypatch.setattr(worker_processes, "MIN_ELAPSED", 0.0)
    methods = (("class-mean", 1), ("logistic", 1), ("dppl-public", 20))
    requested = tuple(s for method, count in methods for s in synthetic_specs(count, method))
    results = {}
    assert not Pool().sweep_together(requested, 3, silent, results.update)
    assert set(results) == set(requested[:3]) and 0 < worker_sweeps[0][0] <= max_cells


def test_first_cells_of_an_upload_come_first(own, worker_sweeps):
    requested, results = specs(own, 3, "dppl-mean"), {}
    assert not Pool().sweep_together(requested, 2, silent, results.update)
    assert worker_sweeps == [(2, worker_processes.caps())]
    assert set(results) == set(requested[:2])
