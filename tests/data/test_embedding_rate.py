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


def test_embedding_stores_device_and_rate_with_features(folder):
    result = feature_cache.read_rate(folder)
    assert (result.device, result.images) == ("CPU", 40) and 0 < result.seconds < 60
    feature_cache.embedded(PIXELS, GLYPHNET)
    assert feature_cache.read_rate(folder) == result, "features from the cache are not measured"


def test_rate_does_not_affect_features(folder):
    initial = feature_cache.lacking(folder, 10_000, GLYPHNET.dim)
    (folder / feature_cache.RATE_FILE).unlink()
    assert feature_cache.lacking(folder, 10_000, GLYPHNET.dim) == initial
    assert feature_cache.read_rate(folder) is None
    assert feature_cache.recalled(PIXELS, GLYPHNET) is not None


def test_repair_keeps_rate_of_full_run(tmp_path):
    whole = Rate("CPU", 1000, 2.0)
    feature_cache.keep_rate(tmp_path, whole)
    feature_cache.keep_rate(tmp_path, Rate("CPU", 3, 1.0))
    assert feature_cache.read_rate(tmp_path) == whole and whole.per_second == 500


def test_damaged_rate_is_ignored(tmp_path):
    feature_cache.keep_rate(tmp_path, Rate("CPU", 10, 1.0))
    (tmp_path / feature_cache.RATE_FILE).write_bytes(b"{}")
    assert feature_cache.read_rate(tmp_path) is None


def test_runs_are_merged_only_on_one_known_device():
    first, pair = Rate("CPU", 100, 1.0), Rate("CPU", 200, 2.0)
    assert feature_cache.total_rate([first, pair]) == Rate("CPU", 300, 3.0)
    assert feature_cache.total_rate([first, Rate("cuda:0", 200, 2.0)]) is None
    assert feature_cache.total_rate([first, None]) is None
    assert feature_cache.total_rate([]) is None


def test_bundled_features_carry_no_rate(tmp_path, monkeypatch):
    monkeypatch.setattr(feature_cache, "SHIPPED", tmp_path)
    feature_cache.embedded(PIXELS, GLYPHNET, home=tmp_path)
    assert feature_cache.read_rate(feature_cache.place(PIXELS, GLYPHNET, tmp_path)) is None


def test_gpu_is_named(tmp_path, monkeypatch):
    gpu_stand_in.plug_in(monkeypatch)
    monkeypatch.setenv("DPVIZ_CACHE", str(tmp_path))
    feature_cache.embedded(PIXELS, GLYPHNET)
    result = feature_cache.read_rate(feature_cache.place(PIXELS, GLYPHNET))
    assert result.device == gpu_stand_in.DEVICE
