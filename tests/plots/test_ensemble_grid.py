import math

from dpviz.plots import ensemble_grid
from dpviz.plots.ensemble_grid import Cell

CELLS = {
    "Teachers": [Cell("20", 0.5, math.nan, 1.0, 10)],
    "Kind": [Cell("<b>", 0.5, 0.9, 1.0, 10)],
    "none": [],
}


def examples():
    return [(ensemble_grid.info(CELLS),)]


def test_empty_panels_are_left_out_and_unknown_shares_not_drawn():
    chart = ensemble_grid.info(CELLS)
    assert [title for title, _ in chart.panels] == ["Teachers", "Kind"]
    drawn = ensemble_grid.figure(chart).to_dict()["data"]
    assert [list(trace["y"]) for trace in drawn] == [[0.5], [None], [0.5], [0.9]]
    assert [trace["mode"] for trace in drawn[1:3]] == ["lines+markers", "markers"], (
        "a line between kinds would mean nothing"
    )
    assert len(ensemble_grid.table(chart)) == 2
