"""Uploads are read in processes with caps: the same data set, or a sentence and nothing left."""

import dataclasses
import io
import os

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpviz import data
from dpviz.data import untrusted_files, uploads
from dpviz.data.readers import uploaded_features, uploaded_pictures
from dpviz.experiments import embedding_work
from dpviz.experiments.embedding_work import Task
from dpviz.machine.sandbox import WorkEnded
from dpviz.types import DpvizError
from tests.kit import picture_uploads


def silent(*stage):
    return None


def left(folder):
    return [path for path in folder.iterdir() if path.name.startswith(".")]


def smaller(monkeypatch, caps, **changes):
    monkeypatch.setattr(
        untrusted_files, caps, dataclasses.replace(getattr(untrusted_files, caps), **changes)
    )


def test_upload_loads_same_data_as_shell(labelled):
    path = uploads.path(labelled)
    result, single = data.load(str(path), None), uploaded_features.read_npz(path, path.name)
    for field in dataclasses.fields(result):
        ours, theirs = getattr(result, field.name), getattr(single, field.name)
        if isinstance(theirs, np.ndarray):
            assert ours.dtype == theirs.dtype and np.array_equal(ours, theirs)
            assert not ours.flags.writeable
        else:
            assert ours == theirs
    assert not left(uploads.folder())


def test_refusal_repeats_reader_message(labelled):
    name = uploads.keep(b"not a zip")
    with pytest.raises(DpvizError, match="is not a readable .npz file"):
        data.load(str(uploads.path(name)), None)
    assert data.load(str(uploads.path(labelled)), None).classes


def test_oversized_features_are_refused_and_not_reread(labelled, monkeypatch):
    rows = np.zeros((60_000, 400), np.float16)
    packed = io.BytesIO()
    np.savez_compressed(
        packed, X_train=rows, y_train=np.arange(60_000) % 2, X_test=rows[:2], y_test=[0, 1]
    )
    name = uploads.keep(packed.getvalue())
    smaller(monkeypatch, "FEATURES", memory=150 * 2**20)
    for _ in range(2):
        with pytest.raises(WorkEnded, match="needed more than 0.146 GiB of memory and was stopped"):
            data.load(str(uploads.path(name)), None)
        monkeypatch.setattr(untrusted_files._features, "_pool", None)  # the second says it at once
    assert not left(uploads.folder())


def hostile_parquet(rows=64, size=2**18, seed=0):
    """A small file of many rows that name one large image, and 16 of small images. A hash of each
    image decides its part, so that some of the small ones are for the test.
    """
    rng = np.random.default_rng(seed)
    pictures = [picture_uploads.GOOD + rng.bytes(n) for n in (size, *[16] * 16)]
    names = pa.array([0] * rows + [*range(1, 17)], pa.int32())
    image = pa.DictionaryArray.from_arrays(names, pa.array(pictures))
    out = io.BytesIO()
    pq.write_table(
        pa.table({"image": image.cast(pa.binary()), "label": ["a", "b"] * (rows // 2 + 8)}),
        out,
        use_dictionary=["image"],
        compression="zstd",
    )
    return out.getvalue()


def test_images_filling_disk_are_refused_and_removed(tmp_path, monkeypatch):
    monkeypatch.setenv("DPVIZ_CACHE", str(tmp_path))
    content = hostile_parquet()
    name = uploads.keep_unsorted(content)
    smaller(monkeypatch, "PICTURES", file=2**23)
    with pytest.raises(WorkEnded, match="Reading images wrote more than"):
        untrusted_files.pictures(uploads.unsorted(name), uploads.path(name), silent)
    assert not left(uploads.folder()) and not uploads.path(name).exists()
    assert len(content) < 2**20


def test_unpacked_images_count_toward_owner_quota(tmp_path, monkeypatch):
    """Three files of 64 kB, of which each unpacks to 4 MiB, in a quota of 9 MiB."""
    monkeypatch.setenv("DPVIZ_CACHE", str(tmp_path))
    monkeypatch.setattr(uploads, "MAX_UPLOAD_BYTES", 9 * 2**20)
    owner = "a" * 32
    for seed in range(3):
        name = uploads.keep_unsorted(hostile_parquet(size=2**16, seed=seed), owner)
        if seed == 2:
            with pytest.raises(DpvizError, match="your remaining space. Delete another upload"):
                embedding_work.sort(Task("sort", name), silent)
        else:
            embedding_work.sort(Task("sort", name), silent)
    held_rows = sum(map(uploads.size, uploads.held_by(owner)))
    assert 8 * 2**20 < held_rows < 9 * 2**20 and not left(uploads.folder())


def test_quota_is_checked_again_when_images_are_stored(tmp_path, monkeypatch):
    """Two uploads that are read side by side each find room; the second finds it taken."""
    monkeypatch.setenv("DPVIZ_CACHE", str(tmp_path))
    monkeypatch.setattr(uploads, "MAX_UPLOAD_BYTES", 6 * 2**20)
    owner = "a" * 32
    first, second = (
        uploads.keep_unsorted(hostile_parquet(size=2**16, seed=seed), owner) for seed in range(2)
    )
    ask = untrusted_files._pictures.ask

    def slow(*question):
        result = ask(*question)
        if second in question[0][0]:
            embedding_work.sort(Task("sort", first), silent)
        return result

    monkeypatch.setattr(untrusted_files._pictures, "ask", slow)
    with pytest.raises(DpvizError, match="your remaining space is 2 MiB. Delete another"):
        embedding_work.sort(Task("sort", second), silent)
    assert uploads.path(first).exists() and not uploads.path(second).exists()


def test_sandboxed_sorting_matches_direct_sorting(tmp_path):
    picture_uploads.write_upload(tmp_path / "upload.zip", 120)
    single = uploaded_pictures.sort_upload(tmp_path / "upload.zip", tmp_path / "alone.zip")
    outcomes = []
    result = untrusted_files.pictures(
        tmp_path / "upload.zip", tmp_path / "clean.zip", lambda *stage: outcomes.append(stage)
    )
    assert result == single and outcomes and not left(tmp_path)
    assert os.path.getsize(tmp_path / "clean.zip") == os.path.getsize(tmp_path / "alone.zip")


def test_crashing_reader_gives_one_message(labelled, monkeypatch, tmp_path):
    killer = untrusted_files.Readers("tests.kit.greedy:act")
    file = tmp_path / "crash"
    file.touch()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(WorkEnded, match="Reading features crashed"):
        killer.ask(("crash", ""), silent, untrusted_files.FEATURES)
    assert data.load(str(uploads.path(labelled)), None).classes
