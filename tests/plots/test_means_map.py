from dataclasses import replace

import numpy as np

from dpviz.plots.mean_maps import DOT_SIZE, MAX_NAMED_BARS, MeansMap
from dpviz.types import Scores

POINTS = np.arange(8.0).reshape(4, 2)


def make_chart(budgets=(0.5, 1.0)):
    scores = tuple(Scores(0.9, 0.8, 0.7, (0.9, 0.7)) for _ in budgets)
    private = np.stack([POINTS[:2] + b for b in budgets])
    wrong = tuple(np.array([0, 3]) for _ in budgets)
    kinds = np.array(["a", "b", "a", "b"], dtype=object)
    return MeansMap(
        ("a", "<b>"), 0.5, POINTS, kinds, POINTS[:2], budgets, private, wrong, scores,
        tuple((0.75, 5) for _ in budgets), "balanced",
        "approx", 1e-5, 0,
    )  # fmt: skip


def examples():
    charts = (make_chart(), make_chart((1.0,)), of_rare(), with_bars())
    return [(chart, 1.0) for chart in charts]


def with_bars():
    shifts, failing = ((2.0, 0.5), (1.5, 0.02)), (frozenset({0}), frozenset({0}))
    return replace(
        make_chart(), shifts=shifts, order=(1, 0), shift_runs=5, failing=failing, rare=(1,)
    )


def of_rare():
    return replace(make_chart(), scored=np.array([True, False, True, False]))


def test_points_that_do_not_count_are_faint():
    points, _, faint, strong = of_rare().figure(1.0).data[:4]
    assert len(set(points["marker"]["color"])) == 2
    assert list(strong["x"][:-1]) == [0] and list(faint["x"][:-1]) == [6]
    assert faint["marker"]["opacity"] < strong["marker"]["opacity"]
    assert faint["showlegend"] is False


def test_moving_traces_follow_the_budget():
    figure = make_chart().figure(1.0).to_dict()
    assert [f["name"] for f in figure["frames"]] == ["0.5", "1"]
    assert [f["data"][0]["meta"] for f in figure["frames"]] == [0, 1]
    assert figure["data"][2]["meta"] == 1, "where it stands"
    assert all("marker" not in trace for f in figure["frames"] for trace in f["data"]), "looks stay"


def test_legend_names_all_that_is_drawn():
    shown = lambda chart: [
        trace.name for trace in chart.figure(1.0).data if trace.showlegend is not False
    ]
    noisy = ["Test image", "Mean without noise", "Wrong with noise", "Noise"]
    assert shown(make_chart()) == [*noisy, "Private mean"]
    failing = replace(make_chart(), failing=(frozenset(), frozenset({1})))
    assert shown(failing) == [*noisy, "Private mean", "Shift exceeds distance"]


def test_readout_and_table_have_numbers():
    assert "Mean over classes: 80% in this run, 75% on average over 5 runs" in make_chart().readout(
        1.0
    )
    assert make_chart().table(1.0)[1] == {
        "class": "<b>", "exact 1": 2.0, "exact 2": 3.0, "private 1": 3.0, "private 2": 4.0,
    }  # fmt: skip


def test_rare_names_are_bold_at_every_budget():
    names = replace(make_chart(), rare=(0,)).figure(1.0).to_dict()["data"][-1]
    assert names["text"] == ["<b>a</b>", "&lt;b&gt;"]


def test_arrows_of_failing_classes_have_their_own_color():
    chart = replace(make_chart(), failing=(frozenset(), frozenset({1})))
    kept, lost = chart.figure(1.0).data[3:5]
    assert kept.line.color != lost.line.color
    assert kept.x[3] == 0 and lost.x[10] == 2, "arrows begin at exact means"
    assert np.isnan(lost.x[3:10]).all() and np.isnan(kept.x[10:]).all()


def test_one_unit_is_as_long_across_as_upright():
    assert make_chart().figure(1.0).layout.yaxis.scaleanchor == "x"


def test_names_are_clear_of_means_and_lines():
    ends = np.array([[0.5, 0.9], [0.5, 0.1]])  # both straight above their exact means
    exact = np.array([[0.5, 0.5], [0.5, 0.0]])
    corners = np.array([[0.0, -0.4], [1.0, 1.4], [0.0, 1.4], [1.0, -0.4]])
    chart = replace(make_chart((1.0,)), points=corners, exact=exact, private=ends[None])
    names = chart.figure(1.0).to_dict()["data"][-1]
    assert names["textposition"] == ["bottom center", "bottom center"]
    on_line = replace(chart, exact=np.array([[0.5, 0.5], [0.5, 0.47]]))
    sides = on_line.figure(1.0).to_dict()["data"][-1]["textposition"]
    assert "center" not in sides[0], "the other mean is below it, its own line above"


def bars(traces):
    """The last traces on the bars' axes: kept means, moved means, and numbers."""
    return [trace for trace in traces if trace.xaxis == "x3"][-3:]


def test_bars_follow_the_budget_in_the_colors_of_the_map():
    figure = with_bars().figure(1.0)
    kept, lost, numbers = bars(figure.data)
    assert [text.strip() for text in numbers.text] == ["0.02", "1.5"]
    assert np.nanmax(kept.x) == np.float32(0.02) and np.nanmax(lost.x) == 1.5
    colors = {trace.line.color for trace in (kept, lost)}
    assert colors == {trace.marker.color for trace in figure.data if trace.marker.size == DOT_SIZE}
    moved = dict(zip(figure.frames[0].traces, figure.frames[0].data, strict=True))
    first = [moved[figure.data.index(trace)] for trace in (kept, lost, numbers)]
    assert np.nanmax(first[1].x) == 2.0
    lengths = [len(trace.x) for trace in first]
    assert lengths == [len(trace.x) for trace in (kept, lost, numbers)], "the browser needs it"


def test_rare_classes_are_bold_beside_their_bars():
    assert with_bars().figure(1.0).layout.yaxis3.ticktext == ("<b>&lt;b&gt;</b>", "a")


def test_narrow_page_has_bars_above_the_map():
    places = with_bars().figure(1.0).layout.meta["panels"]
    narrow = places["narrow"]
    assert narrow["xaxis.domain"] == [0, 1] and len(narrow["annotations"]) == 2
    assert narrow["yaxis.domain"][1] < narrow["yaxis3.domain"][0]
    assert places["wide"].keys() == narrow.keys()


def test_mark_is_where_the_arrow_is_as_long_as_the_distance():
    figure = with_bars().figure(1.0)
    key = next(t for t in figure.data if t.name == "Nearest-class distance")
    assert key.marker.symbol == "line-ns", "as across the arrow"
    mark = figure.data[[t.name for t in figure.data].index("Shift exceeds distance") + 1]
    x, y = mark.x[3:5], mark.y[3:5]
    exact, private = POINTS[0], POINTS[0] + 1
    middle = np.array([np.mean(x), np.mean(y)])
    np.testing.assert_allclose(middle, exact + (private - exact) / 1.5, atol=1e-5)
    assert np.isnan(mark.x[6:]).all(), "the other mean did not move that far"


def test_numbers_are_in_a_column_clear_of_bars_and_of_the_line_at_one():
    figure = replace(with_bars(), shifts=((2.0, 0.5), (1.5, 0.93))).figure(1.0)
    numbers = bars(figure.data)[2]
    assert numbers.x[0] == numbers.x[1] > 2.0 and numbers.textposition == "middle left"


def test_plain_map_has_no_test_images():
    names = [trace.name for trace in with_bars().figure(1.0, False).data]
    assert "Test image" not in names and "Wrong with noise" not in names


def test_shifts_are_in_the_table_and_the_alt_text():
    assert with_bars().table(1.0)[0]["shift ÷ nearest class"] == 1.5
    assert "distance to the nearest class" in with_bars().alt()
    assert "distance" not in make_chart().alt()


def test_infinite_shift_ends_at_the_axis():
    figure = replace(with_bars(), shifts=((2.0, 0.5), (float("inf"), 0.5))).figure(1.0)
    _, lost, numbers = bars(figure.data)
    assert np.nanmax(lost.x) == 2.0 and numbers.text[1].strip() == "∞"


def test_many_classes_have_bars_without_names():
    count = MAX_NAMED_BARS + 1
    means = np.random.default_rng(0).normal(size=(count, 2))
    many = replace(
        with_bars(),
        names=tuple(f"class {c}" for c in range(count)),
        exact=means,
        private=np.stack([means + 1] * 2),
        shifts=((0.5,) * count,) * 2,
        order=tuple(range(count)),
    )
    figure = many.figure(1.0)
    assert not figure.layout.yaxis3.showticklabels
    assert not any(text.strip() for text in bars(figure.data)[2].text)
