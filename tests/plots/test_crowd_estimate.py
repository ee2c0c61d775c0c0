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


def test_table_has_the_mean_of_other_crowds():
    chart = examples()[-1][0]
    assert [round(row["mean of other crowds"], 3) for row in chart.table()] == [0.15, 0.305, 0.305]


def test_legend_names_every_part():
    names = [trace.name for trace in examples()[-1][0].figure().data]
    assert names == ["95% of surveys", "2 other surveys", "Before correction", "This survey"]


def test_other_crowds_are_drawn_inside_the_axis():
    dots = examples()[-1][0].figure().data[1]
    assert list(dots["x"]) == [5, 5, 50, 50, 95, 95]
    assert list(dots["y"]) == [0.0, 0.4, 0.28, 0.33, 0.3, 0.31]
