import numpy as np

from dpviz.plots.collapse import ClassPlane


def drawn():
    corners = np.array([[0, 1.0], [-1, 0], [1, 0]])
    points = [np.full((2, 2), k / 2) for k in range(3)]
    return ClassPlane(("a", "<i>", "c"), points, corners / 2, corners)


def examples():
    return [(drawn(),)]


def test_points_means_and_corners_are_those_given():
    _circle, *points, corners, means = drawn().figure().to_dict()["data"]
    assert (
        len(points) == 3 and points[1]["name"] == "&lt;i&gt;" and drawn().points[2].shape == (2, 2)
    )
    assert corners["y"] == [1, 0, 0] and means["y"] == [0.5, 0, 0]
    assert drawn().table()[0]["mean 2"] == 0.5
