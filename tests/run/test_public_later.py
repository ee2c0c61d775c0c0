"""Public pictures are embedded when something first reads their features, and once."""

import dataclasses

import numpy as np
import pytest

from dpviz import data
from dpviz.data import feature_cache, loading, preparation
from dpviz.experiments import experiment
from dpviz.types import Budget, Cancelled, RunSpec
from dpviz.types.dataset import LazyArray
from tests.kit.seen import APP, charts, opened

pytestmark = pytest.mark.slow

WHERE = {"dataset": "uci-digits", "encoder": "glyphnet", "public": "letters"}


@pytest.fixture
def embedded(tmp_path, monkeypatch):
    """The public splits that were embedded, by number of pictures; made-up features throughout."""
    monkeypatch.setenv("DPVIZ_CACHE", str(tmp_path))
    monkeypatch.setenv("DPVIZ_DEVICE", "cpu")
    asked = []

    def made_up(images, encoder, progress=None, home=None):
        rows = np.random.default_rng(len(images)).normal(size=(len(images), encoder.dim))
        return rows.astype(np.float32)

    def counted(images, *others):
        asked.append(len(images))
        return made_up(images, *others)

    monkeypatch.setattr(feature_cache, "embedded", made_up)
    monkeypatch.setattr(loading, "embedded", counted)
    data.clear()
    yield asked
    data.clear()


def spec(method, **others):
    return RunSpec(**WHERE | others, method=method, budget=Budget(1.0))


def test_collapse_page_embeds_no_public_image(embedded):
    link = {"data": "uci-digits", "enc": "glyphnet", "pub": "letters", "beside": "", "n": "2"}
    link["noisy-gd.steps"] = "5"  # letters share no class, so no tile shows public data alone
    at = opened(APP, link, "pages/neural_collapse.py", 120)
    assert not at.exception and not at.error and charts(at)
    assert embedded == []


def test_public_set_is_embedded_once_for_all_runs(embedded):
    quiet = experiment.sweep([spec("dppl-mean"), spec("noisy-gd", params=(("steps", 5),))])
    assert embedded == [] and quiet[0].scores
    public = experiment.prepared(spec("dppl-public"))
    experiment.sweep([spec("dppl-public"), spec("dppl-public", ir=10.0)])
    assert len(embedded) == 1 and len(public.public) == public.sizes.public > 0
    assert public.fingerprint == experiment.prepared(spec("dppl-mean")).fingerprint


def test_embedding_of_coinpress_public_set_can_be_stopped(embedded, monkeypatch):
    heard, made_up = [], loading.embedded

    def listening(images, encoder, progress=None):
        heard.append(progress)
        return made_up(images, encoder)

    monkeypatch.setattr(loading, "embedded", listening)
    experiment.sweep([spec("dppl-mean", params=(("form", "printed"),))])
    assert heard == []
    experiment.sweep([spec("dppl-mean", params=(("form", "coinpress"),))])
    assert heard and None not in heard


def test_only_public_centering_embeds_the_public_set(embedded):
    experiment.prepared(spec("dppl-mean", features="dim=32,shift=0.01"))
    assert embedded == []
    centred = experiment.prepared(spec("dppl-mean", features="centre=yes"))
    assert len(embedded) == 1 and abs(centred.public.mean(axis=0)).max() < 1e-3


def test_preparation_of_lazy_rows_equals_that_of_rows(embedded):
    now = experiment.prepared(spec("dppl-mean", features="dim=32,shift=0.01,test=gaussian"))
    whole = data.load(*WHERE.values())
    there = dataclasses.replace(whole, public_rows=whole.public)
    assert isinstance(now.public_rows, LazyArray)
    again = preparation.prepare(there, "dim=32,shift=0.01,test=gaussian")
    np.testing.assert_array_equal(now.public, again.public)


def test_lazy_rows_are_computed_once_and_again_after_a_stop():
    tries = []

    def make(heard):
        tries.append(heard)
        if len(tries) == 1:
            raise Cancelled
        return np.ones((3, 2))

    rows = LazyArray(3, make)
    doubled = rows.map_rows(lambda x: 2 * x)
    assert len(doubled) == 3 and not rows.is_made
    with pytest.raises(Cancelled):
        doubled.rows()
    assert doubled.rows().sum() == 12 and doubled.rows() is doubled.rows() and len(tries) == 2
