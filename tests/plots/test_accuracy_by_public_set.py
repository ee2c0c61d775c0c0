import pytest

from dpviz.plots.comparisons import PublicBars
from tests.kit.charts import result


def runs(*values):
    return [result("dppl-public", 1.0, seed, value) for seed, value in enumerate(values)]


def examples():
    return [
        (PublicBars.from_results({"one": runs(0.2, 0.4)}, "one", "balanced", [("chance", 0.1)]),)
    ]


def test_info_is_exact():
    results = {"one": runs(0.2, 0.4), "two": runs(0.1)}
    sets = PublicBars.from_results(results, "one", "balanced", [])
    assert [p.mean for p in sets.points] == pytest.approx([0.3, 0.1])
    bars = sets.figure().to_dict()["data"][0]
    assert bars["marker"]["line"]["width"] == [3, 0], "the set in use is outlined"
