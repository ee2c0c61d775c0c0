"""How much is yet to be embedded."""

from dataclasses import replace

from dpviz.experiments import embedding_work
from dpviz.types import Budget, RunSpec

MEAN = RunSpec(
    "clothes", "scatter-colour", "dppl-mean", Budget(1.0), ir=1.0, public="clothes-public"
)
PICTURES, PUBLIC = 2732 + 1271, 591


def test_private_images_count_once_public_ones_if_read(monkeypatch):
    everything = lambda folder, records, dim: records * dim * 2
    monkeypatch.setattr(embedding_work.feature_cache, "lacking", everything)
    public = replace(MEAN, method="dppl-public")
    assert embedding_work.remaining([MEAN, MEAN]) == {"scatter-colour": PICTURES}
    assert embedding_work.remaining([MEAN, public]) == {"scatter-colour": PICTURES + PUBLIC}
    coinpress = replace(MEAN, params=(("form", "coinpress"),))
    assert embedding_work.remaining([coinpress]) == {"scatter-colour": PICTURES + PUBLIC}


def test_shipped_features_and_invalid_runs_need_no_embedding():
    assert (
        embedding_work.remaining([replace(MEAN, encoder="lite0-128", method="dppl-public")]) == {}
    )
    assert embedding_work.remaining([replace(MEAN, dataset="etf", encoder=None, public=None)]) == {}
    unknown = replace(MEAN, encoder="lite0-128", params=(("nothing", 1),))
    assert embedding_work.remaining([unknown]) == {}
    own = replace(MEAN, encoder="lite0-128", method="dppl-public", public="/nowhere/own.npz")
    assert embedding_work.remaining([own]) == {}
