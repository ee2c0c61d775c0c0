"""Sweeps on Dask workers: crashes, stops, errors; and the status files of sweeps.

Workers fork from a server that has imported torch and this package once (``forkserver``). Started
one by one they would spend most of the time of these tests on imports.
"""

import contextlib
import csv
import dataclasses
import json
import multiprocessing
import os
import pkgutil
import signal
import time

import pytest

from dpviz import __version__
from dpviz.cli import main
from dpviz.experiments import cluster, experiment, store, sweep_files
from dpviz.machine import notes
from dpviz.types import Budget, Cancelled, DataConfig, DpvizError
from tests.kit.toys import content

pytestmark = pytest.mark.slow

HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module", autouse=True)
def forked_workers():
    """Start workers from a forkserver with the imports that they need."""
    import dask
    from distributed import utils

    method = {"distributed.worker.multiprocessing-method": "forkserver"}
    with pytest.MonkeyPatch.context() as patch, dask.config.set(method):
        multiprocessing.set_forkserver_preload(
            ["distributed", "torch", "autodp.dp_bank", "dpviz.experiments.cluster"]
        )
        patch.setattr(utils, "_forkserver_preload_set", True)
        yield


@pytest.fixture
def specs(tmp_path):
    """Sixteen cells in eight batches, on data that every worker can read."""
    file = tmp_path / "own.npz"
    file.write_bytes(content())
    budgets = [Budget(0.5), Budget(2.0)]
    clips = [{"clip": clip} for clip in (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)]
    return [
        s
        for params in clips
        for s in experiment.specs(
            DataConfig(str(file), None), "dppl-mean", budgets, [0], params=params
        )
    ]


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    """A cluster of two workers with a cache folder of their own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DPVIZ_CACHE", str(tmp_path_factory.mktemp("workers")))
        with cluster.connected(cluster.LOCAL, 2) as client:
            yield client


def numbers(results):
    return [(r.spec, r.scores, r.guarantee) for r in results]


def test_killed_worker_changes_no_result(specs, client, monkeypatch):
    expected = experiment.sweep(specs, use_store=False)
    processes, killed, batches = set(client.run(os.getpid).values()), [], []
    plain = cluster._submit
    monkeypatch.setattr(
        cluster, "_submit", lambda c, batch, keys: batches.append(batch) or plain(c, batch, keys)
    )

    def kill_one(what, done, total):
        if done and not killed:
            killed.append(min(processes))
            os.kill(killed[0], signal.SIGKILL)

    results = experiment.sweep(specs, progress=kill_one, run_batches=cluster.batch_runner(client))
    assert numbers(results) == numbers(expected) and len(killed) == 1 and len(batches) == 8
    client.wait_for_workers(2, timeout=60)
    assert killed[0] not in client.run(os.getpid).values()
    stored = experiment.sweep(specs, run_batches=cluster.batch_runner(client))
    assert {r.origin for r in stored} == {"stored"} and numbers(stored) == numbers(expected)
    assert len(batches) == 8


def test_results_before_a_stop_are_kept(specs, client):
    def stop(what, done, total):
        if done >= 4:
            raise Cancelled

    with pytest.raises(Cancelled):
        experiment.sweep(specs, progress=stop, run_batches=cluster.batch_runner(client))
    finished = experiment.stored(specs)
    assert 4 <= len(finished) < 16
    results = experiment.sweep(specs, run_batches=cluster.batch_runner(client))
    assert sum(r.origin == "stored" for r in results) >= len(finished)


def test_repeated_batches_have_different_keys(specs, client):
    keys = dict.fromkeys(specs, "0" * 64)
    first, second = (cluster._submit(client, specs[:1], keys) for _ in range(2))
    assert first.key != second.key, "Dask tells late, by name, what was cancelled"


def test_worker_refuses_a_wrong_key(specs, client):
    spec = experiment.sweep(specs[:1], use_store=False)[0].spec
    key = store.key(spec, experiment.prepared(spec).fingerprint)
    assert cluster.compute([spec], key)[0].spec == spec
    with pytest.raises(DpvizError, match="different data, code or library versions"):
        cluster._answer(client.submit(cluster.compute, [spec], "0" * 64))


def test_worker_uses_one_core(specs, monkeypatch):
    from dpviz.machine import threads

    cores = []
    monkeypatch.setattr(experiment, "compute", lambda batch, plans: cores.append(threads._cores()))
    monkeypatch.setattr(store, "key", lambda *a: "right")
    cluster.compute(specs[:1], "right")
    assert cores == [1] and threads._cores() == threads.all_cores()


def test_local_cluster_has_the_requested_workers():
    # three, since Dask would start as many as there are cores
    with cluster.connected(cluster.LOCAL, 3) as client:
        client.wait_for_workers(3, timeout=60)
        threads = client.nthreads()
    assert len(threads) == 3 and set(threads.values()) == {1}


def test_missing_scheduler_is_an_error(monkeypatch):
    monkeypatch.setattr(cluster, "PATIENCE", 0.2)
    for address in ("tcp://127.0.0.1:9", "nonsense://x"):
        with pytest.raises(DpvizError, match="Dask scheduler"), cluster.connected(address, 1):
            pass
    with pytest.raises(DpvizError, match="between 1 and 512"), cluster.connected(cluster.LOCAL, 0):
        pass


class Elsewhere:
    """A client whose scheduler and workers have the versions that are said, or an error."""

    def __init__(self, scheduler=__version__, **workers):
        self.scheduler, self.workers, self.asked = scheduler, workers, 0

    def run_on_scheduler(self, ask, specs):
        assert ask is pkgutil.resolve_name and ask(specs) == __version__
        if isinstance(self.scheduler, Exception):
            raise self.scheduler
        return self.scheduler

    def run(self, ask, specs, on_error):
        self.asked += 1
        return self.workers

    def scheduler_info(self, n_workers):
        return {"workers": self.workers}

    def submit(self, *_, pure):
        return object()

    def cancel(self, futures):
        self.cancelled = len(futures)


LACKING = ModuleNotFoundError("No module named 'dpviz'")


@pytest.mark.parametrize(
    ("client", "says"),
    [
        (Elsewhere(LACKING), "^The scheduler must have dpviz .* has none .*No module"),
        (Elsewhere("0.1.0"), "^The scheduler must have dpviz .* has 0.1.0"),
        (Elsewhere(a=__version__, b=LACKING), "^The worker at b must have dpviz .* none"),
        (Elsewhere(a="0.1.0"), "^The worker at a must have dpviz .* has 0.1.0"),
    ],
)
def test_node_without_this_package_is_named(client, says):
    with pytest.raises(DpvizError, match=says):
        cluster.same_package(client)


def test_worker_that_dies_during_the_check_is_ignored():
    cluster.same_package(Elsewhere(a=__version__, b=OSError("connection closed")))


def test_late_worker_without_this_package_is_named(monkeypatch):
    client = Elsewhere(a=__version__)
    monkeypatch.setattr(
        cluster, "_finished", lambda waiting: client.workers.update(b=LACKING) or ()
    )
    spec = object()
    with pytest.raises(DpvizError, match="The worker at b must have dpviz"):
        list(cluster.batch_runner(client)([[spec]], {}, {spec: "0"}, lambda _: None))
    assert client.asked == 1 and client.cancelled == 1


def test_sweep_without_workers_times_out(monkeypatch):
    client = Elsewhere(a=__version__)
    monkeypatch.setattr(cluster, "PATIENCE", 0)
    monkeypatch.setattr(cluster, "_finished", lambda waiting: client.workers.clear() or ())
    spec = object()
    with pytest.raises(DpvizError, match="No workers for .*same command again"):
        list(cluster.batch_runner(client)([[spec]], {}, {spec: "0"}, lambda _: None))


def test_tls_without_certificates_is_an_error(tmp_path, monkeypatch):
    import dask

    with pytest.raises(DpvizError, match="(?s)needs certificates.*COMM__TLS__CA_FILE"):
        cluster.connected("tls://127.0.0.1:9", 1).__enter__()
    (tmp_path / "ca.pem").write_text("no certificate")
    with (
        dask.config.set(
            {
                "distributed.comm.tls.ca-file": str(tmp_path / "ca.pem"),
                "distributed.comm.tls.client.cert": str(tmp_path / "none.pem"),
            }
        ),
        pytest.raises(DpvizError, match="Cannot read the certificates.*CLIENT__CERT"),
    ):
        cluster.connected("tls://127.0.0.1:9", 1).__enter__()


# ------------------------------------------------------------------------------------------- status


def toml(tmp_path, name="s", budgets="[0.5, 2]"):
    (tmp_path / "own.npz").write_bytes(content())
    spec = tmp_path / f"{name}.toml"
    spec.write_text(
        f'dataset = "{tmp_path / "own.npz"}"\nbudgets = {budgets}\nmethods = ["dppl-mean",'
        ' "class-mean"]\n'
    )
    return spec


def test_command_uses_a_cluster_and_writes_a_status(tmp_path, capsys, client, monkeypatch):
    spec, out, clusters = toml(tmp_path), tmp_path / "o.csv", []

    @contextlib.contextmanager
    def connected(scheduler, workers):
        clusters.append((scheduler, workers))
        yield client

    monkeypatch.setattr(cluster, "connected", connected)
    assert main(["sweep", str(spec), "--out", str(out), "--workers", "1"]) == 0
    assert clusters == [(cluster.LOCAL, 1)]
    with out.open() as file:
        assert len(list(csv.DictReader(file))) == 4
    (status,) = sweep_files.statuses()
    assert (status.current_state, status.done, status.total, status.name, status.where) == (
        "finished",
        4,
        4,
        "s",
        "1 workers",
    )
    assert len(experiment.stored(sweep_files.parse(status.text, status.name))) == 4
    assert main(["sweep", str(spec), "--out", str(out), "--workers", "many"]) == 2
    assert "must be a number" in capsys.readouterr().err


def test_ctrl_c_and_the_page_stop_a_sweep(tmp_path, monkeypatch, capsys):
    spec = toml(tmp_path)
    argv = ["sweep", str(spec), "--out", str(tmp_path / "o.csv")]
    original = experiment.sweep

    def interrupted(specs, progress, run_batches):
        raise KeyboardInterrupt

    monkeypatch.setattr(experiment, "sweep", interrupted)
    assert main(argv) == 130 and sweep_files.statuses()[0].current_state == "stopped"
    assert "same command again to continue" in capsys.readouterr().err

    def stop_requested(specs, progress, run_batches):
        sweep_files.ask_to_stop(sweep_files.key(sweep_files.read(spec)))
        return original(specs, progress=progress, run_batches=run_batches)

    monkeypatch.setattr(experiment, "sweep", stop_requested)
    assert main(argv) == 130 and sweep_files.statuses()[0].current_state == "stopped"
    monkeypatch.setattr(experiment, "sweep", original)
    assert main(argv) == 0 and [s.current_state for s in sweep_files.statuses()] == ["finished"]


def test_failed_sweep_stores_its_message(tmp_path, capsys):
    spec = toml(tmp_path)
    spec.write_text(spec.read_text().replace("budgets", 'unit = "person"\nbudgets'))
    assert main(["sweep", str(spec), "--out", str(tmp_path / "o.csv")]) == 2
    (status,) = sweep_files.statuses()
    assert status.current_state == "failed" and status.stage in capsys.readouterr().err


def test_silent_sweep_is_broken_off():
    old = sweep_files.Status(
        "0" * 20, "x", "", "here", beat=time.time() - 2 * sweep_files.MAX_SILENCE
    )
    assert (
        old.current_state == "broken off"
        and sweep_files.Status("0" * 20, "x", "", "here", beat=time.time()).current_state
        == "running"
    )
    ahead = dataclasses.replace(old, beat=time.time() + 2 * sweep_files.MAX_SILENCE)
    assert ahead.current_state == "broken off", (
        "a clock that was put back would have it run for ever"
    )


def test_sweep_continues_without_its_status_file(tmp_path, monkeypatch):
    spec, heard = toml(tmp_path), []
    monkeypatch.setattr(notes, "listeners", [heard.append])
    monkeypatch.setattr(notes, "_last_times", {})
    (sweep_files.cache_dir() / "sweeps").write_text("in the way")
    assert main(["sweep", str(spec), "--out", str(tmp_path / "o.csv")]) == 0
    assert len((tmp_path / "o.csv").read_text().splitlines()) == 5
    assert len(heard) == 1 and "sweep continues" in heard[0]


def test_damaged_and_foreign_files_are_ignored(tmp_path):
    good = sweep_files.Status(sweep_files.key("a"), HOSTILE, "a", "here", started=1.0, beat=1.0)
    sweep_files.keep(good)
    assert sweep_files.statuses() == [good]
    raw = json.loads((sweep_files.folder() / f"{good.key}.json").read_text())
    for place, content_ in enumerate(
        [
            b"",
            b"[]",
            b"{",
            json.dumps(raw | {"done": "all"}).encode(),
            json.dumps(raw).encode(),
            b"\xff",
        ]
    ):
        (sweep_files.folder() / f"{place:020x}.json").write_bytes(content_)
    (sweep_files.folder() / f"{HOSTILE.replace('/', '')}.json").write_text(json.dumps(raw))
    assert sweep_files.statuses() == [good] and sweep_files.load("../../etc") is None


def test_oldest_status_files_are_deleted(monkeypatch):
    monkeypatch.setattr(sweep_files, "MAX_SWEEPS", 2)
    for i in range(4):
        sweep_files.keep(
            sweep_files.Status(
                sweep_files.key(str(i)), str(i), "", "here", "finished", started=float(i)
            )
        )
    with sweep_files.watched("new", "new", "here"):
        pass
    assert [s.name for s in sweep_files.statuses()] == ["new", "3"]


def test_huge_sweep_is_refused_early():
    text = (
        'dataset = "mnist5k"\nencoder = "glyphnet"\nbudgets = [1]\nseeds = 4000000000\nmethods ='
        ' ["dppl-mean"]'
    )
    with pytest.raises(DpvizError, match="`seeds` must be between 0 and"):
        sweep_files.parse(text, "it")
    with pytest.raises(DpvizError, match="axis"):
        sweep_files.parse(text.replace("seeds", 'axis = ["zcdp"]\nseeds'), "it")
    with pytest.raises(DpvizError, match="`seeds` must be .* got inf"):
        sweep_files.parse(text.replace("4000000000", "inf"), "it")


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
def test_interrupt_during_cluster_start_closes_it(monkeypatch):
    events = []

    class Part(contextlib.AbstractContextManager):
        def __init__(self, *_, **__):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.05)
            events.append("started")

        def __exit__(self, *_):
            events.append("closed")

    monkeypatch.setattr("distributed.LocalCluster", Part)
    monkeypatch.setattr("distributed.Client", Part)
    with pytest.raises(KeyboardInterrupt), cluster.connected(cluster.LOCAL, 1):
        pytest.fail("the interrupt was lost")
    assert events == ["started", "started", "closed", "closed"]
