from dataclasses import replace

import pytest

from dpviz.plots.setting_maps import BELOW_PUBLIC_MARK, SettingMap, Side, selected_cell
from dpviz.stats import Interval

ROWS, COLUMNS = Side("d_min", ("1", "1.2")), Side("<b>", ("1.1", "1.5"))


def point(mean):
    return Interval(mean, mean - 0.05, mean + 0.05, 5, 0.01)


def make_chart(points=None):
    there = {(0, 0): point(0.2), (0, 1): point(0.9), (1, 1): point(0.88)}
    points = there if points is None else points
    return SettingMap.from_points(ROWS, COLUMNS, "balanced", points, {(1, 0): "empty"}, (1, 1))


def examples():
    return [
        (make_chart(),),
        (make_chart({}),),
        (replace(make_chart(), below_public=frozenset({(0, 0)})),),
    ]


def test_best_cell_is_starred_and_all_are_numbered():
    chart = make_chart()
    assert chart.best == (0, 1) and chart.worse == 2 and make_chart({}).best is None
    shades, missing, marks = chart.figure().to_dict()["data"]
    assert shades["text"] == [["20", "<b>★90</b>"], ["", "88"]]
    assert (list(missing["x"]), list(missing["y"])) == ([0], [1])
    assert marks["customdata"][1] == ("d_min 1, &lt;b&gt; 1.5: <b>90%</b> (85–95), N = 5")
    assert marks["customdata"][2] == "d_min 1.2, &lt;b&gt; 1.1: empty"
    assert [row["accuracy"] for row in chart.table()] == [0.2, 0.9, 0.88]


def test_best_cell_without_clear_lead_has_no_star():
    level = make_chart({(0, 0): point(0.9), (0, 1): point(0.9)})
    assert not level.has_winner and level.figure().data[0]["text"][0] == ["90", "90"]


def test_cells_with_same_number_have_same_shade():
    shades = make_chart({(0, 0): point(0.701), (0, 1): point(0.699)}).figure().data[0]
    assert shades["z"][0][0] == shades["z"][0][1]


def test_only_cells_below_public_images_are_marked():
    below = replace(make_chart(), below_public=frozenset({(0, 0)}))
    assert below.figure().data[0]["text"][0] == [f"{BELOW_PUBLIC_MARK}20", "<b>★90</b>"]
    assert BELOW_PUBLIC_MARK not in str(make_chart().figure().data[0]["text"])


def test_shades_differ_most_where_most_cells_are():
    points = {(0, 0): point(0.2), (0, 1): point(0.8), (1, 0): point(0.82), (1, 1): point(0.84)}
    shades = make_chart(points).figure().data[0]
    assert (shades["zmin"], shades["zmax"]) == (0.2, 0.84)
    scale = shades["colorscale"]
    assert [place for place, _ in scale] == pytest.approx([0, 0.6 / 0.64, 0.62 / 0.64, 1])
    alphas = [float(colour.rsplit(",", 1)[1][:-1]) for _, colour in scale]
    assert alphas == sorted(alphas) and alphas[2] - alphas[1] > 0.08, "linear: 0.02"


@pytest.mark.parametrize(
    ("told", "cell"),
    [([{"point_index": 3}], (1, 1)), ([{"point_index": 9}], None), ([{"point_index": "1"}], None),
     ([], None)],
)  # fmt: skip
def test_click_selects_a_cell_or_nothing(told, cell):
    assert selected_cell(told, make_chart()) == cell
