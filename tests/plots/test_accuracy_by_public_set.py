import pytest

from dpviz.plots import accuracy_by_public_set


def examples():
    return [
        (accuracy_by_public_set.info({"one": [0.2, 0.4]}, "one", "overall", [("chance", 0.1)]),)
    ]


def test_info_is_exact():
    sets = accuracy_by_public_set.info({"one": [0.2, 0.4], "two": [0.1]}, "one", "overall", [])
    assert [p.mean for p in sets.points] == pytest.approx([0.3, 0.1])
    bars = accuracy_by_public_set.figure(sets).to_dict()["data"][0]
    assert bars["marker"]["line"]["width"] == [3, 0], "the set in use is outlined"
