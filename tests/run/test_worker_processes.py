"""Long sweeps in a process of their own: the same numbers, progress, a stop, a place in the queue,
and a death survived.
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
from dpviz.machine import sandbox
from dpviz.run import embedding_work, experiment, jobs, worker_processes
from dpviz.run.embedding_work import Task
from dpviz.run.worker_processes import ENDED, Pool, Worker
from dpviz.types import Budget, Cancelled, DpvizError, RunSpec
from dpviz.ui.live import long_work
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


@pytest.fixture
def worker():
    one = Worker()
    yield one
    one.close()


def sweep(worker, wanted, progress, caps=None):
    return worker.ask(experiment.sweep, (wanted,), progress, caps)


def silent(*stage):
    return None


def test_a_process_with_caps_gives_the_same_results_and_tells_how_far_it_is(own, worker):
    wanted = specs(own)
    told, caps = [], worker_processes.caps()
    found = sweep(worker, wanted, lambda *stage: told.append(stage), caps)
    limits = resource.prlimit(worker.process._process.pid, resource.RLIMIT_DATA)
    assert limits[0] == caps.memory
    alone = experiment.sweep(wanted, use_store=False)
    assert [r.scores for r in found] == [r.scores for r in alone] and [r.spec for r in found] == [
        r.spec for r in alone
    ]
    assert ("done", 12, 12) in told
    assert all(r.origin == "stored" for r in experiment.sweep(wanted)), "the store is shared"
    with pytest.raises(DpvizError, match="seed"):
        sweep(worker, (dataclasses.replace(wanted[0], params=(("seed", 1),)),), silent)
    assert sweep(worker, wanted, silent)[0].origin == "stored", "a refusal does not end the process"


def test_a_process_looks_for_data_where_its_asker_does(worker, tmp_path, monkeypatch):
    seen = []
    for label in ("cat", "ant"):
        home = tmp_path / label
        monkeypatch.setenv("DPVIZ_DATA", str(home))
        with pytest.raises(DpvizError, match="not on disk"):
            worker.ask(embedding_work.inspect, (Task("look", "eurosat"),), silent)
        for split, kind in product(("train", "test"), (label, "dog")):
            tiny_sets.jpeg(home / "eurosat" / split / kind / "0.jpg", 20)
        seen.append(worker.ask(embedding_work.inspect, (Task("look", "eurosat"),), silent).names)
    assert seen == [("cat", "dog"), ("ant", "dog")]


def test_a_stop_keeps_what_was_done(own, worker):
    wanted = specs(own, 40)

    def enough(what, done, total):
        if total and done >= 5:
            raise Cancelled

    with pytest.raises(Cancelled):
        sweep(worker, wanted, enough)
    kept = experiment.stored(wanted)
    assert 5 <= len(kept) < 40
    assert len(sweep(worker, wanted[:6], silent)) == 6, "it goes on with other work"


def test_a_batch_that_goes_on_after_a_stop_is_ended_with_its_process(own, worker, monkeypatch):
    sweep(worker, specs(own, 1), silent)
    pid = worker.process._process.pid
    monkeypatch.setattr(sandbox, "PATIENCE", 0.0)
    os.kill(pid, signal.SIGSTOP)  # whatever it does, it does not answer

    def stop(*stage):
        raise Cancelled

    with pytest.raises(Cancelled):
        sweep(worker, specs(own, 2), stop)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert len(sweep(worker, specs(own, 2), silent)) == 2, "the next sweep has a new process"


def test_a_process_that_dies_costs_a_sentence(own, worker):
    sweep(worker, specs(own, 1), silent)

    def kill(what, done, total):
        os.kill(worker.process._process.pid, signal.SIGKILL)

    with pytest.raises(DpvizError, match=ENDED):
        sweep(worker, specs(own, 3, "dppl-mean"), kill)
    assert len(sweep(worker, specs(own, 3, "dppl-mean"), silent)) == 3


def test_what_nobody_foresaw_comes_back_with_its_traceback(own, worker):
    with pytest.raises(RuntimeError, match="AttributeError"):
        sweep(worker, ("no spec",), silent)
    assert len(sweep(worker, specs(own, 1), silent)) == 1


@pytest.fixture
def asked(monkeypatch):
    """Sweeps that processes were asked for, each with its caps; they run here."""
    seen = []

    def ask(self, do, arguments, progress, caps):
        seen.append((len(arguments[0]), caps))
        return do(*arguments, progress)

    monkeypatch.setattr(Worker, "ask", ask)
    return seen


def made(count, method="dppl-mean", dataset="etf:n=120,dim=8,classes=4"):
    spec = RunSpec(dataset, None, method, Budget(1.0))
    return tuple(dataclasses.replace(spec, seed=seed) for seed in range(count))


def test_long_sweeps_are_handed_over_and_short_ones_are_not(asked, monkeypatch):
    assert len(Pool().sweep(made(12), silent)) == 12 and not asked
    monkeypatch.setattr(worker_processes, "LONG", 0.0)
    monkeypatch.setattr(worker_processes, "LEFT", 0.0)
    assert len(Pool().sweep(made(20, "dppl-public"), silent)) == 20 and asked == [(20, None)]


def test_much_data_is_handed_over_at_once_unless_all_is_stored(asked, monkeypatch):
    monkeypatch.setattr(worker_processes, "LARGE", 10)
    for _ in range(2):
        assert len(Pool().sweep(made(3), silent)) == 3
    assert asked == [(3, None)]


def test_what_a_fit_may_hold_counts_classes_and_coordinates(monkeypatch):
    def large(n, d, classes):
        data = SimpleNamespace(x=np.broadcast_to(np.float32(0), (n, d)), classes=classes)
        monkeypatch.setattr(experiment, "prepared", lambda spec, progress: data)
        return worker_processes._large((None,), silent)

    assert not large(2_000, 256, 36) and not large(50_000, 64, 10)
    assert large(1_000_000, 64, 10) and large(20_000, 1, 20_000) and large(100, 8_192, 2)


def test_an_upload_is_fitted_in_a_process_with_caps_unless_all_is_stored(own, asked):
    for _ in range(2):
        assert len(Pool().sweep(specs(own, 2, "dppl-mean"), silent)) == 2
    assert asked == [(2, worker_processes.caps())]


def test_what_is_looked_at_in_an_upload_is_looked_at_in_a_process(own, monkeypatch):
    asked = []
    ask = lambda self, do, arguments, progress, caps: asked.append((do, arguments, caps))
    monkeypatch.setattr(Worker, "ask", ask)
    [spec], pool = specs(own, 1), Pool()
    pool.look(per_instance.measured, spec, progress=silent)
    assert asked == [(per_instance.measured, (spec,), worker_processes.caps())]
    other = dataclasses.replace(spec, dataset="uci-digits")
    assert pool.look(lambda spec, progress: spec, other, progress=silent) is other
    assert len(asked) == 1


def test_the_time_left_is_told_only_where_the_part_in_work_moves():
    job = jobs.Job([("a",), ("b",)])
    job.started, job.done = time.perf_counter() - 20, {("a",): []}
    job.stage = ("x", 0, 1)
    assert long_work._words(job) == (0.5, "x: 0 of 1 in part 2 of 2 · 20 s")
    job.stage = ("x", 5, 10)
    assert long_work._words(job) == (0.75, "x: 5 of 10 in part 2 of 2 · 20 s, about 7 s left")


def test_what_is_wanted_first_stays_where_it_is_near_its_end(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(worker_processes, "time", SimpleNamespace(perf_counter=lambda: now[0]))

    def seen(first):
        tell = worker_processes._watched(lambda *told: None, 100, first)
        for now[0], done in ((0.0, 0), (2.0, 8), (4.5, 10), (6.0, 12)):
            try:
                tell("x", done, 100)
            except worker_processes._HandOver:
                return done
        return None

    assert seen(first=0) == 8
    assert seen(first=10) == 12, "little of the first is left at 8, much of the rest at 12"
    assert seen(first=100) == 10, "nor does what is wanted first stay where it is long itself"


@pytest.mark.parametrize(("limit", "most"), [("LARGE", 3), ("LEFT", 2)])
def test_what_is_wanted_first_comes_first_from_a_process_too(asked, monkeypatch, limit, most):
    monkeypatch.setattr(worker_processes, limit, 0)
    monkeypatch.setattr(worker_processes, "LONG", 0.0)
    wanted = (*made(1, "class-mean"), *made(1, "logistic"), *made(20, "dppl-public"))
    told = {}
    assert not Pool().together(wanted, 3, silent, told.update)
    assert set(told) == set(wanted[:3]) and 0 < asked[0][0] <= most


def test_what_is_wanted_first_of_an_upload_comes_first(own, asked):
    wanted, told = specs(own, 3, "dppl-mean"), {}
    assert not Pool().together(wanted, 2, silent, told.update)
    assert asked == [(2, worker_processes.caps())] and set(told) == set(wanted[:2])
