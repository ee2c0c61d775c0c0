"""What pages keep by the content of the data."""

import pytest

from dpviz import caches
from dpviz.experiments import experiment
from dpviz.types import Budget, RunSpec
from dpviz.ui.live import page_caches


@pytest.mark.parametrize("words", ["", "Working it out …"])
def test_changed_data_are_not_answered_from_cache(monkeypatch, words):
    content, made = ["one"], []
    data = type("Data", (), {"fingerprint": property(lambda self: content[0])})()
    monkeypatch.setattr(experiment, "prepared", lambda spec: data)

    @page_caches.cached_by_content(4, words)
    def twice(spec: RunSpec, value: int) -> int:
        made.append(value)
        return 2 * value

    spec = RunSpec("mnist5k", "glyphnet", method="class-mean", budget=Budget(1.0))
    assert [twice(spec, 3), twice(spec, 3), twice(spec, 4)] == [6, 6, 8] and made == [3, 4]
    content[0] = "two"
    assert twice(spec, 3) == 6 and made == [3, 4, 3]
    caches.clear(__name__)
    assert twice(spec, 3) == 6 and made == [3, 4, 3, 3]
