import math

from dpviz.plots.teachers import Ensemble, EnsembleGrid
from dpviz.stats import Interval

STUDENT = Interval(0.7, 0.6, 0.8, 3, 0.05)
CELLS = {
    "Teachers": [Ensemble("20", 0.5, math.nan, 1.0, 10)],
    "Kind": [Ensemble("<b>", 0.5, 0.9, 1.0, 10, STUDENT)],
    "none": [],
}


def examples():
    return [(EnsembleGrid.from_cells(CELLS),), (EnsembleGrid.from_cells(CELLS, {"Kind": "<b>"}),)]


def test_empty_panels_and_unknown_shares_are_omitted():
    chart = EnsembleGrid.from_cells(CELLS)
    assert [title for title, _ in chart.panels] == ["Teachers", "Kind"]
    drawn = chart.figure().to_dict()["data"]
    assert [list(trace["y"]) for trace in drawn] == [[0.5], [None], [None], [0.5], [0.9], [0.7]]
    assert [trace["mode"] for trace in drawn[2:4]] == ["lines+markers", "markers"], (
        "a line between kinds would mean nothing"
    )


def test_students_have_error_bars_and_current_one_ring():
    drawn = EnsembleGrid.from_cells(CELLS, {"Kind": "<b>"}).figure().to_dict()["data"]
    assert math.isclose(drawn[5]["error_y"]["array"][0], 0.1)
    assert "SD 5.0 points over 3 noise seeds" in drawn[5]["customdata"][0]
    assert drawn[6]["marker"]["symbol"] == "circle-open" and drawn[6]["xaxis"] == "x2"
    plain, taught = EnsembleGrid.from_cells(CELLS).table()
    assert "student" not in plain and (taught["student"], taught["student low"]) == (0.7, 0.6)


def test_panels_are_two_in_a_row_or_one():
    layout = EnsembleGrid.from_cells(CELLS).figure().to_dict()["layout"]
    wide, narrow = (layout["meta"]["panels"][page] for page in ("wide", "narrow"))
    assert layout["height"] == wide["height"] < narrow["height"]
    assert list(layout["xaxis2"]["domain"]) == wide["xaxis2.domain"] == [0.52, 1]
    assert narrow["xaxis.domain"] == narrow["xaxis2.domain"] == [0, 1]
    assert (
        narrow["yaxis2.domain"][1] < narrow["yaxis.domain"][0] and narrow["yaxis2.showticklabels"]
    )
    assert wide["yaxis.domain"] == wide["yaxis2.domain"] and not wide["yaxis2.showticklabels"]
