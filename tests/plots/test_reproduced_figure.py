"""The chart of a reproduced figure: panels, lines, printed numbers."""

import numpy as np

from dpviz.plots.papers import MARKER_SHIFT, FigurePoint, ReproducedFigure

COMPUTED = [
    FigurePoint("IR 1", "DPPL-Mean", 0.1, 0.5, 0.4, 0.6),
    FigurePoint("IR 1", "DPPL-Mean", 1.0, 0.7, 0.7, 0.7),
    FigurePoint("IR 10", "DPPL-Mean", 0.1, 0.3, 0.2, 0.4),
]
PRINTED = [
    FigurePoint("IR 1", "DPPL-Mean", 1.0, 0.9, 0.9, 0.9),
    FigurePoint("IR 1", "Other", 1.0, 0.8, 0.8, 0.8),
]
NAMED = [
    FigurePoint("", "AdaMix", "MIT-67", 0.3, 0.2, 0.4),
    FigurePoint("", "PPGD", "MIT-67", 0.4, 0.3, 0.5),
]


def examples():
    return [
        (ReproducedFigure.from_points("ε", "Accuracy", COMPUTED, PRINTED, log_x=True),),
        (ReproducedFigure.from_points("Data set", "Test error", NAMED),),
        (ReproducedFigure.from_points("IR", "Images", COMPUTED, share=False),),
    ]


def test_printed_numbers_are_open_and_dotted():
    drawn = examples()[0][0].figure().to_dict()["data"]
    by_name = {trace["name"]: trace for trace in drawn}
    assert by_name["DPPL-Mean, printed"]["marker"]["symbol"].endswith("-open")
    assert by_name["DPPL-Mean, printed"]["line"]["dash"] == "dot"
    assert "-open" not in by_name["DPPL-Mean"]["marker"]["symbol"]


def test_each_line_appears_once_in_legend():
    drawn = examples()[0][0].figure().to_dict()["data"]
    shown = [trace["name"] for trace in drawn if trace["showlegend"]]
    assert shown == ["DPPL-Mean", "DPPL-Mean, printed", "Other, printed"]


def test_lines_at_one_name_are_offset():
    one, other = examples()[1][0].figure().to_dict()["data"]
    assert np.isclose(other["x"][0] - one["x"][0], MARKER_SHIFT)
    assert one["mode"] == "markers"


def test_info_holds_points_and_panels():
    chart = examples()[0][0]
    assert chart.panels == ["IR 1", "IR 10"] and chart.lines == ["DPPL-Mean", "Other"]
    assert chart.category_names("IR 1") == [] and examples()[1][0].category_names("") == ["MIT-67"]
