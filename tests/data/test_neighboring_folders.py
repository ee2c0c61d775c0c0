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


def test_twenty_pairs_are_listed():
    assert len(PAIRS) == 20 and set(FEW) <= set(PAIRS)


@pytest.mark.parametrize("name", FEW)
def test_only_private_mechanism_output_differs(tmp_path, name):
    assert neighboring_folders.differences(PAIRS[name], tmp_path) == []


def test_positional_public_set_is_detected(tmp_path, monkeypatch):
    def by_position(row):
        labels = row.images()["train"].labels
        of_class = [np.flatnonzero(labels == c) for c in range(3)]
        return np.sort(np.concatenate([rows[: min(20, len(rows) // 4)] for rows in of_class]))

    monkeypatch.setattr(held_aside, "rows", by_position)
    result = neighboring_folders.differences(PAIRS[FEW[0]], tmp_path)
    assert {"public images", "public set", "which image is private"} <= set(result)


def test_classes_read_from_images_are_detected(tmp_path, monkeypatch):
    monkeypatch.setattr("dpviz.data.readers.folders.declared", lambda *_: ("classes.txt", ()))
    result = neighboring_folders.differences(PAIRS[FEW[1]], tmp_path)
    assert "classes" in result


def test_card_that_searches_private_images_of_test_people_is_caught(tmp_path, monkeypatch):
    from dpviz.experiments import units

    outcomes = units.assumed

    def looking(plan, spec, record):
        ready = next(d for d in loading._loaded.values() if d.key == spec.dataset)
        results = len(ready.x) % 2  # stands for whether a private record of theirs exists
        return outcomes(plan, spec, record) if results else []

    monkeypatch.setattr(units, "assumed", looking)
    result = neighboring_folders.differences(PAIRS[FEW[2]], tmp_path)
    assert any(name.startswith("card of dppl-mean") for name in result)
