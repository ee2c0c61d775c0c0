"""Public mode: each closed way is refused with one sentence, and open where the mode is off."""

import dataclasses
import itertools

import numpy as np
import pytest

from dpviz import caches, encoders
from dpviz.classroom import listener, open_class
from dpviz.data import download, feature_cache, loading, preparation, synthetic, uploads
from dpviz.diagnostics import collapse_runs, public_neighbours
from dpviz.encoders import availability, weights_files
from dpviz.experiments import (
    embedding_work,
    experiment,
    jobs,
    release_file,
    store,
    store_file,
    sweep_process,
    worker_processes,
)
from dpviz.experiments.embedding_work import Task
from dpviz.experiments.jobs import Jobs, Work
from dpviz.machine import files, pdf, public_mode
from dpviz.methods.components import teachers
from dpviz.privacy import calculator
from dpviz.privacy.stated_mechanisms import LaplaceNoise, NoisySteps, TeacherVotes
from dpviz.text import public_mode as text
from dpviz.types import Budget, DpvizError, RunSpec
from tests.kit.toys import content, toy_data
from tests.run.test_jobs import endless, groups

SWEEP = 'dataset = "mnist5k"\nencoder = "glyphnet"\nbudgets = [1]\n[methods.class-mean]\n'
NOT_PRIVATE = RunSpec("mnist5k", "glyphnet", "class-mean", Budget(1.0))


@pytest.fixture
def public(monkeypatch):
    monkeypatch.setenv(public_mode.SETTING, "1")


@pytest.fixture(autouse=True)
def cache(monkeypatch, tmp_path):
    monkeypatch.setenv("DPVIZ_CACHE", str(tmp_path))


@pytest.fixture
def no_process(monkeypatch):
    """A sweep is accepted, but no process of it starts."""
    monkeypatch.setattr(sweep_process, "_wait_and_run", lambda status, place: None)


def fetched(tmp_path):
    download.fetch("Toy", tmp_path / "toy", (), "Get it by hand.")


def embedded_images(count):
    images = np.zeros((count, 28, 28), np.uint8)
    return feature_cache.embedded(images, encoders.get("glyphnet"))


CLOSED = {
    "keep features": (lambda _: uploads.keep(content(), "a"), "uploads"),
    "keep images": (lambda _: uploads.keep_unsorted(b"zip", "a"), "uploads"),
    "sort images": (lambda _: embedding_work.sort(Task("sort", "own-1"), print), "uploads"),
    "download data": (fetched, "downloads"),
    "start sweep": (lambda _: sweep_process.begin(SWEEP.encode(), "x.toml", "a"), "sweeps"),
    "embed set": (lambda _: embedding_work.embed(Task("embed", "x"), print), "embedding"),
    "embed many": (lambda _: embedded_images(public_mode.MAX_EMBEDDED + 1), "embedding"),
    "reach the hub": (lambda _: weights_files._reachable(), "downloads"),
    "draw release": (lambda _: release_file.release(NOT_PRIVATE), "checks"),
    "open class": (lambda _: open_class("a").end(), "class"),
    "open listener": (lambda _: listener.bind(("127.0.0.1", 0)).close(), "class"),
}


@pytest.mark.parametrize("way", CLOSED)
def test_closed_way_is_refused(public, way, tmp_path):
    act, feature = CLOSED[way]
    with pytest.raises(DpvizError) as refusal:
        act(tmp_path)
    assert str(refusal.value) == text.CLOSED[feature]
    assert not (tmp_path / "uploads").exists() and not (tmp_path / "sweeps").exists()


@pytest.mark.parametrize("way", CLOSED)
def test_way_is_open_without_the_mode(no_process, way, tmp_path):
    act, _ = CLOSED[way]
    try:
        act(tmp_path)
    except (DpvizError, OSError) as error:  # for another reason, as the input is a toy
        assert "public demo" not in str(error)


@pytest.mark.parametrize("value", ["1", "true", "on", "yes", "yse"])
def test_misspelled_value_turns_the_mode_on(monkeypatch, value):
    monkeypatch.setenv(public_mode.SETTING, value)
    assert public_mode.is_on()


@pytest.mark.parametrize("value", ["", "0", "off", "False", "no"])
def test_mode_is_off_for(monkeypatch, value):
    monkeypatch.setenv(public_mode.SETTING, value)
    assert not public_mode.is_on()


def test_few_images_are_embedded(public):
    assert embedded_images(2).shape[0] == 2


def test_encoders_off_the_disk_are_refused(public):
    for key in ("timm:resnet18", "timm:resnet18@random", "timm:x@/etc/passwd"):
        assert availability.refusal(key) == text.CLOSED["downloads"]
    assert availability.refusal("glyphnet") == ""


def test_random_encoder_is_open_without_the_mode():
    assert availability.refusal("timm:resnet18@random") == ""


@pytest.mark.parametrize("feature", ["tuning", "checks", "files"])
def test_closed_work_never_starts(public, monkeypatch, feature):
    calls = []
    work = Work(lambda group, progress: calls.append(group) or [group], feature=feature)
    job = Jobs().ask("a", groups("x"), work)
    assert job.finished.wait(5) and set(job.errors.values()) == {text.CLOSED[feature]} and not calls
    monkeypatch.delenv(public_mode.SETTING)
    job = Jobs().ask("a", groups("x"), work)
    assert job.finished.wait(5) and not job.errors and len(calls) == 1


def asked(all_jobs, work, clients):
    found = [all_jobs.ask(client, groups(client), work) for client in clients]
    return [next(iter(job.errors.values()), "") for job in found]


def test_jobs_of_a_visitor_are_capped(public):
    all_jobs = Jobs(visitor=lambda client: client[0])
    work = Work(endless, max_running=100)
    clients = [f"a{i}" for i in range(public_mode.MAX_JOBS + 1)]
    refusals = asked(all_jobs, work, clients)
    assert refusals[:-1] == [""] * public_mode.MAX_JOBS and "per visitor" in refusals[-1]
    assert asked(all_jobs, work, ["b0"]) == [""]
    all_jobs.leave_all(lambda client: True)


def test_jobs_of_all_visitors_are_capped(public, monkeypatch):
    monkeypatch.setattr(public_mode, "MAX_JOBS_IN_ALL", 2)
    all_jobs, work = Jobs(), Work(endless, max_running=100)
    assert asked(all_jobs, work, "abc") == ["", "", text.FULL]
    all_jobs.leave_all(lambda client: True)


def test_caps_on_jobs_need_the_mode(monkeypatch):
    monkeypatch.setattr(public_mode, "MAX_JOBS_IN_ALL", 2)
    all_jobs, work = Jobs(visitor=lambda client: "a"), Work(endless, max_running=100)
    assert asked(all_jobs, work, "abcdef") == [""] * 6
    all_jobs.leave_all(lambda client: True)


def test_long_job_ends_with_a_sentence(public, monkeypatch):
    monkeypatch.setattr(public_mode, "JOB_SECONDS", 0.2)
    job = Jobs().ask("a", groups("x"), Work(endless))
    assert job.finished.wait(5) and "public demo computes for at most" in job.errors[job.groups[0]]


def test_job_that_took_too_long_does_not_start_again(public, monkeypatch):
    monkeypatch.setattr(public_mode, "JOB_SECONDS", 0.2)
    all_jobs, calls = Jobs(), []
    work = Work(lambda group, progress: calls.append(group) or endless(group, progress))
    job = all_jobs.ask("a", groups("x"), work)
    assert job.finished.wait(5) and len(calls) == 1
    job = all_jobs.ask("b", groups("x"), work)
    assert job.finished.is_set() and "at most" in job.errors[job.groups[0]] and len(calls) == 1
    monkeypatch.setattr(public_mode, "RETRY_SECONDS", 0)
    assert all_jobs.ask("b", groups("x"), work).finished.wait(5) and len(calls) == 2


def test_long_job_goes_on_without_the_mode(monkeypatch):
    monkeypatch.setattr(public_mode, "JOB_SECONDS", 0.2)
    all_jobs = Jobs()
    job = all_jobs.ask("a", groups("x"), Work(endless))
    assert not job.finished.wait(0.6)
    all_jobs.leave("a")


@pytest.mark.parametrize("stage", [f"{jobs.WAITING}: 1 ahead of you", "Training"])
def test_time_in_the_queue_does_not_count(public, monkeypatch, stage):
    now = [0.0]
    monkeypatch.setattr(jobs.time, "perf_counter", lambda: now[0])

    def work(group, progress):
        now[0] += public_mode.JOB_SECONDS + 1
        progress(stage, 0, 0)
        return [group]

    job = Jobs().ask("a", groups("x"), Work(work))
    assert job.finished.wait(5) and job.complete == stage.startswith(jobs.WAITING)


def test_all_work_is_capped_in_a_worker(public, monkeypatch):
    asked_for = []
    pool = worker_processes.Pool()
    monkeypatch.setattr(
        pool.workers, "run", lambda question, progress, caps: asked_for.append(caps)
    )
    pool.call(embedding_work.embed, Task("embed", "mnist5k"), progress=print)
    assert asked_for[0].seconds == public_mode.JOB_SECONDS
    assert asked_for[0].memory <= public_mode.JOB_MEMORY
    monkeypatch.delenv(public_mode.SETTING)
    pool.call(lambda config, progress: None, Task("embed", "mnist5k"), progress=print)
    assert len(asked_for) == 1


MECHANISMS = {
    "steps": NoisySteps(1.0, 0.01, public_mode.MAX_STEPS + 1),
    "releases": LaplaceNoise(1.0, public_mode.MAX_STEPS + 1),
    "queries": TeacherVotes(public_mode.MAX_STEPS + 1, 1, 40.0, 40.0),
}


@pytest.mark.parametrize("mechanism", MECHANISMS.values(), ids=MECHANISMS)
def test_many_steps_are_not_computed(public, monkeypatch, mechanism):
    with pytest.raises(DpvizError, match=r"at most 10,000 steps, got 10,001"):
        calculator.calculate(mechanism, 1e-5)
    monkeypatch.delenv(public_mode.SETTING)
    assert calculator.calculate(mechanism, 1e-5).guarantee


def test_few_steps_are_computed(public):
    assert calculator.calculate(NoisySteps(1.0, 0.01, public_mode.MAX_STEPS), 1e-5).guarantee


LARGE = {
    "dimensions": ("etf:dim=8192,n=10", "", "at most 2,048 dimensions, got 8,192"),
    "numbers": ("etf:dim=2048,n=3000", "", "at most 4,200,000 numbers"),
    "copied dimensions": ("etf:dim=16,n=100", "dim=8192", "at most 2,048 dimensions, got 8,192"),
    "copied numbers": ("etf:dim=16,n=100", "dim=2000", "at most 1 numbers"),
    "directions": ("etf:dim=1025,n=100", "pca=9", "at most 1,024 dimensions, got 1,025"),
}


@pytest.mark.parametrize("case", LARGE)
def test_large_features_are_not_made(public, monkeypatch, case):
    dataset, features, words = LARGE[case]
    if case == "copied numbers":
        made = synthetic.make(dataset)
        monkeypatch.setattr(public_mode, "MAX_NUMBERS", 1)
        make = lambda: preparation.prepare(made, features)
    else:
        make = lambda: preparation.prepare(synthetic.make(dataset), features)
    monkeypatch.setattr(preparation, "_main", lambda x, k: np.eye(k, x.shape[1], dtype=np.float32))
    with pytest.raises(DpvizError, match=words):
        make()
    monkeypatch.delenv(public_mode.SETTING)
    make()


def test_charts_leave_large_dimensions_out(public, monkeypatch):
    dimensions = lambda: collapse_runs.dimensions("etf", 128, 300)
    assert max(dimensions()) == 1024
    monkeypatch.delenv(public_mode.SETTING)
    assert max(dimensions()) == 4096


def test_data_sets_in_memory_are_few(public, monkeypatch):
    monkeypatch.setattr(public_mode, "CACHE_BYTES", 2**20)

    def held(cache):
        cache.cache_clear()
        for seed in range(4):
            spec = RunSpec(f"etf:dim=64,n=2000,seed={seed}", None, "class-mean", Budget(1.0))
            experiment.prepared(dataclasses.replace(spec, features="centre=yes"))
        return len(cache.values())

    kept = (loading._loaded, experiment._imbalanced)
    assert [held(cache) for cache in kept] == [1, 1]
    monkeypatch.delenv(public_mode.SETTING)
    assert [held(cache) for cache in kept] == [4, 4]


def test_no_pdf_is_printed(public, monkeypatch):
    monkeypatch.setattr(pdf, "browser", lambda: None)
    with pytest.raises(DpvizError, match="public demo"):
        pdf.printed("<p>x</p>")
    monkeypatch.delenv(public_mode.SETTING)
    with pytest.raises(DpvizError, match="Chromium not found"):
        pdf.printed("<p>x</p>")


def test_full_store_stores_no_more(public, monkeypatch):
    writes = []
    monkeypatch.setattr(store_file, "using", lambda work, reading=False: writes.append(work))
    monkeypatch.setattr(store_file, "size", lambda: public_mode.STORE_BYTES + 1)
    store.keep({})
    assert not writes
    monkeypatch.delenv(public_mode.SETTING)
    store.keep({})
    assert len(writes) == 1


def stored_arrays(name):
    return sum(path.is_file() for path in (files.cache_dir() / name).rglob("*"))


def test_full_folders_store_no_more(public, monkeypatch):
    votes = teachers.Votes(*[np.zeros(9)] * 4, 0, np.zeros(9))
    data, names = toy_data(), itertools.count()
    monkeypatch.setattr(public_neighbours, "_map", lambda x, flat: np.zeros((len(x) + 1, 2)))
    monkeypatch.setattr(public_neighbours, "_key", lambda x, flat: str(next(names)))

    def store_again():
        caches.clear(public_neighbours.__name__)
        teachers._store(str(next(names)), votes)
        public_neighbours._fitted(data)
        return stored_arrays("votes"), stored_arrays("maps")

    monkeypatch.setattr(public_mode, "FOLDER_BYTES", 100)
    assert [store_again() for _ in range(3)] == [(5, 1)] * 3
    monkeypatch.delenv(public_mode.SETTING)
    assert store_again() == (10, 2)


def test_size_of_the_store_counts_its_log(tmp_path):
    assert store_file.size() == 0
    (tmp_path / store_file.FILE_NAME).write_bytes(b"12")
    (tmp_path / f"{store_file.FILE_NAME}-wal").write_bytes(b"345")
    assert store_file.size() == 5


@pytest.mark.parametrize(
    "address", ["http://a.example", "javascript:alert(1)", "a.example", "https:"]
)
def test_link_must_be_https(monkeypatch, address):
    monkeypatch.setenv(public_mode.LINK, address)
    with pytest.raises(DpvizError, match="https"):
        public_mode.link()


def test_link_is_optional(monkeypatch):
    assert public_mode.link() == ""
    monkeypatch.setenv(public_mode.LINK, "https://a.example/dpviz")
    assert public_mode.link() == "https://a.example/dpviz"
