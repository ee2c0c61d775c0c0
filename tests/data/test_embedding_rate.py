"""The device and the rate of embedding: measured, kept with the features, and never guessed."""

import numpy as np
import pytest

from dpviz.data import feature_cache
from dpviz.data.feature_cache import Rate
from dpviz.encoders import ENCODERS
from tests.kit import gpu_stand_in

GLYPHNET = ENCODERS["glyphnet"]
PIXELS = np.random.default_rng(0).integers(0, 256, (40, 28, 28), np.uint8)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("DPVIZ_CACHE", str(tmp_path))
    feature_cache.embedded(PIXELS, GLYPHNET)
    return feature_cache.place(PIXELS, GLYPHNET)


def test_embedding_keeps_its_device_and_rate_with_the_features(folder):
    found = feature_cache.read_rate(folder)
    assert (found.device, found.images) == ("CPU", 40) and 0 < found.seconds < 60
    feature_cache.embedded(PIXELS, GLYPHNET)
    assert feature_cache.read_rate(folder) == found, "features from the cache are not measured"


def test_rate_is_no_part_of_the_features(folder):
    before = feature_cache.lacking(folder, 10_000, GLYPHNET.dim)
    (folder / feature_cache.RATE_FILE).unlink()
    assert feature_cache.lacking(folder, 10_000, GLYPHNET.dim) == before
    assert feature_cache.read_rate(folder) is None
    assert feature_cache.recalled(PIXELS, GLYPHNET) is not None


def test_repaired_part_does_not_replace_the_rate_of_a_whole_run(tmp_path):
    whole = Rate("CPU", 1000, 2.0)
    feature_cache.keep_rate(tmp_path, whole)
    feature_cache.keep_rate(tmp_path, Rate("CPU", 3, 1.0))
    assert feature_cache.read_rate(tmp_path) == whole and whole.per_second == 500


def test_damaged_rate_is_not_known(tmp_path):
    feature_cache.keep_rate(tmp_path, Rate("CPU", 10, 1.0))
    (tmp_path / feature_cache.RATE_FILE).write_bytes(b"{}")
    assert feature_cache.read_rate(tmp_path) is None


def test_runs_are_added_only_where_all_are_known_and_on_one_device():
    one, two = Rate("CPU", 100, 1.0), Rate("CPU", 200, 2.0)
    assert feature_cache.total_rate([one, two]) == Rate("CPU", 300, 3.0)
    assert feature_cache.total_rate([one, Rate("cuda:0", 200, 2.0)]) is None
    assert feature_cache.total_rate([one, None]) is None
    assert feature_cache.total_rate([]) is None


def test_bundled_features_carry_no_rate(tmp_path, monkeypatch):
    monkeypatch.setattr(feature_cache, "SHIPPED", tmp_path)
    feature_cache.embedded(PIXELS, GLYPHNET, home=tmp_path)
    assert feature_cache.read_rate(feature_cache.place(PIXELS, GLYPHNET, tmp_path)) is None


def test_gpu_is_named(tmp_path, monkeypatch):
    gpu_stand_in.plug_in(monkeypatch)
    monkeypatch.setenv("DPVIZ_CACHE", str(tmp_path))
    feature_cache.embedded(PIXELS, GLYPHNET)
    found = feature_cache.read_rate(feature_cache.place(PIXELS, GLYPHNET))
    assert found.device == gpu_stand_in.DEVICE
