from dataclasses import replace

import pytest

from dpviz.methods import METHODS
from dpviz.plots.settings import FAINT_LINE, Pair, RecordsCurve
from dpviz.stats import interval


def make_chart(now):
    lines = {
        ("private", "noisy-gd", False): {0: interval([0.8, 0.9]), 10: interval([0.4, 0.6])},
        ("without noise", "noisy-gd", True): {10: interval([0.7], noisy=False)},
        ("still to come", "adamix", False): {},
    }
    return RecordsCurve.from_points(lines, "balanced", now, 0.1)


def examples():
    nothing = RecordsCurve.from_points({}, "balanced", 0, 0.1)
    return [
        *((make_chart(10),), (make_chart(0),), (make_chart(7),), (nothing,)),
        (replace(persons(), pair=Pair("probe", 1, "−20 points")),),
    ]


def persons():
    """Two lines of one method and one of another, with a mark of each method at the right end."""
    across = {1: interval([0.7], noisy=False)}
    lines = {
        ("probe", "noisy-gd", False): {1: interval([0.5]), 0: interval([0.2])},
        ("probe, clipped", "noisy-gd", False): {1: interval([0.4]), 0: interval([0.3])},
        ("probe, per image", "noisy-gd", True): across,
        ("means", "dppl-mean", False): {1: interval([0.6]), 0: interval([0.1])},
        ("means, per image", "dppl-mean", True): {1: interval([0.9], noisy=False)},
    }
    return RecordsCurve.from_points(lines, "balanced", -1, 0.1, quiet_tick="per image")


def test_info_is_exact():
    curve = make_chart(10)
    assert curve.values == (10, 0) and [line.title for line in curve.lines] == [
        "private",
        "without noise",
    ]
    assert curve.lines[0].point_at(10).mean == 0.5 and curve.lines[1].point_at(0) is None
    rows = curve.table()
    assert [(row["line"], row["records per class"]) for row in rows] == [
        ("private", 10),
        ("private", "all"),
        ("without noise", 10),
    ]


def test_all_records_come_last_and_quiet_line_has_style():
    figure = make_chart(10).figure()
    assert list(figure.layout["xaxis"]["ticktext"]) == ["10", "all"]
    assert list(figure.data[1]["x"]) == [10, 20]
    assert figure.data[3]["marker"]["symbol"].endswith("-open")
    assert figure.data[1]["line"]["dash"] == METHODS["noisy-gd"].line_style.dash
    names, shapes = figure.data[-1]["text"], figure.layout["shapes"][4:]
    assert [name.strip() for name in names] == ["private", "without noise"]
    assert [shape["x0"] for shape in shapes] == [0, 10]
    beside = make_chart(7).figure().layout["shapes"][4:]
    assert len(beside) == 1, "no mark where nothing was run"


def test_names_are_beside_marks_of_their_methods():
    figure = persons().figure()
    meta, names = figure.layout["meta"], figure.data[-1]
    assert meta["named"] and meta["moving"] == 0 and figure.layout["margin"]["r"] == meta["room"]
    titles = [figure.data[place]["name"] for place in meta["lines"]]
    assert (
        titles == [text.strip() for text in names["text"]] == ["probe", "probe, clipped", "means"]
    )
    assert list(names["y"]) == pytest.approx([0.7, 0.3, 0.9]), "a second line: at its own end"
    assert {trace["opacity"] for trace in figure.data} <= {None, 1}


def test_pair_is_joined_and_other_lines_are_fainter():
    figure = replace(persons(), pair=Pair("probe", 1, "−20 points")).figure()
    faint = {t["name"] for t in figure.data if t["name"] and t["opacity"] == FAINT_LINE}
    assert faint == {"probe, clipped", "means", "means, per image"}
    banded = [t["opacity"] for t in figure.data if t["fill"] == "toself"]
    assert sorted(banded) == [0, 0, 1], "only the line of the pair keeps its band"
    way, words = figure.data[-3], figure.data[-2]
    mark = next(t for t in figure.data if t["name"] == "probe, per image")
    x = mark["x"][0]
    assert list(way["x"]) == [1, x, None, x, x, None]
    assert list(way["y"]) == [0.5, 0.5, None, 0.5, 0.7, None]
    assert words["text"] == ("<b>−20 points</b>",) and words["y"][0] == pytest.approx(0.6)
    gone = replace(persons(), pair=Pair("probe", 7, "")).figure()
    assert len(gone.data) == len(figure.data) - 2, "no line to a point that is not there"
