"""Sweeps over workers: the same table whoever dies, nothing computed twice, and a status that
others can read.
"""

import contextlib
import csv
import dataclasses
import json
import os
import pkgutil
import signal
import time

import pytest

from dpviz import __version__
from dpviz.cli import main
from dpviz.machine import notes
from dpviz.run import cluster, experiment, store, sweep_files
from dpviz.types import Budget, Cancelled, DataConfig, DpvizError
from tests.kit.toys import content

pytestmark = pytest.mark.slow

HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.fixture
def wanted(tmp_path):
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
    """Two workers with a store of their own, which nobody reads."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DPVIZ_CACHE", str(tmp_path_factory.mktemp("workers")))
        with cluster.connected(cluster.LOCAL, 2) as found:
            yield found


def numbers(results):
    return [(r.spec, r.scores, r.guarantee) for r in results]


def test_a_killed_worker_changes_nothing(wanted, client, monkeypatch):
    alone = experiment.sweep(wanted, use_store=False)
    before, killed, given = set(client.run(os.getpid).values()), [], []
    plain = cluster._submit
    monkeypatch.setattr(
        cluster, "_submit", lambda c, batch, keys: given.append(batch) or plain(c, batch, keys)
    )

    def kill_one(what, done, total):
        if done and not killed:
            killed.append(min(before))
            os.kill(killed[0], signal.SIGKILL)

    together = experiment.sweep(wanted, progress=kill_one, run_batches=cluster.batch_runner(client))
    assert numbers(together) == numbers(alone) and len(killed) == 1 and len(given) == 8
    client.wait_for_workers(2, timeout=60)
    assert killed[0] not in client.run(os.getpid).values()
    again = experiment.sweep(wanted, run_batches=cluster.batch_runner(client))
    assert (
        {r.origin for r in again} == {"stored"}
        and numbers(again) == numbers(alone)
        and len(given) == 8
    )


def test_what_is_done_before_a_stop_is_not_computed_again(wanted, client):
    def stop(what, done, total):
        if done >= 4:
            raise Cancelled

    with pytest.raises(Cancelled):
        experiment.sweep(wanted, progress=stop, run_batches=cluster.batch_runner(client))
    kept = experiment.stored(wanted)
    assert 4 <= len(kept) < 16
    results = experiment.sweep(wanted, run_batches=cluster.batch_runner(client))
    assert sum(r.origin == "stored" for r in results) >= len(kept)


def test_what_a_stop_cancels_has_a_name_of_its_own(wanted, client):
    keys = dict.fromkeys(wanted, "0" * 64)
    first, again = (cluster._submit(client, wanted[:1], keys) for _ in range(2))
    assert first.key != again.key, "Dask tells late, by name, what was cancelled"


def test_a_worker_refuses_what_would_be_kept_under_a_wrong_key(wanted, client):
    spec = experiment.sweep(wanted[:1], use_store=False)[0].spec
    right = store.key(spec, experiment.prepared(spec).fingerprint)
    assert cluster.compute([spec], right)[0].spec == spec
    with pytest.raises(DpvizError, match="other data, code or library versions"):
        cluster._answer(client.submit(cluster.compute, [spec], "0" * 64))


def test_a_worker_uses_one_core(wanted, monkeypatch):
    from dpviz.machine import threads

    seen = []
    monkeypatch.setattr(experiment, "compute", lambda batch, plans: seen.append(threads._cores()))
    monkeypatch.setattr(store, "key", lambda *a: "right")
    cluster.compute(wanted[:1], "right")
    assert seen == [1] and threads._cores() == threads.all_cores()


def test_a_local_cluster_has_as_many_workers_as_asked():
    with cluster.connected(
        cluster.LOCAL, 3
    ) as three:  # not the number of cores, which is what Dask would take
        three.wait_for_workers(3, timeout=60)
        at_work = three.nthreads()
    assert len(at_work) == 3 and set(at_work.values()) == {1}


def test_no_scheduler_is_a_sentence(monkeypatch):
    monkeypatch.setattr(cluster, "PATIENCE", 0.2)
    for address in ("tcp://127.0.0.1:9", "nonsense://x"):
        with pytest.raises(DpvizError, match="no Dask scheduler"), cluster.connected(address, 1):
            pass
    with pytest.raises(DpvizError, match="from 1 to 512"), cluster.connected(cluster.LOCAL, 0):
        pass


class Elsewhere:
    """A client whose scheduler and workers have the versions that are said, or an error."""

    def __init__(self, scheduler=__version__, **workers):
        self.scheduler, self.workers, self.asked = scheduler, workers, 0

    def run_on_scheduler(self, ask, wanted):
        assert ask is pkgutil.resolve_name and ask(wanted) == __version__
        if isinstance(self.scheduler, Exception):
            raise self.scheduler
        return self.scheduler

    def run(self, ask, wanted, on_error):
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
        (Elsewhere(LACKING), "^The scheduler needs dpviz .* and has none .*No module"),
        (Elsewhere("0.1.0"), "^The scheduler needs dpviz .* and has version 0.1.0"),
        (Elsewhere(a=__version__, b=LACKING), "^The worker at b needs dpviz .* none"),
        (Elsewhere(a="0.1.0"), "^The worker at a needs dpviz .* version 0.1.0"),
    ],
)
def test_one_without_this_package_is_named_before_it_gets_work(client, says):
    with pytest.raises(DpvizError, match=says):
        cluster.same_package(client)


def test_a_worker_that_dies_while_it_is_asked_is_not_said_to_lack_anything():
    cluster.same_package(Elsewhere(a=__version__, b=OSError("connection closed")))


def test_one_without_this_package_that_joins_later_is_named(monkeypatch):
    client = Elsewhere(a=__version__)
    monkeypatch.setattr(
        cluster, "_finished", lambda waiting: client.workers.update(b=LACKING) or ()
    )
    spec = object()
    with pytest.raises(DpvizError, match="The worker at b needs dpviz"):
        list(cluster.batch_runner(client)([[spec]], {}, {spec: "0"}, lambda _: None))
    assert client.asked == 1 and client.cancelled == 1


def test_a_scheduler_whose_workers_are_all_gone_is_not_waited_for_for_ever(monkeypatch):
    client = Elsewhere(a=__version__)
    monkeypatch.setattr(cluster, "PATIENCE", 0)
    monkeypatch.setattr(cluster, "_finished", lambda waiting: client.workers.clear() or ())
    spec = object()
    with pytest.raises(DpvizError, match="no worker for .*same command goes on"):
        list(cluster.batch_runner(client)([[spec]], {}, {spec: "0"}, lambda _: None))


def test_tls_without_certificates_is_a_sentence(tmp_path, monkeypatch):
    import dask

    with pytest.raises(DpvizError, match="wants certificates .*COMM__TLS__CA_FILE"):
        cluster.connected("tls://127.0.0.1:9", 1).__enter__()
    (tmp_path / "ca.pem").write_text("no certificate")
    with (
        dask.config.set(
            {
                "distributed.comm.tls.ca-file": str(tmp_path / "ca.pem"),
                "distributed.comm.tls.client.cert": str(tmp_path / "none.pem"),
            }
        ),
        pytest.raises(DpvizError, match="cannot be read .*CLIENT__CERT"),
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


def test_the_shell_uses_a_cluster_and_leaves_a_status(tmp_path, capsys):
    spec, out = toml(tmp_path), tmp_path / "o.csv"
    assert main(["sweep", str(spec), "--out", str(out), "--workers", "1"]) == 0
    with out.open() as file:
        assert len(list(csv.DictReader(file))) == 4
    (status,) = sweep_files.statuses()
    assert (status.now, status.done, status.total, status.name, status.where) == (
        "finished",
        4,
        4,
        "s",
        "1 workers",
    )
    assert len(experiment.stored(sweep_files.parse(status.text, status.name))) == 4
    assert main(["sweep", str(spec), "--out", str(out), "--workers", "many"]) == 2
    assert "not a number" in capsys.readouterr().err


def test_ctrl_c_and_a_word_from_the_page_stop_a_sweep(tmp_path, monkeypatch, capsys):
    spec = toml(tmp_path)
    argv = ["sweep", str(spec), "--out", str(tmp_path / "o.csv")]
    original = experiment.sweep

    def interrupted(specs, progress, run_batches):
        raise KeyboardInterrupt

    monkeypatch.setattr(experiment, "sweep", interrupted)
    assert main(argv) == 130 and sweep_files.statuses()[0].now == "stopped"
    assert "continues from there" in capsys.readouterr().err

    def stop_requested(specs, progress, run_batches):
        sweep_files.ask_to_stop(sweep_files.key(sweep_files.read(spec)))
        return original(specs, progress=progress, run_batches=run_batches)

    monkeypatch.setattr(experiment, "sweep", stop_requested)
    assert main(argv) == 130 and sweep_files.statuses()[0].now == "stopped"
    monkeypatch.setattr(experiment, "sweep", original)
    assert main(argv) == 0 and [s.now for s in sweep_files.statuses()] == ["finished"]


def test_a_refused_sweep_keeps_its_sentence(tmp_path, capsys):
    spec = toml(tmp_path)
    spec.write_text(spec.read_text().replace("budgets", 'unit = "person"\nbudgets'))
    assert main(["sweep", str(spec), "--out", str(tmp_path / "o.csv")]) == 2
    (status,) = sweep_files.statuses()
    assert status.now == "failed" and status.stage in capsys.readouterr().err


def test_silence_means_broken_off():
    old = sweep_files.Status("0" * 20, "x", "", "here", beat=time.time() - 2 * sweep_files.SILENT)
    assert (
        old.now == "broken off"
        and sweep_files.Status("0" * 20, "x", "", "here", beat=time.time()).now == "running"
    )
    ahead = dataclasses.replace(old, beat=time.time() + 2 * sweep_files.SILENT)
    assert ahead.now == "broken off", "a clock that was put back would have it run for ever"


def test_a_sweep_outlives_a_status_that_cannot_be_written(tmp_path, monkeypatch):
    spec, heard = toml(tmp_path), []
    monkeypatch.setattr(notes, "listeners", [heard.append])
    monkeypatch.setattr(notes, "_last", {})
    (sweep_files.cache_dir() / "sweeps").write_text("in the way")
    assert main(["sweep", str(spec), "--out", str(tmp_path / "o.csv")]) == 0
    assert len((tmp_path / "o.csv").read_text().splitlines()) == 5
    assert len(heard) == 1 and "goes on" in heard[0]


def test_damaged_and_foreign_files_are_no_status(tmp_path):
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


def test_old_status_files_go_first(monkeypatch):
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


def test_a_huge_sweep_is_refused_before_it_is_made():
    text = (
        'dataset = "mnist5k"\nencoder = "glyphnet"\nbudgets = [1]\nseeds = 4000000000\nmethods ='
        ' ["dppl-mean"]'
    )
    with pytest.raises(DpvizError, match="seeds is 4e"):
        sweep_files.parse(text, "it")
    with pytest.raises(DpvizError, match="axis"):
        sweep_files.parse(text.replace("seeds", 'axis = ["zcdp"]\nseeds'), "it")
    with pytest.raises(DpvizError, match="seeds is inf"):
        sweep_files.parse(text.replace("4000000000", "inf"), "it")


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
def test_interrupt_while_a_cluster_starts_closes_it(monkeypatch):
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
