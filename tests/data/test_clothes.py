"""The bundled photographs of clothes: nobody in two parts, counts, licence, shipped features."""

import hashlib
import tomllib
import zipfile
from pathlib import Path

import numpy as np
import pytest

from dpviz import data
from dpviz.data import clothes, feature_cache, shipped_features
from dpviz.data.readers.picture_files import pick
from dpviz.machine import array_files
from dpviz.types import Files

ROOT = Path(__file__).resolve().parents[2]
EVERY = clothes.private() | clothes.public()


def test_users_do_not_overlap_between_splits():
    people = {name: set(split.persons.tolist()) for name, split in EVERY.items()}
    assert {name: len(part) for name, part in people.items()} == {
        "train": 197,
        "test": 74,
        "public": 73,
    }
    assert len(set.union(*people.values())) == 344 == sum(map(len, people.values()))
    assert set(clothes.other_kinds()["public"].persons.tolist()) <= people["public"]


def test_each_part_has_enough_of_each_class():
    kinds = {"train": 10, "test": 10, "public": 17}
    counts = {name: np.bincount(split.labels).tolist() for name, split in EVERY.items()}
    assert {name: len(row) for name, row in counts.items()} == kinds
    assert counts["train"] == [602, 459, 358, 340, 243, 191, 161, 197, 80, 101]
    assert counts["test"] == [281, 168, 260, 49, 109, 103, 127, 74, 70, 30]
    assert sum(counts["public"]) == 591 and sum(counts["public"][10:]) == 80
    assert min(counts["public"][:10]) >= 20
    sizes = data.DATASETS["clothes"].size
    assert f"{len(EVERY['train']):,} train" in sizes and f"{len(EVERY['test']):,} test" in sizes


def test_table_states_license_from_archive():
    assert hashlib.sha256(clothes.ARCHIVE.read_bytes()).hexdigest() == clothes.SHA256
    with zipfile.ZipFile(clothes.ARCHIVE) as archive:
        assert b"CC0 1.0 Universal" in archive.read("LICENSE")[:200]
        assert len(archive.namelist()) == 5096 + 2
    for key in ("clothes", "clothes-public", "other-clothes"):
        row = data.DATASETS[key]
        assert row.terms == "CC0 1.0" and "Alexey Grigorev" in row.source and row.state == "there"


def test_installation_includes_archive_and_features():
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    home = ROOT / "dpviz" / "data"
    patterns = build["package-data"]["dpviz.data"]
    shipped = {path for pattern in patterns for path in home.glob(pattern)}
    bundled = {path for path in (home / "bundled_files").rglob("*") if path.is_file()}
    assert shipped == bundled | {home / "data_sets.toml"}
    assert clothes.ARCHIVE in shipped


def test_images_are_color_squares_matching_labels():
    test = EVERY["test"]
    assert isinstance(test, Files) and test.read(0).shape == (144, 144, 3)
    folders = [test.read.read.names[row].decode().split("/")[0] for row in test.read.rows]
    assert folders == [clothes.KINDS[label] for label in test.labels]


@pytest.fixture
def loaded(tmp_path, monkeypatch):
    monkeypatch.setenv("DPVIZ_CACHE", str(tmp_path))
    monkeypatch.setenv("DPVIZ_DEVICE", "cpu")
    data.clear()
    yield lambda *extra: data.load("clothes", "lite0-128", *extra)
    data.clear()


def test_clothes_load_without_embedding(loaded):
    d = loaded()
    assert d.x.shape == (2732, 1280) and d.x_test.shape == (1271, 1280) and d.classes == 10
    assert d.x_public.shape == (591, 1280) and d.public_key == "clothes-public"
    np.testing.assert_array_equal(d.persons, EVERY["train"].persons)
    assert len(d.labelled_public[1]) == 511 and set(d.labelled_public[1]) == set(range(10))
    assert d.thumbnails("public", np.array([590])).shape == (1, 96, 96, 3)


def test_other_clothes_exclude_private_class_names(loaded):
    d = loaded("other-clothes")
    assert d.x_public.shape == (80, 1280) and len(d.labelled_public[1]) == 0
    first = np.flatnonzero(EVERY["public"].labels >= 10)[:1]
    np.testing.assert_array_equal(d.x_public[0], loaded().x_public[first][0])
    np.testing.assert_array_equal(
        clothes.other_kinds()["public"].read(0), EVERY["public"].read(int(first[0]))
    )


REMEDY = "run python -m dpviz.data.shipped_features"


@pytest.mark.slow
def test_shipped_features_are_complete_and_match_images(monkeypatch):
    """Six pictures of each split embedded anew, compared within half precision."""
    from dpviz.encoders.embedding import embed

    monkeypatch.setenv("DPVIZ_DEVICE", "cpu")
    folders = set()
    for split, encoder in shipped_features.shipped():
        folder = feature_cache.place(split, encoder)
        assert folder.parent == feature_cache.SHIPPED, REMEDY
        assert all(array_files.read(path) is not None for path in folder.iterdir())
        remaining = feature_cache.recalled(split, encoder)
        assert remaining is not None and remaining.shape == (len(split), encoder.dim), REMEDY
        rows = np.linspace(0, len(split) - 1, 6, dtype=int)
        fresh = embed(pick(split, rows), encoder, batch=6)
        np.testing.assert_allclose(remaining[rows], fresh, rtol=2e-3, atol=2e-3, err_msg=REMEDY)
        folders.add(folder.name)
    assert folders == {path.name for path in feature_cache.SHIPPED.iterdir()}, REMEDY
