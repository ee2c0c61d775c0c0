import numpy as np
import pytest

from dpviz.plots.collapse import HISTOGRAM_HEIGHT, SHIFT_BINS, ShiftRows
from dpviz.stats import interval

BETA, COSINES = np.array([0.1, 0.2, 0.2, 0.3]), np.array([-0.5, 0.0])


NOISY = interval([0.7, 0.8])


def make_chart(quiet=0.9, noisy=NOISY):
    return ShiftRows.from_features([("A", BETA, COSINES, -1.0, quiet, noisy)])


def examples():
    return [(make_chart(),), (make_chart(None, None),), (make_chart(), False)]


def test_plain_chart_has_no_cosines():
    plain = make_chart().figure(False).to_dict()
    assert "xaxis2" not in plain["layout"] and not [
        t for t in plain["data"] if t.get("xaxis") == "x2"
    ]
    titles = [note["text"] for note in plain["layout"]["annotations"]]
    assert not any("Similarity" in title for title in titles)
    assert any("75%" in title and "90% without noise" in title for title in titles)


def test_noise_is_a_bar_on_the_axis_of_distances():
    chart = lambda noise: ShiftRows.from_features(
        [("A", BETA, COSINES, -1.0, 0.9, NOISY)], [noise]
    ).figure(False)
    figure = chart(0.21)
    bar = figure.layout.shapes[-1]
    assert (bar.x0, bar.x1) == (0, 0.21) and bar.y0 == bar.y1 < 0
    assert any(note.text == "noise in a class mean 0.21" for note in figure.layout.annotations)
    long = chart(5.0)
    assert long.layout.shapes[-1].x1 == long.layout.xaxis.range[1] < 5
    assert any(note.text == "noise in a class mean 5 →" for note in long.layout.annotations)


def test_info_is_exact():
    chart = make_chart()
    row = chart.rows[0]
    assert (
        sum(row.shares) == pytest.approx(1)
        and row.typical == pytest.approx(0.2)
        and row.cosines[2] == -0.25
        and len(chart.edges) == SHIFT_BINS + 1
    )
    assert chart.table()[0]["accuracy with noise"] == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("noisy", "quiet", "side", "begins"),
    [
        (0.55, 0.57, "left", 0.55),  # a number on the right would lie on the ring
        (0.52, 0.55, "right", 0.55),
        (0.2, 0.9, "right", 0.2),
        (0.98, 0.97, "left", 0.97),
        (0.4, None, "right", 0.4),
    ],
)
def test_number_does_not_overlap_the_ring(noisy, quiet, side, begins):
    chart = make_chart(quiet, interval([noisy, noisy]))
    numbers = chart.figure().data[-1]
    assert numbers.textposition == (f"middle {side}",)
    assert numbers.x[0] == pytest.approx(begins)


def test_accuracy_axis_fits_marks_within_tens_of_percent():
    axis = lambda *values: make_chart(values[0], interval([values[1]] * 2)).figure().layout.xaxis3
    assert axis(0.976, 0.97).range == (0.9, 1.0)
    assert axis(1.0, 1.0).range == (0.9, 1.0)
    assert axis(0.67, 0.32).range == (0.3, 0.7)
    assert make_chart(None, None).figure().layout.xaxis3.range == (0.0, 1.0)


def test_histogram_outline_starts_and_ends_at_zero():
    chart = make_chart()
    outline = chart.figure().data[0]
    assert (outline.x[0], outline.x[-1]) == (chart.edges[0], chart.edges[-1])
    assert outline.y[0] == outline.y[-1] == 0 and max(outline.y) == HISTOGRAM_HEIGHT


def test_nearest_class_is_a_dashed_line_with_its_distance():
    rows = ShiftRows.from_features([("A", BETA, COSINES, -1.0, None, None)], nearest=[0.25])
    figure = rows.figure(precise=False)
    [line] = [shape for shape in figure.layout.shapes if shape.line.dash == "dash"]
    assert line.x0 == line.x1 == 0.25 < figure.layout.xaxis.range[1]
    assert any("nearest class 0.25" in note.text for note in figure.layout.annotations)
    assert rows.table()[0]["nearest class"] == 0.25
