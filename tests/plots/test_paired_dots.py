import itertools
from dataclasses import replace

import pytest

from dpviz.plots.paired_dots import NARROW_PLOT, PairedDots, PairedRow
from dpviz.stats import interval

WORDS = ("Images", "per person", "per image")


def make_chart():
    rows = (PairedRow(1, interval([0.3, 0.4]), -1), PairedRow(0, interval([0.1, 0.3]), 0))
    image = interval([0.5, 0.5])
    return PairedDots("overall", "dppl-mean", "means", image, rows, 1, WORDS, (("Chance", 0.1),))


def examples():
    nothing = PairedDots("overall", "", "", None, (), 0, WORDS)
    return [(make_chart(),), (replace(make_chart(), marked=0),), (nothing,)]


def test_each_row_joins_its_two_dots():
    figure = make_chart().figure()
    first, second = figure.data[:2]
    assert list(first["x"]) == [0.35, 0.5, None] and list(first["y"]) == [0, 0, None]
    assert not first["line"]["dash"] and second["line"]["dash"] == "dot", "dotted: no difference"
    dots = {trace["name"]: list(trace["x"]) for trace in figure.data if trace["name"]}
    assert dots["per image"] == [0.5, 0.5]
    assert dots["per person"] == pytest.approx([0.35, 0.2])
    assert list(figure.layout["yaxis"]["ticktext"]) == ["1", "all"]


def test_rows_have_numbers_and_differences():
    figure = make_chart().figure()
    words = list(figure.data[-1]["text"])
    assert words == ["<b>35% (\u221215)</b>", "20% (\u221230)"], "bold in the row of the answer"


def test_number_is_above_its_dot_but_at_the_ends_of_the_axis():
    low = replace(make_chart(), rows=(PairedRow(1, interval([0.02, 0.02]), -1),))
    assert list(low.figure().data[-1]["textposition"]) == ["top right"]
    assert list(make_chart().figure().data[-1]["textposition"]) == ["top center", "top center"]


def test_names_are_in_one_row_and_apart_on_a_phone():
    crowded = replace(make_chart(), levels=(("Chance", 0.05), ("Public images alone", 0.52)))
    names = crowded.figure().layout.annotations
    assert len({(name.y, name.font.size) for name in names}) == 1
    scale = NARROW_PLOT / crowded.figure().layout.xaxis.range[1]
    middles = sorted(name.x * scale + name.xshift for name in names)
    assert min(b - a for a, b in itertools.pairwise(middles)) > 40
    assert abs(names[0].xshift) <= 2, "no other name near"
