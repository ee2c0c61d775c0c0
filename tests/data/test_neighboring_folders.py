"""Folders that differ in one private image or person: nothing outside the mechanism differs."""

import numpy as np
import pytest

from benchmarks import neighboring_folders
from dpviz import data
from dpviz.data import held_aside, loading

PAIRS = {pair.name: pair for pair in neighboring_folders.pairs()}
FEW = (
    "a class of 40 or 39 training images",
    "the only image of a class",
    "a test person with 1 or 0 training images",
    "a class with training images alone, in a zip",
    "a row of a parquet file",
)


@pytest.fixture(autouse=True)
def fresh():
    data.clear()
    yield
    data.clear()


def test_there_are_twenty_pairs():
    assert len(PAIRS) == 20 and set(FEW) <= set(PAIRS)


@pytest.mark.parametrize("name", FEW)
def test_only_the_private_mechanism_sees_the_difference(tmp_path, name):
    assert neighboring_folders.differences(PAIRS[name], tmp_path) == []


def test_first_quarter_of_each_class_as_public_set_is_caught(tmp_path, monkeypatch):
    def by_position(row):
        labels = row.images()["train"].labels
        of_class = [np.flatnonzero(labels == c) for c in range(3)]
        return np.sort(np.concatenate([rows[: min(20, len(rows) // 4)] for rows in of_class]))

    monkeypatch.setattr(held_aside, "rows", by_position)
    found = neighboring_folders.differences(PAIRS[FEW[0]], tmp_path)
    assert {"public images", "public set", "which image is private"} <= set(found)


def test_classes_read_from_images_are_caught(tmp_path, monkeypatch):
    monkeypatch.setattr("dpviz.data.readers.folders.declared", lambda *_: ("classes.txt", ()))
    found = neighboring_folders.differences(PAIRS[FEW[1]], tmp_path)
    assert "classes" in found


def test_card_that_looks_for_private_images_of_test_people_is_caught(tmp_path, monkeypatch):
    from dpviz.run import units

    told = units.assumed

    def looking(plan, spec, record):
        ready = next(d for d in loading._loaded.values() if d.key == spec.dataset)
        both = len(ready.x) % 2  # stands for whether a private record of theirs exists
        return told(plan, spec, record) if both else []

    monkeypatch.setattr(units, "assumed", looking)
    found = neighboring_folders.differences(PAIRS[FEW[2]], tmp_path)
    assert any(name.startswith("card of dppl-mean") for name in found)
