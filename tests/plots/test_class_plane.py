import numpy as np

from dpviz.plots.collapse import ClassPlane


def make_chart():
    corners = np.array([[0, 1.0], [-1, 0], [1, 0]])
    points = [np.full((2, 2), k / 2) for k in range(3)]
    return ClassPlane(("a", "<i>", "c"), points, corners / 2, corners)


def examples():
    return [(make_chart(),)]


def test_points_means_and_corners_match_input():
    _circle, *points, corners, means = make_chart().figure().to_dict()["data"]
    assert (
        len(points) == 3
        and points[1]["name"] == "&lt;i&gt;"
        and make_chart().points[2].shape == (2, 2)
    )
    assert corners["y"] == [1, 0, 0] and means["y"] == [0.5, 0, 0]
    assert make_chart().table()[0]["mean 2"] == 0.5
