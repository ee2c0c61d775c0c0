from dpviz.plots.classroom import CrowdEstimate


def examples():
    points = [(5, -0.2, 0.49, 0.6), (50, 0.31, 0.4, 0.05), (95, 0.3, 0.31, 0.01)]
    others = [(-0.1, 0.4), (0.28, 0.33), (0.3, 0.31)]
    with_crowds = CrowdEstimate.from_points(points, 0.3, 50, others)
    return [*((CrowdEstimate.from_points(points, 0.3, now),) for now in (5, 50)), (with_crowds,)]


def test_estimates_are_exact_and_drawn_inside_the_axis():
    chart = examples()[0][0]
    assert [row["estimate"] for row in chart.table()] == [-0.2, 0.31, 0.3]
    drawn = chart.figure()
    assert list(drawn.data[2]["y"]) == [0.0] and "-20.0%" in drawn.data[2]["hovertemplate"]
    assert min(drawn.data[0]["y"]) == 0


def test_line_is_mean_of_other_crowds():
    chart = examples()[-1][0]
    line = chart.figure().data[2]
    assert list(line["y"]) == list(chart.means) and round(chart.means[1], 3) == 0.305
    assert line["name"] == "Mean of 2 crowds"
    assert [row["mean of other crowds"] for row in chart.table()] == list(chart.means)


def test_other_crowds_are_drawn_inside_the_axis():
    dots = examples()[-1][0].figure().data[1]
    assert list(dots["x"]) == [5, 5, 50, 50, 95, 95]
    assert list(dots["y"]) == [0.0, 0.4, 0.28, 0.33, 0.3, 0.31]
