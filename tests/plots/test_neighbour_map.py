import numpy as np

from dpviz.plots.mean_maps import NeighbourMap

PUBLIC = np.arange(12.0).reshape(6, 2)


def make_chart():
    return NeighbourMap(("a", "<b>"), PUBLIC, PUBLIC[:2], PUBLIC[2:4])


def examples():
    return [(make_chart(),)]


def test_lines_connect_exact_means_to_private_means():
    public, lines, private, exact = make_chart().figure().to_dict()["data"]
    assert len(public["x"]) == 6 and list(private["x"]) == [4, 6] and list(exact["x"]) == [0, 2]
    assert list(lines["x"]) == [0, 4, None, 2, 6, None]
    assert exact["text"] == ["a", "&lt;b&gt;"]
    assert make_chart().table()[1] == {
        "class": "<b>", "exact 1": 2.0, "exact 2": 3.0, "private 1": 6.0, "private 2": 7.0,
    }  # fmt: skip
